#!/bin/bash
# test_cuda_faults.sh TERRANE - each checked CUDA call fails in turn, in a build with TERRANE_CUDA_FAULTS: the program
# does not crash, leaves no file, and ends with the exit status of a failure and a sentence.
set -u
terrane=$1 backend=cuda
. "$(dirname "$0")/../tools/shell.sh"
AT_ONCE=16 # runs in parallel, because starting the driver takes most of a run
CALLS_MOST=4000
n_faults=0

# one N WORDS...   run terrane in the folder N/f with the N-th CUDA call failing; write the exit status to N/status
one() {
  local n=$1
  shift
  mkdir -p $n/f
  (cd $n/f && TERRANE_CUDA_FAULT=$n exec timeout 120 "$terrane" "$@") >$n/out 2>$n/err
  echo $? >$n/status
}

# walk WORDS...   let each call fail in turn, AT_ONCE runs a round, until no run of a round fails
walk() {
  local first n got n_good n_walk=0
  for first in $(seq 1 $AT_ONCE $CALLS_MOST); do
    n_good=0
    for n in $(seq $first $((first + AT_ONCE - 1))); do
      one $n "$@" &
    done
    wait
    for n in $(seq $first $((first + AT_ONCE - 1))); do
      got=$(cat $n/status)
      if [ $got -eq 0 ]; then
        n_good=$((n_good + 1))
      else
        n_walk=$((n_walk + 1))
        [[ $got =~ ^(1|4)$ ]] && grep -q "^terrane $1: ." $n/err ||
          fail "call $n of terrane $*: exit status $got: $(cat $n/err)"
        [ -z "$(ls $n/f)" ] || fail "call $n of terrane $*: exit status $got left $(ls $n/f)"
      fi
      rm -rf $n
    done
    [ $n_good -lt $AT_ONCE ] || break
  done
  [ $n_good -eq $AT_ONCE ] || fail "terrane $*: more than $CALLS_MOST calls"
  [ $n_walk -gt 6 ] || fail "terrane $*: only $n_walk calls failed"
  echo "terrane $*: $n_walk"
  n_faults=$((n_faults + n_walk))
}

for generator in tiled recursive single-pass; do
  walk export --backend cuda --generator $generator --size 300x200 -o a.r32
done
walk export --backend cuda --size 300x200 --range auto --format r16 -o a.r16
walk probe 100,200 --backend cuda
echo "faults injected: $n_faults"
finish
