#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""linear.py VAPL [device] - x⌹y and ⌹y of vapl against exact solutions in fractions.

Systems of small integers, some of them with more rows than columns, on both sides of the width from
which they are solved by panels. The exact solution is that of the normal equations, without
division (Bareiss). Their condition is small, so what vapl gives may be wrong by some roundings of the
largest element; of systems that are refined, REFINED elements at most, every element is rounded right. With
`device`, the bits must be those of the host.
"""
import os
import random
import subprocess
import sys
from fractions import Fraction

REFINED = 4096
SIZES = [(5, 5, 2), (9, 7, 3), (17, 17, 2), (40, 9, 1), (33, 31, 2), (64, 64, 1), (65, 65, 3), (90, 66, 2), (129, 128, 1), (140, 129, 2)]


def exact(y, x):
    """The least-squares solution, rows of fractions."""
    m, n, cols = len(y), len(y[0]), len(x[0])
    a = [[sum(y[k][i] * y[k][j] for k in range(m)) for j in range(n)] +
         [sum(y[k][i] * x[k][j] for k in range(m)) for j in range(cols)] for i in range(n)]
    last = 1
    for k in range(n):
        if not a[k][k]:
            return None
        for i in range(k + 1, n):
            for j in range(k + 1, n + cols):
                a[i][j] = (a[i][j] * a[k][k] - a[i][k] * a[k][j]) // last
        last = a[k][k]
    z = [None] * n
    for i in reversed(range(n)):
        z[i] = [(Fraction(a[i][n + j]) - sum(a[i][k] * z[k][j] for k in range(i + 1, n))) / a[i][i]
                for j in range(cols)]
    return z


def run(vapl, device, lines):
    env = dict(os.environ, VAPL_TUNE='direct=0' if device != 'host' else '')
    p = subprocess.run([vapl, '--device', device], input='\n'.join(lines), text=True, env=env,
                       capture_output=True, check=True)
    return p.stdout.split('\n')


def lines_of(y, x, m, n, cols):
    flat = lambda a: ' '.join(str(v).replace('-', '¯') for row in a for v in row)
    return [f'y←{m} {n}⍴{flat(y)}', f'x←{m} {cols}⍴{flat(x)}', "⎕PP←17 ⋄ ⎕PW←30000 ⋄ ,x⌹y",
            '+/,⌹y']


def main():
    vapl, device = sys.argv[1], (sys.argv[2:] or ['host'])[0]
    random.seed(7)
    bad = 0
    for m, n, cols in SIZES:
        y = [[random.randint(-9, 9) + (30 if i == j else 0) for j in range(n)] for i in range(m)]
        x = [[random.randint(-99, 99) for _ in range(cols)] for _ in range(m)]
        text = lines_of(y, x, m, n, cols)
        got = run(vapl, 'host', text)
        want = [v for row in exact(y, x) for v in row]
        z = [float(v.replace('¯', '-')) for v in got[0].split()]
        most = max(abs(v) for v in want)
        wrong = max(abs(Fraction(a) - b) for a, b in zip(z, want)) / most
        fine = len(z) == len(want) and wrong < Fraction(m * n, 2**52)
        if m * n <= REFINED:
            fine = fine and all(a == float(b) for a, b in zip(z, want))
        same = device == 'host' or run(vapl, device, text)[:2] == got[:2]
        print(f'{m}x{n} {cols}: {"right" if fine else "WRONG"}, off by {float(wrong):.1e} of the largest'
              f'{"" if same else ", OTHER BITS on " + device}')
        bad += not (fine and same)
    sys.exit(bad > 0)


main()
