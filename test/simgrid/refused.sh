#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# refused.sh IASIM PROGRAM: what the world interference cannot simulate ends the program with status 2 and one message
# that names it (refused.cpp). Where nothing would be charged it runs, and prints the same bytes as without iasim.
# shellcheck source=test/simgrid/begin.sh
source "$(dirname "$0")/begin.sh"
program=$2

refused() { # refused CASE WORDS: in the message
  "$iasim" exec -- "$program" charged "$1" >out 2>err && fault "$1: passed"
  grep -qx "charged: $1: status 2" err || fault "$1: status: $(cat err)"
  [[ $(grep -c '^iasim: ' err) == 1 && $(grep "^iasim: " err) =~ $2 ]] || fault "$1: no message with '$2': $(cat err)"
}
refused_with_rates() { # refused_with_rates CASE WORDS
  refused "$@"
  run free "$program" free "$1"
  run none "$iasim" exec --world none -- "$program" free "$1"
  run zero "$iasim" exec -- "$program" zero "$1"
  same free none zero
}
refused_with_rates parallel_tasks ptask_L07
refused_with_rates constant_network Constant
refused_with_rates trace_integration 'cpu/optim TI'
refused_with_rates live_migration "live migration.*'vm'"
refused_with_rates wireless_links WiFi
! grep -q streams_between "$program" || refused_with_rates streams_between_disks disk
refused wrong_id "platform.xml:[0-9]*: host 'a': unknown property 'ir_sent' of a host; did you mean 'ir_send'?"
refused wrong_peer "platform.xml:[0-9]*: host 'a': .*'nobody'"
refused wrong_number "platform.xml:[0-9]*: host 'a': .*-0.3"
refused stands_still_for_good "deadlock: .*'a'"

echo "$faults faults"
((faults == 0))
