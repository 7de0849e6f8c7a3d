# SPDX-License-Identifier: MIT
"""Colours for blocks of APL, of a session and of a console on the site (mkdocs.yml)."""
import html
import re

TOKENS = re.compile(
    r"(?P<comment>⍝.*)"
    r"|(?P<string>'(?:[^'\n]|'')*'|\"(?:[^\"\n]|\"\")*\")"
    r"|(?P<number>¯?(?:\d+(?:\.\d+)?|\.\d+)(?:[eEjJ]¯?[\d.]+)*)"
    r"|(?P<keyword>(?<![\w⍵⍺]):[A-Z]\w*)"
    r"|(?P<system>⎕[A-Za-z0-9]*|⍞|(?<=^)[\])][A-Za-z]\w*)"
    r"|(?P<name>[A-Za-z_∆⍙][\w∆⍙¯]*)"
    r"|(?P<argument>[⍺⍵∇⍬])"
    r"|(?P<operator>[/⌿\\⍀¨⍨⍣∘⍤⍥⍛@⌸⌺⍠⌶&])"
    r"|(?P<structure>[←→⋄{}()\[\];])"
    r"|(?P<function>[^\s\w])",
    re.M,
)


def coloured(text):
    """The text as HTML, each token in an element of its class."""
    parts, at = [], 0
    for m in TOKENS.finditer(text):
        parts.append(html.escape(text[at : m.start()], quote=False))
        kind, at = m.lastgroup, m.end()
        parts.append(f'<span class="apl-{kind}">{html.escape(m.group(), quote=False)}</span>' if kind != "name" else m.group())
    return "".join(parts) + html.escape(text[at:], quote=False)


def block(lines, css):
    return f'<div class="highlight {css}"><pre><code>' + "\n".join(lines) + "\n</code></pre></div>"


def apl(source, language, css_class, options, md, **_):
    return block([coloured(line) for line in source.split("\n")], "apl")


def marked(source, is_typed, colour, css):
    """What is typed is coloured; what is answered stands in an element of its own."""
    lines = []
    for line in source.split("\n"):
        if is_typed(line):
            lines.append(f'<span class="typed">{colour(line)}</span>')
        else:
            lines.append(f'<span class="answer">{html.escape(line, quote=False)}</span>')
    return block(lines, css)


def session(source, language, css_class, options, md, **_):
    return marked(source, lambda line: line.startswith("      "), coloured, "session")


def console(source, language, css_class, options, md, **_):
    return marked(source, lambda line: line.startswith("$ "), html.escape, "console")


def on_config(config):
    fences = [{"name": f.__name__, "class": f.__name__, "format": f} for f in (apl, session, console)]
    config["mdx_configs"].setdefault("pymdownx.superfences", {})["custom_fences"] = fences
    return config


def on_page_content(content, **_):
    """What is wider than a phone scrolls, and is reached by Tab; a head of a table without words is none."""
    content = re.sub(r"<thead>\s*<tr>\s*(<th[^>]*></th>\s*)+</tr>\s*</thead>", "", content)
    content = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", content)
    content = content.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    return content.replace("<pre>", '<pre tabindex="0">')


def on_post_page(output, **_):
    """Two things that the theme leaves out for readers of screens."""
    output = output.replace('role="dialog"', 'role="dialog" aria-label="Search"')
    return output.replace('class="md-search__scrollwrap"', 'class="md-search__scrollwrap" tabindex="0"')
