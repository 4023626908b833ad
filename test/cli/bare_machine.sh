# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Sourced after begin.sh: platforms that differ in the properties of their hosts only, bare.xml without any; a farm
# and a graph for them.
platform() { # platform PROPERTIES: three hosts on one link
  cat <<END
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config id="c"><prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/>
    <prop id="network/TCP-gamma" value="0"/></config>
  <zone id="z" routing="Full">
    <host id="a" speed="10f">$1</host>
    <host id="b" speed="10f">$1</host>
    <link id="l" bandwidth="10MBps" latency="0"/>
    <host id="c" speed="10f">$1</host>
    <route src="a" dst="b"><link_ctn id="l"/></route>
    <route src="c" dst="b"><link_ctn id="l"/></route>
    <route src="a" dst="c"><link_ctn id="l"/></route>
  </zone>
</platform>
END
}
property() { printf '<prop id="%s" value="%s"/>' "$@"; }
platform '' >bare.xml
cat >tree.xml <<'END'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <actor host="a" function="farm_node"/>
  <actor host="b" function="farm_node"><argument value="a"/></actor>
</platform>
END
printf 'digraph g { A [size=10]; B [size=200]; C [size=50]; A -> B [size="1e7"]; A -> C [size="2e7"]; }\n' >g.dot
