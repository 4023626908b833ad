# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# The page's second sweep, of 20 graphs for each platform, is made with two.
iasim() { command iasim "${@/#instance=1:20/instance=1:2}"; }
