# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# The steps of the page are properties that iasim reads.
after_page() {
  { echo '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1"><zone id="z" routing="Full">' &&
    echo '<host id="A" speed="1Gf">' && cat steps.xml &&
      echo '</host><host id="B" speed="1Gf"/><link id="l" bandwidth="10MBps" latency="0"/>' \
    '<route src="A" dst="B"><link_ctn id="l"/></route></zone></platform>'; } >p.xml
  iasim platform check p.xml >out 2>err || fail "$(cat out err)"
  [[ ! -s err ]] || fail "$(cat err)"
}
