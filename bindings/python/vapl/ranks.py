# SPDX-License-Identifier: MIT
"""Several processes, the ranks, that are one interpreter: arrays of 2^24 elements and more are cut among them, each
with a device of its own (docs/ranks.md).

A program that runs as N processes (mpirun -n N python3 program.py) opens one by `Apl(comm=…)` and makes every call
on all of them. A program that is one process, a notebook, a server, opens a `Job`, which starts them:

    you ── Job ──▶ mpirun ──▶ rank 0 ── every call ──▶ rank 1 … rank N-1
                    ◀── what it shows, results ──┘
"""
import ctypes
import io
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_size_t, c_void_p, create_string_buffer
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional, Tuple

from . import _lib, errors


class Table(ctypes.Structure):
    """vapl_comm of vapl_comm.h, up to what is called here."""
    _fields_ = [("size", c_size_t), ("user", c_void_p), ("rank", c_int), ("ranks", c_int),
                ("host_rank", c_int), ("host_ranks", c_int), ("name", c_char_p),
                ("text", CFUNCTYPE(c_char_p, c_void_p, c_int)), ("agree", c_void_p), ("gather", c_void_p),
                ("bcast", CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_int, POINTER(c_void_p))),
                ("send", c_void_p), ("receive", c_void_p),
                ("test", CFUNCTYPE(c_int, c_void_p, POINTER(c_void_p), POINTER(c_int)))]


def _engines() -> Iterator[str]:
    """Where vapl-mpi.so may be."""
    if os.environ.get("VAPL_COMM"):
        yield os.environ["VAPL_COMM"]
        return
    for library in _lib.places():
        folder = Path(library).parent
        yield str(folder / "vapl-mpi.so")
        yield str(folder / "vapl" / "vapl-mpi.so")
    yield "/usr/local/lib/vapl/vapl-mpi.so"
    yield "/usr/lib/vapl/vapl-mpi.so"


def _engine() -> ctypes.CDLL:
    tried = []
    for name in _engines():
        if os.path.exists(name):
            return ctypes.CDLL(name, mode=os.RTLD_NOW | os.RTLD_LOCAL)
        tried.append(name)
    raise ImportError("vapl-mpi.so was not found: run `make mpi` in the checkout, or set VAPL_COMM to its path\n  " +
                      "\n  ".join(tried))


def table(comm: Any) -> Any:
    """A pointer to the table of a communicator: "world", or one of mpi4py's."""
    engine, why = _engine(), create_string_buffer(256)
    if comm == "world":
        engine.vapl_mpi_world.restype = POINTER(Table)
        got = engine.vapl_mpi_world(why, c_size_t(len(why)))
    else:
        try:
            from mpi4py import MPI
        except ImportError:
            raise TypeError(f'comm is "world" or a communicator of mpi4py, not {comm!r}') from None
        if not isinstance(comm, MPI.Comm):
            raise TypeError(f'comm is "world" or a communicator of mpi4py, not {comm!r}')
        # A handle of MPI is a pointer or an int.
        kind = c_void_p if MPI._sizeof(MPI.Comm) == ctypes.sizeof(c_void_p) else c_int
        engine.vapl_mpi_comm.restype = POINTER(Table)
        engine.vapl_mpi_comm.argtypes = [kind, c_char_p, c_size_t]
        got = engine.vapl_mpi_comm(kind.from_address(MPI._addressof(comm)), why, len(why))
    if not got:
        raise RuntimeError(why.value.decode("utf-8", "replace"))
    return got


# ── messages: the length, and that many bytes ──

def put(to: Any, message: Any) -> None:
    raw = pickle.dumps(message, protocol=5)
    to.write(struct.pack("<Q", len(raw)))
    to.write(raw)
    to.flush()


def _exactly(source: Any, n: int) -> bytes:
    raw = source.read(n)
    if raw is None or len(raw) < n:
        raise EOFError("the job has ended")
    return raw


def get(source: Any) -> bytes:
    return _exactly(source, struct.unpack("<Q", _exactly(source, 8))[0])


# ── a job ──

class Job:
    """An interpreter of `ranks` processes, which this one starts by `mpirun`; `hosts` names a file of hosts (MPI's
    own form). Called as `Apl` is; values go to and fro through a pipe, so let APL make or read what is
    large. `device`, `may`, `write`, `read` and limits are as for `Apl`; `device` may list one for each
    rank of a machine: "0,1". Ctrl-C and `interrupt` end what runs."""

    def __init__(self, ranks: int, device: Optional[str] = None, *, write: Optional[Callable[[str], Any]] = None,
                 read: Optional[Callable[[str], Optional[str]]] = None, mpirun: str = "mpirun",
                 hosts: Optional[str] = None, **options: Any):
        if isinstance(ranks, bool) or not isinstance(ranks, int) or ranks < 1:
            raise ValueError(f"ranks is a number from 1 on, not {ranks!r}")
        self._write, self._read = write, read
        self._lock = threading.RLock()
        path = os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")]))
        env = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} if os.geteuid() == 0 else {}
        if 2 * ranks > (os.cpu_count() or 1):
            env["OMPI_MCA_rmaps_base_oversubscribe"] = "1"
        env.update(OMPI_MCA_hwloc_base_binding_policy="none", **os.environ)
        env["PYTHONPATH"] = path
        words = [mpirun, "-n", str(ranks)] + (["--hostfile", hosts] if hosts else [])
        try:
            self._job = subprocess.Popen(words + [sys.executable, "-m", "vapl._rank"], env=env, start_new_session=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except FileNotFoundError:
            raise FileNotFoundError(f"{mpirun} was not found: MPI is Debian's package openmpi-bin") from None
        self._to: Any = self._job.stdin
        self._from: Any = self._job.stdout
        self._besides: Any = self._job.stderr
        self._complaints: List[bytes] = []
        self._hearing = threading.Thread(target=self._hear, daemon=True)
        self._hearing.start()
        try:
            self.ranks = self._talk("open", device, options)
        except BaseException:
            self._end()
            raise

    def _hear(self) -> None:
        """What the processes and mpirun say besides."""
        for line in self._besides:
            self._complaints.append(line)
            del self._complaints[:-20]

    def _end(self) -> None:
        for pipe in (self._to, self._from):
            try:
                pipe.close()
            except OSError:
                pass
        try:
            self._job.wait(10)
        except subprocess.TimeoutExpired:
            self._job.kill()
            self._job.wait()
        self._hearing.join(5)
        if not self._hearing.is_alive():
            self._besides.close()

    def _gone(self) -> errors.AplError:
        self._end()
        said = b"".join(self._complaints).decode("utf-8", "replace").strip()
        return errors.AplError(_lib.RANKS, "RANKS ERROR", "the job has ended" + (": " + said if said else ""))

    def _talk(self, *message: Any) -> Any:
        """Tells all ranks to do that, and gives what comes of it."""
        raw = pickle.dumps(message, protocol=5)
        with self._lock:
            if self._to.closed:
                raise errors.AplError(_lib.EARG, "ARGUMENT ERROR", "the interpreter is closed")
            try:
                self._to.write(struct.pack("<Q", len(raw)) + raw)
                self._to.flush()
                while True:
                    kind, value = pickle.loads(self._answer())
                    if kind == "done":
                        return value
                    if kind == "failed":
                        raise value
                    self._serve(kind, value)
            except (EOFError, BrokenPipeError):
                raise self._gone() from None

    def _answer(self) -> bytes:
        """The next message; Ctrl-C stops the ranks, whose answer it then is."""
        buffer, want = io.BytesIO(), 8
        sized = False
        while True:
            try:
                while buffer.tell() < want:
                    got = os.read(self._from.fileno(), min(want - buffer.tell(), 1 << 20))
                    if not got:
                        raise EOFError
                    buffer.write(got)
            except KeyboardInterrupt:
                self.interrupt()
                continue
            if sized:
                return buffer.getvalue()
            want, sized = struct.unpack("<Q", buffer.getvalue())[0], True
            buffer = io.BytesIO()

    def _serve(self, kind: str, value: Any) -> None:
        if kind == "write":
            (self._write or sys.stdout.write)(value)
        else:
            put(self._job.stdin, self._read(value) if self._read else None)

    # ── calls ──

    def __call__(self, text: str, *args: Any, narrow: Optional[bool] = None) -> Any:
        return self._talk("call", text, args, narrow)

    def fn(self, text: str, narrow: Optional[bool] = None) -> Callable[..., Any]:
        """A function by its name or its expression."""
        self._talk("fn", text)
        return lambda *args: self._talk("apply", text, args, narrow)

    def session(self, text: str, name: str = "") -> None:
        self._talk("session", text, name)

    def run_file(self, path: Any, *args: str) -> None:
        self._talk("run_file", os.fspath(path), *args)

    def names(self) -> List[Tuple[str, str]]:
        return self._talk("names")

    def stats(self) -> dict:
        """Those of rank 0."""
        return self._talk("stats")

    def __getitem__(self, name: str) -> Any:
        return self._talk("__getitem__", name)

    def __setitem__(self, name: str, value: Any) -> None:
        if callable(value):
            raise TypeError("a function of Python cannot go to another process")
        self._talk("__setitem__", name, value)

    def __contains__(self, name: str) -> bool:
        return self._talk("__contains__", name)

    def __delitem__(self, name: str) -> None:
        self._talk("__delitem__", name)

    __iter__ = None

    @property
    def ended(self) -> Optional[int]:
        """The exit code, if ⎕OFF was evaluated."""
        return self._talk("ended")

    def interrupt(self) -> None:
        """Ends what runs, from any thread, with Interrupted."""
        if self._job.poll() is None:
            self._job.send_signal(signal.SIGUSR1)

    def close(self) -> None:
        with self._lock:
            if self._to.closed:
                return
            try:
                self._talk("close")
            except errors.AplError:
                pass
            self._end()

    def __enter__(self) -> "Job":
        return self

    def __exit__(self, *exc: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_job", None):
            self.close()
