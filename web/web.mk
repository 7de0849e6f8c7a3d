# SPDX-License-Identifier: MIT
# web.mk - the page that runs vapl in a browser: `make web` makes build/web/page by emscripten. It is the Makefile
# with another compiler, with files left out, and with what is linked of the objects.
override CONFIG := web
override CC     := emcc
override EDIT   :=
# What has no place in a browser: processes, threads with stacks of their own, other libraries.
override EXT    := $(filter-out $(patsubst %,runtime/ext/%.c,thread shell fio na na_parse na_value http sql sqlite), \
                     $(sort $(wildcard runtime/ext/*.c)))
override FACE   := $(filter-out runtime/api_cuda.c, \
                     $(sort runtime/script.c runtime/vapl.c $(wildcard runtime/api_*.c)))
# Headers of Vulkan and SPIR-V, alone of those of the system; those of clang's warnings that differ by the size of a
# pointer are for compilers that the library is made for.
FLAGS_web       := -Oz -DNDEBUG -isystem build/web/include -w
include Makefile
FLAGS           := $(filter-out -fPIC $(WARN),$(FLAGS))

# Debian's emscripten looks for its own node packages only with Debian's node.
export NODE_PATH := $(NODE_PATH):/usr/share/nodejs

.DEFAULT_GOAL := page
WEB_LINK := -Oz --js-library web/lacking.js -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2GB
# Of the stack of what has an address recursion may use half (src/base/ctx.h), of a large one all but a megabyte. By twice
# as much Chromium's stack for a worker's frames was used up; node has more.
PAGE_STACK := 1152KB
NODE_STACK := 2304KB
# A device of paper in the place of Vulkan.
WEB_OBJ  := $(filter-out $B/src/vk/% $B/runtime/api_vulkan.o,$(LIBOBJ)) $B/web/lacking.o $B/web/paper.o
PAGE     := vapl.js index.html style.css page.js worker.js spirv.js

page: $(PAGE:%=$B/page/%)
	@cat $(PAGE:%=$B/page/%) $B/page/vapl.wasm | wc -c | sed 's|^|$B/page: |; s|$$| bytes|'

$(LIBOBJ) $B/web/web.o $B/web/paper.o $B/tests/lang_runner.o: | $B/include
$B/include:
	@mkdir -p $@
	@for f in vulkan vk_video spirv; do ln -s /usr/include/$$f $@; done

$B/page/vapl.js: $(WEB_OBJ) $B/web/web.o web/lacking.js web/web.mk
	@mkdir -p $(@D)
	$(say) '  LINK   $@'
	$Q$(CC) $(WEB_LINK) -sTOTAL_STACK=$(PAGE_STACK) -sENVIRONMENT=worker,node -sEXPORTED_FUNCTIONS=_malloc,_free \
	  -sEXPORTED_RUNTIME_METHODS=UTF8ToString,allocateUTF8 $(filter %.o,$^) -o $@

$B/page/index.html: web/index.html web/page.py docs/tutorial.md
	@mkdir -p $(@D)
	$(say) '  PAGE   $@'
	$Qpython3 web/page.py docs/tutorial.md <web/index.html >$@
$B/page/%.css: web/%.css
	@mkdir -p $(@D)
	$Qcp $< $@
$B/page/page.js $B/page/worker.js: $B/page/%.js: web/%.js
	@mkdir -p $(@D)
	$Qcp $< $@
$B/page/spirv.js: web/spirv.js web/spirv.py
	@mkdir -p $(@D)
	$Qpython3 web/spirv.py /usr/include/spirv/unified1 src/codegen/* >$@
	$Qcat $< >>$@

# The runner of the language tests, for node: node build/web/lang_runner.js FILE…
$B/lang_runner.js: $(WEB_OBJ) $B/tests/lang_runner.o $B/runtime/ranks.o web/node.js web/lacking.js web/web.mk
	$(say) '  LINK   $@'
	$Q$(CC) $(WEB_LINK) -sTOTAL_STACK=$(NODE_STACK) -lnodefs.js -sEXIT_RUNTIME=1 --pre-js web/node.js $(filter %.o,$^) -o $@

.PHONY: page
