#!/bin/bash
# test_windows_fly.sh TERRANE PICTURE_COMPARE PICTURE_CHECK GOLDEN_FOLDER BUILT - under wine the viewer draws as on
# Linux. It does so by Mesa's software renderer under Xvfb, without a window and in one, sends films to ffmpeg, and ends
# with the same exit statuses and sentences. BUILT is the folder of the test windows_build.
set -u
terrane=$(realpath "$1") compare=$(realpath "$2") check=$(realpath "$3") golden=$(realpath "$4") built=$5 backend=cpu
for tool in Xvfb xdotool; do
  command -v $tool >/dev/null || { echo "skipped: $tool is missing" >&2; exit 77; }
done
. "$(dirname "$0")/wine.sh"
has 'the viewer' || { echo "skipped: terrane.exe is without the viewer" >&2; exit 77; }
needs 'windows by GLFW' 'sidecars'
tests=$(cd "$(dirname "$0")" && pwd)
small='--backend cpu --basis smooth --at 1918048,2540640 --size 64x48 --quality low'

# Without a display there is no OpenGL.
# shellcheck disable=SC2086
exe fly --headless $small --screenshot none.png >out 2>err
status=$?
[ $status -eq 4 ] && grep -q 'no OpenGL' err && [ ! -e none.png ] || fail "no display: exit status $status, $(cat err)"

wineserver -k # it keeps the display that it began with
Xvfb -displayfd 3 -screen 0 1024x768x24 3>display >xvfb.log 2>&1 &
server=$!
trap 'wineserver -k; kill $server 2>/dev/null; rm -rf "$folder"' EXIT
await 60 test -s display || { cat xvfb.log; fail "no X server"; exit 1; }
DISPLAY=:$(cat display)
export DISPLAY

# ---- pictures ----
exe info >info
grep -q 'opengl.*llvmpipe' info || fail "info: $(grep opengl info)"
"$terrane" fly --headless --backend cpu --size 480x270 --frames 1 --screenshot linux.png >out 2>err
exe fly --headless --backend cpu --size 480x270 --frames 1 --screenshot windows.png >out 2>err ||
  fail "the default view: $(cat err)"
"$compare" windows.png linux.png 0.5 || fail "the default view differs"
exe fly --headless --backend cpu --basis fluvial --at -1048300,1947000 --altitude 300 --heading 20 --pitch -14 \
  --time 12 --quality low --size 256x144 --frames 1 --screenshot rivers.png >out 2>err || fail "rivers: $(cat err)"
"$compare" rivers.png "$golden/rivers.png" 2.0 || fail "rivers differ"
if has 'windows by GLFW'; then
  # shellcheck disable=SC2086
  exe fly $small --size 320x200 --stats window.json >out 2>err &
  program=$!
  window=$(timeout 120 xdotool search --sync --onlyvisible --name '^Terrane$' | head -1)
  # press KEY   press a key in the window
  press() { xdotool windowfocus "$window" key "$1"; }
  pictured() { press F12 && await 2 test -s terrane-1.png; }
  await 60 pictured || fail "F12 in the window makes no picture: $(cat err)"
  "$check" terrane-1.png 320 200 0 200 || fail "the window has no picture"
  press Escape
  wait $program || fail "Escape: exit status $?, $(cat err)"
  [ -s window.json ] || ! has sidecars || fail "--stats wrote nothing"
fi

# ---- films ----
mkdir 'a folder' film
$target-gcc-posix -O1 "$tests/ffmpeg_copy.c" -o 'a folder/ffmpeg.exe' || fail "no stand-in for ffmpeg"
record="fly --headless $small --frames 5 --fps 10"
# shellcheck disable=SC2086
exe $record --record none.mp4 >out 2>err
status=$?
[ $status -eq 4 ] && grep -q 'ffmpeg cannot be started (No such file or directory); install' err ||
  fail "no ffmpeg: exit status $status, $(cat err)"
[ -z "$(ls none* 2>/dev/null)" ] || fail "no ffmpeg, but $(ls none*)"
WINEPATH=$(winepath -w "$folder/a folder")
export WINEPATH
# shellcheck disable=SC2086
exe $record --record 'a "film" of größe.mp4' >out 2>err
[ $? -eq 3 ] && grep -q 'a name on Windows contains no' err || fail "a wrong name: $(cat err)"
# shellcheck disable=SC2086
exe $record --record 'film/ein film.mp4' --checksums >sums 2>err || fail "a film: $(cat err)"
# shellcheck disable=SC2086
exe $record --frames-dir frames >out 2>err || fail "--frames-dir: $(cat err)"
python3 - 'film/ein film.mp4' sums <<'PYTHON' || fail "the film has other frames than the checksums: $(cat err)"
import sys, zlib
film, sums = open(sys.argv[1], "rb").read(), open(sys.argv[2]).read().split("\n")[:-1]
size = 64 * 48 * 3
found = ["%d %08x" % (n, zlib.crc32(film[n * size : (n + 1) * size])) for n in range(len(film) // size)]
sys.exit(len(film) % size != 0 or len(found) != 5 or found != sums)
PYTHON
[ "$(ls film)" = 'ein film.mp4' ] || fail "a film leaves $(ls film)"
[ "$(ls frames | wc -l)" -eq 5 ] || fail "--frames-dir wrote $(ls frames)"
# shellcheck disable=SC2086
exe $record --frames-dir frames >out 2>err
[ $? -eq 3 ] && grep -q 'frame-000000.png. exists already' err || fail "--frames-dir again: $(cat err)"

# an interruption while ffmpeg takes nothing: both programs end at once, and no file is left
set -m
# shellcheck disable=SC2086
DEAF=1 wine "$built/terrane.exe" $record --size 640x480 --record film/deaf.mp4 >out 2>err &
set +m
await 60 sh -c 'ls film/*part* >/dev/null 2>&1' || fail "no film was begun: $(cat err)"
await 120 grep -q 'takes about' err || fail "no film was begun: $(cat err)"
kill -INT $!
wait $!
status=$?
[ $status -eq 130 ] || fail "an interruption: exit status $status, $(cat err)"
[ "$(ls film)" = 'ein film.mp4' ] || fail "an interruption leaves $(ls film)"
! wine tasklist 2>/dev/null | grep -q ffmpeg || fail "ffmpeg is left running"
finish_windows
