# SPDX-License-Identifier: MIT
"""The kernel: a cell is a text of a session, as in `vapl`; its lines that begin with ) or ] are
commands. What it shows comes as text, boxes as HTML whose lines join, pictures as SVG, ]plan as a table
(show.py)."""
import json
import os
import re
import threading
import time
import uuid
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from ipykernel.kernelbase import Kernel
from traitlets import Float, Integer, Unicode

import vapl
from vapl import show

_PATIENCE = 2.0  # seconds, before a cell says how long it takes
_FLUSH = 0.2  # seconds; long work is seen while it runs
_WORD = re.compile(r"(`.?|[)\]]?[A-Za-z_∆⍙⎕À-ÿ][\w∆⍙]*|[)\]])$")
_PREFIX = (Path(__file__).parent / "prefix.js").read_text(encoding="utf-8")


def size(text: str) -> int:
    """Bytes, as after --max-memory: 500M, 2G; none is 0."""
    found = re.fullmatch(r"(\d*)([KMGT]?)", text.strip().upper())
    if not found:
        raise ValueError(f"{text} is no size: 500M or 2G is one")
    return int(found[1] or 0) << 10 * " KMGT".index(found[2] or " ")


def parts(code: str) -> List[Tuple[int, str]]:
    """The commands of a cell and the texts between them, with the line feeds before each."""
    found: List[Tuple[int, str]] = []
    for number, line in enumerate(code.split("\n")):
        command = line.lstrip().startswith((")", "]"))
        if not command and found and not found[-1][1].lstrip().startswith((")", "]")):
            found[-1] = (found[-1][0], found[-1][1] + "\n" + line)
        else:
            found.append((number, line))
    return found


def is_open(code: str) -> int:
    """How many braces, brackets and parentheses are not closed; -1: there are too many ends."""
    bare = re.sub(r"""'[^'\n]*'|"[^"\n]*"|⍝[^\n]*""", "", code)
    depth = 0
    for c in bare:
        depth += (c in "{[(") - (c in "}])")
        if depth < 0:
            return -1
    return depth


def closed_by_editor(code: str, key: str, at: int) -> bool:
    """Has the editor put the other bracket or quote behind a key that was typed for a glyph?"""
    if not key or code[at:at + 1] != dict(zip("{[('\"", "}])'\"")).get(key):
        return False
    return code.count(key) % 2 == 0 if key in "'\"" else is_open(code) == 0


class AplKernel(Kernel):
    implementation = "vapl"
    implementation_version = vapl.__version__
    language_info = {"name": "apl", "mimetype": "text/apl", "file_extension": ".apl",
                     "codemirror_mode": "apl", "pygments_lexer": "apl"}
    banner = "vapl: APL whose arrays live on the GPU. `i and Tab is ⍳, so is iota and Tab."

    # In kernel.json as --AplKernel.max_seconds=10, or in ipython_kernel_config.py.
    may = Unicode("read,write,run,env,call,net", help="what cells may do outside; empty: nothing").tag(config=True)
    max_memory = Unicode("", help="of the host, 500M or 2G; else half of what there is").tag(config=True)
    max_seconds = Float(0, help="of each text or command of a cell; 0: no limit").tag(config=True)
    max_steps = Integer(0, help="calls and statements, likewise").tag(config=True)
    width = Integer(100, help="columns of a line, ⎕PW").tag(config=True)
    ranks = Integer(0, help="processes that compute together, by MPI; 0: the kernel alone").tag(config=True)

    def __init__(self, **options: Any):
        super().__init__(**options)
        self.said: List[str] = []
        self.flushed, self.silent, self.live = 0.0, False, False
        self.apl = vapl.open(os.environ.get("VAPL_DEVICE"), ranks=self.ranks or None, write=self.hear, read=self.ask,
                             may=self.may.replace(",", " ").split(), max_host_bytes=size(self.max_memory),
                             max_seconds=self.max_seconds, max_steps=self.max_steps)
        self.quietly("]box on")
        self.set_width()

    def set_width(self) -> None:
        """Of the cells; the front end does not tell it."""
        self.quietly(f"⎕PW←{max(42, self.width)}")

    # ── what it shows ──

    def hear(self, text: str) -> None:
        self.said.append(text)
        if self.live and text.endswith("\n") and time.monotonic() - self.flushed > _FLUSH:
            self.flush()

    def quietly(self, command: str) -> str:
        """What a command says, which nobody else hears."""
        kept, live, self.said, self.live = self.said, self.live, [], False
        try:
            self.apl.session(command)
            return "".join(self.said)
        finally:
            self.said, self.live = kept, live

    def flush(self) -> None:
        text, self.flushed = "".join(self.said), time.monotonic()
        self.said.clear()
        if not text or self.silent:
            return
        for part in show.bundles(text):
            if len(part) > 1:
                self.display(part)
            else:
                self.send_response(self.iopub_socket, "stream", {"name": "stdout", "text": part["text/plain"]})

    def display(self, data: Dict[str, str], as_one: Optional[str] = None, again: bool = False) -> None:
        """With a name `as_one`, what is shown `again` takes the place of what was."""
        self.send_response(self.iopub_socket, "update_display_data" if again else "display_data", {
            "data": data, "metadata": {}, "transient": {"display_id": as_one} if as_one else {}})

    def ask(self, prompt: str) -> Any:
        self.flush()
        return self.raw_input(prompt) if self._allow_stdin else None

    # ── running ──

    def run(self, text: str) -> None:
        command = text.strip()
        name = command.split(" ")[0].lower()
        if name == "]plot":
            self.plot(command[5:])
        elif name == "]plan" and not self.silent:
            said = self.quietly(command)
            self.flush()
            self.display(show.plan(said))
        elif command == "]prefix":
            keys = {name[1]: glyph for name, glyph in self.apl.names() if name[0] == "`"}
            self.display({"application/javascript": _PREFIX.replace("KEYS", json.dumps(keys)),
                          "text/plain": "` and a key types a glyph in this page"})
        elif command:
            self.apl.session(command if command[0] in ")]" else text)
            if name in (")clear", ")load", ")xload"):
                self.set_width()

    def plot(self, rest: str) -> None:
        """As a picture of the notebook, unless a file is named."""
        if re.search(r"(^|\s)(\S+\.(svg|png)\s|-(file|format)=)", rest, re.I):
            self.apl.session("]plot " + rest)
            return
        svg = self.quietly("]plot -format=svg " + rest)
        self.flush()
        if not self.silent:
            self.display({"image/svg+xml": svg, "text/plain": "]plot" + rest})

    def watch(self, ended: threading.Event) -> None:
        """While a cell runs for long: how long, and how much is done."""
        begun, name, shown = time.monotonic(), uuid.uuid4().hex, ""
        while not ended.wait(1.0 if shown else _PATIENCE):
            text = show.waited(time.monotonic() - begun, self.apl.progress if hasattr(self.apl, "progress") else None)
            self.display({"text/plain": text, "text/html": f"<i>{text}</i>"}, name, bool(shown))
            shown = text
        if shown:
            self.display({"text/plain": "", "text/html": ""}, name, True)

    def do_execute(self, code: str, silent: bool, store_history: bool = True,
                   user_expressions: Any = None, allow_stdin: bool = False, **more: Any) -> dict:
        self.silent, self._allow_stdin, self.live = silent, allow_stdin, True
        self.flushed = time.monotonic()
        reply = {"status": "ok", "execution_count": self.execution_count, "payload": [],
                 "user_expressions": {}}
        ended = threading.Event()
        watch = threading.Thread(target=self.watch, args=(ended,), daemon=True)
        if not silent:
            watch.start()
        try:
            for before, text in parts(code):
                self.run("\n" * before + text if before else text)
        except (vapl.AplError, KeyboardInterrupt) as e:
            self.flush()
            if not isinstance(e, vapl.AplError):
                e = vapl.Interrupted(1003, "INTERRUPT")
            reply = {"status": "error", "execution_count": self.execution_count, "ename": e.name,
                     "evalue": e.message, "traceback": show.coloured(str(e))}
            if not silent:
                self.send_response(self.iopub_socket, "error", {
                    k: reply[k] for k in ("ename", "evalue", "traceback")})
        ended.set()
        if not silent:
            watch.join()
        self.flush()
        self.live = False
        if self.apl.ended is not None:
            reply["payload"] = [{"source": "ask_exit", "keepkernel": False}]
        return reply

    # ── typing ──

    def do_complete(self, code: str, cursor_pos: int) -> dict:
        word = _WORD.search(code[:cursor_pos])
        typed = word.group() if word else ""
        begin, end = cursor_pos - len(typed), cursor_pos
        names = dict.fromkeys(self.apl.names() if typed else ())
        matches: List[str] = []
        if typed[:1] == "`":
            matches = [t for n, t in names if n[0] == "`" and n.startswith(typed)]
            end += closed_by_editor(code, typed[1:], cursor_pos)
        elif typed:
            known = sorted((n, t) for n, t in names if n.lower().startswith(typed.lower()))
            exact = [t for n, t in known if n == typed and t != n]
            matches = list(dict.fromkeys(exact + [n for n, t in known]))
            if exact and len(exact) == len(known):
                matches = exact
        return {"status": "ok", "matches": matches, "cursor_start": begin,
                "cursor_end": end, "metadata": {}}

    def do_inspect(self, code: str, cursor_pos: int, detail_level: int = 0,
                   omit_sections: Any = ()) -> dict:
        """What ]help says of the name or glyph at the cursor; of names of the workspace, what they
        are."""
        left = re.search(r"[\w∆⍙⎕]*$", code[:cursor_pos])
        right = re.match(r"[\w∆⍙]*", code[cursor_pos:])
        begun, rest = left.group() if left else "", right.group() if right else ""
        before = code[:cursor_pos][-1:].strip()
        word = rest or code[cursor_pos:][:1]
        if before:
            word = begun + rest if begun else before
        text = self.describe(word) if word.strip() else ""
        if not text and word.isalpha() and code[:cursor_pos - len(begun)].endswith(":"):
            text = self.describe(":" + word)  # a control word
        data = {"text/plain": text} if text else {}
        return {"status": "ok", "found": bool(text), "data": data, "metadata": {}}

    def describe(self, word: str) -> str:
        try:
            name = word.isidentifier() or "∆" in word
            kind = self.apl(f"⎕NC {word!r}") if name else 0
            if name and not kind:  # ]help would search what it says for the word
                return ""
            if kind == 2:
                shape = [int(n) for n in self.apl("⍴" + word)]
                return f"{word}: an array of shape {shape}\n{self.quietly(word)[:2000]}"
            said = self.quietly(word if kind else "]help " + word).rstrip("\n")
            return "" if said.startswith("nothing is known") else said
        except vapl.AplError:
            return ""

    def do_is_complete(self, code: str) -> dict:
        depth = is_open(code)
        if depth > 0:
            return {"status": "incomplete", "indent": "  " * depth}
        return {"status": "complete" if depth == 0 else "invalid"}

    def do_shutdown(self, restart: bool) -> dict:
        self.apl.close()
        return {"status": "ok", "restart": restart}
