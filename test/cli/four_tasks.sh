# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Sourced after begin.sh: a graph of four tasks, g.dot, on the platform p.xml, and two schedules of it, s.json and
# t.json. Hosts do 1 flop/s; sending takes a quarter of host a while the link is full.

two_hosts '<prop id="ir_send" value="250000"/>' '<prop id="ir_recv" value="0"/>' >p.xml
# The data of A -> B leave at 2 and are there at 6, those of A -> C at 8; meanwhile D computes on a, at 3/4 of its
# speed.
printf 'digraph g {\n %s\n %s\n}\n' 'A [size="2"]; B [size="3"]; C [size="2"]; D [size="3"];' \
  'A -> B [size="2"]; A -> C [size="4"];' >g.dot
cat >s.json <<'JSON'
{"format":"iasim-schedule/1","graph":"g.dot","platform":"p.xml","model":"classic","scheduler":"hand","length_s":11,
 "tasks":[
  {"name":"A","host":"a","start_s":0,"finish_s":2},
  {"name":"B","host":"b","start_s":4,"finish_s":7},
  {"name":"C","host":"b","start_s":9,"finish_s":11},
  {"name":"D","host":"a","start_s":2,"finish_s":5}],
 "edges":[{"src":"A","dst":"B","local":false},{"src":"A","dst":"C","local":false}]}
JSON
# All on one host: nothing is sent, but D waits behind C, and C behind B.
cat >t.json <<'JSON'
{"format":"iasim-schedule/1","graph":"g.dot","platform":"p.xml","model":"classic","scheduler":"hand","length_s":10,
 "tasks":[
  {"name":"A","host":"a","start_s":0,"finish_s":2},
  {"name":"B","host":"a","start_s":2,"finish_s":5},
  {"name":"C","host":"a","start_s":5,"finish_s":7},
  {"name":"D","host":"a","start_s":7,"finish_s":10}],
 "edges":[{"src":"A","dst":"B","local":true},{"src":"A","dst":"C","local":true}]}
JSON
