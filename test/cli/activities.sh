#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# activities.sh IASIM: exit statuses, output and messages of `iasim activities`. Hosts do 1000 flop/s, the link carries
# 1 MB/s, sending takes 30 % of the processor at that rate.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
platform() { # platform CONFIG HOST_B LINK: a - b over l, c alone
  cat <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  $1
  <zone id="z" routing="Full">
    <host id="a" speed="1000f"><prop id="ir_send" value="0.3"/><prop id="involvement_send" value="0.5"/></host>
    <host id="b" speed="1000f" $2/> <host id="c" speed="1000f"/>
    <link id="l" bandwidth="1MBps" latency="0s" $3/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
XML
}
cm02='<config><prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/></config>'
platform "$cm02" '' '' >p.xml
platform "$cm02" 'state_file="down"' '' >host_down.xml
platform "$cm02" '' 'state_file="down"' >link_down.xml
platform "$cm02" 'availability_file="stop"' '' >host_stops.xml
platform "$cm02" '' 'bandwidth_file="stop"' >link_stops.xml
platform "$cm02" '' '' | sed 's/"Full"/"Ful"/' >routing.xml
platform "$cm02" '' '' | sed 's/ir_send/ir_sent/' >property.xml
printf '1 0\n' | tee down >stop

activities() { ends_with "$1" activities "${@:2}"; } # activities STATUS ARGUMENTS
ends() { # ends STATE FINISH ...: of each activity
  local got want="$*"
  got=$(grep -oE '"(state|finish_s)": [^,} ]+' out | awk '{ gsub(/"/, "", $2)
    printf "%s%s", (NR > 1 ? " " : ""), ($2 ~ /^[0-9]/ ? sprintf("%.9g", $2) : $2) }') || true
  [[ $got == "$want" && ! -s err ]] || fault "$(tr '\n' ';' <s.txt) expected '$want', got '$got' and '$(cat err)'"
}

printf 'exec 0 a 1000\ncomm 0 a b 500000\n' >s.txt
activities 0 --platform p.xml s.txt
ends done 1.15 done 0.5
grep -q '"line": 2' out && grep -q '"kind": "comm"' out && grep -q '"start_s": 0.0' out ||
  fault "fields are missing: $(cat out)"
activities 0 -p p.xml --world none s.txt
ends done 1 done 0.5
activities 0 -p p.xml --world involvement s.txt
ends done 1.25 done 0.5
printf '# nothing\n' >s.txt
activities 0 -p p.xml s.txt
ends

# what fails is in the output, and no error
printf 'exec 0 b 2000\ncomm 0 a b 2000000\nexec 0 a 1000\nexec 2 b 1\ncomm 2 a b 1\n' >s.txt
activities 0 -p host_down.xml s.txt
ends failed 1 failed 1 done 1.3 failed 2 failed 2
activities 0 -p link_down.xml s.txt
ends done 2 failed 1 done 1.3 done 2.001 failed 2
activities 0 -p host_stops.xml s.txt
ends failed null done 2 done 1.42857143 failed null done 2.000001
activities 0 -p link_stops.xml s.txt
ends done 2 failed null done 1.3 done 2.001 failed null

# an error is reported in one line
printf 'exec 0 a 1\ncomm 0 b c 1\n' >s.txt
activities 2 -p p.xml s.txt
said "iasim activities: s.txt:2: there is no route from host 'b' to host 'c' on the platform p.xml"
printf 'exec 0 d 1\n' >s.txt
activities 2 -p p.xml s.txt
said "iasim activities: s.txt:1: host 'd' is not on the platform p.xml"
printf 'exec 0 a 1 1\n' >s.txt
activities 2 -p p.xml s.txt
said 'iasim activities: s.txt:1: 5 words, expected: exec START_S HOST FLOP'
printf 'exec 0 a 1\n' >s.txt
activities 2 -p p.xml --world everything s.txt
[[ $(cat err) == "iasim activities: unknown world model 'everything'; known: none, interference"* ]] ||
  fault "$(cat err)"
for broken in routing property nowhere; do
  activities 2 -p $broken.xml s.txt
  [[ $(wc -l <err) == 1 && ! -s out ]] && grep -q "^iasim activities: $broken.xml" err || fault "$broken: $(cat err)"
done
# an error that only SimGrid finds is reported in its words, with the file, and without its backtrace
platform_of() { # platform_of CONFIG ZONE
  printf '%s\n' "<?xml version='1.0'?>" '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">' \
    '<platform version="4.1">' "<config>$1</config>" "$2" '</platform>'
}
platform_of '<prop id="network/TCP-gama" value="0"/>' '<zone id="z" routing="None"><host id="a" speed="1f"/></zone>' \
  >key.xml
activities 2 -p key.xml s.txt
said "iasim activities: key.xml:4: SimGrid has no configuration 'network/TCP-gama'; did you mean 'network/TCP-gamma'?"
platform_of '<prop id="network/model" value="ns-3"/>' '<zone id="z" routing="None"><host id="a" speed="1f"/></zone>' \
  >ns3.xml
activities 2 -p ns3.xml s.txt
grep -q "^iasim activities: ns3.xml:4: configuration network/model is 'ns-3'; it must be one of CM02|" err ||
  fault "ns-3: $(cat err)"
platform_of '' '<zone id="z" routing="Vivaldi"><zone id="x" routing="Full"><host id="a" speed="1f"/></zone>
  <zone id="y" routing="Full"><host id="b" speed="1f"/></zone></zone>' >nowhere_near.xml
printf 'comm 0 a b 1\n' >s.txt
activities 2 -p nowhere_near.xml s.txt
[[ $(wc -l <err) == 1 && ! -s out ]] &&
  grep -q '^iasim activities: SimGrid rejected nowhere_near.xml: .*Vivaldi coordinates of Netzone x$' err ||
  fault "SimGrid's words: $(cat err)"
for wrong in "" "s.txt" "-p p.xml" "-p p.xml s.txt s.txt" "-p p.xml --what s.txt"; do
  # shellcheck disable=SC2086 # several words
  activities 2 $wrong
  [[ -s err && ! -s out ]] || fault "'$wrong': no word of what is wrong"
done
# Names with blanks stand in quotes; "#" there begins no comment.
sed 's/"a"/"Lab #0"/g; s/"b"/"Lab3"/g' p.xml >blanks.xml
printf 'exec 0 "Lab #0" 9 # a comment\nexec 0 Lab3 3#another\ncomm 0 "Lab #0" "Lab3" 5\n' >quoted.txt
"$iasim" activities -p blanks.xml quoted.txt >out 2>err || fault "quoted names: $(cat err)"
[[ $(grep -c '"done"' out) == 3 ]] || fault "quoted names: $(cat out)"
for case in 'the closing quote of "Lab #0 9 is missing|exec 0 "Lab #0 9' \
  "a blank is missing before 'x 9'|exec 0 \"Lab #0\"x 9" \
  "the name between the quotes is empty|exec 0 \"\" 9"; do
  printf '%s\n' "${case#*|}" >quoted.txt
  "$iasim" activities -p blanks.xml quoted.txt >out 2>err && fault "passed: ${case#*|}"
  grep -qF -- "quoted.txt:1: ${case%%|*}" err || fault "${case#*|}: $(cat err)"
done

activities 0 --help
grep -q 'Example' out || fault "no example in --help"
echo "$faults faults"
((faults == 0))
