#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moves.py BUILD [--ranks "2 3 5"] [--count N] [--seed S] [--tune T] [--device D] - random chains of functions that move,
select and find elements, of random shapes and types: one rank writes what each of them gives, as text, and several
ranks, with arrays of two rows and more cut, must give the same text, errors too."""
import argparse
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
KINDS = ['2|⍳N', '¯5+11|3×⍳N', '¯300+7×⍳N', '100000×⍳N', '4000000000×⍳N', '0.5×⍳N', '⎕F32 0.25×⍳N',
         '(⍳N)+0J1×3|⍳N', '(⍳N)+0J1×N<2×⍳N', '⎕UCS 97+26|⍳N', '⎕UCS 1000+⍳N', '⎕UCS 100000+⍳N']


def number(r, most):
    return str(r.randint(0, most)) if r.random() < 0.6 else '¯' + str(r.randint(1, most))


def numbers(r, most):
    return ' '.join(number(r, most) for _ in range(r.choice([1, 1, 1, 2, 2, 3])))


def array(r):
    rank = r.choice([1, 1, 1, 2, 2, 3])
    shape = [r.choice([1, 2, 3, 5, 8, 17, 40, 64, 100])] + [r.randint(1, 5) for _ in range(rank - 1)]
    n = 1
    for k in shape:
        n *= k
    return '(%s⍴%s)' % (' '.join(map(str, shape)), r.choice(KINDS).replace('N', str(n)))


def scalar(r):
    return r.choice(["0", "1", "7", "300", "2.5", "0J1", "'x'", "'⍳'", "(⎕F32 1.5)"])


# Functions of the expression y, with numbers up to `most`.
STEPS = [
    lambda r, y, most, axis: numbers(r, most) + '↑' + y,
    lambda r, y, most, axis: numbers(r, most) + '↓' + y,
    lambda r, y, most, axis: number(r, most) + r.choice('↑↓') + axis + y,
    lambda r, y, most, axis: '⌽' + axis + y,
    lambda r, y, most, axis: '⊖' + y,
    lambda r, y, most, axis: number(r, most) + '⌽' + axis + y,
    lambda r, y, most, axis: number(r, most) + '⊖' + y,
    lambda r, y, most, axis: r.choice(',⍪') + y,
    lambda r, y, most, axis: '(' + y + ')' + r.choice([',', '⍪']) + array(r),
    lambda r, y, most, axis: array(r) + r.choice([',', '⍪', ',[1]', ',[0.5]']) + y,
    lambda r, y, most, axis: scalar(r) + r.choice([',', '⍪']) + y,
    lambda r, y, most, axis: '(' + y + ')' + r.choice([',', '⍪']) + scalar(r),
    lambda r, y, most, axis: '{⍵%s⍵}' % r.choice([',', '⍪', ',[0.5]']) + y,
    lambda r, y, most, axis: ' '.join(str(r.randint(0, most)) for _ in range(r.randint(1, 3))) + '⍴' + y,
    lambda r, y, most, axis: '⍉' + y,
    lambda r, y, most, axis: r.choice(['1 2', '2 1', '1 1', '2 1 3', '3 1 2', '1 1 2', '2 3 1']) + '⍉' + y,
    lambda r, y, most, axis: '{(%d⌊≢⍵)⌷⍵}' % r.randint(1, most) + y,
]
SELECTIONS = [
    lambda r, y, most, axis: '{((≢⍵)⍴%s)⌿⍵}' % r.choice(['1 0 1', '0', '1', '2 0 1', '1 ¯1 0', '0 0 0 0 0 1 0']) + y,
    lambda r, y, most, axis: '{(0=%d|⍳≢⍵)⌿⍵}' % r.choice([2, 3, 50]) + y,
    lambda r, y, most, axis: '{((⊃⌽⍴⍵)⍴%s)/⍵}' % r.choice(['1 0 1', '1', '2 1', '1 ¯2', '0']) + y,
    lambda r, y, most, axis: r.choice(['2', '0', '¯1', '3']) + r.choice('/⌿') + y,
    lambda r, y, most, axis: '{((⍴,⍵)⍴%s)/,⍵}' % r.choice(['1 0 1', '2 0 0 1', '0 1 0 0']) + y,
    lambda r, y, most, axis: '⍸{2|⍳≢⍵}' + y,
    lambda r, y, most, axis: '{⍸(,⍵)=⊃⍵}' + y,
    lambda r, y, most, axis: '{⍸(≢⍵)⍴%s}' % r.choice(['0 1', '2 0 1', '0']) + y,
    lambda r, y, most, axis: '{(⊂1+(≢⍵)|%d×⍳%d)⌷⍵}' % (r.choice([1, 3, 7, 59]), r.choice([1, 2, 9, 60, 300])) + y,
    lambda r, y, most, axis: '{(⊂%d %d⍴1+(≢⍵)|%d×⍳600)⌷⍵}' % (r.randint(1, 40), r.randint(1, 6), r.choice([5, 7])) + y,
    lambda r, y, most, axis: '{(⊂%s)⌷⍵}' % ' '.join(str(r.randint(1, most)) for _ in range(r.randint(1, 9))) + y,
    lambda r, y, most, axis: '{(,⍵)[%s]}' % ' '.join(number(r, most) for _ in range(r.randint(1, 4))) + y,
    lambda r, y, most, axis: '{(,⍵)[1+(≢,⍵)|%d×⍳%d]}' % (r.choice([3, 7]), r.choice([5, 90, 400])) + y,
    lambda r, y, most, axis: '{z←,⍵ ⋄ z[⌽⍳≢z]}' + y,
    lambda r, y, most, axis: '{z←(≢⍵),×/1↓⍴⍵ ⋄ (z⍴⍵)[%s;%s]}' % (
        r.choice(['', '1', '2 1', '⌽⍳≢⍵', '1+(≢⍵)|3×⍳70', '200']), r.choice(['', '1', '1 1', '⌽⍳z[2]', '2', '2 1'])) + y,
    lambda r, y, most, axis: '{(⍵%s⍵),⍵%s⌽⍵}' % (r.choice('≡≢'), r.choice('≡≢')) + y,
    lambda r, y, most, axis: '{⍵%s⍵,%s}' % (r.choice('≡≢'), scalar(r)) + y,
    lambda r, y, most, axis: "'abcdefg'[{1+7|⍳≢⍵}%s]" % y,
    lambda r, y, most, axis: '(20 3⍴⍳60)[{1+%d|⍳≢⍵}%s;%s]' % (r.choice([7, 20, 21]), y, r.choice(['', '2', '1 3'])),
]


def line(r, moves):
    y = array(r)
    for _ in range(r.randint(1, 3)):
        y = (r.choice(STEPS) if r.random() < moves else r.choice(SELECTIONS))(r, y, r.choice([3, 8, 50, 130]), r.choice(['', '', '[1]', '[2]']))
    return y


SETUP = '⎕PW←30000\nfew←{500≥≢⍵:⍵ ⋄ (200↑⍵),(¯200↑⍵),⍵[⌈(⍳100)×(≢⍵)÷100]}\n'


def text_of(expression):
    return "{0::⎕DMX.EM ⋄ z←⍎⍵ ⋄ (⍕⍴z),'|',⍕few,z}'%s'" % expression.replace("'", "''")


def main():
    p = argparse.ArgumentParser()
    p.add_argument('build')
    p.add_argument('--ranks', default='2 3 5')
    p.add_argument('--count', type=int, default=400)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--moves', type=float, default=0.5, help='how many of the steps only move elements')
    p.add_argument('--tune', default='cut_from=2')
    p.add_argument('--device', default='host')
    a = p.parse_args()
    os.chdir(ROOT)
    r = random.Random(a.seed)
    lines = [line(r, a.moves) for _ in range(a.count)]
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', LC_ALL='C.UTF-8',
               OMPI_MCA_rmaps_base_oversubscribe='1', OMPI_MCA_hwloc_base_binding_policy='none')
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        one, many = os.path.join(place, 'one.apl'), os.path.join(place, 'many.apl')
        with open(one, 'w') as f:
            f.write(SETUP + ''.join('⎕←%s\n' % text_of(x) for x in lines))
        out = subprocess.run([a.build + '/vapl', '--device', a.device, one], capture_output=True, text=True, env=env)
        got = out.stdout.split('\n')[:-1]
        if out.returncode or len(got) != len(lines):
            print('FAIL one rank: exit code %d, %d lines of %d: %s' % (out.returncode, len(got), len(lines), out.stderr))
            return 1
        with open(many, 'w') as f:
            f.write(SETUP + ''.join('⎕←%s ⍝ → %s\n' % (text_of(x), t) for x, t in zip(lines, got)))
        print('moves.py: %d lines, %d of them errors' % (len(lines), sum('|' not in t for t in got)))
        for n in a.ranks.split():
            job = ['mpirun', '-n', n, 'sh', '-c', 'exec "$0" --ranks --device %s --tune "%s" "$1"' % (a.device, a.tune),
                   a.build + '/lang_runner', many]
            out = subprocess.run(job, capture_output=True, text=True, env=env, timeout=600)
            ok = out.returncode == 0 and ' 0 failed' in out.stdout
            failed += not ok
            print('%s ranks: %s' % (n, out.stdout.strip().split('\n')[-1]))
            if not ok:
                print(out.stdout[:6000], out.stderr[-2000:])
    return failed > 0


sys.exit(main())
