# SPDX-License-Identifier: MIT
"""The rows of rows.txt in NumPy on the host, beside vapl's: microseconds of a call, and their ratio.

    python3 bench/rows.py [--log2 20] [--only TEXT] [--vapl build/release/bench/device]

Wall time, the median of as many calls as device.c makes. With --vapl, that program runs the rows of rows.txt on the
host first. The rows of 2^31 and more elements are not here. Each group of rows makes its arrays when they are first
used, and lets them go at its end. NumPy runs in one thread but for products: set OMP_NUM_THREADS and taskset."""
import argparse
import math
import os
import subprocess
import statistics
import time

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view as windows

np.seterr(all="ignore")
R = np.random.default_rng(42)
f32 = np.float32


class Arrays:
    """The arrays of a group: made by their functions when they are asked for."""

    def __init__(self, log2, makers):
        self.n, self.side, self.makers = 1 << log2, 1 << log2 // 2, makers

    def __getattr__(self, name):
        value = self.makers[name](self)
        setattr(self, name, value)
        return value


def padded(a, width, mode="constant"):
    return np.pad(a, width, mode=mode)


def chain(t, x):
    t = (t * x) - t.dtype.type(0.25)
    t = t.dtype.type(1.1) * np.maximum(t, t.dtype.type(0.1))
    t = t + t.dtype.type(0.5) * x
    return np.minimum(t, t.dtype.type(3)) - x


def chain_twice(x):
    half, scale = x.dtype.type(0.5), x.dtype.type(1.01)
    y = chain(half + scale * x, x)
    return chain(half + scale * y, y)


def normal(n):
    return np.sqrt(-2 * np.log(R.random(n))) * np.cos(2 * np.pi * R.random(n))


def ema(x):
    y, s = x.tolist(), 0.0
    for i, v in enumerate(y):
        y[i] = s = v + 0.9 * s
    return np.array(y)


def primes(n):
    k = np.arange(1, n + 1)
    return k[(k % k[:, None] == 0).sum(0) == 2]


def layer_norm(q):
    d = q - q.mean(1, keepdims=True)
    return d / np.sqrt((d * d).mean(1, keepdims=True))


def groups(k, x):
    """x by keys, and where each group begins."""
    at = np.argsort(k, kind="stable")
    k = k[at]
    return x[at], np.flatnonzero(np.r_[True, k[1:] != k[:-1]])


def group_sort(k, x):
    return x[np.lexsort((x, k))]


def group_median(k, x):
    y, begin = group_sort(k, x), np.flatnonzero(np.diff(np.sort(k), prepend=-1))
    return y[begin + (np.diff(np.r_[begin, len(y)]) - 1) // 2]


def group_std(k, x):
    n = np.bincount(k)
    return np.sqrt(np.bincount(k, x * x) / n - (np.bincount(k, x) / n) ** 2)


def four(k, v):
    y, begin = groups(k, v)
    return (np.add.reduceat(y, begin), np.maximum.reduceat(y, begin), np.minimum.reduceat(y, begin),
            np.diff(np.r_[begin, len(y)]))


def joined(f, n, places, x):
    z = np.zeros(n)
    f.at(z, places, x)
    return z


def first_places(v, w):
    """For each of w, its first place in v."""
    at = np.argsort(v, kind="stable")
    i = np.searchsorted(v, w, sorter=at)
    found = at[np.minimum(i, len(v) - 1)]
    return np.where(v[found] == w, found, len(v))


def k_means(p, c):
    a = ((c * c).sum(1) - 2 * (p @ c.T)).argmin(1)
    n = np.maximum(np.bincount(a, minlength=len(c)), 1)
    return np.stack([np.bincount(a, p[:, j], minlength=len(c)) for j in range(p.shape[1])], 1) / n[:, None]


def neighbours(b):
    return sum(np.roll(np.roll(b, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1))


def life(b):
    s = neighbours(b)
    return ((s == 3) | (b.astype(bool) & (s == 4))).astype(np.int8)


def mandelbrot(c, rounds=100):
    z, n = np.zeros_like(c), np.zeros(c.shape)
    for _ in range(rounds):
        inside = z.real * z.real + z.imag * z.imag <= 4
        z = c + z * z * inside
        n += inside
    return n


def ended_sums(v):
    s = np.cumsum((v.pv / v.od)[v.src])[v.ends - 1]
    return 0.15 + 0.85 * np.diff(s, prepend=0)


def attention(q, k, v):
    e = q @ k.T / f32(8)
    e = np.exp(e - e.max(1, keepdims=True))
    return (e / e.sum(1, keepdims=True)) @ v


def power(a):
    v = np.ones(len(a))
    for _ in range(20):
        v = a @ v
        v = v / math.sqrt(v @ v)
    return v


def text(n):
    return np.resize(np.frombuffer(b"the quick brown fox jumps over the lazy dog and goes home ", np.uint8), n)


def floats(*shape):
    return R.random(shape)


def singles(*shape):
    return R.random(shape, f32)


def complexes(n):
    return R.random(n) + 1j * R.random(n)


def truths(n):
    return R.integers(0, 2, n).astype(bool)


COMMON = {
    "x": lambda v: floats(v.n), "f": lambda v: v.x.astype(f32), "q": lambda v: v.f.reshape(v.side, -1),
    "k": lambda v: R.integers(0, 1000, v.n, np.int16)}
GROUPS = [
    ({"g": lambda v: singles(v.n), "c": lambda v: 1 + 1e-9 * v.x, "i": lambda v: R.integers(1, v.n, v.n, np.int32),
      "w31": lambda v: f32(0.01) * np.arange(1, 32, dtype=f32), "s1000": lambda v: floats(1000), "b": lambda v: v.x > 0.5},
     {"conv31 rotations": lambda v: sum(w * np.roll(v.f, -k) for k, w in enumerate(v.w31, 1)),
      "conv31 stencil": lambda v: np.convolve(padded(v.f, 15), v.w31[::-1], "valid"),
      "moving max 31": lambda v: windows(v.f, 31).max(1),
      "each over items": lambda v: v.x[: v.n // 16].reshape(-1, 16).max(1),
      "nested sums": lambda v: v.x[: v.n // 16].reshape(-1, 16).sum(1),
      "running median 9 2^20": lambda v: np.sort(windows(padded(v.f[: v.n // 16], 4), 9), 1)[:, 4],
      "complex abs sum": lambda v: abs(v.x + 1j * v.x[::-1]).sum(),
      "unique complex": lambda v: np.unique((v.x + 1j * v.x[::-1])[: v.n // 64]),
      "randn f64": lambda v: normal(v.n),
      "option monte carlo": lambda v: np.maximum(0, 100 * np.exp(-0.02 + 0.2 * normal(v.n)) - 105).sum(),
      "monte carlo pi 2^26": lambda v: 4 * (1 > R.random(4 * v.n) ** 2 + R.random(4 * v.n) ** 2).sum() / (4 * v.n),
      "random walk 2^24": lambda v: np.cumsum(2 * R.integers(0, 2, v.n) - 1).max(),
      "chain 20 f32": lambda v: chain_twice(v.f), "chain 20 f64": lambda v: chain_twice(v.x),
      "pow f64": lambda v: v.x ** 1.7, "sin f32": lambda v: np.sin(v.f), "sin f64": lambda v: np.sin(v.x),
      "floor log": lambda v: np.floor(np.log2(v.i)).astype(np.int8), "base exp": lambda v: 1.0001 ** v.k,
      "gcd": lambda v: np.gcd(v.k, v.k[::-1]), "power int": lambda v: 3 ** (v.k.astype(np.int64) % 20),
      "base 10 digits sum": lambda v: v.k // 100 % 10 + v.k // 10 % 10 + v.k % 10,
      "bits of numbers": lambda v: (v.i >> np.arange(31, -1, -1)[:, None]) & 1,
      "interleave": lambda v: np.stack((v.f, v.g), 1).ravel(),
      "cube transpose 213": lambda v: v.f.reshape(64, v.side // 8, -1).transpose(1, 0, 2).copy(),
      "sum of 1000": lambda v: v.s1000.sum(), "ema f64": lambda v: ema(v.x),
      "cumprod f32": lambda v: v.c.astype(f32).cumprod(), "cumprod f64": lambda v: v.c.cumprod(),
      "cummax f32": lambda v: np.maximum.accumulate(v.f), "and scan": lambda v: np.logical_and.accumulate(v.x > 1e-9),
      "cumsum of bits": lambda v: v.b.cumsum(), "primes below 2^20": lambda v: primes(1000)}),
    ({"qs": lambda v: v.q[: v.side // 8], "i2": lambda v: R.integers(0, v.side, 1000),
      "j2": lambda v: R.integers(0, v.n // v.side, 1000), "c3": lambda v: v.f.reshape(64, v.side // 8, -1)},
     {"row argmax by rank": lambda v: v.q.argmax(1), "first one of rows": lambda v: (v.qs > 0.999).argmax(1),
      "argmax by product": lambda v: v.qs.argmax(1), "rows least place": lambda v: v.q.argmin(1),
      "index points": lambda v: v.q[v.i2, v.j2], "index table": lambda v: v.q[np.ix_(v.i2, v.j2)],
      "where in rows": lambda v: (v.q > v.q.mean(0)).sum(1), "rows count": lambda v: (v.q > 0.5).sum(1),
      "rows any": lambda v: (v.q > 0.9999).any(1), "rows norm dfn": lambda v: np.sqrt((v.q ** 2).sum(1)),
      "rows layer norm": lambda v: layer_norm(v.q), "rows by greatest": lambda v: v.q / v.q.max(1, keepdims=True),
      "rows reverse": lambda v: v.q[:, ::-1].copy(), "rows rotate": lambda v: np.roll(v.q, -1, 1),
      "rows dot self": lambda v: np.einsum("ij,ij->i", v.q, v.q), "rows cumsum": lambda v: v.q.cumsum(1),
      "row norm": lambda v: v.q / np.sqrt((v.q * v.q).sum(1, keepdims=True)),
      "columns mean centre": lambda v: v.q - v.q.mean(0), "columns sum of squares": lambda v: (v.q ** 2).sum(0),
      "upper triangle": lambda v: np.triu(v.q), "trace": lambda v: np.trace(v.q), "diff axis 0": lambda v: -np.diff(v.q, axis=0),
      "cumsum axis1 f32": lambda v: v.q.cumsum(0),
      "conv5x5 f32": lambda v: windows(padded(v.q, 2), (5, 5)).sum((2, 3)),
      "max pool 3x3": lambda v: windows(padded(v.q, 1), (3, 3)).max((2, 3)),
      "planes sum": lambda v: v.c3.sum((1, 2)), "planes transpose": lambda v: v.c3.transpose(0, 2, 1).copy()}),
    ({"a": lambda v: R.integers(1, 1000, v.n, np.int16), "w": lambda v: R.integers(0, 2**30, v.n, np.int32),
      "v": lambda v: R.integers(0, 2**30, v.n // 4, np.int32), "u": lambda v: np.sort(floats(v.n // 16)),
      "big": lambda v: R.integers(0, v.n // 16, v.n, np.int32)},
     {"group sort": lambda v: group_sort(v.k, v.x), "group median": lambda v: group_median(v.k, v.x),
      "group std": lambda v: group_std(v.k, v.x), "group sums nested": lambda v: np.bincount(v.k, v.x),
      "max by key 1000": lambda v: joined(np.maximum, 1000, v.k, v.x), "sum by key 2^20": lambda v: np.bincount(v.big, v.x),
      "scatter add big": lambda v: np.bincount(v.big, v.x, v.n // 16),
      "scatter max": lambda v: joined(np.maximum, v.n // 16, v.big, v.x),
      "searchsorted": lambda v: np.searchsorted(v.u, v.x, "right"), "index of i32 2^22": lambda v: first_places(v.v, v.w),
      "isin i32 2^22": lambda v: np.isin(v.w, v.v), "rank of": lambda v: v.w.argsort(kind="stable").argsort(kind="stable"),
      "sort desc f32": lambda v: np.sort(v.f)[::-1].copy(), "sort by two keys": lambda v: np.lexsort((v.w, v.a)),
      "sort by two keys stable": lambda v: np.lexsort((v.w, v.a))}),
    ({"F": lambda v: singles(4 * v.n)},
     {"histogram f32 2^26": lambda v: np.bincount((f32(256) * v.F).astype(np.intp), minlength=256),
      "histogram by key": lambda v: np.bincount((f32(256) * v.F).astype(np.intp)),
      "median 2^26": lambda v: np.partition(v.F, v.F.size // 2 - 1)[v.F.size // 2 - 1],
      "max index of 2^26": lambda v: v.F.argmax(), "top 100 by take": lambda v: np.sort(np.partition(v.F, -100)[-100:])[::-1]}),
    ({"k1": lambda v: R.integers(0, 100, 4 * v.n, np.int32), "k2": lambda v: R.integers(0, 100, 4 * v.n, np.int32),
      "v": lambda v: floats(4 * v.n)},
     {"groupby 2 keys sum": lambda v: np.bincount(v.k2 + 100 * v.k1, v.v),
      "groupby 2 keys 4 aggs": lambda v: four(v.k2 + 100 * v.k1, v.v),
      "groupby 2 keys matrix": lambda v: four(v.k2 + 100 * v.k1, v.v)}),
    ({"z20": lambda v: complexes(v.n // 16), "z22": lambda v: complexes(v.n // 4), "z24": lambda v: complexes(v.n),
      "zm": lambda v: v.z24.reshape(v.side, -1)},
     {"fft 2^20 of steps": lambda v: np.fft.fft(v.z20), "fft 2^20": lambda v: np.fft.fft(v.z20), "fft 2^22": lambda v: np.fft.fft(v.z22),
      "fft 2^24": lambda v: np.fft.fft(v.z24), "fft 2^24 there and back": lambda v: np.fft.ifft(np.fft.fft(v.z24)),
      "fft of rows": lambda v: np.fft.fft(v.zm), "fft of columns": lambda v: np.fft.fft(v.zm, axis=0),
      "fft2": lambda v: np.fft.fft2(v.zm), "fft of 154350": lambda v: np.fft.fft(v.z22[:154350]),
      "fft of a prime": lambda v: np.fft.fft(v.z20[:1000003])}),
    ({"PT": lambda v: singles(v.n // 16, 8), "CE": lambda v: singles(64, 8), "PX": lambda v: singles(4 * v.side),
      "PY": lambda v: singles(4 * v.side), "LB": lambda v: (R.integers(0, 3, v.n) == 0).astype(np.int8).reshape(v.side, -1)},
     {"k-means step": lambda v: k_means(v.PT, v.CE), "nearest of 16k×16k": lambda v: abs(v.PX[:, None] - v.PY).min(1),
      "pairs closer": lambda v: (abs(v.PX[:, None] - v.PY) < f32(0.001)).sum(),
      "life 4096 x1 classic": lambda v: life(v.LB), "life 4096 x1 stencil": lambda v: life(v.LB)}),
    ({"cz": lambda v: (3 * np.arange(v.side // 2) / (v.side // 2) - 2)[:, None] + 1j * (3 * np.arange(v.side // 2) / (v.side // 2) - 1.5)},
     {"mandelbrot 2048 100": lambda v: mandelbrot(v.cz), "mandelbrot arrays 100": lambda v: mandelbrot(v.cz)}),
    ({"deg": lambda v: R.integers(1, 31, v.n // 4), "e": lambda v: int(v.deg.sum()), "ends": lambda v: v.deg.cumsum(),
      "begin": lambda v: v.ends - v.deg, "src": lambda v: R.integers(0, v.n // 4, v.e), "pv": lambda v: floats(v.n // 4),
      "od": lambda v: np.maximum(np.bincount(v.src, minlength=v.n // 4), 1)},
     {"pagerank segments": lambda v: 0.15 + 0.85 * np.add.reduceat((v.pv / v.od)[v.src], v.begin),
      "pagerank cumsum": ended_sums, "segment sums": lambda v: np.add.reduceat(np.pad(v.pv, (0, v.e - v.pv.size)), v.begin),
      "segment means": lambda v: np.add.reduceat(v.src, v.begin) / v.deg,
      "segment max": lambda v: np.maximum.reduceat(v.src, v.begin)}),
    ({"X": lambda v: singles(v.n // 16, 32), "Y": lambda v: R.integers(1, 3, v.n // 16).astype(f32), "W": lambda v: np.full(32, 0.01, f32),
      "A": lambda v: singles(v.n // 16, 16), "B": lambda v: singles(v.n // 16, 16)},
     {"X+.×W tall": lambda v: v.X @ v.W, "X'+.×y": lambda v: v.X.T @ v.Y,
      "least squares 2^20×8": lambda v: np.linalg.lstsq(v.X[:, :8], v.Y, rcond=None)[0],
      "short dots dfn": lambda v: np.einsum("ij,ij->i", v.A, v.B)}),
    ({"A": lambda v: floats(v.n // 64, 4, 4), "B": lambda v: floats(v.n // 64, 4), "C": lambda v: floats(v.n // 4096, 16, 16)},
     {"inverses of 4×4 2^18": lambda v: np.linalg.inv(v.A), "solve 4×4 2^18": lambda v: np.linalg.solve(v.A, v.B[:, :, None]),
      "inverses of 16×16 2^12": lambda v: np.linalg.inv(v.C)}),
    ({"Q": lambda v: singles(v.side // 2, 64), "K": lambda v: singles(v.side // 2, 64), "V": lambda v: singles(v.side // 2, 64),
      "A": lambda v: floats(v.side // 2, v.side // 2), "AF": lambda v: v.A.astype(f32),
      "AI": lambda v: R.integers(1, 100, v.A.shape, np.int32), "AC": lambda v: complexes((v.side // 8) ** 2).reshape(v.side // 8, -1),
      "AB": lambda v: floats(v.side, v.side), "AG": lambda v: v.AB.astype(f32), "s": lambda v: v.side // 4},
     {"attention": lambda v: attention(v.Q, v.K, v.V), "attention fast": lambda v: attention(v.Q, v.K, v.V),
      "product complex 512": lambda v: v.AC @ v.AC, "complex product 256": lambda v: v.AC[: v.side // 16, : v.side // 16] @ v.A[: v.side // 16, : v.side // 16],
      "product i8 2048": lambda v: v.AI @ v.AI, "product whole 2048": lambda v: np.floor(1000 * v.A).astype(int) @ np.floor(1000 * v.A).astype(int), "product f64 2048": lambda v: v.A @ v.A, "product f64 4096": lambda v: v.AB @ v.AB,
      "product f32 4096": lambda v: v.AG @ v.AG, "product f32 2048 fast": lambda v: v.AF @ v.AF, "product f32 4096 fast": lambda v: v.AG @ v.AG,
      "product f32 4096 to 11 digits": lambda v: v.AG @ v.AG, "product f32 4096 to 22 digits": lambda v: v.AG @ v.AG,
      "min plus 1024": lambda v: np.stack([(row[:, None] + v.AF[: v.s, : v.s]).min(0) for row in v.AF[: v.s, : v.s]]),
      "power iteration": lambda v: power(v.A), "solve 2048": lambda v: np.linalg.solve(v.A, v.A[:, 0]),
      "inverse 1024": lambda v: np.linalg.inv(30 * np.eye(v.s) + v.A[: v.s, : v.s])}),
    ({"t": lambda v: text(v.n // 4), "cm": lambda v: R.integers(97, 100, (v.n // 16, 8), np.uint8),
      "keys": lambda v: v.cm.view("S8").ravel(), "W": lambda v: [bytes(r) for r in v.cm[: v.n // 64]]},
     {"split 2^22": lambda v: len(v.t.tobytes().split()), "word lengths 2^22": lambda v: [len(w) for w in v.t.tobytes().split()],
      "unique char rows": lambda v: np.unique(v.keys), "grade char rows made": lambda v: v.keys.argsort(kind="stable"),
      "sort char rows": lambda v: np.sort(v.keys), "sort strings 2^18": lambda v: sorted(v.W)}),
    ({"t": lambda v: text(16 * v.n), "vowel": lambda v: np.frombuffer(b"aeiou", np.uint8)},
     {"letter counts 2^28": lambda v: np.bincount(v.t), "vowels 2^28": lambda v: np.isin(v.t, v.vowel).sum(),
      "drop blanks 2^28": lambda v: v.t[v.t != 32], "caesar 2^28": lambda v: 97 + (v.t - np.uint8(94)) % 26}),
    ({"B": lambda v: truths(16 * v.n), "BM": lambda v: v.B.reshape(4 * v.side, -1)},
     {"prefix bits 2^28": lambda v: v.B.cumsum(), "parity scan 2^28": lambda v: np.logical_xor.accumulate(v.B),
      "bits not-equal": lambda v: (v.B != v.B[::-1]).sum(), "bits transpose": lambda v: v.BM.T.copy(),
      "cols or": lambda v: v.BM.any(0), "cols sum": lambda v: v.BM.sum(0), "rows and": lambda v: v.BM.all(1),
      "rows or": lambda v: v.BM.any(1), "rows parity": lambda v: np.logical_xor.reduce(v.BM, 1)}),
]


def microseconds(f, v):
    f(v)  # makes its arrays
    at = time.perf_counter()
    f(v)
    once, times, start = time.perf_counter() - at, [], time.perf_counter()
    if once > 5:
        return once * 1e6
    while len(times) < (3 if once > 1 else 5) or (len(times) < 101 and time.perf_counter() - start < 0.25):
        at = time.perf_counter()
        f(v)
        times.append(time.perf_counter() - at)
    return statistics.median(times) * 1e6


def vapl_times(program, log2, only):
    """What bench/device takes for each row of rows.txt."""
    rows = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rows.txt")
    args = [program, "--device", "host", "--rows", rows, "--min", str(log2), "--max", str(log2)]
    out = subprocess.run(args + (["--only", only] if only else []), stdout=subprocess.PIPE, text=True, check=True).stdout
    cells = [line.split("\t") for line in out.splitlines() if not line.startswith("#")]
    return {c[1].strip(): float(c[2]) for c in cells if len(c) == 7}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--log2", type=int, default=20)
    p.add_argument("--only", default="")
    p.add_argument("--vapl", help="bench/device, whose time is shown beside")
    o = p.parse_args()
    mine, ratios = vapl_times(o.vapl, o.log2, o.only) if o.vapl else {}, []
    print("row\tNumPy µs" + ("\tvapl µs\tvapl ÷ NumPy" if o.vapl else ""))
    for makers, rows in GROUPS:
        v = Arrays(o.log2, {**COMMON, **makers})
        for name, f in rows.items():
            if o.only not in name:
                continue
            us = microseconds(f, v)
            cells = [name, f"{us:.1f}"]
            if name in mine:
                ratios.append(mine[name] / us)
                cells += [f"{mine[name]:.1f}", f"{ratios[-1]:.2f}"]
            print(*cells, sep="\t", flush=True)
    if ratios:
        print(f"# geometric mean of {len(ratios)} rows: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")


main()
