# SPDX-License-Identifier: MIT
"""What a session shows, as a notebook shows it: boxes whose lines join, pictures, ]plan as a table, errors in
colour. The kernel and %%apl have it in common."""
import html
import re
from typing import Any, Dict, List, Tuple

Bundle = Dict[str, str]

_STYLE = ("font-family:'APL386 Unicode','APL385 Unicode','DejaVu Sans Mono',monospace;"
          "font-size:var(--jp-code-font-size,inherit);padding-left:var(--jp-code-padding,0);"
          "line-height:1.15;overflow-x:auto")
_DRAWN = re.compile("[\u2500-\u259f\u2800-\u28ff]")
_BROKEN = "\n      "  # how a session goes on with a line that is wider than ⎕PW


def bundles(text: str) -> List[Bundle]:
    """The parts of a text: pictures, and what stands between them."""
    found: List[Bundle] = []
    at = 0
    for svg in _pictures(text):
        found += _plain(text[at:svg[0]])
        found.append({"image/svg+xml": text[svg[0]:svg[1]].replace(_BROKEN, ""), "text/plain": "a picture\n"})
        at = svg[1]
    return found + _plain(text[at:])


def _pictures(text: str) -> List[Tuple[int, int]]:
    """Where SVGs are, at the beginnings of lines; one within another is part of it."""
    found: List[Tuple[int, int]] = []
    at = 0
    while True:
        begin = text.find("<svg xmlns=", at)
        if begin < 0:
            return found
        depth, end = 0, begin
        for tag in re.finditer(r"<(/?)svg\b", text[begin:].replace(_BROKEN, "\0" * len(_BROKEN))):
            depth += -1 if tag.group(1) else 1
            if not depth:
                end = text.find(">", begin + tag.end()) + 1
                end += text[end:end + 1] == "\n"
                break
        if end == begin:
            return found
        if begin == 0 or text[begin - 1] == "\n":
            found.append((begin, end))
        at = end


def _plain(text: str) -> List[Bundle]:
    if not text:
        return []
    if not _DRAWN.search(text):
        return [{"text/plain": text}]
    return [{"text/plain": text, "text/html": f'<pre style="{_STYLE}">{html.escape(text)}</pre>'}]


# ── ]plan ──

def _steps(text: str) -> List[Tuple[str, str, List[str]]]:
    """The steps of a plan: what each is, of what, and the lines below it."""
    found: List[Tuple[str, str, List[str]]] = []
    for line in text.rstrip("\n").split("\n"):
        if line.startswith(" ") and found:
            found[-1][2].append(line)
        else:
            kind, _, rest = line.partition("  ")
            found.append((kind, rest.strip(), []))
    return found


def plan(text: str) -> Bundle:
    """What ]plan says, as a table."""
    cell = "text-align:left;vertical-align:top;white-space:pre-wrap"
    whole = 48  # characters of an expression that is not broken
    rows = []
    for kind, rest, below in _steps(text):
        if kind == "in all":
            rows.append(f'<tr><th style="{cell}">in all</th><td style="{cell}" colspan="4">{html.escape(rest)}</td></tr>')
            continue
        shape = below.pop(0).strip() if below and "→" in below[0] else ""
        moves = below.pop(0).strip() if below and below[0].strip().startswith("reads ") else ""
        where = "\n".join(line[2:] for line in below)
        if not shape and not moves and not where:  # a step of the host: what, how large: why
            what, _, why = rest.partition(": ")
            rest, _, shape = what.partition("  ")
            where = why
        rest = rest.strip()
        of = cell.replace("pre-wrap", "pre") if len(rest) <= whole else cell
        rows.append("<tr>" + f'<th style="{cell}">{html.escape(kind)}</th>' + f'<td style="{of}"><code style="white-space:inherit">'
                    f"{html.escape(rest)}</code></td>" +
                    "".join(f'<td style="{cell}">{html.escape(x.strip())}</td>' for x in (shape, moves, where)) + "</tr>")
    head = "".join(f'<th style="{cell}">{name}</th>' for name in ("step", "of", "elements", "memory", "where"))
    return {"text/plain": text, "text/html": f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"}


# ── errors ──

def coloured(report: str) -> List[str]:
    """The lines of an error with the colours of a terminal: its name, and what the caret points at."""
    lines = report.split("\n")
    name, colon, rest = lines[0].partition(":")
    shown = [f"\x1b[1;31m{name}\x1b[0m{colon}{rest}"]
    for line in lines[1:]:
        if line.strip() and not line.strip("^ "):
            shown.append(f"\x1b[31m{line}\x1b[0m")
        elif line.startswith("called from"):
            shown.append(f"\x1b[2m{line}\x1b[0m")
        else:
            shown.append(line)
    return shown


def waited(seconds: float, share: Any) -> str:
    """How long work takes so far, and, where it is known, what is left."""
    text = f"… {seconds:.0f} s"
    if share:
        text += f", {100 * share:.0f} %, about {seconds * (1 - share) / share:.0f} s to go"
    return text
