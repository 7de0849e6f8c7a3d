// SPDX-License-Identifier: MIT
// lacking.js - functions of a system that emscripten does not have, or ends the program in: there are no libraries to
// open (Vulkan's loader, zlib), and no files but those in memory.
mergeInto(LibraryManager.library, {
  _dlopen_js: function () { return 0; },
  _dlsym_js: function () { return 0; },
  memfd_create: function () { return -1; },
});
