# SPDX-License-Identifier: MIT
"""The interpreter: texts run, functions called both ways, names, interruption."""
import ctypes
import itertools
import os
import signal
import sys
import threading
from collections import deque
from ctypes import byref, c_char_p, c_int, c_size_t, c_void_p
from typing import Any, Callable, Iterable, List, Optional, Tuple

from . import _lib, errors
from ._lib import lib
from .array import Array, into

_MAY = {"read": 1, "write": 2, "run": 4, "env": 8}


class Function:
    """A function of APL as one of Python: f(⍵) or f(⍺, ⍵)."""

    def __init__(self, apl: "Apl", text: str):
        self._apl, self.text = apl, text

    def __call__(self, *args: Any) -> Any:
        return self._apl._python(self._apl._apply(self.text, args))

    def __repr__(self) -> str:
        return f"<vapl.Function {self.text}>"


class _Wakeups:
    """Ctrl-C while C runs: Python notes the signal, but acts on it only when C has returned. The
    number of the signal is written to a pipe at once, though; a thread that reads it interrupts
    what runs."""

    def __init__(self) -> None:
        self.apl: Optional["Apl"] = None
        self.ends: Any = None
        self.process = 0

    def _listen(self, end: int) -> None:
        while True:
            got = os.read(end, 64)
            if not got:
                return
            apl = self.apl
            if apl is not None and signal.SIGINT in got:
                apl.interrupt()

    def begin(self, apl: "Apl") -> Optional[int]:
        """The wakeup descriptor that was in force; None where there is nothing to do."""
        if self.apl is not None or threading.current_thread() is not threading.main_thread():
            return None
        if self.process != os.getpid():
            self.ends = os.pipe()
            os.set_blocking(self.ends[1], False)
            self.process = os.getpid()
            threading.Thread(target=self._listen, args=(self.ends[0],), daemon=True).start()
        self.apl = apl
        return signal.set_wakeup_fd(self.ends[1], warn_on_full_buffer=False)

    def end(self, was: Optional[int]) -> None:
        if was is not None:
            signal.set_wakeup_fd(was)
            self.apl = None


_wakeups = _Wakeups()

# Python functions that APL calls, by the number that it gives back.
_defined: dict = {}
_numbers = itertools.count(1)


@_lib.Function
def _called(user: int, v: int, left: Optional[int], right: int, result: Any) -> int:
    apl, function = _defined[user]
    try:
        args = [Array(apl, lib.vapl_retain(a)).python() for a in (left, right) if a]
        value = function(*args)
        if value is not None:
            given = into(apl, value)
            result[0] = lib.vapl_retain(given._handle)
        return _lib.OK
    except BaseException as why:  # nothing may leave a function that C calls
        apl._raised = why
        status, message = _lib.DOMAIN, f"{type(why).__name__}: {why}"
        if isinstance(why, errors.AplError):
            status, message = why.status, why.message
        for kind, its in ((KeyboardInterrupt, _lib.INTERRUPT), (MemoryError, _lib.WS_FULL),
                          (RecursionError, _lib.LIMIT)):
            if isinstance(why, kind):
                status = its
        return lib.vapl_fail(v, status, message.encode("utf-8", "replace"))


@_lib.DropFunction
def _dropped(user: int) -> None:
    _defined.pop(user, None)


class Apl:
    """An interpreter with its workspace. `device`: None (the best there is, or the host, as each
    expression needs), "host", or part of a device's name. `may`: what programs may do outside, of
    "read", "write", "run", "env"; nothing unless it is said. `write` takes what ⎕← says (None:
    sys.stdout), `read` gives a line for ⍞ and ⎕, or None at the end. One thread at a time runs
    in it, others wait; `interrupt` may come from any."""

    def __init__(self, device: Optional[str] = None, *, may: Iterable[str] = (),
                 write: Optional[Callable[[str], Any]] = None,
                 read: Optional[Callable[[str], Optional[str]]] = None,
                 cache_dir: Optional[str] = None, threads: int = 0, **limits: float):
        self._handle: Optional[int] = None
        self._lock = threading.RLock()
        self._later: Any = deque()
        self._raised: Optional[BaseException] = None
        self._write, self._read = write, read
        config = _lib.Config(size=ctypes.sizeof(_lib.Config))
        config.device = device.encode() if device else None
        config.cache_dir = os.fsencode(cache_dir) if cache_dir else None
        config.threads = threads
        config.may = sum(_MAY[word] for word in set(may))
        for name, most in limits.items():
            if not name.startswith("max_") or not hasattr(config, name):
                raise TypeError(f"there is no option {name}")
            setattr(config, name, most)
        self._callbacks = (_lib.Write(self._on_write), _lib.Read(self._on_read),
                           _lib.Log(self._on_log))
        config.write, config.read, config.log = self._callbacks
        self._log: List[str] = []
        out = c_void_p()
        status = lib.vapl_open(byref(config), byref(out))
        if status:
            raise errors.AplError(status, "the interpreter was not opened", "; ".join(self._log))
        self._handle = out.value

    # ── life ──

    def close(self) -> None:
        """Arrays that are still held stay readable."""
        with self._lock:
            handle, self._handle = self._handle, None
            if handle:
                lib.vapl_close(handle)

    def __enter__(self) -> "Apl":
        return self

    def __exit__(self, *exc: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()

    def _open(self) -> int:
        if not self._handle:
            raise errors.last(0)
        while self._later:
            lib.vapl_release(self._later.popleft())
        return self._handle

    def _release(self, handle: int) -> None:
        """Of an array; the garbage collector may call it on any thread."""
        if self._lock.acquire(blocking=False):
            lib.vapl_release(handle)
            self._lock.release()
        else:
            self._later.append(handle)

    def _check(self, status: int) -> None:
        if status:
            raise errors.last(self._handle or 0)

    # ── what the interpreter asks for ──

    def _on_write(self, user: int, fd: int, text: int, n: int) -> None:
        said = ctypes.string_at(text, n).decode("utf-8", "replace")
        if self._write is not None:
            self._write(said)
        else:
            (sys.stderr if fd == 2 else sys.stdout).write(said)

    def _on_read(self, user: int, mode: int, prompt: Optional[bytes], to: int, n: int) -> int:
        try:
            line = self._read((prompt or b"").decode()) if self._read else None
        except BaseException as why:  # ctypes would drop it
            self._raised, line = why, None
            if isinstance(why, KeyboardInterrupt):
                self.interrupt()
        if line is None:
            return -1
        raw = line.rstrip("\n").encode("utf-8")
        ctypes.memmove(to, raw, min(n, len(raw)))
        return len(raw)

    def _on_log(self, user: int, text: bytes) -> None:
        self._log.append(text.decode("utf-8", "replace"))
        del self._log[:-100]

    # ── running ──

    def _run(self, function: Any, *args: Any) -> Optional[Array]:
        """A call that evaluates; its result is what its last parameter points to."""
        out = c_void_p()
        self._stopped_by_ctrl_c(function, *args, byref(out))
        return Array(self, out.value) if out.value else None

    def _stopped_by_ctrl_c(self, function: Any, *args: Any) -> None:
        with self._lock:
            handle = self._open()
            was = _wakeups.begin(self)
            try:
                status = function(handle, *args)
            except KeyboardInterrupt as why:  # Python's own, which comes as soon as C returns
                e = errors.last(handle)
                raise (e if isinstance(e, errors.Interrupted) else why) from None
            finally:
                _wakeups.end(was)
            raised, self._raised = self._raised, None
            if status:
                raise errors.last(handle) from raised

    def _apply(self, function: str, args: Any) -> Optional[Array]:
        if not 1 <= len(args) <= 2:
            raise TypeError("a function of APL takes one argument or two")
        with self._lock:
            arrays = [into(self, x) for x in args]
            left = arrays[0]._handle if len(arrays) == 2 else None
            return self._run(lib.vapl_call, function.encode("utf-8"), left, arrays[-1]._handle)

    @staticmethod
    def _python(a: Optional[Array]) -> Any:
        return None if a is None else a.python()

    def raw(self, text: str, *args: Any, name: Optional[str] = None) -> Optional[Array]:
        """As a call of the interpreter, but the result stays an array of APL's."""
        if args:
            return self._apply("{" + text + "}", args)
        raw = text.encode("utf-8")
        return self._run(lib.vapl_eval, raw, len(raw), name.encode("utf-8") if name else None)

    def __call__(self, text: str, *args: Any) -> Any:
        """Runs a text; the value of its last statement. With an argument, ⍵ in the text, or two,
        ⍺ and ⍵, it is the body of a dfn: the first statement that assigns nothing is the result."""
        return self._python(self.raw(text, *args))

    def fn(self, text: str) -> Function:
        """A function by its name or its expression: mean = apl.fn("{(+/⍵)÷≢⍵}")."""
        return Function(self, text)

    def run_file(self, path: Any, *args: str) -> None:
        """Runs a script as `vapl path args` does. It needs may=["read"]."""
        argv = (c_char_p * (len(args) + 1))(*[a.encode("utf-8") for a in args], None)
        self._stopped_by_ctrl_c(lib.vapl_run_file, os.fsencode(path), len(args), argv)

    def session(self, text: str, name: str = "") -> None:
        """Runs a text as a line of a session: what it shows goes to `write`; ) and ] begin
        commands."""
        raw = text.encode("utf-8")
        self._stopped_by_ctrl_c(lib.vapl_session, raw, len(raw), name.encode("utf-8"))

    def names(self) -> List[Tuple[str, str]]:
        """What may be typed, and what it stands for: names as themselves, ("iota", "⍳"),
        ("`i", "⍳")."""
        found: List[Tuple[str, str]] = []

        @_lib.EachName
        def each(user: int, name: bytes, text: bytes) -> None:
            found.append((name.decode("utf-8"), text.decode("utf-8")))
        with self._lock:
            self._check(lib.vapl_names(self._open(), each, None))
        return list(dict.fromkeys(found))

    def interrupt(self) -> None:
        """Ends what runs, from any thread, with Interrupted."""
        if self._handle:
            lib.vapl_interrupt(self._handle)

    # ── names ──

    def array(self, x: Any) -> Array:
        """An array of APL's from a Python value; large NumPy arrays without a copy: they are
        read-only until APL has let go of them."""
        with self._lock:
            return into(self, x)

    def __getitem__(self, name: str) -> Any:
        out = c_void_p()
        with self._lock:
            self._check(lib.vapl_get(self._open(), name.encode("utf-8"), byref(out)))
        return Array(self, out.value).python()

    def __setitem__(self, name: str, value: Any) -> None:
        if callable(value) and not isinstance(value, Array):
            self.define(name, value)
            return
        with self._lock:
            a = into(self, value)
            self._check(lib.vapl_set(self._open(), name.encode("utf-8"), a._handle))

    def define(self, name: str, function: Callable[..., Any]) -> None:
        """Makes a Python function one of APL: function(⍵), or function(⍺, ⍵). What it raises is an
        APL error, and the cause of the exception if that comes out again."""
        key = next(_numbers)
        with self._lock:
            _defined[key] = (self, function)
            status = lib.vapl_def(self._open(), name.encode("utf-8"), _called, key, _dropped)
            if status:
                del _defined[key]
            self._check(status)

    def stats(self) -> dict:
        """Bytes and blocks in use, and more."""
        import json
        text, n = c_void_p(), c_size_t()
        with self._lock:
            self._check(lib.vapl_stats(self._open(), byref(text), byref(n)))
            try:
                return json.loads(ctypes.string_at(text.value, n.value))
            finally:
                lib.vapl_free(self._handle, text)

    @property
    def ended(self) -> Optional[int]:
        """The exit code that ⎕OFF gave; None if it was not evaluated."""
        code = c_int()
        return code.value if lib.vapl_ended(self._open(), byref(code)) else None
