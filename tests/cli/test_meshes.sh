#!/bin/bash
# test_meshes.sh TERRANE - trimesh reads exported meshes, their vertices have the heights of a raw export, and GLB files
# keep the rules of glTF. Random samples of the raw export are compared with probe. Also tested: edges of tiles, solids,
# interruption, resumption, verification and refusals.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=cpu
. "$tests/../tools/shell.sh"
guide=$tests/../../assets/worlds-guide # worlds of basis smooth, which are made fast
. "$tests/../tools/python_environment.sh"
if lacks sidecars || lacks checksums ||
  lacks 'the viewer'; then echo "skipped: this build has no JSON, checksums or textures" >&2; exit 77; fi
need_packages numpy scipy networkx PIL=pillow trimesh
w=161 h=113 x=44224 z=17920 lod=2
write() { "$terrane" export --backend cpu --world "$guide/smooth-alps.ini" --lod $lod "$@" 2>err ||
  fail "export $*: $(cat err)"; }
land() { write --at $x,$z --size ${w}x$h "$@"; }

# ---- raw heights, compared with probe ----
land -o a.r32
write --at $((x - 4)),$((z - 4)) --size $((w + 2))x$((h + 2)) -o wide.r32
RANDOM=11
: >points; : >got
for n in $(seq 40); do
  column=$((RANDOM % w)) row=$((RANDOM % h))
  echo "$((x + 4 * column)),$((z + 4 * row))" >>points
  od -An -tx4 -j $(((row * w + column) * 4)) -N4 --endian=little a.r32 | tr -d ' ' >>got
done
"$terrane" probe --world "$guide/smooth-alps.ini" --backend cpu <points 2>/dev/null | awk '{print $4}' | cmp -s - got ||
  fail "raw heights differ from probe"

# ---- meshes ----
land -o grid.glb
land --max-error 1.5 -o reduced.glb
land --max-error 1.5 --skirt 20 -o skirt.glb
land --max-error 1.5 --texture -o texture.glb
land --solid 50 -o solid.obj
land --solid 50 --max-error 3 -o solid.stl
land --solid 50 --max-error 3 -o solid.glb
land -o y.obj
land --up z -o z.obj
write --at $x,$z --size 65x65 --tiles 2x2 --max-error 2 -o t.glb
write --at $((x + 256)),$z --size 65x65 --max-error 2 -o alone.glb
write --at $x,$z --size 65x65 --tiles 2x1 --max-error 2 --solid 10 -o solid_x{x}_y{y}.stl
land --solid 1e-6 -o thin.stl
land --skirt 1e-9 -o hem.stl
far() { "$terrane" export --backend cpu --basis smooth "$@" 2>err || fail "export $*: $(cat err)"; }
for ending in stl obj glb; do far --at 0,0 --size 33x3 --tiles 1000000x1 --solid 5 --shard 999999/1000000 \
  -o "far_{x}.$ending"; done
far --at 31999968,0 --size 33x3 -o far.r32
far --at 0,0 --size 257x3 --tiles 4096x1 --spacing .3 --shard 4095/4096 -o 'third_{x}.glb'
PYTHONPATH=$tests/../tools PYTHONDONTWRITEBYTECODE=1 "$python" "$tests/test_meshes.py" >log 2>&1 ||
  fail "meshes: $(tail -4 log)"
[ "$(grep -c ^check_ log)" -eq 11 ] || fail "checks: $(cat log)"

# ---- gltfpack, whose loader cgltf validates files, reads good files and refuses bad ones ----
if command -v gltfpack >/dev/null; then
  for file in grid reduced skirt texture solid t_x0_y0 t_x1_y1; do
    gltfpack -i $file.glb -o packed.glb >said 2>&1 || fail "gltfpack $file.glb: $(cat said)"
  done
  for damage in too-long-an-accessor too-long-a-view index-of-no-vertex reference-to-nothing; do
    gltfpack -i bad-$damage.glb -o packed.glb >said 2>&1 && fail "gltfpack takes bad-$damage.glb"
  done
else
  echo "without gltfpack"
fi

# ---- --verify accepts unchanged files, and finds a changed byte, a cut or longer file, and other options ----
expect 0 '' export --verify grid.glb reduced.glb skirt.glb texture.glb solid.obj solid.stl solid.glb t_x1_y1.glb \
  solid_x1_y0.stl thin.stl far_999999.obj
[ "$(grep -c 'all as its sidecar says; checksum right' out)" -eq 11 ] || fail "--verify: $(cat out err)"
for file in reduced.glb solid.stl solid.obj; do
  size=$(stat -c %s $file)
  cp $file c.${file#*.}; cp $file.json c.${file#*.}.json
  printf '\001' | dd of=c.${file#*.} bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
  expect 1 "byte $((size / 2)) is not as its sidecar says" export --verify c.${file#*.}
  head -c $((size - 7)) $file >c.${file#*.}
  expect 1 "ends after $((size - 7)) bytes" export --verify c.${file#*.}
  { cat $file; echo; } >c.${file#*.}
  expect 1 "goes on after $size bytes" export --verify c.${file#*.}
done
sed 's/"max_error_m":.*/"max_error_m":\t9,/' reduced.glb.json >c.glb.json; cp reduced.glb c.glb
expect 1 'is not as its sidecar says' export --verify c.glb
sed 's/"skirt_m":.*/"skirt_m":\t-3,/' reduced.glb.json >c.glb.json
expect 3 '"skirt_m" is missing or out of range' export --verify c.glb
sed 's/"place_m":.*/"place_m":\t[4, 0, 0],/' reduced.glb.json >c.glb.json
expect 3 '"place_m" is missing or out of range' export --verify c.glb
sed 's/"width":.*/"width":\t1,/' reduced.glb.json >c.glb.json
expect 3 '"width" is missing or out of range' export --verify c.glb

# ---- --resume makes missing and damaged tiles of a set again, and refuses tiles of an export with other options ----
cp t_x1_y0.glb kept; rm t_x1_y0.glb
printf 'damage' | dd of=t_x0_y1.glb bs=1 seek=3000 conv=notrunc 2>/dev/null
write --at $x,$z --size 65x65 --tiles 2x2 --max-error 2 -o t.glb --resume
grep -q "'t_x0_y1.glb' is damaged" err && grep -q '2 files written, 2 kept' err && cmp -s kept t_x1_y0.glb ||
  fail "--resume: $(cat err)"
expect 3 'does not belong to this job' export --world "$guide/smooth-alps.ini" --lod $lod --at $x,$z --size 65x65 --tiles 2x2 \
  --max-error 3 -o t.glb --resume
[ ! -e t.vrt ] || fail "meshes have a .vrt"

# ---- interrupted: neither the file nor a part of it is left ----
"$terrane" export --backend cpu --generator single-pass --basis midpoint --size 4097x4097 --max-error 0 \
  -o slow.glb >/dev/null 2>err &
await_file slow.glb
kill -INT $! 2>/dev/null
wait $!
got=$?
[ $got -eq 130 ] || fail "interrupted: exit status $got: $(cat err)"
[ -z "$(ls slow* 2>/dev/null)" ] || fail "an interrupted mesh left $(ls slow*)"
(ulimit -f 100; "$terrane" export --backend cpu --size 300x300 -o full.obj >/dev/null 2>err)
[ $? -eq 3 ] && [ -z "$(ls full* 2>/dev/null)" ] || fail "a limit of file sizes: $(cat err) $(ls full* 2>/dev/null)"

# ---- refused ----
expect 2 'at least 2x2 for a mesh' export --size 1x9 -o n.glb
expect 2 'at most 4097x4097 for stl' export --size 4098x9 -o n.stl
expect 2 'exclude each other' export --size 9x9 --skirt 1 --solid 1 -o n.glb
expect 2 'are for meshes' export --size 9x9 --max-error 1 -o n.r32
expect 2 "max-error is '-1'" export --size 9x9 --max-error=-1 -o n.glb
expect 2 "solid is '0'" export --size 9x9 --solid 0 -o n.stl
expect 2 'up is for formats obj and stl' export --size 9x9 --up z -o n.glb
expect 2 'texture is for format glb' export --size 9x9 --texture -o n.obj
expect 2 'row-order south is not for format glb' export --size 9x9 --row-order south -o n.glb
expect 2 'is for heights, not for layer slope' export --size 9x9 --layer slope -o n.glb
[ -z "$(ls n.* 2>/dev/null)" ] || fail "a refused export left files"
finish
