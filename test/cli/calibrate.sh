#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# calibrate.sh IASIM: rates from given points are exact, a real run on loopback is consistent in itself, and
# simulating either on the emitted platform finds the same rates again. How large measured rates are is not asserted:
# it depends on the machine.
# shellcheck source=test/cli/begin.sh
. "$(dirname "$0")/begin.sh"

refuse() { # refuse TEXT ARGUMENT...: with status 2 and one line
  local text=$1 status=0
  shift
  out=$("$iasim" calibrate "$@" 2>&1) || status=$?
  [[ $status == 2 ]] || fault "calibrate $*: status $status"
  [[ $(wc -l <<<"$out") == 1 || $out == *Try* ]] || fault "calibrate $*: several lines: $out"
  expect "calibrate $*" "$text"
}
json() { # json FILE EXPRESSION: of Python, about `r`
  python3 -c "import json, sys
r = json.load(open(sys.argv[1]))
f = {x['direction']: x for x in r['fits']}
print($2)" "$1"
}
holds() { # holds WHAT FILE EXPRESSION
  [[ $(json "$2" "$3") == True ]] || fault "$1: not so: $3; $(json "$2" "r['fits']")"
}

# simulate PLATFORM HOST PEER: the calibration of HOST on the simulated machine, as JSON in sim.json.
simulate() {
  local to=(--platform "$1" --host "$2" --loads 0 --duration 20 --alone 10 --interval 0.5)
  "$iasim" measure "${to[@]}" --send-to "$3" --out send.csv
  "$iasim" measure "${to[@]}" --receive-from "$3" --out recv.csv
  { cat send.csv && sed 1d recv.csv; } >sim.csv
  "$iasim" calibrate --runs sim.csv --json >sim.json
}

# --- given points: a plane with rates of 0.002 and 0.003 per MB/s, at 4e9 flop/s; synergy: 0.001 while receiving ---
{
  echo send_rate_MB_per_s,recv_rate_MB_per_s,compute_ratio,compute_flop_per_s
  for k in 0 25 50 100; do
    awk -v k="$k" 'BEGIN {
      printf "%g,0,%.15g,%.15g\n", k, 1 - .002 * k, 4e9 * (1 - .002 * k)
      printf "0,%g,%.15g,%.15g\n", k, 1 - .003 * k, 4e9 * (1 - .003 * k) }'
  done
  echo 50,50,0.8,3.2e9
  echo 100,25,0.825,3.3e9
  echo 10,80,0.75,3.0e9
} >plane.csv
"$iasim" calibrate --runs plane.csv --json --emit plane.xml --latency 0.0001 >plane.json 2>said
out=$(cat said)
expect emit 'plane.xml and plane.deployment.xml are written'
holds plane plane.json "abs(f['send']['ir_per_MB_s'] - .002) < 1e-12 and abs(f['recv']['ir_per_MB_s'] - .003) < 1e-12"
holds plane plane.json "all(x['r2'] > 1 - 1e-9 for x in f.values())"
holds plane plane.json "all(x['interval'][0] <= x['ir_per_MB_s'] <= x['interval'][1] for x in f.values())"
holds plane plane.json "abs(f['both']['ir_send_per_MB_s'] - .001) < 1e-9"
holds plane plane.json "abs(f['both']['ir_recv_per_MB_s'] - .003) < 1e-9"
holds plane plane.json "r['alone_flop_per_s'] == 4e9 and len(r['points']) == 11 and 'peer' not in r"
out=$(cat plane.xml)
expect plane.xml '<host id="host" speed="4000000000f">'
expect plane.xml '<prop id="ir_send_duplex" value="0.00'
expect plane.xml '<link id="host_to_peer" bandwidth="100MBps" latency="0.0001s"/>'
"$iasim" platform check plane.xml >/dev/null || fault 'plane.xml does not load'
simulate plane.xml host peer
# To 1e-5: the computing of an interval is counted by whole tasks (`iasim measure --help`).
holds 'plane, simulated' sim.json "abs(f['send']['ir_per_MB_s'] / .002 - 1) < 1e-5"
holds 'plane, simulated' sim.json "abs(f['recv']['ir_per_MB_s'] / .003 - 1) < 1e-5"
"$iasim" measure --platform plane.xml --host host --send-to peer --receive-from peer --loads 0 >sim.csv
"$iasim" calibrate --runs sim.csv --json >sim.json # at once each takes 100 MB/s: 1 - 0.1 - 0.3 is left
holds 'both, simulated' sim.json "abs(f['both']['ir_per_MB_s'] / .002 - 1) < 1e-5"
out=$("$iasim" farm -p plane.xml -d plane.deployment.xml --policy ia_multi --tasks 100 --send-size 1 --compute-size 1e9)
expect farm peer

# --- points that scatter by more than what they show: printed and written, but no platform is made of them unless
# that is asked for ---
awk 'BEGIN { print "send_rate_MB_per_s,recv_rate_MB_per_s,compute_ratio,compute_flop_per_s"
  for (k = 0; k < 24; k++) {
    r = 1 + (k % 2 ? .4 : -.4) * (k % 3 - .5); printf "%g,0,%.3f,%.3fe9\n", k % 5 * 20, r, r } }' >noise.csv
status=0
out=$("$iasim" calibrate --runs noise.csv --emit noise.xml 2>said) || status=$?
[[ $status == 1 && ! -e noise.xml && ! -e noise.deployment.xml ]] || fault "a platform of noise: status $status"
expect 'noise, in the report' 'host: the rate of sending is lost in noise (R2 0.'
out=$(cat said)
expect 'noise' 'no platform is written: host: the rate of sending is lost in noise'
"$iasim" calibrate --runs noise.csv --emit noise.xml --anyway --json >noise.json 2>/dev/null || fault '--anyway'
[[ -e noise.xml && -e noise.deployment.xml ]] || fault '--anyway wrote nothing'
holds noise noise.json "f['send']['judgement'] == 'noise' and f['send']['interval'][0] < 0 < f['send']['interval'][1]"

# --- a peer of its own; a rate below 0 is kept in the report and becomes 0 in the platform ---
sed 's/0.002/x/' plane.csv >a.csv
printf 'send_rate_MB_per_s,recv_rate_MB_per_s,compute_ratio\n0,0,1\n10,0,1.1\n20,0,1.2\n' >faster.csv
"$iasim" calibrate --runs a.csv --runs faster.csv --speed 7 --emit two.platform.xml --anyway --name me --json \
  >two.json 2>said
out=$(cat said)
expect negative \
  'peer: the rate of sending was fitted as -0.01 per MB/s; a rate is never negative, so the platform has 0'
expect names 'two.platform.xml and two.deployment.xml are written'
holds negative two.json "abs(r['peer']['fits'][0]['ir_per_MB_s'] + .01) < 1e-12 and r['host'] == 'me'"
out=$(cat two.platform.xml)
expect two.platform.xml '<host id="peer" speed="7f">'
expect two.platform.xml '<prop id="ir_send" value="0"/>'
expect 'one host has sent 20, the other received 100' '<link id="peer_to_me" bandwidth="20MBps"'
expect 'one host has sent 100, the other received nothing' '<link id="me_to_peer" bandwidth="100MBps"'
out=$("$iasim" calibrate --runs faster.csv)
expect table '-0.01'
expect 'a table without a speed' 'host: 3 points'
out=$("$iasim" calibrate --runs plane.csv --speed 7)
expect '--speed wins' 'host: 7 flop/s alone, 11 points'

# --- a real run ---
start_listener() { # start_listener ARGUMENT...: `pid`, and `call` with what the caller has to give
  rm -f listener.err # an old one would have an old token
  "$iasim" calibrate --listen 127.0.0.1:0 --name left "$@" >listener.out 2>listener.err &
  pid=$!
  until grep -qs token listener.err; do
    kill -0 $pid 2>/dev/null || { cat listener.err && exit 1; }
    sleep 0.05
  done
  read -ra call <<<"$(sed -n 's/.*iasim calibrate \(--to.*\)/\1/p' listener.err)"
}
start_listener --json --out left.csv
"$iasim" calibrate "${call[@]}" --name right --seconds 2 --json --out right.csv --emit loop.xml --anyway >right.json \
  2>said ||
  fault "caller: $? $(cat said)"
wait $pid || fault "listener: $? $(cat listener.err)"
mv listener.out left.json
cat >same.py <<'END'
import csv, json, sys
# The fits are those of the points by textbook sums, and both sides know the same of both hosts.
def line(points, send):
    key, other = ("send", "recv") if send else ("recv", "send")
    rows = [(float(p[key + "_rate_MB_per_s"]), float(p["compute_ratio"]))
            for p in points if float(p[other + "_rate_MB_per_s"]) == 0]
    n, mx, my = len(rows), sum(x for x, _ in rows) / len(rows), sum(y for _, y in rows) / len(rows)
    xx, yy = sum((x - mx) ** 2 for x, _ in rows), sum((y - my) ** 2 for _, y in rows)
    xy = sum((x - mx) * (y - my) for x, y in rows)
    return n, -xy / xx, xy * xy / xx / yy
def near(a, b): return abs(a - b) <= 1e-6 * max(abs(a), abs(b)) + 1e-12
left, right = json.load(open("left.json")), json.load(open("right.json"))
for one, other, name in (left, right, "left"), (right, left, "right"):
    points = list(csv.DictReader(open(name + ".csv")))
    assert one["host"] == name == other["peer"]["host"]
    assert len(points) == len(one["points"]) == len(other["peer"]["points"]) >= 15
    for p, q in zip(points, one["points"]):
        assert all(near(float(p[k]), q[k]) for k in p), (p, q)
    fits, theirs = ({f["direction"]: f for f in x["fits"]} for x in (one, other["peer"]))
    assert list(fits) == ["send", "recv", "both"]
    assert 0 <= one["steal_ratio"] == other["peer"]["steal_ratio"] <= 1 and one["others_processors"] >= 0
    for d in "send", "recv":
        n, ir, r2 = line(points, d == "send")
        assert n == fits[d]["n"] and near(ir, fits[d]["ir_per_MB_s"]) and near(r2, fits[d]["r2"]), (n, ir, r2, fits[d])
    for d in fits:
        low, high = fits[d]["interval"]
        assert low < fits[d]["ir_per_MB_s"] < high and near(low + high, 2 * fits[d]["ir_per_MB_s"])
        assert near(fits[d]["ir_per_MB_s"], theirs[d]["ir_per_MB_s"])
    alone = sorted(float(p["compute_flop_per_s"]) for p in points if float(p["send_rate_MB_per_s"])
                   + float(p["recv_rate_MB_per_s"]) == 0)
    assert alone[0] <= one["alone_flop_per_s"] <= alone[-1]
    assert near(one["alone_flop_per_s"], other["peer"]["alone_flop_per_s"])
END
python3 same.py || fault 'a real run: see above'
"$iasim" calibrate --runs right.csv --json >again.json
holds 'points that were written' again.json \
  "[x['ir_per_MB_s'] for x in r['fits']] == [x['ir_per_MB_s'] for x in json.load(open('right.json'))['fits']]"
"$iasim" fit planar right.csv >/dev/null || fault 'iasim fit does not take the points'

# --- the loop closes: a farm runs on the platform, and simulating the calibration gives what was measured ---
"$iasim" platform check loop.xml >/dev/null || fault "loop.xml does not load: $(cat loop.xml)"
"$iasim" farm -p loop.xml -d loop.deployment.xml --policy ia_multi --tasks 50 --send-size 1 --compute-size 1e7 \
  >/dev/null ||
  fault 'no farm on loop.xml'
# A noisy machine may give a rate that takes the whole processor at full speed; then nothing is left to be simulated.
for host in right left; do
  [[ $host == right ]] && peer=left || peer=right
  peaks="max(x['ir_per_MB_s'] * max(p[d + '_rate_MB_per_s'] for p in r['points']) for d, x in f.items() if d != 'both')"
  [[ $(json $host.json "$peaks < 0.9") == True ]] || { echo "the loop of $host is not tested: noise" && continue; }
  simulate loop.xml "$host" "$peer"
  cat >closes.py <<'END'
import json, sys
measured, simulated = json.load(open(sys.argv[1])), json.load(open("sim.json"))
for m, s in zip(measured["fits"], simulated["fits"]):
    assert m["direction"] == s["direction"]
    low, high = (max(0, x) for x in m["interval"]) # a rate below 0 is emitted as 0
    assert low - 1e-9 <= s["ir_per_MB_s"] <= high + 1e-9, (m, s)
END
  python3 closes.py $host.json || fault "the loop of $host does not close: $(cat loop.xml)"
done

# --- refusals ---
refuse 'what is to be measured is missing' --seconds 3
refuse 'exclude each other' --listen 127.0.0.1:0 --runs a.csv
refuse 'no address before the port; there is no default' --listen :7000
refuse "has no port; expected ADDRESS:PORT" --listen 127.0.0.1
refuse 'write an IPv6 address in brackets' --listen ::1:7000
refuse "--to needs the listener's token: --token, --token-file or IASIM_TOKEN" --to 127.0.0.1:7000
refuse '--token is not a token' --to 127.0.0.1:7000 --token x
IASIM_TOKEN=x refuse 'IASIM_TOKEN is not a token' --to 127.0.0.1:7000
refuse 'the content of a.csv is not a token' --to 127.0.0.1:7000 --token-file a.csv
refuse 'token.nowhere: cannot open' --to 127.0.0.1:7000 --token-file token.nowhere
refuse 'the port must be a number from 1 to 65535' --to 127.0.0.1:0 --token 0123456789abcdef0123456789abcdef
refuse 'cannot connect: Connection refused' --to 127.0.0.1:1 --token 0123456789abcdef0123456789abcdef
refuse '--seconds 0 is out of range' --listen 127.0.0.1:0 --seconds 0
refuse 'there is no such processor' --listen 127.0.0.1:0 --pin 1000
# Before anything is measured: nobody calls here.
refuse 'nowhere/b.csv: cannot write' --listen 127.0.0.1:0 --out nowhere/b.csv
refuse 'nowhere/p.xml: cannot write' --listen 127.0.0.1:0 --emit nowhere/p.xml
refuse 'ends with .xml' --runs a.csv --emit platform
refuse 'nowhere.csv: cannot open' --runs nowhere.csv
refuse 'the speed of host host is unknown' --runs faster.csv --emit x.xml
refuse '--name must be' --listen 127.0.0.1:0 --name 'a"b'
[[ ! -e x.xml && ! -e x.deployment.xml ]] || fault 'half an emission is left'
out=$("$iasim" calibrate --listen 127.0.0.1:0 --wait 0.2 2>&1) && fault 'nobody came'
expect waiting 'iasim calibrate: no connection arrived'

# --- a port in use, a wrong token, garbage, a listener that is ended ---
start_listener
refuse 'cannot listen there: Address already in use' --listen "${call[1]}"
refuse 'rejects the token' --to "${call[1]}" --token 0123456789abcdef0123456789abcdef
port=${call[1]##*:}
{ exec 3<>"/dev/tcp/127.0.0.1/$port" && printf 'GET / HTTP/1.0\r\n\r\n' >&3 && cat <&3 &&
  exec 3>&-; } >answer 2>/dev/null || true
[[ ! -s answer ]] || fault "garbage got an answer: $(cat answer)"
out=$(cat listener.err)
expect 'a refused caller' "a caller was refused: its token is not the listener's"
kill -TERM $pid
wait $pid && fault 'a listener that is ended gives success'
refuse 'cannot connect: Connection refused' "${call[@]}"

# --- a token from a file and from the environment: in no list of processes ---
echo ' 0123456789abcdef0123456789abcde5 ' >secret
"$iasim" calibrate --listen 127.0.0.1:0 --token-file secret --seconds 1 >listener.out 2>listener.err &
until grep -qs 'with the same token' listener.err; do sleep 0.05; done
to=$(sed -n 's/.*--to \([^ ]*\) .*/\1/p' listener.err)
IASIM_TOKEN=$(tr -d ' ' <secret) "$iasim" calibrate --to "$to" --matrix 16 >out 2>said ||
  fault "IASIM_TOKEN: $(cat said)"
wait $! || fault "--token-file: $(cat listener.err)"
! grep -q abcde5 listener.err || fault 'the token is printed'

# --- one side dies in the middle: the other ends, with a reason ---
dies() { # dies SIDE SIGNAL: "caller" or "listener"
  local status=0
  start_listener
  "$iasim" calibrate "${call[@]}" --seconds 60 >caller.out 2>caller.err &
  local caller=$! dead=$pid left=$! said=caller.err
  sleep 1
  [[ $1 == listener ]] || dead=$caller left=$pid said=listener.err
  kill "-$2" "$dead"
  wait "$dead" 2>/dev/null || true
  wait "$left" || status=$?
  out=$(cat $said)
  [[ $status == 2 ]] || fault "the $1 dies: status $status"
  expect "the $1 dies" 'iasim calibrate: the other side'
}
dies caller TERM
dies listener KILL

# --- IPv6, where there is any ---
if grep -q 00000000000000000000000000000001 /proc/net/if_inet6 2>/dev/null; then
  "$iasim" calibrate --listen '[::1]:0' --wait 0.1 2>six.err && fault 'nobody came'
  grep -q -- '--to \[::1\]:[1-9]' six.err || fault "IPv6: $(cat six.err)"
fi

echo "$faults faults"
((faults == 0))
