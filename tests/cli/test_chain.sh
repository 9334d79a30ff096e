#!/bin/bash
# test_chain.sh TERRANE - `--lod A-B` writes the same files as one run for each level of detail, byte for byte and with
# the same sidecars: meshes, rasters, sets of tiles, layers and maps. Also tested: sides, names, estimates, resumption,
# interruption and refusals.
set -u
terrane=$1 backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
chain() { "$terrane" export --backend cpu "$@" >out 2>err || fail "export $*: $(cat err)"; }

# alone LOD SIZE WORDS...   export one level of detail by a run of its own, into the folder "alone"
alone() {
  local lod=$1 size=$2
  shift 2
  mkdir -p alone
  (cd alone && "$terrane" export --backend cpu --lod "$lod" --size "$size" "$@" >/dev/null 2>../err) ||
    fail "--lod $lod --size $size $*: $(cat err)"
}

# compare GLOB   check that the chain has written the same files as the runs in "alone", and no other files
compare() {
  diff <(cd alone && ls) <(compgen -G "$1" | sort) >said || fail "$1: other files than those of each level: $(cat said)"
  (cd alone && for f in *; do cmp "$f" "../$f" || exit 1; done) || fail "$1: differs from runs for each level alone"
  rm -rf alone
}

# ---- meshes of points and of means: the same land from edge to edge ----
at='--at 61440,32768'
chain $at --lod 7-10 --size 33x25 --skirt 40 -o 'm_{lod}.glb'
alone 7 33x25 $at --skirt 40 -o m_7.glb
alone 8 17x13 $at --skirt 40 -o m_8.glb
alone 9 9x7 $at --skirt 40 -o m_9.glb
alone 10 5x4 $at --skirt 40 -o m_10.glb
compare 'm_*'
if ! lacks sidecars; then
  for lod in 8 9; do
    [ "$(figure sample_spacing_m m_$lod.glb.json)" = $((1 << lod)) ] || fail "spacing of m_$lod.glb"
    [ "$(figure samples m_$lod.glb.json)" = "$([ $lod -lt 9 ] && echo '"points"' || echo '"means"')" ] ||
      fail "samples of m_$lod.glb"
  done
  expect 0 '' export --verify m_7.glb m_8.glb m_9.glb m_10.glb
fi
for name in obj stl; do
  chain $at --lod 4-5 --size 9x5 -o "n_{lod:2}.$name"
  alone 4 9x5 $at -o "n_04.$name"
  alone 5 5x3 $at -o "n_05.$name"
  compare "n_*.$name*"
done

# ---- rasters: sides of k*N or k*N + 1, a range for each file; sets; layers; maps; a single level of detail ----
low='--basis smooth --at 256,-512'
chain $low --lod 0-2 --size 64x17 -o 'q_{lod}.r16'
alone 0 64x17 $low -o q_0.r16
alone 1 32x9 $low -o q_1.r16
alone 2 16x5 $low -o q_2.r16
compare 'q_*'
chain $low --lod 1-2 --size 64x32 --tiles 2x1 -o 's_{lod}.r32'
alone 1 64x32 $low --tiles 2x1 -o s_1.r32
alone 2 32x16 $low --tiles 2x1 -o s_2.r32
compare 's_*'
mkdir lod_1 lod_2
chain $low --lod 1-2 --size 65x33 --tiles 2x1 --overlap 1 --layer height,slope -o 'lod_{lod}/t_{layer}_{lod}.r32'
alone 1 65x33 $low --tiles 2x1 --overlap 1 --layer height,slope -o 't_{layer}_1.r32'
alone 2 33x17 $low --tiles 2x1 --overlap 1 --layer height,slope -o 't_{layer}_2.r32'
mv lod_1/* lod_2/* . && compare 't_*'
if ! lacks 'the viewer'; then
  chain $low --lod 0-1 --size 64x64 --format map -o 'p_{lod}.png'
  alone 0 64x64 $low --format map -o p_0.png
  alone 1 32x32 $low --format map -o p_1.png
  compare 'p_*'
fi
chain $low --lod 3 --size 8x8 -o 'one_{lod}.r32'
alone 3 8x8 $low -o one_3.r32
compare 'one_*'

# without --at all levels begin at the same place, where each level has a sample
chain --basis smooth --lod 0-18 --size 262145x1 -o 'e_{lod}.r32' --dry-run
grep -q '^e_18.r32: 2 x 1 samples' out && grep -q '^all 19 levels of detail: 2097224 bytes .* about' out ||
  fail "--dry-run: $(cat out)"
[ -z "$(ls e_* 2>/dev/null)" ] || fail "--dry-run wrote $(ls e_*)"
chain --basis smooth --lod 17-18 --size 2x1 -o 'e_{lod}.r32'
if ! lacks sidecars; then
  [ "$(figure x e_17.r32.json)" = "$(figure x e_18.r32.json)" ] || fail "the levels begin at two places"
fi

# ---- --resume keeps complete files and makes the others; without --resume no file is changed ----
if ! lacks sidecars && ! lacks checksums; then
  cp m_8.glb kept
  rm m_7.glb
  printf damage | dd of=m_9.glb bs=1 seek=300 conv=notrunc 2>/dev/null
  expect 3 "'m_8.glb' exists already; --force replaces it, --resume makes what is missing" export $at --lod 7-10 \
    --size 33x25 --skirt 40 -o 'm_{lod}.glb'
  [ ! -e m_7.glb ] || fail "a chain that was refused made its first level"
  chain $at --lod 7-10 --size 33x25 --skirt 40 -o 'm_{lod}.glb' --resume
  grep -q "'m_9.glb' is damaged" err && [ "$(grep -c 'complete already' err)" -eq 2 ] && cmp -s kept m_8.glb ||
    fail "--resume: $(cat err)"
  expect 0 '' export --verify m_7.glb m_8.glb m_9.glb m_10.glb
fi

# ---- interrupted: only complete files stay ----
"$terrane" export --backend cpu --generator single-pass --basis midpoint --at 0,0 --lod 0-1 --size 4097x4097 \
  --max-error 0 -o 'slow_{lod}.glb' >/dev/null 2>err &
await_file slow_0.glb
kill -INT $! 2>/dev/null
wait $!
got=$?
[ $got -eq 130 ] && grep -q '0 of 2 levels of detail are complete, --resume makes the others' err ||
  fail "interrupted: exit status $got: $(cat err)"
[ -z "$(ls slow* 2>/dev/null)" ] || fail "an interrupted chain left $(ls slow*)"

# ---- refused ----
refuse() { expect 2 "$1" export --size 65x65 "${@:2}"; }
for bad in 6-0 0-99 3- a-b 0-6-7 0,6 -5-2; do
  refuse "lod is '$bad', expected an integer from -4 to 24, or two of them as 0-6" --lod=$bad -o 'z_{lod}.glb'
done
refuse "expected \{lod\} in the name for several levels of detail" --lod 0-6 -o z.glb
refuse "expected \{lod\} in the name for several levels of detail" --lod 0-6 -o -
refuse "expected sides of k\*N \+ 1 samples with N = 128, as 129 or 257" --lod 0-7 -o 'z_{lod}.glb'
refuse "expected sides of k\*N or k\*N \+ 1 samples with N = 128, as 129 or 257" --lod 0-7 -o 'z_{lod}.r32'
refuse "expected sides of k\*N samples with N = 2, as 64 or 66" --lod 0-1 --tiles 2x2 -o 'z_{lod}.r32'
refuse "something between \{lod\} and an index" --lod 0-1 --tiles 2x2 --overlap 1 -o 'z_{lod}{x}_{y}.r32'
refuse "something between \{lod\} and an index" --lod 0-1 --tiles 2x2 --overlap 1 -o 'z_{x}_{y}1{lod}.r32'
refuse "level of detail 1: --at is 1,0, expected multiples of 2" --lod 0-1 --at 1,0 -o 'z_{lod}.r32'
refuse "level of detail 4: --lod is 4, expected -4 to 3, the levels" --lod 3-4 --levels 3 --basis smooth -o 'z_{lod}.r32'
refuse "level of detail 2: --size is 17x17, but preset gazebo" --lod 0-2 --preset gazebo -o 'z_{lod}.png'
[ -z "$(ls z* 2>/dev/null)" ] || fail "a refused chain left $(ls z*)"
finish
