# faults.sh - runs the program again and again, each time with another fault; sourced after shell.sh. $shim is the
# library made from fault_injection.c.
n_faults=0
step=${TERRANE_FAULT_STEP:-1} # every step-th operation fails in turn
compares= # file with the expected standard output for exit status 0

# faulty FAULT WORDS...   run terrane WORDS in the empty folder f, with TERRANE_FAULT=FAULT; false if the program ends
# before the faulty operation
faulty() {
  local fault=$1
  shift
  rm -rf f "$folder/log" && mkdir f
  (cd f && exec timeout 60 env TERRANE_FAULT="$fault" TERRANE_FAULT_LOG="$folder/log" LD_PRELOAD="$shim" "$terrane" \
    "$@") >out 2>err
  got=$?
  [ $got -ne 124 ] || fail "$fault of terrane $*: not at its end after a minute"
  grep -q ^fault log 2>/dev/null || return 1
  n_faults=$((n_faults + 1))
}

# check_end STATUSES WORDS...   check the end of a run with a fault. STATUSES: allowed ones besides 0, joined by |
check_end() {
  local statuses=$1 what
  shift
  what="$(grep ^fault log): terrane $*"
  if [ $got -eq 0 ]; then
    [ ! -e f/a.out ] || "$terrane" export --backend cpu --verify f/a.out >verified 2>err ||
      fail "$what: exit status 0, but $(cat err)"
    [ ! -e f/a.out ] || grep -q 'checksum right' verified ||
      fail "$what: exit status 0, but no checksum: $(cat verified)"
    grep -q unlink log || [ -z "$(ls f | grep part)" ] || fail "$what: exit status 0 left $(ls f)"
    [ -z "$compares" ] || cmp -s out "$compares" || fail "$what: exit status 0, but the answer is '$(cat out)'"
    return
  fi
  [[ $got =~ ^($statuses)$ ]] || fail "$what: exit status $got: $(cat err)"
  grep -q "^terrane $1: ." err || fail "$what: exit status $got without a sentence: $(cat err)"
  [ -z "$(ls f)" ] || fail "$what: exit status $got left $(ls f)"
}

# walk KIND SUFFIX STATUSES WORDS...   run terrane WORDS once for each operation N of a kind, with the fault KIND:N and
# SUFFIX, and check the end of each run. $step and $every above 1 leave out operations.
walk() {
  local kind=$1 suffix=$2 statuses=$3 n
  shift 3
  for n in $(seq 1 $((${every:-1} * step)) 2000); do
    faulty "$kind:$n$suffix" "$@" || break
    check_end "$statuses" "$@"
  done
  [ "$n" -gt 1 ] && [ "$n" -lt 2000 ] || fail "$kind$suffix of terrane $*: $n operations"
}
