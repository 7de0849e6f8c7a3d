#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ranks.py - a model of what docs/ranks.md shows: times on 1 to 1024 ranks, from what was measured on one and two H200s.

A rank's own work takes what a device was measured to take; an agreement takes a step for each doubling of the ranks;
exchanges go at the speed of the slowest way. Nothing is overlapped but what the measured figures contain. Between hosts
nothing was measured: a card of 400 Gbit/s for each device is assumed, used as well as NVLink is.
"""
from math import log2

MEASURED = {  # bench/results/h200-ranks.tsv, h200-device.tsv
    'fold': 4.55e12,  # B/s read by a sum
    'map': 4.05e12,  # B/s read and written
    'scan': 3.80e12,  # B/s read and written by +\ on one device
    'sort': 31.8e9,  # elements of i32 a second
    'turn': 2.70e12,  # B/s read and written by ⍉
    'product': 27.1e12,  # f32 operations a second
    'link': 255e9,  # B/s each way over NVLink, by exchanges
    'wait': 0.15e-3,  # s from a call to its result beyond the device's time
    'bus': 50e9,  # B/s to the host
}
ASSUMED = {'card': 0.8 * 50e9, 'near': 1.2e-6, 'far': 2.5e-6, 'host': 6e9, 'of_host': 8}
C = {**MEASURED, **ASSUMED}
RANKS = [1, 2, 8, 64, 1024]


def agree(p):
    near = log2(min(p, C['of_host']))
    return C['near'] * near + C['far'] * (log2(p) - near)


def gather(p, each):
    """Every rank gets `each` bytes of every other one."""
    return agree(p) + p * each / C['host'] if p > 1 else 0


def exchange(p, part):
    """Each rank keeps 1/p of its part, and sends the rest to all others alike."""
    if p == 1:
        return 0
    near = min(p, C['of_host'])
    return max(part * (near - 1) / p / C['link'], part * (p - near) / p / C['card']) + 2 * agree(p) + C['wait']


def total(p, n, size=8):
    heads = min(n / 2**14, 2**14) * size
    more = 2 * agree(p) + heads / C['host'] + heads / C['bus'] + gather(p, size * (n / 2**28 + 1))
    return n * size / C['fold'] + C['wait'] + (more if p > 1 else 0)


def mapped(p, n, size=8):
    return 3 * n * size / C['map'] + C['wait'] + agree(p)


def scan(p, n, size=8):
    tiles = n * size / 61440
    once = 2 * n * size / C['scan'] + C['wait']
    twice = n * size / C['fold'] + 2 * n * size / C['scan'] + 2 * C['wait'] + 3 * agree(p)
    return once if p == 1 else twice + tiles * (4e-9 + 2 * size / C['bus']) + gather(p, 1024 * size)


def sort(p, n, size=4):
    parted = log2(p) * 4 * n * size / C['map'] + exchange(p, n * size) if p > 1 else 0
    return n / C['sort'] + C['wait'] + parted


def turn(p, n, size=4):
    return (1 + (p > 1)) * 2 * n * size / C['turn'] + C['wait'] + exchange(p, n * size)


def product(p, n):
    """Of square matrices: n elements of the left one; all of the right one comes to every rank."""
    side = (n * p) ** 0.5
    comes = side * side * 4 * (p - 1) / p / (C['link'] if p <= C['of_host'] else C['card'])
    return 2 * side**3 / p / C['product'] + C['wait'] + comes + agree(p)


def number(v):
    return f'{v:.3g}' if v < 1000 else f'{v:.0f}'


ROWS = [  # elements of a rank; of all ranks
    ('`+/x`, f64', total, 30, 33),
    ('`x+y`, f64', mapped, 30, 32),
    ('`+\\x`, f64', scan, 30, 32),
    ('`i[⍋i]`, i32', sort, 30, 32),
    ('`⍉m`, f32', turn, 30, 33),
    ('`m+.×m`, f32', product, 28, 32),
]


def table(head, rows, ranks):
    print('| ' + ' | '.join([head, 'elements'] + [str(p) for p in ranks]) + ' |')
    print('|' + '---|' * (len(ranks) + 2))
    for r in rows:
        print('| ' + ' | '.join(r) + ' |')


def main():
    weak, strong = [], []
    for name, f, each, whole in ROWS:
        one, cells = f(1, 2**each), []
        for p in RANKS:
            t = f(p, 2**each)
            share = one / t * (p**0.5 if f is product else 1)
            cells.append(f'{number(t * 1e3)} ms, {100 * share:.0f} %')
        weak.append([name, f'2^{each}'] + cells)
        fast = [f(1, 2**whole) / f(p, 2**whole / p) for p in RANKS[1:]]
        strong.append([name, f'2^{whole}'] + [number(v) for v in fast])
    table('each rank has', weak, RANKS)
    print()
    table('times as fast as one', strong, RANKS[1:])


if __name__ == '__main__':
    main()
