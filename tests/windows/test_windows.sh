#!/bin/bash
# test_windows.sh TERRANE SOURCE BUILT - terrane.exe and libterrane.dll, built by mingw-w64 and run by wine, make the
# same bytes as on Linux, end with the same exit statuses and sentences, and keep to the rules of Windows for files.
# TERRANE is the program of this system, BUILT the folder of the test windows_build.
set -u
terrane=$(realpath "$1") source=$(cd "$2" && pwd) built=$3 backend=cpu
. "$(dirname "$0")/wine.sh"
needs 'sidecars' 'world files' 'checksums' 'PNG files' 'TIFF files'

# ---- the binaries ----
loaded=$($target-objdump -p "$built/terrane.exe" "$built/src/libterrane.dll" | sed -n 's/.*DLL Name: //p' | sort -u)
for dll in $loaded; do
  case $dll in
    ADVAPI32.dll | GDI32.dll | KERNEL32.dll | OPENGL32.dll | SHELL32.dll | USER32.dll | WS2_32.dll | bcrypt.dll | \
      msvcrt.dll) ;;
    *) fail "$dll would have to lie beside the program" ;;
  esac
done
# gcc does not align the stack to 32 bytes, so no instruction on it may need that
aligned=$($target-objdump -d "$built/src/libterrane.dll" | grep -E 'vmov(ap[sd]|dqa|dqa32|dqa64) ' |
  grep '%[yz]mm' | grep -c '(%r[sb]p')
[ "$aligned" -eq 0 ] || fail "$aligned instructions need a stack that is aligned to 32 bytes"

# ---- the library ----
cp "$built/src/libterrane.dll" .
$target-gcc-posix -O1 -std=gnu17 -D_GNU_SOURCE -D__USE_MINGW_ANSI_STDIO=1 -I"$source/src" -I"$source/src/include" \
  -I"$source/tests/tools" "$source/tests/library/test_hashes.c" "$built/src/libterrane.dll.a" -o hashes.exe &&
  wine hashes.exe "Z:$source/tests/data/hashes.txt" brief >out 2>err ||
  fail "the library: $(tail -n 3 out) $(tail -n 3 err)"

# ---- exports ----
# same NAME WORDS...   both programs make the same files, whose names begin with NAME
same() {
  local name=$1
  shift
  rm -rf linux windows
  mkdir linux windows
  (cd linux && "$terrane" export --backend cpu "$@" >out 2>err) || { fail "export $*: $(cat linux/err)"; return; }
  (cd windows && exe export --backend cpu "$@" >out 2>err) ||
    { fail "terrane.exe export $*: $(cat windows/err)"; return; }
  [ -n "$(ls linux/"$name"*)" ] && diff -r linux windows >differences || fail "export $*: $(cat differences)"
}
formats='r32 r16 asc pgm obj stl glb hfield'
! has 'PNG files' || formats="$formats png"
! has 'TIFF files' || formats="$formats tif cog.tif"
if has sidecars && ! lacks sidecars; then
  for format in $formats; do
    options=
    [ $format != cog.tif ] || options='--format cog'
    # shellcheck disable=SC2086
    same land --size 67x45 --at 191324,253584 $options -o "land.$format"
  done
  same land --size 65x65 --layer height,water,flow,slope,normal,curvature,temperature,biome,splat -o land.r32
  same land --size 33x33 --tiles 2x2 --basis smooth --seed 7 -o 'land_{x}_{y}.r16'
  cp windows/land_1_0* .
  cmp -s land_1_0.r16 linux/land_1_0.r16 || fail "land_1_0.r16 differs"
  exe export --verify land_1_0.r16 >out 2>err || fail "--verify: $(cat err)"
  printf x | dd of=land_1_0.r16 bs=1 seek=99 conv=notrunc status=none
  exe export --verify land_1_0.r16 >out 2>err
  status=$?
  "$terrane" export --verify land_1_0.r16 >out 2>expected
  [ $status -eq $? ] && cmp -s err expected || fail "--verify of a wrong file: $status, $(cat err)"
fi
"$terrane" export --size 65x65 --format r32 -o - 2>err >linux.r32
exe export --size 65x65 --format r32 -o - 2>err >windows.r32
cmp linux.r32 windows.r32 || fail "standard output differs"
printf '0,0\r\n5,-7\r\n' | exe probe >windows.txt 2>err
printf '0,0\n5,-7\n' | "$terrane" probe >linux.txt
cmp linux.txt windows.txt || fail "probe of lines that end with CR LF: $(cat err)"
if has 'world files' && ! lacks 'world files'; then
  printf '[world]\nseed = 7\namplitude = 900\n' >unix.ini
  sed 's/$/\r/' unix.ini >dos.ini
  "$terrane" export --world unix.ini --size 33x33 -o unix.r32 2>err &&
    exe export --world dos.ini --size 33x33 -o dos.r32 2>err || fail "a world file with CR LF: $(cat err)"
  cmp unix.r32 dos.r32 || fail "a world file with CR LF makes another land"
fi

# ---- the same statuses and sentences ----
# alike WORDS...   both programs say the same
alike() {
  "$terrane" "$@" >linux.out 2>linux.err
  local status=$?
  exe "$@" >windows.out 2>windows.err
  local got=$?
  [ $got -eq $status ] || fail "terrane.exe $*: exit status $got, expected $status"
  cmp -s linux.err windows.err || fail "terrane.exe $*: '$(cat windows.err)', expected '$(cat linux.err)'"
}
mkdir folder.r32
printf there >there.r32
alike
alike nonsense
alike export --size 0x5 -o a.r32
alike export --size 3x3 -o there.r32
alike export --size 3x3 -o nowhere/a.r32
alike export --size 3x3 --force -o folder.r32
alike export --verify absent.r32
alike probe 1
alike export --size 3x3 --world absent.ini -o a.r32

# ---- names ----
# refused NAME WORDS   terrane.exe refuses to write NAME, and says WORDS
refused() {
  exe export --size 3x3 --format r32 --force -o "$1" >out 2>err
  local status=$?
  [ $status -eq 3 ] && grep -qF "cannot write '$1': $2" err || fail "-o '$1': exit status $status, $(cat err)"
}
for name in aux.txt CON nul.r32 COM1 'lpt¹.r32' 'prn .r32'; do
  refused "$name" 'Windows keeps this name for a device'
done
for name in 'a?.r32' 'a.r32:b' '<.r32'; do
  refused "$name" 'a name on Windows contains no'
done
refused 'end.' 'a name on Windows ends with neither'
long=$(printf 'a-long-name-%0150d' 1)
mkdir -p "$long/$long"
for name in 'größe ☃.r32' "$long/$long/a.r32" "Z:$folder/drive.r32" '.\back.r32' NUL nul; do
  exe export --size 3x3 --format r32 -o "$name" >out 2>err || fail "-o '$name': $(cat err)"
done
for file in 'größe ☃.r32' "$long/$long/a.r32" drive.r32; do
  [ "$(stat -c %s "$file" 2>/dev/null)" = 36 ] || fail "$file was not written: $(ls)"
done
! has sidecars || exe export --verify "$long/$long/a.r32" 2>err >out || fail "a long path: $(cat err)"
[ ! -e NUL ] && [ ! -e nul ] || fail "the null device became a file"
exe export --size 5x5 --force -o drive.r32 2>err && [ "$(stat -c %s drive.r32)" = 100 ] || fail "--force: $(cat err)"

# ---- ends ----
set_words='--size 1024x1024 --tiles 3x3'
# begin NAME   begin to make a set in the background; returns when its second file is begun
begin() {
  set -m # otherwise the shell would let the job ignore SIGINT, which wine turns into Ctrl-C
  # shellcheck disable=SC2086
  wine "$built/terrane.exe" export $set_words --threads 1 $2 -o "$1_{x}_{y}.r32" >out 2>err & # $! is this process
  set +m
  await 60 [ -e "$1_0_0.r32" ] && await 60 sh -c "ls $1_*part* >/dev/null 2>&1" || fail "nothing was begun: $(cat err)"
}
begin ctrl ''
begun=$(date +%s%N)
kill -INT $!
wait $!
status=$? took_ms=$((($(date +%s%N) - begun) / 1000000))
[ $status -eq 130 ] && grep -q interrupted err || fail "Ctrl-C: exit status $status, $(cat err)"
[ $took_ms -lt 2000 ] || fail "Ctrl-C: the process took $took_ms ms to end" # it has one second; wine needs time, too
! ls ctrl*part* 2>/dev/null || fail "Ctrl-C leaves files"
if has checksums; then
  begin kill --resume
  kill -KILL $!
  wait $! 2>/dev/null
  [ ! -e kill_2_2.r32 ] || fail "the export was not killed"
  ls kill*part* >/dev/null 2>&1 || fail "a killed export leaves no unfinished file"
  # shellcheck disable=SC2086
  exe export $set_words --resume -o 'kill_{x}_{y}.r32' >out 2>err || fail "--resume: $(cat err)"
  grep -qE ' written, [1-9][0-9]* kept' err || fail "--resume made every file again: $(cat err)"
  ! ls kill*part* 2>/dev/null || fail "--resume leaves the unfinished file of the killed process"
  # shellcheck disable=SC2086
  "$terrane" export $set_words -o 'whole_{x}_{y}.r32' >out 2>err
  for file in whole*.r32; do
    cmp "$file" "kill${file#whole}" || fail "${file#whole} differs after --resume"
  done
fi
finish_windows
