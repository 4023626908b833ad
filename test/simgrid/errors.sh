#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# errors.sh IASIM WORLD_C OTHER_PROGRAM DEEP DEEP_BODY: wrong properties are one message with the file, the line and
# the host, and status 2; so are wrong calls of iasim_world, and a SimGrid that iasim was not built for. One that is
# loaded past iasim says so.
# shellcheck source=test/simgrid/begin.sh
source "$(dirname "$0")/begin.sh"
program=$2 other=$3 deep=("$4" "$5")
quiet=--log=root.thres:critical
unset IASIM_WORLD

is() { # is TEXT WANTED: the same, up to a * that ends what is wanted, because lists of names grow
  [[ $1 == "$2" || ($2 == *'*' && $1 == "${2%\*}"*) ]]
}
ends() { # ends STATUS MESSAGE COMMAND...: the one line on stderr
  local status=0
  "${@:3}" >out 2>err || status=$?
  [[ $status == "$1" ]] && is "$(cat err)" "$2" || fault "${*:3} -> $status: $(cat err)"
}
platform() { # platform SED_SCRIPT: bad.xml
  sed "$1" "$here/platform.xml" >bad.xml
}
cp "$here/platform.xml" .

for start in "$iasim exec -- $program" "$program interference"; do
  # shellcheck disable=SC2086 # words
  wrong() { ends 2 "iasim: bad.xml:$1" $start load:bad.xml run $quiet; }
  platform 's/ir_send/ir_sned/'
  wrong "11: host 'a': unknown property 'ir_sned' of a host; did you mean 'ir_send'?"
  platform 's/0\.03/3%/'
  wrong "11: host 'a': property ir_send is '3%', which is not a finite number"
  platform 's/0\.03/-0.03/'
  wrong "11: host 'a': property ir_send is -0.03; it must not be negative"
  platform 's/"ir_send"/"ir_floor"/; s/0\.03/1.5/'
  wrong "11: host 'a': property ir_floor is 1.5; it must be between 0 and 1"
  platform 's/"ir_send"/"ir_send.bb"/'
  wrong "11: host 'a': property ir_send.bb: there is no host 'bb' among the 2 hosts of the platform"
  platform 's/note/involvement_sent/'
  wrong \
    "15: link 'up': unknown property 'involvement_sent' of a link; known: overhead_send, overhead_recv, involvement_send, involvement_recv; did you mean 'involvement_send'?"
done
# Set by the program: the file has no such line.
ends 2 "iasim: platform.xml: host 'b': property ir_recv is 'much', which is not a finite number" \
  "$program" interference load:platform.xml rate:b:ir_recv:much run $quiet
# The variables of exec, set by hand.
IASIM_IR_SEND=x ends 2 "iasim: IASIM_IR_SEND: property ir_send is 'x', which is not a finite number" \
  "$program" interference load:platform.xml rate:a:ir_recv:0 run $quiet

# iasim_world returns 2 after a message, and the program decides.
ends 0 "iasim: there is no world 'calm' for a SimGrid program; known: none, interference*" "$program" calm $quiet
[[ $(cat out) == 'calm: 2' ]] || fault "calm: $(cat out)"
ends 0 "iasim: world interference has no parameter 'x': it takes none" "$program" 'interference[x=1]' $quiet
ends 0 'iasim: the platform is already loaded; choose the world before' "$program" load:platform.xml interference run \
  $quiet
grep -qx 'computed until 1' out || fault "late: $(cat out)"
ends 0 "iasim: this process already simulates world 'interference'; it cannot change to 'none'" "$program" \
  interference interference none $quiet
[[ $(cat out) == $'interference: 0\ninterference: 0\nnone: 2' ]] || fault "twice: $(cat out)"

# Another SimGrid: refused when it begins, before anything of it has run.
version=$(pkg-config --modversion simgrid)
ends 2 \
  "iasim: this program uses SimGrid 9.8, but iasim was built for SimGrid ${version}; build iasim again with the headers of that SimGrid" \
  "$iasim" exec -- "$other"
[[ $(cat out) == begins ]] || fault "another SimGrid: $(cat out)"

# SimGrid loaded so that nothing can be taken over: it runs, and says at the end that nothing was asked of it.
ends 0 \
  "iasim: world 'interference' had no effect: this program has loaded SimGrid so that nothing can be preloaded before it (dlopen with RTLD_DEEPBIND)" \
  "$iasim" exec -- "${deep[@]}" platform.xml $quiet
ends 0 '' "$iasim" exec --world none -- "${deep[@]}" platform.xml $quiet
[[ $(cat out) == 'computed until 1' ]] || fault "deep: $(cat out)"
ends 0 '' "$iasim" exec --world none -- "$other"

echo "$faults faults"
((faults == 0))
