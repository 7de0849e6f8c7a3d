# SPDX-License-Identifier: MIT
"""DLPack: the structures of dlpack.h and a capsule around them."""
import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint32, \
    c_uint64, c_void_p, py_object
from typing import Any, Optional, Tuple

from . import _lib

_CODE = {_lib.I8: (0, 8), _lib.I16: (0, 16), _lib.I32: (0, 32), _lib.I64: (0, 64),
         _lib.F32: (2, 32), _lib.F64: (2, 64), _lib.C128: (5, 128), _lib.BOOL: (1, 8)}


class Tensor(Structure):
    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32),
                ("ndim", c_int32), ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16),
                ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("byte_offset", c_uint64)]

    def name(self) -> str:
        """Of its type, as NumPy writes it: f8."""
        letter = {0: "i", 1: "u", 2: "f", 4: "V", 5: "c", 6: "b"}.get(self.code, "?")
        return letter + str(self.bits // 8) + (f"×{self.lanes}" if self.lanes != 1 else "")

    def extents(self) -> Tuple[int, ...]:
        return tuple(self.shape[:self.ndim])

    def steps(self) -> Optional[Tuple[int, ...]]:
        """In elements; None: they are dense."""
        return tuple(self.strides[:self.ndim]) if self.strides else None


Deleter = CFUNCTYPE(None, c_void_p)


class Managed(Structure):
    _fields_ = [("tensor", Tensor), ("context", c_void_p), ("deleter", Deleter)]


class Versioned(Structure):
    """The same since version 1, which has flags."""
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("context", c_void_p), ("deleter", Deleter),
                ("flags", c_uint64), ("tensor", Tensor)]


_READ_ONLY = 1  # a flag

CUDA = 2  # a kind of device


def is_on_cuda(x: Any) -> bool:
    """Is it an object whose elements are in CUDA's memory?"""
    if hasattr(x, "__dlpack_device__"):
        return bool(x.__dlpack_device__()[0] == CUDA)
    return hasattr(x, "__cuda_array_interface__")


_held: dict = {}  # address of the structure: all that it needs
_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_valid = ctypes.pythonapi.PyCapsule_IsValid
_valid.restype, _valid.argtypes = ctypes.c_int, [c_void_p, c_char_p]
_NAME, _NAME_1 = b"dltensor", b"dltensor_versioned"
_pointer = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_pointer_of = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


@Deleter
def _delete(managed: int) -> None:
    _held.pop(managed, None)


@CFUNCTYPE(None, c_void_p)
def _unused(capsule: int) -> None:
    """Nobody took it: a capsule that was taken has another name."""
    for name in _NAME, _NAME_1:
        if _valid(capsule, name):
            _held.pop(_pointer_of(capsule, name), None)


def capsule(keep: Any, kind: int, extents: Tuple[int, ...], address: Optional[int],
            device: Tuple[int, int] = (1, 0), most: Optional[Tuple[int, int]] = None) -> Any:
    """The elements at that address, which are there as long as `keep` lives. They must not be written, which DLPack
    says since version 1, if who asks knows that version: `most` is the last one that it knows."""
    if kind not in _CODE:
        raise BufferError("DLPack has numbers only")
    shape = (c_int64 * max(1, len(extents)))(*extents)
    code, bits = _CODE[kind]
    if kind == _lib.BOOL and device[0] != 1:
        code = 6  # older NumPy has none
    tensor = Tensor(address, *device, len(extents), code, bits, 1, shape, None, 0)
    new = most is not None and most[0] >= 1
    managed = Versioned(1, 0, None, _delete, _READ_ONLY, tensor) if new else Managed(tensor, None, _delete)
    _held[ctypes.addressof(managed)] = (keep, shape, managed)
    return _new(ctypes.addressof(managed), _NAME_1 if new else _NAME, ctypes.cast(_unused, c_void_p))


def tensor_in(capsule: Any) -> Tensor:
    """The tensor in a capsule that nobody has taken, which lives as long as the capsule."""
    return Tensor.from_address(_pointer(capsule, _NAME))
