# SPDX-License-Identifier: MIT
"""libvapl.so.0 through ctypes: where it is, and vapl.h as structures and signatures."""
import ctypes
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_int64, c_size_t, c_ssize_t,
                    c_uint32, c_uint64, c_void_p)
from pathlib import Path

Write = CFUNCTYPE(None, c_void_p, c_int, c_void_p, c_size_t)
Read = CFUNCTYPE(c_ssize_t, c_void_p, c_int, c_char_p, c_void_p, c_size_t)
Log = CFUNCTYPE(None, c_void_p, c_char_p)
Drop = CFUNCTYPE(None, c_void_p, c_void_p)
Function = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p, POINTER(c_void_p))
DropFunction = CFUNCTYPE(None, c_void_p)
EachName = CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)


class Config(Structure):
    _fields_ = [("size", c_size_t), ("device", c_char_p), ("cache_dir", c_char_p),
                ("resize", c_void_p), ("write", Write), ("read", Read), ("log", Log),
                ("user", c_void_p), ("threads", c_int), ("max_host_bytes", c_uint64),
                ("max_device_bytes", c_uint64), ("max_depth", c_uint32), ("may", c_uint32),
                ("max_steps", c_uint64), ("max_seconds", c_double), ("folders", c_void_p), ("comm", c_void_p)]


class FrameRecord(Structure):
    _fields_ = [("file", c_char_p), ("source", c_char_p), ("line", c_int), ("column", c_int),
                ("length", c_int), ("times", c_size_t)]


class ErrorRecord(Structure):
    _fields_ = [("size", c_size_t), ("status", c_int), ("name", c_char_p), ("message", c_char_p),
                ("file", c_char_p), ("source", c_char_p), ("line", c_int), ("column", c_int),
                ("length", c_int), ("byte_offset", c_size_t), ("byte_length", c_size_t),
                ("frames", POINTER(FrameRecord)), ("n_frames", c_size_t),
                ("frames_hidden", c_size_t)]


class View(Structure):
    _fields_ = [("size", c_size_t), ("type", c_int), ("shy", c_int), ("rank", c_uint32),
                ("shape", POINTER(c_int64)), ("count", c_size_t), ("bytes", c_size_t),
                ("data", c_void_p)]

    def __init__(self):
        super().__init__(size=ctypes.sizeof(View))


OK, WS_FULL, SYNTAX, LIMIT, DOMAIN, INTERRUPT, EARG, RANKS = 0, 1, 2, 10, 11, 1003, 2003, 2004
STRLEN = c_size_t(-1).value
BIT, BOOL, I8, U8, I16, I32, I64, F32, F64, C128, CHAR8, CHAR16, CHAR32, NESTED, NAMESPACE = range(15)
AS_IT_IS = 99

_A, _OUT, _SHAPE = c_void_p, POINTER(c_void_p), POINTER(c_int64)
_SIGNATURES = {
    "version": (c_uint32, []),
    "open": (c_int, [POINTER(Config), _OUT]),
    "close": (None, [c_void_p]),
    "last_error": (POINTER(ErrorRecord), [c_void_p]),
    "eval": (c_int, [c_void_p, c_char_p, c_size_t, c_char_p, _OUT]),
    "session": (c_int, [c_void_p, c_char_p, c_size_t, c_char_p]),
    "names": (c_int, [c_void_p, EachName, c_void_p]),
    "run_file": (c_int, [c_void_p, c_char_p, c_int, POINTER(c_char_p)]),
    "call": (c_int, [c_void_p, c_char_p, _A, _A, _OUT]),
    "interrupt": (None, [c_void_p]),
    "progress": (ctypes.c_double, [c_void_p]),
    "ended": (c_int, [c_void_p, POINTER(c_int)]),
    "def": (c_int, [c_void_p, c_char_p, Function, c_void_p, DropFunction]),
    "fail": (c_int, [c_void_p, c_int, c_char_p]),
    "get": (c_int, [c_void_p, c_char_p, _OUT]),
    "set": (c_int, [c_void_p, c_char_p, _A]),
    "new": (c_int, [c_void_p, c_int, c_uint32, _SHAPE, c_void_p, _OUT]),
    "wrap": (c_int, [c_void_p, c_int, c_uint32, _SHAPE, c_void_p, Drop, c_void_p, _OUT]),
    "new_nested": (c_int, [c_void_p, c_uint32, _SHAPE, POINTER(c_void_p), _OUT]),
    "text": (c_int, [c_void_p, c_char_p, c_size_t, _OUT]),
    "retain": (c_void_p, [_A]),
    "release": (None, [_A]),
    "info": (c_int, [_A, POINTER(View)]),
    "map": (c_int, [c_void_p, _A, c_int, POINTER(View)]),
    "read": (c_int, [c_void_p, _A, c_int, c_void_p, c_size_t]),
    "item": (c_int, [c_void_p, _A, c_size_t, _OUT]),
    "utf8": (c_int, [c_void_p, _A, _OUT, POINTER(c_size_t)]),
    "format": (c_int, [c_void_p, _A, c_int, _OUT, POINTER(c_size_t)]),
    "cut": (c_int, [c_void_p, c_uint32, _SHAPE, POINTER(c_int64), POINTER(c_int64)]),
    "part": (c_int, [c_void_p, _A, POINTER(c_int64), _OUT]),
    "from_part": (c_int, [c_void_p, c_uint32, _SHAPE, _A, _OUT]),
    "stats": (c_int, [c_void_p, _OUT, POINTER(c_size_t)]),
    "free": (None, [c_void_p, c_void_p]),
}


def places():
    """The library asked for; else that of the checkout; else an installed one."""
    if os.environ.get("VAPL_LIBRARY"):
        yield os.environ["VAPL_LIBRARY"]
        return
    within = Path(__file__).resolve().parent / "libvapl.so.0"  # of a wheel
    if within.exists():
        yield str(within)
        return
    roots = [Path(__file__).resolve().parents[3]]
    try:
        from ._source import ROOT  # type: ignore[import]
        roots.append(Path(ROOT))
    except ImportError:
        pass
    for root in roots:
        if (root / "runtime" / "vapl.h").exists():
            yield str(root / "build" / "release" / "libvapl.so.0")
    yield "libvapl.so.0"
    yield "/usr/local/lib/libvapl.so.0"


def _load():
    tried = []
    for name in places():
        try:
            library = ctypes.CDLL(name)
            for short, (result, arguments) in _SIGNATURES.items():
                function = getattr(library, "vapl_" + short)
                function.restype, function.argtypes = result, arguments
            return library
        except (OSError, AttributeError) as why:  # not there; older than this
            tried.append(str(why))
    raise ImportError("libvapl.so.0 was not found: run `make` in the checkout, `make install`, or "
                      "set VAPL_LIBRARY to its path\n  " + "\n  ".join(tried))


lib = _load()
