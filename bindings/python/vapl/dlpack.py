# SPDX-License-Identifier: MIT
"""DLPack of arrays on the host: the structures of dlpack.h and a capsule around them."""
import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int32, c_int64, c_uint8, c_uint16, \
    c_uint64, c_void_p, py_object
from typing import Any

from . import _lib

_CODE = {_lib.I8: (0, 8), _lib.I16: (0, 16), _lib.I32: (0, 32), _lib.I64: (0, 64),
         _lib.F32: (2, 32), _lib.F64: (2, 64), _lib.C128: (5, 128), _lib.BOOL: (1, 8)}


class Tensor(Structure):
    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32),
                ("ndim", c_int32), ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16),
                ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("byte_offset", c_uint64)]


class Managed(Structure):
    pass


Deleter = CFUNCTYPE(None, POINTER(Managed))
Managed._fields_ = [("tensor", Tensor), ("context", c_void_p), ("deleter", Deleter)]

_held: dict = {}  # address of the structure: all that it needs
_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_valid = ctypes.pythonapi.PyCapsule_IsValid
_valid.restype, _valid.argtypes = ctypes.c_int, [c_void_p, c_char_p]
_NAME = b"dltensor"


@Deleter
def _delete(managed: Any) -> None:
    _held.pop(ctypes.addressof(managed.contents), None)


@CFUNCTYPE(None, c_void_p)
def _unused(capsule: int) -> None:
    """Nobody took it: a capsule that was taken has another name."""
    if _valid(capsule, _NAME):
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = c_void_p, [c_void_p, c_char_p]
        _held.pop(get(capsule, _NAME), None)


def capsule(array: Any, view: _lib.View) -> Any:
    """The elements of an array that are shown by `view`, where they are. They must not be written:
    DLPack of version 0 cannot say so."""
    if view.type not in _CODE:
        raise BufferError("DLPack has numbers only")
    shape = (c_int64 * max(1, view.rank))(*view.shape[:view.rank])
    code, bits = _CODE[view.type]
    tensor = Tensor(view.data, 1, 0, view.rank, code, bits, 1, shape, None, 0)
    managed = Managed(tensor, None, _delete)
    _held[ctypes.addressof(managed)] = (array, shape, managed)
    return _new(ctypes.addressof(managed), _NAME, ctypes.cast(_unused, c_void_p))
