# SPDX-License-Identifier: MIT
"""Pictures of numbers by ⎕PLOT: what Apl.plot gives."""
import os
from collections.abc import Mapping
from typing import Any, Dict, List

from .array import numpy

_DAY = 25568  # the day number of 1970-01-01 (⎕DT's form 1)


def days(x: Any) -> Any:
    """Times of NumPy or pandas as ⎕DT's day numbers, floats; NaT is NaN."""
    ns = numpy.asarray(x, dtype="datetime64[ns]")
    numbers = ns.astype("int64") / 86400e9 + _DAY
    return numpy.where(numpy.isnat(ns), numpy.nan, numbers)


def _kind(x: Any) -> str:
    """Of the elements, as NumPy has it; ? if x has none."""
    return str(getattr(getattr(x, "dtype", None), "kind", "?"))


def _is_times(x: Any) -> bool:
    return numpy is not None and _kind(x) == "M"


def _plain(x: Any) -> Any:
    """A series or an x of it: times as day numbers, gaps of pandas as NaN, objects as texts."""
    if _is_times(x):
        return days(x)
    if _kind(x) in "iuf" and hasattr(x, "isna") and x.isna().any():  # Int64, Float64
        return x.to_numpy(dtype="float64", na_value=numpy.nan)
    if hasattr(x, "to_numpy"):
        x = x.to_numpy()
    return [str(e) for e in x] if _kind(x) in "OUS" else x


def _named(name: Any, y: Any) -> List[Any]:
    """A series with its name, ⎕PLOT's ('name' y) or ('name' x y)."""
    if isinstance(y, tuple) and len(y) == 2:
        return [str(name), _plain(y[0]), _plain(y[1])]
    return [str(name), _plain(y)]


def _data(data: Any, options: Dict[str, Any]) -> Any:
    """What ⎕PLOT takes of a value of Python's; an index of pandas becomes x."""
    index = getattr(data, "index", None)
    pandas_like = index is not None and not callable(index)
    if pandas_like and "x" not in options and options.get("kind") not in ("hist", "heat"):
        if _is_times(index):
            options["x"] = index
        elif getattr(index, "dtype", None) is not None and type(index).__name__ != "RangeIndex":
            options["x"] = index
    if hasattr(data, "columns"):  # a frame
        return [_named(name, data[name]) for name in data.columns]
    if pandas_like and getattr(data, "name", None) is not None:
        options.setdefault("ylabel", str(data.name))
    if isinstance(data, Mapping):
        return [_named(name, y) for name, y in data.items()]
    if isinstance(data, (list, tuple)):
        return [_plain(y) if not isinstance(y, tuple) else [_plain(e) if not isinstance(e, str) else e for e in y]
                for y in data]
    return _plain(data)


class Plot:
    """A picture of ⎕PLOT. Notebooks show it; `svg` is its text, `png()` its bytes, `save` writes a file, `str(plot)`
    is it in braille."""

    def __init__(self, apl: Any, data: Any, options: Dict[str, Any]):
        options = {name: value for name, value in options.items() if value is not None}
        self._apl = apl
        self._data = apl.array(_data(data, options))
        if "x" in options:
            if _is_times(options["x"]):
                options.setdefault("xscale", "date")
            options["x"] = _plain(options["x"])
        self._options = options
        self.svg: str = self._made("svg")

    def _made(self, form: str, **more: Any) -> Any:
        apl = self._apl
        a = apl._apply("⎕PLOT", [{**self._options, "format": form, **more}, self._data])
        if form == "text":
            return "\n".join(str(row).rstrip() for row in str(a).split("\n"))
        return a.python()

    def png(self, scale: int = 1) -> bytes:
        """The bytes of a PNG, with `scale` by `scale` pixels for a unit: 2 for print."""
        return bytes(bytearray(int(b) for b in self._made("png", scale=scale)))

    def save(self, path: Any, scale: int = 1) -> None:
        """Writes it; the name ends in .svg, .png or .txt."""
        path = os.fspath(path)
        kind = os.path.splitext(path)[1].lower()
        if kind not in (".svg", ".png", ".txt"):
            raise ValueError(f"a plot is saved as .svg, .png or .txt, not {path!r}")
        raw = self.png(scale) if kind == ".png" else (self.svg if kind == ".svg" else str(self) + "\n").encode("utf-8")
        with open(path, "wb") as f:
            f.write(raw)

    def __str__(self) -> str:
        text: str = self._made("text", size=[80, 16])
        return text

    def __repr__(self) -> str:
        return f"<vapl.Plot {self._options.get('title', '')}>".replace(" >", ">")

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        return {"image/svg+xml": self.svg, "text/plain": str(self)}

