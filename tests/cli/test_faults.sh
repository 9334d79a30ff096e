#!/bin/bash
# test_faults.sh TERRANE SHIM - if an allocation or a file operation fails, alone or with all later ones, the program
# does not crash, leaves no incomplete file, and ends with an exit status and a sentence that say what happened. This is
# tried for many operations of each format and command. SHIM is the library made from tools/fault_injection.c.
set -u
terrane=$1 shim=$2 backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
. "$(dirname "$0")/../tools/faults.sh"
if lacks checksums || lacks sidecars; then echo "skipped: this build has no checksums, or no JSON" >&2; exit 77; fi
small='--size 48x40 --basis smooth' # land that is made fast; if an option is given twice, the last value is used
for format in r32 png16 tiff exr glb stl; do
  range=
  case $format in
    png16) lacks 'PNG files' && continue; range='--range -400,100' ;;
    tiff) lacks TIFF && continue ;;
    exr) lacks OpenEXR && continue ;;
    glb) lacks 'the viewer' && continue; range='--max-error 0.3 --texture' ;;
    stl) range='--solid 5' ;;
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
  walk write :short 3 $job # after a short write, a further call writes the rest
  # faults while --verify reads the file
  # shellcheck disable=SC2086
  "$terrane" $job 2>err && mv a.out "a.$format" && mv a.out.json "a.$format.json" || fail "$job: $(cat err)"
  walk memory '' '1|3' export --backend cpu --verify "$folder/a.$format"
  # the other formats are read through stdio, whose reads the shim cannot intercept
  case $format in tiff | exr) walk read '' '1|3' export --backend cpu --verify "$folder/a.$format" ;; esac
done
# several layers of one export: after a fault, all files that have their final names are complete
if ! lacks 'PNG files'; then
  for layers in '--layer height,normal,splat' '--basis fluvial --layer height,water,flow,slope'; do
    case $layers in *fluvial*) every_nth=8 ;; *) every_nth=3 ;; esac # a run with basis fluvial takes longer
    for kind in memory file; do
      for n in $(seq 1 $every_nth 3000); do
        # shellcheck disable=SC2086
        faulty "$kind:$n" export --backend cpu $small $layers -o 'a_{layer}.r32' || break
        [ $got -eq 0 ] || [ $got -eq 1 ] || [ $got -eq 3 ] || fail "$kind:$n of $layers: exit status $got: $(cat err)"
        grep -q unlink log || [ -z "$(ls f | grep part)" ] || fail "$kind:$n of $layers left $(ls f)"
        for file in $(ls f | grep -E '\.(r32|png)$'); do
          "$terrane" export --backend cpu --verify "f/$file" >/dev/null 2>err || fail "$kind:$n of $layers: $(cat err)"
        done
      done
      [ "$n" -gt 20 ] && [ "$n" -lt 2998 ] || fail "$kind of $layers: $n operations"
    done
  done
fi
walk file '' 3 bench --size 16 --samples 2 --generators tiled --backends cpu --json b.json
walk thread '' 1 export --backend cpu --size 8x8 -o a.r32

# ---- commands that write no files: the output is complete, or the exit status says that it is not ----
# answers KIND SUFFIX STATUSES WORDS...   like walk; with exit status 0 the output must be the same as without a fault
answers() {
  "$terrane" "${@:4}" >right 2>err || fail "terrane ${*:4}: $(cat err)"
  compares=right
  walk "$@"
  compares=
}
echo 'seed = 7' >w.ini
for kind in memory own; do
  answers $kind '' '1|2' probe 100,200 --backend cpu
  answers $kind + '1|2' probe 100,200 --backend cpu
  lacks 'world files' || answers $kind '' '1|2|3' probe 100,200 --backend cpu --world "$folder/w.ini"
done
every=3 walk own '' 1 info # info lists what it finds; a driver that gets no memory is not found
answers thread '' 1 probe 100,200 --backend cpu
lacks 'world files' || answers open '' '1|2|3' probe 100,200 --backend cpu --world "$folder/w.ini"
every=3 walk memory '' 1 bench --size 16 --samples 2 --generators tiled --backends cpu --json b.json
walk thread '' 1 bench --size 16 --samples 2 --generators tiled --backends cpu --json b.json

# ---- messages ----
for case in 'ENOSPC:No space left on device \(7.5 KiB needed, .* free\)' \
  'EDQUOT:Disk quota exceeded \(.* written, .* free\)' \
  'EFBIG:File too large \(.* written; the file system, or ulimit -f, allows no more\)' 'EROFS:Read-only file system'; do
  # shellcheck disable=SC2086
  faulty "write:1:${case%%:*}" export --backend cpu $small -o a.r32
  [ $got -eq 3 ] && grep -qE "cannot write 'a.r32': ${case#*:}" err || fail "${case%%:*}: exit status $got: $(cat err)"
done
faulty create:1:EACCES export --backend cpu --size 8x8 -o a.r32
[ $got -eq 3 ] && grep -q "cannot write 'a.r32': Permission denied" err || fail "no permission: $(cat err)"
echo "faults injected: $n_faults"
finish
