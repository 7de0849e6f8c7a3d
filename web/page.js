// SPDX-License-Identifier: MIT
// page.js - the session, the language bar and the tutorial's buttons. What computes is worker.js.
"use strict";

const $ = (id) => document.getElementById(id);
const log = $("log"), line = $("line"), bar = $("bar"), tip = $("tip");
const LOG_MOST = 400; // parts of the log that are kept

// ── the interpreter ──

let worker = null, ready = false, nextId = 1, begun = 0;
let keys = {}, names = {}; // of glyphs
const waiting = new Map(); // what was asked and is not answered, by its id

function say(text) { $("state").textContent = text; }

function begin() {
  ready = false;
  begun = performance.now();
  worker = new Worker("worker.js");
  worker.onmessage = (event) => take(event.data);
  worker.onerror = (event) => say("vapl could not be loaded: " + event.message);
}

function take(message) {
  if (message.ready) {
    ready = true;
    if (!bar.children.length) fillBar(message.bar);
    if ($("kernels").checked) ask("kernels", true);
    say(`Ready after ${Math.round(performance.now() - begun)} ms.`);
    look();
  } else if (message.shown !== undefined) {
    put(["", "out", "error", "kernel"][message.fd], message.shown);
  } else {
    const answer = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.failed) lose(`The browser gave up (${message.failed}).`);
    answer(message.failed ? null : message);
    look();
  }
}

// The answer; null: it was stopped.
function ask(what, text) {
  return new Promise((resolve) => {
    const id = nextId++;
    waiting.set(id, resolve);
    worker.postMessage({ id, ask: what, text });
    look();
  });
}

// The worker ends, and with it the workspace; a new one begins.
function lose(why) {
  worker.terminate();
  const lost = [...waiting.values()];
  waiting.clear();
  put("note", why + " Names and values of the workspace are lost; a new one begins.");
  for (const block of document.querySelectorAll(".block.ran")) block.classList.remove("ran");
  say("Starting anew …");
  begin();
  for (const resolve of lost) resolve(null);
  look();
}

function look() {
  const busy = waiting.size > 0;
  for (const id of ["run", "plan", "spirv"]) $(id).disabled = !ready || busy;
  for (const button of document.querySelectorAll(".run")) button.disabled = !ready || busy;
  $("stop").disabled = !busy;
  document.body.classList.toggle("busy", busy);
}

// ── the log ──

function put(kind, text) {
  let last = log.lastElementChild;
  if (last && last.className === kind && kind !== "typed") last.append(text);
  else {
    last = document.createElement("pre");
    last.className = kind;
    last.textContent = text;
    log.append(last);
  }
  while (log.children.length > LOG_MOST) log.firstElementChild.remove();
  log.scrollTop = log.scrollHeight;
}

function putTyped(text) { put("typed", text.replace(/^/gm, "      ")); }

// What a graphics card would be given.
async function showSpirv(text) {
  if (!text.trim() || !ready || waiting.size) return;
  put("note", `SPIR-V of ${text.trim()}, for a graphics card with subgroups of 32 threads:`);
  const answer = await ask("spirv", text);
  if (answer && !answer.modules) put("note", "No kernel runs there: nothing is shown, or the host does it all.");
}

async function run(text) {
  if (!ready || waiting.size) return;
  putTyped(text);
  const answer = await ask("run", text);
  if (answer && answer.status === 2) lose("The session has ended.");
}

// ── what is typed ──

const typed = []; // entries, and which of them the line shows
let at = 0;

function setLine(text) {
  line.value = text;
  line.setSelectionRange(text.length, text.length);
  fit();
}

function fit() { line.rows = Math.min(12, line.value.split("\n").length); }

function insert(text, back = 0) {
  line.setRangeText(text, line.selectionStart - back, line.selectionEnd, "end");
  fit();
}

async function enter() {
  const text = line.value;
  if (!text.trim() || !ready || waiting.size) return;
  const { open } = (await ask("open", text)) || { open: false };
  if (open) {
    insert("\n");
    return;
  }
  typed.push(text);
  at = typed.length;
  setLine("");
  await run(text);
}

// ↑ and ↓ at the first and the last line find earlier entries.
function recall(step) {
  const to = at + step;
  if (to < 0 || to > typed.length) return false;
  at = to;
  setLine(typed[at] || "");
  return true;
}

line.addEventListener("keydown", (event) => {
  const before = line.value.slice(0, line.selectionStart), after = line.value.slice(line.selectionEnd);
  let taken = false;
  if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Enter" && !event.shiftKey) {
    taken = true;
    enter();
  } else if (event.key === "ArrowUp" && !before.includes("\n")) taken = recall(-1);
  else if (event.key === "ArrowDown" && !after.includes("\n")) taken = recall(1);
  else if (event.key === "Tab" && !event.shiftKey) {
    const word = /[a-z]+$/.exec(before); // a glyph's name; else Tab goes on to the buttons
    taken = word !== null && word[0] in names;
    if (taken) insert(names[word[0]], word[0].length);
  }
  if (taken) event.preventDefault();
});

// The prefix and a key give a glyph.
line.addEventListener("input", (event) => {
  const two = line.value.slice(line.selectionStart - 2, line.selectionStart);
  const one = event.inputType === "insertText" && event.data && event.data.length === 1;
  if (one && two[0] === "`" && two[1] in keys) insert(keys[two[1]], 2);
  fit();
});

$("entry").addEventListener("submit", (event) => {
  event.preventDefault();
  enter();
});
$("plan").addEventListener("click", () => { if (line.value.trim()) run("]plan " + line.value); });
$("spirv").addEventListener("click", () => showSpirv(line.value));
$("stop").addEventListener("click", () => lose("Stopped."));
$("clear").addEventListener("click", () => {
  log.replaceChildren();
  line.focus();
});
$("kernels").addEventListener("change", (event) => { if (ready) ask("kernels", event.target.checked); });

// ── the language bar ──

function fillBar(glyphs) {
  for (const [glyph, name, key, help] of glyphs) {
    if (key) keys[key] = glyph;
    if (name) names[name] = glyph;
    const button = document.createElement("button");
    const typedAs = key ? `\ntyped: \`${key}${name ? `, or ${name} and Tab` : ""}` : "";
    button.type = "button";
    button.textContent = glyph;
    button.tabIndex = bar.children.length ? -1 : 0;
    button.setAttribute("aria-label", (name || help.split("\n")[0]) + (key ? `, prefix ${key}` : ""));
    button.addEventListener("mousedown", (event) => event.preventDefault()); // the line keeps the caret
    button.addEventListener("click", () => {
      insert(glyph);
      line.focus();
    });
    for (const event of ["mouseenter", "focus"])
      button.addEventListener(event, () => { tip.textContent = (help.trim() || name) + typedAs; });
    bar.append(button);
  }
}

bar.addEventListener("keydown", (event) => {
  const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -bar.children.length, End: bar.children.length };
  if (!(event.key in steps)) return;
  const all = [...bar.children], from = all.indexOf(document.activeElement);
  const to = Math.max(0, Math.min(all.length - 1, from + steps[event.key]));
  all[from].tabIndex = -1;
  all[to].tabIndex = 0;
  all[to].focus();
  event.preventDefault();
});

// ── the tutorial ──

const blocks = [...document.querySelectorAll(".block")];

function judge(block, entries, ms) {
  const wrong = entries.find((e) => e.got !== e.want);
  const verdict = block.querySelector(".verdict");
  block.classList.add("ran");
  block.classList.toggle("differs", wrong !== undefined);
  verdict.textContent = `✓ computed here, in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  if (wrong) verdict.textContent = `${wrong.code} answers otherwise here:\n${wrong.got}`;
}

async function runBlock(block) {
  const answer = await ask("block", block.querySelector("pre").textContent);
  if (!answer) return false;
  for (const entry of answer.entries) {
    putTyped(entry.code);
    if (entry.got) put("out", entry.got + "\n");
  }
  judge(block, answer.entries, answer.ms);
  return true;
}

// A block builds on those before it: what has not been run of them is run first.
async function runUpTo(block) {
  for (const each of blocks.slice(0, blocks.indexOf(block)))
    if (!each.classList.contains("ran") && !(await runBlock(each))) return;
  await runBlock(block);
}

for (const block of blocks)
  block.querySelector(".run").addEventListener("click", () => runUpTo(block));

begin();
