#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""folds.py VAPL [device] - 59 functions, folded and scanned by vapl, against exact arithmetic.

Each function is written twice: in APL, and in Python on fractions, from its definition. Random
arrays of every type and several lengths go through f/ and f\\ and (f⍠'Forward' 1)\\, and each
result is compared: integers and what stays exact bit by bit, other floats within the bound that
docs/folds.md gives, which an evaluation of the same function on magnitudes (`size`) makes exact
for the data. An error of vapl must be an error of the definition, and the other way round.

Without `device` everything runs on the host, once by the direct path and once by the graph;
with it on that device, on fewer arrays. `folds.py VAPL --time [options of vapl]` prints a table of
the nanoseconds for an element at a million elements instead (fewer, said, where that takes long).
"""
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction
from math import comb, floor, gcd


class Domain(Exception):
    """A DOMAIN ERROR."""


def divide(v, x):
    if x == 0:
        if v == 0:
            return 1
        raise Domain
    return Fraction(v) / x


def residue(v, x):
    return x if v == 0 else x - v * floor(Fraction(x) / v)


def power(v, x):
    if v == 0 and x < 0 or v > 1 and x > 1020:
        raise Domain
    return 1 if v == 1 or x == 0 else 0 if v == 0 else v**x


def lcm(v, x):
    return 0 if v == 0 or x == 0 else v * x // gcd(v, x)


def truth(*values):
    if any(v not in (0, 1) for v in values):
        raise Domain


def nand(v, x):
    truth(v, x)
    return 1 - (v & x)


def nor(v, x):
    truth(v, x)
    return 1 - (v | x)


ANY = 'bit nat int eighth'
SMOOTH = 'bit nat int eighth flt f32'
HUGE = SMOOTH + ' big'

# APL, the definition, on which data, its size (None: nothing is ever rounded), longest line
FUNCTIONS = [
    ('+', lambda v, x: v + x, HUGE, lambda v, x: v + x),
    ('-', lambda v, x: v - x, HUGE, lambda v, x: v + x),
    ('×', lambda v, x: v * x, 'bit nat int flt f32', lambda v, x: v * x),
    ('÷', divide, 'bit nat int pos', lambda v, x: v / x if x else 1),
    ('⌈', max, HUGE, None),
    ('⌊', min, HUGE, None),
    ('|', residue, ANY, None),
    ('*', power, 'bit nat', lambda v, x: float(power(int(v), int(x))), 4),
    ('!', lambda v, x: comb(x, v), 'bit', None, 6),
    ('<', lambda v, x: int(v < x), HUGE, None),
    ('≤', lambda v, x: int(v <= x), HUGE, None),
    ('=', lambda v, x: int(v == x), HUGE, None),
    ('≥', lambda v, x: int(v >= x), HUGE, None),
    ('>', lambda v, x: int(v > x), HUGE, None),
    ('≠', lambda v, x: int(v != x), HUGE, None),
    ('∧', lcm, 'bit nat', None),
    ('∨', gcd, 'bit nat', None),
    ('⍲', nand, 'bit int', None),
    ('⍱', nor, 'bit int', None),
    ('⊣', lambda v, x: v, HUGE, None),
    ('⊢', lambda v, x: x, HUGE, None),
    # compositions and trains
    ('-⍨', lambda v, x: x - v, SMOOTH, lambda v, x: v + x),
    ('÷⍨', lambda v, x: divide(x, v), 'bit nat pos', lambda v, x: x / v if v else 1),
    ('|⍨', lambda v, x: residue(x, v), ANY, None),
    ('<⍨', lambda v, x: int(x < v), ANY, None),
    ('(+∘-)', lambda v, x: v - x, SMOOTH, lambda v, x: v + x),
    ('(+∘÷)', lambda v, x: v + divide(1, x), 'pos', lambda v, x: v + 1 / x),
    ('(×∘-)', lambda v, x: -v * x, 'bit nat int flt', lambda v, x: v * x),
    ('(-∘|)', lambda v, x: v - abs(x), ANY, None),
    ('(⌈∘-)', lambda v, x: max(v, -x), ANY, None),
    ('(⊢-⊣)', lambda v, x: x - v, SMOOTH, lambda v, x: v + x),
    ('(⌈-⌊)', lambda v, x: abs(v - x), ANY, None),
    ('(2÷⍨+)', lambda v, x: Fraction(v + x) / 2, SMOOTH, lambda v, x: (v + x) / 2),
    ('(⊣+2×⊢)', lambda v, x: v + 2 * x, HUGE, lambda v, x: v + 2 * x),
    ('(×-+)', lambda v, x: v * x - (v + x), 'bit nat flt f32', lambda v, x: v * x + v + x),
    # dfns: affine
    ('{⍺-⍵}', lambda v, x: v - x, HUGE, lambda v, x: v + x),
    ('{⍺+2×⍵}', lambda v, x: v + 2 * x, HUGE, lambda v, x: v + 2 * x),
    ('{⍺+0.5×⍵}', lambda v, x: v + Fraction(x) / 2, SMOOTH, lambda v, x: v + x / 2),
    ('{⍺-⍵÷3}', lambda v, x: v - Fraction(x) / 3, SMOOTH, lambda v, x: v + x / 3),
    ('{⍵+⍺×⍺}', lambda v, x: x + v * v, SMOOTH, lambda v, x: x + v * v),
    ('{1+⍺×⍵}', lambda v, x: 1 + v * x, 'bit nat flt f32', lambda v, x: 1 + v * x),
    ('{⍺×1-⍵}', lambda v, x: v * (1 - x), 'bit int flt', lambda v, x: v * (1 + x)),
    ('{a←⍺×2⋄a-⍵}', lambda v, x: 2 * v - x, SMOOTH, lambda v, x: 2 * v + x),
    # bounded
    ('{0⌈⍺+⍵}', lambda v, x: max(0, v + x), HUGE, lambda v, x: v + x),
    ('{¯5⌈20⌊⍺+⍵}', lambda v, x: max(-5, min(20, v + x)), SMOOTH, lambda v, x: v + x + 20),
    ('{⍺⌈0.5×⍵}', lambda v, x: max(v, Fraction(x) / 2), SMOOTH, lambda v, x: max(v, x / 2)),
    ('{⍺⌈3⌊⍵}', lambda v, x: max(v, min(3, x)), HUGE, None),
    ('{1⌊⍺+0⌈⍵}', lambda v, x: min(1, v + max(0, x)), ANY, None),
    ('{⍺>⍵:⍺⋄⍵}', max, ANY, None),
    # quotients
    ('{⍺+÷⍵}', lambda v, x: v + divide(1, x), 'pos', lambda v, x: v + 1 / x),
    ('{(⍺+⍵)÷1+⍵}', lambda v, x: divide(v + x, 1 + x), 'bit pos', lambda v, x: (v + x) / (1 + x)),
    # states
    ('{3|⍺+⍵}', lambda v, x: (v + x) % 3, 'bit nat int', None),
    ('{8|⍺+3×⍵}', lambda v, x: (v + 3 * x) % 8, 'bit nat int', None),
    ('{~⍺∧⍵}', nand, 'bit', None),
    ('{(⍺=1)≠⍵}', lambda v, x: int((v == 1) != x), ANY, None),
    # of no class
    ('{⍺=0:0⋄⍵+1}', lambda v, x: 0 if v == 0 else x + 1, ANY, None),
    ('{|⍺-⍵}', lambda v, x: abs(v - x), ANY, None),
    ('{⌊(⍺+⍵)÷2}', lambda v, x: floor(Fraction(v + x) / 2), 'bit nat int', None),
    ('{⍺>0:⍵+⍺⋄⍵-1}', lambda v, x: x + v if v > 0 else x - 1, ANY, None),
]


def f32(v):
    import struct

    return struct.unpack('f', struct.pack('f', v))[0]


def datum(kind, rng):
    if kind == 'bit':
        return rng.randint(0, 1)
    if kind == 'nat':
        return rng.randint(0, 3)
    if kind == 'int':
        return rng.randint(-9, 9)
    if kind == 'big':
        return rng.randint(-(2**62), 2**62) >> rng.randint(0, 60)
    if kind == 'eighth':
        return rng.randint(-32, 32) / 8
    if kind == 'pos':
        return rng.uniform(0.1, 2)
    if kind == 'f32':
        return f32(rng.uniform(-1, 1))
    return rng.uniform(-1, 1)


def literal(kind, values):
    text = ' '.join((repr(v) if kind not in 'bit nat int big'.split() else str(v)) for v in values)
    text = text.replace('-', '¯').replace('e', 'E')
    if len(values) == 1:
        text = ',' + text
    return '⎕F32 ' + text if kind == 'f32' else text


LONG = 140  # from here on fractions keep 300 bits, and not all results are compared


def shortened(r):
    if not isinstance(r, Fraction) or r.denominator.bit_length() < 400:
        return r
    places = 300 - r.numerator.bit_length() + r.denominator.bit_length()
    unit = Fraction(2) ** -places
    return round(r / unit) * unit


class Line:
    """What a fold of these values gives: the exact value, its size, and whether it left i64."""

    def __init__(self, function, kind, values):
        self.f, self.size_of = function[1], function[3]
        self.narrow = kind == 'f32'
        self.whole = kind in 'bit nat int big'.split()
        self.values = values if self.whole else [Fraction(v) for v in values]

    def first(self, i):
        return self.values[i], abs(float(self.values[i])), False

    def step(self, i, state):
        x, size, left = state
        v = self.values[i]
        r = self.f(v, x)
        if len(self.values) > LONG:
            r = shortened(r)
        if abs(r) >= 2 ** (128 if self.narrow else 1024):
            raise Domain
        if not self.size_of:
            size = abs(float(r))
        else:
            size = max(self.size_of(abs(float(v)), size), abs(float(r)))
        if self.whole and abs(r) >= 2**63:
            left = True
        return r, size, left

    def reduce(self, n):
        state = self.first(n - 1)
        for i in range(n - 2, -1, -1):
            state = self.step(i, state)
        return state

    def results(self, way):
        n = len(self.values)
        if way == '/':
            return [self.reduce(n)]
        if way == '\\':
            return [self.reduce(j + 1) for j in self.places(way)]
        state = self.first(0)
        out = [state]
        for i in range(1, n):
            state = self.step(i, state)
            out.append(state)
        return [out[j] for j in self.places(way)]

    def places(self, way):
        """The results that are compared, of f\\ few of a long line."""
        n = len(self.values)
        if n <= LONG or way == '/':
            return range(n)
        if way == '\\':
            return [0, 1, LONG + 10, n // 3, n - 2, n - 1]
        return sorted({*range(0, n, 1 + n // 1000), n - 1})


def right(got, state, kind, n, exact):
    """Is the text that vapl printed this value?"""
    r, size, left = state
    try:
        value = float(got.replace('¯', '-'))
    except ValueError:
        return False
    if not re.search('[.E]', got) and int(got.replace('¯', '-')) == r:
        return True
    whole = r == int(r)
    if whole and abs(r) < 2**53 and (exact or kind in 'bit nat int'.split()) and not left:
        return value == r
    if not left and exact and kind in 'eighth pos flt f32'.split():
        return value == float(r)
    unit, least = (2.0**-24, 2.0**-75) if kind == 'f32' else (2.0**-53, 2.0**-890)
    return abs(Fraction(value) - r) <= Fraction((4 * n + 8) * (unit * size + least))


WAYS = ['/', '\\', 'forward']


def expression(text, way, name):
    if way == 'forward':
        return f"({text}⍠'Forward' 1)\\{name}"
    return f'{text}{way}{name}'


def cases(lengths, seed):
    rng = random.Random(seed)
    script, expected = [], []
    for function in FUNCTIONS:
        text, _, kinds = function[:3]
        longest = function[4] if len(function) > 4 else 1 << 30
        kinds = kinds.split()
        for kind in kinds:
            for n in lengths:
                if n > 1000 and kind != kinds[len(text) % len(kinds)]:
                    continue
                n = min(n, longest)
                line = Line(function, kind, [datum(kind, rng) for _ in range(n)])
                script.append('v←' + literal(kind, [v if line.whole else float(v) for v in line.values]))
                for way in WAYS:
                    e = expression(text, way, 'v')
                    pick = ''
                    if n > LONG and way != '/':
                        pick = '[' + ' '.join(str(j + 1) for j in line.places(way)) + ']'
                    script.append("{0::⎕←'ERR' ⋄ ⎕←(,%s)%s}0" % (e, pick))
                    try:
                        states = line.results(way)
                    except Domain:
                        states = None
                    expected.append((e, kind, n, states, not function[3], line))
    return script, expected


def run(vapl, options, script, tune):
    with tempfile.NamedTemporaryFile('w', suffix='.apl', encoding='utf-8', delete=False) as f:
        f.write('⎕PP←17\n⎕PW←30000\n⎕CT←0\n' + '\n'.join(script) + '\n')
    try:
        env = dict(os.environ, VAPL_TUNE=tune)
        done = subprocess.run([vapl, *options, f.name], capture_output=True, timeout=900, env=env)
    finally:
        os.unlink(f.name)
    if done.returncode:
        sys.exit('vapl: ' + done.stderr.decode()[-400:] + done.stdout.decode()[-400:])
    return done.stdout.decode('utf-8').split('\n')


def check(vapl, options, lengths, seed, tune):
    script, expected = cases(lengths, seed)
    out = run(vapl, options, script, tune)
    failed = 0
    if len(out) < len(expected):
        sys.exit(f'{len(out)} lines for {len(expected)} expressions; the last is {out[-2:]}')
    for (e, kind, n, states, exact, line), got in zip(expected, out):
        if states is None:
            good, what = got == 'ERR', 'an error'
        else:
            tokens = got.split()
            good = len(tokens) == len(states)
            what = f'{len(states)} values'
            for token, state in zip(tokens, states):
                if good and not right(token, state, kind, n, exact):
                    good, what = False, f'{float(state[0])!r} for {token}'
        if not good:
            failed += 1
            if failed <= 12:
                print(f'{e}  {kind} {n}: {got[:60]}, not {what}')
                print('   v←' + literal(kind, [v if line.whole else float(v) for v in line.values])[:300])
    print(f'{len(expected) - failed} passed, {failed} failed')
    return failed


# ── the table ──

ARRAY = {
    'bit': '1=?N⍴2',
    'nat': '¯1+?N⍴4',
    'int': '10-?N⍴19',
    'flt': '¯1+2×?N⍴0',
    'pos': '0.9+0.2×?N⍴0',
}
# What would leave the numbers otherwise
TIMED_ON = {'×': 'pos', '(×∘-)': 'pos', '*': 'bit', '⍲': 'bit', '⍱': 'bit'}
UNITS = {'s': 1e9, 'ms': 1e6, 'µs': 1e3, 'ns': 1}


def timed(vapl, options, array, text, n):
    """Nanoseconds for an element and the plan of one expression; None where it takes too long."""
    script = f'v←{array.replace("N", str(n))}\n]time -5 {text}\n]plan {text}\n'
    try:
        done = subprocess.run([vapl, *options], input=script.encode(), capture_output=True, timeout=10)
    except subprocess.TimeoutExpired:
        return None
    out = done.stdout.decode()
    found = re.search(r'best ([0-9.]+) (s|ms|µs|ns) of', out)
    if not found:
        return None
    return float(found[1]) * UNITS[found[2]] / n, out


def place(plan):
    """Where it ran, and by which class, as ]plan has it."""
    found = re.search(r'^  (class: |sequential: )(.*)$', plan, re.M)
    where = re.search(r'^  on (.*)$', plan, re.M)
    if not where:
        return 'at once, call by call'
    where = where[1].split(',')[0]
    if not found:
        return where
    text = found[2] if found[1] == 'class: ' else 'one after the other: ' + found[2]
    return f'{where}, {text}'


def table(vapl, options):
    print('| function | of | `f/` | `f\\` | forward | where |\n|---|---|---|---|---|---|')
    for function in FUNCTIONS:
        text, _, kinds = function[:3]
        kind = TIMED_ON.get(text) or next(k for k in ('flt', 'pos', 'int', 'nat', 'bit') if k in kinds.split())
        cells, where = [], ''
        for way in WAYS:
            e = expression(text, way, 'v')
            r = None
            for n in (1000, 30000, 1000000):
                more = timed(vapl, options, ARRAY[kind], e, n)
                if more is None:
                    break
                r, of = more, n
                if r[0] * n > 2e8:
                    break
            if r is None:
                cells.append('–')
                continue
            cells.append(f'{r[0]:.1f}' + ('' if of == 1000000 else f' ({of})'))
            if way == '\\':
                where = place(r[1])
        print(f"| `{text.replace('|', chr(92) + '|')}` | {kind} | {' | '.join(cells)} | {where} |", flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    vapl = sys.argv[1]
    assert len(FUNCTIONS) == 59, len(FUNCTIONS)
    if '--time' in sys.argv:
        table(vapl, sys.argv[3:])
        return
    if len(sys.argv) > 2:
        failed = check(vapl, ['--device', sys.argv[2]], [300, 9001], 3, 'direct=0')
    else:
        failed = check(vapl, ['--device', 'host'], [1, 2, 3, 7, 40, 300], 1, '')
        failed += check(vapl, ['--device', 'host'], [2, 5, 33, 131, 4001], 2, 'direct=0')
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
