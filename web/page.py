#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""page.py - puts the tutorial into the page: page.py docs/tutorial.md <web/index.html >index.html

It knows the Markdown that the tutorial uses, no more: headings, paragraphs, lists, tables, fenced and
indented blocks, emphasis, code, links. A block of ```session gets a button that runs it; what stands behind six
blanks in it was typed, the rest is what vapl answers.
"""
import html
import re
import sys

TYPED = ' ' * 6


def inline(text):
    """Emphasis, code and links within a paragraph. Pages that are not here are named, not linked."""
    kept = []

    def keep(code):
        kept.append(code)
        return '\0%d\0' % (len(kept) - 1)

    def code(match):
        return keep('<code>%s</code>' % html.escape(match[2].strip() or match[2], quote=False))

    def link(match):
        if re.match('https?:', match[2]):
            return keep('<a href="%s">' % html.escape(match[2])) + match[1] + keep('</a>')
        return match[1]

    text = re.sub(r'(`+)(.+?)(?<!`)\1(?!`)', code, text, flags=re.S)
    text = re.sub(r'\[([^\]]+)\]\(([^)]+)\)', link, text)
    text = html.escape(text, quote=False)
    text = re.sub(r'\*\*(.+?)\*\*', r'<strong>\1</strong>', text, flags=re.S)
    text = re.sub(r'\*([^*\s][^*]*)\*', r'<em>\1</em>', text)
    while '\0' in text:
        text = re.sub('\0(\\d+)\0', lambda m: kept[int(m[1])], text)
    return text


def session(lines, number):
    """A block that may be run. Its text is the page's, in the worker too."""
    rows = []
    for line in lines:
        kind = 'typed' if line.startswith(TYPED) else 'answer'
        rows.append('<span class="%s">%s</span>' % (kind, html.escape(line, quote=False)))
    return ('<div class="block"><pre tabindex="0" aria-label="Example %d">%s</pre>'
            '<button type="button" class="run" aria-label="Run example %d">Run</button>'
            '<p class="verdict" role="status"></p></div>'
            % (number, '\n'.join(rows), number))


def plain(lines):
    return '<pre tabindex="0">%s</pre>' % html.escape('\n'.join(lines), quote=False)


def table(lines):
    rows = []
    for line in lines:
        cells = [c.strip() for c in line.strip().strip('|').split('|')]
        if all(re.fullmatch(':?-+:?', c) for c in cells) or not any(cells):
            continue
        rows.append('<tr>%s</tr>' % ''.join('<td>%s</td>' % inline(c) for c in cells))
    return '<table>%s</table>' % ''.join(rows)


def items(lines):
    texts = re.split(r'^- ', '\n'.join(lines), flags=re.M)[1:]
    return '<ul>%s</ul>' % ''.join('<li>%s</li>' % inline(t.strip()) for t in texts)


def blocks(lines):
    """The page's blocks, each a kind and its lines; of a fenced one, what stands behind the fence is the kind."""
    at = 0
    while at < len(lines):
        line, first = lines[at], at
        if line.startswith('```'):
            at = lines.index('```', at + 1) + 1
            yield 'fence ' + line[3:], lines[first + 1:at - 1]
        elif not line.strip():
            at += 1
        elif line.startswith('#'):
            at += 1
            yield 'heading', [line]
        else:
            while at < len(lines) and lines[at].strip() and not lines[at].startswith('```'):
                at += 1
            yield kind_of(line), lines[first:at]


def kind_of(line):
    if line.startswith('    '):
        return 'indented'
    if line.startswith('|'):
        return 'table'
    return 'list' if line.startswith('- ') else 'paragraph'


def render(text):
    out, number = [], 0
    for kind, lines in blocks(text.split('\n')):
        if kind == 'fence session':
            number += 1
            out.append(session(lines, number))
        elif kind.startswith('fence'):
            out.append(plain(lines))
        elif kind == 'indented':
            out.append(plain([line[4:] for line in lines]))
        elif kind == 'heading':
            marks, words = lines[0].split(' ', 1)
            out.append('<h%d>%s</h%d>' % (len(marks) + 1, inline(words), len(marks) + 1))
        elif kind == 'table':
            out.append(table(lines))
        elif kind == 'list':
            out.append(items(lines))
        else:
            out.append('<p>%s</p>' % inline('\n'.join(lines)))
    return '\n'.join(out)


def main():
    page = sys.stdin.read()
    with open(sys.argv[1], encoding='utf-8') as f:
        sys.stdout.write(page.replace('@TUTORIAL@', render(f.read())))


if __name__ == '__main__':
    sys.stdin.reconfigure(encoding='utf-8')
    sys.stdout.reconfigure(encoding='utf-8')
    main()
