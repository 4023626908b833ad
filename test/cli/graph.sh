#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# graph.sh IASIM: generated graphs meet their CCR and are told about rightly, survive a conversion, and what cannot be
# is refused with one message and no file.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

close() { # close GOT WANT RELATIVE: the numbers are equal but for that
  awk -v a="$1" -v b="$2" -v r="$3" 'BEGIN { d = a - b; exit !(a != "" && (d < 0 ? -d : d) <= r * (b < 0 ? -b : b)) }'
}
value() { sed -n "s/^ \"$2\": \\(.*[^,]\\),*\$/\\1/p" "$1"; } # value FILE KEY: of printed JSON
told() { # told FILE KEY WANT [RELATIVE]
  close "$(value "$1" "$2")" "$3" "${4:-0}" || fault "$1: $2 is '$(value "$1" "$2")', expected $3"
}
refused() { # refused WORDS ARGUMENT...: status 2, one message that contains WORDS, nothing on stdout
  local status=0 words=$1
  shift
  "$iasim" graph "$@" >said.out 2>said.err || status=$?
  [[ $status == 2 && ! -s said.out ]] || fault "iasim graph $*: status $status, stdout $(head -c 100 said.out)"
  grep -qF -- "$words" said.err || fault "iasim graph $*: '$words' is not in: $(cat said.err)"
  [[ $(grep -c '' said.err) -le 2 ]] ||
    fault "iasim graph $*: more than a message: $(cat said.err)" # argp adds where to ask
}

# Three speeds; l1 and l2 are on routes between different hosts, l3 is not.
cat >three.xml <<'END'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf"/>
    <host id="b" speed="2Gf"/>
    <host id="c" speed="4Gf"/>
    <link id="l1" bandwidth="100MBps" latency="1us"/>
    <link id="l2" bandwidth="200MBps" latency="1us"/>
    <link id="l3" bandwidth="500MBps" latency="1us"/>
    <route src="a" dst="b"><link_ctn id="l1"/></route>
    <route src="a" dst="c"><link_ctn id="l2"/></route>
    <route src="b" dst="c"><link_ctn id="l1"/><link_ctn id="l2"/></route>
  </zone>
</platform>
END
cat >one.xml <<'END'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full"><host id="a" speed="1Gf"/></zone>
</platform>
END

# ---- the same seed, the same bytes; the CCR is met ----
spec='layered[tasks=50,width=8]'
"$iasim" graph generate "$spec" --seed 7 --out g.dot
"$iasim" graph generate "$spec" --seed 7 >again.dot
"$iasim" graph generate "$spec" --seed 8 --out - >other.dot
cmp g.dot again.dot || fault 'the same seed gave other bytes'
! cmp -s g.dot other.dot || fault 'another seed gave the same bytes'
# by hand: a byte takes (1/1e8 + 1/2e8)/2 s on a link, a flop (1 + 1/2 + 1/4)/3 ns on a host
ccr_of() { awk -v v="$(value "$1" volume_bytes)" -v w="$(value "$1" work_flop)" \
  'BEGIN { printf "%.17g", v * 0.75e-8 / (w * 1.75e-9 / 3) }'; }
n_ccr=0
for ccr in 0.1 1 10 1e-3 123.456; do
  for generator in "$spec" cholesky series_parallel 'stencil[heterogeneity=0.3]'; do
    "$iasim" graph generate "$generator" --seed 7 --ccr $ccr --platform three.xml --out ccr.dot
    "$iasim" graph info ccr.dot --json --platform three.xml >ccr.json
    told ccr.json ccr $ccr 1e-12
    close "$(ccr_of ccr.json)" $ccr 1e-12 || fault "$generator: the CCR by hand is $(ccr_of ccr.json), expected $ccr"
    n_ccr=$((n_ccr + 1))
  done
done
"$iasim" graph convert g.dot ccr.dot --ccr 3 --platform three.xml
"$iasim" graph info ccr.dot --json --platform three.xml >ccr.json
told ccr.json ccr 3 1e-12
told ccr.json tasks 50
"$iasim" graph info g.dot --json >g.json
told ccr.json work_flop "$(value g.json work_flop)" 1e-15 # only the edges are scaled

# ---- what info tells ----
"$iasim" graph generate 'fork_join[branches=6,stages=2]' --seed 1 --out fj.dot
"$iasim" graph info fj.dot --json --platform three.xml >fj.json
told fj.json tasks 15
told fj.json edges 24
told fj.json sources 1
told fj.json sinks 1
told fj.json depth 5
told fj.json width 6
told fj.json work_flop 15e9
told fj.json volume_bytes 24e6
told fj.json critical_path_flop 5e9
told fj.json parallelism 3 1e-15
told fj.json critical_path_bound_s 1.25 1e-15
told fj.json sequential_s 3.75 1e-15
told fj.json work_bound_s 2.1428571428571428 1e-15
[[ $(grep -A5 critical_path\" fj.json | tr -d '\n ') == \
  '"critical_path":["fork","task_0_0","join_0","task_1_0","join_1"'* ]] ||
  fault "critical path: $(grep -A5 critical_path\" fj.json)"
"$iasim" graph info fj.dot --platform three.xml >fj.txt
for line in 'tasks *15' 'parallelism *3 ' 'CCR *' 'fork -> task_0_0 -> join_0 -> task_1_0 -> join_1'; do
  grep -q "$line" fj.txt || fault "info does not print: $line"
done
"$iasim" graph generate 'chain[tasks=100]' --seed 1 | "$iasim" graph info - --format dot >chain.txt
grep -q '100 tasks: task_0 -> task_1 -> task_2 -> task_3 -> ... -> task_96 -> task_97 -> task_98 -> task_99$' \
  chain.txt ||
  fault "a long path: $(tail -1 chain.txt)"
"$iasim" graph generate 'independent[work_flop=0]' --seed 1 --out idle.dot
"$iasim" graph info idle.dot --json --platform three.xml >idle.json
grep -q '"parallelism": null' idle.json && grep -q '"ccr": null' idle.json || fault 'a graph without work has a ratio'
sed 's/speed="[^"]*"/speed="1e-307f"/' three.xml >slow.xml
refused 'is too slow for the' info g.dot --platform slow.xml --json
refused 'is too slow for the' generate chain --seed 1 --ccr 1 --platform slow.xml --out no.dot
printf 'digraph { "\xe9" [size=2]; b [size=1]; "\xe9" -> b }' >$'\xe9.dot' # Latin-1
"$iasim" graph info $'\xe9.dot' --json >latin.json
told latin.json tasks 2
grep -q '"graph": "?.dot"' latin.json && grep -qx ' *"?",' latin.json ||
  fault "names that JSON cannot say: $(cat latin.json)"

# ---- conversion ----
"$iasim" graph convert g.dot g.json
"$iasim" graph convert g.json back.dot
"$iasim" graph convert --to dot g.dot - >copy.dot
cmp g.dot copy.dot || fault 'dot to dot changes bytes'
for file in g.dot g.json back.dot; do
  "$iasim" graph info "$file" --json >info.json
  told info.json tasks 50
  told info.json edges "$(grep -c -e '->' g.dot)"
  told info.json work_flop "$("$iasim" graph info g.dot --json | sed -n 's/^ "work_flop": \(.*\),/\1/p')" 1e-9
done
"$iasim" graph convert g.dot twice.json --flop-per-s 2e9
"$iasim" graph convert twice.json twice.dot --flop-per-s 2e9
"$iasim" graph info twice.dot --json >info.json
told info.json work_flop "$("$iasim" graph info g.dot --json | sed -n 's/^ "work_flop": \(.*\),/\1/p')" 1e-9

# ---- what is refused ----
refused 'what to do is missing'
refused "unknown 'frob'" frob
refused 'the graph to read is missing' info
refused "unexpected 'extra': the arguments are info GRAPH" info g.dot extra
refused 'the file to write is missing' convert g.dot
refused 'option --seed is missing' generate chain
refused 'info has no --seed; it belongs to: generate' info g.dot --seed 1
refused 'generate has no --from' generate chain --seed 1 --from dot
refused 'option --platform is missing' generate chain --seed 1 --ccr 1
refused 'option --ccr is missing' generate chain --seed 1 --platform three.xml
refused 'out of range' generate chain --seed -1
refused 'out of range' generate chain --seed 1 --ccr -1 --platform three.xml
refused 'not a finite number' generate chain --seed 1 --ccr nan --platform three.xml
refused "unknown generator 'ring'; \`iasim list generators\` shows all" generate ring --seed 1
refused 'parameter tasks is 0; it must be between 1 and 10000000 tasks' generate 'chain[tasks=0]' --seed 1 --out no.dot
refused "has no parameter 'task'" generate 'chain[task=3]' --seed 1 --out no.dot
refused 'it must be a power of 2' generate 'fft[points=9]' --seed 1 --out no.dot
refused 'the limit is 10000000' generate 'stencil[width=9999,steps=9999]' --seed 1 --out no.dot
refused 'no two hosts of one.xml are connected by links' generate chain --seed 1 --ccr 1 --platform one.xml --out no.dot
refused 'cannot be met: the graph has no edges' generate independent --seed 1 --ccr 1 --platform three.xml --out no.dot
refused 'cannot be met: the tasks have no work' \
  generate 'chain[work_flop=0]' --seed 1 --ccr 1 --platform three.xml --out no.dot
refused 'cannot be met: the edges have no size' \
  generate 'chain[size_bytes=0]' --seed 1 --ccr 1 --platform three.xml --out no.dot
refused 'nowhere.xml' generate chain --seed 1 --ccr 1 --platform nowhere.xml --out no.dot
refused 'nowhere.dot' info nowhere.dot
refused 'nowhere/g.dot' generate chain --seed 1 --out nowhere/g.dot
refused "'frob'" convert g.dot no.dot --to frob
refused "'frob'" convert g.dot no.dot --from frob
refused 'no.frob' convert g.dot no.frob
refused 'option --to is missing' convert g.dot -
refused 'can be read but not written; writable formats: dot' convert g.dot no.stg
refused "the output 'g.dot' would overwrite the input" convert g.dot g.dot
ln -s g.dot link.dot
refused "the output 'link.dot' would overwrite the input" convert g.dot link.dot
refused "the output 'three.xml' would overwrite the input" generate chain --seed 1 --ccr 1 --platform three.xml \
  --out three.xml --format dot
[[ ! -e no.dot && ! -e no.frob && ! -e no.stg ]] || fault 'a file was made'
cmp g.dot again.dot || fault 'the input was changed'

# ---- whole numbers with an exponent, in options and parameters ----
cmp <("$iasim" graph generate 'layered[tasks=2e1,width=3]' --seed 1e3) <("$iasim" graph generate \
  'layered[tasks=20,width=3]' --seed 1000) ||
  fault '2e1 tasks, seed 1e3'
refused "'1.5'" generate chain --seed 1.5
refused "'15e-1'" generate chain --seed 15e-1

# ---- what is listed ----
"$iasim" list --json >list.json
for word in '"schedulers": \[' '"graph_formats": \[' '"generators": \[' '"name": "cholesky"' '"role": "cost"' \
  '"role": "world"' '"role": "graph"'; do
  grep -q "$word" list.json || fault "iasim list --json has no $word"
done

echo "$n_ccr CCRs, $faults faults"
((faults == 0))
