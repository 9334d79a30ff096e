#!/bin/bash
# test_one_file.sh TERRANE SOURCE - the program needs no other file: copied into an empty folder, without HOME and its
# sources, it has every world of assets/worlds with the same heights, and flies. An installed folder of worlds adds
# worlds, but changes none of those inside the program.
set -u
terrane=$(realpath "$1") source=$2 backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
lacks 'world files' && { echo "skipped: this build cannot read world files" >&2; exit 77; }

mkdir -p alone/bin
cp "$terrane" alone/bin/terrane
cp -r "$source/assets/worlds" files
# away COMMAND...   run in the empty folder, without HOME; if the system allows it, the folder of the sources is hidden
hide='mount -t tmpfs none "$1" && shift && exec "$@"'
unshare --map-root-user --mount sh -c "$hide" sh "$source" true 2>/dev/null || hide=
away() {
  if [ -n "$hide" ]; then
    (cd alone && unshare --map-root-user --mount env -i ASAN_OPTIONS="${ASAN_OPTIONS:-}" sh \
      -c "$hide" sh "$source" "$@") >out 2>err
  else
    (cd alone && env -i ASAN_OPTIONS="${ASAN_OPTIONS:-}" "$@") >out 2>err
  fi || fail "$*: $(cat err)"
}

[ "$(ls files | wc -l)" -ge 9 ] || fail "there are $(ls files | wc -l) worlds"
# world_help   the help text of --world
world_help() {
  away bin/terrane export --help
  sed -n '/^  --world/,/^$/p' out | tr -s ' \n' ' '
}
world_help >help
for file in files/*.ini; do
  name=$(basename "$file" .ini)
  grep -qE "name of a world: .*\b$name\b" help || fail "the help does not name the world $name: $(cat help)"
  away bin/terrane probe --backend cpu --world "$name" 70000,20000
  mv out got
  "$terrane" probe --backend cpu --world "$file" 70000,20000 >want || fail "probe --world $file"
  cmp -s got want || fail "world $name is '$(cat got)', its file '$(cat want)'"
done
if ! lacks 'the viewer'; then
  away bin/terrane fly --headless --backend cpu --world moon --at 20000,20000 --quality lowest \
    --layers terrain,sky,hud --size 64x36 --frames 1 --screenshot one.png
  [ -s alone/one.png ] || fail "a flight leaves no picture: $(cat err)"
fi

# ---- an installed folder adds worlds, and does not change those inside the program ----
mkdir -p alone/share/terrane/worlds
printf '[world]\nseed = 5\n' >alone/share/terrane/worlds/of-mine.ini
printf '[world]\nseed = 5\n' >alone/share/terrane/worlds/alps.ini
for name in of-mine alps; do
  away bin/terrane probe --backend cpu --world $name 70000,20000
  mv out $name
done
"$terrane" probe --backend cpu --seed 5 70000,20000 >want
cmp -s of-mine want || fail "a world that was added is '$(cat of-mine)', expected '$(cat want)'"
"$terrane" probe --backend cpu --world files/alps.ini 70000,20000 >want
cmp -s alps want || fail "world alps is '$(cat alps)', expected '$(cat want)'"
world_help | grep -qE 'name of a world: alps, archipelago.*moon, of-mine, rough-ground' ||
  fail "the help does not name the world that was added"
finish
