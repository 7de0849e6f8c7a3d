f←{⍵+1}
⍝ <- function
  f 'text' 1.5
  ⍝ <- variable
    ⍝ <- string
           ⍝ <- number
:If x
⍝ <- keyword
:EndIf
  + / ( ) ⎕IO
  ⍝ <- function.builtin
    ⍝ <- operator
      ⍝ <- punctuation.bracket
          ⍝ <- function.builtin
⎕FOO
⍝ <- error
∇ r f y
⍝ <- keyword
    ⍝ <- variable.parameter
      ⍝ <- function
∇
]plan x
⍝ <- preproc
