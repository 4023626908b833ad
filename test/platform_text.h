/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pieces of platform files as text, for C and C++. */
#ifndef IASIM_TEST_PLATFORM_TEXT_H
#define IASIM_TEST_PLATFORM_TEXT_H

#define PLATFORM_HEAD                                                                                                  \
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"                          \
    "<platform version=\"4.1\">\n"
#define CONFIG_OF(model)                                                                                               \
    "<config><prop id=\"network/model\" value=\"" model                                                                \
    "\"/><prop id=\"network/crosstraffic\" value=\"0\"/><prop id=\"network/TCP-gamma\" value=\"0\"/></config>\n"
#define BEGIN_OF_ZONE "<zone id=\"world\" routing=\"Full\">\n"
#define CM02 PLATFORM_HEAD CONFIG_OF("CM02") BEGIN_OF_ZONE
#define END_OF_PLATFORM "</zone>\n</platform>\n"
#define PROP(id, value) "<prop id=\"" id "\" value=\"" value "\"/>"
#define LINK(id, rest) "<link id=\"" id "\" " rest "/>\n"
#define ROUTE(a, b, link) "<route src=\"" a "\" dst=\"" b "\"><link_ctn id=\"" link "\"/></route>\n"
#define ROUTE2(a, b, l, k)                                                                                             \
    "<route src=\"" a "\" dst=\"" b "\"><link_ctn id=\"" l "\"/><link_ctn id=\"" k "\"/></route>\n"
#define MBPS(id, n) LINK(id, "bandwidth=\"" n "MBps\" latency=\"0s\"")

#endif
