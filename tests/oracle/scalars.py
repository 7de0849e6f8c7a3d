#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scalars.py VAPL [device] - scalar functions, folds, ⊥ and ⊤ of integers against exact arithmetic.

The rule is: an integer result is exact; what does not fit 64 bits is the double nearest to the exact
result, each element by itself, whatever its neighbours are. Python's integers and fractions compute
the exact results from the definitions; nothing of vapl is asked. Arguments are drawn from the edges
of the number formats (2^31, 2^53, 2^63), small numbers and numbers of every size, as vectors and as
a scalar with a vector; a DOMAIN ERROR of vapl must be one of the definition, and the other way round.

Without `device` all runs on the host, by the direct path and by the graph; with it on that device.
"""
import random
import sys
from fractions import Fraction
from math import floor, gcd, prod

from folds import Domain, lcm, residue, run

MIN, MAX = -(2**63), 2**63 - 1
EDGES = [0, 1, -1, 2, -2, 3, 7, -10, 46341, 3037000500, 4294967296]
for at in (2**31, 2**53, 2**62, 2**63):
    EDGES += [v for v in (at - 1, at, at + 1, 1 - at, -at, -at - 1) if MIN <= v <= MAX]


def power(x, y):
    if y < 0 and x == 0:
        raise Domain
    if abs(x) > 1 and y > 1100:
        raise Domain
    if abs(x) < 2:
        y = y and 2 - y % 2
    r = Fraction(x) ** y
    if abs(r) >= 2**1024:
        raise Domain
    return r


def binomial(x, y):
    """x!y of whole numbers, from the limit of (!y)÷(!x)×!y-x; None: too many factors for a test."""
    d = y - x
    if y >= 0:
        if x < 0 or d < 0:
            return 0
        k = min(x, d)
        if k > 400:
            return None
        return prod(range(y - k + 1, y + 1)) // prod(range(1, k + 1))
    if x >= 0:
        r = binomial(x, x - y - 1)
        return r if r is None else r * (-1) ** x
    if d < 0:
        return 0
    r = binomial(-y - 1, -x - 1)
    return r if r is None else r * (-1) ** d


def divide(x, y):
    if y == 0:
        if x == 0:
            return 1
        raise Domain
    return Fraction(x) / y


def nearest(v):
    """The double nearest to an exact number; DOMAIN ERROR where it is too large."""
    if isinstance(v, float):
        return v
    try:
        return float(Fraction(v))
    except OverflowError as e:
        raise Domain from e


def floor_quotient(x, y):
    q = nearest(divide(x, y))
    return floor(q)


def compare(test):
    return lambda x, y: int(test(x, y))


# glyph, definition, bound in units of 2^-53 of the result
DYADS = [
    ('+', lambda x, y: x + y, 0.5),
    ('-', lambda x, y: x - y, 0.5),
    ('×', lambda x, y: x * y, 0.5),
    ('÷', divide, 0.5),
    ('⌊÷', floor_quotient, 0.5),
    ('|', residue, 0.5),
    ('⌈', max, 0.5),
    ('⌊', min, 0.5),
    ('*', power, 0.5),
    ('!', binomial, 4),
    ('∧', lcm, 0.5),
    ('∨', gcd, 0.5),
    ('<', compare(lambda x, y: x < y), 0.5),
    ('≤', compare(lambda x, y: x <= y), 0.5),
    ('=', compare(lambda x, y: x == y), 0.5),
    ('≠', compare(lambda x, y: x != y), 0.5),
    ('≥', compare(lambda x, y: x >= y), 0.5),
    ('>', compare(lambda x, y: x > y), 0.5),
]
MONADS = [
    ('-', lambda y: -y),
    ('|', abs),
    ('×', lambda y: (y > 0) - (y < 0)),
    ('⌈', lambda y: y),
    ('⌊', lambda y: y),
    ('÷', lambda y: divide(1, y) if y else divide(1, 0)),
]


def whole(rng, most=63):
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice([v for v in EDGES if abs(v) <= 2**most])
    if kind == 1:
        return rng.randint(-20, 20)
    v = rng.randint(MIN, MAX) >> rng.randint(64 - most, 62)
    return v - v % rng.choice([1, 1, 2, 3, 10]) if abs(v) > 100 else v


def text(values):
    t = ' '.join(str(v) if isinstance(v, int) else repr(v) for v in values).replace('-', '¯').replace('e', 'E')
    return t if len(values) > 1 else ',' + t


class Case:
    """An expression, its exact results (None: a DOMAIN ERROR), and how far a float may be off. Unless
    it gives `floats`, results that all fit 64 bits are exact."""

    def __init__(self, expression, results, ulps=0.5, floats=False):
        self.expression, self.ulps = expression, ulps
        try:
            self.exact = results()
            if not any(v is None for v in self.exact):
                self.floats = [nearest(v) for v in self.exact]
                self.fits = not floats and all(v == int(v) and MIN <= v <= MAX for v in self.exact)
        except Domain:
            self.exact = None

    def skipped(self):
        return self.exact is not None and None in self.exact

    def right(self, got):
        if self.exact is None:
            return got == 'ERR'
        tokens = got.replace('¯', '-').split()
        return got != 'ERR' and len(tokens) == len(self.exact) and all(map(self.one, tokens, self.exact, self.floats))

    def one(self, token, exact, near):
        if '.' not in token and 'E' not in token and int(token) == exact:
            return True
        value = float(token)
        if self.fits and value != exact:
            return False
        if value == near:
            return True
        return self.ulps > 0.5 and abs(Fraction(value) - Fraction(exact)) <= self.ulps * Fraction(2) ** -53 * abs(exact)


def dyads(rng, n):
    for glyph, f, ulps in DYADS:
        small = glyph in '!*'
        for form in range(4):
            x = [whole(rng) for _ in range(n)]
            y = [whole(rng) for _ in range(n)]
            if small and form < 3:
                x, y = [v % 40 for v in x], [v % 45 for v in y]
                if form == 1:
                    x[0], y[0] = (3, 50) if glyph == '*' else (20, 90)
                if form == 2 and glyph == '!':
                    x, y = [v % 3 for v in x], [whole(rng) for _ in y]
            if glyph == '!':  # 1!MIN is MIN, by a number of 2^63 elements
                y = [max(v, MIN + 100) for v in y]
            if form == 0 and not small:  # nothing leaves 64 bits
                x, y = [v >> 33 for v in x], [v >> 33 for v in y]
            if form == 2:
                x = x[:1]
            if form == 3:
                y = y[:1]
            if glyph in '÷⌊÷' and rng.random() < 0.8:
                y = [v or 1 for v in y]
            if glyph == '*' and form == 3:
                y = [2]
            pairs = [(x[i % len(x)], y[i % len(y)]) for i in range(n)]

            def results(pairs=pairs, f=f):
                return [f(a, b) for a, b in pairs]

            e = f'({text(x)}){glyph}{text(y)}'
            if glyph == '⌊÷':
                e = f'⌊({text(x)})÷{text(y)}'
            bound = ulps
            if glyph == '*' and any(b < 0 for _, b in pairs):
                bound = 4
            yield Case(e, results, bound, glyph == '÷')


def mixed(rng, n):
    """An integer that meets a float is the nearest float first."""
    for glyph, f, _ in DYADS[:3] + DYADS[5:8]:
        x = [whole(rng) for _ in range(n)]
        y = [whole(rng, 40) / 8 + 0.125 for _ in range(n)]
        a, b = [Fraction(nearest(v)) for v in x], [Fraction(v) for v in y]
        if glyph == '|':
            x, a = y, b
            y = [float(rng.randint(-(2**40), 2**40)) / 4 for _ in range(n)]
            b = [Fraction(v) for v in y]
        yield Case(f'({text(x)}){glyph}{text(y)}', lambda a=a, b=b, f=f: [f(v, w) for v, w in zip(a, b)], 0.5, True)


def monads(rng, n):
    for glyph, f in MONADS:
        y = [whole(rng) for _ in range(n)]
        yield Case(f'{glyph}{text(y)}', lambda y=y, f=f: [f(v) for v in y], 0.5, glyph == '÷')


def fold(f, v):
    """From the right; None: what follows would be of a number that has been rounded."""
    r = v[-1]
    for x in v[-2::-1]:
        r = None if abs(r) > MAX else f(x, r)
        if r is None:
            break
    return r


def alternating(v):
    return sum(x if i % 2 == 0 else -x for i, x in enumerate(v))


def folds(rng, n):
    table = [('+', sum), ('-', alternating), ('⌈', max), ('⌊', min), ('×', prod),
             ('∧', lambda v: fold(lcm, v)), ('∨', lambda v: fold(gcd, v))]
    for glyph, f in table:
        v = [whole(rng) for _ in range(n)]
        if glyph == '×' and rng.random() < 0.5:
            v = [rng.choice([1, 1, 1, -1, 2, 3, 5, 2**31]) for _ in v]
        if glyph == '∧':
            v = [rng.choice([1, 2, 3, 4, 6, 9007199254740992, 9007199254740993, 5, 7, 3, 2]) for _ in v]
        rows = [v[i : i + 5] for i in range(0, n, 5)]
        bound = 4 * n if glyph in '×∧' else 0.5
        yield Case(f'{glyph}/{text(v)}', lambda f=f, v=v: [f(v)], bound)
        yield Case(f'{glyph}\\{text(v)}', lambda f=f, v=v: [f(v[: i + 1]) for i in range(len(v))], bound)
        if n % 5 == 0:
            e = f'{n // 5} 5⍴{text(v)}'
            yield Case(f'{glyph}/{e}', lambda f=f, rows=rows: [f(r) for r in rows], bound)
            columns = list(zip(*rows))
            yield Case(f'{glyph}⌿{e}', lambda f=f, columns=columns: [f(list(r)) for r in columns], bound)


def digits(radices, v):
    out = []
    for w in reversed(radices):
        d = residue(w, v)
        out.append(d)
        v = (v - d) // w if w else 0
    return out[::-1]


def radix(rng, n):
    for radices in ([10] * 4, [24, 60, 60], [0, 60, 60], [2] * 64, [-3, 5, 7], [7, 0, 2**40, 2**40]):
        y = [whole(rng) for _ in range(n)]
        if -2**63 in y and -1 in radices:
            continue
        columns = [digits(radices, v) for v in y]
        yield Case(f'({text(radices)})⊤{text(y)}', lambda c=columns: [d for row in zip(*c) for d in row])
    for base in (2, 10, -3, 2**20):
        rows = [[whole(rng, 20) for _ in range(4)] for _ in range(n)]
        rows[0] = [MAX, 1, 1, 1] if base == 2 else rows[0]

        def value(row, base=base):
            r = 0
            for d in row:
                r = r * base + d
            return r

        flat = [d for row in rows for d in row]
        yield Case(f'{text([base])}⊥⍉{n} 4⍴{text(flat)}', lambda rows=rows, value=value: [value(r) for r in rows])
        yield Case(f'{base}'.replace('-', '¯') + f'⊥⍤1⊢{n} 4⍴{text(flat)}',
                   lambda rows=rows, value=value: [value(r) for r in rows])


def check(vapl, options, lengths, seed, tune):
    rng = random.Random(seed)
    cases = []
    for n in lengths:
        for make in (dyads, mixed, monads, folds, radix):
            cases += [c for c in make(rng, n) if not c.skipped()]
    out = run(vapl, options, ['⎕PP←34'] + ["{0::⎕←'ERR' ⋄ ⎕←,%s}0" % c.expression for c in cases], tune)
    if len(out) < len(cases):
        sys.exit(f'{len(out)} lines for {len(cases)} expressions; the last is {out[-2:]}')
    wrong = [(c, got) for c, got in zip(cases, out) if not c.right(got)]
    for c, got in wrong[:12]:
        want = 'ERR' if c.exact is None else ' '.join(map(str, c.floats))
        print(f'{c.expression[:600]}\n   gives {got[:300]}\n   is    {want[:300]}')
    print(f'{len(cases) - len(wrong)} passed, {len(wrong)} failed')
    return len(wrong)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if len(sys.argv) > 2:
        failed = check(sys.argv[1], ['--device', sys.argv[2]], [2, 5, 35] * 3, 3, 'direct=0')
    else:
        failed = check(sys.argv[1], ['--device', 'host'], [1, 2, 3, 5, 10, 40] * 10, 1, '')
        failed += check(sys.argv[1], ['--device', 'host'], [2, 5, 10, 65] * 8, 2, 'direct=0')
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
