#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""spirv.py - what spirv.js has to know of SPIR-V: spirv.py FOLDER src/codegen/* >table.js

FOLDER has the grammars that come with the headers of SPIR-V. Of them the table has what the sources of the code
generator name, and all of subgroups, whose names group.c puts together: instructions and their operands, the words for operands' values and what follows those.
"""
import json
import re
import sys

QUANTIFIERS = {'?': '?', '*': '*', None: ''}


def operands(of, key='operands'):
    return ' '.join(o['kind'] + QUANTIFIERS[o.get('quantifier')] for o in of.get(key, ()))


def main(folder, *sources):
    used = set()
    for source in sources:
        with open(source, encoding='utf-8') as f:
            used |= set(re.findall(r'\b(?:Spv|GLSLstd450)(\w+)', f.read()))
    with open(folder + '/spirv.core.grammar.json', encoding='utf-8') as f:
        core = json.load(f)
    with open(folder + '/extinst.glsl.std.450.grammar.json', encoding='utf-8') as f:
        functions = json.load(f)
    table = {'instructions': {}, 'values': {}, 'functions': {}}
    for i in core['instructions']:
        if i['opname'] in used or i['opname'].startswith('OpGroupNonUniform'):
            table['instructions'][i['opcode']] = [i['opname'], operands(i)]
    for kind in core['operand_kinds']:
        if kind['category'] not in ('ValueEnum', 'BitEnum'):
            continue
        mask = 'Mask' if kind['category'] == 'BitEnum' else ''
        table['values'][kind['kind']] = {
            int(str(e['value']), 0): [e['enumerant'], operands(e, 'parameters')]
            for e in kind['enumerants'] if kind['kind'] + e['enumerant'] + mask in used}
    for i in functions['instructions']:
        if i['opname'] in used:
            table['functions'][i['opcode']] = i['opname']
    table['values'] = {kind: values for kind, values in table['values'].items() if values}
    table['masks'] = [k['kind'] for k in core['operand_kinds'] if k['category'] == 'BitEnum']
    print('const SPIRV = %s;' % json.dumps(table, separators=(',', ':')))


if __name__ == '__main__':
    main(*sys.argv[1:])
