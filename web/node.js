// SPDX-License-Identifier: MIT
// Under node the runner of the language tests finds the tree that it is started in as /tree; other files are in
// memory, as they are in a browser.
delete globalThis.fetch; // else emscripten 3.1 takes node for a browser, and does not find its .wasm file
Module["preRun"] = () => {
  FS.mkdir("/tree");
  FS.mount(NODEFS, { root: process.cwd() }, "/tree");
  FS.chdir("/tree");
};
