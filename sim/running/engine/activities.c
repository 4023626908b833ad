/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scripts come from users and fuzzers, so every number has a limit, and a message names the line. Activities start by
   date, and at one date by line: the order in which they were written, which is also the order in which they take a
   processor. */
#include "engine/activities.h"

#include "base/mem.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A gigabyte of script is a mistake: reading it would take longer than anyone waits. */
static const size_t max_script_bytes = (size_t)1 << 30;
static const double max_amount = 1e18;
static const double max_start_s = 1e15;
static const double max_bytes = 9007199254740992; /* 2^53: all whole numbers up to here are doubles */

/* ---- reading ---- */

enum { MAX_WORDS = 5 };

struct line {
    const char *path;
    int number;
    char *words[MAX_WORDS];
    size_t n_words; /* may be more */
};

static enum err_code read_number(const struct line *l, const char *word, const char *what, double max, double *out,
                                 struct err *e)
{
    if (!text_to_double(word, out))
        return err_set_at(e, ERR_INPUT, l->path, l->number, "%s '%s' is not a finite number", what, word);
    if (*out < 0 || *out > max)
        return err_set_at(e, ERR_INPUT, l->path, l->number, "%s %s is out of range: it must be between 0 and %g", what,
                          word, max);
    return ERR_NONE;
}

static enum err_code read_activity(const struct line *l, struct activity *a, struct err *e)
{
    bool is_comm = strcmp(l->words[0], "comm") == 0;
    if (!is_comm && strcmp(l->words[0], "exec") != 0)
        return err_set_at(e, ERR_PARSE, l->path, l->number, "unknown activity '%s'; known: exec, comm", l->words[0]);
    size_t n_expected = is_comm ? 5 : 4;
    if (l->n_words != n_expected)
        return err_set_at(e, ERR_PARSE, l->path, l->number, "%zu words, expected: %s", l->n_words,
                          is_comm ? "comm START_S SRC DST BYTES" : "exec START_S HOST FLOP");
    *a = (struct activity){.kind = is_comm ? ACTIVITY_COMM : ACTIVITY_EXEC, .line = l->number, .hosts = {-1, -1}};
    enum err_code code = read_number(l, l->words[1], "the start", max_start_s, &a->asked_start_s, e);
    if (code == ERR_NONE)
        code = read_number(l, l->words[n_expected - 1], is_comm ? "the size in bytes" : "the work in flop",
                           is_comm ? max_bytes : max_amount, &a->amount, e);
    /* payloads of SimGrid are whole: a script must mean the same to any program that plays it */
    if (code == ERR_NONE && is_comm && a->amount != floor(a->amount))
        code = err_set_at(e, ERR_INPUT, l->path, l->number, "%s bytes: a transfer is of whole bytes", l->words[4]);
    if (code != ERR_NONE)
        return code;
    a->host_names[0] = mem_strdup(l->words[2]);
    a->host_names[1] = is_comm ? mem_strdup(l->words[3]) : NULL;
    return ERR_NONE;
}

/* Words between blanks; one in double quotes may hold blanks and '#'. */
static enum err_code split(char *text, struct line *l, struct err *e)
{
    static const char blanks[] = " \t\r", ends[] = " \t\r#";
    l->n_words = 0;
    for (char *at = text + strspn(text, blanks); *at != '\0' && *at != '#'; at += strspn(at, blanks)) {
        bool is_quoted = *at == '"';
        char *word = at + is_quoted, *end = word + strcspn(word, is_quoted ? "\"" : ends);
        if (is_quoted && *end == '\0')
            return err_set_at(e, ERR_PARSE, l->path, l->number, "the closing quote of \"%s is missing", word);
        if (end == word)
            return err_set_at(e, ERR_PARSE, l->path, l->number, "the name between the quotes is empty");
        at = is_quoted ? end + 1 : end;
        if (is_quoted && strchr(ends, *at) == NULL) /* which has the NUL, too */
            return err_set_at(e, ERR_PARSE, l->path, l->number, "a blank is missing before '%s'", at);
        if (l->n_words < MAX_WORDS)
            l->words[l->n_words] = word;
        l->n_words++;
        bool is_last = *at == '\0' || *at == '#';
        *end = '\0';
        if (is_last)
            break;
        at += !is_quoted;
    }
    return ERR_NONE;
}

enum err_code activities_parse(const char *text, size_t n, const char *path, struct activities *out, struct err *e)
{
    *out = (struct activities){.source = mem_strdup(path)};
    size_t capacity = 0;
    enum err_code code = ERR_NONE;
    struct line l = {.path = path};
    /* strings end there: what follows would be ignored in silence */
    if (memchr(text, '\0', n) != NULL)
        code = err_set_at(e, ERR_PARSE, path, 0, "not a text file: it has a NUL byte");
    for (size_t at = 0; code == ERR_NONE && at < n;) {
        const char *newline = memchr(text + at, '\n', n - at);
        size_t end = newline ? (size_t)(newline - text) : n;
        char *copy = mem_format("%.*s", (int)(end - at), text + at);
        l.number++;
        code = split(copy, &l, e);
        if (code == ERR_NONE && l.n_words > 0) {
            MEM_GROW(out->list, out->n, capacity);
            code = read_activity(&l, &out->list[out->n], e);
            out->n += code == ERR_NONE;
        }
        free(copy);
        at = end + 1;
    }
    if (code != ERR_NONE)
        activities_clear(out);
    return code;
}

enum err_code activities_read(const char *path, struct activities *out, struct err *e)
{
    struct text text = {0};
    enum err_code code = text_read_file(&text, path, max_script_bytes, e);
    if (code == ERR_NONE)
        code = activities_parse(text_str(&text), text.size, path, out, e);
    text_clear(&text);
    return code;
}

void activities_clear(struct activities *a)
{
    for (size_t i = 0; i < a->n; i++) {
        free(a->list[i].host_names[0]);
        free(a->list[i].host_names[1]);
    }
    free(a->list);
    free(a->source);
    *a = (struct activities){0};
}

static enum err_code bind_one(const char *source, struct activity *a, const struct machine *m, struct err *e)
{
    for (int i = 0; i < 2 && a->host_names[i] != NULL; i++) {
        a->hosts[i] = machine_host_id(m, a->host_names[i]);
        if (a->hosts[i] < 0)
            return err_set_at(e, ERR_INPUT, source, a->line, "host '%s' is not on the platform %s", a->host_names[i],
                              m->source);
    }
    if (a->kind == ACTIVITY_EXEC)
        return ERR_NONE;
    struct route route = {0};
    struct err why = {0};
    enum err_code code = machine_route(m, a->hosts[0], a->hosts[1], &route, &why);
    free(route.links);
    if (code != ERR_NONE)
        err_set_at(e, code, source, a->line, "there is no route from host '%s' to host '%s' on the platform %s",
                   a->host_names[0], a->host_names[1], m->source);
    return code;
}

enum err_code activities_bind(struct activities *a, const struct machine *m, struct err *e)
{
    for (size_t i = 0; i < a->n; i++) {
        enum err_code code = bind_one(a->source, &a->list[i], m, e);
        if (code != ERR_NONE)
            return code;
    }
    return ERR_NONE;
}

/* ---- running ---- */

struct play {
    struct engine *engine;
    struct activity **by_start;
    size_t n, n_started, n_ended;
};

/* By line at one date: what qsort does with equals is its own affair. */
static int compare_starts(const void *a, const void *b)
{
    const struct activity *x = *(struct activity *const *)a, *y = *(struct activity *const *)b;
    if (x->asked_start_s != y->asked_start_s)
        return x->asked_start_s < y->asked_start_s ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static void on_ended(void *self, void *tag, enum engine_end end)
{
    struct play *p = self;
    struct activity *a = tag;
    p->n_ended++;
    a->state = end == ENGINE_DONE ? ACTIVITY_DONE : ACTIVITY_FAILED;
    a->finish_s = engine_now_s(p->engine);
}

static void start(struct play *p, struct activity *a, double now_s)
{
    a->start_s = now_s;
    if (a->kind == ACTIVITY_EXEC)
        engine_exec_start(p->engine, a->hosts[0], a->amount, a);
    else
        engine_comm_start(p->engine, a->hosts[0], a->hosts[1], a->amount, a);
}

static bool decide(void *self, double now_s)
{
    struct play *p = self;
    size_t before = p->n_started;
    while (p->n_started < p->n && p->by_start[p->n_started]->asked_start_s <= now_s)
        start(p, p->by_start[p->n_started++], now_s);
    /* once for each date: a client that asked at every call would fill the heap of timers */
    if (p->n_started < p->n && (p->n_started > before || before == 0))
        engine_wake_at(p->engine, p->by_start[p->n_started]->asked_start_s);
    return false;
}

static void count(void *self, uint64_t *n_done, uint64_t *n_total)
{
    const struct play *p = self;
    *n_done = p->n_ended;
    *n_total = p->n;
}

enum err_code activities_run(struct activities *a, struct engine *engine, const struct world_model *world,
                             struct err *e)
{
    struct play p = {.engine = engine, .n = a->n};
    p.by_start = mem_zalloc(a->n, sizeof(struct activity *));
    for (size_t i = 0; i < a->n; i++) {
        p.by_start[i] = &a->list[i];
        a->list[i].state = ACTIVITY_PENDING;
        a->list[i].start_s = a->list[i].finish_s = NAN;
    }
    qsort(p.by_start, p.n, sizeof(struct activity *), compare_starts);
    struct engine_client client = {.self = &p, .ended = on_ended, .decide = decide, .count = count};
    struct err why = {0};
    enum err_code code = engine_run(engine, world, &client, &why);
    free(p.by_start);
    /* activities that can never proceed are a result, not an error: they have failed */
    if (code != ERR_NONE && !engine_is_stuck(engine)) {
        if (e != NULL)
            *e = why;
        return code;
    }
    for (size_t i = 0; i < a->n; i++)
        if (a->list[i].state == ACTIVITY_PENDING)
            a->list[i].state = ACTIVITY_FAILED;
    return ERR_NONE;
}
