#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""trees.py - random trees of expressions, for programs.py --trees.

Where programs.py fills forms that fit, this one grows whole trees over arrays of every type, rank and
size (empty, nested, complex, text, NaN, infinities, zeros of both signs, the edges of 2^53 and 2^63,
values nearly equal), under any ⎕CT and ⎕IO. Every line is guarded, so that a program goes on behind
an error, and its error is compared like a value. What a line gives is shown with its shape, its type
and the signs of its zeros.
"""
import random

VALUES = {
    'B': ['0', '1'],
    'I': ['0', '1', '¯1', '2', '3', '¯7', '100', '127', '128', '¯128', '255', '32767', '¯32768', '65536'],
    'J': ['2147483647', '2147483648', '¯2147483648', '4294967296', '9007199254740991', '9007199254740992', '9007199254740993', '¯9007199254740993',
          '9223372036854775807', '¯9223372036854775808', '¯9223372036854775807', '4611686018427387904', '1000000007', '3', '0', '¯1', '5'],
    'F': ['0.5', '¯0.5', '1.5', '¯2.5', '0.1', '0.3', '1E¯15', '1E¯300', '1E300', '3.0000000000000004', '2.9999999999999996', '1E15', '4503599627370496.5',
          '9007199254740993.0', '1.8446744073709552E19', '¯7.25', '3.141592653589793', '0.99999999999999', '1.00000000000001', '2.00000000000001', '5E¯324'],
    'Z': ['0J1', '1J1', '¯1J2', '0.5J¯0.5', '3J4', '2J0', '1E15J1', '0J¯2', '¯3J0.1', '1J1.00000000000001', '0.99999999999999J1'],
    'C': ['a', 'b', 'c', ' ', 'é', '∊', 'z'],
}
SIZES = [0, 1, 2, 3, 5, 8, 12, 31, 32, 33, 60, 64, 65, 127, 128, 129, 257]
SCALARS = ['+', '-', '×', '÷', '⌈', '⌊', '|', '*', '⍟', '○', '!', '<', '≤', '=', '≥', '>', '≠', '∧', '∨', '⍲', '⍱']
CHEAP = ['+', '-', '×', '⌈', '⌊', '|', '<', '≤', '=', '≥', '>', '≠', '∧', '∨', '÷']
MONADS = ['+', '-', '×', '÷', '⌈', '⌊', '|', '*', '⍟', '○', '~', '⌽', '⊖', '⍉', ',', '⍪', '∪', '≠', '⍋', '⍒', '⍸', '↑', '↓', '⊢', '⊂', '⊃', '≢',
          '≡', '⍴', '∊', '⊆', '⎕F32 ', '⎕F64 ', '⎕DR ', '⍉⌽', '1⊖', '¯1⌽', '1 2+', '⌽¨', '≢¨', '⊂⍤1⊢', '+/¨', '∪¨', '⌊0.5+', '10⊥', '2⊥', '⍕¨2↑', '!5⌊']
DYADS = SCALARS + CHEAP + ['⍳', '∊', '∪', '∩', '~', '⍸', '⍷', '≡', '≢', ',', '⍪', '⊣', '⊢', '=', '⊆', '⊂', '⌽', '⊤', '⊥', '⍋', '⌷', '⊃',
                           ',[0.5]', '⍳⍥⌊', '=⍥|', '+⍥(2∘×)', '∨.=', '∧.=', '⌈.+', '+.×', ',¨', '⍴¨', '+⍤0 1⊢', '×⍤1⊢', '{⍺+2×⍵}', '{⍺>⍵:⍺ ⋄ ⍵}¨']
OPERANDS = ['{+/⍵}', '{⌈/⍵}', '{≢⍵}', '{⊂⍵}', '{-/⍵}', '{×/⍵}', '{⍵[⍋⍵]}', '{⌽⍵}', '{∪⍵}', '{(⊃⍵)+≢⍵}', '{∨/⍵}', '{+\\⍵}', '{⍵}', '{⍵-⌊/⍵}', '{≢∪⍵}',
            '{⍵÷1+⌈/|⍵}', '{(+/⍵)÷≢⍵}', '{2×⍵}', '{1↑⍵}', '{⍺-⍵}/', '{⍺⌈⍵}/', '{⍺+⍵÷2}/', '{⍺|⍵}/', '{⍺∨⍵}/', '{⍺×⍵}/']
# holes: X any array, V a vector, M a matrix, I J small indices of X, k a small number, d a fold's function
FORMS = ['d/X', 'd⌿X', 'd\\X', 'd⍀X', 'kd/X', 'kd⌿X', 'd/¨X', 'd/,X', 'k↑X', '(-k)↑X', 'k↓X', '(-k)↓X', 'k⌽X', '(k k)↑M', 'k 1↓M', 'k⊖X', '(k×k)⍴X', 'k k⍴X',
         '0 k⍴X', 'X[I]', 'M[I;]', 'M[;I]', 'M[I;I]', 'X[⍋X]', 'X[⍒X]', '{x←⍵ ⋄ x[I]←k ⋄ x}X', '{x←⍵ ⋄ x[I]+←X ⋄ x}X', '{x←⍵ ⋄ x[I]d←k ⋄ x}X',
         '{x←⍵ ⋄ x[I;]←X ⋄ x}M', '{x←⍵ ⋄ ((,x>k)/x)←0 ⋄ x}V', '{x←⍵ ⋄ (k↑x)←X ⋄ x}X', '{x←⍵ ⋄ x,←X ⋄ x}X', 'k@I⊢X', '-@I⊢X',
         'X@I⊢X', '0@(>∘k)X', '(X>k)/X', '(k|⌊|X)/X', '(X≤X)/X', '(k>X)⌿X', '(⌊9⌊|X)⌿X', 'gX', 'g¨X', 'g⍤1⊢X', 'g⍤0⊢X', 'g⍤k⊢X', 'g⌺3⊢V', 'g⌺3 3⊢M',
         'X{⍺(gh)}⌸X'.replace('(gh)', ',≢⍵'), '{⍺,≢⍵}⌸X', '{≢⍵}⌸X', 'X{+/⍵}⌸X', 'Xg⌸X', 'X{d/⍵}⌸X', '(k|X)g⌸X', '(k|⌊X){d/⍵}⌸X', '(k>X)⊂X', 'd/¨(k>X)⊂X', 'g¨(k≤X)⊂X',
         'g¨(X>k)⊆X', '(2↑V)∘.d10↑V', '(2↑V)∘.d X', 'M+.×M', 'M d.d⍉M', 'M+.×⍉M', '{⍵}⍣k⊢X', '{1+⍵÷2}⍣k⊢X', 'X{⍺+⍵}¨X', '↑k k⍴¨⊂X', '⊃,/k⍴⊂X', '↑X X', 'X X',
         '(⊂X),⊂X', '⊃X X', '1 2⊃¨X X', '(X)(k↑V)', '⊃¨X X k', '∊X X', '≡X X', '+/X X', 'X X=⊂X', '⍳k', '⍳k k', 'X⍴⍨k', '(X)⌷⍨⊂I', 'k⌷X', '⍉k k⍴X', '1 1⍉M', '2 1⍉M',
         '⍸k>X', 'k∊X', 'X∊k 1 X', 'V⍳k', '(∪V)⍳V', '∪V,V', 'V~k↑V', 'V∩⌽V', '{⍵[⍋⍵]}V', '⍋M', '⍒M', '⊢/X', '⊣⌿X', '?k⍴k', '(k k)⊤X', '0 k⊤X', 'k⊥X', 'V⊥M',
         '(⍳k)∘.|X', '2|⌊X', '⌊X÷k', 'X-X', 'X÷X', 'X×X÷X', 'k*X', 'X*0.5', 'X*2', 'kX!⍨k'.replace('kX', 'X'), 'k!X', '0J1×X', 'X+0J1×X', '|X+0J1×X', '9 11∘.○V', 'k○X', '⎕F32 X',
         '⎕UCS X', '1⎕C X', '⍕k↑X', 'k 1⍕k↑V', '⍎⍕k↑V', 'k\\V', '(1 0 1)\\2↑V', '(k>V)\\V', '⍴X', '×/⍴X', 'X{⍵}X', '{⍵>k:⍵ ⋄ ⍵+1}¨X', '{⍵≤k:∇ 1+⍵×2 ⋄ ⍵}¨|X', '+/k=X', '∨/k<X',
         '⌈/⍳k', '+/X×X', '+/(X>k)/X', '⌈/(X>k)/X', '≢(X>k)/X', '(+/÷≢)X', '(⌈/-⌊/)X', '{(⍵-⌊/⍵)÷1⌈⌈/⍵}X', 'X≡X', 'X≢⌽X', '+/X≠⌽X', '∧/X=X', '≢∪X', '⍋⍋X', 'k⍛+X', '-⍨X', '+⍨X', 'k∘+X',
         '(⍳⍴V)=V⍳V', '1↓V=¯1⌽V', '(1,1↓V≠¯1⌽V)⊂V', '+⌿M=⍤1⊢V', 'ns.a', 'ns.a+X', '(ns.a d X)', 'd/ns.(a)', 'ns.b,X', '{ns.a←⍵ ⋄ ns.a}X', '+/↑,¨X', '(k/⊂X)d¨k/⊂X', 'd⌿↑k⍴⊂X']


class Tree:
    def __init__(self, rng):
        self.rng, self.vars = rng, []

    def literal(self, kind, n):
        """A vector of n elements of the kind."""
        r = self.rng
        if n == 0:
            return "''" if kind == 'C' else '(0⍴0J1)' if kind == 'Z' else '(0⍴0.5)' if kind == 'F' else '⍬'
        some = [r.choice(VALUES[kind]) for _ in range(min(n, r.randint(1, 24)))]
        if kind in 'IF' and r.random() < 0.3:
            some = [str(r.randint(-99, 99) / (8 if kind == 'F' else 1)).replace('-', '¯').replace('.0', '.0') for _ in some]
        text = "'%s'" % ''.join(some) if kind == 'C' else ' '.join(some)
        return f'({n}⍴{text})'

    def data(self):
        r = self.rng
        n = r.choice(SIZES)
        if r.random() < 0.4:
            n = r.choice(SIZES[:11])
        if self.vars and r.random() < 0.4:
            n = self.n
        self.n = n
        kind = r.choice('BIIJFFFZC')
        text = self.literal(kind, n)
        x = r.random()
        if x < 0.1 and kind == 'F':
            text = f'({r.choice(["nan", "inf", "-inf", "-0×0.5", "inf nan", "0.5×0÷¯1"])},{text})'
        elif x < 0.2 and kind in 'FI':
            text = f'(⎕F32 {text})'
        elif x < 0.3 and kind not in 'C':
            text = f'({r.choice(["7|", "", "0.1×", "⌽", "⍋", "1E¯14+"])}⍳{n})'
        elif x < 0.36:
            text = f'({r.choice(["⊂¨", ",¨", "{⍵ ⍵}¨", "(⊂⊂2 3),", "0⍴⊂"])}{text})'
        shape = r.random()
        if shape < 0.3 and n % 4 == 0:
            text = f'({r.choice(["4,", "2 2,", "2,", "1,", "1 1,"])[:]}0⍴0)'.replace(',0⍴0)', f' {n})') + '⍴' + text
        elif shape < 0.45:
            c = r.choice([c for c in (1, 2, 3, 4, 5, 8, 12, 32) if n % c == 0])
            text = f'{n // c} {c}⍴{text}'
        elif shape < 0.5:
            text = f'⊃{text}'
        elif shape < 0.53:
            text = f'{r.choice(["0 3", "3 0", "2 0 3", "0 0", "1 1 1"])}⍴{text}'
        return text

    def leaf(self):
        r = self.rng
        if r.random() < 0.15:
            kind = r.choice('BIIJFZ')
            return r.choice(VALUES[kind])
        return self.vars[-1 - int(len(self.vars) * r.random() ** 1.5)]

    def fill(self, form, depth):
        r = self.rng
        out = []
        fold = r.choice(CHEAP)
        for ch in form:
            if ch in 'XVM':
                x = self.tree(depth - 1)
                if ch == 'V':
                    x = f'(,{x})'
                if ch == 'M':
                    x = f'({r.choice(["2↓", "¯2↑", ""])}⍪{x})' if r.random() < 0.5 else f'({r.choice([1, 2, 3, 5])} {r.choice([1, 2, 4, 8, 33])}⍴{x})'
                out.append(x)
            elif ch == 'I':
                out.append(r.choice(['1', '2', '(1 1 2)', '(2 1)', '⍬', '(,3)', '(⍳k)', '(k⍴1)', '(1+3|⍳k)', '(2 2⍴1)']).replace('k', str(r.choice([2, 5, 40]))))
            elif ch == 'k':
                out.append(str(r.choice([0, 1, 2, 3, 5, 8, 0.5, 33])))
            elif ch == 'd':
                out.append(fold)
            elif ch == 'g':
                out.append(r.choice(OPERANDS))
            else:
                out.append(ch)
        return ''.join(out)

    def tree(self, depth):
        r = self.rng
        x = r.random()
        if depth <= 0 or x < 0.1:
            return self.leaf()
        if x < 0.3:
            return f'({r.choice(MONADS)}{self.tree(depth - 1)})'
        if x < 0.65:
            return f'({self.tree(depth - 1)}{r.choice(DYADS)}{self.tree(depth - 1)})'
        return f'({self.fill(r.choice(FORMS), depth)})'


def write(seed, long):
    """The program of a seed: lines within one dfn, each guarded and shown."""
    rng = random.Random(seed)
    t = Tree(rng)
    lines = []
    settings = ''
    if rng.random() < 0.3:
        settings = f'⎕CT←{rng.choice(["0", "1E¯14", "1E¯10", "2E¯10", "1E¯13"])}\n'
    if rng.random() < 0.15:
        settings += '⎕IO←0\n'
    for k in range(rng.randint(2, 4)):
        lines.append(f'v{k}←{{0::⍬ ⋄ {t.data()}}}0')
        t.vars.append(f'v{k}')
    for k in range(len(lines), len(lines) + rng.randint(2, 5)):
        lines.append(f'v{k}←{{0::⎕EN ⊣⎕←⎕DM⎕DMX.Message ⋄ {t.tree(rng.choice([1, 2, 2, 3, 4]))}}}0')
        t.vars.append(f'v{k}')
    lines = [f'{l}\nd v{k}' for k, l in enumerate(lines)]
    return f'⎕RL←7\n⎕CT←1E¯14\n⎕IO←1\nns←⎕NS \'\' ⋄ ns.a←⍳5 ⋄ ns.b←0.5 2\n{settings}' + '\n'.join(lines)


PREAMBLE = '''nan←645 ⎕DR 64⍴1
inf←645 ⎕DR (48⍴0),1 1 1 1 0 0 0 0 0 1 1 1 1 1 1 1
few←{⎕IO←1 ⋄ 400≥≢⍵:⍵ ⋄ (150↑⍵)(¯50↑⍵)(⍵[1+(≢⍵)|7919×⍳150])}
zeros←{⎕IO←1 ⋄ ⎕CT←0 ⋄ b←(2,⍨≢⍵)⍴323 ⎕DR ⍵ ⋄ ⍸(⍵=0)∧0>b[;2]}
d←{0::⎕←⎕EN,⊃⎕DM ⋄ ⎕←(⍴⍵)(⎕DR ⍵)(≡⍵)(few,⍵) ⋄ 645=⎕DR ⍵:⎕←zeros,⍵ ⋄ 0}
'''
