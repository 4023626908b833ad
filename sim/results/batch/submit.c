/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "batch/submit.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

enum { MAX_NAMED = 10000 }; /* the most characters of a dependency that names tasks one by one */

/* --- the plan --- */

/* ":12_3:12_5": the tasks of the parts in this state. */
static void add_tasks(struct text *out, const struct batch *b, const struct batch_status *s, enum part_state state)
{
    for (long i = 1; i <= b->n_parts; i++)
        if (s->parts[i - 1].state == state)
            text_addf(out, ":%ld_%ld", s->parts[i - 1].job, i);
}

/* ":12:15": the arrays of those tasks. */
static void add_arrays(struct text *out, const struct batch *b, const struct batch_status *s)
{
    for (size_t a = 0; a < b->n_arrays; a++)
        for (long i = 1; i <= b->n_parts; i++)
            if (s->parts[i - 1].job == b->arrays[a]) {
                text_addf(out, ":%ld", b->arrays[a]);
                break;
            }
}

static enum err_code check_strangers(const struct batch *b, const struct batch_status *s, struct err *e)
{
    /* Two runs would write to one database. */
    for (long i = 1; i <= b->n_parts; i++)
        if (s->parts[i - 1].state == PART_RUNNING && s->parts[i - 1].job == 0)
            return err_set(e, ERR_INPUT,
                           "%s/%ld.db: a run that is not a job of this folder is writing to this database", b->folder,
                           i);
    return ERR_NONE;
}

/* Merging has something to do. */
static bool anything_is_left(const struct batch_status *s)
{
    return !s->is_merged && !s->is_complete;
}

enum err_code batch_plan(const struct batch *b, const struct batch_status *s, struct batch_plan *out, struct err *e)
{
    /* Parts that are ending are submitted again, after their old tasks: they were stopped before they were done. */
    static const bool to_run[N_PART_STATES] = {
        [PART_FAILED] = true, [PART_ENDING] = true, [PART_STOPPED] = true, [PART_MISSING] = true};
    struct text array = {0}, ending = {0}, queued = {0}, arrays = {0};
    *out = (struct batch_plan){0};
    enum err_code code = check_strangers(b, s, e);
    if (code != ERR_NONE || s->is_complete)
        return code;
    batch_add_parts(&array, b, s, to_run);
    add_tasks(&ending, b, s, PART_ENDING);
    add_tasks(&queued, b, s, PART_RUNNING);
    add_tasks(&queued, b, s, PART_WAITING);
    out->array = array.size > 0 ? text_take(&array) : NULL;
    out->array_after = ending.size > 0 ? mem_format("afterany%s", text_str(&ending)) : NULL;
    /* Then the merge job waits for whole arrays, and `merge --complete` finds out whether all went well. */
    if (queued.size > MAX_NAMED)
        add_arrays(&arrays, b, s);
    out->merge_after = mem_strdup(arrays.size > 0 ? "" : text_str(&queued));
    out->merge_after_any = text_take(&arrays);
    /* A merge job that is in the queue waits for older arrays only, so a new array needs a new one. Without a new
       array one is needed if none is in the queue and parts are still to come or to be merged. */
    out->has_merge = out->array != NULL || (!s->is_merging && (queued.size > 0 || anything_is_left(s)));
    out->replaces_merge = out->has_merge && s->is_merging;
    text_clear(&ending);
    text_clear(&queued);
    return ERR_NONE;
}

void batch_plan_clear(struct batch_plan *p)
{
    free(p->array);
    free(p->array_after);
    free(p->merge_after);
    free(p->merge_after_any);
    *p = (struct batch_plan){0};
}

/* --- sbatch's options --- */

void batch_array_options(const struct batch_plan *p, struct batch_options *out)
{
    /* No array without parts: the caller asks only if there are some. */
    *out = (struct batch_options){{mem_format("--array=%s", p->array)}};
    if (p->array_after != NULL)
        out->words[1] = mem_format("--dependency=%s", p->array_after);
}

/* If a part fails, the dependency can never hold: the merge job is then removed instead of waiting forever. */
void batch_merge_options(const struct batch_plan *p, const char *array_job, struct batch_options *out)
{
    struct text after = {0};
    *out = (struct batch_options){{NULL}};
    /* afterok on an array holds when all its tasks have succeeded. */
    if (p->array != NULL || p->merge_after[0] != '\0')
        text_addf(&after, "afterok%s%s%s", p->array != NULL ? ":" : "", p->array != NULL ? array_job : "",
                  p->merge_after);
    if (p->merge_after_any[0] != '\0')
        text_addf(&after, "%safterany%s", after.size > 0 ? "," : "", p->merge_after_any);
    if (after.size > 0) {
        out->words[0] = mem_format("--dependency=%s", text_str(&after));
        out->words[1] = mem_strdup("--kill-on-invalid-dep=yes");
    }
    text_clear(&after);
}

void batch_options_clear(struct batch_options *o)
{
    for (size_t i = 0; o->words[i] != NULL; i++)
        free(o->words[i]);
    *o = (struct batch_options){{NULL}};
}

/* --- submission --- */

static enum err_code refuse_company(const char *folder, struct err *e)
{
    return err_set_at(e, ERR_INPUT, folder, 0, "another iasim submit is using this folder");
}

enum err_code batch_lock(const char *folder, int *fd, struct err *e)
{
    *fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0 && errno != ENOENT)
        return err_set_at(e, ERR_IO, folder, 0, "cannot be opened: %s", strerror(errno));
    /* File systems without locks answer something else and are used without. */
    if (*fd >= 0 && flock(*fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return refuse_company(folder, e);
    return ERR_NONE;
}

enum err_code batch_make_folder(const char *folder, int *fd, struct err *e)
{
    if (mkdir(folder, 0777) == 0)
        return batch_lock(folder, fd, e);
    return errno == EEXIST ? refuse_company(folder, e)
                           : err_set_at(e, ERR_IO, folder, 0, "cannot be created: %s", strerror(errno));
}

static enum err_code write_script(const struct batch *b, const char *name, char *text, struct err *e)
{
    char *path = batch_file(b, name);
    enum err_code code = text_write_file(path, text, strlen(text), e);
    free(path);
    free(text);
    return code;
}

static enum err_code write_folder(const struct batch *b, const struct batch_script *script, struct err *e)
{
    /* First batch.json: a submission that fails later has its folder described. */
    enum err_code code = batch_write(b, e);
    if (code == ERR_NONE)
        code = write_script(b, "task.sh", batch_task_script(script), e);
    return code == ERR_NONE ? write_script(b, "merge.sh", batch_merge_script(script), e) : code;
}

static enum err_code submit_script(const struct batch *b, const char *name, const struct batch_options *options,
                                   long *job, struct err *e)
{
    char *path = batch_file(b, name);
    enum err_code code = slurm_submit((const char *const *)options->words, path, job, e);
    free(path);
    return code;
}

static enum err_code submit_array(struct batch *b, const struct batch_plan *p, struct err *e)
{
    struct batch_options options;
    long job = 0;
    batch_array_options(p, &options);
    enum err_code code = submit_script(b, "task.sh", &options, &job, e);
    batch_options_clear(&options);
    if (code != ERR_NONE)
        return code;
    /* Recorded before anything else can fail: a job that nobody knows of would run unseen. */
    b->arrays = mem_resize(b->arrays, b->n_arrays + 1, sizeof *b->arrays);
    b->arrays[b->n_arrays++] = job;
    return batch_write(b, e);
}

static enum err_code submit_merge(struct batch *b, const struct batch_plan *p, struct err *e)
{
    struct batch_options options;
    /* The newest array is the one that was just submitted, if any. */
    char *array = mem_format("%ld", b->n_arrays > 0 ? b->arrays[b->n_arrays - 1] : 0);
    if (p->replaces_merge) /* an error does not matter: it may have ended just now */
        slurm_cancel(b->merge_job, NULL);
    batch_merge_options(p, array, &options);
    enum err_code code = submit_script(b, "merge.sh", &options, &b->merge_job, e);
    batch_options_clear(&options);
    free(array);
    return code == ERR_NONE ? batch_write(b, e) : code;
}

enum err_code batch_submit(struct batch *b, const struct batch_script *script, const struct batch_plan *p,
                           struct err *e)
{
    enum err_code code = write_folder(b, script, e);
    if (code == ERR_NONE && p->array != NULL)
        code = submit_array(b, p, e);
    if (code == ERR_NONE && p->has_merge)
        code = submit_merge(b, p, e);
    return code;
}
