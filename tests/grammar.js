// SPDX-License-Identifier: MIT
// grammar.js VAPL FILE… - does the engine of VS Code find the tokens that vapl's lexer finds?
// It needs vscode-textmate and vscode-oniguruma (npm install, NODE_PATH). In tests/lang, what is
// behind the last ⍝ → of a line is an expectation, and errors are meant: from a token on that the
// lexer refuses, the rest of its line is not compared, but something of it must be marked.
'use strict';
const fs = require('fs'), os = require('os'), path = require('path');
const textmate = require('vscode-textmate'), oniguruma = require('vscode-oniguruma');
const run = require('child_process').spawnSync;

const grammar = path.join(__dirname, '../editors/vscode/syntaxes/vapl.tmLanguage.json');
const scopes = {
  number: 'constant.numeric', string: 'string.quoted', name: 'variable.other',
  comment: 'comment.line', greek: 'keyword.control', prim: 'entity.name.function',
  oper: 'keyword.operator', punct: 'keyword.control',
};
const notLanguage = /^\s*[\])][A-Za-z]|^#!/; // commands are the session's

function wanted(kind, text) {
  if (kind === 'sysname' && text === '⍎') return scopes.prim;
  if (kind === 'sysname') return 'support.function';
  if (kind === 'punct' && '()[]{};'.includes(text)) return '';
  if (kind === 'punct' && text === '.') return scopes.oper;
  return scopes[kind];
}

// [line, column in UTF-16 units, kind, text] of each token; nothing runs, for ⎕OFF comes first.
function lexed(vapl, folder, lines) {
  const found = [], script = path.join(folder, 'a.apl');
  for (let from = 0; from < lines.length;) {
    const rest = lines.slice(from).map((l) => (notLanguage.test(l) ? '' : l));
    const bytes = Buffer.from('⎕OFF\n' + rest.join('\n'));
    fs.writeFileSync(script, bytes);
    const env = { ...process.env, VAPL_DUMP: 'tokens' };
    const said = run(vapl, ['--device', 'host', script], { env, maxBuffer: 1 << 28 }).stderr.toString();
    let line = from - 1, begun = 0, next = lines.length;
    for (const row of said.split('\n')) {
      const got = /^ *(\d+) (\w+) +(.*)$/.exec(row);
      if (!got) break;
      const at = Number(got[1]);
      if (got[2] === 'punct' && got[3] === '\\n') [line, begun] = [line + 1, at + 1];
      else if (line >= from) found.push([line, bytes.subarray(begun, at).toString().length, got[2], got[3]]);
      if (got[2] === 'error') next = line + 1;
    }
    from = next;
  }
  return found;
}

async function main([vapl, ...files]) {
  const wasm = path.join(path.dirname(require.resolve('vscode-oniguruma')), 'onig.wasm');
  await oniguruma.loadWASM(fs.readFileSync(wasm).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (p) => new oniguruma.OnigScanner(p),
      createOnigString: (s) => new oniguruma.OnigString(s),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(grammar, 'utf8'), grammar),
  });
  const engine = await registry.loadGrammar('source.vapl');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vapl'));
  let passed = 0, failed = 0;
  for (const file of files) {
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    const coloured = [];
    let state = textmate.INITIAL;
    for (const line of lines) {
      const { tokens, ruleStack } = engine.tokenizeLine(line, state);
      state = ruleStack;
      coloured.push(tokens);
    }
    for (const [line, column, kind, text] of lexed(vapl, folder, lines)) {
      const token = coloured[line].find((t) => t.startIndex <= column && column < t.endIndex);
      const scope = token.scopes[token.scopes.length - 1];
      let good = kind === 'error' && coloured[line].some((t) => t.scopes.join().includes('illegal'));
      if (kind === 'error' && /E\d{3}/.test(text)) good = true; // 1E400, too large a number
      if (kind !== 'error') good = scope.startsWith(wanted(kind, text) || 'source.vapl');
      if (kind === 'sysname' && scope.startsWith('invalid')) good = true; // one that is none
      if (kind !== 'error' && text.length > 1) good &&= token.startIndex === column;
      if (good) passed++;
      else if (++failed < 40) console.log(`FAIL ${file}:${line + 1}:${column + 1}: ${kind} ${text} is ${scope}`);
    }
  }
  fs.rmSync(folder, { recursive: true });
  console.log(`grammar.js: ${passed} passed, ${failed} failed`);
  process.exitCode = failed || !passed ? 1 : 0;
}
main(process.argv.slice(2));
