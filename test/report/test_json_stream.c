/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is written value by value are the bytes that jansson prints for the whole. */
#include "check.h"
#include "report/json_stream.h"

#include <stdlib.h>
#include <string.h>

static json_t *nested(void)
{
    return json_pack("{s:s, s:[i, {s:f}, []], s:{}}", "text", "two\nlines", "list", 1, "third", 1 / 3., "empty");
}

static char *streamed(void)
{
    char *text = NULL;
    size_t n;
    struct json_stream to = {.file = open_memstream(&text, &n)};
    json_stream_open(&to, NULL, '{');
    json_stream_value(&to, "first", nested());
    json_stream_open(&to, "many", '[');
    for (int i = 0; i < 3; i++)
        json_stream_value(&to, NULL, i == 1 ? json_null() : nested());
    json_stream_open(&to, NULL, '{');
    json_stream_open(&to, "none", '[');
    json_stream_close(&to, ']');
    json_stream_close(&to, '}');
    json_stream_close(&to, ']');
    json_stream_value(&to, "last", json_real(0.1));
    json_stream_close(&to, '}');
    fclose(to.file);
    return text;
}

static void the_bytes_are_those_of_the_whole(void)
{
    json_t *whole = json_pack("{s:o, s:[o, o, o, {s:[]}], s:f}", "first", nested(), "many", nested(), json_null(),
                              nested(), "none", "last", 0.1);
    char *want = json_dumps(whole, JSON_INDENT(1) | JSON_REAL_PRECISION(17)), *got = streamed();
    CHECK(strlen(got) == strlen(want) + 1 && strncmp(got, want, strlen(want)) == 0 && got[strlen(want)] == '\n');
    free(got);
    free(want);
    json_decref(whole);
}

static const struct test tests[] = {
    {"the bytes are those of the whole", the_bytes_are_those_of_the_whole},
};
TEST_MAIN(tests)
