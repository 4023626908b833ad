# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# What belongs to two machines is replaced: node1 is 127.0.0.1 with a port that is free, TOKEN is what the listener
# printed, 20 s are 2, after which noise is no reason to write no platform. A noisy machine may give a rate that takes
# the whole processor at full speed, on which nothing can be simulated: once more.
listener=
trap '[[ -z $listener ]] || kill "$listener" 2>/dev/null || true' EXIT

iasim() {
  case "$*" in
    'calibrate --listen node1:7000') listen ;;
    'calibrate --to node1:7000 --token TOKEN --seconds 20 '*) call "${@:8}" ;;
    *) command iasim "$@" ;;
  esac
}

listen() {
  rm -f listener.err
  command iasim calibrate --listen 127.0.0.1:0 --name node1 >listener.out 2>listener.err &
  listener=$!
  until grep -qs -e --token listener.err; do kill -0 $listener && sleep 0.05; done
}

call() {
  local try to
  for try in 1 2 3 4 5; do
    read -ra to < <(sed -n 's/.*\(--to [^ ]* --token .*\)/\1/p' listener.err)
    command iasim calibrate "${to[@]}" --seconds 2 --name node2 --json --anyway "$@" >caller.out
    wait "$listener" || fail "the listener fails: $(cat listener.err)"
    listener=
    ! is_usable || return 0
    listen
  done
  echo "skipped: after $try tries this machine is too busy to be measured" && exit 77
}

is_usable() {
  python3 -c 'import json; r = json.load(open("caller.out"))
assert all(f["ir_per_MB_s"] * max(p[f["direction"] + "_rate_MB_per_s"] for p in r["points"]) < 0.9
           for f in r["fits"][:2])' 2>/dev/null
}

after_page() { [[ -s cluster.deployment.xml && -s host.deployment.xml ]] || fail 'no deployments'; }
