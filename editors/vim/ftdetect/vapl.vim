" Scripts of vapl: *.apl and what its #! line says.
autocmd BufRead,BufNewFile *.apl setfiletype vapl
autocmd BufRead * if getline(1) =~# '^#!.*\<vapl\>' | setfiletype vapl | endif
