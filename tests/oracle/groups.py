#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""groups.py VAPL [--count N] [--seed N] [options of vapl] - groups, stores and searches by vapl
against Python.

Each case draws keys of a type, values and lengths, has vapl compute what a table of expressions
says, and computes the same from its definition: sums of integers and of eighths, which are exact in
any order, means as fractions rounded once, stores of floats with repeats one after the other in
doubles, whose order is defined. Every number is compared in all its digits.
"""
import argparse
import bisect
import random
import subprocess
from fractions import Fraction

LENGTHS = [1, 2, 3, 31, 32, 33, 127, 128, 129, 1023, 1024, 1025, 4095, 4096, 4097, 9001]


def apl(v):
    return repr(v).upper().replace('-', '¯').replace('E+', 'E')


def vector(name, values):
    """Definitions of a name, a part to a line, so that no line is too long."""
    if isinstance(values[0], str):
        return [f"{name}←,'{''.join(values)}'"]
    parts = [values[i:i + 500] for i in range(0, len(values), 500)]
    lines = [f'{name}←⍬']
    return lines + [f'{name},←' + ' '.join(map(apl, p)) for p in parts]


def draw_keys(r, kind, n):
    many = r.choice([1, 2, 7, 100, n])
    if kind == 'bit':
        return [r.randrange(2) for _ in range(n)]
    if kind == 'int':
        return [r.randrange(-many, many) for _ in range(n)]
    if kind == 'wide':
        some = [r.randrange(-2**62, 2**62) for _ in range(many)]
        return [r.choice(some) for _ in range(n)]
    if kind == 'float':
        some = [r.randrange(-10**6, 10**6) / 8 for _ in range(many)]
        return [r.choice(some) for _ in range(n)]
    return [r.choice('abcdefgh') for _ in range(n)]


def draw_values(r, kind, n):
    if kind == 'bit':
        return [r.randrange(2) for _ in range(n)]
    if kind == 'int':
        return [r.randrange(-10**6, 10**6) for _ in range(n)]
    return [r.randrange(-10**7, 10**7) / 8 for _ in range(n)]


def groups(keys, values):
    found = {}
    for k, v in zip(keys, values):
        found.setdefault(k, []).append(v)
    return list(found.values())


def mean(g):
    return float(sum(map(Fraction, g)) / len(g))


def stored(h, at, values, join):
    h = list(h)
    for i, v in zip(at, values):
        h[i - 1] = join(h[i - 1], v)
    return h


def case(r):
    """Lines of APL that give one vector each, and what these are."""
    n = r.choice(LENGTHS)
    k = draw_keys(r, r.choice(['bit', 'int', 'wide', 'float', 'char']), n)
    v = draw_values(r, r.choice(['bit', 'int', 'float']), n)
    g = groups(k, v)
    m = r.choice([1, 2, 33, 1000])
    at = [r.randrange(1, m + 1) for _ in range(n)]
    w = [r.uniform(-1e3, 1e3) for _ in range(n)]
    table = sorted(draw_values(r, 'int' if r.random() < .5 else 'float', r.choice([1, 5, 64, 300])))
    define = sum((vector(*p) for p in [('k', k), ('v', v), ('at', at), ('w', w), ('t', table)]), [])
    needle = v[n // 2:n // 2 + r.choice([1, 2, 3])]
    own = [
        ('{≢⍵}⌸k', [len(x) for x in g]),
        ('k{+/⍵}⌸v', [sum(x) for x in g]),
        ('k{⌈/⍵}⌸v', [max(x) for x in g]),
        ('k{⌊/⍵}⌸v', [min(x) for x in g]),
        ('k{(+/⍵)÷≢⍵}⌸v', [mean(x) for x in g]),
        ('k{⊃⍵}⌸v', [x[0] for x in g]),
        ('k{⊢/⍵}⌸v', [x[-1] for x in g]),
        ('k{+/2×⍵}⌸v', [sum(2 * y for y in x) for x in g]),
        (',k{(≢⍵),(+/⍵),⌈/⍵}⌸v', [y for x in g for y in (len(x), sum(x), max(x))]),
        ('∊k{⊂⍵}⌸v', [y for x in g for y in x]),
        ('≢¨k{⊂⍵}⌸v', [len(x) for x in g]),
        (f'h←{m}⍴0 ⋄ h[at]+←1 ⋄ h', stored([0] * m, at, [1] * n, lambda a, b: a + b)),
        (f'h←{m}⍴0.5 ⋄ h[at]+←w ⋄ h', stored([0.5] * m, at, w, lambda a, b: a + b)),
        (f'h←{m}⍴0.5 ⋄ h[at]-←w ⋄ h', stored([0.5] * m, at, w, lambda a, b: a - b)),
        (f'h←{m}⍴0 ⋄ h[at]←w ⋄ h', stored([0] * m, at, w, lambda a, b: b)),
        ('t⍸v', [bisect.bisect_right(table, x) for x in v]),
        (f'({" ".join(map(apl, needle))})⍷v',
         [int(v[i:i + len(needle)] == needle) for i in range(n)]),
        ('(v≡0+v),v≢⌽v', [1, int(v != v[::-1])]),
    ]
    return define, own


def same(text, want):
    got = [float(x.replace('¯', '-')) for x in text.split()]
    return len(got) == len(want) and all(float(a) == b for a, b in zip(want, got))


def main():
    p = argparse.ArgumentParser()
    p.add_argument('vapl')
    p.add_argument('--count', type=int, default=20)
    p.add_argument('--seed', type=int, default=1)
    a, options = p.parse_known_args()
    tried = failed = 0
    for seed in range(a.seed, a.seed + a.count):
        define, own = case(random.Random(seed))
        lines = ['⎕PP←17', '⎕PW←30000'] + define
        for text, _ in own:
            *before, last = text.split(' ⋄ ')
            lines += before + ["'='", f'⍪,{last}']
        run = subprocess.run([a.vapl, *options], input='\n'.join(lines) + '\n', text=True,
                             capture_output=True, timeout=600)
        parts = run.stdout.split('=\n')[1:]
        for (text, want), got in zip(own, parts + [''] * len(own)):
            tried += 1
            if not same(got, want):
                failed += 1
                print(f'seed {seed}: {text} gives {got.split()[:5]}, wanted {want[:5]}', run.stderr[:200])
    print(f'groups.py: {tried} expressions, {failed} wrong')
    return failed > 0


if __name__ == '__main__':
    raise SystemExit(main())
