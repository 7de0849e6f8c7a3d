#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""grid.py VAPL [--device NAME] [--elements N] [--jobs N] [PATTERN] - every primitive × type × shape.

Each expression is evaluated on vectors, matrices and arrays of rank 3 of some 100000 elements of
every type by the direct path (the reference), by the block interpreter with every movement in
kernels, and, with --device, on that device. Shape, type and all digits must be the same, and so
must errors. What differs is printed, and how many expressions were compared.
"""
import argparse
import concurrent.futures
import hashlib
import os
import subprocess
import sys
import tempfile

# N stands for the number of elements
TYPES = {
    'B': '0=3|I×I',
    'I8': '¯128+256|7919×I',
    'I16': '¯32768+65536|7919×I×I',
    'I32': '¯2000000000+4000000000|1000003×I×7919',
    'I64': '(I-N÷2)×46116860184273',
    'S': '¯3+7|I×I',
    'F32': '⎕F32(I-N÷2)÷997',
    'F64': '((I-N÷2)÷997)*3',
    'U': '÷1+1000|I×I',
    'C': "'the quick brown fox'[1+19|I×I]",
    'C32': '⎕UCS 100000+1000|I×I',
    'Z': '(S+0J1×⌽S)÷2',
}
SHAPES = {'v': 'N', 'm': '(317,⌊N÷317)', 't': '(7,59,⌊N÷413)'}
MONADIC = ['+', '-', '×', '÷', '⌈', '⌊', '|', '*', '⍟', '○', '!', '~', '⌽', '⊖', '⍉', ',', '⍪', '∪', '≠', '⍋', '⍒', '⍸', '↑', '⊢',
           '+/', '+⌿', '+\\', '+⍀', '×/', '-/', '-⌿', '⌈/', '⌈⌿', '⌊\\', '⌊⍀', '∧/', '∨/', '∧\\', '∨⌿', '=/', '≠\\', '</', '÷/', '|/',
           '2+/', '3⌈/', '2-⌿', '5↑', '¯5↑', '5↓', '3⌽', '¯3⊖', '1⌽[1]', '(⊢×⊢)', '{(⍵-⌊/⍵)÷1+⌈/⍵}', '⎕F32', '⎕F64', '1○', '2○', '¯3○',
           '0○', '4○', '5○', '6○', '7○', '¯1○', '¯5○', '9○', '10○', '11○', '12○', '10⊥', '2 3⊤', '0 10⊤', '1 0 1/⍤1⊢3↑⍤1⊢', '5|', '3*', '*∘2',
           '0.5*⍨', '3∨', '3∧', '2⍟', '!∘5', '3=', '0<', '1⌷', '2/', '1 ¯2/⍤1⊢2↑⍤1⊢', '≢', '⍴', '⊃', '+/,', '⌈/,', '{⍵⍳⌈/⍵},', '⊂∘⍋⍛⌷']
DYADIC = ['+', '-', '×', '÷', '⌈', '⌊', '|', '*', '⍟', '!', '∧', '∨', '⍲', '⍱', '<', '≤', '=', '≥', '>', '≠', ',', '⍪', '≡', '∊', '⍳', '∩',
          '~', '∪', '{⍺+2×⍵}', '{⍺>⍵:⍺ ⋄ ⍵}¨', '{(,⍺)[1+(≢,⍺)|⌊|,⍵]}']
PAIRS = [(a, b) for a in ('B', 'I8', 'I32', 'I64', 'S', 'F32', 'F64', 'U', 'Z') for b in ('B', 'I16', 'I64', 'S', 'F32', 'F64', 'U', 'Z')]
PAIRS += [('C', 'C'), ('C32', 'C'), ('C', 'I8')]


def expressions():
    for s in SHAPES:
        for t in TYPES:
            for f in MONADIC:
                yield f'{f} {t}{s}'
        for a, b in PAIRS:
            for f in DYADIC:
                yield f'{a}{s} {f} {b}{s}'


def preamble(n):
    lines = ['⎕PP←17', '⎕PW←30000', f'N←{n}', 'I←⍳N']
    lines += [f'{t}v←{e}' for t, e in ((t, e.replace('S+', 'Sv+').replace('⌽S', '⌽Sv')) for t, e in TYPES.items())]
    lines += [f'{t}{s}←{SHAPES[s]}⍴{t}v' for s in 'mt' for t in TYPES]
    return '\n'.join(lines) + '\n'


def digests(vapl, options, tune, part, n):
    """What each expression of the part shows, as a digest."""
    text = preamble(n) + '\n'.join(f"⎕←'#{i}'\n{{0::⎕←⎕EN,⊃⎕DM ⋄ r←{e} ⋄ ⎕←(⍴r)(⎕DR r) ⋄ ⎕←,r}}0" for i, e in part)
    with tempfile.NamedTemporaryFile('w', suffix='.apl', encoding='utf-8', delete=False) as f:
        f.write(text + '\n')
    try:
        env = dict(os.environ, VAPL_TUNE=tune)
        done = subprocess.run([vapl, *options, f.name], capture_output=True, env=env, check=False)
    finally:
        os.unlink(f.name)
    if done.returncode:
        print(f'{options} {tune}: exit code {done.returncode}: {done.stderr.decode()[-300:]}')
    shown = {}
    for piece in (b'\n' + done.stdout).split(b'\n#')[1:]:
        number, _, rest = piece.partition(b'\n')
        shown[int(number)] = (hashlib.sha1(rest).hexdigest(), rest[:160].decode('utf-8', 'replace'))
    return shown


def compare(args, part):
    ways = [((), ''), (('--device', 'host'), 'direct=0,kernels=1')]
    if args.device:
        ways.append((('--device', args.device), 'direct=0,kernels=1'))
    results = [digests(args.vapl, options, tune, part, args.elements) for options, tune in ways]
    differ = 0
    for i, e in part:
        for (options, tune), got in zip(ways[1:], results[1:]):
            if got.get(i) and results[0].get(i) and got[i][0] == results[0][i][0]:
                continue
            differ += 1
            print(f'{e}\n  reference: {results[0].get(i)}\n  {" ".join(options)} {tune}: {got.get(i)}')
    sys.stdout.flush()
    return differ


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('vapl')
    a.add_argument('pattern', nargs='?', default='')
    a.add_argument('--device')
    a.add_argument('--elements', type=int, default=100003)
    a.add_argument('--jobs', type=int, default=os.cpu_count())
    args = a.parse_args()
    all_of = [(i, e) for i, e in enumerate(expressions()) if args.pattern in e]
    size = 60
    parts = [all_of[k : k + size] for k in range(0, len(all_of), size)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        differ = sum(pool.map(lambda p: compare(args, p), parts))
    print(f'{len(all_of)} expressions compared, {differ} differences')
    return differ > 0


if __name__ == '__main__':
    sys.exit(main())
