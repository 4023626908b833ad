#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# worlds.sh IASIM PLUGIN PROGRAM: worlds and cost models of a plugin (worlds.c). One that is `interference` again gives
# the same bytes; one with a threshold gives the dates of its closed form in both engines, in a farm, and under PROGRAM
# (test/simgrid/world.c); what is charged is what was planned; what goes wrong costs one run, or one point, and a
# message.
set -euo pipefail
iasim=$1 plugin=$2 program=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
IASIM_DATA=${here%/test/plugin}
export IASIM_DATA ASAN_OPTIONS=handle_segv=0:handle_abort=0:detect_leaks=0
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
cd "$dir"
cp "$plugin" worlds.so
mine=(--plugin ./worlds.so)

faults=0
fault() { echo "$*" && faults=$((faults + 1)); }
fails() { # fails STATUS WORDS ARGUMENT...: with this status, a message that has WORDS, and nothing on stdout
  local want=$1 words=$2 status=0
  shift 2
  timeout 60 "$iasim" "${mine[@]}" "$@" >out 2>talk </dev/null || status=$?
  [[ $status == "$want" && ! -s out ]] || fault "iasim $*: status $status (expected $want), $(head -c 300 out)"
  grep -qF -- "$words" talk || fault "iasim $*: expected '$words' in: $(cat talk)"
}
same() { # same WORDS ARGUMENT...: the same bytes in both worlds, in which W is replaced by the name
  "$iasim" "${mine[@]}" "${@//W_O_R_L_D/interference}" >ours 2>&1 || fault "$*: $(cat ours)"
  "$iasim" "${mine[@]}" "${@//W_O_R_L_D/as_interference}" 2>&1 | sed 's/as_interference/interference/' >theirs || true
  cmp -s ours theirs || fault "not as interference: $*: $(diff ours theirs | head -n 4)"
}

# --- interference again, to the last bit ---
for seed in 1 2; do
  "$iasim" platform generate tree --hosts 12 --seed $seed --ir-send 0.001:0.05 --ir-recv 0.001:0.05 --out tree >out
  for engine in events actors; do
    same farm --platform tree.platform.xml --deployment tree.deployment.xml --world W_O_R_L_D --engine $engine \
      --policy ia_multi --tasks 60 --send-size 1 --compute-size 5 --json
  done
  "$iasim" graph generate 'layered[tasks=25,width=5]' --seed $seed --ccr 2 --platform platforms/sinnen-hetero.xml \
    --out g.dot >out
  "$iasim" schedule --platform platforms/sinnen-hetero.xml --graph g.dot --model contention --scheduler etf \
    --out s.json >out
  for links in fluid exclusive; do for engine in events actors; do
    how=(--links $links --engine $engine)
    same replay --platform platforms/sinnen-hetero.xml --graph g.dot --world W_O_R_L_D "${how[@]}" \
      --ir-send 0.004 --ir-recv 0.003 --json s.json
  done; done
  awk -v seed=$seed 'BEGIN {
    srand(seed); n = split("Lab0 Lab3 Lab4 Lab5 Lab6 SB0 Tenn", h, " ")
    for (i = 0; i < 40; i++) print "exec", rand() * 20, h[1 + int(rand() * n)], rand() * 100
    for (i = 0; i < 60; i++) print "comm", rand() * 20, h[1], h[2 + int(rand() * (n - 1))], int(rand() * 2e7)
  }' >script
  same activities --platform platforms/kreaseck-fork.xml --world W_O_R_L_D script
done
same measure --platform platforms/kreaseck-fork.xml --host Lab0 --send-to Lab3 --receive-from Lab4 --duration 40 \
  --loads 0 --world W_O_R_L_D

# --- a threshold: computing needs b = 8e7 bytes/s, a transfer a = 2 times its rate, of a capacity M.
#     Two links of r = 1e7 bytes/s; each host computes 1e9 flop/s: (M - a sum r) / b of that where b + a sum r > M. ---
hosts() { # hosts FILE PROPERTY_OF_B
  cat >"$1" <<END_OF_PLATFORM
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config><prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/></config>
  <zone id="zone" routing="Full">
    <host id="a" speed="1Gf"/><host id="b" speed="1Gf">$2</host><host id="c" speed="1Gf"/>
    <link id="ab" bandwidth="10MBps" latency="0"/><link id="ac" bandwidth="10MBps" latency="0"/>
    <route src="a" dst="b"><link_ctn id="ab"/></route><route src="a" dst="c"><link_ctn id="ac"/></route>
    <route src="b" dst="c"><link_ctn id="ab"/><link_ctn id="ac"/></route>
  </zone>
</platform>
END_OF_PLATFORM
}
hosts abc.xml ''
hosts own.xml '<prop id="memory" value="1.1e8"/>'
hosts odd.xml '<prop id="memory" value="much"/>'

ends() { # ends PLATFORM WORLD SCRIPT FINISH...: of the activities, in the order of the script
  local platform=$1 world=$2 want="${*:4}"
  printf '%b' "$3" >script
  "$iasim" "${mine[@]}" activities --platform "$platform" --world "$world" script >out 2>talk ||
    fault "$world: $(cat talk)"
  got=$(sed -n 's/.*"finish_s": \([0-9.e+-]*\).*/\1/p' out | xargs)
  awk -v got="$got" -v want="$want" 'BEGIN {
    n = split(want, w, " "); if (split(got, g, " ") != n) exit 1
    for (i = 1; i <= n; i++) { d = g[i] - w[i]; if (d > 1e-9 || d < -1e-9) exit 1 } }' ||
    fault "$platform, $world: ends at $got, expected $want"
}
one='exec 0 a 1e9\nexec 0 b 1e9\ncomm 0 a b 10000000\n'
ends abc.xml 'memory[capacity=9e7]' "$one" 1.125 1.125 1 # 7/8 for 1 s: 1/8 is left
ends abc.xml 'memory[capacity=1e8]' "$one" 1 1 1         # it suffices
ends abc.xml 'memory[capacity=99999999]' "$one" 1.0000000125 1.0000000125 1
ends abc.xml 'memory[capacity=1e7]' "$one" 2 2 1 # both stand still
ends own.xml 'memory[capacity=9e7]' "$one" 1.125 1 1
ends abc.xml 'memory[capacity=6e7,need=5e7,copies=4]' "$one" 1.6 1.6 1
# The second transfer alone exceeds it: 3/4 from 0.5 to 1.
ends abc.xml 'memory[capacity=1e8]' 'exec 0 a 2e9\ncomm 0 a b 10000000\ncomm 0.5 a c 10000000\n' 2.125 1 1.5
# Halves, with all peers but a: 1/2 until 0.5, 1/4 until 1, 1/2 until 1.5.
ends abc.xml saturates 'exec 0 a 2e9\nexec 0 b 1e9\ncomm 0 a b 10000000\ncomm 0.5 a c 10000000\n' 2.875 1 1 1.5
ends abc.xml negative "$one" 2 2 1
ends abc.xml above "$one" 1 1 1
ends abc.xml leak "$one" 1.5 1.5 1
fails 2 \
  "world memory[capacity=9e7] of plugin ./worlds.so gives host 'b' the speed factor nan; it must be a finite number" \
  activities --platform odd.xml --world 'memory[capacity=9e7]' script

printf 'digraph g { A [size=0]; B [size=0]; C [size=1000000000]; D [size=1000000000]; A -> B [size=10000000]; }' \
  >abcd.dot
printf 'A a\nB b\nC a\nD b\n' >allocation
printf 'A\nC\nD\nB\n' >order
"$iasim" schedule --platform abc.xml --graph abcd.dot --model classic --scheduler list --allocation allocation \
  --order order \
  --out abcd.json >out 2>&1 || fault "schedule: $(cat out)"
for links in fluid exclusive; do for engine in events actors; do
  how=(--links $links --engine $engine)
  "$iasim" "${mine[@]}" replay --platform abc.xml --graph abcd.dot --world 'memory[capacity=9e7]' \
    "${how[@]}" --json abcd.json >out 2>&1 || fault "${how[*]}: $(cat out)"
  grep -q '"makespan_s": 1.125\(0*[1-9]\)\?,\?$' out || fault "replay, ${how[*]}: $(grep makespan out)"
done; done

cat >ab.deployment.xml <<'END_OF_DEPLOYMENT'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <actor host="a" function="farm_node"/>
  <actor host="b" function="farm_node"><argument value="a"/></actor>
</platform>
END_OF_DEPLOYMENT
# The root computes one task and sends the other, which b then computes, without transfers.
for engine in events actors; do
  "$iasim" "${mine[@]}" farm --platform abc.xml --deployment ab.deployment.xml --policy fcfs --tasks 2 --send-size 10 \
    --compute-size 1e9 --world 'memory[capacity=9e7]' --engine $engine --json >out 2>talk || fault "farm: $(cat talk)"
  [[ $(sed -n 's/.*"busy_s": \([0-9.]*\).*/\1/p' out | xargs printf '%.9f ') == '1.125000000 1.000000000 ' ]] ||
    fault "farm, $engine: $(cat out)"
done

# --- any SimGrid program: 1e9 flop on a, while 1e7 bytes leave it in 1 s ---
platform=$IASIM_DATA/test/simgrid/platform.xml
is() { # is TEXT WANTED: the same, up to a * that ends what is wanted, because lists of names grow
  [[ $1 == "$2" || ($2 == *'*' && $1 == "${2%\*}"*) ]]
}
runs() { # runs STATUS LAST_LINE WORLD
  local status=0
  "$iasim" "${mine[@]}" exec --world "$3" -- "$program" "load:$platform" run --log=root.thres:critical >out 2>&1 ||
    status=$?
  [[ $status == "$1" ]] && is "$(tail -n 1 out)" "$2" || fault "exec, $3: status $status, $(cat out)"
}
runs 0 'computed until 1.125' 'memory[capacity=9e7]'
runs 0 'computed until 1' 'memory[capacity=1e8]'
runs 0 'computed until 1.3' as_interference
runs 0 'computed until 1.5' saturates
runs 2 "iasim: world nan of plugin $dir/worlds.so gives host 'a' the speed factor nan; it must be a finite number" nan
runs 2 "iasim: in plugin $dir/worlds.so: speed_factor_ratio of world exit: has ended the process with status 0" exit
runs 2 \
  "iasim exec: world 'fixed' occupies processors; a SimGrid program can be given one that only changes the speed of hosts: none, interference*" \
  fixed
runs 2 'iasim exec: world memory: parameter need is 0; it must be between 1 and 1e+15 bytes/s' 'memory[need=0]'

# --- what is charged is what was planned ---
on=(--platform platforms/sinnen-hetero.xml --graph g.dot)
"$iasim" "${mine[@]}" schedule "${on[@]}" --model 'fixed[each=0.1]' --scheduler heft --out s.json >out 2>&1 ||
  fault "fixed: $(cat out)"
"$iasim" "${mine[@]}" check "${on[@]}" s.json >out 2>&1 || fault "check: $(cat out)"
for engine in events actors; do
  "$iasim" "${mine[@]}" replay "${on[@]}" --world 'fixed[each=0.1]' --links exclusive --engine $engine s.json >out 2>&1
  grep -q ': the plan was off by 0 %$' out || fault "fixed, $engine: $(cat out)"
  "$iasim" "${mine[@]}" replay "${on[@]}" --world both --engine $engine --ir-send 0.004 s.json >out.$engine 2>&1 ||
    fault "both: $(cat out.$engine)"
done
cmp -s out.events out.actors || fault "both: $(diff out.events out.actors)"
mine=()
fails 2 "s.json:1: unknown model 'fixed'; known: " replay "${on[@]}" --world none s.json
grep -q "; if a plugin has it, load that first: iasim --plugin FILE" talk || fault "no hint: $(cat talk)"
mine=(--plugin ./worlds.so)
"$iasim" --complete "${mine[@]}" replay --world mem >out
grep -q '^memory' out || fault "completion: $(cat out)"

# --- what goes wrong: one command ---
farm=(farm --platform abc.xml --deployment ab.deployment.xml --policy fcfs --tasks 4 --send-size 10 --compute-size 1e9 \
  --json)
plan=(schedule "${on[@]}" --scheduler heft --out bad.json --model)
whose='in plugin ./worlds.so: speed_factor_ratio of world'
for engine in events actors; do
  fails 2 "world nan of plugin ./worlds.so gives host 'a' the speed factor nan" "${farm[@]}" --world nan \
    --engine $engine
  fails 2 "world minus_infinite of plugin ./worlds.so gives host 'a' the speed factor -infinity" "${farm[@]}" \
    --world minus_infinite --engine $engine
  fails 2 "$whose crash: crashed by signal 11" "${farm[@]}" --world crash --engine $engine
  fails 2 "$whose abort: crashed by signal 6" "${farm[@]}" --world abort --engine $engine
  fails 2 "$whose exit: has ended the process with status 0" "${farm[@]}" --world exit --engine $engine
  fails 2 "$whose child: it has left a process behind" "${farm[@]}" --world child --engine $engine
  fails 2 "world infinite of plugin ./worlds.so gives host '" replay --platform abc.xml --graph abcd.dot \
    --world infinite --engine $engine abcd.json
done
! pgrep -f "$dir" >out || fault "processes are left: $(cat out)"
fails 2 'world nan of plugin' measure --platform abc.xml --host a --send-to b --world nan
fails 2 'model end_nan of plugin ./worlds.so gives nan as the involvement of a message; it must be a finite number' \
  "${plan[@]}" end_nan
fails 2 'model end_negative of plugin ./worlds.so gives -3 s as the involvement of a message; it must not be negative' \
  "${plan[@]}" end_negative
fails 2 'model way_nan of plugin ./worlds.so gives nan as the time under way of a message' "${plan[@]}" way_nan
fails 2 'in plugin ./worlds.so: end of model end_crash: crashed by signal 11' "${plan[@]}" end_crash
fails 2 'in plugin ./worlds.so: transit_s of model way_crash: crashed by signal 11' "${plan[@]}" way_crash
fails 2 'end of model end_child: it has left a process behind' "${plan[@]}" end_child
[[ ! -e bad.json ]] || fault 'a plan of a bad model is written'
sed 's/fixed\[each=0.1\]/end_nan/' s.json >nan.json
fails 2 'model end_nan of plugin ./worlds.so gives nan as the involvement' check "${on[@]}" nan.json
fails 2 'model end_nan of plugin ./worlds.so gives nan as the involvement' "${farm[@]}" --world end_nan
fails 2 "world memory has no parameter 'x'; known: need, copies, capacity" "${farm[@]}" --world 'memory[x=1]'
fails 2 "world saturates has no parameter 'x': it takes none" "${farm[@]}" --world 'saturates[x=1]'

# --- a sweep: other points are what they are without it, keys know the plugin's bytes ---
run() { # run DB OPTION...: a farm
  "$iasim" "${mine[@]}" run smoke --set policy=fcfs --quiet --time-limit 1.5 --out "$1" "${@:2}" >out 2>talk \
    </dev/null || (($? == 1)) || fault "run: $(cat talk)"
  "$iasim" export "$1" >"$1.csv"
}
mine=()
run good.db --set world=interference
mine=(--plugin ./worlds.so)
run mixed.db --set world=interference,as_interference,nan,crash,loop,twice,child --jobs 2
grep -E '^key|,interference,' mixed.db.csv | cmp -s - good.db.csv ||
  fault 'the good points are others beside the bad ones'
says() {
  local n_rows n_say
  n_rows=$(grep -cF -- ",$1," mixed.db.csv) || true
  n_say=$(grep -F -- ",$1," mixed.db.csv | grep -cF -- "$2") || true
  [[ $n_rows -gt 0 && $n_rows == "$n_say" ]] ||
    fault "$1: expected '$2' in $(grep -F ",$1," mixed.db.csv | cut -c 1-400)"
}
says nan 'world nan of plugin ./worlds.so gives host '
says crash "crashed with SIGSEGV (Segmentation fault): $whose crash"
says loop 'not done within the time limit of 1.5 s'
says twice "$whose twice: it has left a process behind"
says child "$whose child: it has left a process behind"
figures() { grep ",$1," "$2" | sed "s/^[^,]*,//; s/,$1,/,/" | sort; }
[[ -n $(figures interference mixed.db.csv) && $(figures interference \
  mixed.db.csv) == "$(figures as_interference mixed.db.csv)" ]] ||
  fault 'as_interference has other figures than interference'
keys() { cut -d, -f1 <(grep "$2" "$1") | sort; }
run before.db --set world=as_interference
echo >>worlds.so
run after.db --set world=as_interference
[[ -z $(comm -12 <(keys before.db.csv as_interference) <(keys after.db.csv as_interference)) ]] ||
  fault 'keys do not know the bytes of a world'
cat >plans.xml <<END_OF_SCENARIO
<scenario name="plans" experiment="plan">
  <param name="platform" value="$IASIM_DATA/platforms/sinnen-hetero.xml"/>
  <param name="generator" value="cholesky[tiles=4]"/>
  <param name="ccr" value="1"/>
  <param name="scheduler" value="list"/>
</scenario>
END_OF_SCENARIO
"$iasim" "${mine[@]}" run plans.xml --set "model=classic,fixed,fixed[each=1],end_nan,end_loop,end_crash" --quiet \
  --time-limit 1.5 --out plans.db >out 2>talk || (($? == 1)) || fault "plans: $(cat talk)"
"$iasim" export plans.db >mixed.db.csv
says end_nan 'model end_nan of plugin ./worlds.so gives nan'
says end_loop 'not done within the time limit'
says end_crash 'in plugin ./worlds.so: end of model end_crash'
[[ $(grep -c ',fixed' mixed.db.csv) == 2 && $(grep ',fixed' mixed.db.csv) != *plugin* ]] ||
  fault "fixed: $(cat mixed.db.csv)"

echo "$faults faults"
((faults == 0))
