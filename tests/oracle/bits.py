#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bits.py VAPL [--device NAME] [--log2 N] [--rows FILE] [--only TEXT] - rows of expressions, the same bits on the host and on a device.

The rows are those of bits.txt beside this file, or of another file in the format of bench/rows.txt (bench/device.c
tells it; what follows a line `! N` is left out). Two processes run all rows, one with --device host, one on the device;
each writes every result, or its error, into files of a folder of its own. Files that differ are named, with how many of their elements
differ. What a result holds that is nested is compared as its elements in a row.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

SCRIPT = """
LOG2←%d ⋄ N←2*LOG2 ⋄ SIDE←2*⌊LOG2÷2
∇ put r;_
  :If 1<|≡r ⋄ r←∊r ⋄ :EndIf
  :If 2|⎕DR r ⋄ _←r ⎕NPY PLACE ⋄ :Else ⋄ _←(⎕UCS r)⎕NPY PLACE ⋄ :EndIf
∇
∇ one row;at
  at←row⍳⎕UCS 9 ⋄ PLACE←('%s/',(at-1)↑row),'.npy'
  :Trap 0 ⋄ put ⍎at↓row ⋄ :Else ⋄ ⎕←((at-1)↑row),': ',⎕DMX.EM ⋄ :EndTrap
∇
∇ all;row
  :For row :In ⊃⎕NGET '%s' 1
    :If 0=≢row ⋄ :Continue ⋄ :EndIf
    :Select ⊃row
    :Case '!' ⋄ :Leave
    :Case '#'
    :Case ':' ⋄ :Trap 0 ⋄ ⍎1↓row ⋄ :Else ⋄ ⎕←row,': ',⎕DMX.EM ⋄ :EndTrap
    :Else ⋄ one row
    :EndSelect
  :EndFor
∇
all
"""

MOST = 1 << 21  # elements that are looked at one by one where two files differ


def start(args, device, folder):
    out = open(os.path.join(folder, 'errors'), 'w+')
    text = SCRIPT % (args.log2, folder, args.chosen)
    r = subprocess.Popen([args.vapl, '--device', device, '-'], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT, text=True)
    r.stdin.write(text)
    r.stdin.close()
    return r


def choose(args, folder):
    """The rows that are asked for, in a file, without slashes in their names."""
    args.chosen = os.path.join(folder, 'rows')
    with open(args.rows) as rows, open(args.chosen, 'w') as to:
        for line in rows:
            name, tab, text = line.partition('\t')
            if not tab or args.only in name:
                to.write((name.replace('/', '÷') + tab if tab else name) + text)


def read(name):
    """Of a file in .npy: shape, numpy's letter and size of the type, the elements as integers or as bytes."""
    with open(name, 'rb') as f:
        body = f.read()
    end = 10 + int.from_bytes(body[8:10], 'little')
    head, body = body[10:end].decode(), body[end:]
    kind = head.split("'")[3][1:]
    size = int(kind[1:])
    return head.split('(')[1].split(')')[0], kind, size, body


def elements(kind, size, body):
    if kind[0] in 'bi':
        return list(memoryview(body).cast({1: 'b', 2: 'h', 4: 'i', 8: 'q'}[size]))
    return [body[i:i + size].hex() for i in range(0, len(body), size)]


def differences(a, b):
    """Of two files in .npy: None, or what differs. Integers may be kept in types of other widths."""
    x, y = read(a), read(b)
    if x == y:
        return None
    if x[0] != y[0] or (x[1][0] in 'bi') != (y[1][0] in 'bi'):
        return f'{x[1]} ({x[0]}) and {y[1]} ({y[0]})'
    p, q = (elements(t[1], t[2], t[3][:MOST * t[2]]) for t in (x, y))
    bad = [i for i in range(len(p)) if p[i] != q[i]]
    if bad:
        return f'{len(bad)} of {len(p)} {x[1]}, first at {bad[0]}: {p[bad[0]]} {q[bad[0]]}'
    return None if p and len(p) < MOST or x[1] != y[1] else f'beyond element {MOST}'


def compare(host, device):
    names = sorted(set(os.listdir(host)) | set(os.listdir(device)))
    bad = 0
    for name in names:
        a, b = os.path.join(host, name), os.path.join(device, name)
        if name == 'errors':
            told = [set(open(p).read().splitlines()) for p in (a, b)]
            what = '; '.join(sorted(told[0] ^ told[1]))
        elif not (os.path.exists(a) and os.path.exists(b)):
            what = 'one side has no result'
        else:
            what = differences(a, b)
        if what:
            bad += 1
            print(f'{name.removesuffix(".npy")}: {what}')
    for line in open(os.path.join(host, 'errors')):
        print('on the host: ' + line.rstrip())
    print(f'{len(names) - bad} the same, {bad} differ')
    return bad


def main():
    parse = argparse.ArgumentParser(description=__doc__)
    parse.add_argument('vapl')
    parse.add_argument('--device', default='cpu')
    parse.add_argument('--log2', type=int, default=14)
    parse.add_argument('--rows', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), 'bits.txt'))
    parse.add_argument('--only', default='')
    args = parse.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        choose(args, folder)
        sides = [os.path.join(folder, side) for side in ('host', 'device')]
        for side in sides:
            os.mkdir(side)
        begun = time.time()
        both = [start(args, device, side) for device, side in zip(('host', args.device), sides)]
        codes = [r.wait() for r in both]
        print(f'exit codes {codes}, {time.time() - begun:.1f} s')
        return compare(*sides) or any(codes)


if __name__ == '__main__':
    sys.exit(1 if main() else 0)
