#!/bin/bash
# test_documents.sh TERRANE FOLDER - manual pages and completions have every command and option of the help, and work.
set -u
terrane=$1
documents=$2
backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
commands=$("$terrane" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -v '^help$')

# options COMMAND   the names of the command's options
options() { "$terrane" "$1" --help | sed '/^Exit status/,$d' | grep -oE '^  (-[a-z], )?--?[a-z0-9-]+' | tr -d ', ' |
  sed 's/^-[a-z]--/--/'; }

# ---- manual pages ----
for page in terrane $(printf 'terrane-%s ' $commands); do
  file=$documents/man1/$page.1
  [ -s "$file" ] || { fail "there is no $page.1"; continue; }
  if command -v mandoc >/dev/null; then
    mandoc -Tlint "$file" >out 2>&1 || fail "$page.1: $(cat out)"
    [ -s out ] && fail "$page.1: $(cat out)"
  fi
  if command -v man >/dev/null; then
    LC_ALL=C.UTF-8 MANWIDTH=200 man --warnings -l "$file" >page.txt 2>err || fail "man $page: $(cat err)"
    [ -s err ] && fail "man $page: $(cat err)"
  fi
  grep -q '^\.SH EXIT STATUS' "$file" && grep -q '^\.SH EXAMPLES' "$file" ||
    fail "$page.1 has no exit statuses or examples"
done
for command in $commands; do
  grep -q "terrane\\\\-$command (1)" "$documents/man1/terrane.1" || fail "terrane.1 does not name terrane-$command"
  options "$command" >names
  [ -s names ] || fail "$command has no options"
  sed 's/\\-/-/g' "$documents/man1/terrane-$command.1" >plain.1
  while read -r name; do
    grep -q -e "\\\\fB$name\\\\fR" plain.1 || fail "terrane-$command.1 lacks $name"
  done <names
done

# ---- bash ----
bash -n "$documents/bash/terrane" || fail "bash cannot read its completion"
# shellcheck source=/dev/null
. "$documents/bash/terrane"
complete -p terrane >/dev/null 2>&1 || fail "bash has no completion of terrane"
# completes WORD... -- EXPECTED...   check the completions of the last word, which may be empty
completes() {
  COMP_WORDS=()
  while [ "$1" != -- ]; do
    COMP_WORDS+=("$1")
    shift
  done
  shift
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _terrane 2>/dev/null
  [ "$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ')" = "$(printf '%s\n' "$@" | sort | tr '\n' ' ')" ] ||
    fail "bash: '${COMP_WORDS[*]}' becomes '${COMPREPLY[*]}', expected '$*'"
}
# shellcheck disable=SC2086
completes terrane '' -- $commands help --help --version
completes terrane exp -- export
completes terrane help in -- info
completes terrane export --fo -- --force --format
completes terrane export --format t -- tiff tiff16
completes terrane export --format = png -- png16
completes terrane export -o names -- names
completes terrane export --size '' -- ''
completes terrane bench --generators tiled,rec -- tiled,recursive
completes terrane probe --world al -- alps
for command in $commands; do
  # shellcheck disable=SC2046
  completes terrane "$command" - -- $(options "$command")
done

# ---- zsh and fish ----
for command in $commands; do
  while read -r name; do
    grep -q -e "'\((-.)\)\?$name[=[]" "$documents/zsh/_terrane" || fail "zsh: $command lacks $name"
    condition="__fish_seen_subcommand_from $command'"
    grep -qE -e "$condition -[ls] ${name##*-}( |\$)|$condition -[ls] ${name#--} " "$documents/fish/terrane.fish" ||
      fail "fish: $command lacks $name"
  done < <(options "$command")
done
if command -v zsh >/dev/null; then
  zsh -n "$documents/zsh/_terrane" || fail "zsh cannot read its completion"
fi
if command -v fish >/dev/null; then
  export HOME=$PWD
  # suggested WORDS EXPECTED   check the first suggestion of fish for a line
  suggested() {
    fish -c "source $documents/fish/terrane.fish; complete -C '$1'" 2>err | cut -f 1 | head -1 >out
    [ "$(cat out)" = "$2" ] || fail "fish: '$1' becomes '$(cat out)', expected '$2' $(cat err)"
  }
  suggested 'terrane ex' export
  suggested 'terrane export --forc' --force
  suggested 'terrane export --format ti' tiff
  suggested 'terrane bench --generators tiled,re' tiled,recursive
  suggested 'terrane probe --world alp' alps
fi
finish
