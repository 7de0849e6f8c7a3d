// SPDX-License-Identifier: MIT
// grammar.js - vapl's APL for tree-sitter. Glyphs and words are in glyphs.json, which `make editors` makes from vapl's
// tables.
//
// Whether a name is an array, a function or an operator is known only when it runs. So a statement is the row of its
// items, left to right, as in vapl's own tree.
const glyphs = require('./glyphs.json');

const word = `[${glyphs.letters}][${glyphs.letters}\\d]*`;
const real = '(\\d+\\.?\\d*|\\.\\d+)([Ee]¯?\\d+)?';
const anyCase = (w) => w.replace(/[A-Za-z]/g, (c) => `[${c.toUpperCase()}${c.toLowerCase()}]`);
const words = (before, list) => `${before}(${anyCase(list.join('|'))})`;

// Of classes; behind the others any text is, not a statement.
const declarations = ['Access', 'Implements', 'Field', 'Include', 'Base'];
const texts = ['Section', 'EndSection', 'Region', 'EndRegion', 'Signature', 'Attribute', 'Using', 'Require'];

// [part] { separator [part] }
const list = (separator, part) => seq(optional(part), repeat(seq(separator, optional(part))));

module.exports = grammar({
  name: 'vapl',

  extras: ($) => [/[ \t]/, $.comment],

  conflicts: ($) => [
    [$.header, $._defined], // ∇f (x y) and ∇x (f g) y
    [$._operands, $._names],
  ],

  rules: {
    program: ($) => seq(optional($.shebang), optional(choice($._outside, seq($.statement, $._locals))),
      repeat(seq($._separator, optional($._outside)))),
    _outside: ($) => choice($._line, $.definition, $.command),

    shebang: () => /#![^\n]*/,
    comment: () => /⍝[^\r\n\u0085]*/,
    command: () => token(/[\])][A-Za-z][^\r\n]*/),
    _separator: () => /\r?\n|\r|\u0085|⋄|◊/,

    // Lines outside of braces: no ∇ stands in their statements.
    _line: ($) => choice($._unlabelled, seq(repeat1($.label), optional($._unlabelled))),
    _unlabelled: ($) => choice($.statement, $.control, $.text),
    label: ($) => seq($.name, ':'),
    control: ($) => prec.right(seq(repeat1(seq($.control_word, optional($.statement))),
      optional(seq(':', optional($.statement))))), // :Class A : B
    control_word: () => token(new RegExp(words(':', [glyphs.control_words, ...declarations]))),
    text: () => token(prec(1, new RegExp(words(':', texts) + '([^A-Za-z\\r\\n][^\\r\\n]*)?'))),

    definition: ($) => seq($._del, $.header, repeat(seq($._separator, optional(choice($._line, $._locals)))), $._del),
    _del: () => choice('∇', '⍫'),
    header: ($) => seq(optional(seq(field('result', choice($.name, $._shy, $._names)), '←')), choice(
      $._defined,
      seq($._defined, $._right),
      seq(field('left', choice($.name, $._shy)), $._defined, $._right)), optional($._locals)),
    _right: ($) => field('right', choice($.name, $._names)),
    _defined: ($) => choice(seq(field('name', $.name), optional(seq('[', field('axis', $.name), ']'))), $._operands),
    _operands: ($) => seq('(', field('operand', $.name), field('name', $.name), optional(field('operand', $.name)), ')'),
    _shy: ($) => seq('{', choice(repeat1($.name), $._names), '}'),
    _names: ($) => seq('(', repeat1($.name), ')'),
    _locals: ($) => repeat1(seq(';', field('local', choice($.name, $.system_name, $.unknown_system_name)))),

    statement: ($) => repeat1($._item),
    _within: ($) => repeat1(choice($._item, $.self)),
    _item: ($) => choice($.numbers, $.string, $.name, $.system_name, $.unknown_system_name, $.function, $.operator,
      $.argument, $.operand, $.zilde, $.assign, $.branch, $.root, $.parenthesized, $.brackets, $.dfn),

    numbers: ($) => prec.right(repeat1($.number)),
    number: () => token(new RegExp(`¯?${real}([Jj]¯?${real})?`)),
    string: () => token(/'([^'\r\n]|'')*'|"([^"\r\n]|"")*"/),
    name: () => token(new RegExp(word)),
    system_name: () => token(prec(1, new RegExp(words('⎕', [glyphs.system_names]) + '|[⎕⍞]'))),
    unknown_system_name: () => token(new RegExp('⎕' + word)),
    function: () => token(new RegExp(glyphs.functions)),
    operator: () => token(new RegExp(glyphs.operators)),
    argument: () => choice('⍺', '⍵', 'α', 'ω'),
    operand: () => choice('⍺⍺', '⍵⍵', 'αα', 'ωω'),
    self: () => choice('∇', '∇∇'),
    zilde: () => '⍬',
    assign: () => '←',
    branch: () => '→',
    root: () => choice('#', '##'),

    // (x) (a ⋄ b) (name: value)
    parenthesized: ($) => seq('(', list($._separator, choice(alias($._within, $.statement), $.pair)), ')'),
    pair: ($) => seq(field('name', $.name), ':', alias($._within, $.statement)),
    // x[i;j] [a ⋄ b]
    brackets: ($) => seq('[', list(choice(';', $._separator), alias($._within, $.statement)), ']'),

    dfn: ($) => seq('{', list($._separator, choice(alias($._within, $.statement), $.guard, $.error_guard)), '}'),
    guard: ($) => seq(field('condition', alias($._within, $.statement)), ':',
      optional(field('result', alias($._within, $.statement)))),
    error_guard: ($) => seq(field('condition', alias($._within, $.statement)), '::',
      optional(field('result', alias($._within, $.statement)))),
  },
});
