#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""phrases.py - random functions and assignments, for programs.py --phrases.

Where trees.py nests expressions, this one nests functions: every operator gets operands that are
themselves derived functions, trains, dfns with guards, recursion and error guards, or dops. Between
the expressions stand assignments of every kind (indexed, modified, selective, to several names, to
members of namespaces) and the ⎕-functions that have no effects. Each line is guarded; what it gives
is shown, and so are the values of the names that it may have changed.
"""
import random

import trees

SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 33, 64, 65]
SCALARS = ['+', '-', '×', '÷', '⌈', '⌊', '|', '*', '<', '≤', '=', '≥', '>', '≠', '∧', '∨', '⍲', '⍱', '○', '⍟', '!']
MIXED = [',', '⍪', '⌽', '⊖', '⍉', '∪', '⊂', '⊃', '↑', '↓', '⍋', '⍒', '≢', '≡', '⍴', '∊', '⊢', '⊣', '⊆', '~', '≠', '⍳', '⍸', '⍷', '∩', '⌷', '⊤', '⊥']
TEXT = ['⍕', '⍎⍕', '⎕UCS', '⎕C', '(1∘⎕C)', '⎕FMT', '⎕DR', '⎕VFI⍕', '(⎕JSON⍠"Compact" 1)', '("[a-c]"⎕R"<&>")', '("b."⎕S 0 1)', '("(a)|b"⎕R"\\1\\1")', '(8∘⍕)', '(9 2∘⍕)',
        '("I5,X1,F8.2"∘⎕FMT)', '(⎕CSV⍠1⊢)', '⎕JSON', "('YYYY-MM-DD'⎕DT ⌊100⌊⍎⍕)", '(⍎¨⍕¨)', '⎕F32', '⎕F64', '(10∘⎕CR)', '(83∘⎕DR)', '(645∘⎕DR)']
DFNS = ['{⍵}', '{⍵+k}', '{k<≢⍵:⌽⍵ ⋄ ⍵,k}', '{⍵≡⌽⍵:1 ⋄ 0}', '{1≤⊃⍵:(⊃⍵),∇(⊃⍵)-1 ⋄ ⍬}⌊8⌊⊃', '{1≥≢⍵:⍵ ⋄ (∇1↓⍵),1↑⍵}', '{0=≢⍵:0 ⋄ (⊃⍵)+∇1↓⍵}8↑', '{⍺←k ⋄ ⍺+⍵}',
        '{⍺←⊢ ⋄ ⍺ ⍵}', '{a←⍵ ⋄ a[1]←⊂k ⋄ a}', '{a←⍵ ⋄ a,←⍵ ⋄ a}', '{a b←2↑⍵ ⋄ b a}', '{0::k ⋄ ⍵÷0}', '{11::⌽⍵ ⋄ 5::⍬ ⋄ ⍵+k k}', '{x←⍵ ⋄ {x+←k}¨⍳3 ⋄ x}', '{x←⍵ ⋄ f←{⍵ Fx} ⋄ f k}',
        '{⍵≤k:∇⍵+1+|⍵ ⋄ ⍵}', '{⍵=k:1 ⋄ ⍵<k:2 ⋄ 3}', '{F⍵}', '{⍵F⍵}', '{(F⍵)G⍵}', '{⍺F⍵}', '{⍵⊣⍵F⍺}', '{n←F⍵ ⋄ n≡⍵:0 ⋄ n}', '{s←0 ⋄ _←{s+←⍵}¨⍵ ⋄ s}', '{s←⍬ ⋄ _←{s,←⊂F⍵}¨⍵ ⋄ s}',
        '{⎕IO←0 ⋄ F⍵}', '{⎕CT←0 ⋄ F⍵}', '{⍵.a}', '{(⎕NS ⍬).(q←k ⋄ q F k)}', '{(F⍵)(G⍵)}', '{⍵[⍋⍵]}', '{⍵[⍵⍳⌈/⍵]}', '{(⍵>k)/⍵}', '{+/⍵}', '{⊂⍵}', '{2 ⍵}', '{⍵ ⍵}', '{(+/⍵)÷≢⍵}',
        '{⍺ ⍵}', '{⊃⌽⍵}', '{≢⍵}', '{⍺+≢⍵}', '{⍺,⍨⍵}', '{z←⍵ ⋄ z[I]F←k ⋄ z}', '{z←⍵ ⋄ (k↑z)←⍺ ⋄ z}', "{'a'}", "{⍵'b'}", '{}', '{⍵:k ⋄ F⍵}', '{⎕SIGNAL k}', '{⍵ ⎕SIGNAL 500}']
DOPS = ['{⍺⍺⍵}', '{⍺⍺⍺⍺⍵}', '{⍵⍺⍺⍵}', '{⍺←⍵ ⋄ ⍺ ⍺⍺⍵}', '{0=k:⍵ ⋄ ⍺⍺⍵}', '{(⍺⍺⍵)⍺⍺k}', '{⍺⍺⍤1⊢⍵}', '{⍺⍺/⍵}', '{1≥≢⍵:⍵ ⋄ (⍺⍺1↑⍵),∇1↓⍵}', '{2>≢⍵:⍺⍺⍵ ⋄ ⍺⍺ ∇∇ 1↓⍵}', '{0::⍵ ⋄ ⍺⍺⍵}']
DOPS2 = ['{⍺⍺ ⍵⍵ ⍵}', '{(⍺⍺⍵)⍵⍵ ⍵}', '{⍵⍵ ⍺⍺ ⍵⍵ ⍵}', '{⍺←⍵ ⋄ ⍺(⍺⍺ ⍵⍵)⍵}', '{⍺⍺⍣k⍵⍵ ⍵}']
OPS1 = ['F¨', 'F¨', 'F⍨', 'F/', 'F\\', 'F⌿', 'F⍀', '∘.F', 'F⌸', 'F⍤0', 'F⍤1', 'F⍤¯1', 'F⍤2', 'F⍤1 0', 'F⍤0 1', 'F⍤(,k)', 'F⍣2', 'F⍣3', 'F⍣0', 'F⍣¯1', 'F⍣{1}', 'F⍣{⍺≡⍺}', 'F@1', 'F@(⍳k)',
        'F@(>∘k)', 'F@{⍵=⌊/,⍵}', 'k@1', 'k@2', '(⊂k k)@1', 'F⌺3', 'F⌺2', 'F⌺3 3', 'F⌺(2 2⍴3 2)', 'k∘F', 'F∘k', 'F∘(k k)', '(⍳k)∘F', 'F/[1]', 'F\\[1]', 'F/⍤1', 'F⍥≢', 'F⍥,', 'F⍛,', '(F⊢)', '(F F)',
        '(k F ⊢)', '(⊢F k)', '(⍳k)F⊢', 'F¨∘⊂', 'F∘⊂¨', '(F¨,)', 'F⍨¨', 'F/¨', 'F\\¨', '2F/', '(¯2)F/', '{⍺F⍵}/', '{⍺F⍵}\\', '{⍵F⍺}⌿', '({⍵}F)', 'k⍨', 'F⍠"Assoc" 1']
OPS2 = ['F∘G', 'F⍤G', 'F⍥G', 'F⍛G', 'F.G', '(F G)', '(F G F)', '(⊢F G)', '(F⊢G)', '(F G k)', '(k F G)', '(F k G)', 'F@G', 'F¨G', '{F⍵}∘G', '(F∘k)G', 'F⍤1 G', '(G⊣F)', '(F,G)', '(F≡G)', '(F⍤G⍨)']
STORES = ['x[I]←X', 'x[I]F←X', 'x[I;]←X', 'x[;I]←X', 'x[I;I]F←k', 'x[⊂I]←X', 'x[(1 1)(2 2)]←k', 'x[I]←⊂X', '(k↑x)←X', '(-k)↑x←X', '(k↓x)F←k', '(⌽x)←X', '(,x)F←k', '(⍉x)←X', '(k⌽x)←⍳≢x',
          '((,x)[I])←k', '(⊃x)←X', '((⊂I)⊃x)←k', '(I⌷x)←X', '(k⊃x)←X', '(k⊃x)F←k', '((x>k)/x)←k', '((x>k)/x)F←k', '((≢x)⍴x)←k', '(1 1⍉x)←k', '(k↑¨x)←k', '(⊃¨x)←k', '(1↑[1]x)←X', '(∊x)←k',
          'x F←X', 'x,←X', 'x⍪←X', 'x,⍨←k', 'x←⊂x', 'x y←X', '(x y)←y x', 'x(y z)←k(k k)', 'x[I]y←X', 'y←x ⋄ y[I]←k', 'y←x ⋄ x[I]F←y', 'x[≢x]←⊂x', 'x⊣←k', 'ns.a[I]←k', 'ns.a F←X', 'ns.(a b)←X', 'ns.c←x ⋄ x←ns.c',
          'ns.n←⎕NS ⍬ ⋄ ns.n.x←x ⋄ x←ns.n.x', 'x←(⎕NS"x")⎕VGET"x"', '⎕NS⍬ ⎕VSET ⊂"x" k', 'x←ns.f¨x', 'f←F ⋄ x←f x', 'f←F ⋄ x←x f x', 'x←{⍺⍺⍵}⍣1 F x', 'x←⎕NC"x"', 'x←⎕EX"y" ⋄ y←k', 'x[I]←x[I]', 'x[⍋x]←x', 'x[⍋x]F←k',
          'x[x⍳k]←k', '(⊂x)←k', 'k x←X', 'x[]←k', 'x[;]←k', '(3⌷⍉x)←k', '(⌽⍉x)F←k', '((⊂1 1)⌷x)←k', '(↑x)←k', '((3⍴1)\\x)←k', '(x)F←X', '(2 2⍴x)←X', '(2 2⍴x)F←X', '(1↓¨x)←k', '(k↑x[I])←k', '(2⊃¨x)←k', 'x[I]F←X F X']
FORMS = ['X[I]', 'X[I;I]', 'X[I;]', 'X[⊂I]', '⊃X X', 'X X', '(X)(k)(X)', 'k⊃X', 'X≡X', '⍕X', '⎕FMT X', '("I6"⎕FMT X)', "('BZ'⎕FMT X)", '("E12.4,<|>"⎕FMT X)', '⍎⍕X', '⎕JSON X', '⎕JSON⎕JSON X', '⎕UCS X', '⎕C X', '1⎕C X', '⎕VFI⍕X',
         'k⍕X', '(12 k⍕X)', '(X)⎕DR X', '"a"⎕R"bc"⍕X', '"\\d+"⎕S"[&]"⍕X', '⎕CSV(⍕X)""', "','(≠⊆⊢)⍕X", 'k 1⎕DT k', '⎕CR"f"', '⎕NL 2 3', '⎕A⍳X', '⎕D∊⍕X', '[X ⋄ X]', '(X ⋄ X)', '(a:X ⋄ b:k).a',
         '(a:X).{a F k}0', 'ns.f X', 'X ns.f k', 'ns.(a F k)', 'ns.(b,X)', '(⎕NS ⍬)≡X', '⍳k', 'k⍴X', '⌹k k⍴X', 'X⌹X', '⌹X', 'k?k', '⍸X', '⍋X', 'X⍋X', '⌊X', 'X⊥X', 'k k⊤X', '⍸⍣¯1⊢⍋X', '⎕EM k', '⍎"k+k"', '≡X', '{X}k',
         'X⊂X', 'X⊆X', 'X⊃X', 'X⌷X', 'X↑X', 'X⌽X', 'X/X', 'X\\X', 'X⍉X', 'X∊X', 'X⍳X', 'X⍸X', 'X⍷X', 'X∪X', 'X~X', 'X⍴k', 'k 2⍴X']


class Phrase(trees.Tree):
    def data(self):
        sizes, trees.SIZES = trees.SIZES, SIZES
        text = super().data()
        trees.SIZES = sizes
        r = self.rng
        x = r.random()
        if x < 0.12:
            return r.choice(["'some' 'words' 'to' 'sort'", "'a' 'bc' (1 2)", "(1 'ab')(2 'cd')", "⍬ ''", "⊂'text'", "'12 ¯3.5' 'x7'", "(⎕A)(⎕D)", "(1 2 3)(4 5)(6 7 8 9)", "3 2⍴'ab' 1 'c' 2"])
        return text

    def small(self, text):
        r = self.rng
        out = []
        for ch in text:
            if ch == 'k':
                out.append(str(r.choice([0, 1, 2, 3, 5, 8, 0.5, '¯1', 4])))
            elif ch == 'I':
                out.append(r.choice(['1', '2', '(1 1 2)', '(2 1)', '⍬', '(,3)', '(⍳3)', '(2 2⍴1)', '(⊂1 2)', '(1 2)(2 1)', '9', '1.5']))
            else:
                out.append(ch)
        return ''.join(out)

    def function(self, depth):
        """The text of a function, in parentheses where it needs them."""
        r = self.rng
        x = r.random()
        if depth <= 0 or x < 0.15:
            return r.choice([SCALARS, SCALARS, MIXED, MIXED, TEXT][r.randrange(5)])
        if x < 0.45:
            return self.fill(r.choice(DFNS), depth)
        if x < 0.52:
            return f'({self.function(depth - 1)}{self.fill(r.choice(DOPS), depth)})'
        if x < 0.57:
            return f'({self.function(depth - 1)}{self.fill(r.choice(DOPS2), depth)}{self.function(depth - 1)})'
        form = r.choice(OPS1 if x < 0.84 else OPS2)
        return f'({self.fill(form, depth)})'

    def fill(self, form, depth):
        out = []
        i = 0
        for i, ch in enumerate(form):
            if form[max(0, i - 1):i + 1] in ('⎕F', '⎕I') or form[i:i + 2] in ('F8', 'FM', 'I5', 'I6') or form[max(0, i - 1):i + 2] == 'CSV':
                out.append(ch)
            elif ch in 'FG':
                out.append(self.function(depth - 1))
            elif ch == 'X':
                out.append(self.tree(depth - 1))
            else:
                out.append(ch)
        return self.small(''.join(out))

    def tree(self, depth):
        r = self.rng
        x = r.random()
        if depth <= 0 or x < 0.15:
            return self.leaf()
        if x < 0.4:
            return f'({self.function(depth)} {self.tree(depth - 1)})'
        if x < 0.7:
            return f'({self.tree(depth - 1)} {self.function(depth)} {self.tree(depth - 1)})'
        if x < 0.85:
            return f'({self.fill(r.choice(FORMS), depth)})'
        return super().tree(depth) if depth < 3 else f'({super().tree(2)})'

    def leaf(self):
        if self.rng.random() < 0.1:
            return self.rng.choice(["'abc'", '"it\'s"', '⍬', "''", '(1 2 3)', "('ab' 1)", '⎕A', '0.1', '3', '⍵'])
        return super().leaf()

    def store(self):
        r = self.rng
        x, y = self.leaf(), self.leaf()
        text = ' ⋄ '.join(self.fill(r.choice(STORES), r.choice([1, 2])) for _ in range(r.randint(1, 3)))
        return f'x←{x} ⋄ y←{y} ⋄ r←{{0::⎕EN ⊣⎕←⎕DM⎕DMX.Message ⋄ {text} ⋄ 0}}0 ⋄ x y r'


def write(seed, long):
    """The program of a seed: lines within one dfn, each guarded and shown."""
    rng = random.Random(seed)
    t = Phrase(rng)
    lines = []
    settings = ''
    if rng.random() < 0.2:
        settings = f'⎕CT←{rng.choice(["0", "1E¯14", "1E¯10"])}\n'
    if rng.random() < 0.15:
        settings += '⎕IO←0\n'
    for k in range(rng.randint(2, 4)):
        lines.append(f'v{k}←{{0::⍬ ⋄ {t.data()}}}0')
        t.vars.append(f'v{k}')
    for k in range(len(lines), len(lines) + rng.randint(2, 6)):
        body = t.store() if rng.random() < 0.3 else t.tree(rng.choice([1, 2, 2, 3]))
        lines.append(f'v{k}←{{0::⎕EN ⊣⎕←⎕DM⎕DMX.Message ⋄ {body}}}0')
        t.vars.append(f'v{k}')
    lines = [f'{l}\nd v{k}' for k, l in enumerate(lines)]
    return f'⎕RL←7\n⎕CT←1E¯14\n⎕IO←1\nns←⎕NS \'\' ⋄ ns.a←⍳5 ⋄ ns.b←0.5 2 ⋄ ns.f←{{⍺←2 ⋄ ⍺+⍵}}\n{settings}' + '\n'.join(lines)
