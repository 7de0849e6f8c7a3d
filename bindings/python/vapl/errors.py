# SPDX-License-Identifier: MIT
"""Errors of APL as exceptions: what was wrong with what, where, and who called."""
from typing import List, NamedTuple, Optional

from . import _lib


class Frame(NamedTuple):
    """A call that an error went through; columns count from 1, in characters."""
    file: str
    source: str
    line: int
    column: int
    length: int
    times: int = 1

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        if not self.line:
            return place.rstrip()
        caret = " " * (self.column - 1) + "^" * max(1, self.length)
        more = f"  ({self.times} times)" if self.times > 1 else ""
        return f"{place}{more}\n  {self.source}\n  {caret}"


class AplError(Exception):
    """`status` is the APL event number, `name` its name; `at` where it happened, `frames` the calls
    from the innermost outwards (`hidden` of them, before the last, are not kept)."""

    def __init__(self, status: int, name: str, message: str = "", at: Optional[Frame] = None,
                 frames: Optional[List[Frame]] = None, hidden: int = 0):
        self.status, self.name, self.message = status, name, message
        self.at, self.frames, self.hidden = at, frames or [], hidden
        text = name + (": " + message if message else "")
        if at and at.line:
            text += "\n" + str(at).lstrip("\n")
        for frame in self.frames:
            text += f"\ncalled from {frame}".replace("from \n", "from\n")
        super().__init__(text)

    def __reduce__(self) -> tuple:  # to be pickled, as by multiprocessing
        return type(self), (self.status, self.name, self.message, self.at, self.frames, self.hidden)


class Interrupted(AplError, KeyboardInterrupt):
    """The evaluation was asked to stop: by Apl.interrupt, or by Ctrl-C."""


def _text(raw: Optional[bytes]) -> str:
    return (raw or b"").decode("utf-8", "replace")


def last(handle: int) -> AplError:
    """The error record of an interpreter as an exception."""
    if not handle:
        return AplError(_lib.EARG, "ARGUMENT ERROR", "the interpreter is closed")
    e = _lib.lib.vapl_last_error(handle).contents
    at = Frame(_text(e.file), _text(e.source), e.line, e.column, e.length)
    frames = [Frame(_text(f.file), _text(f.source), f.line, f.column, f.length, f.times)
              for f in e.frames[:e.n_frames]]
    kind = Interrupted if e.status == _lib.INTERRUPT else AplError
    return kind(e.status, _text(e.name), _text(e.message), at, frames, e.frames_hidden)
