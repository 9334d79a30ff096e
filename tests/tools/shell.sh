# shell.sh - what the test scripts share; sourced with $terrane and $backend set. Works in a folder of its own, removed at the end.
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

# expect STATUS 'regular expression for stderr, empty for any' WORDS...   standard output is left in the file out
expect() {
  local status=$1 pattern=$2
  shift 2
  "$terrane" "$@" >out 2>err
  local got=$?
  [ $got -eq "$status" ] || fail "terrane $*: exit status $got, expected $status"
  [ -z "$pattern" ] || grep -qE "$pattern" err || fail "terrane $*: stderr is '$(cat err)', expected '$pattern'"
}

# await_file NAME   until the last background job has begun a file whose name begins so, half a minute at most: before, it ignores SIGINT
await_file() {
  for n in $(seq 300); do
    ls | grep -q "^$1" && return
    kill -0 $! 2>/dev/null || break
    sleep 0.1
  done
  fail "nothing was begun of $1: $(cat err)"
}

# await SECONDS COMMAND...   until the command succeeds; fails when it has not by then
await() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.05
  done
}

# figure NAME FILE.json
figure() { sed -n "s/.*\"$1\":[[:space:]]*\([^,]*\),*\$/\1/p" "$2" | head -1; }

# whether this build lacks something
lacks() { "$terrane" info | grep 'left out of this build' | grep -q "$1"; }

finish() {
  [ $failed -eq 0 ] || exit 1
  echo "all as expected"
}
