/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Experiments that misbehave on demand, and the folder that a test works in. */
#ifndef IASIM_TEST_SCENARIO_FAKE_H
#define IASIM_TEST_SCENARIO_FAKE_H

#include "base/isolate.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "runs/run.h"
#include "scenario/scenario.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const struct run_param fake_params[] = {
    {.is = {"x", PARAM_NUMBER, "", "1", -1e9, 1e9, NULL, "a number"}},
    {.is = {"n", PARAM_INTEGER, "", "0", 0, 1e9, NULL, "another"}},
    {.is = {"mode", PARAM_CHOICE, "", "ok", 0, 0, "ok|fail|garbage|segv|abort|exit|loop|kill_parent|talk",
            "what it does"}},
    {.is = {"sleep_ms", PARAM_NUMBER, "ms", "0", 0, 1e6, NULL, "before anything else"}},
    {.is = {"machine", PARAM_TEXT, "", "good", 0, 0, NULL, "good..., refuse... or crash...: what is shared"},
     .facts = RUN_SHARED},
    {.is = {0}},
};

static const struct run_param fake_file_params[] = {
    {.is = {"x", PARAM_NUMBER, "", "1", -1e9, 1e9, NULL, "a number"}},
    {.is = {"data", PARAM_TEXT, "file", NULL, 0, 0, NULL, "a file"}, .facts = RUN_FILE},
    {.is = {"platform", PARAM_TEXT, "file", NULL, 0, 0, NULL, "a platform"},
     .facts = RUN_FILE | RUN_FILE_OF_FILES,
     .folder = "platforms"},
    {.is = {0}},
};

static const struct metric fake_metrics[] = {
    {"y", "", "x squared, and a random number", BETTER_LOWER},
    {"z", "", "1 / n, if n is not 0", BETTER_HIGHER},
    {"shared", "", "the process that prepared what is shared", BETTER_NONE},
    {0},
};

static inline void fake_crash(int number)
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL); /* sanitizers have taken it */
    raise(number);
}

static inline enum err_code fake_misbehave(const char *mode, struct err *e)
{
    if (strcmp(mode, "fail") == 0)
        return err_set_at(e, ERR_INPUT, "some.xml", 7, "it does, \"sadly\", not work");
    if (strcmp(mode, "garbage") == 0)
        return err_set(e, ERR_INPUT, "cut \xc3\nhere");
    if (strcmp(mode, "talk") == 0)
        for (int i = 0; i < 20000; i++)
            fprintf(stderr, "a line that nobody wants to see, number %d\n", i);
    if (strcmp(mode, "segv") == 0)
        fake_crash(SIGSEGV);
    if (strcmp(mode, "abort") == 0) {
        fprintf(stderr, "first line\n[0.0] [xbt/CRITICAL] the reason is %p at 0x1F\nanother line\n",
                (const void *)&mode);
        fake_crash(SIGABRT);
    }
    if (strcmp(mode, "exit") == 0)
        _exit(5);
    if (strcmp(mode, "kill_parent") == 0)
        kill(getppid(), SIGKILL);
    while (strcmp(mode, "loop") == 0 || strcmp(mode, "kill_parent") == 0)
        usleep(1000);
    return ERR_NONE;
}

static inline enum err_code fake_run(const struct point *p, double *metrics, struct err *e)
{
    double sleep_ms = param_number(p->params, "sleep_ms"), x = param_number(p->params, "x");
    long n = param_integer(p->params, "n");
    struct random_stream r;
    random_init(&r, p->seed, p->stream);
    if (sleep_ms > 0)
        usleep((useconds_t)(1000 * sleep_ms));
    metrics[0] = x * x + random_unit(&r);
    if (n != 0)
        metrics[1] = 1.0 / (double)n;
    if (p->shared != NULL && strncmp(param_text(p->params, "machine"), "good_pid", 8) == 0)
        metrics[2] = *(const double *)p->shared;
    return fake_misbehave(param_text(p->params, "mode"), e);
}

static inline enum err_code fake_prepare(const struct param_set *params, void **shared, struct err *e)
{
    const char *value = param_text(params, "machine");
    static double pid;
    pid = getpid();
    *shared = &pid;
    if (strncmp(value, "refuse", 6) == 0)
        return err_set_at(e, ERR_PARSE, "machine.xml", 3, "cannot be loaded");
    if (strncmp(value, "crash", 5) == 0) {
        fprintf(stderr, "terminate called\n  what():  bad machine\n");
        fake_crash(SIGABRT);
    }
    return ERR_NONE;
}

static inline enum err_code fake_file_run(const struct point *p, double *metrics, struct err *e)
{
    (void)e;
    metrics[0] = param_number(p->params, "x");
    return ERR_NONE;
}

struct fake_child {
    const struct point *p;
    double *metrics;
};

static inline enum err_code fake_in_child(void *self, struct err *e)
{
    const struct fake_child *x = self;
    return fake_run(x->p, x->metrics, e);
}

static inline enum err_code fake_forked_run(const struct point *p, double *metrics, struct err *e)
{
    return isolate_run(fake_in_child, &(struct fake_child){p, metrics}, e);
}

/* shared: whether it ran in the process that prepared. */
static inline enum err_code fake_simulates_run(const struct point *p, double *metrics, struct err *e)
{
    metrics[2] = *(const double *)p->shared == (double)getpid();
    return fake_misbehave(param_text(p->params, "mode"), e);
}

/* `x`, whose row `name` says `facts`; `rows` has room for a copy. */
static inline struct run_kind fake_that_says(const struct run_kind *x, struct run_param rows[8], const char *name,
                                             unsigned facts)
{
    struct run_kind copy = *x;
    copy.rows = rows;
    for (size_t i = 0; i < 8; i++) {
        rows[i] = x->rows[i];
        if (rows[i].is.name == NULL)
            break;
        if (strcmp(rows[i].is.name, name) == 0)
            rows[i].facts = facts;
    }
    return copy;
}

/* `fake` runs many points in one process, `fake_forked` each in its own; the pool sees to it for `fake_simulates`. */
static const struct run_kind fake = {.name = "fake",
                                     .results_version = 1,
                                     .rows = fake_params,
                                     .metrics = fake_metrics,
                                     .is_random = true,
                                     .prepare = fake_prepare,
                                     .run = fake_run};
static const struct run_kind fake_forked = {.name = "fake_forked",
                                            .results_version = 1,
                                            .rows = fake_params,
                                            .metrics = fake_metrics,
                                            .is_random = true,
                                            .prepare = fake_prepare,
                                            .run = fake_forked_run};
static const struct run_kind fake_file = {
    .name = "fake_file", .results_version = 1, .rows = fake_file_params, .metrics = fake_metrics, .run = fake_file_run};
static const struct run_kind fake_simulates = {.name = "fake_simulates",
                                               .results_version = 1,
                                               .rows = fake_params,
                                               .metrics = fake_metrics,
                                               .prepare = fake_prepare,
                                               .simulates = true,
                                               .run = fake_simulates_run};
static const struct run_kind *const fakes[] = {&fake, &fake_forked, &fake_file, &fake_simulates, NULL};

/* --- scenarios --- */

static inline enum err_code fake_scenario_set(struct scenario *s, const char *experiment, const char *content,
                                              const char *const *sets, size_t n_sets, struct err *e)
{
    const struct scenario_options o = {.experiments = fakes, .sets = sets, .n_sets = n_sets};
    char *xml = mem_format("<scenario name='t' experiment='%s' seed='7'>%s</scenario>", experiment, content);
    enum err_code code = scenario_parse(xml, strlen(xml), "t.xml", &o, s, e);
    free(xml);
    return code;
}

static inline enum err_code fake_scenario(struct scenario *s, const char *experiment, const char *content,
                                          struct err *e)
{
    return fake_scenario_set(s, experiment, content, NULL, 0, e);
}

/* --- files --- */

/* A fresh folder; tests remove what they put there. */
static inline const char *fake_folder(void)
{
    static char folder[64];
    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "/tmp/iasim-test-XXXXXX");
        if (mkdtemp(folder) == NULL)
            abort();
    }
    return folder;
}

static inline void fake_folder_remove(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", fake_folder());
    if (system(command) != 0)
        fprintf(stderr, "%s is left\n", fake_folder());
}

static inline const char *fake_path(const char *name)
{
    static char paths[8][256];
    static unsigned at;
    char *path = paths[at++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", fake_folder(), name);
    return path;
}

static inline void fake_write(const char *path, const char *text)
{
    if (text_write_file(path, text, strlen(text), NULL) != ERR_NONE)
        abort();
}

/* The content of a file; the caller frees. */
static inline char *fake_read(const char *path)
{
    struct text t = {0};
    text_read_file(&t, path, 1 << 28, NULL);
    return t.data != NULL ? t.data : mem_strdup("");
}

#endif
