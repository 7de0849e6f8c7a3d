// SPDX-License-Identifier: MIT
// ` and a key types a glyph in the cells of this page.
(function () {
  const keys = KEYS; // of vapl's own table: {"i": "⍳", …}
  if (window.vaplPrefix) document.removeEventListener("keydown", window.vaplPrefix, true);
  let pending = false;
  window.vaplPrefix = function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.key.length !== 1) return;
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
