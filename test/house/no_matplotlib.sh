#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# no_matplotlib.sh IASIM: where matplotlib cannot be imported, scripts of analysis/ have their --help and else say in
# one line what to install; commands say which picture is missing, and --help and --no-picture do not ask for it.
set -euo pipefail
iasim=$1
export IASIM_DATA=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
faults=0
fault() { echo "$*" && faults=$((faults + 1)); }
mkdir "$scratch/none" # a matplotlib that is found first and cannot be imported
echo "raise ModuleNotFoundError(\"No module named 'matplotlib'\")" >"$scratch/none/matplotlib.py"
export PYTHONPATH=$scratch/none PYTHONDONTWRITEBYTECODE=1
cd "$scratch"

for script in policies interference accuracy compare messages reached capacity; do
  python3 "$IASIM_DATA/analysis/$script.py" --help >help || fault "$script.py --help: status $?"
  grep -q "analysis/$script.py" help || fault "$script.py --help: $(head -n 3 help)"
  status=0
  python3 "$IASIM_DATA/analysis/$script.py" a.csv >out 2>said || status=$?
  wanted="pictures need matplotlib, which /usr/bin/python3 does not have; on Debian: apt install python3-matplotlib"
  [[ $status == 2 && ! -s out && $(cat said) == "$script.py: $wanted" ]] ||
    fault "$script.py: status $status: $(cat said)"
done

for command in demo compare report; do
  "$iasim" $command --help >help 2>said || fault "$command --help: status $?"
  [[ -s help && ! -s said ]] || fault "$command --help: $(cat said)"
done
"$iasim" run smoke >/dev/null 2>&1
"$iasim" compare smoke.db --by policy --metric makespan_s >out 2>said || fault "compare: $(cat said)"
[[ ! -s said ]] || fault "compare: $(cat said)"
status=0
"$iasim" compare smoke.db --by policy --metric makespan_s --picture x >again 2>said || status=$?
[[ $status == 2 ]] || fault "compare --picture: status $status"
cmp out again || fault 'compare --picture prints something else'
[[ $(wc -l <said) == 2 ]] || fault "compare --picture: $(cat said)"
grep -q 'x.svg was not drawn; x.csv and x-profile.csv have the figures' said || fault "compare --picture: $(cat said)"

echo "$faults faults"
((faults == 0))
