// SPDX-License-Identifier: MIT
// session.js - runs a file's lines by the page's interpreter under node, and prints what they show:
// node session.js build/web/page/vapl.js FILE
"use strict";
delete globalThis.fetch; // as web/node.js
const fs = require("fs"), path = require("path");
const vapl = require(path.resolve(process.argv[2]));
vapl.show = (fd, text) => process.stdout.write(text);
vapl.onRuntimeInitialized = () => {
  if (!vapl._web_open()) process.exit(2);
  let entry = "";
  for (const line of fs.readFileSync(process.argv[3], "utf8").split("\n")) {
    entry += (entry && "\n") + line;
    let at = vapl.allocateUTF8(entry);
    const open = vapl._web_is_open(at);
    if (!open && entry) vapl._web_run(at);
    vapl._free(at);
    if (!open) entry = "";
  }
};
