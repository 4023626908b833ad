/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading single values with messages that name the object, the member and its line ("'id' of task 'a' is a number
   where a string is expected"). A member that may be absent has no tape when it is; only a wrong type is an error. */
#include "dag/wfcommons.h"

#include <math.h>

int wf_line(const struct wf_reader *r, struct tape_value v)
{
    return r->lines != NULL ? line_index_at(r->lines, tape_place(v)) : 0;
}

enum err_code wf_refuse(const struct wf_reader *r, struct tape_value v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    enum err_code code = err_vset_at(r->e, ERR_INPUT, r->path, wf_line(r, v), format, args);
    va_end(args);
    return code;
}

/* ---- values ---- */

static const char *kind_name(enum tape_kind kind)
{
    switch (kind) {
    case TAPE_OBJECT:
        return "an object";
    case TAPE_ARRAY:
        return "an array";
    case TAPE_STRING:
        return "a string";
    case TAPE_NUMBER:
        return "a number";
    case TAPE_NULL:
        return "null";
    default:
        return "a truth value";
    }
}

enum err_code wf_find_member(const struct wf_reader *r, struct tape_value object, const char *what, const char *name,
                             const char *key, enum tape_kind kind, struct tape_value *out)
{
    const char *quote = name ? "'" : "", *space = name ? " " : "";
    *out = tape_member(object, key);
    if (out->tape == NULL)
        return ERR_NONE;
    if (tape_kind(*out) != kind)
        return wf_refuse(r, *out, "'%s' of %s%s%s%.200s%s is %s where %s is expected", key, what, space, quote,
                         name ? name : "", quote, kind_name(tape_kind(*out)), kind_name(kind));
    return ERR_NONE;
}

enum err_code wf_need_member(const struct wf_reader *r, struct tape_value object, const char *what, const char *name,
                             const char *key, enum tape_kind kind, struct tape_value *out)
{
    const char *quote = name ? "'" : "", *space = name ? " " : "";
    enum err_code code = wf_find_member(r, object, what, name, key, kind, out);
    if (code == ERR_NONE && out->tape == NULL)
        return wf_refuse(r, object, "%s%s%s%.200s%s has no '%s'", what, space, quote, name ? name : "", quote, key);
    return code;
}

enum err_code wf_need_object(const struct wf_reader *r, struct tape_value v, const char *what)
{
    if (tape_kind(v) == TAPE_OBJECT)
        return ERR_NONE;
    return wf_refuse(r, v, "%s is %s where an object is expected", what, kind_name(tape_kind(v)));
}

enum err_code wf_need_name(const struct wf_reader *r, struct tape_value v, const char *what, struct text *out)
{
    if (tape_string(v, out) != NULL && out->size > 0)
        return ERR_NONE;
    return wf_refuse(r, v, "%s is %s where a name is expected", what,
                     tape_kind(v) == TAPE_STRING ? "empty" : kind_name(tape_kind(v)));
}

enum err_code wf_read_name(const struct wf_reader *r, struct tape_value v, const char *what, const char *key,
                           const char *noun, struct text *out)
{
    struct tape_value found;
    enum err_code code = wf_need_object(r, v, what);
    if (code == ERR_NONE)
        code = wf_need_member(r, v, what, NULL, key, TAPE_STRING, &found);
    if (code == ERR_NONE)
        code = wf_need_name(r, found, noun, out);
    return code;
}

enum err_code wf_read_amount(const struct wf_reader *r, struct tape_value object, const char *what, const char *name,
                             const char *key, double *out)
{
    struct tape_value found;
    enum err_code code = wf_need_member(r, object, what, name, key, TAPE_NUMBER, &found);
    if (code != ERR_NONE)
        return code;
    *out = tape_number(found);
    if (*out < 0)
        return wf_refuse(r, found, "%s of %s '%.200s', %g, is negative", key, what, name, *out);
    return ERR_NONE;
}

enum err_code wf_read_runtime(const struct wf_reader *r, struct tape_value object, task_id task, const char *key)
{
    double runtime_s = 0;
    const char *name = r->g->tasks[task].name;
    enum err_code code = wf_read_amount(r, object, "task", name, key, &runtime_s);
    /* The flag holds for the whole graph: works are run times at the reference speed, not counted operations. */
    r->g->has_run_times = true;
    r->g->tasks[task].work_flop = runtime_s * r->reference_flop_per_s;
    /* Both factors are finite, their product may not be. */
    if (code == ERR_NONE && !isfinite(r->g->tasks[task].work_flop))
        code = wf_refuse(r, object, "task '%.200s': its work, %g s at %g flop/s, is not finite", name, runtime_s,
                         r->reference_flop_per_s);
    return code;
}
