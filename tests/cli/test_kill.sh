#!/bin/bash
# test_kill.sh TERRANE SHIM - a file under its final name is always complete and has its own sidecars. This holds if an
# export is killed before any of its file operations, if several exports write one file at the same time, and, with
# --durable, after a loss of power. If a killed export is run again, its files are those of an export that was not
# killed. SHIM is the library made from tools/fault_injection.c.
set -u
terrane=$1 shim=$2 backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
if lacks checksums || lacks sidecars; then echo "skipped: this build has no checksums, or no JSON" >&2; exit 77; fi
n_killed=0
step=${TERRANE_FAULT_STEP:-1} # each walk kills before every step-th operation only; the first operation differs from
                              # walk to walk
n_walks=0

# killed N WORDS...   kill an export before its Nth file operation; false if it has fewer operations
killed() {
  local n=$1 got
  shift
  rm -f "$folder/log"
  { TERRANE_FAULT=file:$n:kill TERRANE_FAULT_LOG=$folder/log LD_PRELOAD=$shim "$terrane" export --backend cpu \
    --basis smooth "$@" >/dev/null 2>"$folder/err"; } 2>/dev/null
  got=$?
  grep -q ^fault "$folder/log" || { [ $got -eq 0 ] ||
    fail "export $*: exit status $got: $(cat "$folder/err")"; return 1; }
  [ $got -eq 137 ] || fail "export $*: exit status $got before operation $n"
  n_killed=$((n_killed + 1))
}

# whole FILE WHEN   check that a file is absent, or complete with its own sidecar; WHEN begins the message of a failure
whole() { [ ! -e "$1" ] || "$terrane" export --backend cpu --verify "$1" >/dev/null 2>"$folder/err" ||
  fail "$2: $1 is there, but: $(cat "$folder/err")"; }

# walk NAME PREPARATION WORDS...   for each file operation: make the export PREPARATION if it is not empty, kill the
# export WORDS before the operation, check the files, run it again, and compare the folder with that of an export that
# was not killed
walk() {
  local name=$1 preparation=$2 n file
  shift 2
  rm -rf "$folder/$name.whole" && mkdir "$folder/$name.whole" && cd "$folder/$name.whole" || exit 1
  "$terrane" export --backend cpu --basis smooth "$@" >/dev/null 2>"$folder/err" ||
    fail "export $*: $(cat "$folder/err")"
  n_walks=$((n_walks + 1))
  for n in $(seq $((1 + n_walks % step)) $((${every:-1} * step)) 400); do
    rm -rf "$folder/$name" && mkdir "$folder/$name" && cd "$folder/$name" || exit 1
    # shellcheck disable=SC2086
    [ -z "$preparation" ] || "$terrane" export --backend cpu --basis smooth $preparation >/dev/null 2>"$folder/err" ||
      fail "export $preparation: $(cat "$folder/err")"
    killed "$n" "$@" || break
    for file in $(cd "$folder/$name.whole" && ls *.json | sed 's/\.json$//'); do whole "$file" \
      "$name, killed before operation $n"; done
    "$terrane" export --backend cpu --basis smooth "$@" >/dev/null 2>"$folder/err" ||
      grep -q "' exists already; --force" "$folder/err" ||
      fail "$name, killed before operation $n and run again: $(cat "$folder/err")"
    diff -r "$folder/$name" "$folder/$name.whole" >"$folder/log" ||
      fail "$name, killed before operation $n and run again: $(cat "$folder/log")"
  done
  [ "$n" -ge 8 ] || fail "$name: only $n operations"
  cd "$folder" || exit 1
}

size='--size 48x40'
for file in a.r32 a.pgm a.png a.tif a.exr a.glb; do
  range=
  case $file in
    *.png) lacks 'PNG files' && continue; range='--range -400,100' ;;
    *.pgm) range='--range -400,100' ;;
    *.tif) lacks TIFF && continue ;;
    *.exr) lacks OpenEXR && continue ;;
    *.glb) range='--max-error 0.3' ;;
  esac
  # shellcheck disable=SC2086
  walk "new.$file" '' $size $range -o $file
  # an older file of another world and size is replaced
  # shellcheck disable=SC2086
  walk "replaced.$file" "--size 33x20 --seed 9 $range -o $file" $size $range -o $file --force
done
# the georeference file (.pgw) of the old file is removed if the new file has none
# shellcheck disable=SC2086
lacks 'PNG files' || walk stale "$size --range -400,100 -o a.png" $size --range -400,100 --row-order south --force \
  -o a.png
# shellcheck disable=SC2086
walk set '' $size --tiles 2x2 -o s.r16 --range -400,100 --resume
# shellcheck disable=SC2086
walk meshes '' $size --tiles 2x1 --solid 3 -o s.stl --resume
# shellcheck disable=SC2086
lacks 'PNG files' || walk layers '' $size --layer height,normal -o l_{layer}.r32 --resume
# shellcheck disable=SC2086
walk kept '' $size -o k.r32 --resume
every=2 walk chunks '' --size 4100x4000 -o k.r32 --resume
# shellcheck disable=SC2086
walk durable "--size 33x20 --seed 9 -o a.r32" $size -o a.r32 --force --durable

# ---- six exports write one file at once: data and sidecars are of the same export, whichever process is the last ----
for round in $(seq 13); do
  for seed in 1 2 3 4 5 6; do
    "$terrane" export --backend cpu --basis smooth --force --size $((300 + 50 * seed))x300 --seed $seed \
      -o once.r32 >/dev/null 2>"once.err.$seed" || echo "$seed" >>once.failed &
  done
  wait
  [ ! -e once.failed ] || fail "round $round, six at once: $(cat once.err.*)"
  "$terrane" export --backend cpu --verify once.r32 >/dev/null 2>err || fail "round $round, six at once: $(cat err)"
  width=$(figure width once.r32.json)
  grep -q "samples = $width" once.r32.hdr || fail "round $round, six at once: the header is another's"
  [ "$(ls once.r32*)" = "once.r32
once.r32.hdr
once.r32.json" ] || fail "round $round, six at once left $(ls once.r32*)"
  rm -f once.*
done

# temporary files of a killed process are removed; those of a living process and files of others are kept
mkdir left && cd left || exit 1
"$terrane" export --backend cpu --size 20000x20000 --generator single-pass --basis midpoint \
  -o a.r32 >/dev/null 2>../err &
living=$!
for n in $(seq 300); do ls a.r32.part-* >/dev/null 2>&1 && break; sleep 0.1; done
temporary=$(ls a.r32.part-*)
: >a.r32.part-0123456789abc; : >a.r32.part-0123456789ab; : >a.r32.part-notes; : >b.r32.part-0123456789abc
ln -s /etc/passwd a.r32.part-0123456789abd
"$terrane" export --backend cpu --basis smooth --size 8x8 -o a.r32 >/dev/null 2>../err2 ||
  fail "beside a living export: $(cat ../err2)"
[ -e "$temporary" ] || ! kill -0 $living 2>/dev/null || fail "a living process's temporary file was removed"
[ ! -e a.r32.part-0123456789abc ] || fail "a killed process's temporary file was left"
for file in a.r32.part-0123456789ab a.r32.part-notes b.r32.part-0123456789abc; do [ -e $file ] ||
  fail "$file was removed"; done
[ -L a.r32.part-0123456789abd ] || fail "a link of others was removed"
kill -INT $living 2>/dev/null; wait $living
cd "$folder" || exit 1

# ---- --durable: a loss of power may keep any part of the operations since the last fsync of the folder ----
if [ -x /usr/bin/python3 ]; then
  mkdir power && cd power || exit 1
  "$terrane" export --backend cpu --basis smooth --size 33x20 --seed 9 -o a.r32 2>../err
  # shellcheck disable=SC2086
  TERRANE_FAULT_LOG=../log.new LD_PRELOAD=$shim "$terrane" export --backend cpu --basis smooth --durable $size \
    -o new.r32 2>../err || fail "--durable: $(cat ../err)"
  # shellcheck disable=SC2086
  TERRANE_FAULT_LOG=../log.old LD_PRELOAD=$shim "$terrane" export --backend cpu --basis smooth --durable --force $size \
    -o a.r32 2>../err || fail "--durable --force: $(cat ../err)"
  cd "$folder" || exit 1
  /usr/bin/python3 - log.new new.r32 log.old a.r32 <<'END' || fail \
    "--durable: a loss of power can leave a file without its own sidecars"
import itertools, os, sys

def check(names, synced, age, data, step):
    if data not in names:
        return
    parts = [names.get(data + ending) for ending in ('', '.hdr', '.json')]
    assert None not in parts, (step, 'a sidecar is missing')
    assert all(synced[part] for part in parts), (step, 'bytes are not on the disk')
    assert len({age[part] for part in parts}) == 1, (step, 'data and sidecars are of different exports')

def replay(log, data, old):
    live, age, synced = {}, {}, {}
    for name in ('', '.hdr', '.json') if old else ():
        live[data + name] = 'old' + name
        age['old' + name], synced['old' + name] = 'old', True
    disk, pending, n_states = dict(live), [], 0
    for step, line in enumerate(open(log)):
        kind, function, result, *paths = line.split()
        paths = [os.path.basename(path) for path in paths]
        if kind == 'create':
            live[paths[0]] = paths[0]
            age[paths[0]], synced[paths[0]] = 'new', False
        elif kind == 'write':
            synced[live[paths[0]]] = False
        elif kind == 'sync' and paths[0] in live:
            synced[live[paths[0]]] = True
        elif kind == 'sync':
            for operation in pending:
                apply(disk, *operation)
            pending = []
        elif kind == 'name' and result == '0':
            operation = (live[paths[0]], paths[0], paths[1] if len(paths) > 1 else None)
            apply(live, *operation)
            pending.append(operation)
        for keep in itertools.product((False, True), repeat=len(pending)):
            names = dict(disk)
            for operation, is_kept in zip(pending, keep):
                if is_kept:
                    apply(names, *operation)
            check(names, synced, age, data, step)
            n_states += 1
    assert not [operation for operation in pending if operation[2]], 'names are not on the disk at the end'
    assert age[disk[data]] == 'new'
    return n_states

def apply(names, file, old, new):
    if names.get(old) == file:
        del names[old]
    if new:
        names[new] = file

print('states after a loss of power:', replay(sys.argv[1], sys.argv[2], False), replay(sys.argv[3], sys.argv[4], True))
END
fi
echo "killed $n_killed times"
finish
