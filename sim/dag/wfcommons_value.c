/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dag/wfcommons.h"

#include <math.h>

enum err_code wf_refuse(const struct wf_reader *r, struct wf_value v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    enum err_code code = err_vset_at(r->e, ERR_INPUT, r->path, v.place.line, format, args);
    va_end(args);
    return code;
}

/* ---- values ---- */

static const char *type_name(json_type type)
{
    switch (type) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_NULL:
        return "null";
    default:
        return "a truth value";
    }
}

static bool is_type(const json_t *json, json_type type)
{
    return type == JSON_REAL ? json_is_number(json) : json_typeof(json) == type;
}

enum err_code wf_find_member(const struct wf_reader *r, struct wf_value object, const char *what, const char *name,
                             const char *key, json_type type, struct wf_value *out)
{
    const char *quote = name ? "'" : "", *space = name ? " " : "";
    out->json = json_object_get(object.json, key);
    out->place = object.place;
    if (out->json == NULL)
        return ERR_NONE;
    json_place_member(object.place, key, &out->place);
    if (!is_type(out->json, type))
        return wf_refuse(r, *out, "'%s' of %s%s%s%.200s%s is %s where %s is expected", key, what, space, quote,
                         name ? name : "", quote, type_name(json_typeof(out->json)), type_name(type));
    return ERR_NONE;
}

enum err_code wf_need_member(const struct wf_reader *r, struct wf_value object, const char *what, const char *name,
                             const char *key, json_type type, struct wf_value *out)
{
    const char *quote = name ? "'" : "", *space = name ? " " : "";
    enum err_code code = wf_find_member(r, object, what, name, key, type, out);
    if (code == ERR_NONE && out->json == NULL)
        return wf_refuse(r, object, "%s%s%s%.200s%s has no '%s'", what, space, quote, name ? name : "", quote, key);
    return code;
}

struct wf_each wf_each(struct wf_value array)
{
    return (struct wf_each){.array = array};
}

bool wf_each_next(struct wf_each *i)
{
    bool more = i->n < json_array_size(i->array.json);
    if (!more)
        return false;
    if (i->n == 0)
        json_place_first(i->array.place, &i->value.place);
    else
        json_place_next(&i->value.place);
    i->value.json = json_array_get(i->array.json, i->n++);
    return true;
}

enum err_code wf_need_object(const struct wf_reader *r, struct wf_value v, const char *what)
{
    if (json_is_object(v.json))
        return ERR_NONE;
    return wf_refuse(r, v, "%s is %s where an object is expected", what, type_name(json_typeof(v.json)));
}

enum err_code wf_need_name(const struct wf_reader *r, struct wf_value v, const char *what)
{
    if (json_is_string(v.json) && json_string_length(v.json) > 0)
        return ERR_NONE;
    return wf_refuse(r, v, "%s is %s where a name is expected", what,
                     json_is_string(v.json) ? "empty" : type_name(json_typeof(v.json)));
}

enum err_code wf_read_name(const struct wf_reader *r, struct wf_value v, const char *what, const char *key,
                           const char *noun, const char **out)
{
    struct wf_value found;
    enum err_code code = wf_need_object(r, v, what);
    if (code == ERR_NONE)
        code = wf_need_member(r, v, what, NULL, key, JSON_STRING, &found);
    if (code == ERR_NONE)
        code = wf_need_name(r, found, noun);
    if (code == ERR_NONE)
        *out = json_string_value(found.json);
    return code;
}

enum err_code wf_read_amount(const struct wf_reader *r, struct wf_value object, const char *what, const char *name,
                             const char *key, double *out)
{
    struct wf_value found;
    enum err_code code = wf_need_member(r, object, what, name, key, JSON_REAL, &found);
    if (code != ERR_NONE)
        return code;
    *out = json_number_value(found.json);
    if (*out < 0)
        return wf_refuse(r, found, "%s of %s '%.200s', %g, is negative", key, what, name, *out);
    return ERR_NONE;
}

enum err_code wf_read_runtime(const struct wf_reader *r, struct wf_value object, task_id task, const char *key)
{
    double runtime_s = 0;
    const char *name = r->g->tasks[task].name;
    enum err_code code = wf_read_amount(r, object, "task", name, key, &runtime_s);
    r->g->tasks[task].work_flop = runtime_s * r->reference_flop_per_s;
    if (code == ERR_NONE && !isfinite(r->g->tasks[task].work_flop))
        code = wf_refuse(r, object, "task '%.200s': its work, %g s at %g flop/s, is not finite", name, runtime_s,
                         r->reference_flop_per_s);
    return code;
}
