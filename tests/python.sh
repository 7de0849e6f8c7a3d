#!/bin/bash
# SPDX-License-Identifier: MIT
# python.sh BUILD - bindings/python: its tests, what its README shows, and pip's installation.
# Exit code 77 where Python or NumPy is missing; what else is missing is said.
build=$(realpath "${1:?usage: python.sh build/release}")
cd "$(dirname "$0")/../bindings/python" || exit 1
python=
for p in /usr/bin/python3 python3; do
  "$p" -c 'import numpy' 2>/dev/null && { python=$p; break; }
done
[ -n "$python" ] || { echo 'python: skipped, python3-numpy is missing'; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export PYTHONDONTWRITEBYTECODE=1 VAPL_LIBRARY=$build/libvapl.so.0
(cd ../.. && make -s "${build#"$PWD/"}/device/fake_cuda.so") # for test_cuda.py
passed=0 failed=0
check() { # WHAT COMMAND…
  local what=$1
  shift
  if "$@" >"$tmp/out" 2>&1; then passed=$((passed + 1)); else
    failed=$((failed + 1)); echo "FAIL $what"; tail -n 40 "$tmp/out"; fi
}

for t in tests/test_*.py; do
  check "$t" env PYTHONPATH=. timeout 200 "$python" -X faulthandler "$t"
  sed -nE 's/^(OK.*skipped.*)/\1/p' "$tmp/out"
done
if command -v mypy >/dev/null; then
  check mypy env MYPY_CACHE_DIR="$tmp/mypy" mypy
  cat >"$tmp/typed.py" <<'END'
import vapl
apl: vapl.Apl = vapl.open("host")
mean: vapl.Function = apl.fn("{(+/⍵)÷≢⍵}")
picture: vapl.Plot = apl.plot([1, 2], title="T", size=(300, 200))
raw: bytes = picture.png(scale=2)
END
  check 'a typed program' env MYPYPATH=. MYPY_CACHE_DIR="$tmp/mypy" mypy --config-file= --strict --follow-imports=silent "$tmp/typed.py"
else echo 'python: mypy is missing'; fi
if "$python" -c 'import pytest' 2>/dev/null; then
  check 'pytest finds the tests' env PYTHONPATH=. "$python" -m pytest -q --collect-only -p no:cacheprovider
else echo 'python: pytest is missing'; fi
sed -n '/^```python$/,/^```$/{/^```/!p}' README.md >"$tmp/readme.py"
check README.md env PYTHONPATH=. "$python" "$tmp/readme.py"
if "$python" -c 'from importlib.util import find_spec as f
assert f("pip") and f("setuptools") and f("wheel")' 2>/dev/null; then
  cp -r ../../bindings "$tmp/" # pip writes beside what it installs
  mkdir -p "$tmp/runtime" "$tmp/build/release"
  cp ../../runtime/vapl.h "$tmp/runtime/"
  cp "$VAPL_LIBRARY" "$tmp/build/release/"
  check 'pip install' "$python" -m pip install -q --no-index --no-build-isolation --no-deps \
    --root-user-action=ignore --target "$tmp/site" "$tmp/bindings/python"
  check 'found in the checkout' env -C "$tmp" -u VAPL_LIBRARY PYTHONPATH="$tmp/site" "$python" -c \
    'import vapl, sys; assert vapl.Apl("host")("+/⍳4") == 10; assert "site" in vapl.__file__'
  # A wheel that needs no checkout, in an environment with nothing else.
  if "$python" -m venv "$tmp/venv" >/dev/null 2>&1; then
    (cd ../.. && packaging/wheel.sh "$(dirname "$VAPL_LIBRARY")") >"$tmp/wheel" 2>&1
    check 'a wheel is made' test -e "../../$(tail -n 1 "$tmp/wheel")"
    check 'and installed' "$tmp/venv/bin/pip" install -q --no-index "../../$(tail -n 1 "$tmp/wheel")"
    check 'the library is within' env -C "$tmp" -u VAPL_LIBRARY "$tmp/venv/bin/python" -c \
      'import vapl, os; assert vapl.Apl("host")("+/⍳10") == 55
assert os.path.exists(os.path.join(os.path.dirname(vapl.__file__), "libvapl.so.0"))'
  else echo 'a wheel: skipped, python3-venv is missing'; fi
else echo 'pip install: skipped, python3-pip, setuptools or wheel is missing'; fi

echo "python.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
