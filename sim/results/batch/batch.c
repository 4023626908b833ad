/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The folder of a batch. What was submitted is in batch.json; what became of it is asked of the queue and of the
   databases each time, so that a job that was killed, cancelled or run by hand is seen as it is. */
#include "batch/batch.h"

#include "base/mem.h"
#include "store/survey.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char format[] = "iasim-batch/1";

char *batch_file(const struct batch *b, const char *name)
{
    return mem_format("%s/%s", b->folder, name);
}

char *batch_database(const struct batch *b, long part)
{
    return mem_format("%s/%ld.db", b->folder, part);
}

uint64_t batch_runs_of(const struct batch *b, long part)
{
    /* Part k does the runs k, k + n, k + 2 n, ...: the first parts have one more where the division leaves a rest. */
    uint64_t before = (uint64_t)part - 1, n_parts = (uint64_t)b->n_parts;
    return b->n_runs <= before ? 0 : (b->n_runs - before + n_parts - 1) / n_parts;
}

void batch_clear(struct batch *b)
{
    free(b->folder);
    free(b->out);
    free(b->scenario);
    free(b->digest);
    free(b->program);
    free(b->command);
    free(b->arrays);
    *b = (struct batch){0};
}

/* --- batch.json --- */

bool batch_exists(const char *folder)
{
    char *path = mem_format("%s/batch.json", folder);
    bool exists = access(path, F_OK) == 0;
    free(path);
    return exists;
}

/* False if one of the texts is missing. */
static bool take_texts(struct batch *b, const json_t *root)
{
    const struct {
        const char *name;
        char **to;
    } texts[] = {{"out", &b->out},
                 {"scenario", &b->scenario},
                 {"digest", &b->digest},
                 {"program", &b->program},
                 {"command", &b->command}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *text = json_string_value(json_object_get(root, texts[i].name));
        if (text == NULL)
            return false;
        *texts[i].to = mem_strdup(text);
    }
    return true;
}

static bool take_numbers(struct batch *b, const json_t *root)
{
    const json_t *arrays = json_object_get(root, "array_jobs"), *job;
    size_t i;
    /* Read as a signed number first: a negative one must not become a huge count. */
    json_int_t n_runs = json_integer_value(json_object_get(root, "runs"));
    b->n_runs = (uint64_t)n_runs;
    b->n_parts = (long)json_integer_value(json_object_get(root, "parts"));
    b->merge_job = (long)json_integer_value(json_object_get(root, "merge_job"));
    /* One more than needed, so that an empty list is memory, too. */
    b->arrays = mem_zalloc(json_array_size(arrays) + 1, sizeof *b->arrays);
    json_array_foreach(arrays, i, job) b->arrays[b->n_arrays++] = (long)json_integer_value(job);
    return json_is_array(arrays) && n_runs >= 1 && b->n_parts >= 1 && b->n_parts <= BATCH_MAX_PARTS;
}

enum err_code batch_read(const char *folder, struct batch *b, struct err *e)
{
    struct text bytes = {0};
    json_error_t why;
    *b = (struct batch){.folder = mem_strdup(folder)};
    char *path = batch_file(b, "batch.json");
    /* 16 MB: a batch of 10,000 parts that was submitted many times is far smaller. */
    enum err_code code = text_read_file(&bytes, path, 1 << 24, e);
    json_t *root = code == ERR_NONE ? json_loadb(text_str(&bytes), bytes.size, 0, &why) : NULL;
    if (code == ERR_NONE && root == NULL)
        code = err_set_at(e, ERR_PARSE, path, why.line, "is not JSON: %s", why.text);
    const char *found = json_string_value(json_object_get(root, "format"));
    if (code == ERR_NONE && (found == NULL || strcmp(found, format) != 0))
        code = err_set_at(e, ERR_PARSE, path, 0, "has the format '%s'; this program knows '%s'", found ? found : "",
                          format);
    /* What was read so far is in `b`; the caller clears it also after errors. */
    if (code == ERR_NONE && (!take_texts(b, root) || !take_numbers(b, root)))
        code = err_set_at(e, ERR_PARSE, path, 0, "is incomplete: files written by `iasim submit` are missing");
    json_decref(root);
    text_clear(&bytes);
    free(path);
    return code;
}

enum err_code batch_write(const struct batch *b, struct err *e)
{
    json_t *arrays = json_array();
    for (size_t i = 0; i < b->n_arrays; i++)
        json_array_append_new(arrays, json_integer(b->arrays[i]));
    /* I is a 64-bit integer for json_pack; `long` would have another width on some machines. */
    json_t *root = json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:s, s:o, s:I}", "format", format, "scenario",
                             b->scenario, "digest", b->digest, "program", b->program, "command", b->command, "runs",
                             (json_int_t)b->n_runs, "parts", (json_int_t)b->n_parts, "out", b->out, "array_jobs",
                             arrays, "merge_job", (json_int_t)b->merge_job);
    /* NULL where a name is not UTF-8, which JSON cannot hold. */
    char *text = root != NULL ? json_dumps(root, JSON_INDENT(1)) : NULL, *path = batch_file(b, "batch.json");
    enum err_code code = text != NULL ? text_write_file(path, text, strlen(text), e)
                                      : err_set_at(e, ERR_INPUT, path, 0, "a name in it is not UTF-8");
    json_decref(root);
    free(text);
    free(path);
    return code;
}

/* --- the state of the parts --- */

const char *part_state_name(enum part_state state)
{
    static const char *const names[] = {
#define X(code, name) name,
        PART_LIST(X)
#undef X
    };
    return names[state];
}

static bool is_ours(const struct batch *b, long job)
{
    for (size_t i = 0; i < b->n_arrays; i++)
        if (b->arrays[i] == job)
            return true;
    return false;
}

/* Takes states from the queue. If a part is queued twice (one task is ending, its successor waits), the task that lives
   longer counts. */
static void mark_queued(const struct batch *b, const struct slurm_task *queue, size_t n_tasks, struct batch_status *s)
{
    for (const struct slurm_task *t = queue; t < queue + n_tasks; t++) {
        /* 0: no merge job has been submitted. */
        s->is_merging = s->is_merging || (b->merge_job != 0 && t->job == b->merge_job);
        /* The queue holds all of the user's jobs. */
        if (t->index < 1 || t->index > b->n_parts || !is_ours(b, t->job))
            continue;
        struct batch_part *p = &s->parts[t->index - 1];
        /* An ending task and its successor: the successor counts, in whichever order the queue lists them. */
        if (p->job != 0 && t->state == SLURM_ENDING)
            continue;
        p->job = t->job;
        p->state = t->state == SLURM_WAITING ? PART_WAITING : t->state == SLURM_ENDING ? PART_ENDING : PART_RUNNING;
    }
}

static enum err_code check_survey(const struct batch *b, const char *path, const struct survey *found, struct err *e)
{
    /* A part that has no database, or an empty one, fits any batch. */
    if (found->digest == NULL || strcmp(found->digest, b->digest) == 0)
        return ERR_NONE;
    return err_set_at(e, ERR_INPUT, path, 0,
                      "holds results of scenario %s with digest %s; the folder is for %s with digest %s",
                      found->scenario ? found->scenario : "", found->digest, b->scenario, b->digest);
}

static enum part_state state_by_counts(const struct batch_part *p, const struct survey *found)
{
    /* By what the database says, before anything else: a part that has all its runs is done, even if its job is
       still ending. */
    if (p->n_done >= p->n_runs)
        return PART_DONE;
    /* Without a job of ours: somebody runs the part by hand. */
    if (found->in_use)
        return PART_RUNNING;
    if (p->n_done + p->n_failed >= p->n_runs)
        return PART_FAILED;
    return p->n_done + p->n_failed > 0 || found->is_torn ? PART_STOPPED : PART_MISSING;
}

static enum err_code survey_part(const struct batch *b, long number, struct batch_part *p, struct err *e)
{
    struct survey found;
    char *path = batch_database(b, number);
    enum err_code code = survey_database(path, &found, e);
    if (code == ERR_NONE)
        code = check_survey(b, path, &found, e);
    p->n_runs = batch_runs_of(b, number);
    p->n_done = found.n_done;
    p->n_failed = found.n_failed;
    enum part_state state = state_by_counts(p, &found);
    /* The queue knows better what a part is doing, except that it is done. */
    if (p->job == 0 || state == PART_DONE)
        p->state = state;
    survey_clear(&found);
    free(path);
    return code;
}

static enum err_code survey_out(const struct batch *b, struct batch_status *s, struct err *e)
{
    struct survey found;
    enum err_code code = survey_database(b->out, &found, e);
    if (code == ERR_NONE)
        code = check_survey(b, b->out, &found, e);
    /* found.digest is NULL where there is no merged database yet. */
    s->is_complete = found.digest != NULL && found.n_done >= b->n_runs;
    /* As many good and failed runs as the parts together: merging again would change nothing. */
    s->is_merged = s->is_complete || (found.digest != NULL && found.n_done + found.n_failed >= b->n_runs &&
                                      found.n_done == s->n_done && found.n_failed == s->n_failed);
    survey_clear(&found);
    return code;
}

enum err_code batch_survey(const struct batch *b, const struct slurm_task *queue, size_t n_tasks,
                           struct batch_status *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    *out = (struct batch_status){.parts = mem_zalloc((size_t)b->n_parts, sizeof *out->parts)};
    mark_queued(b, queue, n_tasks, out);
    for (long i = 1; code == ERR_NONE && i <= b->n_parts; i++) {
        struct batch_part *p = &out->parts[i - 1];
        code = survey_part(b, i, p, e);
        out->n_in[p->state]++;
        out->n_done += p->n_done;
        out->n_failed += p->n_failed;
    }
    return code == ERR_NONE ? survey_out(b, out, e) : code;
}

void batch_status_clear(struct batch_status *s)
{
    free(s->parts);
    *s = (struct batch_status){0};
}

void batch_add_parts(struct text *out, const struct batch *b, const struct batch_status *s,
                     const bool states[N_PART_STATES])
{
    /* Ranges, because sbatch limits the length of its options. */
    for (long i = 1; i <= b->n_parts; i++) {
        if (!states[s->parts[i - 1].state])
            continue;
        long last = i;
        while (last < b->n_parts && states[s->parts[last].state])
            last++;
        text_addf(out, "%s%ld", out->size ? "," : "", i);
        if (last > i)
            text_addf(out, "-%ld", last);
        i = last;
    }
}
