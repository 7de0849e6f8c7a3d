#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""products.py VAPL [device] [--all] - x f.g y of pairs of scalar functions, against definitions.

Every pair of 9 functions f and 11 g goes through matrices of truth values, integers and quarters,
of odd lengths and empty ones, and is compared exactly with Python's integers and fractions; +.× and
⌊.+ of floats are compared bit by bit with a triple loop in the order of src/prim/inner_product.h. Infinite
partial results are errors of both. Without `device` on the host; by --all at every size.
"""
import os
import random
import struct
import subprocess
import sys
from fractions import Fraction

BLOCK = 512
F = {
    '+': lambda v: sum(v), '×': None, '-': None, '⌊': min, '⌈': max,
    '∧': lambda v: int(all(v)), '∨': lambda v: int(any(v)),
    '≠': lambda v: sum(v) % 2, '=': lambda v: (len(v) - 1 + sum(v)) % 2 if v else 1,
}


def alternating(v):
    return sum(x if i % 2 == 0 else -x for i, x in enumerate(v))


def product(v):
    r = 1
    for x in v:
        r *= x
    return r


F['-'], F['×'] = alternating, product
G = {
    '+': lambda a, b: a + b, '-': lambda a, b: a - b, '×': lambda a, b: a * b,
    '⌊': min, '⌈': max, '<': lambda a, b: int(a < b), '≤': lambda a, b: int(a <= b),
    '=': lambda a, b: int(a == b), '≥': lambda a, b: int(a >= b), '>': lambda a, b: int(a > b),
    '≠': lambda a, b: int(a != b),
}
TRUTHS = '<≤=≥>≠'
SIZES = [(1, 1, 3), (1, 7, 1), (2, 33, 5), (31, 32, 3), (3, 65, 17), (33, 2, 31), (5, 129, 4)]
LONG = [(2, 511, 3), (2, 513, 2), (1, 1000, 2), (3, 1025, 1), (1, 4097, 2)]


def single(x):
    return struct.unpack('f', struct.pack('f', x))[0]


def text(v):
    s = repr(v) if isinstance(v, float) else str(v)
    return s.replace('-', '¯').replace('e', 'E').replace('+', '')


def matrix(rows):
    flat = ' '.join(text(float(x) if isinstance(x, Fraction) else x) for r in rows for x in r)
    return f'{len(rows)} {len(rows[0])}⍴{flat}'


def draw(kind, m, n, rnd):
    one = {
        'bit': lambda: rnd.randint(0, 1), 'int': lambda: rnd.randint(-9, 9),
        'quarter': lambda: Fraction(rnd.randint(-20, 20), 4),
        'flt': lambda: rnd.uniform(-1, 1), 'f32': lambda: single(rnd.uniform(-1, 1)),
    }[kind]
    return [[one() for _ in range(n)] for _ in range(m)]


def by_blocks(values, add, first, rounded):
    total = None
    for at in range(0, len(values), BLOCK):
        acc = first
        for x in values[at:at + BLOCK]:
            acc = rounded(add(acc, x))
        total = acc if total is None else rounded(add(total, acc))
    return total


def wanted(f, g, kind, x, y):
    rows, columns = x, list(zip(*y))
    if kind in ('flt', 'f32'):
        r = single if kind == 'f32' else float
        fold = (lambda a, b: a + b, -0.0) if f == '+' else (lambda a, b: b if b < a else a, float('inf'))
        return [by_blocks([r(G[g](a, b)) for a, b in zip(p, q)], *fold, r) for p in rows for q in columns]
    return [F[f]([G[g](a, b) for a, b in zip(p, q)]) for p in rows for q in columns]


def cases(everything):
    rnd = random.Random(11)
    for f in F:
        for g in G:
            kinds = ['bit']
            if f in '+-⌊⌈' or g in TRUTHS:
                kinds += ['int', 'quarter']
            elif f in '∧∨≠=':
                kinds = ['bit'] if g in '×⌊⌈' + TRUTHS else []
            for kind in kinds:
                if f == '×' and g not in '×⌊⌈' + TRUTHS:
                    continue
                some = SIZES + LONG if everything else rnd.sample(SIZES, 2) + rnd.sample(LONG, 1)
                for m, k, n in some:
                    yield f, g, kind, draw(kind, m, k, rnd), draw(kind, k, n, rnd)
    for f, g in (('+', '×'), ('+', '-'), ('⌊', '+')):
        for kind in ('flt', 'f32'):
            for m, k, n in SIZES + LONG:
                yield f, g, kind, draw(kind, m, k, rnd), draw(kind, k, n, rnd)


def line(f, g, kind, x, y):
    w = wanted(f, g, kind, x, y)
    if kind == 'f32':
        return f'(,(⎕F32 {matrix(x)}){f}.{g}⎕F32 {matrix(y)}) same ⎕F32 {matrix([w])}'
    return f'(,({matrix(x)}){f}.{g}{matrix(y)}) same {matrix([w])}'


def main():
    vapl, options = sys.argv[1], [a for a in sys.argv[2:] if a != '--all']
    todo = list(cases('--all' in sys.argv))
    program = ['⎕CT←0', 'same←{⎕CT←0 ⋄ ⎕←⍺≡,⍵}'] + [line(*c) for c in todo]
    command = [vapl, '--device', options[0] if options else 'host', '-']
    run = subprocess.run(command, env={**os.environ, 'VAPL_TUNE': 'direct=0'}, input='\n'.join(program) + '\n',
                         capture_output=True, text=True)
    got = run.stdout.split()
    bad = [c for c, r in zip(todo, got) if r != '1']
    for f, g, kind, x, y in bad[:10]:
        print(f'{f}.{g} of {kind}, {len(x)}×{len(y)}×{len(y[0])}: differs')
    if len(got) != len(todo):
        print(f'{len(got)} results of {len(todo)}:', run.stderr[:300])
    print(f'{len(todo)} products, {len(bad)} differ')
    sys.exit(bool(bad) or len(got) != len(todo))


main()
