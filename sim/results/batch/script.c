/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The scripts are shell with two kinds of quoting: what sbatch reads in its #SBATCH lines, and what the shell reads.
   A name with blanks, quotes, % or a dollar must survive both, since users name folders as they like. */
#include "batch/script.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* --- options for sbatch --- */

/* Options that would make the jobs something other than this folder expects. */
static const struct forbidden {
    const char *name, *letter, *why;
} forbidden[] = {
    {"--array", "-a", "iasim sets it: the tasks of the array are the parts"},
    {"--dependency", "-d", "iasim sets it for its jobs; delay them with --begin"},
    {"--wait", "-W", "`iasim status` shows when everything is done"},
    {"--wrap", NULL, "iasim writes the scripts"},
    {"--test-only", NULL, "--dry-run shows what would be submitted"},
    {"--plugin", NULL, "it is an option of iasim and comes before the command: iasim --plugin FILE submit ..."},
    {"--clusters", "-M", "iasim looks for the parts in the queue of this cluster"},
};

/* "--array", "--array=1" and "-a1", but not "--array-x"; and "--arr=1": sbatch takes the beginnings of names. */
static bool is_option(const char *word, const struct forbidden *f)
{
    size_t n = strcspn(word, "=");
    if (n > strlen("--") && strncmp(f->name, word, n) == 0)
        return true;
    /* A letter may have its value right behind it (-a1). */
    return f->letter != NULL && strncmp(word, f->letter, 2) == 0;
}

enum err_code batch_script_check(const struct batch_script *s, struct err *e)
{
    /* sbatch has no way to write either in a path. */
    if (strpbrk(s->batch->folder, "\\\n") != NULL)
        return err_set(e, ERR_USAGE,
                       "the name of the folder '%s' has a backslash or a line feed, which Slurm cannot handle",
                       s->batch->folder);
    for (size_t i = 0; i < s->n_options; i++) {
        if (strchr(s->options[i], '\n') != NULL)
            return err_set(e, ERR_USAGE, "an option for sbatch has more than one line: '%s'", s->options[i]);
        for (size_t f = 0; f < sizeof forbidden / sizeof forbidden[0]; f++)
            if (is_option(s->options[i], &forbidden[f]))
                return err_set(e, ERR_USAGE, "the option %s cannot be passed to sbatch: %s", s->options[i],
                               forbidden[f].why);
    }
    return ERR_NONE;
}

/* --- #SBATCH lines --- */

/* sbatch reads words in double quotes, in which a backslash escapes the next character. */
static void add_quoted(struct text *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (word[0] != '\0' && word[0] != ':' && word[strspn(word, plain)] == '\0') {
        text_addf(out, "%s", word);
        return;
    }
    text_addf(out, "\"");
    for (const char *at = word; *at != '\0'; at++)
        text_addf(out, "%s%c", *at == '"' || *at == '\\' ? "\\" : "", *at);
    text_addf(out, "\"");
}

/* sbatch expands % in the names of files; %% is a plain one. */
static void add_log(struct text *out, const struct batch_script *s, const char *name)
{
    struct text path = {0};
    for (const char *at = s->batch->folder; *at != '\0'; at++)
        text_addf(&path, "%s%c", *at == '%' ? "%" : "", *at);
    text_addf(&path, "/%s", name);
    text_addf(out, "#SBATCH --output=");
    add_quoted(out, text_str(&path));
    /* Appended: a part that is submitted again keeps the log of its first attempt. */
    text_addf(out, " --open-mode=append\n");
    text_clear(&path);
}

static void add_options(struct text *out, const struct batch_script *s)
{
    if (s->n_options == 0)
        return;
    text_addf(out, "#SBATCH");
    for (size_t i = 0; i < s->n_options; i++) {
        text_addf(out, " ");
        add_quoted(out, s->options[i]);
    }
    text_addf(out, "\n");
}

static void add_job_name(struct text *out, const struct batch_script *s, const char *ending)
{
    char *name = mem_format("%s%s", s->batch->scenario, ending);
    text_addf(out, "#SBATCH --job-name=");
    add_quoted(out, name);
    text_addf(out, "\n");
    free(name);
}

/* --- shell --- */

/* A line feed in a name must not end the comment. */
static void add_comment(struct text *out, const char *text)
{
    for (; *text != '\0'; text++)
        text_addf(out, "%c", *text == '\n' ? ' ' : *text);
}

static void add_start(struct text *out, const struct batch_script *s)
{
    /* File names in the command are relative to the folder where `iasim submit` was called. */
    text_addf(out, "cd ");
    rerun_add_word(out, s->start);
    text_addf(out, " || exit 2\n");
    if (s->data != NULL) {
        text_addf(out, "export IASIM_DATA=");
        rerun_add_word(out, s->data);
        text_addf(out, "\n");
    }
    text_addf(out, "folder=");
    rerun_add_word(out, s->batch->folder);
    text_addf(out, "\n\n");
}

static void add_run(struct text *out, const struct batch_script *s)
{
    rerun_add_scenario(out, s->program, &s->words);
    if (s->time_limit != NULL)
        text_addf(out, " --time-limit %s", s->time_limit);
    if (s->n_jobs > 0)
        text_addf(out, " --jobs %d", s->n_jobs);
    else
        /* The allocation may give more processors than were asked for; without Slurm, one. */
        text_addf(out, " --jobs \"${SLURM_CPUS_ON_NODE:-1}\"");
    /* --resume: a task that is requeued or submitted again goes on where it stopped. No input: sbatch gives the
       script none, but a shell might. */
    text_addf(out,
              " \\\n  --shard \"$SLURM_ARRAY_TASK_ID/%ld\" --resume --quiet --out \"$folder/$SLURM_ARRAY_TASK_ID.db\" "
              "</dev/null\n",
              s->batch->n_parts);
}

char *batch_task_script(const struct batch_script *s)
{
    struct text out = {0};
    text_addf(&out, "#!/usr/bin/env bash\n# One of the %ld parts of scenario ", s->batch->n_parts);
    add_comment(&out, s->batch->scenario);
    text_addf(&out, ", as a task of an array whose indices are parts. Written by iasim submit.\n");
    add_job_name(&out, s, "");
    add_log(&out, s, "%a.log");
    if (s->n_jobs > 0)
        text_addf(&out, "#SBATCH --cpus-per-task=%d\n", s->n_jobs);
    add_options(&out, s);
    /* Only -u: an error of iasim must reach the last lines, which look at its status. */
    text_addf(&out, "set -u\n");
    add_start(&out, s);
    /* Without the trap the shell would end at once and take its child's status with it. */
    text_addf(&out, "trap : TERM # Slurm signals all processes; iasim finishes its current runs, and this shell "
                    "waits for it\n");
    add_run(&out, s);
    /* Failed points are in the database; a failed task would keep the merge job from starting. */
    text_addf(&out, "status=$?\n"
                    "[[ $status -ne 1 ]] || exit 0 # some points failed: that is a result, too\n"
                    "exit $status\n");
    return text_take(&out);
}

char *batch_merge_script(const struct batch_script *s)
{
    struct text out = {0};
    text_addf(&out, "#!/usr/bin/env bash\n# Merges the %ld parts of scenario ", s->batch->n_parts);
    add_comment(&out, s->batch->scenario);
    text_addf(&out, " when all tasks have succeeded. Written by iasim submit.\n");
    add_job_name(&out, s, "-merge");
    add_log(&out, s, "merge.log");
    add_options(&out, s);
    text_addf(&out, "cd ");
    rerun_add_word(&out, s->batch->folder);
    text_addf(&out, " || exit 2\nexec ");
    rerun_add_word(&out, s->program);
    /* --replace: a merge after a second attempt takes the place of the first one's result. */
    text_addf(&out, " merge --complete --replace --out ");
    rerun_add_word(&out, s->batch->out);
    text_addf(&out, " {1..%ld}.db\n", s->batch->n_parts);
    return text_take(&out);
}
