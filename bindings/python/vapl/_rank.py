# SPDX-License-Identifier: MIT
"""One of the processes of a Job (ranks.py), python3 -m vapl._rank under mpirun: what rank 0 is told, all of them do."""
import ctypes
import os
import pickle
import signal
import sys
import threading
import time
from ctypes import byref, c_int, c_void_p, create_string_buffer
from typing import Any, Optional

from .apl import Apl
from .namespace import Namespace
from .ranks import Table, get, put, table

_STEP = 1 << 30  # bytes of a message at most


def _spread(comm: Table, data: Any, n: int) -> None:
    """The first rank's n bytes become everybody's. Who waits for a person does not keep a processor busy."""
    for at in range(0, n, _STEP):
        request, done = c_void_p(), c_int()
        status = comm.bcast(comm.user, ctypes.addressof(data) + at, min(_STEP, n - at), 0, byref(request))
        pause = 0.0
        while not status and request:
            status = comm.test(comm.user, byref(request), byref(done))
            if request:
                time.sleep(pause)
                pause = min(0.005, pause + 0.00002)
        if status:
            raise RuntimeError(comm.text(comm.user, status).decode("utf-8", "replace"))


def _for_all(comm: Table, raw: Optional[bytes]) -> bytes:
    """What the first rank has."""
    size = ctypes.c_uint64(len(raw or b""))
    _spread(comm, size, 8)
    data = create_string_buffer(raw, size.value) if raw else create_string_buffer(size.value)
    _spread(comm, data, size.value)
    return data.raw


def plain(x: Any) -> Any:
    """A value that can be pickled."""
    if isinstance(x, Namespace):
        return {name: plain(x[name]) for name in x}
    if isinstance(x, list):
        return [plain(item) for item in x]
    return x


class _Rank:
    def __init__(self) -> None:
        # A launcher hands this signal on to all ranks; one thread takes it (listen), and none that MPI begins.
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        self.comm = table("world").contents
        self.first = self.comm.rank == 0
        self.input = os.fdopen(os.dup(0), "rb")
        self.output = os.fdopen(os.dup(1), "wb")
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(2, 1)  # what else prints does not come among the messages
        self.apl: Any = None

    def told(self) -> Any:
        raw = None
        if self.first:
            try:
                raw = get(self.input)
            except EOFError:
                raw = pickle.dumps(("close",))
        return pickle.loads(_for_all(self.comm, raw))

    def say(self, *message: Any) -> None:
        if self.first:
            put(self.output, message)

    def ask(self, prompt: str) -> Optional[str]:
        """A line that a program reads; of the first rank alone."""
        self.say("read", prompt)
        return pickle.loads(get(self.input))

    def work(self) -> None:
        _, device, options = self.told()
        try:
            self.apl = Apl(device, comm="world", write=lambda text: self.say("write", text), read=self.ask, **options)
        except BaseException as why:
            self.say("failed", why)
            return
        threading.Thread(target=self.listen, daemon=True).start()
        self.say("done", self.comm.ranks)
        while self.serve(*self.told()):
            pass
        self.apl.close()
        self.say("done", None)

    def listen(self) -> None:
        """The first rank's request is everybody's; those of others might come when its call has ended."""
        while True:
            signal.sigwait([signal.SIGUSR1])
            if self.first:
                self.apl.interrupt()

    def value(self, what: str, *args: Any) -> Any:
        """Of a call of the interpreter. A namespace, which stays here, is a dict there."""
        if what == "call":
            text, args, narrow = args
            return plain(self.apl(text, *args, narrow=narrow))
        if what == "apply":
            return plain(self.apl._python(self.apl._apply, *args))
        if what == "fn":
            return self.apl.fn(*args).text
        found = getattr(self.apl, what)
        return plain(found(*args)) if callable(found) else found

    def serve(self, what: str, *args: Any) -> bool:
        if what == "close":
            return False
        try:
            self.say("done", self.value(what, *args))
        except BaseException as why:
            why.__traceback__ = why.__cause__ = why.__context__ = None
            self.say("failed", why)
        return True


if __name__ == "__main__":
    _Rank().work()
