#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# values.sh IASIM: --ir-send, --ir-recv, --overhead and --involvement give what the same properties written into the
# platform by hand give, in every command; without either, a world that reads them says so in one line.
# shellcheck source=test/cli/begin.sh
source "$(dirname "$0")/begin.sh"
# shellcheck source=test/cli/bare_machine.sh
source "$IASIM_DATA/test/cli/bare_machine.sh"

platform "$(property ir_send 0.03 ir_recv 0.05)" >ir.xml
platform "$(property overhead_send 0.5 overhead_recv 0.5 involvement_send 0.25 involvement_recv 0.25)" >occupied.xml
printf 'exec 0 a 9\nexec 0 b 20\ncomm 0 a b 10000000\n' >script.txt

same() { # same BY_HAND OPTIONS COMMAND...: with the platform as the words say, or bare with the options
  local by_hand=$1 options words
  read -ra options <<<"$2"
  words=("${@:3}")
  "$iasim" "${words[@]}" --platform "$by_hand" >want 2>want_said || fault "${words[*]} on $by_hand: $(cat want_said)"
  "$iasim" "${words[@]}" --platform bare.xml "${options[@]}" >got 2>got_said || fault "${words[*]} $2: $(cat got_said)"
  sed -i 's/bare\.xml\|ir\.xml\|occupied\.xml/P/' want got
  cmp -s want got && [[ -s got && ! -s got_said && ! -s want_said ]] ||
    fault "${words[*]} $2: not as on $by_hand: $(cat got_said want_said; diff want got | head -5)"
}
farm=(farm --deployment tree.xml --policy ia_multi --tasks 20 --send-size 1 --compute-size 5 --json)
ir='--ir-send 0.03 --ir-recv 0.05' occupied='--overhead 0.5 --involvement 0.25'
same ir.xml "$ir" "${farm[@]}"
same ir.xml "$ir" bound --deployment tree.xml --send-size 1 --compute-size 5 --ports single --json
same ir.xml "$ir" activities script.txt
same ir.xml "$ir" measure --host a --send-to b --duration 20 --alone 4 --loads 0
same occupied.xml "$occupied" "${farm[@]}" --world involvement
same occupied.xml "$occupied" activities script.txt --world involvement
same occupied.xml "$occupied" schedule --graph g.dot --model involvement --json --out s.json
same occupied.xml "$occupied" check --graph g.dot s.json
same occupied.xml "$occupied" replay --graph g.dot --world involvement s.json --json
same ir.xml "$ir" replay --graph g.dot --world interference s.json --json
cmp -s <("$iasim" activities script.txt -p bare.xml 2>/dev/null) <("$iasim" activities script.txt -p ir.xml) &&
  fault 'the properties change nothing: the test sees nothing'

warns() { # warns TEXT COMMAND...: one line on stderr that has the text, and a result
  "$iasim" "${@:2}" --platform bare.xml >got 2>said || fault "${*:2}: $(cat said)"
  [[ $(wc -l <said) == 1 && -s got ]] && grep -qF -- "$1" said || fault "${*:2} says: $(cat said)"
}
for command in "${farm[*]}" 'activities script.txt' 'measure --host a --send-to b --duration 20 --alone 4 --loads 0'; do
  read -ra words <<<"$command"
  warns 'world interference reads (ir_send, ir_recv)' "${words[@]}"
done
warns 'set it for all hosts with --ir-send, --ir-recv' activities script.txt
warns '--overhead, --involvement' activities script.txt --world involvement
warns 'model involvement' schedule --graph g.dot --model involvement --json --out s2.json
warns 'world involvement' replay --graph g.dot --world involvement s.json
"$iasim" activities script.txt --platform bare.xml --world none >got 2>said
[[ ! -s said ]] || fault "the world none reads nothing: $(cat said)"

# On a fast machine, a task of 1 flop never came to an end; what is chosen now follows from the platform.
sed -e 's/10f"/100Gf"/; s/10MBps/12.5GBps/' bare.xml >fast.xml
timeout 60 "$iasim" measure --platform fast.xml --host a --send-to b --loads 0 --ir-send 0.00003 >got || fault 'measure on a fast host'
[[ $(wc -l <got) -gt 90 ]] || fault "measure on a fast host: $(wc -l <got) lines"
[[ $("$iasim" measure --help) == *'simulated machine'* ]] || fault 'measure does not say what it measures'

refuse() { # refuse TEXT OPTION...
  local status=0
  out=$("$iasim" activities script.txt --platform bare.xml "${@:2}" 2>&1 >/dev/null) || status=$?
  [[ $status == 2 ]] || fault "${*:2}: status $status"
  expect "${*:2}" "$1"
}
refuse 'iasim activities: ir_send is -1; it must not be negative' --ir-send -1
refuse "iasim activities: ir_recv is 'x', which is not a finite number" --ir-recv x
refuse 'iasim activities: involvement is 1.5; it must be between 0 and 1' --involvement 1.5
refuse "iasim activities: overhead: step 1, '0:1', has 2 numbers; a step is MIN_BYTES:CONSTANT:PER_BYTE" --overhead 0:1
refuse '--overhead was given twice' --overhead 1 --overhead 2

echo "$faults faults"
((faults == 0))
