#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""programs.py VAPL [--count N] [--seed N] [--device NAME] [--ranks N,N…] [--long] [--trees] [--phrases] - random programs, each way the same.

Programs are lines of APL over vectors of one length (and tables of as many elements) of every type,
drawn from the forms below: scalar functions, movement, indexing, stores, selection, sets, folds,
functions of cells, random numbers, digits, divisors. Each runs on the direct path (the reference), by
the block interpreter with what moves elements in kernels too, with loops at once of up to 200 elements
and kernels beyond, and, with --device, on that device with and without fusion: the same text must come
out, the same error, too; how much fits in the memory may differ. --trees grows trees of expressions
instead, over arrays of every kind (trees.py), --phrases functions and assignments (phrases.py). --long
adds lengths of 65537 and 2^20+1. The seed of a program that differs is printed, with the program.

--ranks 2,3,5: instead of those ways each runs on so many ranks (vapl -n), where arrays of two rows, or of
--tune cut_from=N elements, are cut already, and on one. Batches of programs share a job; one that does not
end in --limit seconds is ended, its program named, and the rest goes on.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

import phrases
import trees

LENGTHS = [0, 1, 2, 3, 12, 31, 32, 33, 60, 127, 128, 1023, 1024, 1025]
MIDDLE = [4095, 4096, 4097, 12 * 1000]
LONG = [65537, 2**20 + 1]

# a form gives a vector of the length n from vectors: B bits, I small whole numbers, J any integers,
# F floats, V any numbers, P a permutation, C characters; k is a small number, N the length, R C the
# shape of a table of N elements (where it has one)
FORMS = [
    ('V', ['V+V', 'V-V', 'V×V', 'V⌈V', 'V⌊V', 'k+V', 'V×k', 'k|V', 'V|V', '-V', '|V', '×V', '⌽V', 'V[P]']),
    ('B', ['V>V', 'V≤k', 'B∧B', 'B∨B', 'B≠B', '~B', 'V=V', 'V≠k', 'I∊I', 'I∊k k', '≠I', 'C=C', 'C∊C', '≠\\B', '<\\B', 'B⍲B']),
    ('F', ['V÷k', 'F×F', '⍟1+|F', '*k|F', '0.5*⍨|F', '1○F', '○F', 'V×0.5', 'F÷1+|V', '+\\F', '?N⍴0', 'F*2', '2 1○[0]F', '⌈\\F']),
    ('I', ['⌊F', 'I∨I', 'I∧I', 'I∨k', '100|J', 'N⍴⍳N', '⍋V', '⍒V', '?N⍴6', '?1+|I', 'I⍳I', '+\\B', '+\\I', '⌈\\I', 'N↑⍸B',
            '10⊥⍉N 2⍴9|I,I', '2⊥¨B', '(2⍴7)⊥(2⍴7)⊤I', '+⌿(3⍴7)⊤I', '+/(N 2⍴I)', 'I⌊5', '⊢/N 1⍴I', 'k!12|I', '!9|I', 'N↑∪I',
            '(∪I)⍳I', 'I×2*k', '⌊I÷7', '⌊0.5+I÷3', '(-k)|I', 'N⍴+/I', 'I-⌊/0,I', '⌊\\I']),
    ('J', ['J+J', 'J-J', 'J×I', 'J×J', 'J∨J', 'J∧I', 'I*3', 'J⌈J', 'J|J', '3|J', 'J[P]', '+\\J', '⌊J÷1+|I', 'J÷k']),
    ('V', ['k⌽V', '⌽V', 'N↑k↓V', '(-N)↑(-k)↓V', 'N⍴V', 'N↑V,V', 'V[⍋V]', 'V[⍒I]', 'N↑B/V', 'N↑(k|I)/V', 'N↑B\\(+/B)↑V', 'N⍴V,k',
            '(0@(⍸B))V', '(-@(⍸B))V', 'x⊣x[P]←V⊣x←V', 'x⊣x[P]+←I⊣x←I', 'x⊣x[1+N|I]+←1⊣x←I', 'x⊣x[1+N|I]←V⊣x←V', 'x⊣(B/x)←0⊣x←V',
            'N↑I~k k', 'N↑I∪k', 'N↑I∩I', 'N⍴⌈/V', 'N⍴V[⍋V]', 'N↑V⍸V', '{⍵>0:⍵ ⋄ -⍵}¨V', '{⍵+k}¨V', '{⍵×⍵}⍤0⊢V', 'V{⍺+2×⍵}¨V',
            '{⍵<9:⍵ ⋄ ∇ ⌊⍵÷2}¨|I', '{⍵÷2}⍣3⊢V', '{k⌈⍵}\\V', '{0⌈⍺+⍵}\\I', '-\\V', 'N↑3+/V', 'N↑2-/V', 'N↑{+/⍵}¨B⊂V', 'N↑+/¨B⊂I',
            'N↑{≢⍵}⌸k|I', 'N↑{+/⍵}⌸k|I', 'N↑⌽¨V', 'N↑⊃¨V V', '∊V', '⍉V', 'N↑,V∘.×k k', 'N⍴+/V∘.=⍳3', '⊖V', ',V', '{⍵}⌺3⊢V' ' ⊣ 0']),
]
TABLES = [',⍉M', ',⌽M', ',⊖M', ',k⌽M', ',k⊖M', ',(R⍴⍳3)⌽M', ',M[⍋M[;1];]', ',M[;⌽⍳C]', ',R C↑1 1↓M', ',+\\M', ',+⍀M', ',⌈\\M', 'N⍴+/M', 'N⍴⌈⌿M',
          ',{⍵-⌊/⍵}⍤1⊢M', ',{⍵÷1+⌈/|⍵}⍤1⊢M', 'N⍴{+/⍵}⍤1⊢M', ',⌽⍤1⊢M', ',{k⌽⍵}⍤1⊢M', 'N⍴2⊥⍤1⊢B2', 'N⍴2⊥⍉B2', ',M+⍤1⊢M[1;]', 'N⍴,0 1↓M',
          ',({+/,⍵}⌺3 3)M', 'N⍴1 1⍉M', ',M,[1]M', 'N⍴,M⍪M', 'N⍴M+.×⍉M', ',M∘.+⍳1', 'N⍴,∪M', 'N⍴,(⊂1 1)⌷M', ',{⍵[⍋⍵]}⍤1⊢M', 'N⍴⊢/M', 'N⍴⊣/M']


class Writer:
    """Writes one program; names are by kind."""

    def __init__(self, rng, n):
        self.rng, self.n, self.count = rng, n, 0
        self.names = {k: [] for k in 'BIJFPC'}
        self.lines = []
        self.columns = rng.choice([c for c in (1, 2, 3, 4, 7, 12, 32) if n and n % c == 0] or [0])
        self.data()

    def name(self, kind, expression):
        self.count += 1
        name = f'{kind.lower()}{self.count}'
        self.lines.append(f'{name}←{expression}')
        self.names[kind].append(name)

    def literal(self, values):
        text = ' '.join(str(v) for v in values).replace('-', '¯').replace('e', 'E')
        return text if len(values) != 1 else ',' + text

    def cycled(self, values):
        return f'{self.n}⍴{self.literal(values)}'

    def data(self):
        r = self.rng
        some = [2**31 - 1, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 10**15, -7, 3, 2, 0, 1, 4294967296]
        self.name('B', self.cycled([r.randint(0, 1) for _ in range(r.randint(1, 37))]))
        self.name('B', f'0<{r.randint(2, 9)}|⍳{self.n}')
        self.name('I', self.cycled([r.randint(-9, r.choice([9, 100, 30000])) for _ in range(r.randint(1, 41))]))
        self.name('I', f'{r.randint(2, 400)}|{r.randint(3, 99)}×⍳{self.n}')
        big = [r.choice(some) if r.random() < 0.2 else r.randint(-(2**40), 2**40) for _ in range(r.randint(1, 23))]
        self.name('J', self.cycled(big))
        single = '⎕F32 ' if r.random() < 0.3 else ''
        self.name('F', single + self.cycled([round(r.uniform(-50, 50), r.choice([0, 1, 3, 9])) + 0.5 for _ in range(r.randint(1, 29))]))
        self.name('F', f'0.125×{r.randint(-9, 9)}+⍳{self.n}'.replace('-', '¯'))
        self.name('P', f'⍋{r.choice([7919, 101, 3])}|31×⍳{self.n}')
        self.name('C', f"{self.n}⍴'{''.join(r.choice('abcxyz') for _ in range(r.randint(1, 9)))}'")

    def pick(self, kind):
        kinds = 'BIJFIF' if kind == 'V' else kind
        names = self.names[self.rng.choice(kinds)]
        return names[-1 - int(len(names) * self.rng.random() ** 2)]

    def fill(self, form):
        out = ''
        i = 0
        while i < len(form):
            ch = form[i]
            if form.startswith('B2', i):
                out += f'(0≠R C⍴{self.pick("I")})'
                i += 1
            elif ch == 'M':
                out += f'(R C⍴{self.pick("V")})'
            elif ch in 'BIJFPCV' and form[i : i + 2] not in ('F3',):
                if ch == 'C' and not form.startswith(('C=', 'C∊'), i) and form[i - 1] not in '=∊':
                    out += 'C'
                else:
                    out += self.pick(ch)
            elif ch == 'k':
                out += str(self.rng.choice([1, 2, 3, 5, 7]))
            elif ch == 'N':
                out += str(self.n)
            else:
                out += ch
            i += 1
        rows = self.n // self.columns if self.columns else 0
        return out.replace('R', str(rows)).replace('C', str(self.columns)) if self.columns else out

    def program(self, steps):
        for _ in range(steps):
            if self.columns and self.n > 1 and self.rng.random() < 0.25:
                self.name('F', self.fill(self.rng.choice(TABLES)))
                continue
            kind, forms = self.rng.choice(FORMS)
            form = self.rng.choice(forms)
            kind = kind if kind != 'V' else 'F'
            self.name(kind, self.fill(form))
        return self.lines


def digest(name, n):
    if n <= 300:
        return f'⎕←(⍴{name}){name}'
    return f'⎕←(⍴{name})(+/{name})(⌈/{name})(⌊/{name})(≢∪{name})({name}[1+{n}|¯1+⍳60])({name}[1+{n}|7919×⍳60])(¯9↑{name})(+\\100↑{name})'


def write(seed, long):
    rng = random.Random(seed)
    n = rng.choice(rng.choice([LENGTHS, LENGTHS, LENGTHS, MIDDLE] + ([LONG] if long else [])))
    w = Writer(rng, n)
    lines = w.program(rng.randint(1, 6))
    shown = [l.split('←')[0] for l in lines[-3:]]
    body = ' ⋄ '.join(lines + [digest(name, n) for name in shown])
    return "⎕RL←7\n{0::⎕←⎕EN,⊃⎕DM ⋄ %s}0" % body


def writer(a):
    if a.phrases:
        return phrases.write
    return trees.write if a.trees else write


def parts_of(out):
    """What each program printed, by its seed."""
    return dict(p.split('\n', 1) for p in ('\n' + out).split('\n#')[1:] if '\n' in p)


def run(a, options, tune, seeds):
    """What each of these programs prints; the last one may be where the run ended, then why."""
    make = writer(a)
    text = '⎕PP←17\n⎕PW←30000\n' + trees.PREAMBLE + '\n'.join(f"⎕←'#{s}'\n{make(s, a.long)}" for s in seeds) + "\n⎕←'#end'\n⎕←0\n"
    with tempfile.NamedTemporaryFile('w', suffix='.apl', encoding='utf-8', delete=False) as f:
        f.write(text)
    why = ''
    try:
        env = dict(os.environ, VAPL_TUNE=tune)
        limits = ['--max-time', '60s', '--max-memory', '1G'] if a.phrases else ['--max-memory', '4G']
        if a.memory and '-n' in options:
            limits[-1] = a.memory
        done = subprocess.run([a.vapl, *options, *limits, f.name], capture_output=True, timeout=a.limit, env=env)
        out = done.stdout
        if done.returncode:
            errors = done.stderr.decode('utf-8', 'replace')
            full = 'WS FULL ' if 'WS FULL' in errors else ''
            why = f'{full}exit code {done.returncode}: {errors[-300:]}'
    except subprocess.TimeoutExpired as e:
        out, why = e.stdout or b'', f'no end in {a.limit} s'
    finally:
        os.unlink(f.name)
    parts = parts_of(out.decode('utf-8', 'replace'))
    ended = parts.pop('end', None) is not None
    return parts, why, ended


def output(a, options, tune, seeds):
    """The same of all of them: after a program that ends the run the next ones get another."""
    parts, left = {}, list(seeds)
    while left:
        got, why, ended = run(a, options, tune, left)
        parts.update(got)
        if ended:
            break
        at = max((i for i, s in enumerate(left) if str(s) in got), default=0)
        if not (a.memory and 'WS FULL' in why):
            print(f'{tune} {options}: ended in the program {left[at]}: {why}', flush=True)
        parts[str(left[at])] = f'ended: {why}'
        if not a.ranks:
            break
        left = left[at + 1 :]
    return parts


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('vapl')
    a.add_argument('--count', type=int, default=400)
    a.add_argument('--seed', type=int, default=1)
    a.add_argument('--device')
    a.add_argument('--ranks', type=lambda t: [int(n) for n in t.split(',')])
    a.add_argument('--tune', default='cut_from=2', help='with --ranks')
    a.add_argument('--limit', type=float, default=3600, help='seconds of a batch')
    a.add_argument('--batch', type=int)
    a.add_argument('--memory', help='of each of several ranks: some run out of it, and all have to go on')
    a.add_argument('--long', action='store_true')
    a.add_argument('--trees', action='store_true')
    a.add_argument('--phrases', action='store_true')
    a = a.parse_args()
    ways = [(['--device', 'host'], tune) for tune in ('direct=0,kernels=1', 'direct=100', 'middle=200')]
    if a.device:
        ways = [(['--device', a.device], 'direct=0'), (['--device', a.device], 'direct=0,fuse=0')]
    if a.ranks:
        ways = [(['--device', a.device or 'host', '-n', str(n)], a.tune) for n in a.ranks]
    failed = errors = 0
    batch = a.batch or (100 if a.phrases or a.ranks else 500)
    for first in range(a.seed, a.seed + a.count, batch):
        seeds = range(first, min(first + batch, a.seed + a.count))
        want = output(a, ['--device', 'host'], 'direct=1000000000', seeds)
        errors += sum('ERROR' in p for p in want.values())
        for options, tune in ways:
            got = output(a, options, tune, seeds)
            for s in map(str, seeds):
                if s not in want and s not in got and a.phrases:
                    continue  # the batch ended before it, which was said
                if (got.get(s) == want.get(s) and s in want) or 'WS FULL' in got.get(s, '') + want.get(s, ''):
                    continue
                failed += 1
                if failed <= 10:
                    print(f'program {s} by {tune} {options}:\n{writer(a)(int(s), a.long)[:2500]}')
                    one, two = want.get(s, 'nothing'), got.get(s, 'nothing')
                    at = next((i for i, (x, y) in enumerate(zip(one, two)) if x != y), 0)
                    print(f'   reference …{one[max(0, at - 60):at + 80]!r}\n   gives     …{two[max(0, at - 60):at + 80]!r}', flush=True)
    print(f'{a.count} programs, {errors} of them end in an error, {failed} differ')
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
