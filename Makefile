# SPDX-License-Identifier: MIT
# vapl: `make quickstart` installs what is missing, builds and runs the main job;
# `make deps check` installs what the tests need and runs them. Both may be run again at will.

# ── settings ────────────────────────────────────────────────────────────────────────────
CONFIG  ?= release          # release plain debug asan tsan fuzz
ifeq ($(origin CC),default)
CC := gcc
endif
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
DESTDIR ?=

.DEFAULT_GOAL := all

# ── what is made of what ────────────────────────────────────────────────────────────────
CONFIG := $(strip $(CONFIG))
B      := build/$(CONFIG)
WARN   := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
          -Wmissing-prototypes -Wvla
FLAGS_release := -O2 -g1 -DNDEBUG -fno-asynchronous-unwind-tables
# What leaves alone use is unused then.
FLAGS_plain   := $(FLAGS_release) -DWITHOUT_LEAVES -Wno-unused-parameter -Wno-unused-variable -Wno-unused-function
FLAGS_debug   := -O0 -g
FLAGS_asan    := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined \
                 -fno-sanitize-recover=undefined
FLAGS_tsan    := -O1 -g -fsanitize=thread
FLAGS_fuzz    := -O1 -g1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
                 -fno-sanitize-recover=undefined -D__SANITIZE_ADDRESS__
EDIT   := $(shell test -f /usr/include/histedit.h && echo yes)
# vapl lsp, where jansson is.
JANSSON := $(if $(wildcard runtime/lsp.c),$(shell pkg-config --libs jansson 2>/dev/null))
EXT    := $(sort $(wildcard runtime/ext/*.c))
FLAGS  := -std=c11 -D_GNU_SOURCE -ffp-contract=off -fno-math-errno -fvisibility=hidden -fPIC -I. $(WARN) \
          $(FLAGS_$(CONFIG)) $(if $(EDIT),-DHAVE_LIBEDIT) $(CFLAGS)
LINK   := $(filter -fsanitize=%,$(FLAGS)) $(LDFLAGS)
LIBS   := -ldl -lpthread -lm

SRC  := $(sort $(wildcard src/*/*.c src/*/*/*.c))
FACE := $(sort runtime/script.c runtime/vapl.c $(wildcard runtime/api_*.c))
CLI  := $(sort $(filter-out $(FACE) $(if $(JANSSON),,runtime/lsp%),$(wildcard runtime/*.c)))
# CONFIG=plain: without the leaves, which tables name (src/tables/fast.def). Only the files that try them are
# compiled anew; the others' objects are those of the release.
R    := $B
ifeq ($(CONFIG),plain)
R    := build/release
SRC  := $(filter-out $(shell tools/leaves.sh),$(SRC))
TRY  := $(shell grep -lE '^(\#include ".*/fast.def"|\#ifdef WITHOUT_LEAVES)' $(SRC))
endif
OBJ  := $(TRY:%.c=$B/%.o) $(patsubst %.c,$R/%.o,$(filter-out $(TRY),$(SRC)))

# Loops over bits and bytes, which are compiled for what came to AVX-512 later, too.
BIT_LOOPS  := $(filter $(SRC),src/array/bits.c src/prim/running_loops.c)
# The host's loops once more for each further instruction set (src/base/isa.h).
LOOPS      := src/fold/fold_loops.c src/host/loops_map.c src/host/loops_quads.c \
              src/prim/product_loops.c src/prim/complex_loops.c src/prim/rows.c src/prim/blocks.c \
              src/prim/relations.c src/prim/fourier_loops.c src/prim/linear_loops.c \
              src/prim/set_loops.c $(BIT_LOOPS)
LOOPS      := $(filter $(SRC),$(LOOPS))
ISAS       := $(if $(filter x86_64%,$(shell $(CC) -dumpmachine)),avx2 avx512)
ISA_avx2   := -mavx2 -mfma -mpopcnt
ISA_avx512 := -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma -mpopcnt
OBJ        += $(foreach i,$(ISAS),$(LOOPS:%.c=$R/%.$i.o)) $R/src/host/loops_map.one.o
ISA_avx512b := $(ISA_avx512) -mavx512vbmi -mavx512vbmi2 -mavx512bitalg -mavx512vpopcntdq -mvpclmulqdq -mpclmul
OBJ         += $(if $(ISAS),$(BIT_LOOPS:%.c=$R/%.avx512b.o))
ISA_one    := -DBLK_ONE
# gcc would make each tail of fewer elements than a vector has by shorter vectors: a third of the code.
ifeq ($(findstring clang,$(shell $(CC) --version)),)
LONG_LOOPS := $(filter %rows.c %complex_loops.c %blocks.c src/host/loops_map.c,$(LOOPS))
$(foreach i,$(ISAS:%=%.),$(LONG_LOOPS:%.c=$B/%.$(i)o)) $(LONG_LOOPS:%.c=$B/%.o): FLAGS += --param vect-epilogues-nomask=0
# Their inner loops are a few instructions long: one that crosses a line of the cache takes half as long again.
$B/src/array/box_copy.o $B/src/prim/sort_keys.o: FLAGS += -falign-loops=64
# It would clear and copy what has more than eight words by string instructions, which take long to begin.
FLAGS += $(if $(ISAS),-mmemset-strategy=libcall:-1:noalign -mmemcpy-strategy=libcall:-1:noalign)
endif

# Sanitizers in the host's loops take a quarter of the time of building with them: SANITIZED names the instruction
# sets whose loops have them. Coverage in them branches on no input: fuzz has none.
SETS      := base one $(ISAS) $(if $(ISAS),avx512b)
SANITIZED ?= $(if $(filter fuzz,$(CONFIG)),,$(SETS))
loops_of   = $(if $(filter base,$1),$(LOOPS:%.c=$B/%.o),$(LOOPS:%.c=$B/%.$1.o))
ifneq ($(filter -fsanitize=%,$(FLAGS_$(CONFIG))),)
$(foreach i,$(filter-out $(SANITIZED),$(SETS)),$(call loops_of,$i)): FLAGS := \
  $(filter-out -fsanitize=% -D__SANITIZE_ADDRESS__,$(FLAGS)) -D__SANITIZE_ADDRESS__
endif

# What runs seldom, or waits for people, files, other programs and ranks, is made small: a quarter of its code is
# saved. Kernels are made once, and then wait for the driver's compiler; a graph for ⌹ or ⎕FFT is of long lines.
SELDOM := plot% link% na% about compat component copy edit gnu http ibeam keep lib locals monitor name_tree profile \
          se shell source sql sqlite workspace fio native npz image dt_text class
SELDOM := $(filter $(SELDOM:%=runtime/ext/%.c),$(EXT)) src/vk/instance.c src/vk/open.c $(addprefix src/eval/system/, \
          command.c ext.c help.c reach.c) \
          $(filter-out src/dist/strips.c,$(filter src/codegen/% src/dist/%,$(SRC))) src/kir/lower.c \
          src/ir/build_linear.c src/ir/build_fourier.c
$(SELDOM:%.c=$B/%.o): FLAGS += $(if $(filter -O%,$(CFLAGS)),,$(patsubst -O2,-Os,$(filter -O2,$(FLAGS_$(CONFIG)))))

# Which files of runtime/ext there are decides which rows of the tables are compiled.
ROWS   := $B/src/eval/vm.o $B/src/eval/system/system.o $B/src/eval/system/command.o $B/src/eval/value/sysname.o \
          $B/src/tables/oper.o $B/src/eval/oper/oper.o $B/runtime/ext/ibeam.o $B/runtime/ext/workspace.o \
          $B/runtime/ext/plot_page.o $B/runtime/ext/plot_axis.o $B/runtime/ext/thread.o
$(ROWS): FLAGS += $(patsubst runtime/ext/%.c,-DEXT_%,$(EXT))
$(ROWS): runtime/ext

$B/runtime/main.o: FLAGS += $(if $(JANSSON),-DHAVE_LSP)

LIBOBJ := $(OBJ) $(FACE:%.c=$R/%.o) $(EXT:%.c=$R/%.o)
RUNNER := $R/tests/lang_runner.o
PROGRAM := $(CLI:%.c=$R/%.o)
UNIT := $(patsubst tests/unit/%.c,$B/unit/%,$(sort $(wildcard tests/unit/test_*.c)))

# make V=1 shows whole commands.
Q   := $(if $(V),,@)
say = $(if $(V),@:,@echo)

all: $B/vapl $B/libvapl.a $B/libvapl.so.0 $B/lang_runner

# All objects of the library with their hidden symbols, for programs that look inside: a thin
# archive, of which each links what it uses.
$B/inside.a: $(LIBOBJ)
	$(say) '  AR     $@'
	$Qrm -f $@ && ar rcsT $@ $^

$B/%.o: %.c
	@mkdir -p $(@D)
	$(say) '  CC     $<'
	$Q$(CC) $(FLAGS) -MMD -MP -c $< -o $@

ifeq ($(CONFIG),plain)
$(filter $R/%,$(LIBOBJ) $(RUNNER) $(PROGRAM)): released ;
released:
	$Q$(MAKE) --no-print-directory CONFIG=release all
endif

define loops_rule
$B/%.$1.o: %.c
	@mkdir -p $$(@D)
	$$(say) '  CC     $$< ($1)'
	$$Q$$(CC) $$(FLAGS) $$(ISA_$1) -DISA=$1 -MMD -MP -c $$< -o $$@
endef
$(foreach i,$(ISAS) avx512b one,$(eval $(call loops_rule,$i)))

# One relocatable object, so that nothing but vapl_… is seen by the program that links it.
$B/libvapl.a: $(LIBOBJ)
	$(say) '  AR     $@'
	$Qld -r -o $B/libvapl.o $^
	$Qobjcopy --localize-hidden $B/libvapl.o
	$Qrm -f $@ && ar rcs $@ $B/libvapl.o

$B/libvapl.so.0: $(LIBOBJ) runtime/vapl.map
	$(say) '  LINK   $@'
	$Q$(CC) $(LINK) -shared -Wl,-soname,libvapl.so.0 -Wl,--version-script=runtime/vapl.map \
	  $(LIBOBJ) $(LIBS) -o $@
	$Qln -sf libvapl.so.0 $B/libvapl.so

$B/vapl: $(PROGRAM) $B/inside.a
	$(say) '  LINK   $@'
	$Q$(CC) $(LINK) $^ $(LIBS) $(if $(EDIT),-ledit) $(JANSSON) -o $@

# Functions of C for the language tests to call.
$B/na_library.so: tests/na_library.c
	@mkdir -p $(@D)
	$(say) '  CC     $@'
	$Q$(CC) $(FLAGS) $(LINK) -shared $< -o $@

$B/lang_runner: $(RUNNER) $R/runtime/ranks.o $B/inside.a | $B/na_library.so
	$(say) '  LINK   $@'
	$Q$(CC) $(LINK) $^ $(LIBS) -o $@

# Checks an engine of ranks: mpirun -n 3 comm_runner.
$B/comm_runner: $B/tests/comm_runner.o $B/runtime/ranks.o
	$(say) '  LINK   $@'
	$Q$(CC) $(LINK) $^ $(LIBS) -o $@

# Checks and times memory that NVIDIA's GPUs share, by two processes.
$B/peer_runner: $B/tests/peer_runner.o $B/runtime/comm/peer_cuda.o $B/runtime/comm/peer_fd.o $B/inside.a
	$(say) '  LINK   $@'
	$Q$(CC) $(LINK) $^ $(LIBS) -o $@

# What comes from outside is the same on all ranks: mpirun -n 3 ranks_outside.
$B/ranks_outside: $B/tests/ranks_outside.o $B/runtime/ranks.o $B/inside.a
	$(say) '  LINK   $@'
	$Q$(CC) $(LINK) $^ $(LIBS) -o $@

# Parts of arrays, for a program that runs as ranks: mpirun -n 3 ranks_parts build/release/vapl-mpi.so.
$B/ranks_parts: $B/tests/ranks_parts.o $B/libvapl.a
	$(say) '  LINK   $@'
	$Q$(CC) $(LINK) $^ $(LIBS) -o $@

# What tests/ranks.sh runs.
ranks: $B/vapl $B/lang_runner mpi $B/peers/vapl-mpi.so $B/comm_runner $B/ranks_outside $B/ranks_parts

MPFR := $(shell pkg-config --exists mpfr 2>/dev/null && echo -lmpfr -lgmp)
$B/tests/unit/%.o: FLAGS += $(if $(MPFR),-DHAVE_MPFR)
$B/unit/%: $B/tests/unit/%.o $B/inside.a
	@mkdir -p $(@D)
	$(say) '  LINK   $@'
	$Q$(CC) $(LINK) $(filter %.o %.a,$^) -lcmocka $(LIBS) $(MPFR) -o $@

$B/unit/test_glyphs: $B/runtime/keymap.o

# The engine of ranks (runtime/comm/mpi.c), by the machine's MPI; nothing needs it but `vapl --ranks`.
MPICC ?= mpicc
mpi: $B/vapl-mpi.so
PEERS := runtime/comm/peer_cuda.c runtime/comm/peer_fd.c
MPI_SO = $(MPICC) -std=c11 -D_GNU_SOURCE -O2 -fvisibility=hidden -fPIC -I. $(WARN) $(CFLAGS) -shared
$B/vapl-mpi.so: runtime/comm/mpi.c $(PEERS) runtime/comm/peer_cuda.h runtime/libcuda.h runtime/vapl_mpi.h runtime/vapl_comm.h
	@mkdir -p $(@D)
	$(say) '  MPICC  $@'
	$Q$(MPI_SO) $< $(PEERS) -o $@ -ldl
# The same, where memory of the host plays that of devices which reach one another.
$B/peers/vapl-mpi.so: runtime/comm/mpi.c tests/peer_host.c runtime/comm/peer_fd.c runtime/comm/peer_cuda.h \
  runtime/vapl_mpi.h runtime/vapl_comm.h
	@mkdir -p $(@D)
	$(say) '  MPICC  $@'
	$Q$(MPI_SO) $< tests/peer_host.c runtime/comm/peer_fd.c -o $@

# A libcuda.so.1 whose device is this process, for unit/test_cuda and bindings/python/tests/test_cuda.py.
$B/unit/test_cuda: | $B/device/fake_cuda.so
$B/device/fake_cuda.so: tests/device/fake_cuda.c
	@mkdir -p $(@D)
	$(say) '  CC     $@'
	$Q$(CC) $(FLAGS) $(LINK) -shared -Wl,-soname,libcuda.so.1 $< -o $@

# A Vulkan driver that is another one with less, for tests/device.sh; compiler.c has the compiler of a real one.
$B/device/wrapper.so: tests/device/wrapper.c tests/device/compiler.c tests/device/compiler.h
	@mkdir -p $(@D)
	$(say) '  LINK   $@'
	$Q$(CC) $(filter-out -fsanitize=% -g% -O% -Wpedantic,$(FLAGS)) -O1 -g -shared $(filter %.c,$^) -ldl -o $@

# libFuzzer's targets: one program, and a link to it for each.
$B/fuzz/fuzz: tests/fuzz/fuzz.c $B/inside.a
	@mkdir -p $(@D)
	$(say) '  LINK   $@'
	$Q$(CC) $(FLAGS) $(patsubst runtime/ext/%.c,-DEXT_%,$(EXT)) -MMD -MP $< $B/inside.a $(LINK) -fsanitize=fuzzer \
	  $(LIBS) -o $@
	$Qfor t in $$($@ --list); do ln -f $@ $(@D)/$$t; done

$B/bench/%: $B/bench/%.o $B/inside.a
	@mkdir -p $(@D)
	$(say) '  LINK   $@'
	$Q$(CC) $(LINK) $(filter %.o %.a,$^) $(LIBS) -o $@

$B/bench/ladder: $(patsubst %.c,$B/%.o,$(sort $(wildcard bench/rungs/*.c)))

-include $(shell find $B -name '*.d' 2>/dev/null)

# Does this compiler warn of anything? Of all files, or of the loops for each instruction set, which intrinsics
# differ for. Nothing is built.
ALL_C := $(SRC) $(FACE) $(CLI) $(EXT) $(PEERS) $(wildcard tests/*.c tests/unit/*.c bench/*.c bench/rungs/*.c)
syntax: syntax-loops
	$Qtools/syntax.sh $(CC) $(FLAGS) $(patsubst runtime/ext/%.c,-DEXT_%,$(EXT)) -- $(ALL_C)
syntax-loops:
	$Q$(foreach i,$(ISAS) one,tools/syntax.sh $(CC) $(FLAGS) $(ISA_$i) -DISA=$i -- $(if $(filter one,$i),src/host/loops_map.c,$(LOOPS)) &&) \
	  $(if $(ISAS),tools/syntax.sh $(CC) $(FLAGS) $(ISA_avx512b) -DISA=avx512b -- $(BIT_LOOPS) &&) true

# ── the two commands ────────────────────────────────────────────────────────────────────
quickstart:
	tools/install.sh build
	$(MAKE) -j2 all
	tools/quickstart.sh $B/vapl

deps:
	tools/install.sh build test

check:
	@tools/install.sh ask build test
	tools/check.sh

# ── for daily work ──────────────────────────────────────────────────────────────────────
unit: $(UNIT)
	@for t in $(UNIT); do echo "── $$t"; $$t || exit 1; done

lang: $B/lang_runner
	$B/lang_runner tests/lang/*.apl $$(grep -v '^#' tests/pages)

# The language tests on the host and the short unit tests: half a minute with what a small change has made anew.
quick:
	@$(MAKE) --no-print-directory -j$(shell nproc 2>/dev/null || echo 2) all $(UNIT)
	@tools/quick.sh $B

check-all:
	@tools/install.sh ask build test
	tools/check.sh all

# tests/fuzz.sh build/fuzz SECONDS runs them.
fuzz:
	$(MAKE) CONFIG=fuzz CC=clang build/fuzz/fuzz/fuzz

bench: $B/bench/bench
	$B/bench/bench

size:
	@tools/size.sh $B

circles: all
	@tools/circles.sh $B

# On the device that there is, a CPU if there is no other; docs/coverage.md by the host's kernels.
coverage: $B/bench/coverage
	@$B/bench/coverage --device cpu || $B/bench/coverage

# Three pages; the other two are docs/operators.md and docs/names.md.
docs/primitives.md: $B/bench/reference
	for page in primitives operators names; do $< $$page > docs/$$page.md || exit 1; done

# The commands in the manual page, between two comments.
docs/vapl.1: $B/bench/reference
	$B/bench/reference --commands | \
	  sed -i -e '/^.." commands:/,/^.." end of/{//!d}' -e '/^.." commands:/r /dev/stdin' $@

docs/coverage.md: $B/bench/coverage
	$B/bench/coverage > $@

editors: $B/bench/editors
	$< vim > editors/vim/syntax/vapl.vim
	$< keys > editors/vim/ftplugin/vapl.vim
	$< grammar > editors/vscode/syntaxes/vapl.tmLanguage.json
	$< snippets > editors/vscode/snippets/vapl.json
	$< glyphs > editors/tree-sitter/glyphs.json

# The manual as a site, build/site (docs/site/mkdocs.yml).
site:
	@tools/site.sh

format:
	@tools/format.sh

compile_commands:
	@printf '[\n' > compile_commands.json; sep=; for f in $(SRC) $(FACE) $(CLI) $(EXT); do \
	  printf '%s{"directory": "%s", "file": "%s", "command": "%s -c %s"}\n' "$$sep" "$(CURDIR)" \
	  "$$f" '$(CC) $(FLAGS)' "$$f" >> compile_commands.json; sep=,; done; printf ']\n' >> compile_commands.json

# The installed program and library have no debugging information: STRIP= keeps it.
STRIP   ?= -s
VERSION := $(shell sed -n 's/^\#define VAPL_VERSION_TEXT "\(.*\)"/\1/p' runtime/vapl.h)
D       := $(DESTDIR)$(PREFIX)
L       := $(DESTDIR)$(LIBDIR)
FILL    := sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|'
HEADERS := vapl.h vapl_arrow.h vapl_cuda.h vapl_vulkan.h vapl_comm.h vapl_mpi.h
install: all
	install -d $D/bin $L/pkgconfig $L/cmake/vapl $D/include $D/share/man/man1
	install $(STRIP) $B/vapl $D/bin/vapl
	install -m 644 $(STRIP) $B/libvapl.so.0 $L
	install -m 644 $B/libvapl.a $L
	$(if $(STRIP),strip --strip-debug $L/libvapl.a)
	[ ! -e $B/vapl-mpi.so ] || install -D -m 644 $(STRIP) $B/vapl-mpi.so $D/lib/vapl/vapl-mpi.so
	ln -sf libvapl.so.0 $L/libvapl.so
	install -m 644 $(HEADERS:%=runtime/%) $D/include
	$(FILL) runtime/vapl.pc.in > $L/pkgconfig/vapl.pc
	$(FILL) runtime/vapl-config-version.cmake.in > $L/cmake/vapl/vapl-config-version.cmake
	install -m 644 runtime/vapl-config.cmake $L/cmake/vapl
	install -m 644 docs/vapl.1 $D/share/man/man1
	install -d $D/share/vapl/lib && install -m 644 lib/*.apl* $D/share/vapl/lib
	for d in syntax ftdetect ftplugin; do install -D -m 644 editors/vim/$$d/vapl.vim \
	  $D/share/vim/vimfiles/$$d/vapl.vim; done
	for c in $(COMPLETIONS); do install -d $D/share/$${c%/*} && \
	  $B/vapl --print-completion $${c%%[-/]*} > $D/share/$$c || exit 1; done
COMPLETIONS := bash-completion/completions/vapl zsh/site-functions/_vapl \
               fish/vendor_completions.d/vapl.fish

uninstall:
	rm -f $D/bin/vapl $L/libvapl.a $L/libvapl.so $L/libvapl.so.0 $(HEADERS:%=$D/include/%) \
	  $D/lib/vapl/vapl-mpi.so $L/pkgconfig/vapl.pc $L/cmake/vapl/vapl-config.cmake \
	  $L/cmake/vapl/vapl-config-version.cmake $D/share/man/man1/vapl.1 $(COMPLETIONS:%=$D/share/%) \
	  $D/share/vim/vimfiles/syntax/vapl.vim $D/share/vim/vimfiles/ftdetect/vapl.vim \
	  $D/share/vim/vimfiles/ftplugin/vapl.vim $(patsubst %,$D/share/vapl/%,$(wildcard lib/*.apl*))

# ── packages (packaging/README.md) ──────────────────────────────────────────────────────
# What the last commit has, as a tarball that builds.
dist:
	@mkdir -p build/dist
	git archive --prefix=vapl-$(VERSION)/ HEAD | gzip -9n > build/dist/vapl-$(VERSION).tar.gz
	@echo build/dist/vapl-$(VERSION).tar.gz

# Debian's packages of that tarball.
deb: dist
	packaging/deb.sh build/dist/vapl-$(VERSION).tar.gz

# A wheel with the library within.
wheel: $B/libvapl.so.0
	packaging/wheel.sh $B

# VS Code's extension.
vsix:
	packaging/vsix.sh

# A page that runs vapl in a browser (docs/web.md).
web:
	$(MAKE) -f web/web.mk page

clean:
	rm -rf build compile_commands.json

.PHONY: all mpi ranks released syntax syntax-loops quickstart deps check quick unit lang check-all fuzz bench size circles coverage editors site format \
        compile_commands install uninstall dist deb wheel clean vsix web
.SECONDARY:
