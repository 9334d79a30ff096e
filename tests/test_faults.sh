#!/bin/bash
# test_faults.sh TERRANE SHIM - every allocation and every operation on files fails in turn, once or from there on, for each format and
# command: no crash, nothing left that is not whole, and an exit status and a sentence that say what happened.
set -u
terrane=$1 shim=$2 backend=cpu
. "$(dirname "$0")/shell.sh"
if lacks checksums || lacks sidecars; then echo "skipped: this build has no checksums, or no JSON" >&2; exit 77; fi
n_faults=0

# faulty FAULT WORDS...   run in the folder f, emptied; false when the fault was beyond the last operation
faulty() {
  local fault=$1
  shift
  rm -rf f "$folder/log" && mkdir f
  (cd f && exec timeout 30 env TERRANE_FAULT="$fault" TERRANE_FAULT_LOG="$folder/log" LD_PRELOAD="$shim" "$terrane" "$@") >out 2>err
  got=$?
  grep -q ^fault log || return 1
  n_faults=$((n_faults + 1))
}

# walk KIND SUFFIX STATUSES WORDS...   let operation after operation fail. STATUSES are those allowed besides 0, joined by |
walk() {
  local kind=$1 suffix=$2 statuses=$3 n what
  shift 3
  for n in $(seq 1 "${every:-1}" 2000); do
    faulty "$kind:$n$suffix" "$@" || break
    what="$(grep ^fault log), $suffix: terrane $*"
    if [ $got -eq 0 ]; then
      [ ! -e f/a.out ] || "$terrane" export --backend cpu --verify f/a.out >/dev/null 2>err || fail "$what: exit status 0, but $(cat err)"
      grep -q unlink log || [ -z "$(ls f | grep part)" ] || fail "$what: exit status 0 left $(ls f)"
      continue
    fi
    [[ $got =~ ^($statuses)$ ]] || fail "$what: exit status $got: $(cat err)"
    grep -q "^terrane $1: ." err || fail "$what: exit status $got without a sentence: $(cat err)"
    [ -z "$(ls f)" ] || fail "$what: exit status $got left $(ls f)"
  done
  [ "$n" -gt 1 ] && [ "$n" -lt 2000 ] || fail "$kind$suffix of terrane $*: $n operations"
}

small='--size 48x40'
for format in r32 png16 tiff exr; do
  range=
  case $format in
    png16) lacks 'PNG files' && continue; range='--range -400,100' ;;
    tiff) lacks TIFF && continue ;;
    exr) lacks OpenEXR && continue ;;
  esac
  # shellcheck disable=SC2086
  job="export --backend cpu $small $range --format $format -o a.out"
  # shellcheck disable=SC2086
  walk memory '' 1 $job
  # shellcheck disable=SC2086
  every=7 walk memory + 1 $job
  # shellcheck disable=SC2086
  walk file '' 3 $job
  # shellcheck disable=SC2086
  for kind in write create; do walk $kind +:ENOSPC 3 $job; done
  # shellcheck disable=SC2086
  walk write :short 3 $job # what was not written is written again
  # a file that is read back
  # shellcheck disable=SC2086
  "$terrane" $job 2>err && mv a.out "a.$format" && mv a.out.json "a.$format.json" || fail "$job: $(cat err)"
  walk memory '' '1|3' export --backend cpu --verify "$folder/a.$format"
  case $format in tiff | exr) walk read '' '1|3' export --backend cpu --verify "$folder/a.$format" ;; esac # stdio's reads cannot be caught
done
walk file '' 3 bench --size 16 --samples 2 --generators tiled --backends cpu --json b.json
walk thread '' 1 export --backend cpu --size 8x8 -o a.r32

# ---- words ----
for case in 'ENOSPC:No space left on device \(7.5 KiB needed, .* free\)' 'EDQUOT:Disk quota exceeded \(.* written, .* free\)' \
  'EFBIG:File too large \(.* written; the file system, or ulimit -f, allows no more\)' 'EROFS:Read-only file system'; do
  # shellcheck disable=SC2086
  faulty "write:1:${case%%:*}" export --backend cpu $small -o a.r32
  [ $got -eq 3 ] && grep -qE "cannot write 'a.r32': ${case#*:}" err || fail "${case%%:*}: exit status $got: $(cat err)"
done
faulty create:1:EACCES export --backend cpu --size 8x8 -o a.r32
[ $got -eq 3 ] && grep -q "cannot write 'a.r32': Permission denied" err || fail "no permission: $(cat err)"
echo "faults injected: $n_faults"
finish
