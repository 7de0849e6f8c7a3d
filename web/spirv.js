// SPDX-License-Identifier: MIT
// spirv.js - the words of a SPIR-V module as text, like that of spirv-dis. SPIRV is the table that spirv.py makes.
"use strict";

// The instructions of a module: name, type, result and what follows, each operand a kind and its words.
function* instructions(words) {
  for (let at = 5; at < words.length; at += words[at] >>> 16) {
    const [name, kinds] = SPIRV.instructions[words[at] & 0xffff] || ["Op" + (words[at] & 0xffff), "LiteralInteger*"];
    yield [name, kinds ? kinds.split(" ") : [], words.subarray(at + 1, at + (words[at] >>> 16))];
  }
}

function stringOf(words) {
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.length * 4);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

// Names of types and of constants; others have numbers.
class Names {
  constructor() {
    this.of = [];
    this.types = []; // of numbers: name, bits
  }

  get(id) { return "%" + (this.of[id] || id); }

  note(name, words) {
    const [a, b, c] = words, plain = (id) => this.get(id).slice(1);
    const number = { OpTypeInt: c ? "int" : "uint", OpTypeFloat: "float" }[name];
    if (number) this.types[a] = [name, b];
    if (number) this.of[a] = { 8: "u8", 16: number + "16", 32: number, 64: { uint: "ulong", int: "long", float: "double" }[number] }[b];
    else if (name === "OpTypeBool" || name === "OpTypeVoid") this.of[a] = name.slice(6).toLowerCase();
    else if (name === "OpTypeVector") this.of[a] = `v${c}${plain(b)}`;
    else if (name === "OpTypePointer") this.of[a] = `ptr_${SPIRV.values.StorageClass[b][0]}_${plain(c)}`;
    else if (name === "OpConstant") this.of[b] = `${plain(a)}_${this.literal(a, words.subarray(2)).replace("-", "n")}`;
    else if (/^OpConstant(True|False)$/.test(name)) this.of[b] = name.slice(10).toLowerCase();
  }

  // A constant of a type.
  literal(type, words) {
    const [name, bits] = this.types[type], view = new DataView(new ArrayBuffer(8));
    view.setUint32(0, words[0], true);
    view.setUint32(4, words[1] || 0, true);
    if (name === "OpTypeInt") return String(bits > 32 ? view.getBigUint64(0, true) : words[0]);
    const number = bits > 32 ? view.getFloat64(0, true) : view.getFloat32(0, true);
    return Object.is(number, -0) ? "-0" : String(number);
  }
}

// One of a kind's words, and what may follow it.
function valueOf(kind, word, kinds) {
  const values = SPIRV.values[kind] || {};
  if (!SPIRV.masks.includes(kind)) {
    const [name, more] = values[word] || [word, ""];
    if (more) kinds.unshift(...more.split(" "));
    return name;
  }
  const bits = Object.keys(values).filter((bit) => bit > 0 && word & bit), more = bits.map((bit) => values[bit][1]).filter(Boolean);
  if (more.length) kinds.unshift(...more.join(" ").split(" "));
  return bits.map((bit) => values[bit][0]).join("|") || "None";
}

// What an instruction says behind its name, and the result before it.
function operandsOf(name, kinds, words, names) {
  let result = "", at = 0;
  const said = [], next = [...kinds];
  while (at < words.length && next.length) {
    const kind = next[0].replace(/[?*]$/, "");
    if (!next[0].endsWith("*")) next.shift();
    if (kind === "IdResult") result = names.get(words[at++]);
    else if (kind === "LiteralString") {
      const text = stringOf(words.subarray(at));
      said.push(JSON.stringify(text));
      at += (new TextEncoder().encode(text).length >> 2) + 1;
    } else if (kind === "LiteralContextDependentNumber") {
      said.push(names.literal(words[0], words.subarray(at)));
      at = words.length;
    } else if (kind.startsWith("Pair"))
      for (const part of kind.match(/Id|Literal/g)) said.push(part === "Id" ? names.get(words[at++]) : words[at++]);
    else if (kind === "LiteralExtInstInteger") said.push(SPIRV.functions[words[at++]]);
    else if (kind.startsWith("Id")) said.push(names.get(words[at++]));
    else said.push(valueOf(kind, words[at++], next));
  }
  return [result, said];
}

function spirvText(words) {
  const names = new Names(), lines = [`; SPIR-V ${words[1] >> 16}.${words[1] >> 8 & 255}, ${words.length} words`];
  for (const [name, , rest] of instructions(words)) names.note(name, rest);
  for (const [name, kinds, rest] of instructions(words)) {
    const [result, said] = operandsOf(name, kinds, rest, names);
    lines.push((result ? result + " = " : "").padStart(14) + [name, ...said].join(" "));
  }
  return lines.join("\n") + "\n";
}
