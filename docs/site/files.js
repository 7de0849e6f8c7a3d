/* SPDX-License-Identifier: MIT */
/* The search where the pages are opened from a disk: a browser then allows neither workers nor requests. The
 * theme asks the global __search for the index; the worker's script runs in a hidden frame. */
if (location.protocol === "file:") {
  const root = new URL(".", document.currentScript.src);
  var __search = { index: new Promise((done) => { window.search_index_is = done; }) };
  const script = document.createElement("script"); // search_index_is({…}), made by tools/site.sh
  script.src = new URL("search/search_index.js", root);
  document.head.append(script);
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const worker = this.inside.document.createElement("script");
      this.ready = new Promise((done) => { worker.onload = done; });
      worker.src = url;
      this.inside.document.body.append(worker);
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
