# SPDX-License-Identifier: MIT
"""APL whose arrays live on the GPU, from Python.

    import numpy as np, vapl
    with vapl.Apl() as apl:
        x = np.random.rand(1_000_000)
        apl("(+/⍵)÷≢⍵", x)      # ⍵ is x, used where it lies
        apl("⍺+.×⍵", x, x)      # two arguments: ⍺ and ⍵
        apl["m"] = x.reshape(1000, 1000)
        apl("⌈/m")              # a NumPy array on vapl's memory, read-only
"""
from .apl import Apl, Function
from .array import Array
from .errors import AplError, Frame, Interrupted
from .namespace import Namespace

__all__ = ["Apl", "Array", "AplError", "Frame", "Function", "Interrupted", "Namespace", "__version__"]
__version__ = "0.1.0"
