#!/bin/bash
# test_manners.sh TERRANE - help, messages about mistakes, --quiet, world files, and results that cannot be written.
set -u
terrane=$1
backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
ulimit -c 0

# seconds WORDS...   duration of a command in whole seconds
seconds() {
  local begin=$SECONDS
  "$@" >out 2>err
  echo $((SECONDS - begin))
}

# options COMMAND   the options that the command's help lists, one per line: all names, value and text
options() {
  "$terrane" "$1" --help | sed '/^Exit status/,$d' | awk '
    /^  -/ { if (line) print line; line = $0; next }
    /^                            / && line { line = line " " $0; next }
    { if (line) print line; line = "" }'
}

commands=$("$terrane" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -v '^help$')
[ "$(echo "$commands" | wc -l)" -ge 4 ] || fail "--help lists the commands '$commands'"

# ---- help ----
"$terrane" --help >whole 2>err
[ -s err ] && fail "--help writes on stderr: $(cat err)"
for words in -h help 'help help'; do
  # shellcheck disable=SC2086
  expect 0 '' $words
  cmp -s out whole || fail "terrane $words differs from terrane --help"
done
expect 2 'no command' # called without any words
[ -s out ] && fail "without a command there is something on stdout"
echo 5,7 >points.txt
for command in $commands; do
  "$terrane" "$command" --help >whole 2>err || fail "$command --help fails"
  [ -s err ] && fail "$command --help writes on stderr: $(cat err)"
  expect 0 '' help "$command"
  cmp -s out whole || fail "help $command differs from $command --help"
  expect 0 '' "$command" -h
  cmp -s out whole || fail "$command -h differs from $command --help"
  for status in 0 1 2 3 4 130; do
    grep -qE "^  $status +[a-z]" whole || fail "$command --help does not say what exit status $status means"
  done
  options "$command" >lines
  [ -s lines ] || fail "$command --help lists no options"
  # the help of an option with a value, which has a name in capitals, says what the default is
  grep -E '^  (-[a-z], )?--?[a-z0-9-]+ [A-Z]' lines | grep -vE '[(; ](default [^)]|required\))' &&
    fail "$command: the options above have no default"
  sed -n '/^Examples/,$p' whole | grep '^  terrane ' >examples
  [ "$(wc -l <examples)" -ge 3 ] && [ "$(wc -l <examples)" -le 6 ] ||
    fail "$command --help ends with $(wc -l <examples) examples"
  tail -2 whole | head -1 | grep -q '^  terrane ' || fail "$command --help does not end with examples"
  while read -r example; do # with --version the other words are only checked
    example=${example%%|*}
    case $example in *--world*) lacks 'world files' && continue ;; esac
    (eval "\"\$terrane\" ${example#terrane } --version") >out 2>err || fail "example '$example': $(cat err)"
  done <examples
done
"$terrane" --help | sed -n '/^Examples/,$p' | grep -c '^  terrane ' | grep -q '^[345]$' ||
  fail "--help does not end with three to five examples"
for name in backend generator threads; do
  options info | grep -e "--$name" >/dev/null && fail "info --help lists --$name, which it has no use for"
done
options probe | grep -q -e '--base M .*(any finite number; default -150)' ||
  fail "--base: $(options probe | grep -e --base)"
options probe | grep -q 'inf' && fail "a limit is infinite: $(options probe | grep inf)"
"$terrane" export --preset unreal --help >out
grep -q Unreal out && ! grep -q -e --size out || fail "--preset unreal --help shows more than the preset: $(cat out)"

# ---- suggestions after mistakes ----
expect 2 "unknown command 'exprot', did you mean export\?" exprot
expect 2 "unknown command 'prob', did you mean probe\?" help prob
expect 2 "unknown option '--sede', did you mean --seed\?" probe 0,0 --sede 5
expect 2 "unknown option '--ampl', did you mean --amplitude\?" probe 0,0 --ampl=5
expect 2 "unknown option '-seed', did you mean --seed\?" probe 0,0 -seed 5
expect 2 "unknown option '--zzzzzz'$" probe 0,0 --zzzzzz
expect 0 '' probe --backend cpu -- -5,7
expect 2 "point is '--seed'" probe -- --seed
long=$(printf 'x%.0s' $(seq 3000))
expect 2 "basis is 'x+\.\.\.x+' \(3000 bytes\), expected midpoint, smooth or fluvial" probe 0,0 --basis "$long"
expect 2 'expected a world file' probe 0,0 --world "$long"
expect 2 "o is '', expected the name of a file" export --size 4x4 -o ''
printf 'a\033[31mb' >colour
expect 2 "basis is 'a\?\[31mb'" probe 0,0 --basis "$(cat colour)"

# ---- notes on standard error ----
expect 0 '' probe 5,7
[ -s err ] && ! grep -q 'backend cuda' err && fail "probe says on stderr: $(cat err)"
expect 0 '' export --size 64x64 -o quiet.r32 --quiet
[ -s err ] && fail "--quiet export says: $(cat err)"
expect 0 '' export --size 65x65 --preset unity -q -o quiet.raw
[ -s err ] && fail "-q export says: $(cat err)"
expect 2 'size is missing' export -q -o quiet.r32
expect 2 'seed has no meaning without a guide' info --seed 3
lacks 'world files' || expect 2 'world has no meaning without a guide' info --world alps
"$terrane" info | grep -q '^cuda' || fail "info does not say whether there are CUDA devices"

# ---- SLURM ----
export SLURM_ARRAY_TASK_ID=2147483647 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=-2147483648
expect 2 'SLURM_ARRAY_TASK_ID is 2147483647 of 4 tasks from -2147483648 on' export --size 4x4 --tiles 2x2 \
  -o '{x}{y}.r32'
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN

# ---- flights and probes begin at the same place, on land ----
start=$("$terrane" fly --help 2>/dev/null | sed -n 's/.*--at X,Z .*(default \(.*\))/\1/p')
if [ -n "$start" ] && command -v script >/dev/null; then
  height=$(script -qec "'$terrane' probe" /dev/null </dev/null |
    awk -v at="${start/,/ }" 'index($0, at) == 1 {print $3}')
  awk -v h="${height:--1}" 'BEGIN { exit !(h > 0) }' || fail "probe at a terminal: height '$height' at $start"
fi

# ---- bench ----
for option in --json --plot; do
  [ $option = --json ] && lacks sidecars && continue
  took=$(seconds timeout -s KILL 60 "$terrane" bench --size 4096 --backends cpu $option /nowhere/x)
  grep -q "cannot write '/nowhere/x'" err && [ "$took" -le 2 ] && ! grep -q identical out ||
    fail "bench $option /nowhere/x: $took s, $(cat err)"
done
expect 0 '' bench --size 16 --backends cpu --samples 1 --generators tiled
[ "$(grep -c 'tiled *classic .*identical' out)$(grep -c 'tiled *smooth .*identical' out)$(grep \
  -c 'tiled *default' out)" = 110 ] ||
  fail "bench measures other worlds than classic and smooth: $(cat out)"
expect 0 '' bench --size 16 --backends cpu --samples 1 --generators tiled --basis fluvial
grep -q 'tiled *default .*identical' out || fail "bench --basis fluvial: $(cat out)"
expect 0 '' bench --size 16 --backends cpu --samples 1 --generators tiled --worlds smooth
grep -q 'tiled *smooth .*identical' out || fail "bench --worlds smooth: $(cat out)"

# ---- the output files of a flight are checked before it begins ----
if ! lacks 'the viewer'; then
  fly="fly --headless --frames 1 --size 64x48 --backend cpu"
  # shellcheck disable=SC2086
  {
    expect 2 "screenshot is 'q.jpg', expected a name that ends in .png" $fly --screenshot q.jpg
    expect 3 "cannot write '/nowhere/q.png'" $fly --screenshot /nowhere/q.png
    echo mine >there.png
    expect 3 "'there.png' exists already; --force replaces it" $fly --screenshot there.png
    expect 3 "'there.png' exists already; --force replaces it" $fly --stats there.png
    expect 3 "'there.png' exists already; --force replaces it" $fly --record there.png
    mkdir -p frames folder.png
    echo mine >frames/frame-000000.png
    expect 3 "'frames/frame-000000.png' exists already; --force replaces it" $fly --frames-dir frames
    expect 3 "'there.png'" $fly --frames-dir there.png
    expect 3 "cannot write 'folder.png': it is a folder" $fly --screenshot folder.png --force
    expect 2 "layers is 'terrain,sea', expected a list of terrain, water" $fly --layers terrain,sea
    expect 2 "morph-world is 'alsp', expected a world file .*did you mean alps\?" $fly --morph-world alsp
    [ "$(cat there.png frames/frame-000000.png | sort -u)" = mine ] || fail "a refused flight changed a file"
  }
fi

# ---- world files ----
if lacks 'world files'; then
  finish
  exit
fi
expect 2 'world needs a value: .*alps, archipelago' probe 0,0 --world
expect 2 "world is 'alsp', expected a world file .*alps, archipelago.*; did you mean alps\?" probe 0,0 --world alsp
options bench | grep smooth >/dev/null || fail "bench --help does not name the world smooth"
reference=$("$terrane" probe --backend cpu --seed 42 --levels 14 16384,-32768)
# as_reference TEXT   check that a world file of this text, for printf, has seed 42 and 14 levels
as_reference() {
  printf "$1" >w.ini
  expect 0 '' probe --backend cpu --world w.ini 16384,-32768
  [ "$(cat out)" = "$reference" ] || fail "world file '${1:0:60}': $(cat out err)"
}
as_reference 'seed = 42\nlevels = 14\n'
as_reference '[world]\r\nseed = 42\r\nlevels = 14\r\n'
as_reference '[world]\rseed = 42\rlevels = 14\r'
as_reference '[world]\n  seed = 42\n\tlevels = 14'
as_reference "; $long\nseed = 42\n  # $long\nlevels = 14\n"
# the characters after the 199th of a comment must not be read as a key
as_reference "seed = 42\n;$(printf '%0198d' 0)seed = 7\nlevels = 14\n"
# wrong LINE 'regular expression' TEXT   check that a world file of this text is refused because of line number LINE
wrong() {
  printf "$3" >w.ini
  expect 2 "w.ini:$1: $2" probe --backend cpu --world w.ini 0,0
}
wrong 2 'the line has 30[0-9]+ characters, expected at most' "levels = 14\nseed = 42 ; $long\n"
wrong 3 'seed is given a second time, first in line 1' 'seed = 42\nlevels = 14\nseed = 43\n'
wrong 2 'a zero byte, expected text' 'seed = 42\nle\0vels = 14\n'
wrong 3 "unknown key 'sede', expected seed, levels" '[world]\r\nseed = 1\r\nsede = 2\r\n'
wrong 2 "unknown section 'wordl', expected \[world\] or \[look\]" 'seed = 1\n[wordl]\nlevels = 2\n'
wrong 1 "unknown section 'World', expected \[world\] or \[look\]" '[World]\nseed = 1\n'
wrong 2 "palette is 'green', expected temperate" '[look]\npalette = green\n'
wrong 1 "not a 'key = value' line" '[world\nseed = 1\n'
mkfifo fifo
for path in /dev/zero fifo; do
  took=$(seconds timeout -s KILL 20 "$terrane" probe 0,0 --world $path)
  grep -q "world: cannot read '$path': .*expected a regular file" err && [ "$took" -le 1 ] ||
    fail "--world $path: $took s, $(cat err)"
  lacks 'the viewer' && continue
  took=$(seconds timeout -s KILL 20 "$terrane" fly --headless --frames 1 --size 64x48 --path $path)
  grep -q "path: cannot read '$path': .*expected a regular file" err && [ "$took" -le 5 ] ||
    fail "--path $path: $took s, $(cat err)"
done
head -c 2000000 /dev/zero | tr '\0' ';' >large.ini
expect 2 "world: cannot read 'large.ini': it has more than" probe 0,0 --world large.ini

# the name of a world in a chart is escaped
cp w.ini 'a&<b>'
printf 'seed = 3\nbasis = smooth\n' >'a&<b>'
expect 0 '' bench --size 16,32 --backends cpu --samples 1 --generators tiled --worlds 'a&<b>' --plot chart.svg
grep -qF 'tiled, a&amp;&lt;b&gt;</text>' chart.svg || fail "chart.svg: $(grep tiled chart.svg)"
if command -v xmllint >/dev/null; then
  xmllint --noout chart.svg 2>err || fail "chart.svg: $(cat err)"
fi
finish
