# SPDX-License-Identifier: MIT
"""One array on several processes, each with a GPU of its own if there are so many: each process brings its rows as a
NumPy array, APL computes with all of them, and each takes its own rows of the result.

    mpirun -n 4 python3 ranks.py

Every call of the interpreter is made by all processes in one order. With mpi4py `comm` may be any communicator."""
import numpy as np
import vapl

SHAPE = (6_000_000, 4)

with vapl.open(comm="world") as apl:
    first, rows = apl.cut(SHAPE)
    mine = np.arange(first, first + rows, dtype=np.float32)[:, None] / np.arange(1, 5, dtype=np.float32)
    apl["table"] = apl.from_part(SHAPE, mine)
    mean = apl("(+⌿table)÷≢table")              # short: the same on all processes
    centred = apl.raw("table-⍤1⊢(+⌿table)÷≢table")  # long: cut among them
    first, local = apl.part(centred)
    if first == 0:
        print("means", *mean)
        print("row 0 less them:", np.asarray(local)[0])
