# shell.sh - shared by the test scripts; sourced with $terrane and $backend set. Works in a new folder, which is
# removed at the end.
if [ "$backend" = cuda ] && ! "$terrane" probe 0,0 --backend cuda >/dev/null 2>&1; then
  echo "skipped: backend cuda cannot run here" >&2
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

fail() {
  echo "FAILED: $*" >&2
  failed=$((failed + 1))
}

# expect STATUS 'regular expression for stderr, empty for any' WORDS...   run terrane WORDS, and check its exit status
# and standard error; standard output goes to the file out
expect() {
  local status=$1 pattern=$2
  shift 2
  "$terrane" "$@" >out 2>err
  local got=$?
  [ $got -eq "$status" ] || fail "terrane $*: exit status $got, expected $status"
  [ -z "$pattern" ] || grep -qE "$pattern" err || fail "terrane $*: stderr is '$(cat err)', expected '$pattern'"
}

# await_file NAME   wait until the last background job has begun a file whose name begins with NAME, at most half a
# minute. Before that, the job may still ignore SIGINT, as background jobs of scripts do.
await_file() {
  for n in $(seq 300); do
    ls | grep -q "^$1" && return
    kill -0 $! 2>/dev/null || break
    sleep 0.1
  done
  fail "nothing was begun of $1: $(cat err)"
}

# await SECONDS COMMAND...   repeat the command until it succeeds; fails after SECONDS
await() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.05
  done
}

# bytes FILE: its size, or 0; has_more FILE BYTES, has_less FILE BYTES: whether it has more, or less
bytes() { stat -c %s "$1" 2>/dev/null || echo 0; }
has_more() { [ "$(bytes "$1")" -gt "$2" ]; }
has_less() { [ "$(bytes "$1")" -lt "$2" ]; }

# figure NAME FILE.json   print the value of a member
figure() { sed -n "s/.*\"$1\":[[:space:]]*\([^,]*\),*\$/\1/p" "$2" | head -1; }

# whether this build lacks a part
lacks() { "$terrane" info | grep 'left out of this build' | grep -q "$1"; }

finish() {
  [ $failed -eq 0 ] || exit 1
  echo "all as expected"
}
