# SPDX-License-Identifier: MIT
"""Arrays: handles of vapl's, and what becomes what between Python and APL."""
import ctypes
import operator
import sys
from collections.abc import Mapping, Sequence
from ctypes import byref, c_char_p, c_int64, c_size_t, c_void_p
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple

from . import _lib
from ._lib import lib
from .dlpack import is_on_cuda

if TYPE_CHECKING:
    from .cuda import CudaArray

try:
    import numpy
except ImportError:  # lists and memoryviews then
    numpy = None  # type: ignore[assignment]

# Codes of the buffer protocol, without NumPy and for it, by type of vapl's.
_CODE = {_lib.BOOL: "?", _lib.I8: "b", _lib.U8: "B", _lib.I16: "h", _lib.I32: "i", _lib.I64: "q",
         _lib.F32: "f", _lib.F64: "d"}
# The same by kind and size, for C's long has four bytes or eight.
_KIND = {**dict.fromkeys("bhilqn", "i"), **dict.fromkeys("BHILQN", "u"), "?": "b", "f": "f", "d": "f"}
_DTYPE = {"b1": _lib.BOOL, "i1": _lib.I8, "u1": _lib.U8, "i2": _lib.I16, "i4": _lib.I32,
          "i8": _lib.I64, "f4": _lib.F32, "f8": _lib.F64, "c16": _lib.C128, "U4": _lib.CHAR32}
_NAME = {kind: name for name, kind in _DTYPE.items()}
_WIDER = {"u2": "i4", "u4": "i8", "f2": "f4", "c8": "c16"}
_SMALL = 4096  # bytes: below, a copy is cheaper than watching over the original

_SCALAR: Dict[int, Any] = {_lib.I64: ctypes.c_int64, _lib.F64: ctypes.c_double}
_NARROW = (_lib.BIT, _lib.BOOL, _lib.I8, _lib.U8, _lib.I16, _lib.I32)


class Array:
    """An array of APL. Immutable; belongs to its interpreter; NumPy reads it in place
    (np.asarray, np.from_dlpack), memoryview(a) from Python 3.12 on, and a.memoryview() ever: integers
    as int64, or, if it is `narrow`, as they are stored. It compares as what python() gives does."""

    def __init__(self, apl: Any, handle: int, narrow: Optional[bool] = None):
        self._apl, self._handle = apl, handle
        self._known: Optional[_lib.View] = None
        self.narrow = apl.narrow if narrow is None else narrow

    def __del__(self) -> None:
        if self._handle:
            self._apl._release(self._handle)
            self._handle = 0

    def _view(self, kind: int = -1) -> _lib.View:
        """Type and shape; with a kind, the elements as that."""
        if kind < 0 and self._known:
            return self._known
        view = _lib.View()
        if kind < 0:
            self._apl._c(lib.vapl_info, self._handle, byref(view))
            self._known = view
        else:
            self._apl._c(lib.vapl_map, None, self._handle, kind, byref(view))
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

    # ── a single element as a number of Python's ──

    def _number(self) -> Any:
        if self._view().count != 1 or self.nested or self._is_text():
            raise TypeError("only an array of one number is a number")
        return self._scalar(self._view().type)

    def __bool__(self) -> bool:
        if self._is_text():
            return self._view().count > 0
        if self._view().count != 1 or self.nested:
            raise ValueError("only an array of one number, or a text, is true or false")
        return bool(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __float__(self) -> float:
        return float(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def __index__(self) -> int:
        return operator.index(self._number())

    def __iter__(self) -> Iterator[Any]:
        return iter(self.python())

    def __eq__(self, other: Any) -> Any:
        return self.python() == (other.python() if isinstance(other, Array) else other)

    __hash__ = None  # type: ignore

    def __reduce__(self) -> Any:
        raise TypeError("an array of APL's belongs to its interpreter: pickle what its python() gives")

    # ── its elements ──

    def item(self, i: int) -> "Array":
        """Element i of the ravel, from 0, as an array of its own."""
        out = c_void_p()
        self._apl._c(lib.vapl_item, None, self._handle, operator.index(i), byref(out))
        return made(self._apl, out.value or 0, self.narrow)

    def _native_type(self) -> int:
        kind = self._view().type
        if kind in _NARROW and not self.narrow:
            return _lib.I64
        return _lib.BOOL if kind == _lib.BIT else _lib.AS_IT_IS

    def _native(self) -> _lib.View:
        return self._view(self._native_type())

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

    def __buffer__(self, flags: int) -> Any:  # Python 3.12
        return self.memoryview()

    @property
    def __array_interface__(self) -> dict:
        if self._view().type in (_lib.NESTED, _lib.NAMESPACE):
            raise AttributeError("a nested array has no elements in a row")  # so __array__ is asked
        view = self._view(_lib.CHAR32) if self._is_text() else self._native()
        name = _NAME[view.type].replace("U4", "U1")
        order = "<" if sys.byteorder == "little" else ">"
        return {"version": 3, "shape": tuple(view.shape[:view.rank]),
                "typestr": (order if name[0] in "ifcU" else "|") + name,
                "data": (view.data or 0, True)}

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """Of nested arrays, which are not read in place: an array of objects."""
        return numpy.array(self._objects(), dtype=dtype)

    def __dlpack_device__(self) -> Tuple[int, int]:
        return (1, 0)  # memory of the host

    def __dlpack__(self, *, dl_device: Optional[Tuple[int, int]] = None,
                   max_version: Optional[Tuple[int, int]] = None, **options: Any) -> Any:
        """On the host, unless a device of CUDA's is asked for."""
        from .dlpack import capsule
        if dl_device is not None and dl_device[0] != 1:
            return self.cuda().__dlpack__(dl_device=dl_device, max_version=max_version, **options)
        view = self._native()
        return capsule(self, view.type, tuple(view.shape[:view.rank]), view.data, most=max_version)

    def cuda(self) -> "CudaArray":
        """Its elements on an NVIDIA GPU for CUDA libraries, without a copy unless they become another
        type: torch.from_dlpack(a.cuda()), cupy.asarray(a.cuda()). To be read only."""
        from .cuda import CudaArray
        return CudaArray(self)

    def __arrow_c_array__(self, requested_schema: Any = None) -> Tuple[Any, Any]:
        """A vector as a column of Arrow's: numbers where they lie."""
        from .arrow import export
        return export(self)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The same as a stream of one array."""
        from .arrow import stream
        return stream(self)

    def _is_text(self) -> bool:
        return self._view().type in (_lib.CHAR8, _lib.CHAR16, _lib.CHAR32)

    def _string(self, function: Any, *more: Any) -> str:
        text, n, apl = c_void_p(), c_size_t(), self._apl
        with apl._lock:
            apl._in(function, self._handle, *more, byref(text), byref(n))
            try:
                return ctypes.string_at(text.value or 0, n.value).decode("utf-8")
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
        in place, read-only (without NumPy: a memoryview), of int64 if they are integers and not
        `narrow`; nested vectors as lists; namespaces as mappings."""
        view = self._view()
        if self._is_text() and view.rank < 2:
            return self._string(lib.vapl_utf8)
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
        self._apl._c(lib.vapl_read, None, self._handle, wanted, byref(number), ctypes.sizeof(number))
        return number.value

    def _items_python(self, view: _lib.View) -> Any:
        if view.rank > 1 and numpy is not None:
            return self._objects()
        return [a.python() for a in self.items()]

    def _objects(self) -> Any:
        view = self._view()
        table = numpy.empty(view.count, dtype=object)
        for i, a in enumerate(self.items()):
            table[i] = a.python()
        return table.reshape(view.shape[:view.rank])


def made(apl: Any, handle: int, narrow: Optional[bool] = None) -> Array:
    """The array of a handle, whose reference goes over; a namespace as one."""
    a = Array(apl, handle, narrow)
    if a._view().type != _lib.NAMESPACE:
        return a
    from .namespace import Namespace
    return Namespace(apl, lib.vapl_retain(handle), narrow)


# ── Python into APL ──

_dropping: dict = {}  # what APL uses in place, by the number that its drop is called with
_frozen: dict = {}    # NumPy arrays among it that are not to be written: how often, by id
_waiting: list = []   # those that may be written again when what they show may
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
        _waiting.insert(0, x)
        _waiting[:] = [y for y in _waiting if not _made_writeable(y)]


def _made_writeable(x: Any) -> bool:
    """Not a view, while the array that it shows is frozen, too."""
    if id(x) in _frozen:  # again; that will end as this does
        return True
    try:
        x.flags.writeable = True
        return True
    except ValueError:
        return False


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
        return Array(apl, out.value or 0)
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
    return Array(apl, out.value or 0)


def _is_strings(x: Any) -> bool:
    """Of any length; those of one character each are characters."""
    return x.dtype.kind == "U" and (x.dtype.itemsize > 4 or (x == "").any())


def _from_numpy(apl: Any, x: Any, may_stay: bool = False) -> Array:
    """`may_stay`: it is used where it lies, and frozen."""
    if isinstance(x, numpy.ma.MaskedArray):
        raise TypeError("APL has no masked elements: give x.filled(value) or x.compressed()")
    if x.dtype.kind == "O" or _is_strings(x):
        return nested(apl, x.shape, x.ravel().tolist())
    name = x.dtype.str[1:].replace("U1", "U4")
    name = _WIDER.get(name, name)
    if name == "u8":
        if x.size and x.max() >= 2**63:
            raise OverflowError("APL has no integers of more than 64 bits")
        name = "i8"
    if name not in _DTYPE:
        raise TypeError(f"APL has no elements of dtype {x.dtype}")
    kind = _DTYPE[name]
    right = numpy.dtype(name.replace("U4", "U1"))
    y = x if x.dtype == right and x.flags.c_contiguous and x.flags.aligned else \
        numpy.array(x, dtype=right, order="C")
    in_place = y.nbytes >= _SMALL and kind not in (_lib.BOOL, _lib.U8) and (may_stay or y is not x)
    return _make(apl, kind, y.shape, y.ctypes.data, y if in_place else None)


def _from_buffer(apl: Any, x: memoryview) -> Array:
    """A copy, for nothing keeps others from writing to it."""
    code = _KIND.get(x.format.lstrip("@<=" if sys.byteorder == "little" else "@>="), "")
    name = code + str(x.itemsize)
    if not code or (name not in _DTYPE and code != "u"):
        raise TypeError(f"APL has no elements of format {x.format}")
    copy = x.tobytes()
    if name in ("u2", "u4", "u8"):
        whole = _from_list(apl, memoryview(copy).cast({2: "H", 4: "I", 8: "Q"}[x.itemsize]).tolist())
        return whole if x.ndim == 1 else apl._apply("{⍺⍴⍵}", [list(x.shape or ()), whole])
    return _make(apl, _DTYPE[name], x.shape, ctypes.cast(c_char_p(copy), c_void_p).value or 0)


def nested(apl: Any, shape: Any, items: List[Any]) -> Array:
    arrays = [into(apl, item) for item in items]
    handles = (c_void_p * max(1, len(arrays)))(*[a._handle for a in arrays])
    out = c_void_p()
    apl._check(lib.vapl_new_nested(apl._open(), len(shape), _shape(shape), handles, byref(out)))
    return Array(apl, out.value or 0)


def _from_number(apl: Any, x: Any) -> Array:
    data: Any
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
    kind: Any = c_int64 if whole else ctypes.c_double
    data = (kind * len(x))(*x)
    return _make(apl, _lib.I64 if whole else _lib.F64, (len(x),), ctypes.addressof(data))


def broadcast(values: List[Any]) -> List[Any]:
    """Arrays and sequences of numbers among values of one shape, as NumPy broadcasts them; single
    numbers, texts and what else there is stay as they are."""
    if numpy is None:
        return values
    arrays = {}
    for i, x in enumerate(values):
        if isinstance(x, (str, Mapping)) or (isinstance(x, Array) and (x.nested or x._is_text())):
            continue
        y = numpy.asarray(x)
        if y.ndim and y.dtype.kind in "biufc":
            arrays[i] = y
    if len({y.shape for y in arrays.values()}) > 1:
        for i, y in zip(arrays, numpy.broadcast_arrays(*arrays.values())):
            values[i] = y
    return values


def _from_mapping(apl: Any, x: Any) -> Array:
    for name in x:
        if not isinstance(name, str):
            raise TypeError(f"the names in a namespace are str, not {type(name).__name__}")
    if not x:
        return apl._apply("{⎕NS ⍬}", [0])
    pairs = nested(apl, (len(x),), list(x.items()))
    return apl._apply("{r←⎕NS ⍬ ⋄ _←r ⎕VSET ⍵ ⋄ r}", [pairs])


_NULLS = "{0=≢⍵:⍺ ⋄ r←⍺ ⋄ r[⍸~⍵]←⎕NULL ⋄ r}"


def _from_arrow(apl: Any, x: Any) -> Array:
    """A column, or a vector of a table's columns; ⎕NULL where one is null."""
    from .arrow import take
    return _joined(apl, *take(apl, x))


def _joined(apl: Any, values: int, valid: Optional[int]) -> Array:
    array = Array(apl, values)
    if valid is None:
        return array
    is_table = array._view().type == _lib.NESTED and Array(apl, lib.vapl_retain(valid))._view().type == _lib.NESTED
    return apl._apply(_NULLS.join("()") + "¨" if is_table else _NULLS, [array, Array(apl, valid)])


def _from_other(apl: Any, x: Any) -> Array:
    """Of what shows its elements by a protocol. Only what NumPy owns can be frozen."""
    if is_on_cuda(x):
        from .cuda import take
        return take(apl, x)
    try:
        return _from_buffer(apl, memoryview(x))
    except TypeError:
        if hasattr(x, "__arrow_c_array__") or hasattr(x, "__arrow_c_stream__"):
            return _from_arrow(apl, x)
        if numpy is not None and hasattr(x, "__dlpack__"):
            return _from_numpy(apl, numpy.from_dlpack(x), may_stay=True)
        if numpy is not None and (hasattr(x, "__array__") or isinstance(x, memoryview)):
            return _from_numpy(apl, numpy.asanyarray(x))
        if isinstance(x, Sequence) and not isinstance(x, memoryview):
            return _from_list(apl, list(x))
        raise TypeError(f"APL has nothing like a {type(x).__name__}") from None


def into(apl: Any, x: Any) -> Array:
    """What APL gets of a Python value."""
    if isinstance(x, Array):
        return x
    if isinstance(x, str):
        out, raw = c_void_p(), x.encode("utf-8")
        apl._check(lib.vapl_text(apl._open(), raw, len(raw), byref(out)))
        return Array(apl, out.value or 0)
    if numpy is not None and isinstance(x, numpy.generic):
        x = x.item() if x.dtype.kind in "biufcU" else x
        return into(apl, x) if not isinstance(x, numpy.generic) else _from_numpy(apl, x)
    if isinstance(x, (int, float, complex)):
        return _from_number(apl, x)
    if numpy is not None and isinstance(x, numpy.ndarray):
        return _from_numpy(apl, x, may_stay=True)
    if isinstance(x, Mapping):
        return _from_mapping(apl, x)
    if isinstance(x, (list, tuple)):
        return _from_list(apl, x)
    return _from_other(apl, x)
