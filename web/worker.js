// SPDX-License-Identifier: MIT
// worker.js - the interpreter on a thread of its own, so that the page answers while it runs. The page asks by
// messages {id, ask, text}; each is answered by one {id, …}, after any number of {shown, fd} with what is displayed.
// A browser has no other way to end what runs than to end the worker (page.js).
"use strict";

const MOST = 1 << 20; // characters of one answer that are shown: a loop may display without end
const TYPED = "      "; // what stands before a line that was typed
const PART = 1 << 14, EVERY = 50; // characters, milliseconds: what is displayed goes to the page in parts
let shown = 0, kept = null;
let part = "", partOf = 0, sent = 0;

function send() {
  if (part) postMessage({ shown: part, fd: partOf });
  part = "";
  sent = performance.now();
}

function show(fd, text) {
  if (kept !== null) {
    kept += text;
    return;
  }
  if (shown >= MOST) return;
  shown += text.length;
  if (shown >= MOST) text = text.slice(0, MOST) + "\n… what follows is too long to be shown\n";
  if (fd !== partOf) send();
  partOf = fd;
  part += text;
  if (part.length > PART || performance.now() - sent > EVERY) send();
}

// One of web.c's functions of a text.
function call(f, text) {
  const at = Module.allocateUTF8(text);
  try {
    return f(at);
  } finally {
    Module._free(at);
  }
}

// The next entry of a page's block: what is typed, until its brackets are closed.
function takeEntry(lines) {
  let code = lines.shift().slice(TYPED.length);
  while (lines.length && call(Module._web_is_open, code)) {
    const line = lines.shift();
    code += "\n" + (line.startsWith(TYPED) ? line.slice(TYPED.length) : line);
  }
  return code;
}

// What the page says that an entry displays: as many lines as it does, whatever they begin with, and others that
// were not typed.
function takeAnswer(lines, got) {
  const want = [];
  let n = got.split("\n").length - 1;
  while (lines.length && (n > 0 || !lines[0].startsWith(TYPED))) {
    want.push(lines.shift());
    n--;
  }
  return want.join("\n");
}

// Runs a block of the tutorial; what each entry of it displays, and what it should.
function runBlock(text) {
  const lines = text.split("\n"), entries = [];
  while (lines.length) {
    const code = takeEntry(lines);
    kept = "";
    call(Module._web_run, code);
    const got = kept.replace(/[ ]+$/gm, "").replace(/\n$/, "");
    entries.push({ code, got, want: takeAnswer(lines, kept) });
    kept = null;
  }
  return entries;
}

const answers = {
  run: (text) => ({ status: call(Module._web_run, text) }),
  open: (text) => ({ open: call(Module._web_is_open, text) !== 0 }),
  block: (text) => ({ entries: runBlock(text) }),
  spirv: (text) => ({ modules: call(Module._web_spirv, text) }),
  kernels: (on) => (Module._web_kernels(on ? 1 : 0), {}),
};

onmessage = (event) => {
  const { id, ask, text } = event.data;
  shown = 0;
  const began = performance.now();
  try {
    const answer = answers[ask](text), ms = performance.now() - began;
    send();
    postMessage({ id, ...answer, ms });
  } catch (error) { // the machine has failed, as when its own stack is used up
    send();
    postMessage({ id, failed: String(error) });
    close();
  }
};

var Module = {
  show,
  showModule: (words) => show(3, spirvText(words)),
  onRuntimeInitialized() {
    if (!Module._web_open()) throw new Error("there is no memory for a workspace");
    postMessage({ ready: true, bar: JSON.parse(Module.UTF8ToString(Module._web_bar())) });
  },
};
importScripts("spirv.js", "vapl.js");
