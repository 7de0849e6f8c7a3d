# SPDX-License-Identifier: MIT
"""Arrays: handles of vapl's, and what becomes what between Python and APL."""
import ctypes
import sys
from ctypes import byref, c_char_p, c_int64, c_size_t, c_void_p
from typing import Any, List, Tuple

from . import _lib, errors
from ._lib import lib

try:
    import numpy
except ImportError:  # lists and memoryviews then
    numpy = None

# Codes of the buffer protocol, without NumPy and for it, by type of vapl's.
_CODE = {_lib.BOOL: "?", _lib.I8: "b", _lib.U8: "B", _lib.I16: "h", _lib.I32: "i", _lib.I64: "q",
         _lib.F32: "f", _lib.F64: "d"}
_TYPE = {"?": _lib.BOOL, "b": _lib.I8, "B": _lib.U8, "h": _lib.I16, "i": _lib.I32, "q": _lib.I64,
         "l": _lib.I64, "f": _lib.F32, "d": _lib.F64}
_DTYPE = {"b1": _lib.BOOL, "i1": _lib.I8, "u1": _lib.U8, "i2": _lib.I16, "i4": _lib.I32,
          "i8": _lib.I64, "f4": _lib.F32, "f8": _lib.F64, "c16": _lib.C128, "U4": _lib.CHAR32}
_NAME = {kind: name for name, kind in _DTYPE.items()}
_WIDER = {"u2": "i4", "u4": "i8", "f2": "f4", "c8": "c16"}
_SMALL = 4096  # bytes: below, a copy is cheaper than watching over the original

_SCALAR = {_lib.I64: ctypes.c_int64, _lib.F64: ctypes.c_double}


class Array:
    """An array of APL. Immutable; belongs to its interpreter; NumPy reads it in place
    (np.asarray, np.from_dlpack), memoryview(a) from Python 3.12 on, and a.memoryview() ever."""

    def __init__(self, apl: Any, handle: int):
        self._apl, self._handle = apl, handle

    def __del__(self) -> None:
        if self._handle:
            self._apl._release(self._handle)
            self._handle = None

    def _view(self, kind: int = -1) -> _lib.View:
        """Type and shape; with a kind, the elements as that."""
        view = _lib.View()
        with self._apl._lock:
            if kind < 0:
                self._apl._check(lib.vapl_info(self._handle, byref(view)))
            else:
                self._apl._check(lib.vapl_map(None, self._handle, kind, byref(view)))
        return view

    @property
    def shape(self) -> Tuple[int, ...]:
        view = self._view()
        return tuple(view.shape[:view.rank])

    @property
    def ndim(self) -> int:
        return self._view().rank

    @property
    def nested(self) -> bool:
        return self._view().type == _lib.NESTED

    @property
    def shy(self) -> bool:
        """Is it the result of an assignment, which a session would not show?"""
        return bool(self._view().shy)

    def __len__(self) -> int:
        return self.shape[0] if self.ndim else 1

    def item(self, i: int) -> "Array":
        """Element i of the ravel, from 0, as an array of its own."""
        out = c_void_p()
        with self._apl._lock:
            self._apl._check(lib.vapl_item(None, self._handle, i, byref(out)))
        return Array(self._apl, out.value)

    def _native(self) -> _lib.View:
        kind = self._view().type
        return self._view(_lib.BOOL if kind == _lib.BIT else _lib.AS_IT_IS)

    def memoryview(self) -> memoryview:
        """Its elements, where they are; of real numbers and truth values."""
        view = self._native()
        if view.type not in _CODE:
            raise TypeError("a memoryview has real numbers only")
        code = _CODE[view.type]
        if not view.count:
            return memoryview(b"").cast(code)
        raw = (ctypes.c_char * view.bytes).from_address(view.data)
        raw._keep = self
        return memoryview(raw).cast("B").toreadonly().cast(code, view.shape[:view.rank])

    def __buffer__(self, flags: int) -> memoryview:  # Python 3.12
        return self.memoryview()

    @property
    def __array_interface__(self) -> dict:
        view = self._view(_lib.CHAR32) if self._is_text() else self._native()
        if view.type == _lib.NESTED:
            raise TypeError("a nested array has no elements in a row")
        name = _NAME[view.type].replace("U4", "U1")
        order = "<" if sys.byteorder == "little" else ">"
        return {"version": 3, "shape": tuple(view.shape[:view.rank]),
                "typestr": (order if name[0] in "ifcU" else "|") + name,
                "data": (view.data or 0, True)}

    def __dlpack_device__(self) -> Tuple[int, int]:
        return (1, 0)  # memory of the host

    def __dlpack__(self, **options: Any) -> Any:
        from .dlpack import capsule
        return capsule(self, self._native())

    def _is_text(self) -> bool:
        return self._view().type in (_lib.CHAR8, _lib.CHAR16, _lib.CHAR32)

    def _string(self, function: Any, *more: Any) -> str:
        text, n = c_void_p(), c_size_t()
        with self._apl._lock:
            apl = self._apl
            apl._check(function(apl._open(), self._handle, *more, byref(text), byref(n)))
            try:
                return ctypes.string_at(text.value, n.value).decode("utf-8")
            finally:
                lib.vapl_free(apl._open(), text)

    def __str__(self) -> str:
        return self._string(lib.vapl_format, 0).rstrip("\n")

    def boxed(self) -> str:
        """As a session shows it, with boxes around nested items."""
        return self._string(lib.vapl_format, 1).rstrip("\n")

    def __repr__(self) -> str:
        return f"<vapl.Array of shape {self.shape}>"

    def items(self) -> List["Array"]:
        return [self.item(i) for i in range(self._view().count)]

    def python(self) -> Any:
        """Single numbers as int, float or complex; characters as str; other numbers as a NumPy array
        in place, read-only (without NumPy: a memoryview); nested vectors as lists."""
        view = self._view()
        if self._is_text() and view.rank < 2:
            return self._string(lib.vapl_utf8)
        if view.type == _lib.NAMESPACE:
            return self  # may be given to APL again
        if view.type == _lib.NESTED:
            return self._items_python(view)
        if view.rank == 0:
            return self._scalar(view.type)
        if numpy is not None:
            return numpy.asarray(self)
        return self.memoryview()

    def _scalar(self, kind: int) -> Any:
        if kind == _lib.C128:
            two = self._view(_lib.C128).data
            return complex(*(ctypes.c_double * 2).from_address(two))
        wanted = _lib.F64 if kind in (_lib.F32, _lib.F64) else _lib.I64
        number = _SCALAR[wanted]()
        with self._apl._lock:
            self._apl._check(lib.vapl_read(None, self._handle, wanted, byref(number),
                                           ctypes.sizeof(number)))
        return number.value

    def _items_python(self, view: _lib.View) -> Any:
        items = [a.python() for a in self.items()]
        if view.rank == 0:
            return [items[0]]
        if view.rank == 1 or numpy is None:
            return items
        table = numpy.empty(len(items), dtype=object)
        table[:] = items
        return table.reshape(view.shape[:view.rank])


# ── Python into APL ──

_dropping = {}  # what APL uses in place, by the number that its drop is called with
_frozen = {}    # NumPy arrays among it that are not to be written: how often, by id
_next = [1]


def _freeze(x: Any) -> None:
    times, original = _frozen.get(id(x), (0, x))
    if times or x.flags.writeable:
        x.flags.writeable = False
        _frozen[id(x)] = (times + 1, original)


def _thaw(x: Any) -> None:
    times, _ = _frozen.pop(id(x), (0, None))
    if times > 1:
        _frozen[id(x)] = (times - 1, x)
    elif times:
        x.flags.writeable = True


@_lib.Drop
def _drop(user: int, data: int) -> None:
    kept = _dropping.pop(user, None)
    if numpy is not None and isinstance(kept, numpy.ndarray):
        _thaw(kept)


def _shape(shape: Any) -> Any:
    return (c_int64 * max(1, len(shape)))(*shape)


def _make(apl: Any, kind: int, shape: Any, address: int, keep: Any = None) -> Array:
    """An array of the elements at an address; with `keep`, without a copy."""
    out = c_void_p()
    if keep is None:
        apl._check(lib.vapl_new(apl._open(), kind, len(shape), _shape(shape), address, byref(out)))
        return Array(apl, out.value)
    number = _next[0]
    _next[0] += 1
    _dropping[number] = keep
    status = lib.vapl_wrap(apl._open(), kind, len(shape), _shape(shape), address, _drop, number,
                           byref(out))
    if status:
        del _dropping[number]
    apl._check(status)
    if numpy is not None and isinstance(keep, numpy.ndarray):
        _freeze(keep)
    return Array(apl, out.value)


def _from_numpy(apl: Any, x: Any) -> Array:
    if x.dtype.kind == "O" or (x.dtype.kind == "U" and x.dtype.itemsize != 4):
        return nested(apl, x.shape, x.ravel().tolist())
    name = x.dtype.str[1:].replace("U1", "U4")
    name = _WIDER.get(name, name)
    if name == "u8" and (not x.size or x.max() < 2**63):
        name = "i8"
    if name not in _DTYPE:
        raise TypeError(f"APL has no elements of dtype {x.dtype}")
    kind = _DTYPE[name]
    right = numpy.dtype(name.replace("U4", "U1"))
    y = x if x.dtype == right and x.flags.c_contiguous and x.flags.aligned else \
        numpy.array(x, dtype=right, order="C")
    in_place = y.nbytes >= _SMALL and kind not in (_lib.BOOL, _lib.U8)
    return _make(apl, kind, y.shape, y.ctypes.data, y if in_place else None)


def _from_buffer(apl: Any, x: memoryview) -> Array:
    kind = _TYPE.get(x.format.lstrip("@<="))
    if kind is None or (x.format[0] == ">" and x.itemsize > 1):
        raise TypeError(f"APL has no elements of format {x.format}")
    if x.readonly or not x.c_contiguous or x.nbytes < _SMALL or kind in (_lib.BOOL, _lib.U8):
        copy = x.tobytes()
        return _make(apl, kind, x.shape, ctypes.cast(c_char_p(copy), c_void_p).value)
    held = (ctypes.c_char * x.nbytes).from_buffer(x.cast("B"))
    return _make(apl, kind, x.shape, ctypes.addressof(held), held)


def nested(apl: Any, shape: Any, items: List[Any]) -> Array:
    arrays = [into(apl, item) for item in items]
    handles = (c_void_p * max(1, len(arrays)))(*[a._handle for a in arrays])
    out = c_void_p()
    apl._check(lib.vapl_new_nested(apl._open(), len(shape), _shape(shape), handles, byref(out)))
    return Array(apl, out.value)


def _from_number(apl: Any, x: Any) -> Array:
    if isinstance(x, complex):
        data, kind = (ctypes.c_double * 2)(x.real, x.imag), _lib.C128
    elif isinstance(x, float):
        data, kind = ctypes.c_double(x), _lib.F64
    elif -2**63 <= x < 2**63:
        data, kind = c_int64(x), _lib.I64
    else:
        raise OverflowError("APL has no integers of more than 64 bits")
    return _make(apl, kind, (), ctypes.addressof(data))


def _from_list(apl: Any, x: Any) -> Array:
    real = all(isinstance(e, (int, float)) for e in x)
    if not x or not real:
        return nested(apl, (len(x),), list(x))
    whole = all(isinstance(e, int) for e in x)
    if whole and not all(-2**63 <= e < 2**63 for e in x):
        raise OverflowError("APL has no integers of more than 64 bits")
    data = ((c_int64 if whole else ctypes.c_double) * len(x))(*x)
    return _make(apl, _lib.I64 if whole else _lib.F64, (len(x),), ctypes.addressof(data))


def into(apl: Any, x: Any) -> Array:
    """What APL gets of a Python value."""
    if isinstance(x, Array):
        return x
    if isinstance(x, str):
        out, raw = c_void_p(), x.encode("utf-8")
        apl._check(lib.vapl_text(apl._open(), raw, len(raw), byref(out)))
        return Array(apl, out.value)
    if numpy is not None and isinstance(x, numpy.generic):
        x = x.item() if x.dtype.kind in "biufcU" else x
        return into(apl, x) if not isinstance(x, numpy.generic) else _from_numpy(apl, x)
    if isinstance(x, (int, float, complex)):
        return _from_number(apl, x)
    if isinstance(x, (list, tuple)):
        return _from_list(apl, x)
    if numpy is not None and isinstance(x, numpy.ndarray):
        return _from_numpy(apl, x)
    try:
        return _from_buffer(apl, memoryview(x))
    except TypeError:
        if numpy is not None and hasattr(x, "__dlpack__"):
            return _from_numpy(apl, numpy.from_dlpack(x))
        if numpy is not None and hasattr(x, "__array__"):
            return _from_numpy(apl, numpy.asarray(x))
        raise TypeError(f"APL has nothing like a {type(x).__name__}") from None
