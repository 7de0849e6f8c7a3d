# SPDX-License-Identifier: MIT
"""Arrays on an NVIDIA GPU, to PyTorch, CuPy and their like without a copy, and from them by a copy on the GPU.
vapl_cuda.h says what holds."""
import ctypes
from ctypes import POINTER, Structure, byref, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Optional, Tuple

from . import _lib
from ._lib import lib
from .dlpack import CUDA, capsule, tensor_in

_LEGACY = 1  # the stream that both protocols call 1


class View(Structure):
    _fields_ = [("size", c_size_t), ("type", c_int), ("rank", c_uint32), ("shape", POINTER(c_int64)),
                ("count", c_size_t), ("bytes", c_size_t), ("address", c_uint64), ("device", c_int),
                ("held", c_void_p)]


if not hasattr(lib, "vapl_cuda_map"):
    raise ImportError("this libvapl.so.0 was built without CUDA (runtime/api_cuda.c)")
lib.vapl_cuda_map.argtypes = [c_void_p, c_void_p, c_int, POINTER(View)]
lib.vapl_cuda_unmap.argtypes = [c_void_p]
lib.vapl_cuda_unmap.restype = None
lib.vapl_cuda_new.argtypes = [c_void_p, c_int, c_uint32, POINTER(c_int64), c_uint64, c_void_p, POINTER(c_void_p)]
lib.vapl_cuda_get.argtypes = [c_void_p, POINTER(c_int)]


class CudaArray:
    """The elements of an array on an NVIDIA GPU: torch.from_dlpack(a), cupy.from_dlpack(a), cupy.asarray(a), and
    what else reads DLPack or __cuda_array_interface__. They are there, complete and to be read only, as long as this
    object or anything made of it lives, be the array or its interpreter gone."""

    def __init__(self, array: Any):
        self._held: Optional[int] = None
        if array.nested or array._is_text():
            raise BufferError("CUDA's libraries have numbers only")
        view = View(size=ctypes.sizeof(View))
        array._apl._c(lib.vapl_cuda_map, None, array._handle, array._native_type(), byref(view))
        self._held, self._kind, self._address = view.held, view.type, view.address
        self.device: int = view.device  # as CUDA numbers it
        self.shape: Tuple[int, ...] = tuple(view.shape[:view.rank])

    def __del__(self, unmap: Any = lib.vapl_cuda_unmap) -> None:
        if self._held:
            unmap(self._held)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a scalar has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<vapl.CudaArray of shape {self.shape} on device {self.device}>"

    def __dlpack_device__(self) -> Tuple[int, int]:
        return (CUDA, self.device)

    def __dlpack__(self, *, stream: Any = None, max_version: Optional[Tuple[int, int]] = None,
                   dl_device: Any = None, copy: Any = None, **options: Any) -> Any:
        """No stream waits, for the elements are complete."""
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("the elements are on another device")
        if copy:
            raise BufferError("vapl copies nothing here: copy what you make of it")
        return capsule(self, self._kind, self.shape, self._address, (CUDA, self.device), max_version)

    @property
    def __cuda_array_interface__(self) -> dict:
        from .array import _NAME
        name = _NAME[self._kind]
        return {"version": 3, "shape": self.shape, "typestr": ("|" if name[1:] == "1" else "<") + name,
                "data": (self._address, True), "strides": None, "stream": None}


def number(apl: Any) -> int:
    """CUDA's number of the interpreter's device."""
    device = c_int()
    apl._in(lib.vapl_cuda_get, byref(device))
    return device.value


# By the letter and the size of an element: the type it is read as, and the function of APL that makes its value
# of that.
_TYPES = {"b1": (_lib.BOOL, ""), "i1": (_lib.I8, ""), "u1": (_lib.U8, ""), "i2": (_lib.I16, ""), "i4": (_lib.I32, ""),
          "i8": (_lib.I64, ""), "f4": (_lib.F32, ""), "f8": (_lib.F64, ""), "c16": (_lib.C128, ""),
          "u2": (_lib.I16, "65536∘|"), "u4": (_lib.I32, "4294967296∘|"), "u8": (_lib.I64, "")}
# What its library makes wider: by a method without arguments (PyTorch), or by astype.
_WIDER = {"f2": ("float", "f4"), "V2": ("float", "f4"), "c8": ("cdouble", "c16")}


class _Source:
    """Where an object's elements are, by either protocol."""

    def __init__(self, x: Any):
        self.keep: Any = None
        if hasattr(x, "__dlpack__"):
            self.keep = x.__dlpack__(stream=_LEGACY)
            tensor = tensor_in(self.keep)
            self.name, self.shape, strides = tensor.name(), tensor.extents(), tensor.steps()
            self.address, self.stream = (tensor.data or 0) + tensor.byte_offset, _LEGACY
        else:
            it = x.__cuda_array_interface__
            self.name, self.shape, self.address = it["typestr"][1:], tuple(it["shape"]), it["data"][0]
            size = int(self.name[1:])
            strides = it.get("strides")
            strides = strides and tuple(step // size if step % size == 0 else 0 for step in strides)
            self.stream = it.get("stream") or _LEGACY
        self.dense = strides is None or _is_dense(self.shape, strides)


def _is_dense(shape: Tuple[int, ...], strides: Tuple[int, ...]) -> bool:
    """In row-major order, one behind the other?"""
    step = 1
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent == 0:
            return True
        if extent != 1 and stride != step:
            return False
        step *= extent
    return True


def take(apl: Any, x: Any) -> Any:
    """An array of a copy of the elements, made on the GPU if vapl is on the same one."""
    source = _Source(x)
    if source.name in _WIDER:
        method, dtype = _WIDER[source.name]
        return take(apl, getattr(x, method)() if hasattr(x, method) else x.astype(dtype))
    if source.name not in _TYPES:
        raise TypeError(f"APL has no elements of type {source.name}")
    if not source.dense:
        y = x.contiguous() if hasattr(x, "contiguous") else x.copy()
        source = _Source(y)
        if not source.dense:
            raise TypeError("the elements are not in row-major order, and its copy's are not either")
    from .array import Array, _shape
    kind, change = _TYPES[source.name]
    out = c_void_p()
    apl._check(lib.vapl_cuda_new(apl._open(), kind, len(source.shape), _shape(source.shape), source.address,
                                 source.stream, byref(out)))
    a = Array(apl, out.value or 0)
    if source.name == "u8" and int(apl._apply("{∨/,0>⍵}", [a])):
        raise OverflowError("APL has no integers of more than 64 bits")
    return apl._apply(change, [a]) if change else a
