; SPDX-License-Identifier: MIT
(comment) @comment
(shebang) @comment
(command) @preproc
(string) @string
(number) @number
(zilde) @constant
(root) @constant.builtin

(name) @variable
(label (name) @label)
(pair name: (name) @property)
(header name: (name) @function)
(header [result: (name) left: (name) right: (name) axis: (name) operand: (name)] @variable.parameter)

; f←{…}
(statement . (name) @function . (assign) . (dfn) .)

(argument) @variable.builtin
(operand) @variable.builtin
(self) @variable.builtin
(system_name) @function.builtin
(unknown_system_name) @error

(function) @function.builtin
(operator) @operator
(assign) @keyword.operator
(branch) @keyword.operator

(control_word) @keyword
(text) @keyword
["∇" "⍫"] @keyword

["(" ")" "[" "]" "{" "}"] @punctuation.bracket
[";" ":" "::"] @punctuation.delimiter
