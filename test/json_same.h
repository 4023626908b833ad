/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares a tape with jansson, the reference: both must accept the same texts and give the same values. */
#ifndef IASIM_TEST_JSON_SAME_H
#define IASIM_TEST_JSON_SAME_H

#include "base/json_tape.h"

#include <jansson.h>
#include <string.h>

static bool is_same_value(const json_t *j, struct tape_value v);

static inline bool is_same_array(const json_t *j, struct tape_value v)
{
    size_t i = 0;
    bool is_same = tape_kind(v) == TAPE_ARRAY && tape_length(v) == json_array_size(j);
    for (struct tape_value x = tape_first(v); is_same && x.tape != NULL; x = tape_next(v, x))
        is_same = is_same_value(json_array_get(j, i++), x);
    return is_same;
}

/* jansson keeps the order of members. */
static inline bool is_same_object(json_t *j, struct tape_value v)
{
    const char *key;
    json_t *value;
    struct text own = {0};
    bool is_same = tape_kind(v) == TAPE_OBJECT;
    struct tape_value k = {v.tape, v.node + 1};
    json_object_foreach(j, key, value)
    {
        struct tape_value x = {v.tape, k.node + 1};
        is_same = is_same && k.node < v.tape->nodes[v.node].next && strcmp(tape_string(k, &own), key) == 0 &&
                  is_same_value(value, x);
        if (!is_same)
            break;
        k.node = v.tape->nodes[x.node].next;
    }
    text_clear(&own);
    return is_same && k.node == v.tape->nodes[v.node].next;
}

static inline bool is_same_value(const json_t *j, struct tape_value v)
{
    struct text own = {0};
    bool is_same = false;
    switch (json_typeof(j)) {
    case JSON_OBJECT:
        return is_same_object((json_t *)j, v);
    case JSON_ARRAY:
        return is_same_array(j, v);
    case JSON_STRING:
        is_same = tape_string(v, &own) != NULL && own.size == json_string_length(j) &&
                  memcmp(text_str(&own), json_string_value(j), own.size) == 0 && tape_is_empty(v) == (own.size == 0);
        text_clear(&own);
        return is_same;
    case JSON_INTEGER:
    case JSON_REAL:
        return tape_kind(v) == TAPE_NUMBER && tape_number(v) == json_number_value(j);
    case JSON_TRUE:
    case JSON_FALSE:
        return tape_kind(v) == TAPE_BOOL && tape_is_true(v) == json_is_true(j);
    default:
        return tape_kind(v) == TAPE_NULL;
    }
}

/* Reads the value at the beginning of `text`. */
static inline bool reads_as_jansson(const char *text, size_t n, bool is_int_bounded, bool *is_taken)
{
    struct json_tape tape = {0};
    size_t end = 0, flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK;
    json_error_t why;
    json_t *j = json_loadb(text, n, is_int_bounded ? flags : flags | JSON_DECODE_INT_AS_REAL, &why);
    *is_taken = tape_read(&tape, text, n, is_int_bounded, &end);
    bool has_nul = memchr(text, '\0', n) != NULL; /* jansson skips one behind a number */
    bool is_same = (*is_taken == (j != NULL) || (has_nul && !*is_taken)) && end <= n &&
                   (j == NULL || !*is_taken || (end == (size_t)why.position && is_same_value(j, tape_root(&tape))));
    json_decref(j);
    tape_clear(&tape);
    return is_same;
}

#endif
