#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# instances.sh IASIM: random farms within a sweep: the same as the files of `platform generate`, one machine for all policies
# of an instance, whatever else is given refused.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

refuse() { # refuse TEXT SETTING...: with status 2, and without a database
  local status=0 sets=()
  for set in "${@:2}"; do sets+=(--set "$set"); done
  out=$("$iasim" run smoke "${sets[@]}" --out refused.db 2>&1) || status=$?
  [[ $status -eq 2 ]] || fault "${*:2}: status $status: $out"
  grep -qF -- "$1" <<<"$out" || fault "${*:2}: expected '$1' in: $out"
  [[ ! -e refused.db ]] || fault "${*:2}: a database was made"
}
figures() { # the last 22 columns: all but keys and what the farm comes from
  "$iasim" export "$1" | awk -F, '{ line = $(NF - 21); for (i = NF - 20; i <= NF; i++) line = line "," $i; print line }' | sort
}

spec='tree[hosts=9,max-children=2,speed=4:8,latency=0]'
"$iasim" platform generate tree --hosts 9 --max-children 2 --speed 4:8 --latency 0 --seed 3 --out mine >/dev/null
small=(--set tasks=20 --set compute_size=5 --quiet)
"$iasim" run smoke "${small[@]}" --set platform=mine.platform.xml --set deployment=mine.deployment.xml --out files.db >/dev/null
"$iasim" run smoke "${small[@]}" --set platform= --set deployment= --set "generator=$spec" --set instance=3 --out made.db >/dev/null
cmp <(figures files.db) <(figures made.db) || fault 'a generated farm is another than the generated files'

# Three instances: each as when it is alone, and none like another.
"$iasim" run smoke "${small[@]}" --set platform= --set deployment= --set "generator=$spec" --set instance=1,2,3 --jobs 3 \
  --out three.db >/dev/null
[[ $("$iasim" export three.db | wc -l) -eq 25 ]] || fault 'three instances of eight runs are not 24 runs'
grep -vxFf <(figures three.db) <(figures made.db) && fault 'an instance is another in company'
[[ $(figures three.db | sort -u | wc -l) -ge 20 ]] || fault 'instances are alike'
"$iasim" run kreaseck-fork-bound --set platform= --set deployment= --set "generator=$spec" --set instance=1,2,3 --quiet \
  --out bounds.db >/dev/null || fault 'bounds of generated farms'

# What goes wrong on a generated farm says which one it is: the same words in every process.
stuck='tree[hosts=3,bandwidth=1e-300]' status=0
"$iasim" run smoke "${small[@]}" --set platform= --set deployment= --set "generator=$stuck" --out stuck.db >/dev/null || status=$?
[[ $status -eq 1 ]] || fault "a farm whose links take nothing: status $status"
"$iasim" export stuck.db | grep -qF "\"$stuck: deadlock: " || fault "its errors: $("$iasim" export stuck.db | tail -1)"

# a range of instances; a scenario of a user's, anywhere, finds what comes with the program
"$iasim" run smoke "${small[@]}" --set platform= --set deployment= --set "generator=$spec" --set instance=1:3 --quiet --out range.db \
  >/dev/null || fault 'a range of instances'
cmp <("$iasim" export range.db) <("$iasim" export three.db) || fault 'instance=1:3 is not instance=1,2,3'
mkdir mine
sed 's,"../../platforms/[^"]*","kreaseck-fork",; s,"../../deployments/,"deployments/,' "$IASIM_DATA/scenarios/smoke/scenario.xml" >mine/scenario.xml
"$iasim" run mine --quiet --out mine.db >/dev/null || fault 'a scenario that names what comes with the program'
cmp <("$iasim" export mine.db | cut -d, -f1) <("$iasim" run smoke --quiet --out plain.db >/dev/null && "$iasim" export plain.db |
  cut -d, -f1) || fault 'a shipped file by its name is another file'

refuse 'give one of the two' "generator=$spec"
refuse 'give one of the two' platform=
refuse 'deployment is not given' deployment=
refuse 'has a deployment of its own' platform= "generator=$spec"
refuse "known: star, tree" platform= deployment= 'generator=ring[hosts=3]'
refuse 'hosts is missing' platform= deployment= generator=star
refuse 'neither MIN:MAX nor a number' platform= deployment= 'generator=star[hosts=3,speed=fast]'
refuse 'it must be MIN:MAX with MIN <= MAX' platform= deployment= 'generator=star[hosts=3,speed=5:1]'
refuse 'known: hosts, max-children, speed' platform= deployment= 'generator=star[hosts=3,color=red]'
refuse 'a value of send_size is empty' send_size=
refuse 'without a generator the 2 values of instance would all be the same' instance=1,2

((faults == 0))
