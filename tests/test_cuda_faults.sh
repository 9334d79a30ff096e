#!/bin/bash
# test_cuda_faults.sh TERRANE - each checked CUDA call fails in turn, in a build with TERRANE_CUDA_FAULTS: no crash, no file, the exit
# status of a failure and a sentence.
set -u
terrane=$1 backend=cuda
. "$(dirname "$0")/shell.sh"
n_faults=0

# walk WORDS...   until runs are as without faults: the last call was passed
walk() {
  local n got done_in_turn=0
  for n in $(seq 5000); do
    rm -rf f && mkdir f
    (cd f && TERRANE_CUDA_FAULT=$n exec timeout 60 "$terrane" "$@") >out 2>err
    got=$?
    if [ $got -eq 0 ]; then
      done_in_turn=$((done_in_turn + 1))
      [ $done_in_turn -lt 5 ] || break
      continue
    fi
    done_in_turn=0
    n_faults=$((n_faults + 1))
    [[ $got =~ ^(1|4)$ ]] && grep -q "^terrane $1: ." err || fail "call $n of terrane $*: exit status $got: $(cat err)"
    [ -z "$(ls f)" ] || fail "call $n of terrane $*: exit status $got left $(ls f)"
  done
  [ "$n" -gt 6 ] && [ "$n" -lt 5000 ] || fail "terrane $*: $n calls"
}

for generator in tiled recursive single-pass; do
  walk export --backend cuda --generator $generator --size 300x200 -o a.r32
done
walk export --backend cuda --size 300x200 --range auto --format r16 -o a.r16
walk probe 100,200 --backend cuda
echo "faults injected: $n_faults"
finish
