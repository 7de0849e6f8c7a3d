# SPDX-License-Identifier: MIT
"""%%apl and %apl in IPython: after %load_ext vapl a cell that begins with %%apl is a text of a session, and
%apl EXPRESSION is its value. All share one interpreter, `vapl.magic.apl()`."""
import sys
from typing import Any, Callable, List, Optional

from IPython.core.error import UsageError
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import display

from . import show
from .apl import Apl
from .errors import AplError

_apl: Optional[Apl] = None
_said: List[str] = []
_is_notebook = True  # else a terminal, which shows no pictures


def apl() -> Apl:
    """The interpreter of the cells; opened when it is first needed."""
    global _apl
    if _apl is None:
        _apl = Apl(write=_said.append, read=input, may=["read", "write", "run", "env", "call", "net"])
        _apl.session("]box on")
        _apl.session("⎕PW←100")
        _said.clear()
    return _apl


def _flush() -> None:
    text = "".join(_said)
    _said.clear()
    for part in show.bundles(text):
        if len(part) > 1:
            display(part, raw=True)
        else:
            sys.stdout.write(part["text/plain"])


def _command(line: str) -> None:
    name = line.split(" ")[0].lower()
    if name == "]plot" and _is_notebook and not any(word in line.lower() for word in (".svg ", ".png ", "-file=", "-format=")):
        apl().session("]plot -format=svg" + line[5:])
    elif name == "]plan":
        _flush()
        apl().session(line)
        text = "".join(_said)
        _said.clear()
        display(show.plan(text), raw=True)
    else:
        apl().session(line)


def _run(cell: str) -> None:
    """A cell: commands, and the texts between them."""
    text: List[str] = []
    for line in cell.split("\n") + ["]"]:
        if not line.lstrip().startswith((")", "]")):
            text.append(line)
            continue
        if "".join(text).strip():
            apl().session("\n".join(text))
        text = []
        if line != "]":
            _command(line.strip())


def _guarded(work: Callable[[], Any]) -> Any:
    """An error of APL is shown as APL shows it, without the frames of Python."""
    try:
        return work()
    except AplError as e:
        raise UsageError("\n".join(show.coloured(str(e)))) from None
    finally:
        _flush()


def load(shell: Any) -> None:
    """Gives the magics to an IPython shell."""
    global _is_notebook
    _is_notebook = type(shell).__name__ != "TerminalInteractiveShell"

    @magic_arguments()
    @argument("-i", "--input", action="append", default=[], help="names of Python's that APL gets first: -i x,y")
    @argument("-o", "--output", action="append", default=[], help="names that Python gets at the end")
    def apl_cell(line: str, cell: str) -> None:
        """A cell of APL: %%apl [-i x,y] [-o r]. What it shows stands below, ) and ] begin commands."""
        options = parse_argstring(apl_cell, line)

        def work() -> None:
            for name in _names(options.input):
                if name not in shell.user_ns:
                    raise UsageError(f"Python has no {name}")
                apl()[name] = shell.user_ns[name]
            _run(cell)
            for name in _names(options.output):
                shell.user_ns[name] = apl()[name]
        _guarded(work)

    def apl_line(line: str) -> Any:
        """The value of an expression of APL: r = %apl +/⍳10"""
        return _guarded(lambda: apl()(line))

    shell.register_magic_function(apl_cell, "cell", "apl")
    shell.register_magic_function(apl_line, "line", "apl")


def _names(lists: List[str]) -> List[str]:
    return [name for text in lists for name in text.split(",") if name]
