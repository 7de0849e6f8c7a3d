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
from typing import Any, Optional, Union, overload

from .apl import Apl, Function
from .array import Array
from .errors import AplError, Frame, Interrupted
from .namespace import Namespace
from .plot import Plot
from .ranks import Job

__all__ = ["Apl", "Array", "AplError", "Frame", "Function", "Interrupted", "Job", "Namespace", "Plot", "__version__",
           "load_ipython_extension", "open"]
__version__ = "0.1.0"


@overload
def open(device: Optional[str] = None, *, ranks: None = None, **options: Any) -> Apl: ...
@overload
def open(device: Optional[str] = None, *, ranks: int, **options: Any) -> Job: ...
@overload
def open(device: Optional[str] = None, *, ranks: Optional[int], **options: Any) -> Union[Apl, Job]: ...
def open(device: Optional[str] = None, *, ranks: Optional[int] = None, **options: Any) -> Union[Apl, Job]:
    """An interpreter: an Apl, or with `ranks` a Job of so many processes."""
    return Apl(device, **options) if ranks is None else Job(ranks, device, **options)


def load_ipython_extension(shell: Any) -> None:
    """%load_ext vapl: cells that begin with %%apl are APL."""
    from .magic import load
    load(shell)
