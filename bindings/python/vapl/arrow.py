# SPDX-License-Identifier: MIT
"""The Arrow C data interface: columns to and from DuckDB, Polars, pyarrow and their like, numbers where they lie.
vapl_arrow.h has the types."""
import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int64, c_void_p, py_object
from typing import Any, Dict, Tuple

from ._lib import lib


class Schema(Structure):
    _fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_void_p), ("flags", c_int64),
                ("n_children", c_int64), ("children", c_void_p), ("dictionary", c_void_p), ("release", c_void_p),
                ("private_data", c_void_p)]


class ArrayRecord(Structure):
    _fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
                ("n_children", c_int64), ("buffers", c_void_p), ("children", c_void_p), ("dictionary", c_void_p),
                ("release", c_void_p), ("private_data", c_void_p)]


class Stream(Structure):
    _fields_ = [("get_schema", c_void_p), ("get_next", c_void_p), ("get_last_error", c_void_p), ("release", c_void_p),
                ("private_data", c_void_p)]


Release = CFUNCTYPE(None, c_void_p)
_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [py_object, c_char_p]
_pointer_of = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_held = {}  # address of a structure: the structure, and the array that it is of
_SCHEMA, _ARRAY, _STREAM = b"arrow_schema", b"arrow_array", b"arrow_array_stream"


def _release(capsule: int, name: bytes) -> None:
    """The capsule goes: what nobody has taken is given back."""
    address = _pointer_of(capsule, name)
    record, array = _held.pop(address)
    if record.release:
        with array._apl._lock:
            Release(record.release)(address)


@ctypes.PYFUNCTYPE(None, c_void_p)
def _release_schema(capsule: int) -> None:
    _release(capsule, _SCHEMA)


@ctypes.PYFUNCTYPE(None, c_void_p)
def _release_array(capsule: int) -> None:
    _release(capsule, _ARRAY)


@ctypes.PYFUNCTYPE(None, c_void_p)
def _release_stream(capsule: int) -> None:
    _release(capsule, _STREAM)


def _capsule(record: Structure, array: Any, name: bytes, release: Any) -> Any:
    _held[ctypes.addressof(record)] = (record, array)
    return _new(ctypes.addressof(record), name, ctypes.cast(release, c_void_p))


def _capsules(schema: Schema, record: ArrayRecord, array: Any) -> Tuple[Any, Any]:
    return (_capsule(schema, array, _SCHEMA, _release_schema), _capsule(record, array, _ARRAY, _release_array))


def export(array: Any) -> Tuple[Any, Any]:
    """Two capsules, of the schema and of the array."""
    apl, schema, record = array._apl, Schema(), ArrayRecord()
    with apl._lock:
        apl._check(lib.vapl_arrow_export(apl._open(), array._handle, None, byref(schema), byref(record)))
    return _capsules(schema, record, array)


def stream(array: Any) -> Any:
    """The capsule of a stream of one array."""
    return _stream(array._apl, 1, None, (c_void_p * 1)(array._handle), array)


def _stream(apl: Any, n: int, names: Any, handles: Any, array: Any) -> Any:
    record = Stream()
    with apl._lock:
        apl._check(lib.vapl_arrow_export_stream(apl._open(), n, names, handles, byref(record)))
    return _capsule(record, array, _STREAM, _release_stream)


class Table:
    """Columns of one length under names, for whoever takes tables of Arrow's: duckdb.sql, polars.from_arrow,
    pyarrow.record_batch, pyarrow.table."""

    def __init__(self, apl: Any, columns: Any):
        self._apl = apl
        self.names = [str(name) for name in columns]
        self.columns = [apl.array(columns[name]) for name in columns]

    def _arrays(self) -> Tuple[int, Any, Any]:
        n = len(self.names)
        names = (c_char_p * max(1, n))(*[name.encode("utf-8") for name in self.names])
        return n, names, (c_void_p * max(1, n))(*[column._handle for column in self.columns])

    def __arrow_c_array__(self, requested_schema: Any = None) -> Tuple[Any, Any]:
        apl, schema, record = self._apl, Schema(), ArrayRecord()
        with apl._lock:
            apl._check(lib.vapl_arrow_export_table(apl._open(), *self._arrays(), byref(schema), byref(record)))
        return _capsules(schema, record, self)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _stream(self._apl, *self._arrays(), self)


def take(apl: Any, x: Any) -> Tuple[Any, Any]:
    """Handles of the values of an object of Arrow's, and of which are valid, or None."""
    values, valid = c_void_p(), c_void_p()
    if not hasattr(x, "__arrow_c_array__"):
        return _take_stream(apl, x, None)
    schema, array = x.__arrow_c_array__()
    with apl._lock:
        apl._check(lib.vapl_arrow_import(apl._open(), _pointer(schema, _SCHEMA), _pointer(array, _ARRAY),
                                         byref(values), byref(valid)))
    return values.value, valid.value


def _take_stream(apl: Any, x: Any, schema: Any) -> Tuple[Any, Any]:
    values, valid, capsule = c_void_p(), c_void_p(), x.__arrow_c_stream__()
    with apl._lock:
        apl._check(lib.vapl_arrow_import_stream(apl._open(), _pointer(capsule, _STREAM), schema, byref(values),
                                                byref(valid)))
    return values.value, valid.value


def columns(apl: Any, x: Any) -> Dict[str, Any]:
    """The columns of a table that has __arrow_c_stream__ (pandas, Polars, DuckDB, pyarrow), by their names."""
    from .array import _joined
    schema = Schema()
    joined = _joined(apl, *_take_stream(apl, x, byref(schema)))
    try:
        children = ctypes.cast(schema.children, POINTER(POINTER(Schema)))
        names = [children[i].contents.name.decode("utf-8") for i in range(schema.n_children)]
    finally:
        Release(schema.release)(ctypes.addressof(schema))
    if schema.format != b"+s":
        raise TypeError("a stream of Arrow's that is one column has no names")
    return dict(zip(names, joined.items()))


lib.vapl_arrow_export.argtypes = [c_void_p, c_void_p, c_char_p, POINTER(Schema), POINTER(ArrayRecord)]
lib.vapl_arrow_export_table.argtypes = [c_void_p, ctypes.c_size_t, POINTER(c_char_p), POINTER(c_void_p),
                                        POINTER(Schema), POINTER(ArrayRecord)]
lib.vapl_arrow_import.argtypes = [c_void_p, c_void_p, c_void_p, POINTER(c_void_p), POINTER(c_void_p)]
lib.vapl_arrow_export_stream.argtypes = [c_void_p, ctypes.c_size_t, c_void_p, POINTER(c_void_p), POINTER(Stream)]
lib.vapl_arrow_import_stream.argtypes = [c_void_p, c_void_p, c_void_p, POINTER(c_void_p), POINTER(c_void_p)]
