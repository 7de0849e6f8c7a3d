# SPDX-License-Identifier: MIT
"""The rows of idioms.c in PyTorch on a CUDA device: eager, and through torch.compile.

    python3 bench/idioms.py [LOG2 ...]

Wall time per call with a synchronisation behind it, the median of as many calls as idioms.c
makes; GB/s counts the traffic of that table's floor, so that the columns compare."""
import statistics
import sys
import time

import torch

IDIOMS = {
    "sum": (1, lambda x, y, m: x.sum()),
    "mean": (1, lambda x, y, m: x.mean()),
    "norm": (1, lambda x, y, m: x.norm()),
    "dot": (2, lambda x, y, m: (x * y).sum()),
    "distance": (2, lambda x, y, m: ((x - y) ** 2).sum().sqrt()),
    "min max sum": (1, lambda x, y, m: (x.min(), x.max(), x.sum())),
    "cosine": (2, lambda x, y, m: torch.nn.functional.cosine_similarity(x, y, 0)),
    "covariance": (2, lambda x, y, m: (x * y).mean() - x.mean() * y.mean()),
    "variance": (2, lambda x, y, m: x.var(correction=0)),
    "normalise": (4, lambda x, y, m: (x - x.mean()) / x.std(correction=0)),
    "softmax": (4, lambda x, y, m: torch.softmax(x, 0)),
    "row sums": (1, lambda x, y, m: m.sum(1)),
    "column sums": (1, lambda x, y, m: m.sum(0)),
    "row softmax": (4, lambda x, y, m: torch.softmax(m, 1)),
    "centre columns": (3, lambda x, y, m: m - m.mean(0)),
}


def seconds(f, *args):
    start = time.perf_counter()
    while time.perf_counter() - start < 0.06:
        f(*args)
        torch.cuda.synchronize()
    times, start = [], time.perf_counter()
    while len(times) < 5 or (len(times) < 101 and time.perf_counter() - start < 0.25):
        at = time.perf_counter()
        f(*args)
        torch.cuda.synchronize()
        times.append(time.perf_counter() - at)
    return statistics.median(times)


for log2 in [int(a) for a in sys.argv[1:]] or [20, 24, 28]:
    for name, dtype in (("f32", torch.float32), ("f64", torch.float64)):
        n = 1 << log2
        x = 0.5 + torch.arange(1, n + 1, device="cuda", dtype=torch.float64) / n
        x = x.to(dtype)
        y = x.flip(0).contiguous()
        m = x.reshape(1 << log2 // 2, -1)
        for row, (moves, f) in IDIOMS.items():
            rates = []
            for g in (f, torch.compile(f)):
                rates.append(moves * n * x.element_size() / seconds(g, x, y, m) * 1e-9)
            print(f"{name}\t{log2}\t{row:14}\teager {rates[0]:8.1f} GB/s\tcompiled {rates[1]:8.1f} GB/s",
                  flush=True)
