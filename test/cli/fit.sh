#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# fit.sh IASIM: what `iasim fit` prints, and how it refuses.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

expect() { # expect WHAT TEXT: in the output `out`, blanks not minded
  grep -qF -- "$2" <<<"$(tr -s ' \n' ' ' <<<"$out")" || fault "$1: expected '$2' in: $out"
}
refuse() { # refuse TEXT ARGUMENT...: with status 2 and TEXT on stderr
  local text=$1 status=0
  shift
  out=$("$iasim" fit "$@" 2>&1) || status=$?
  [[ $status == 2 ]] || fault "fit $*: status $status"
  expect "fit $*" "$text"
}

printf 'send_rate_MB_per_s,recv_rate_MB_per_s,compute_ratio\n0,0,1\n0,8,0.5\n8,4,0.5\n' >points.csv
out=$("$iasim" fit three_point points.csv)
expect three_point 'compute ratio = 1 - ir_recv * receive rate - ir_send * send rate'
expect three_point 'ir_recv 0.0625 per MB/s ir_send 0.03125 per MB/s standard deviation - largest error 0'
out=$("$iasim" fit three_point --json points.csv)
expect json '{ "fit": "three_point", "formula": "'
expect json '"constant": 1.0, "coefficients": [ { "name": "ir_recv", "unit": "per MB/s", "value": 0.0625 }, {'
expect json '"standard_deviation": null, "max_abs_error": 0.0, "mean_abs_error": 0.0, "n_points": 3 }'
out=$("$iasim" fit linear --rate recv points.csv) # y over 0, 8, 4: slope -0.5 / 8 through (4, 2/3)
expect linear 'constant 0.916667 ir_recv 0.0625 per MB/s'

refuse 'points.csv: both the send and the receive rate vary' linear points.csv
refuse '--rate is not for the fit planar' planar --rate send points.csv
refuse "unknown fit 'cubic'; known: linear, quadratic, planar, three_point" cubic points.csv
refuse "--rate 'up' is unknown; known: send, recv" linear --rate up points.csv
refuse 'a file of points is missing' linear
refuse 'nowhere.csv: cannot open' linear nowhere.csv
echo "$faults faults"
((faults == 0))
