" Scripts of vapl: *.apl, files of definitions, and what its #! line says.
autocmd BufRead,BufNewFile *.apl,*.apl[fonci],*.dyalog setfiletype vapl
autocmd BufRead * if getline(1) =~# '^#!.*\<vapl\>' | setfiletype vapl | endif
