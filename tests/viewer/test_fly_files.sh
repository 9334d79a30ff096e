#!/bin/bash
# test_fly_files.sh TERRANE PICTURE_CHECK - the files of a flight: names are checked before it begins, no file is
# replaced unasked, no link is followed, and no incomplete file is left, however the flight ends.
set -u
terrane=$1 check=$2 backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
small="--headless --backend cpu --basis smooth --size 64x64 --quality low"
endless="$small --frames 100000000" # this flight never ends, so a refusal must come before it begins

# refused TEXT OPTIONS...   check that a flight ends at once with exit status 3 and this text
refused() {
  local text=$1
  shift
  timeout 60 "$terrane" fly $endless "$@" >out 2>err
  local got=$?
  [ $got -eq 3 ] && grep -qF -- "$text" err || fail "fly $*: exit status $got, stderr is '$(cat err)', expected '$text'"
}

# names that cannot be written
refused "cannot write '/nowhere/a.png'" --screenshot /nowhere/a.png
refused "cannot write '/nowhere/a.json'" --stats /nowhere/a.json
refused "cannot write '/nowhere/a.mp4'" --record /nowhere/a.mp4
refused "/nowhere/frames" --frames-dir /nowhere/frames
mkdir folder.png
refused "it is a folder" --screenshot folder.png --force
expect 2 "screenshot is 'a.jpg', expected a name that ends in .png" fly $small --frames 1 --screenshot a.jpg
[ -z "$(find . -name 'a.*' ! -name '*.png')" ] || fail "a refused flight leaves $(find . -name 'a.*')"
"$terrane" fly $small --frames 1 --screenshot /dev/null 2>err || fail "a picture into a device: $(cat err)"

# names of existing files
for file in a.png a.json a.mp4; do echo mine >$file; done
mkdir frames && echo mine >frames/frame-000007.png
refused "'a.png' exists already; --force replaces it" --screenshot a.png
refused "'a.json' exists already; --force replaces it" --stats a.json
refused "'a.mp4' exists already; --force replaces it" --record a.mp4
refused "'frames/frame-000007.png' exists already; --force replaces it" --frames-dir frames
[ "$(cat a.png a.json a.mp4 frames/*)" = "$(printf 'mine\nmine\nmine\nmine')" ] ||
  fail "a refused flight changes a file"
ln -s /dev/null frames/frame-000003.png
"$terrane" fly $small --frames 9 --force --screenshot a.png --stats a.json --frames-dir frames 2>err ||
  fail "--force: $(cat err)"
"$check" a.png 64 64 0 50 || fail "--force does not replace a picture"
[ "$(figure frames a.json)" = 9 ] || fail "--force does not replace figures"
for n in 3 7; do "$check" frames/frame-00000$n.png 64 64 0 50 || fail "--force does not replace frame $n"; done

# a file that appears during the flight is not replaced, either
"$terrane" fly $small --frames 200 --checksums --screenshot late.png >sums 2>err &
await 60 test -s sums || fail "no frames: $(cat err)"
echo mine >late.png
wait $!
status=$?
[ $status = 3 ] && [ "$(cat late.png)" = mine ] && grep -q "'late.png' exists already" err ||
  fail "status $status, late.png: $(cat err)"

# links
echo precious >target
ln -s target link.png
refused "'link.png' exists already" --screenshot link.png
"$terrane" fly $small --frames 1 --force --screenshot link.png 2>err || fail "over a link: $(cat err)"
[ "$(cat target)" = precious ] && [ ! -L link.png ] || fail "a picture is written through a link"

# without a display the picture of a flight has no text over it, and gets a free name
mkdir first && cd first || exit 1
flight="--backend cpu --basis smooth --size 200x120 --quality low --frames 2"
for n in 1 2; do env -u DISPLAY -u WAYLAND_DISPLAY "$terrane" fly $flight 2>../err ||
  fail "without a display: $(cat ../err)"; done
"$terrane" fly --headless $flight --screenshot plain.png 2>../err || fail "$(cat ../err)"
cmp -s terrane.png plain.png || fail "the first picture is not the plain one of the same flight"
cmp -s terrane-1.png plain.png || fail "the second flight leaves $(ls)"
# without --quality and --frames, the picture is the fourth frame of a flight in high quality
flight="--backend cpu --basis smooth --size 96x64"
env -u DISPLAY -u WAYLAND_DISPLAY "$terrane" fly $flight 2>../err || fail "a picture alone: $(cat ../err)"
"$terrane" fly --headless $flight --quality high --frames 4 --screenshot fine.png 2>../err || fail "$(cat ../err)"
cmp -s terrane-2.png fine.png || fail "a picture alone is not of high quality"
cd ..

# a closed standard output ends the flight
timeout 120 "$terrane" fly $endless --checksums 2>err | head -n 1 >out
status=${PIPESTATUS[0]}
[ "$status" = 3 ] && grep -q 'standard output' err ||
  fail "after its reader has gone a flight ends with status $status: $(cat err)"

# films: the temporary name cannot be guessed
if command -v ffmpeg >/dev/null; then
  "$terrane" fly $endless --record film.mp4 2>err &
  program=$!
  await 60 compgen -G '*film.mp4*' >/dev/null || fail "no film begins: $(cat err)"
  name=$(ls -A | grep film.mp4)
  [[ $name =~ ^film\.mp4\.part-[A-Za-z0-9]{13}\.mp4$ ]] || fail "a film is made under the name $name"
  kill -INT $program
  wait $program
  [ $? = 130 ] && [ -z "$(ls -A | grep film)" ] || fail "an interrupted film leaves $(ls -A | grep film): $(cat err)"
  ln -s target film.mp4
  refused "'film.mp4' exists already" --record film.mp4
  "$terrane" fly $small --frames 4 --force --record film.mp4 2>err || fail "--force: $(cat err)"
  [ "$(cat target)" = precious ] && [ ! -L film.mp4 ] && [ -s film.mp4 ] || fail "a film is written through a link"
fi

# With an ffmpeg that never reads (deaf) or never ends (endless), the flight ends by itself, and at once if it is
# interrupted.
mkdir deaf endless
printf '#!/bin/sh\necho $$ >>deaf.pid\nexec sleep 1000\n' >deaf/ffmpeg
printf '#!/bin/sh\necho $$ >>endless.pid\ncat >/dev/null\nexec sleep 1000\n' >endless/ffmpeg
chmod +x deaf/ffmpeg endless/ffmpeg
PATH=$PWD/deaf:$PATH timeout 120 "$terrane" fly $endless --record deaf.mp4 2>deaf.err & unread=$!
PATH=$PWD/endless:$PATH timeout 120 "$terrane" fly $small --frames 3 --record endless.mp4 2>endless.err & unending=$!
PATH=$PWD/deaf:$PATH "$terrane" fly $endless --record other.mp4 2>err & program=$!
started() { [ "$(wc -l 2>/dev/null <deaf.pid)" = 2 ]; }
await 60 started || fail "ffmpeg is not started: $(cat err)"
begin=$SECONDS
kill -INT $program
wait $program
status=$?
[ $status = 130 ] && [ $((SECONDS - begin)) -le 3 ] ||
  fail "an interruption with a deaf ffmpeg: status $status after $((SECONDS - begin)) s"
wait $unread
status=$?
[ $status = 3 ] && grep -q 'ffmpeg has taken nothing' deaf.err || fail "a deaf ffmpeg: status $status, $(cat deaf.err)"
wait $unending
status=$?
[ $status = 3 ] && grep -q 'ffmpeg does not end' endless.err ||
  fail "an endless ffmpeg: status $status, $(cat endless.err)"

# The next flight with the same names removes temporary files of killed flights, but no foreign files and links.
PATH=$PWD/deaf:$PATH "$terrane" fly $endless --record killed.mp4 2>err & program=$!
killed_has_started() { [ "$(wc -l <deaf.pid)" = 3 ]; }
await 60 killed_has_started || fail "no film begins: $(cat err)"
kill -KILL $program
wait $program 2>/dev/null
kill "$(tail -n 1 deaf.pid)"
orphan=part-0123456789abc
mkdir left
for file in killed.png killed.json left/frame-000003.png left/frame-000100.png; do : >$file.$orphan; done
mine="other.png.$orphan killed.png.part-notes left/frame-3.png.$orphan left/notes.$orphan"
for file in $mine; do : >$file; done
ln -s target left/frame-000004.png.$orphan
"$terrane" fly $small --frames 2 --screenshot killed.png --stats killed.json --record killed.mp4 \
  --frames-dir left 2>err || fail "after killed flights: $(cat err)"
for file in $mine left/frame-000004.png.$orphan; do [ -e $file ] || [ -L $file ] ||
  fail "$file was removed"; rm -f $file; done
[ -z "$(ls | grep 'killed.*part-')$(ls left | grep part-)" ] ||
  fail "what killed flights left is still there: $(ls | grep 'killed.*part-') $(ls left)"

for pid in $(head -n 2 deaf.pid) $(cat endless.pid); do kill -0 "$pid" 2>/dev/null &&
  fail "an ffmpeg is left running" && kill "$pid"; done
[ -z "$(ls -A | grep -E '(deaf|endless|other)\.mp4')" ] || fail "films that failed leave $(ls -A | grep mp4)"

finish
