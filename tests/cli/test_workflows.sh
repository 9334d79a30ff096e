#!/bin/bash
# test_workflows.sh SOURCE - the GitHub workflows fit GitHub's schema, have one style, and call existing scripts with
# valid arguments.
set -u
tests=$(cd "$(dirname "$0")" && pwd) source=$1 backend=cpu terrane=none
. "$tests/../tools/shell.sh"
. "$tests/../tools/python_environment.sh"
need_packages yamllint check_jsonschema=check-jsonschema

workflows=$source/.github/workflows
rules='document-start: disable, truthy: {check-keys: false}, line-length: {max: 120}'
"$python" -m yamllint --strict -d "{extends: default, rules: {$rules}}" "$workflows" >log 2>&1 ||
  fail "style: $(cat log)"
"$python" -m check_jsonschema --builtin-schema vendor.github-workflows "$workflows"/*.yml >log 2>&1 ||
  fail "schema: $(cat log)"
printf 'on: push\njobs: {a: {runs-on: b, step: []}}\n' >wrong.yml
"$python" -m check_jsonschema --builtin-schema vendor.github-workflows wrong.yml >log 2>&1 &&
  fail "the schema takes 'step' for 'steps'"
# ---- the scripts that the workflows call ----
for script in $(grep -hoE '\bscripts/[a-z.-]+' "$workflows"/*.yml | sort -u); do
  [ -e "$source/$script" ] || fail "there is no $script"
done
[ "$(grep -hoE 'scripts/test( --[a-z]+)?' "$workflows"/*.yml | sort -u |
  tr '\n' ,)" = 'scripts/test,scripts/test --fuzz,scripts/test --quick,' ] ||
  fail "the workflows call $(grep -hoE 'scripts/test( --[a-z]+)?' "$workflows"/*.yml | sort -u)"
for option in $(grep -hoE 'scripts/test --[a-z]+' "$workflows"/*.yml | cut -d ' ' -f 2 | sort -u); do
  grep -q -e "^ *$option:" "$source/scripts/test" || fail "scripts/test knows no $option"
done
finish
