// SPDX-License-Identifier: MIT
// ` and a key types a glyph in this page; in cells of text it stays Markdown's.
(function () {
  const keys = KEYS; // of vapl's own table: {"i": "⍳", …}
  if (window.vaplPrefix) document.removeEventListener("keydown", window.vaplPrefix, true);
  let pending = false;
  // CodeMirror 6 has an EditContext in newer browsers, where commands of the document do nothing; it takes what is pasted.
  function put(element, text) {
    if (document.execCommand("insertText", false, text)) return;
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }
  window.vaplPrefix = function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.key.length !== 1) return;
    if (event.target.closest(".text_cell, .jp-MarkdownCell")) return;
    const typed = pending ? keys[event.key] : undefined;
    const prefix = !pending && event.key === "`";
    pending = prefix;
    if (!prefix && typed === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (typed !== undefined) put(event.target, typed);
  };
  document.addEventListener("keydown", window.vaplPrefix, true);
})();
