# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# The real program's data arrived, and the page's function of a task compiles.
after_page() {
  grep -q 'arrived intact' "$said" || fail 'the real program did not report that its data arrived'
  [[ -z $(cat "$steps"/*.err) ]] || fail "on stderr: $(cat "$steps"/*.err)"
  printf 'digraph g { a [size="1e7"]; b [size="1e7"]; a -> b [size="100"]; }\n' >own.dot
  iasim schedule --platform platforms/sinnen-star-full.xml --graph own.dot --model classic --out own.json >out
  iasim codegen --platform platforms/sinnen-star-full.xml --graph own.dot --out own --tasks own.c --run smpi own.json \
    >out
}
