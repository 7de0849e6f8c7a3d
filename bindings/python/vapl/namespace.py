# SPDX-License-Identifier: MIT
"""Namespaces of APL as mappings of Python's."""
from collections.abc import MutableMapping
from typing import Any, Iterable, Iterator, List

from .array import Array, numpy


class Namespace(MutableMapping, Array):  # type: ignore[misc]  # items() is a mapping's
    """The names of a namespace that stand for arrays and namespaces, and their values. It is the
    namespace itself and no copy: what APL or Python assigns there, the other sees."""

    def _with(self, text: str, *left: Any) -> Any:
        """An expression of ⍵, which is the namespace, and ⍺."""
        return self._apl._python(self._apl._apply, "{" + text + "}", [*left, self], self.narrow)

    def _names(self) -> List[str]:
        return list(self._with("⍵.⎕NL ¯2 ¯9"))

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        return self._with("⍵ ⎕VGET ⍺", name)

    def raw(self, name: str) -> Any:
        """What a name stands for as an array of APL's."""
        if name not in self:
            raise KeyError(name)
        return self._apl._apply("{⍵ ⎕VGET ⍺}", [name, self])

    def frame(self, times: Iterable[str] = ()) -> Any:
        """A DataFrame of pandas with the names as columns, vectors of one length; `times` are those that are day
        numbers of ⎕DT."""
        from .table import frame
        return frame(self._apl, self, times)

    def __setitem__(self, name: str, value: Any) -> None:
        if not isinstance(name, str):
            raise TypeError(f"the names in a namespace are str, not {type(name).__name__}")
        self._with("1⊣⍵ ⎕VSET⊂⍺", [name, value])

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self._with("⍵.⎕EX ⍺", name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._names()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __bool__(self) -> bool:
        return len(self) > 0

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        alone = numpy.empty((), dtype=object)
        alone[()] = self
        return alone

    def python(self) -> "Namespace":
        return self  # may be given to APL again

    def __repr__(self) -> str:
        names = ", ".join(self._names())
        if not names and self._with("⍵≡⎕NULL"):
            return "<vapl ⎕NULL>"
        return f"<vapl.Namespace of {names or 'nothing'}>"
