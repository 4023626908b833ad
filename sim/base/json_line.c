/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/json_line.h"

#include <stdlib.h>
#include <string.h>

static bool is_at(const struct json_place *p, char c)
{
    return p->at < p->end && *p->at == c;
}

static void skip_blanks(struct json_place *p)
{
    for (; p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r' || *p->at == '\n'); p->at++)
        p->line += *p->at == '\n';
}

/* From the opening quote to behind the closing one. */
static void skip_string(struct json_place *p)
{
    for (p->at++; p->at < p->end && *p->at != '"'; p->at++)
        if (*p->at == '\\' && p->end - p->at > 1)
            p->at++;
    if (p->at < p->end)
        p->at++;
}

static void skip_scalar(struct json_place *p)
{
    while (p->at < p->end && memchr(",:]} \t\r\n", *p->at, 8) == NULL)
        p->at++;
}

static void skip_value(struct json_place *p)
{
    size_t depth = 0; /* a counter instead of recursion: the text may be nested deeply */
    do {
        skip_blanks(p);
        if (p->at == p->end)
            return;
        if (*p->at == '"') {
            skip_string(p);
        } else if (*p->at == '{' || *p->at == '[') {
            depth++;
            p->at++;
        } else if (*p->at == '}' || *p->at == ']') {
            depth -= depth > 0;
            p->at++;
        } else if (depth > 0 && (*p->at == ',' || *p->at == ':')) {
            p->at++;
        } else {
            skip_scalar(p);
        }
    } while (depth > 0);
}

/* The character that an escape stands for; `*s` points behind the backslash. All characters beyond ASCII map to the same
   value because no key of ours contains one. */
static int unescape(const char **s, const char *end)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char c = *(*s)++;
    const char *known = memchr(letters, c, sizeof letters - 1);
    if (known != NULL)
        return meant[known - letters];
    if (c != 'u' || end - *s < 4)
        return -1;
    char digits[5] = {(*s)[0], (*s)[1], (*s)[2], (*s)[3], '\0'};
    long code = strtol(digits, NULL, 16);
    *s += 4;
    return code > 0 && code < 128 ? (int)code : -1;
}

/* `s` to `end` is the text between two quotes. */
static bool is_key(const char *s, const char *end, const char *key)
{
    for (; *key != '\0'; key++) {
        if (s >= end)
            return false;
        char c = *s++;
        if ((c == '\\' && s < end ? unescape(&s, end) : (unsigned char)c) != (unsigned char)*key)
            return false;
    }
    return s == end;
}

struct json_place json_place_root(const char *bytes, size_t n)
{
    struct json_place p = {bytes, bytes + n, 1};
    skip_blanks(&p);
    return p;
}

bool json_place_member(struct json_place object, const char *key, struct json_place *out)
{
    struct json_place p = object;
    if (!is_at(&p, '{'))
        return false;
    do {
        p.at++;
        skip_blanks(&p);
        if (!is_at(&p, '"'))
            return false;
        const char *name = p.at + 1;
        skip_string(&p);
        bool found = is_key(name, p.at - 1, key);
        skip_blanks(&p);
        if (!is_at(&p, ':'))
            return false;
        p.at++;
        skip_blanks(&p);
        if (found) {
            *out = p;
            return p.at < p.end;
        }
        skip_value(&p);
        skip_blanks(&p);
    } while (is_at(&p, ','));
    return false;
}

bool json_place_first(struct json_place array, struct json_place *out)
{
    if (!is_at(&array, '['))
        return false;
    *out = array;
    out->at++;
    skip_blanks(out);
    return out->at < out->end && *out->at != ']';
}

bool json_place_next(struct json_place *element)
{
    skip_value(element);
    skip_blanks(element);
    if (!is_at(element, ','))
        return false;
    element->at++;
    skip_blanks(element);
    return element->at < element->end;
}

int json_line(const char *bytes, size_t n, const struct json_step *steps, size_t n_steps)
{
    struct json_place p = json_place_root(bytes, n);
    for (size_t i = 0; i < n_steps; i++) {
        bool found = steps[i].key ? json_place_member(p, steps[i].key, &p) : json_place_first(p, &p);
        for (size_t k = 0; found && steps[i].key == NULL && k < steps[i].index; k++)
            found = json_place_next(&p);
        if (!found)
            return 0;
    }
    return p.line;
}
