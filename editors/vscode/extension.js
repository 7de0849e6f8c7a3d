// SPDX-License-Identifier: MIT
// extension.js - starts `vapl lsp` for the texts that VS Code has open. Where vapl is, the setting vapl.path says. Without
// the client library, which packaging/vsix.sh puts beside it, the extension has colours, brackets and glyphs alone.
'use strict';
const vscode = require('vscode');
let client;

exports.activate = async function () {
  let library;
  try {
    library = require('vscode-languageclient/node');
  } catch {
    return; // it was not packed
  }
  const command = vscode.workspace.getConfiguration('vapl').get('path');
  client = new library.LanguageClient('vapl', 'vapl', { command, args: ['lsp'] }, { documentSelector: [{ language: 'vapl' }] });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showWarningMessage(`vapl lsp did not start (${error.message || error}); the setting vapl.path says where vapl is.`);
  }
};

exports.deactivate = () => client && client.isRunning() && client.stop();
