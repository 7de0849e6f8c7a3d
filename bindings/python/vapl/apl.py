# SPDX-License-Identifier: MIT
"""The interpreter: texts run, functions called both ways, names, interruption.

    apl = Apl()                    an interpreter with a workspace of its own
    apl("+/⍵", x)                  a text is run; ⍵ is x, and ⍺ a second argument
    apl["name"]                    what a name of the workspace stands for; = assigns it
    apl.fn("{(+/⍵)÷≢⍵}")           a function of APL as one of Python
    apl["f"] = function            a function of Python as one of APL
    apl.plot(x)                    a picture, which notebooks show
    apl.table(frame)               the columns of a DataFrame
    apl.raw(text), apl.array(x)    an array of APL's that is not converted
"""
import ctypes
import itertools
import os
import select
import signal
import sys
import threading
from collections import deque
from ctypes import byref, c_char_p, c_int, c_int64, c_size_t, c_void_p
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _lib, errors
from ._lib import lib
from .array import Array, broadcast, into, made
from .plot import Plot

if TYPE_CHECKING:
    from .namespace import Namespace

_MAY = {"read": 1, "write": 2, "run": 4, "env": 8, "call": 32, "net": 64}


def _utf8(text: Any, what: str) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"{what} is a str, not {type(text).__name__}")
    return text.encode("utf-8")


def _c_text(text: Any, what: str) -> bytes:
    """As C takes a text that ends at its NUL."""
    raw = _utf8(text, what)
    if b"\0" in raw:
        raise ValueError(f"{what} has a NUL in it")
    return raw


def _extents(shape: Any) -> Any:
    extents = list(shape)
    return (c_int64 * len(extents))(*extents)


def _permissions(may: Any) -> int:
    words = {may} if isinstance(may, str) else set(may)
    if not words <= set(_MAY):
        raise ValueError(f"a permission is one of {', '.join(_MAY)}, not {sorted(words - set(_MAY))}")
    return sum(_MAY[word] for word in words)


class Function:
    """A function of APL as one of Python: f(⍵) or f(⍺, ⍵). What else it reads is given by name,
    f(rate=0.05, years=[1, 2, 3]): the names are local to the call, and their values are broadcast
    against one another as NumPy does it. An expression without ⍵ is called by names alone."""

    def __init__(self, apl: "Apl", text: str, narrow: Optional[bool] = None):
        self._apl, self.text, self.narrow = apl, text, narrow
        self.__doc__ = text

    def __call__(self, *args: Any, **names: Any) -> Any:
        text, given = self._with_names(args, names) if names else (self.text, list(args))
        return self._apl._python(self._apl._apply, text, given, self.narrow)

    def _with_names(self, args: Any, names: Dict[str, Any]) -> Tuple[str, List[Any]]:
        """The text of a dfn in which the names stand for their values, and its arguments."""
        if len(args) > 2:
            raise TypeError("a function of APL takes one argument or two")
        values = broadcast(list(names.values()))
        given = "⍺" if args else "⍵"
        begin = f"({' '.join(names)})←{given}" if len(names) > 1 else f"{''.join(names)}←⊃{given}"
        end = ("", f"({self.text})⊃⍵", f"(⊃⍵)({self.text})⊃⌽⍵")[len(args)] or self.text
        text = "{" + begin + "\n" + end + "\n}"
        return (text, [values, list(args)]) if args else (text, [values])

    def __repr__(self) -> str:
        return f"<vapl.Function {self.text}>"


class _Wakeups:
    """Ctrl-C while C runs: Python notes the signal, but acts on it only when C has returned. The
    number of the signal is written to a pipe at once, though; a thread that reads it interrupts
    what runs, and hands the number on to whoever had such a pipe before."""

    def __init__(self) -> None:
        self.apl: Optional["Apl"] = None  # what runs on the main thread, the innermost
        self.others = -1
        self.ends: Any = None
        self.process = 0

    def _listen(self) -> None:
        poll = select.poll()
        poll.register(self.ends[0], select.POLLIN)
        while True:
            poll.poll()
            with self.lock:
                if signal.SIGINT in self._taken() and self.apl is not None:
                    self.apl.interrupt()

    def _taken(self) -> bytes:
        """The numbers that wait; under the lock, so that none is acted on when its call has ended."""
        try:
            got = os.read(self.ends[0], 64)
            if self.others >= 0:
                os.write(self.others, got)
            return got
        except OSError:  # there are none; nobody wants them
            return b""

    def _start(self) -> None:
        self.ends, self.lock, self.process = os.pipe(), threading.Lock(), os.getpid()
        for end in self.ends:
            os.set_blocking(end, False)
        threading.Thread(target=self._listen, daemon=True).start()

    def begin(self, apl: "Apl") -> Optional[tuple]:
        """What `end` puts back; None where there is nothing to do."""
        if self.apl is apl or threading.get_ident() != threading.main_thread().ident:
            return None
        if self.process != os.getpid():
            self._start()
        was = signal.set_wakeup_fd(self.ends[1], warn_on_full_buffer=False), self.apl
        with self.lock:
            self.apl = apl
            if was[0] != self.ends[1]:
                self.others = was[0]
        return was

    def end(self, was: Optional[tuple], stopped: bool) -> None:
        if was is not None:
            signal.set_wakeup_fd(was[0], warn_on_full_buffer=False)
            with self.lock:
                if stopped:
                    self._taken()
                self.apl = was[1]


_wakeups = _Wakeups()

# Python functions that APL calls, by the number that it gives back.
_defined: dict = {}
_numbers = itertools.count(1)


@_lib.Function
def _called(user: int, v: int, left: Optional[int], right: int, result: Any) -> int:
    apl, function = _defined[user]
    try:
        args = [made(apl, lib.vapl_retain(a)).python() for a in (left, right) if a]
        value = function(*args)
        if value is not None:
            given = into(apl, value)
            result[0] = lib.vapl_retain(given._handle)
        return _lib.OK
    except BaseException as why:  # nothing may leave a function that C calls
        apl._raised = why
        if isinstance(why, KeyboardInterrupt):
            apl._failed = apl._failed or why
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
    sys.stdout), `read` gives a line for ⍞ and ⎕, or None at the end. Arrays of integers and of
    truth values become int64, as Python's integers do not wrap; with `narrow`, here or where a
    result is asked for, they are as APL stores them. One thread at a time runs in it, others wait;
    `interrupt` may come from any.

    With `comm`, which is "world" or a communicator of mpi4py, the program runs as several processes,
    which make the same calls in the same order, and among which long arrays are cut."""

    def __init__(self, device: Optional[str] = None, *, may: Iterable[str] = (),
                 write: Optional[Callable[[str], Any]] = None,
                 read: Optional[Callable[[str], Optional[str]]] = None,
                 cache_dir: Optional[str] = None, threads: int = 0, narrow: bool = False, comm: Any = None,
                 **limits: float):
        self._handle: Optional[int] = None
        self._lock = threading.RLock()
        self._alive = threading.RLock()  # while another thread interrupts, it is not closed
        self._later: Any = deque()
        self._depth = 0  # of calls of C
        self._raised: Optional[BaseException] = None  # by a function that APL calls
        self._failed: Optional[BaseException] = None  # in `write` or `read`
        self._write, self._read = write, read
        self.narrow = narrow
        config = _lib.Config(size=ctypes.sizeof(_lib.Config))
        config.device = _c_text(device, "a device") if device else None
        config.cache_dir = os.fsencode(cache_dir) if cache_dir else None
        config.threads = threads
        config.may = _permissions(may)
        for name, most in limits.items():
            if not name.startswith("max_") or not hasattr(config, name):
                raise TypeError(f"there is no option {name}")
            setattr(config, name, most)
            if getattr(config, name) != most:  # ctypes cuts what does not fit
                raise ValueError(f"{name} cannot be {most}")
        self._comm = None
        if comm is not None:
            from . import ranks
            self._comm = ranks.table(comm)
            config.comm = ctypes.cast(self._comm, c_void_p)
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
            if self._depth:
                raise RuntimeError("an interpreter cannot be closed by what it calls")
            with self._alive:
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

    def __reduce__(self) -> Any:
        raise TypeError("an interpreter cannot be copied or pickled")

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

    def _fails(self, why: BaseException) -> None:
        """What ctypes would drop ends the call of APL and is raised then."""
        self._failed = self._failed or why
        self.interrupt()

    def _on_write(self, user: int, fd: int, text: int, n: int) -> None:
        try:
            said = ctypes.string_at(text, n).decode("utf-8", "replace")
            if self._write is not None:
                self._write(said)
            else:
                (sys.stderr if fd == 2 else sys.stdout).write(said)
        except BaseException as why:
            self._fails(why)

    def _on_read(self, user: int, mode: int, prompt: Optional[bytes], to: int, n: int) -> int:
        try:
            line = self._read((prompt or b"").decode()) if self._read else None
            if line is None:
                return -1
            raw = _utf8(line, "a line that is read").rstrip(b"\n")
            ctypes.memmove(to, raw, min(n, len(raw)))
            return len(raw)
        except BaseException as why:
            self._fails(why)
            return -1

    def _on_log(self, user: int, text: bytes) -> None:
        self._log.append(text.decode("utf-8", "replace"))
        del self._log[:-100]

    # ── running ──

    def _run(self, narrow: Optional[bool], function: Any, *args: Any) -> Optional[Array]:
        """A call that evaluates; its result is what its last parameter points to."""
        out = c_void_p()
        try:
            self._in(function, *args, byref(out))
        except BaseException:
            lib.vapl_release(out)
            raise
        return made(self, out.value, narrow) if out.value else None

    def _in(self, function: Any, *args: Any) -> None:
        """_c of a function whose first argument is the interpreter, which must be open."""
        with self._lock:
            self._c(function, self._open(), *args)

    def _c(self, function: Any, *args: Any) -> None:
        """Calls a function of C, which Ctrl-C ends; what it fails with is raised."""
        with self._lock:
            was = _wakeups.begin(self)
            self._depth += 1
            try:
                status = function(*args)
            except KeyboardInterrupt as why:  # Python's own, which comes as soon as C returns
                e = errors.last(self._handle or 0)
                self._failed = e if isinstance(e, errors.Interrupted) else why
                status = 0
            except ctypes.ArgumentError as why:  # what ctypes makes of a nest that is too deep
                raise RecursionError(str(why)) from None
            finally:
                self._depth -= 1
                _wakeups.end(was, self._failed is not None)
            if status or self._failed or self._raised:
                self._raise(status)

    def _raise(self, status: int) -> None:
        """After a call: what failed in `write` or `read`, else the error of APL, if there is one, from
        what a function in Python raised."""
        raised, self._raised = self._raised, None
        failed, self._failed = self._failed, None
        e = errors.last(self._handle or 0) if status else None
        if failed:
            self._forget_request()
        if failed and not (e and isinstance(failed, KeyboardInterrupt)):
            raise failed from None
        if e:
            raise e from raised

    def _apply(self, function: str, args: Any, narrow: Optional[bool] = None) -> Optional[Array]:
        if not 1 <= len(args) <= 2:
            raise TypeError("a function of APL takes one argument or two")
        text = _c_text(function, "a function's text")
        with self._lock:
            arrays = [into(self, x) for x in args]
            left = arrays[0]._handle if len(arrays) == 2 else None
            return self._run(narrow, lib.vapl_call, text, left, arrays[-1]._handle)

    def _python(self, run: Callable[..., Optional[Array]], *args: Any) -> Any:
        """What run(*args) gives, as a value of Python's; all of that is stopped by Ctrl-C at once."""
        with self._lock:
            was, stopped = _wakeups.begin(self), False
            try:
                a = run(*args)
                return None if a is None else a.python()
            except KeyboardInterrupt:
                stopped = True
                raise
            finally:
                _wakeups.end(was, stopped)  # no request comes any more
                if stopped:
                    self._forget_request()

    def _forget_request(self) -> None:
        """A request to stop may have come when nothing ran; the next call is not to be stopped."""
        if self._handle and not self._depth and not self._comm:
            lib.vapl_eval(self._handle, b"1", 1, None, None)

    def raw(self, text: str, *args: Any, name: Optional[str] = None,
            narrow: Optional[bool] = None) -> Optional[Array]:
        """As a call of the interpreter, but the result stays an array of APL's."""
        return self._value(text, args, name, narrow)

    def _value(self, text: str, args: Any, name: Optional[str], narrow: Optional[bool]) -> Any:
        raw = _utf8(text, "a text of APL")
        if args:
            return self._apply("{" + text + "}", args, narrow)
        where = None if name is None else _c_text(name, "the name of a text")
        return self._run(narrow, lib.vapl_eval, raw, len(raw), where)

    def __call__(self, text: str, *args: Any, narrow: Optional[bool] = None) -> Any:
        """Runs a text; the value of its last statement. With an argument, ⍵ in the text, or two,
        ⍺ and ⍵, it is the body of a dfn: the first statement that assigns nothing is the result."""
        return self._python(self._value, text, args, None, narrow)

    def fn(self, text: str, narrow: Optional[bool] = None) -> Function:
        """A function by its name or its expression: mean = apl.fn("{(+/⍵)÷≢⍵}"), then mean(x). Names
        in it that are given by a call are broadcast: worth = apl.fn("sum×(1+rate)*years"), then
        worth(sum=100, rate=[[0.01], [0.02]], years=[1, 2, 3]) is a matrix. An error of its syntax is
        raised now, all others by its calls."""
        _c_text(text, "a function's text")
        try:
            self.raw("{" + text + "\n}")
        except errors.AplError as e:
            if e.status == _lib.SYNTAX:
                self.raw(text)  # the same error, in the text as it is
            raise
        return Function(self, text, narrow)

    def plot(self, data: Any, *, kind: Union[str, Sequence[str], None] = None, title: Optional[str] = None,
             xlabel: Optional[str] = None, ylabel: Optional[str] = None, names: Optional[Sequence[str]] = None,
             x: Any = None, xscale: Optional[str] = None, yscale: Optional[str] = None,
             xrange: Optional[Sequence[float]] = None, yrange: Optional[Sequence[float]] = None,
             size: Optional[Sequence[int]] = None, bins: Optional[int] = None, legend: Optional[bool] = None,
             grid: Optional[bool] = None, colours: Optional[Sequence[str]] = None) -> Plot:
        """A picture of numbers, which notebooks show (⎕PLOT; docs/plots.md says more).

        data    a vector; a matrix (two columns: points, else a heat map); a list of vectors, or of
                tuples (x, y); a mapping of names to these; a Series or a DataFrame of pandas, whose
                index is x
        kind    "line", "points", "bars", "hist" or "heat"; a list: one for each series
        x       numbers, times (datetime64) or texts for all series
        xscale, yscale   "linear", "log" or "date" (day numbers as ⎕DT has them)

            apl.plot({"north": [3, 1, 2], "south": [2, 2, 4]}, title="Rain").save("rain.png")
        """
        switches = {name: int(on) for name, on in (("legend", legend), ("grid", grid)) if on is not None}
        return Plot(self, data, dict(
            kind=kind, title=title, xlabel=xlabel, ylabel=ylabel, names=None if names is None else list(names), x=x,
            xscale=xscale, yscale=yscale, xrange=xrange, yrange=yrange, size=size, bins=bins, colours=colours,
            **switches))

    def run_file(self, path: Any, *args: str) -> None:
        """Runs a script as `vapl path args` does. It needs may=["read"]."""
        argv = (c_char_p * (len(args) + 1))(*[_c_text(a, "an argument") for a in args], None)
        self._in(lib.vapl_run_file, os.fsencode(path), len(args), argv)

    def session(self, text: str, name: str = "") -> None:
        """Runs a text as a line of a session: what it shows goes to `write`; ) and ] begin
        commands."""
        raw = _utf8(text, "a text of APL")
        self._in(lib.vapl_session, raw, len(raw), _c_text(name, "the name of a text"))

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
        with self._alive:
            if self._handle:
                lib.vapl_interrupt(self._handle)

    @property
    def progress(self) -> Optional[float]:
        """The share, 0 to 1, of a long piece of work under way that is done, asked from any thread; None
        if nothing that counts is."""
        with self._alive:
            share = lib.vapl_progress(self._handle) if self._handle else -1.0
        return None if share < 0 else float(share)

    # ── ranks ──

    def cut(self, shape: Iterable[int]) -> Tuple[int, int]:
        """The first of this process's rows of an array of that shape, from 0, and how many it has: all of
        them, of an array that is not cut."""
        extents = _extents(shape)
        first, rows = c_int64(), c_int64()
        self._in(lib.vapl_cut, len(extents), extents, byref(first), byref(rows))
        return first.value, rows.value

    def part(self, x: Any) -> Tuple[int, Array]:
        """The first of this process's rows of an array (of `raw`), and these rows, without a copy: all
        processes call it. np.asarray reads them; they go nowhere but into from_part."""
        first = c_int64()
        with self._lock:
            a = into(self, x)
            local: Any = self._run(None, lib.vapl_part, a._handle, byref(first))
        return first.value, local

    def from_part(self, shape: Iterable[int], local: Any) -> Array:
        """The array of that shape whose rows are each process's, as `cut` says: all processes call it."""
        extents = _extents(shape)
        with self._lock:
            a = into(self, local)
            whole: Any = self._run(None, lib.vapl_from_part, len(extents), extents, a._handle)
        return whole

    # ── names ──

    def array(self, x: Any) -> Array:
        """An array of APL's from a Python value; large NumPy arrays without a copy: they are
        read-only until APL has let go of them."""
        with self._lock:
            return into(self, x)

    def table(self, frame: Any) -> "Namespace":
        """A namespace with the columns of a DataFrame of pandas: numbers where they lie, texts, times
        as day numbers of ⎕DT, what is missing as ⎕NULL. apl["t"] = apl.table(frame), then t.price;
        apl["t"].frame() is a DataFrame again."""
        from .table import columns
        return columns(self, frame)

    def __getitem__(self, name: str) -> Any:
        return self._python(self._run, None, lib.vapl_get, _c_text(name, "a name"))

    def __setitem__(self, name: str, value: Any) -> None:
        if callable(value) and not isinstance(value, Array):
            self.define(name, value)
            return
        raw = _c_text(name, "a name")
        with self._lock:
            a = into(self, value)
            self._in(lib.vapl_set, raw, a._handle)

    def __contains__(self, name: str) -> bool:
        """Does the name stand for anything, be it an array or a function?"""
        _c_text(name, "a name")
        return bool(self("⎕NC ⍵", name) > 0)

    def __delitem__(self, name: str) -> None:
        if name not in self or not self("⎕EX ⍵", name):
            raise KeyError(name)

    __iter__ = None  # names() and apl("#") know what there is

    def define(self, name: str, function: Callable[..., Any]) -> None:
        """Makes a Python function one of APL: function(⍵), or function(⍺, ⍵). What it raises is an
        APL error, and the cause of the exception if that comes out again."""
        if not callable(function):
            raise TypeError(f"a {type(function).__name__} cannot be called")
        raw, key = _c_text(name, "a name"), next(_numbers)
        with self._lock:
            _defined[key] = (self, function)
            status = lib.vapl_def(self._open(), raw, _called, key, _dropped)
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
                return json.loads(ctypes.string_at(text.value or 0, n.value))
            finally:
                lib.vapl_free(self._handle, text)

    @property
    def ended(self) -> Optional[int]:
        """The exit code that ⎕OFF gave; None if it was not evaluated."""
        code = c_int()
        return code.value if lib.vapl_ended(self._open(), byref(code)) else None
