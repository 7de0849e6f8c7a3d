#!/bin/bash
# SPDX-License-Identifier: MIT
# device.sh BUILD fails [--part K/N]: a driver whose every call fails in turn. A program gives what it gives
#   without failures, or an error; it never crashes, and leaves nothing behind that it made
# device.sh BUILD masks [--part K/N]: language tests on devices that have less, or lie
# device.sh BUILD lang NAME [--part K/N]: all language tests on one of these
# device.sh BUILD lies [--part K/N]: devices that do one thing wrongly
# device.sh BUILD null: devices that have a driver, but no hardware
# device.sh BUILD automatic: when the automatic choice opens a device
# device.sh BUILD spills: a device that says that its compiler ran out of registers
# device.sh BUILD compile CHIP [--part K/N]: modules for navi21, vega10 or gfx1100 by AMD's compiler; for dg2 by Intel's,
#   where VAPL_INTEL_SHIM names the library that stands for the hardware
# device.sh BUILD metal [--part K/N]: modules for Apple's devices to Metal's language
# Without lavapipe: skipped (exit code 77).
cd "$(dirname "$0")/.." || exit 2
build=${1:?usage: device.sh BUILD fails|masks|lang|lies|automatic|spills|null|compile|metal [--part K/N]}
what=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
bad() { echo "FAIL $*"; failed=$((failed + 1)); }
good() { passed=$((passed + 1)); }
end() {
  echo "device.sh: $passed passed, $failed failed"
  exit $((failed > 0))
}

# The folders where the loader looks, and the first driver file there of that name.
driver() { # NAME
  local folder
  for folder in /etc /usr/local/share /usr/share; do
    ls "$folder"/vulkan/icd.d/"$1"*.json 2>/dev/null
  done | head -n 1
}
lavapipe=$(driver lvp)
[ -n "$lavapipe" ] || { echo 'device.sh: skipped, there is no lavapipe (mesa-vulkan-drivers)'; exit 77; }
make -s "$build/device/wrapper.so" || exit 1
WRAP_DRIVER=$(sed -nE 's/.*"library_path": *"([^"]*)".*/\1/p' "$lavapipe")
export WRAP_DRIVER WRAP_REPORT=$dir/report VK_DRIVER_FILES=$dir/wrapper.json
export VK_ICD_FILENAMES=$VK_DRIVER_FILES # of loaders before 1.3.207
export NODEVICE_SELECT=1 # Mesa's layer crashes where extensions cannot be listed
export GALLIVM_PERF=nopt # lavapipe's compiler without its optimisations
cat >"$VK_DRIVER_FILES" <<EOF
{"file_format_version": "1.0.0",
 "ICD": {"library_path": "$PWD/$build/device/wrapper.so", "api_version": "1.3.230"}}
EOF

# Nothing that was made is left, nothing hidden was asked for, nothing that was not made is dropped.
clean() { # WHAT
  [ -e "$WRAP_REPORT" ] || return 0
  local left
  left=$(grep -E '^(live|asked|dropped)' "$WRAP_REPORT" | sort | uniq -c | tr '\n' ' ')
  [ -z "$left" ] || { bad "$1: $left"; return 1; }
}

fails() {
  local part=${2:-0/1} program want got code n rc calls word
  program='x←⍳100000 ⋄ (+/x)(⌈/0.5×x)(¯1↑+\x)(2 3⍴⌽x)'
  try() { # WORDS: what the program says, in `got` and `rc`
    rm -f "$WRAP_REPORT"
    got=$(WRAP=$1 VAPL_TUNE="direct=0 device_min=0" XDG_CACHE_HOME=$dir \
      timeout 120 "$build/vapl" --device 0 -e "$program" 2>&1)
    rc=$?
  }
  one() { # WORDS: right, or an error
    try "$1"
    if [ $rc = 0 ]; then [ "$got" = "$want" ] || { bad "$1: $got"; return; }
    elif [ $rc -ge 124 ]; then bad "$1: exit code $rc"; return
    elif ! grep -qE '(DEVICE ERROR|WS FULL|LIMIT ERROR): ' <<<"$got"; then bad "$1: $got"; return
    fi
    clean "$1" && good
  }
  want=$(VK_DRIVER_FILES=$lavapipe "$build/vapl" --device host -e "$program")
  try '' # makes the files of pipelines
  try ''
  [ "$got" = "$want" ] || bad "without failures: $got"
  calls=$(sed -n 's/^calls *//p' "$WRAP_REPORT")
  [ "${calls:-0}" -gt 50 ] || bad "calls: $calls"
  for ((n = 0; n < ${calls:-0}; n++)); do
    [ $((n % ${part#*/})) = $((${part%/*} % ${part#*/})) ] || continue
    for code in -2 -3 -4; do one "fail=$n,code=$code"; done # no memory, no initialisation, a lost device
  done
  for word in CreateDevice AllocateMemory CreateBuffer BindBufferMemory MapMemory CreateCommandPool \
    AllocateCommandBuffers CreateSemaphore CreateQueryPool CreatePipelineLayout CreatePipelineCache \
    CreateShaderModule CreateComputePipelines BeginCommandBuffer EndCommandBuffer QueueSubmit \
    GetSemaphoreCounterValue WaitSemaphores GetQueryPoolResults EnumeratePhysicalDevices \
    EnumerateDeviceExtensionProperties CreateInstance; do
    one "refuse=vk$word"
  done
  for word in queue=0 address=0; do one "$word"; done
}

# What each device has; what it says of subgroups is true unless it is a liar. type: 1 integrated, 2 a card;
# driver: VkDriverId.
none='-fp64,-atomic64,-sparse,-atomic-float,-VK_EXT_shader_atomic_float'
less='-control,-VK_EXT_subgroup_size_control'
declare -A device=(
  [apple]="vendor=0x106B,type=1,driver=14,shared=32768,$none,$less"
  [phone]="vendor=0x13B5,type=1,driver=9,shared=16384,workgroup=256,allocation=0x40000000,-extended,$none"
  [adreno]="vendor=0x5143,type=1,driver=8,shared=32768,$none"
  [intel]="vendor=0x8086,type=1,driver=6,shared=65536,$none"
  [amd]='vendor=0x1002,type=1,driver=3,shared=65536,allocation=0x80000000'
  [small]="shared=16384,workgroup=256,groups=65535,allocation=0x100000,$none,$less,-extended"
  [liar]='subgroup=64,least=64,most=64'
  [wave64]="subgroup=64,least=64,most=64,$less"
  [varying]="subgroup=32,least=8,most=64,$less" # and nobody may choose
  [short]='spill=1' # each shape spills, so that chains are divided
)
devices='apple phone adreno intel amd small liar wave64 varying short'

# Which is lavapipe, whose loops end after 65535 steps: patience is less than that.
# Folds, scans, moves, selections and sets of long arrays, and what is equal to them by another way.
masks() {
  local part=${2:-0/1} name i=0 said
  for name in $devices; do
    [ $((i++ % ${part#*/})) = $((${part%/*} % ${part#*/})) ] || continue
    rm -f "$WRAP_REPORT"
    said=$(WRAP=${device[$name]} XDG_CACHE_HOME=$dir timeout 1200 "$build/lang_runner" --device 0 --validate \
      --tune "direct=0 device_min=0 patience=64" tests/device/some.apl 2>&1) || bad "$name: $said"
    clean "$name" && good
  done
}

# Devices that do one thing wrongly (`lies` in wrapper.c), and what `vapl --doctor` has to say of each. Nothing relies
# on what is wrong: a language test holds all the same, where the device is not refused.
declare -A lie=(
  [none]='quotients right'
  [progress]='while others wait: none, not relied on'
  [shuffle]='cannot be used: its subgroups have no one size, or their shuffles are wrong'
  [select]='selections of booleans wrong'
  [least]="the least integer's magnitude wrong"
  [divide]='quotients wrong, not relied on'
)
lies() {
  local part=${2:-0/1} name i=0 said words
  for name in none progress shuffle select least divide; do
    [ $((i++ % ${part#*/})) = $((${part%/*} % ${part#*/})) ] || continue
    words="vendor=0x1002,type=2,lie=$name"
    rm -f "$WRAP_REPORT"
    said=$(WRAP=$words XDG_CACHE_HOME=$dir/$name "$build/vapl" --doctor --max-time 600 2>&1)
    [[ $said == *"${lie[$name]}"* ]] || bad "$name: $said"
    [ $name != none ] || ! grep -qE ' wrong[,;]| wrong$| none,' <<<"${said//fma) wrong/}" || bad "$name: $said"
    if [ $name != shuffle ]; then
      said=$(WRAP=$words XDG_CACHE_HOME=$dir/$name timeout 1200 "$build/lang_runner" --device 0 --validate \
        --tune "direct=0 device_min=0" tests/device/some.apl 2>&1) || bad "$name: $said"
    fi
    clean "$name" && good
  done
}

lang() { # NAME [--part K/N]: a device has at least a GiB in one allocation, as Vulkan wants it
  local name=$1
  shift
  # shellcheck disable=SC2046
  WRAP=${device[$name]/allocation=0x100000/allocation=0x40000000} "$build/lang_runner" --each --device 0 --cache "$dir" \
    --tune "direct=0 device_min=0 patience=64" "$@" $(ls tests/lang/*.apl | grep -v lang/nan.apl) || bad "$name"
  clean "$name" && good
}

# Modules that the language tests make for a device that is not here, into a folder. No command buffer begins, as on
# a device that is full: the host computes, and the tests hold.
make_modules() { # FOLDER WORDS TUNE [--part K/N]
  local words=idle,$2 folder=$1 tune=$3
  shift 3
  mkdir -p "$folder"
  if WRAP=$words XDG_CACHE_HOME=$dir "$build/lang_runner" --each --device 0 --tune "direct=0 measure=0 $tune" \
    --spirv "$folder" "$@" tests/lang/*.apl >"$folder.log" 2>&1; then good
  else
    grep -aB1 -A2 'wanted:' "$folder.log" | cut -c1-160
    bad "language tests on $words: $(tail -n 1 "$folder.log")"
  fi
}

# All language tests for a device that is not here, whose own compiler makes each pipeline and says what it made:
# none fails. vapl takes a smaller shape in place of one that spills, and divides what has none, and notes that; the second
# run of a file begins with its notes, so that it makes what programs then run. Of a thousand of these at most so many spill
# more than 16 registers.
chips='navi21:32:5:amd vega10:64:5:amd gfx1100:32:5:amd dg2:16:30:intel'
# name, size of subgroups, of a thousand, device
compile() { # CHIP [--part K/N]
  local icd name=$1 chip wave most maker file run said count words shim=
  shift
  chip=$(tr ' ' '\n' <<<"$chips" | grep "^$name:")
  IFS=: read -r name wave most maker <<<"$chip"
  icd=$(driver radeon)
  words="idle,${device[$maker]},subgroup=$wave,least=$wave,most=64"
  if [ "$maker" = intel ]; then
    icd=$(driver intel_icd) shim=$VAPL_INTEL_SHIM words="idle,${device[intel]},subgroup=$wave,least=8,most=32,subgroups=64"
    [ -e "$shim" ] || { echo 'device.sh: skipped, VAPL_INTEL_SHIM names no libintel_noop_drm_shim.so'; exit 77; }
  fi
  [ -n "$icd" ] || { echo 'device.sh: skipped, there is no driver of Mesa (mesa-vulkan-drivers)'; exit 77; }
  export WRAP_COMPILED=$dir/compiled
  WRAP_COMPILER=$(sed -nE 's/.*"library_path": *"([^"]*)".*/\1/p' "$icd")
  for file in tests/lang/*.apl; do
    for run in first second; do
      rm -f "$WRAP_REPORT"
      said=$(WRAP=$words WRAP_COMPILER=$WRAP_COMPILER RADV_FORCE_FAMILY=$name INTEL_STUB_GPU_PLATFORM=$name LD_PRELOAD=$shim \
        "$build/lang_runner" --device 0 --tune "direct=0 measure=0" --cache "$dir/notes" "$@" "$file" 2>&1) ||
        bad "$file on $name: $(grep -aB1 -A2 'wanted:' <<<"$said" | cut -c1-160) $(tail -n 1 <<<"$said")"
      grep -s '^module' "$WRAP_REPORT" >>"$dir/$run"
    done
    rm -rf "$dir/notes"
  done
  for run in first second; do
    count=$(awk -F '\t' -f tests/device/spills.awk "$dir/$run" "$dir/compiled")
    echo "$name, $run runs: $count"
  done
  read -r -a count < <(tr -cs '0-9\n' ' ' <<<"$count")
  [ "${count[1]:-1}" = 0 ] || bad "$name: pipelines failed"
  [ $((1000 * ${count[3]:-1000})) -le $((most * ${count[0]:-0} + 1000)) ] || bad "$name: too many spill"
  passed=$((passed + ${count[0]:-0}))
}

# A device that says that modules of more than so many words spill: smaller shapes are taken; where none is small enough
# a chain is divided, from the next time on, which a new start knows. Results stay. One that will not say is no worse.
spills() {
  local said want n found=0
  local chain='y←⎕F32 100000⍴7 2.5 9 ⋄ +/((⌊y)×2+y-3)÷y+100'
  ask() { # WORDS EXPR…: what is said, in `said`; from the folder of the last one
    local words=$1
    shift
    rm -f "$WRAP_REPORT"
    said=$(WRAP=$words VAPL_TUNE="direct=0 device_min=0" XDG_CACHE_HOME=$dir/spills timeout 300 "$build/vapl" --device 0 "$@" 2>&1)
    clean "$words" && good
  }
  expect() { # WHAT PATTERN
    if grep -qE "$2" <<<"$said"; then good; else bad "$1: $said"; fi
  }
  anew() { rm -rf "$dir/spills"; }
  want=$(VK_DRIVER_FILES=$lavapipe "$build/vapl" --device host -e "$chain")
  same() { # WHAT: the result is the host's
    if [ "$(head -n 1 <<<"$said")" = "$want" ]; then good; else bad "$1: wanted $want: $said"; fi
  }
  ask spill=100000000 -e "$chain" -e "]plan $chain"
  same 'none spills'
  expect 'none spills' 'reduce_tile: .*, 64 registers a thread,'
  ! grep -q smaller <<<"$said" || bad "none spills: $said"
  for n in 1200 1600 2000 2500 3100 3900 4900 6500; do # the first shape spills, the next one does not
    anew
    ask "spill=$n" -e "$chain" -e "]plan $chain"
    same "over $n words"
    ! grep -q 'reduce_tile: .*, 1 smaller: registers did not suffice, 64 registers a thread,' <<<"$said" || found=1
  done
  [ $found = 1 ] || bad 'no shape is one step smaller'
  anew
  ask spill=1 -e "$chain" # every shape spills
  same 'all spill'
  ask spill=1 -e "$chain" -e "]plan $chain"
  same 'all spill, and it is known'
  expect 'all spill, and it is known' 'map: .* smaller: registers did not suffice, 64 registers a thread and 100 in memory'
  expect 'all spill, and it is known' '^in all  [2-9] kernels on the device'
  for n in Properties Statistics; do
    anew
    ask "spill=1,refuse=vkGetPipelineExecutable${n}KHR" -e "$chain" -e "]plan $chain"
    same "no $n"
    ! grep -q 'registers' <<<"$said" || bad "no $n: $said"
  done
}

# Kernels that metal.awk has to find fault with, and one with which not.
metal_wrong() {
  local head='uint _1 = gl_SubgroupID + 1u;' all='uint _2 = gl_WorkGroupID.x;' barrier='threadgroup_barrier(mem_flags::mem_threadgroup);' text
  local loop='for (;;)\n{\nuint _4 = _3;\nif (_4 < %s)\n{\n%s\n_3 = _4 + 1u;\n}\nelse\n{\nbreak;\n}\n}'
  for text in "if (_1 < 3u)\n{\n$barrier\n}" "if (_1 < 3u)\n{\nreturn;\n}\n$barrier" "${loop/\%s/_1}" \
    "uint _5 = 0u;\nif (_1 < 3u)\n{\n_5 = 1u;\n}\nif (_5 == 1u)\n{\n$barrier\n}"; do
    [ -n "$(printf "kernel void main0()\n{\n$head\n$all\n${text/\%s/$barrier}\n}\n" | awk -f tests/device/metal.awk)" ] ||
      bad "metal.awk finds nothing in $text"
  done
  text="${loop/\%s/_2}"
  text=$(printf "kernel void main0()\n{\n$head\n$all\nif (0u < _2)\n{\n${text/\%s/$barrier}\n}\n}\n" | awk -f tests/device/metal.awk)
  [ -z "$text" ] || bad "metal.awk finds $text where all threads go the same way"
}

# Each module to Metal's language. What Metal would not do is an error (metal.awk). Releases of SPIRV-Cross before 2024
# cannot translate atomics by address, and say so.
metal() { # [--part K/N]
  command -v spirv-cross >/dev/null || { echo 'device.sh: skipped, there is no spirv-cross'; exit 77; }
  local f cannot=0 wrong
  metal_wrong
  make_modules "$dir/modules" "${device[apple]},subgroup=32,least=32,most=32" '' "$@"
  for f in "$dir"/modules/*.spv; do
    if ! spirv-cross --msl --msl-version 30000 "$f" >"$dir/metal" 2>"$dir/said"; then
      if grep -q 'No backing variable for atomic' "$dir/said"; then cannot=$((cannot + 1))
      else bad "$(basename "$f"): $(head -n 1 "$dir/said")"; fi
      continue
    fi
    wrong=$(awk -f tests/device/metal.awk "$dir/metal" | head -n 1)
    if [ -n "$wrong" ]; then bad "$(basename "$f"): $wrong"; else good; fi
  done
  echo "$cannot modules have atomics by address, which this SPIRV-Cross cannot translate"
}

# AMD's driver plays the cards that it is told to, without one: listed, refused, never opened.
null() {
  local radeon code said name
  radeon=$(driver radeon)
  [ -n "$radeon" ] || { echo 'device.sh: skipped, there is no RADV (mesa-vulkan-drivers)'; exit 77; }
  for name in navi21 vega10 gfx1100; do
    said=$(VK_DRIVER_FILES=$radeon VK_ICD_FILENAMES=$radeon RADV_FORCE_FAMILY=$name \
      timeout 60 "$build/vapl" --device 0 -e '+/⍳1000000' 2>&1)
    code=$?
    if [ $code = 3 ] && [[ $said == *'cannot be used: it lacks device-local memory' ]]; then good
    else bad "$name: exit code $code: $said"; fi
  done
}

# The automatic choice: what says that it is a card is opened for one large expression, and by a program that computes for
# long with arrays that are not so large; not by a short one. What says that it is a CPU never is.
automatic() {
  local long='x←2E5⍴0.5 ⋄ {}{⍵÷⌈/⍵+⌽⍵}⍣12000⊢x'
  opens() { # TYPE PROGRAM: does it open the device?
    ! WRAP="vendor=0x1002,type=$1" VAPL_TUNE=device_min=1000000000 XDG_CACHE_HOME=$dir timeout 600 "$build/vapl" -e "$2" -e ']device' 2>&1 |
      grep -q 'none is open'
  }
  if opens 2 "$long"; then good; else bad 'a long program opens no device'; fi
  if opens 2 '{}+/0.5×⍳2E7'; then good; else bad 'a large array opens no device'; fi
  if opens 2 'x←2E5⍴0.5 ⋄ {}{⍵÷⌈/⍵+⌽⍵}⍣30⊢x'; then bad 'a short program opens a device'; else good; fi
  if opens 4 "$long"; then bad 'a long program opens a CPU'; else good; fi
}

"$what" "$@"
end
