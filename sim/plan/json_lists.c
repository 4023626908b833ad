/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/json_lists.h"

#include <stdbool.h>
#include <string.h>

struct cursor {
    const char *at, *end;
    int line;
    const char *path;
};

static void skip_blanks(struct cursor *c)
{
    for (; c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r' || *c->at == '\n'); c->at++)
        c->line += *c->at == '\n';
}

/* Steps over `ch`, after blanks; false: something else is there. */
static bool take(struct cursor *c, char ch)
{
    skip_blanks(c);
    if (c->at >= c->end || *c->at != ch)
        return false;
    c->at++;
    return true;
}

static enum err_code refuse(const struct cursor *c, const char *expected, struct err *e)
{
    return err_set_at(e, ERR_PARSE, c->path, c->line, "this is not JSON: %s expected", expected);
}

/* One value, by jansson. */
static enum err_code take_value(struct cursor *c, json_t **out, struct err *e)
{
    json_error_t why;
    skip_blanks(c);
    size_t n = (size_t)(c->end - c->at);
    *out = json_loadb(c->at, n, JSON_LISTS_FLAGS | JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, &why);
    if (*out == NULL)
        return err_set_at(e, ERR_PARSE, c->path, c->line + (why.line > 0 ? why.line - 1 : 0), "this is not JSON: %s",
                          why.text);
    for (const char *s = c->at, *end = c->at + why.position; (s = memchr(s, '\n', (size_t)(end - s))) != NULL; s++)
        c->line++;
    c->at += why.position;
    return ERR_NONE;
}

/* Steps over an array by its brackets; what is in it is for json_list_next. */
static enum err_code skip_array(struct cursor *c, struct err *e)
{
    size_t depth = 0;
    for (bool in_string = false; c->at < c->end; c->at++) {
        char ch = *c->at;
        c->line += ch == '\n';
        if (in_string && ch == '\\' && c->at + 1 < c->end)
            c->line += *++c->at == '\n';
        else if (ch == '"')
            in_string = !in_string;
        else if (!in_string && (ch == '[' || ch == '{'))
            depth++;
        else if (!in_string && (ch == ']' || ch == '}') && --depth == 0) {
            c->at++;
            return ERR_NONE;
        }
    }
    return refuse(c, "the end of an array", e);
}

/* Its place among the keys of lists, or n_keys. */
static size_t place_of(const char *const *keys, size_t n_keys, const char *key)
{
    size_t k = 0;
    while (k < n_keys && strcmp(keys[k], key) != 0)
        k++;
    return k;
}

static enum err_code take_member(struct cursor *c, const char *key, const char *const *keys, size_t n_keys,
                                 json_t *rest, struct json_list *lists, struct err *e)
{
    json_t *value = NULL;
    size_t k = place_of(keys, n_keys, key);
    if (json_object_get(rest, key) != NULL || (k < n_keys && lists[k].at != NULL))
        return err_set_at(e, ERR_PARSE, c->path, c->line, "this is not JSON: duplicate object key near '\"%s\"'", key);
    if (!take(c, ':'))
        return refuse(c, "':'", e);
    skip_blanks(c);
    if (k < n_keys && c->at < c->end && *c->at == '[') {
        lists[k] = (struct json_list){c->at, c->end, c->line, 0, c->path};
        return skip_array(c, e);
    }
    enum err_code code = take_value(c, &value, e);
    if (code == ERR_NONE)
        json_object_set_new(rest, key, value);
    return code;
}

static enum err_code take_members(struct cursor *c, const char *const *keys, size_t n_keys, json_t *rest,
                                  struct json_list *lists, struct err *e)
{
    if (take(c, '}'))
        return ERR_NONE;
    do {
        json_t *key = NULL;
        skip_blanks(c);
        if (c->at >= c->end || *c->at != '"')
            return refuse(c, "a key in quotes", e);
        enum err_code code = take_value(c, &key, e);
        if (code == ERR_NONE)
            code = take_member(c, json_string_value(key), keys, n_keys, rest, lists, e);
        json_decref(key);
        if (code != ERR_NONE)
            return code;
    } while (take(c, ','));
    return take(c, '}') ? ERR_NONE : refuse(c, "',' or '}'", e);
}

enum err_code json_lists_open(const char *bytes, size_t n, const char *path, const char *const *keys, size_t n_keys,
                              json_t **rest, struct json_list *lists, struct err *e)
{
    struct cursor c = {bytes, bytes + n, 1, path};
    enum err_code code;
    memset(lists, 0, n_keys * sizeof *lists);
    *rest = NULL;
    if (take(&c, '{')) {
        *rest = json_object();
        code = take_members(&c, keys, n_keys, *rest, lists, e);
    } else {
        code = take_value(&c, rest, e);
    }
    skip_blanks(&c);
    if (code == ERR_NONE && c.at < c.end)
        code = refuse(&c, "the end of the file", e);
    if (code != ERR_NONE) {
        json_decref(*rest);
        *rest = NULL;
    }
    return code;
}

enum err_code json_list_next(struct json_list *list, json_t **entry, struct err *e)
{
    struct cursor c = {list->at, list->end, list->line, list->path};
    enum err_code code;
    *entry = NULL;
    bool is_first = list->n_read == 0;
    if (is_first)
        take(&c, '[');
    if (take(&c, ']'))
        return ERR_NONE;
    if (!is_first && !take(&c, ','))
        return refuse(&c, "',' or ']'", e);
    code = take_value(&c, entry, e);
    list->at = c.at;
    list->line = c.line;
    list->n_read++;
    return code;
}
