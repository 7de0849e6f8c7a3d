# SPDX-License-Identifier: MIT
"""Arrays on the host beside NumPy and CBQN, in one run, by turns: nanoseconds a call and their ratio.

    python3 bench/arrays.py ARRAYS [--sizes 100,1000,…] [--only TEXT] [--bqn PROGRAM] [--growth]

ARRAYS is the program made of arrays.c. A row is an expression of vapl and the same in Python,
or None where NumPy has none; the ratio is to the best peer. --growth times each row at n and 4n instead and says which grow
faster than n log n."""
import argparse
import math
import subprocess
import tempfile
import time

import numpy as np

SETUP = """⎕RL←42 ⋄ f←?N⍴0 ⋄ g←?N⍴0 ⋄ i←¯1+?N⍴1000 ⋄ j←?N⍴100 ⋄ q←?N⍴100 ⋄ w←?N⍴2*30
b←(?N⍴2)=1 ⋄ d←(?N⍴2)=1 ⋄ t←'the rains in spain stay '[?N⍴24] ⋄ ix←?N⍴N ⋄ k←?N⍴20 ⋄ u←f[⍋f]
S←⌊N*0.5 ⋄ m←?(S,S)⍴0 ⋄ cm←(S,S)⍴t ⋄ cnt←1000⍴0 ⋄ kf←⌊f×20 ⋄ f2←f ⋄ W←(?(⌈N÷5)⍴7)↑¨⊂'abcdefg'"""

# name, vapl, Python; N elements each
ROWS = [
    ("f+g", "f+g", "f+g"), ("f×2.5", "f×2.5", "f*2.5"), ("f<g", "f<g", "f<g"),
    ("i+j", "i+j", "i+j"), ("q+j", "q+j", "q+j"), ("q×j", "q×j", "q*j"), ("i=j", "i=j", "i==j"), ("w⌈j", "w⌈j", "np.maximum(w,j)"),
    ("|i", "|i", "abs(i)"), ("f÷g", "f÷g", "f/g"), ("7|w", "7|w", "w%7"), ("⌊f×9", "⌊f×9", "np.floor(f*9)"), ("f*2", "f*2", "f**2"), ("b∧d", "b∧d", "b&d"), ("~b", "~b", "~b"),
    ("+/b", "+/b", "b.sum()"), ("+/f", "+/f", "f.sum()"), ("+/i", "+/i", "i.sum()"), ("⌈/f", "⌈/f", "f.max()"), ("∨/b", "∨/b", "b.any()"),
    ("+\\i", "+\\i", "i.cumsum()"), ("+\\f", "+\\f", "f.cumsum()"), ("≠\\b", "≠\\b", "np.logical_xor.accumulate(b)"), ("+\\b", "+\\b", "b.cumsum()"), ("2-/f", "2-/f", "-np.diff(f)"),
    ("*f", "*f", "np.exp(f)"), ("⍟f", "⍟f", "np.log(f)"), ("1○f", "1○f", "np.sin(f)"), ("f*g", "f*g", "f**g"), ("2⍟f", "2⍟f", "np.log2(f)"), ("g|f", "g|f", "f%g"), ("?n⍴100", "?N⍴100", "R.integers(100,size=n)"), ("?n⍴0", "?N⍴0", "R.random(n)"),
    ("b/f", "b/f", "f[b]"), ("b/w", "b/w", "w[b]"), ("b/t", "b/t", "t[b]"), ("j/i", "k/i", "np.repeat(i,k)"), ("⍸b", "⍸b", "np.flatnonzero(b)"),
    ("⌽f", "⌽f", "f[::-1].copy()"), ("⌽b", "⌽b", "b[::-1].copy()"), ("7⌽f", "7⌽f", "np.roll(f,-7)"), ("7↓f", "7↓f", "f[7:].copy()"), ("f,g", "f,g", "np.concatenate((f,g))"), ("n⍴1 2 3", "N⍴1 2 3", "np.resize(a123,n)"), ("⍳n", "⍳N", "np.arange(n)"), ("n⍴0", "N⍴0", "np.zeros(n)"),
    ("⍉m", "⍉m", "m.T.copy()"), ("⊖m", "⊖m", "m[::-1].copy()"), ("+/m", "+/m", "m.sum(1)"), ("+⌿m", "+⌿m", "m.sum(0)"),
    ("f[ix]", "f[ix]", "f[ix0]"), ("w[ix]", "w[ix]", "w[ix0]"), ("h[i]+←1", "cnt[1+i]+←1", "np.add.at(cnt,i,1)"), ("(b/f)←0", "(b/f2)←0", "f2.__setitem__(b,0)"),
    ("t∊'aeiou'", "t∊'aeiou'", "np.isin(t,vow)"), ("'rain'⍷t", "'rain'⍷t", None), ("t='a'", "t='a'", "t==97"), ("1⎕C t", "1⎕C t", None), ("≠i", "≠i", None), ("∪i", "∪i", "np.unique(i)"), ("∪f", "∪f", "np.unique(f)"), ("i⍳j", "i⍳j", None), ("w∊j", "w∊j", "np.isin(w,j)"), ("i∊j", "i∊j", "np.isin(i,j)"),
    ("sort j", "{⍵[⍋⍵]}j", "np.sort(j)"), ("sort w", "{⍵[⍋⍵]}w", "np.sort(w)"), ("sort f", "{⍵[⍋⍵]}f", "np.sort(f)"), ("⍋j", "⍋j", "np.argsort(j,kind='stable')"), ("⍋w", "⍋w", "np.argsort(w,kind='stable')"), ("⍋f", "⍋f", "np.argsort(f,kind='stable')"), ("⍋t", "⍋t", "np.argsort(t,kind='stable')"), ("⍋cm", "⍋cm", None), ("W[⍋W]", "W[⍋W]", None),
    ("x≡y", "f≡f+0", "np.array_equal(f,f+0)"), ("u⍸f", "u⍸f", "np.searchsorted(u,f)"), ("{≢⍵}⌸i", "{≢⍵}⌸i", "np.unique(i,return_counts=True)"), ("{+/⍵}⌸", "i{+/⍵}⌸f", None), ("10 10⊤w", "10 10 10⊤w", None), ("10⊥", "10⊥3 4 5∘.+j", None), ("⍕i", "⍕i", None), ("⎕FMT", "'F8.3'⎕FMT f", None), (",/", "⊃,/W", "None"), ("+⌺3", "{+/,⍵}⌺3⊢f", None), ("⍤0", "{⍵+1}⍤0⊢f", None), ("⍤1", "{(+/⍵)÷≢⍵}⍤1⊢m", "m.mean(1)"), ("∪W", "∪W", None), ("≢¨W", "≢¨W", None),
    ("mean", "(+/f)÷≢f", "f.mean()"), ("+/f×g", "+/f×g", "f@g"), ("(f>.5)/f", "(f>0.5)/f", "f[f>.5]"), ("0⌈1⌊f", "0⌈1⌊f", "np.clip(f,0,1)"), ("poly", "1+f×2+f×3+f×4", "1+f*(2+f*(3+f*4))"), ("⊂", "b⊂f", None),
]

# What CBQN writes for a row; no entry: it has none, or says something else.
BQN = {
    "f+g": "f+g", "f×2.5": "f×2.5", "f<g": "f<g", "i+j": "i+j", "q+j": "q+j", "q×j": "q×j", "i=j": "i=j",
    "w⌈j": "w⌈j", "|i": "|i", "f÷g": "f÷g", "7|w": "7|w", "⌊f×9": "⌊f×9", "f*2": "f⋆2", "b∧d": "b∧d",
    "~b": "¬b", "+/b": "+´b", "+/f": "+´f", "+/i": "+´i", "⌈/f": "⌈´f", "∨/b": "∨´b", "+\\i": "+`i",
    "+\\f": "+`f", "≠\\b": "≠`b", "+\\b": "+`b", "2-/f": "(1↓f)-(¯1↓f)", "*f": "⋆f", "⍟f": "⋆⁼f",
    "1○f": "•math.Sin f", "f*g": "f⋆g", "2⍟f": "2⋆⁼f", "g|f": "g|f", "?n⍴100": "n r.Range 100",
    "?n⍴0": "n r.Range 0", "b/f": "b/f", "b/w": "b/w", "b/t": "b/t", "j/i": "k/i", "⍸b": "/b", "⌽f": "⌽f",
    "⌽b": "⌽b", "7⌽f": "7⌽f", "7↓f": "7↓f", "f,g": "f∾g", "n⍴1 2 3": "n⥊1‿2‿3", "⍳n": "↕n", "n⍴0": "n⥊0",
    "⍉m": "⍉m", "⊖m": "⌽m", "+/m": "+˝˘m", "+⌿m": "+˝m", "f[ix]": "ix⊏f", "w[ix]": "ix⊏w",
    "t∊'aeiou'": 't∊"aeiou"', "'rain'⍷t": '"rain"⍷t', "t='a'": "t='a'", "≠i": "∊i", "∪i": "⍷i", "∪f": "⍷f",
    "i⍳j": "i⊐j", "w∊j": "w∊j", "i∊j": "i∊j", "sort j": "∧j", "sort w": "∧w", "sort f": "∧f", "⍋j": "⍋j",
    "⍋w": "⍋w", "⍋f": "⍋f", "⍋t": "⍋t", "⍋cm": "⍋cm", "W[⍋W]": "∧ww", "x≡y": "f≡f+0", "u⍸f": "u⍋f",
    "{≢⍵}⌸i": "/⁼∧i", "{+/⍵}⌸": "+´¨i⊔f", ",/": "∾ww", "⍤0": "{𝕩+1}⎉0 f", "⍤1": "((+´)÷≠)˘m", "∪W": "⍷ww",
    "≢¨W": "≠¨ww", "mean": "(+´f)÷≠f", "+/f×g": "+´f×g", "(f>.5)/f": "(f>0.5)/f", "0⌈1⌊f": "0⌈1⌊f",
    "poly": "1+f×2+f×3+f×4", "⊂": "((+`b)-1)⊔f",
}
BQN_SETUP = """s←⌊√n⋄r←•MakeRand 42⋄f←n r.Range 0⋄g←n r.Range 0⋄i←n r.Range 1000⋄j←1+n r.Range 100⋄q←1+n r.Range 100
w←1+n r.Range 2⋆30⋄b←1=n r.Range 2⋄d←1=n r.Range 2⋄t←(n r.Range 24)⊏"the rains in spain stay "⋄ix←n r.Range n
k←1+n r.Range 20⋄u←∧f⋄m←s‿s⥊(s×s)r.Range 0⋄cm←s‿s⥊t⋄ww←(1+(⌈n÷5)r.Range 7)↑¨<"abcdefg"
"""
# Nanoseconds of a call: the least of five means, a call of a function with nothing in it taken off.
BQN_ROW = """•Out{Row←{𝕩⋄%s⋄0}⋄Empty←{𝕩⋄0}⋄c←1⌈1e6⌊⌊0.02÷1e¯9⌈Row •_timed 1⋄•Repr 1e9×⌊´{𝕊:(c Row •_timed 1)-c Empty •_timed 1}¨↕5}⎊"nan"0
"""


def python_setup(n):
    rng = np.random.default_rng(1)
    s = int(n ** 0.5)
    e = {"np": np, "R": rng, "n": n, "f": rng.random(n), "g": rng.random(n), "i": rng.integers(0, 1000, n).astype(np.int16),
         "j": rng.integers(1, 100, n).astype(np.int8), "q": rng.integers(1, 100, n).astype(np.int8), "w": rng.integers(1, 2**30, n).astype(np.int32),
         "b": rng.integers(0, 2, n) == 1, "d": rng.integers(0, 2, n) == 1, "k": rng.integers(1, 20, n), "ix0": rng.integers(0, n, n).astype(np.int32),
         "m": rng.random((s, s)), "cnt": np.zeros(1000, int), "a123": np.array([1, 2, 3], np.int8), "vow": np.frombuffer(b"aeiou", np.uint8)}
    e["t"] = np.frombuffer(b"the rains in spain stay ", np.uint8)[rng.integers(0, 24, n)]
    e["u"], e["f2"] = np.sort(e["f"]), e["f"].copy()
    return e


def python_ns(text, e):
    if not text or text == "None":
        return math.nan
    code = compile(f"def F():\n  return {text}", "row", "exec")
    exec(code, e)
    f, best, clock = e["F"], math.inf, time.process_time
    start = clock()
    f()
    once = clock() - start
    for _ in range(1 if once > 0.2 else 5):
        n, start = 0, clock()
        while True:
            for _ in range(8 if once < 0.01 else 1):
                f()
                n += 1
            now = clock() - start
            if now > 0.02:
                break
        best = min(best, now / n)
    return best * 1e9


def bqn_all_ns(program, n, rows):
    """Nanoseconds a call of each row by CBQN, in one process."""
    text = f"n←{n}\n" + BQN_SETUP + "".join(BQN_ROW % BQN[r] if r in BQN else '•Out "nan"\n' for r in rows)
    with tempfile.NamedTemporaryFile("w", suffix=".bqn") as f:
        f.write(text)
        f.flush()
        out = subprocess.run([program, f.name], stdout=subprocess.PIPE, text=True, check=True).stdout
    return dict(zip(rows, (float(x.replace("¯", "-")) for x in out.split())))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("arrays")
    p.add_argument("--sizes", default="10,100,129,1000,8000,1000000")
    p.add_argument("--only", default="")
    p.add_argument("--bqn", help="a program of CBQN, the second peer; its time is of the wall: set WALL in the environment")
    p.add_argument("--growth", action="store_true")
    o = p.parse_args()
    sizes = [int(float(s)) for s in o.sizes.split(",")]
    if o.growth:
        sizes = [sizes[-1], 4 * sizes[-1]]
    apl = subprocess.Popen([o.arrays], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    names, ratios = o.only.split() if o.only else [], {}
    times = {}
    for n in sizes:
        for line in SETUP.splitlines():
            print(":" + line.replace("N", str(n)), file=apl.stdin)
        e = python_setup(n)
        rows = [r for r in ROWS if not names or r[0] in names]
        other = bqn_all_ns(o.bqn, n, [r[0] for r in rows]) if o.bqn else {}
        for name, text, python in rows:
            print(text.replace("N", str(n)), file=apl.stdin, flush=True)
            mine, theirs = float(apl.stdout.readline()), python_ns(python, e) if not o.growth else math.nan
            bqn = other.get(name, math.nan)
            best = min((x for x in (theirs, bqn) if x > 0), default=math.nan)
            times[name, n] = mine
            ratios.setdefault(n, []).append(mine / best)
            print(f"{n:9} {name:12} {mine:14.0f} ns {mine / n:10.3f} an element  NumPy {theirs:12.0f}" + (f"  CBQN {bqn:12.0f}" if o.bqn else "") + f"  ratio {mine / best:7.2f}", flush=True)
    for n, r in ratios.items():
        r = [x for x in r if x > 0]
        if r:
            print(f"# {n}: geometric mean of the ratio to the best peer {math.exp(sum(map(math.log, r)) / len(r)):.2f}, above 1.5: {sum(x > 1.5 for x in r)} of {len(r)}")
    for name, _, _ in ROWS if o.growth else []:
        a, b = times.get((name, sizes[0]), 0), times.get((name, sizes[1]), 0)
        if a and b / a > 4 * math.log(sizes[1]) / math.log(sizes[0]) * 1.5:
            print(f"# grows faster than n log n: {name} {a:.0f} → {b:.0f} ns")


main()
