#!/bin/bash
# test_fly_faults.sh TERRANE SHIM GL_SHIM - if an allocation, a file operation, the creation of a thread or a call of
# OpenGL fails, a flight does not crash, writes no wrong picture and no incomplete file, and ends with an exit status
# and a sentence that say what happened. Without faults the debug output of the driver is empty. SHIM and GL_SHIM are
# the libraries made from tools/fault_injection.c and tools/gl_faults.c.
set -u
terrane=$1 shim=$2:$3 backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
. "$(dirname "$0")/../tools/faults.sh"
if lacks sidecars; then echo "skipped: this build has no JSON" >&2; exit 77; fi
# all flights share a cache of compiled shaders, so that shaders are compiled once: by another test or the first flight
mkdir "$folder/shaders"
[ ! -d "${MESA_SHADER_CACHE_DIR:-}" ] || cp -r "$MESA_SHADER_CACHE_DIR/." "$folder/shaders"
export MESA_SHADER_CACHE_DIR=$folder/shaders
small="fly --headless --backend cpu --basis smooth --size 16x16 --altitude 100000 --quality low --frames 2"
small="$small --screenshot a.png"
right=$folder/right.png

# check_flight STATUSES WORDS...   check the end of a flight with a fault: existing files are complete, and a picture is
# the right one.
check_flight() {
  local statuses=$1 what
  shift
  what="$(grep ^fault log): terrane $*"
  [[ $got =~ ^($statuses|0)$ ]] || fail "$what: exit status $got: $(cat err)"
  [ $got -eq 0 ] || grep -q "^terrane fly: ." err || fail "$what: exit status $got without a sentence: $(cat err)"
  grep -q unlink log || [ -z "$(ls f | grep part)" ] || fail "$what: exit status $got left $(ls f)"
  [ ! -e f/a.png ] || cmp -s f/a.png "$right" || fail "$what: exit status $got, and another picture"
  [ ! -e f/a.json ] || tail -c 3 f/a.json | grep -q '}' || fail "$what: exit status $got, and half of the figures"
  [ $got -ne 0 ] || [ -e f/a.png ] || fail "$what: exit status 0, and no picture"
}

# walk_flight LAST KIND STATUSES WORDS...   run terrane WORDS once for each operation of a kind up to number LAST, which
# then fails, and check the end. A $step above 1 leaves out operations.
walk_flight() {
  local last=$1 kind=$2 statuses=$3 n
  shift 3
  for n in $(seq 1 "$step" "$last"); do
    faulty "$kind:$n" "$@" || break
    check_flight "$statuses" "$@"
  done
  [ "$n" -gt 1 ] || fail "$kind of terrane $*: no operation failed"
}

# shellcheck disable=SC2086
{
  "$terrane" $small 2>err && mv a.png "$right" || fail "a flight without faults: $(cat err)"
  # the driver has no message about a flight with all layers, and has one about a wrong call
  for quality in low high; do
    rm -f log
    TERRANE_FAULT_LOG=$folder/log LD_PRELOAD="$shim" "$terrane" fly --headless --backend cpu --basis smooth \
      --size 64x36 --quality $quality --frames 2 2>err ||
      fail "a flight of quality $quality: $(cat err)"
    ! grep message log >messages 2>/dev/null || fail "OpenGL of quality $quality: $(head -3 messages)"
  done
  faulty gl:10 $small
  grep -q '^message GL_INVALID' log || fail "a message of OpenGL is not seen: $(cat log)"
  # 40 allocations include those for the first letters of text; each further letter repeats several of these
  walk_flight 40 own 1 $small --stats a.json
  walk_flight 2000 thread 1 $small
  walk_flight 2000 gl '1|4' $small --stats a.json
  walk_flight 2000 file 3 $small --stats a.json
}
echo "faults injected: $n_faults"
finish
