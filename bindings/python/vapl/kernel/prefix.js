// SPDX-License-Identifier: MIT
// ` and a key types a glyph in this page; in cells of text it stays Markdown's.
(function () {
  const keys = KEYS; // of vapl's own table: {"i": "⍳", …}
  if (window.vaplPrefix) document.removeEventListener("keydown", window.vaplPrefix, true);
  let pending = false;
  window.vaplPrefix = function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.key.length !== 1) return;
    if (event.target.closest(".text_cell, .jp-MarkdownCell")) return;
    const typed = pending ? keys[event.key] : undefined;
    const prefix = !pending && event.key === "`";
    pending = prefix;
    if (!prefix && typed === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (typed !== undefined) document.execCommand("insertText", false, typed);
  };
  document.addEventListener("keydown", window.vaplPrefix, true);
})();
