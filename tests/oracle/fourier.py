#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fourier.py VAPL [device] - ⎕FFT of vapl against the definition.

The definition in fractions: numbers are multiples of 2^-20, roots of unity whole multiples of 2^-90, so that
each sum is exact but for the roots. Of long lines some places alone are computed. The error is measured
against the root of the mean square of the results, in roundings. With `device`, the bits must be those of
the host.
"""
import math
import os
import random
import subprocess
import sys

LENGTHS = list(range(2, 65)) + [97, 101, 127, 128, 129, 255, 256, 257, 343, 360, 509, 511, 512, 513, 1000, 1001, 1021, 1023,
                                1024, 1025, 2047, 2048, 2049, 2187, 4093, 4095, 4096, 5005, 8192, 16384, 30030]
PLACES = 16  # of a line that are compared
MOST = 1.6   # roundings for each halving of the length; of primes, whose convolutions are three transforms, 1.41 were seen
ONE = 1 << 90


def pi_times(n):
    """π as a multiple of 1÷n, by Machin."""
    def arctan(x):
        total, term, k = 0, n * 2**64 // x, 1
        while term:
            total += term // k if k % 4 == 1 else -(term // k)
            term //= x * x
            k += 2
        return total
    return (16 * arctan(5) - 4 * arctan(239)) >> 64


PI = pi_times(ONE)


def root(e, n):
    """cos and sin of 2πe÷n, as multiples of 1÷ONE."""
    octant, r = divmod(8 * (e % n), n)
    if octant % 2:
        r = n - r
    x = PI * r // (4 * n)
    c, s, term, k = 0, 0, ONE, 0
    while term:
        if k % 2:
            s += term if k % 4 == 1 else -term
        else:
            c += term if k % 4 == 0 else -term
        k += 1
        term = term * x // ONE // k
    if (octant + 1) // 2 % 2:
        c, s = s, c
    return (-c if 2 <= octant < 6 else c), (-s if octant >= 4 else s)


def exact(x, k, sign):
    n = len(x)
    roots = {}
    re = im = 0
    for j, (a, b) in enumerate(x):
        e = j * k % n
        if e not in roots:
            roots[e] = root(e, n)
        c, s = roots[e]
        s *= -sign
        re += a * c - b * s
        im += a * s + b * c
    scale = ONE << 20
    return re / scale, im / scale


def run(vapl, device, lines):
    env = dict(os.environ, VAPL_TUNE='direct=0' if device != 'host' else '')
    p = subprocess.run([vapl, '--device', device], input='\n'.join(lines), text=True, env=env,
                       capture_output=True, check=True)
    return p.stdout.split('\n')


def number(text):
    return float(text.replace('¯', '-'))


def lines_of(x, places):
    def text(i):
        return ' '.join(str(v[i]).replace('-', '¯') for v in x)
    at = ' '.join(str(k + 1) for k in places)
    lines = ['⎕PP←17 ⋄ ⎕PW←30000', f're←{text(0)}', f'im←{text(1)}', 'y←(re+0J1×im)÷2*20']
    for way in '1', '¯1':
        lines += [f'z←{way} ⎕FFT y', f'9○z[{at}]', f'11○z[{at}]', '+/9 11∘.○z']
    return lines


def main():
    vapl, device = sys.argv[1], (sys.argv[2:] or ['host'])[0]
    random.seed(11)
    bad, most = 0, 0
    for n in LENGTHS:
        x = [(random.randint(-2**20, 2**20), random.randint(-2**20, 2**20)) for _ in range(n)]
        places = list(range(n)) if n <= PLACES else sorted(random.sample(range(n), PLACES))
        text = lines_of(x, places)
        got = run(vapl, 'host', text)
        if device != 'host' and run(vapl, device, text) != got:
            print(f'{n}: ⎕FFT differs on {device}')
            bad += 1
        for way, sign, from_line in (('1', 1, 0), ('¯1', -1, 3)):
            re, im = [[number(w) for w in line.split()] for line in got[from_line:from_line + 2]]
            size = math.sqrt(sum(a * a + b * b for a, b in x) * (n if sign > 0 else 1 / n) / n) / 2**20
            by = 1 if sign > 0 else 1 / n
            for i, k in enumerate(places):
                a, b = exact(x, k, sign)
                error = math.hypot(re[i] - a * by, im[i] - b * by) / size * 2**53 / math.log2(2 * n)
                most = max(most, error)
                if error > MOST:
                    print(f'{n}: {way} ⎕FFT at {k} is off by {error:.2f}')
                    bad += 1
    print(f'{len(LENGTHS)} lengths, {bad} wrong, at most {most:.2f} roundings for each halving')
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
