#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# platform.sh IASIM: SimGrid itself loads what is accepted, nothing of the gallery passes, and a generated farm runs.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
here=$IASIM_DATA/test

"$iasim" platform check "$here"/../platforms/*.xml "$here"/machine/accepted/*.xml >good ||
  fault "refused: $(grep -v ': in order, ' good)"
n_good=$(grep -c ': in order, [0-9]* hosts, [0-9]* links$' good)

status=0
"$iasim" platform check "$here"/gallery/platforms/*.xml >bad || status=$?
[[ $status == 1 ]] || fault "the gallery: status $status instead of 1"
! grep ': in order, ' bad || fault 'accepted, see above'
n_bad=$(wc -l <bad)
grep -q 'gallery/platforms/speed_zero.xml:5: host .a.: speed .0f. must be above 0$' bad || fault 'no words for speed_zero'

# the same as JSON: what was found of each file, in the order given
status=0
"$iasim" platform check "$here"/../platforms/star-8.xml "$here"/gallery/platforms/speed_zero.xml "$dir"/$'no\xff.xml' --json \
  >json || status=$?
[[ $status == 1 ]] || fault "--json: status $status instead of 1"
python3 - json <<'PYTHON' || fault "json: $(cat json)"
import json, sys
good, bad, missing = json.load(open(sys.argv[1]))
assert good["file"].endswith("/star-8.xml") and good["ok"] and good["error"] is None, good
assert (good["n_hosts"], good["n_links"]) == (9, 19), good  # nine links have two directions each, and SimGrid adds a loopback
assert not bad["ok"] and bad["n_hosts"] is None and bad["n_links"] is None, bad
assert bad["error"].endswith("speed_zero.xml:5: host 'a': speed '0f' must be above 0"), bad
assert not missing["ok"] and missing["file"].endswith("/no?.xml") and "No such file" in missing["error"], missing
PYTHON
"$iasim" platform check "$here"/../platforms/star-8.xml --json >json || fault 'a good platform: not status 0'

"$iasim" platform generate tree --hosts 40 --seed 9 --max-children 3 --speed 2:2 >written
[[ $(cat written) == $'tree-40-9.platform.xml\ntree-40-9.deployment.xml' ]] || fault "wrote $(cat written)"
"$iasim" platform generate tree --hosts 40 --seed 9 --max-children 3 --speed 2:2 --out again >/dev/null
cmp tree-40-9.platform.xml again.platform.xml && cmp tree-40-9.deployment.xml again.deployment.xml || fault 'not the same bytes'
grep -q '<host id="h39" speed="2f">' again.platform.xml || fault '--speed 2:2 is not kept'
"$iasim" platform check again.platform.xml | grep -q ': in order, 40 hosts, 81 links$' || fault 'what was generated is not in order'
"$iasim" farm --platform again.platform.xml --deployment again.deployment.xml --policy ia_multi --tasks 200 \
  --send-size 1 --compute-size 5 --json >farm.json || fault 'the generated farm does not run'
grep -q '"makespan_s"' farm.json || fault 'no makespan'

for wrong in '' frob check generate 'generate star' 'generate ring --hosts 3 --seed 1' 'generate star --hosts 3' \
  'generate star --hosts 0 --seed 1' 'generate star --hosts 3 --seed 1 --speed fast' 'generate star --hosts 3 --seed 1 --speed 5:1' \
  'generate star --hosts 3 --seed 1 --json' 'check --json'; do
  status=0
  # shellcheck disable=SC2086
  "$iasim" platform $wrong >/dev/null 2>&1 || status=$?
  [[ $status == 2 ]] || fault "iasim platform $wrong: status $status instead of 2"
done

echo "$n_good loaded, $n_bad refused, $faults faults"
((faults == 0 && n_good > 75 && n_bad >= 85))
