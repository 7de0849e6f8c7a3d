# SPDX-License-Identifier: MIT
"""The rows of device.c in PyTorch, CuPy and JAX on a CUDA device, in milliseconds.

    python3 bench/device.py [LOG2 ...] [ROW ...]

Wall time per call with a synchronisation behind it, the median of as many calls as device.c
makes. `torch` is eager, `compiled` is torch.compile, of the rows that fuse. A library that is
not installed, or has no such function, shows a dash."""
import math
import statistics
import sys
import time
import types

import torch
import torch.nn.functional as F

try:
    import cupy
    import cupyx.scipy.ndimage
except ImportError:
    cupy = None
try:
    import os

    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
except ImportError:
    jax = None


def cdf(z, exp):
    return 1 / (1 + exp(-z * (1.5976 + 0.07056 * z * z)))


def black_scholes(x, exp, log):
    s = 50 + 100 * x
    d = (log(s / 100) + 0.07) / 0.3
    return s * cdf(d, exp) - 95 * cdf(d - 0.3, exp)


def normalise(x):
    d = x - x.mean()
    return d / (d * d).mean() ** 0.5


def softmax(m, exp):
    e = exp(m)
    return e / e.sum(1, keepdims=True)


def centre(m):
    return m - m.mean(1, keepdims=True)


def stencil(m):
    return F.avg_pool2d(m[None, None], 3, 1, 1) * 9


def mandelbrot(c):
    z, n = torch.zeros_like(c), torch.zeros(c.shape, dtype=torch.int32, device=c.device)
    for _ in range(32):
        inside = z.real * z.real + z.imag * z.imag <= 4
        z = torch.where(inside, c + z * z, z)
        n += inside
    return n


def grown(x, n):
    return F.pad(x, (0, n))


COMPILED = {"map", "row softmax", "row centre", "stencil", "Black-Scholes", "normalise",
            "each", "Mandelbrot", "select computed", "decode", "find text"}

TORCH = {
    "map": lambda v: v.x + v.y * 2,
    "sum": lambda v: v.x.sum(),
    "scan": lambda v: v.x.cumsum(0),
    "random": lambda v: torch.rand(v.n, device="cuda", dtype=torch.float64),
    "random integers": lambda v: torch.randint(1, 1001, (v.n,), device="cuda", dtype=torch.int16),
    "random sum": lambda v: torch.rand(v.n, device="cuda", dtype=torch.float64).sum(),
    "select computed": lambda v: v.x[v.x > 0.5],
    "select": lambda v: v.x[v.b],
    "select f32": lambda v: v.f[v.b],
    "masked sum": lambda v: v.k[v.b].sum(),
    "where": lambda v: v.b.nonzero(),
    "gather": lambda v: v.x[v.i],
    "gather f32": lambda v: v.f[v.i],
    "gather rows": lambda v: v.q[v.r],
    "scatter": lambda v: v.v.scatter_(0, v.j, v.x),
    "histogram": lambda v: torch.bincount(v.k.int(), minlength=1001),
    "reverse": lambda v: v.x.flip(0),
    "rotate": lambda v: v.x.roll(-1),
    "rotate columns": lambda v: v.m.roll(-7, 0),
    "catenate": lambda v: torch.cat([v.x, v.y]),
    "catenate columns": lambda v: torch.cat([v.m, v.m], 1),
    "take with fill": lambda v: grown(v.x, 10),
    "transpose": lambda v: v.m.t().contiguous(),
    "transpose f32": lambda v: v.q.t().contiguous(),
    "replicate": lambda v: v.x.repeat_interleave(v.counts),
    "convert": lambda v: v.x.float(),
    "count words": lambda v: (v.t == 32).sum(),
    "find text": lambda v: ((v.t[:-2] == 116) & (v.t[1:-1] == 104) & (v.t[2:] == 101)).sum(),
    "difference": lambda v: v.x[:-1] - v.x[1:],
    "encode": lambda v: v.k // torch.tensor([[1000], [100], [10], [1]], device="cuda") % 10,
    "decode": lambda v: (v.x + 2) * v.x + 3,
    "gcd": lambda v: torch.gcd(v.k, v.thousand),
    "row softmax": lambda v: torch.softmax(v.q, 1),
    "row sums each": lambda v: v.m.sum(1),
    "row centre": lambda v: centre(v.q),
    "stencil": lambda v: stencil(v.q),
    "each": lambda v: torch.where(v.x > 0.5, v.x * 2, v.x / 2),
    "outer": lambda v: v.x[: v.side, None] * v.y[None, : v.side],
    "Black-Scholes": lambda v: black_scholes(v.x, torch.exp, torch.log),
    "normalise": lambda v: normalise(v.f),
    "Mandelbrot": lambda v: mandelbrot(v.c),
    "complex map": lambda v: v.c + v.c * v.c,
    "argmax": lambda v: v.x.argmax(),
    "unique": lambda v: torch.unique(v.k),
    "member": lambda v: torch.isin(v.k, v.hundred),
    "count by key": lambda v: torch.bincount(v.k.int()),
    "sum by key": lambda v: torch.zeros(1001, device="cuda", dtype=torch.float64).index_add_(
        0, v.k.int(), v.x),
    "grade f64": lambda v: torch.argsort(v.x, stable=True),
    "grade i16": lambda v: torch.argsort(v.k, stable=True),
    "grade f32": lambda v: torch.argsort(v.f, stable=True),
    "sort f64": lambda v: torch.sort(v.x),
    "sort f32": lambda v: torch.sort(v.f),
    "sort i32": lambda v: torch.sort(v.i),
    "sort i16": lambda v: torch.sort(v.k),
    "sort bits": lambda v: torch.sort(v.b),
    "sort rows": lambda v: torch.sort(v.m, 1),
    "product 512": lambda v: v.x[: 512 * 512].reshape(512, 512) @ v.y[: 512 * 512].reshape(512, 512),
    "product": lambda v: v.m @ v.m.t(),
    "product f32": lambda v: v.q @ v.q.t(),
    "product f32 fast": lambda v: v.q @ v.q.t(),
    "product by vector": lambda v: v.q @ v.q[0],
}

CUPY = {
    "scan": lambda v: cupy.cumsum(v.x),
    "select": lambda v: v.x[v.b],
    "where": lambda v: cupy.flatnonzero(v.b),
    "gather": lambda v: v.x[v.i],
    "reverse": lambda v: v.x[::-1].copy(),
    "transpose": lambda v: cupy.ascontiguousarray(v.m.T),
    "catenate": lambda v: cupy.concatenate([v.x, v.y]),
    "histogram": lambda v: cupy.bincount(v.k, minlength=1001),
    "unique": lambda v: cupy.unique(v.k),
    "row softmax": lambda v: softmax(v.q, cupy.exp),
    "stencil": lambda v: cupyx.scipy.ndimage.convolve(v.q, cupy.ones((3, 3), v.q.dtype),
                                                      mode="constant"),
    "Black-Scholes": lambda v: black_scholes(v.x, cupy.exp, cupy.log),
    "normalise": lambda v: normalise(v.f),
    "sort f64": lambda v: cupy.sort(v.x),
}


def jax_stencil(m):
    p = jnp.pad(m, 1)
    n, k = m.shape
    return sum(p[i : i + n, j : j + k] for i in range(3) for j in range(3))


JAX = {
    "scan": lambda v: jnp.cumsum(v.x),
    "gather": lambda v: v.x[v.i],
    "reverse": lambda v: jnp.flip(v.x),
    "transpose": lambda v: v.m.T + 0,
    "catenate": lambda v: jnp.concatenate([v.x, v.y]),
    "row softmax": lambda v: softmax(v.q, jnp.exp),
    "stencil": lambda v: jax_stencil(v.q),
    "Black-Scholes": lambda v: black_scholes(v.x, jnp.exp, jnp.log),
    "normalise": lambda v: normalise(v.f),
    "sort f64": lambda v: jnp.sort(v.x),
}


class Values:
    pass


def values(log2):
    v, n = Values(), 1 << log2
    v.n, v.side = n, 1 << log2 // 2
    v.x = torch.rand(n, device="cuda", dtype=torch.float64)
    v.y = torch.rand(n, device="cuda", dtype=torch.float64)
    v.f = v.x.float()
    v.k = torch.randint(1, 1001, (n,), device="cuda", dtype=torch.int16)
    v.i = torch.randint(0, n, (n,), device="cuda", dtype=torch.int32)
    v.j = (torch.arange(n, device="cuda") * 7).remainder(n).flip(0).contiguous()
    v.b = v.x > 0.5
    v.m, v.q = v.x.reshape(v.side, -1), v.f.reshape(v.side, -1)
    v.r = torch.randint(0, v.side, (v.side,), device="cuda", dtype=torch.int32)
    line = torch.arange(1, v.side + 1, device="cuda", dtype=torch.float64) / (v.side / 3)
    v.c = torch.complex((line - 2)[:, None].expand(-1, v.side).contiguous(),
                        (line - 1.5)[None].expand(v.side, -1).contiguous())
    v.v = v.x.clone()
    text = b"the quick brown fox jumps over the lazy dog and goes home "
    whole = torch.frombuffer(bytearray(text), dtype=torch.uint8).cuda()
    v.t = whole.repeat(math.ceil(n / len(text)))[:n].contiguous()
    v.counts = torch.tensor([1, 2, 0], device="cuda").repeat(math.ceil(n / 3))[:n].contiguous()
    v.thousand = torch.tensor(1000, device="cuda", dtype=torch.int16)
    v.hundred = torch.arange(1, 101, device="cuda", dtype=torch.int16)
    return v


def converted(v, to):
    w = Values()
    for name in ("x", "y", "f", "k", "i", "b", "m", "q"):
        setattr(w, name, to(getattr(v, name)))
    return w


def milliseconds(f, v, wait):
    wait(f(v))  # compiles it
    start = time.perf_counter()
    while True:
        wait(f(v))
        if time.perf_counter() - start > 0.06:
            break
    if time.perf_counter() - start > 1:
        return (time.perf_counter() - start) * 1e3
    times, start = [], time.perf_counter()
    while len(times) < 5 or (len(times) < 101 and time.perf_counter() - start < 0.25):
        at = time.perf_counter()
        wait(f(v))
        times.append(time.perf_counter() - at)
    return statistics.median(times) * 1e3


def traced(f):
    """f of a dictionary of arrays, which jax.jit takes for an argument."""
    g = jax.jit(lambda d: f(types.SimpleNamespace(**d)))
    return lambda v: g(vars(v))


def shown(f, v, wait):
    if f is None or v is None:
        return "-"
    try:
        return f"{milliseconds(f, v, wait):.4f}"
    except Exception as e:  # a row that a library cannot do is no reason to stop
        return type(e).__name__


print("log2\trow\ttorch\tcompiled\tcupy\tjax")
rows = [a for a in sys.argv[1:] if not a.isdigit()] or list(TORCH)
for log2 in [int(a) for a in sys.argv[1:] if a.isdigit()] or [24]:
    v = values(log2)
    c = converted(v, lambda t: cupy.from_dlpack(t)) if cupy else None
    j = converted(v, lambda t: jax.dlpack.from_dlpack(t)) if jax else None
    for name in rows:
        f = TORCH[name]
        synchronise = lambda _: torch.cuda.synchronize()
        cells = [shown(f, v, synchronise),
                 shown(torch.compile(f) if name in COMPILED else None, v, synchronise),
                 shown(CUPY.get(name), c, lambda _: cupy.cuda.Device().synchronize()),
                 shown(traced(JAX[name]) if j and name in JAX else None,
                       j, lambda r: r.block_until_ready())]
        print(log2, name, *cells, sep="\t", flush=True)
