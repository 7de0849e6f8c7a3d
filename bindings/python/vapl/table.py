# SPDX-License-Identifier: MIT
"""Tables of pandas as namespaces with an array for each column, and back."""
import re
from collections.abc import Mapping
from typing import Any, Iterable

from .array import _NULLS, Array, numpy
from .plot import days

_NAME = re.compile(r"[A-Za-z_∆⍙À-ÖØ-Ýß-öø-þ][\w∆⍙]*")
_EPOCH = numpy.datetime64("1899-12-31", "ns") if numpy is not None else None


def column(apl: Any, x: Any) -> Array:
    """An array of a column: numbers where they lie, texts, categories as what they stand for, times as the day
    numbers of ⎕DT; what is missing is ⎕NULL, but NaN in a column of floats stays NaN."""
    kind = getattr(x.dtype, "kind", "O")
    if hasattr(x.dtype, "categories"):
        x, kind = x.astype(object), "O"
    missing = x.isna().to_numpy()
    if kind == "M":
        values = apl.array(days(x))
    elif not missing.any():
        values = apl.array(x.to_numpy() if kind in "biufc" else [str(e) for e in x])
    elif kind == "f" and isinstance(x.dtype, numpy.dtype):
        return apl.array(x.to_numpy())
    elif kind in "biuf":
        values = apl.array(x.fillna(0).to_numpy(dtype=f"{kind}8" if kind in "iu" else "f8"))
    else:
        values = apl.array(["" if gone else str(e) for e, gone in zip(x, missing)])
    return apl._apply(_NULLS, [values, apl.array(~missing)]) if missing.any() else values


def columns(apl: Any, frame: Any) -> Any:
    """A namespace with the columns of a DataFrame under their names."""
    names = [str(name) for name in frame.columns]
    for name in names:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of APL: give frame.rename(columns=…)")
    if len(set(names)) < len(names):
        raise ValueError("two columns have one name")
    return apl.array({name: column(apl, frame.iloc[:, i]) for i, name in enumerate(names)})


def _values(apl: Any, x: Any, is_times: bool) -> Any:
    """A column of pandas of an array's."""
    import pandas
    if not isinstance(x, Array):
        x = apl.array(x)
    if x.ndim != 1:
        raise ValueError(f"a column is a vector, not an array of shape {x.shape}")
    here = None
    if x.nested and len(x):
        here = numpy.asarray(apl._apply("{⍵≢¨⊂⎕NULL}", [x]).python(), dtype=bool)
        here = None if here.all() else here
    if here is None:
        values = x.python()
    else:
        items = [a.python() if there else None for a, there in zip(x.items(), here)]
        whole = all(isinstance(e, int) for e in items if e is not None)
        real = all(isinstance(e, (int, float)) for e in items if e is not None)
        values = pandas.array(items, dtype="Int64" if whole else "Float64") if real else items
    if isinstance(values, str):
        values = list(values)
    if not is_times:
        return values
    numbers = pandas.array(values, dtype="Float64").to_numpy(dtype="float64", na_value=numpy.nan)
    gone = numpy.isnan(numbers)
    micro = numpy.where(gone, 0, numpy.rint(numbers * 86400e6)).astype("int64")
    times = _EPOCH + micro.astype("timedelta64[us]").astype("timedelta64[ns]")
    times[gone] = numpy.datetime64("NaT")
    return times


def frame(apl: Any, table: Any, times: Iterable[str] = ()) -> Any:
    """A DataFrame of a namespace, or of a mapping of names to vectors; `times` are the names of columns that are
    day numbers of ⎕DT."""
    import pandas
    if not isinstance(table, Mapping):
        raise TypeError(f"a frame is made of a namespace or a mapping, not of a {type(table).__name__}")
    chosen = set(times)
    if not chosen <= set(table):
        raise KeyError(", ".join(sorted(chosen - set(table))))
    raw = {name: table.raw(name) if hasattr(table, "raw") else table[name] for name in table}
    return pandas.DataFrame({name: _values(apl, x, name in chosen) for name, x in raw.items()})
