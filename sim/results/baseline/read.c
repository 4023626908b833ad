/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads line by line and in place: words are unquoted where they stand in the text that the baseline owns. People edit
   these files, so every error names its line. */
#include "baseline/baseline.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/text.h"

#include <libxml/xmlstring.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 100,000 runs of 2.5 kB. */
enum { MAX_FILE_BYTES = 256000000 };

static const char format_name[] = "iasim-baseline/1";

struct reader {
    const char *path;
    const struct run_kind *const *list;
    struct baseline *b;
    struct err *e;
    char *at; /* the rest of this line */
    int line;
    /* What a `param` line says holds for all runs, so a run may not say it again. */
    const char **values; /* [parameter]: from its `param` line; NULL: there is none */
    bool *first;         /* [parameter]: named by the first run; all runs must name the same */
    bool *seen;          /* in this line: parameters, then metrics */
    size_t n_params;
    bool has_ended;
};

static enum err_code refuse(const struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static enum err_code refuse(const struct reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    enum err_code code = err_vset_at(r->e, ERR_PARSE, r->path, r->line, format, args);
    va_end(args);
    return code;
}

/* --- words --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The character that a letter after a backslash stands for; 0: none. The table is that of baseline_write.c. */
static char named(char letter)
{
    static const char names[] = "\"\\nrt", letters[] = "\"\\\n\r\t";
    const char *name = letter != '\0' ? strchr(names, letter) : NULL;
    return name != NULL ? letters[name - names] : '\0';
}

/* The next word of the line, unquoted; NULL: no more. Unquoting never lengthens a word, so it is done in place.
   Quotes may begin anywhere in a word: name="two words". */
static enum err_code next_word(struct reader *r, char **out)
{
    bool quoted = false;
    while (is_blank(*r->at))
        r->at++;
    char *to = r->at, *start = r->at;
    *out = *r->at != '\0' ? start : NULL;
    for (; *r->at != '\0' && (quoted || !is_blank(*r->at)); r->at++) {
        if (*r->at == '"') {
            quoted = !quoted;
        } else if (*r->at == '\\') {
            if (named(r->at[1]) == '\0')
                return refuse(r, "unknown character after a backslash; known: \\\" \\\\ \\n \\r \\t");
            *to++ = named(*++r->at);
        } else {
            *to++ = *r->at;
        }
    }
    if (quoted)
        return refuse(r, "a closing quote is missing");
    /* Beyond the blank, so that the NUL which ends this word does not end the line. */
    r->at += *r->at != '\0';
    *to = '\0';
    return ERR_NONE;
}

/* name=value; *name NULL: no more words. */
static enum err_code next_pair(struct reader *r, char **name, char **value)
{
    enum err_code code = next_word(r, name);
    if (code != ERR_NONE || *name == NULL)
        return code;
    /* The first '=': values may have more of them. */
    *value = strchr(*name, '=');
    if (*value == NULL || *value == *name)
        return refuse(r, "'%.80s' is not of the form name=value", *name);
    *(*value)++ = '\0';
    return ERR_NONE;
}

static enum err_code no_more(struct reader *r)
{
    char *word;
    enum err_code code = next_word(r, &word);
    return code == ERR_NONE && word != NULL ? refuse(r, "unexpected word '%.80s' at the end of the line", word) : code;
}

static enum err_code one_word(struct reader *r, const char *what, char **out)
{
    enum err_code code = next_word(r, out);
    if (code == ERR_NONE && *out == NULL)
        code = refuse(r, "%s is missing", what);
    return code == ERR_NONE ? no_more(r) : code;
}

/* --- the head --- */

static enum err_code read_scenario(struct reader *r)
{
    char *name;
    if (r->b->scenario != NULL)
        return refuse(r, "duplicate `scenario` line");
    enum err_code code = one_word(r, "the scenario's name", &name);
    if (code == ERR_NONE) {
        r->b->scenario = mem_strdup(name);
        r->b->scenario_line = r->line;
    }
    return code;
}

static enum err_code read_experiment(struct reader *r)
{
    char *name;
    struct err found = {0};
    if (r->b->experiment != NULL)
        return refuse(r, "duplicate `experiment` line");
    enum err_code code = one_word(r, "the experiment's name", &name);
    if (code != ERR_NONE)
        return code;
    if (run_kind_find(r->list, name, &r->b->experiment, &found) != ERR_NONE)
        return refuse(r, "%s", found.text);
    /* Only now is it known how many there are. */
    r->n_params = param_count(run_params(r->b->experiment));
    r->values = mem_zalloc(r->n_params + 1, sizeof *r->values);
    r->first = mem_zalloc(r->n_params + 1, sizeof *r->first);
    r->seen = mem_zalloc(r->n_params + run_n_metrics(r->b->experiment) + 1, sizeof *r->seen);
    return ERR_NONE;
}

static enum err_code read_set(struct reader *r)
{
    char *words;
    enum err_code code = one_word(r, "name=value", &words);
    if (code == ERR_NONE)
        baseline_add_set(r->b, words, r->line);
    return code;
}

static enum err_code find_param(const struct reader *r, const char *name, size_t *out)
{
    const struct param *p;
    struct err found = {0};
    if (run_find_param(r->b->experiment, name, &p, &found) != ERR_NONE)
        return refuse(r, "%s", found.text);
    /* The place in the experiment's list is the number of the parameter everywhere in this file. */
    *out = (size_t)(p - run_params(r->b->experiment));
    return ERR_NONE;
}

/* Values must parse as numbers where the parameter is one. Other values need not exist any more: the comparison then
   reports missing runs. */
static enum err_code check_value(const struct reader *r, const struct param *p, const char *value)
{
    double number;
    long whole;
    if (param_is_number(p, value) && !text_to_double(value, &number))
        return refuse(r, "parameter %s is '%.80s', which is not a finite number", p->name, value);
    if (p->type == PARAM_INTEGER && !text_to_whole(value, &whole))
        return refuse(r, "parameter %s is '%.80s', which is not a whole number", p->name, value);
    return ERR_NONE;
}

static enum err_code read_param(struct reader *r)
{
    char *name = NULL, *value = NULL;
    size_t id = 0;
    enum err_code code = next_pair(r, &name, &value);
    /* "param" alone on its line. */
    if (code == ERR_NONE && name == NULL)
        code = refuse(r, "name=value is missing");
    if (code == ERR_NONE)
        code = find_param(r, name, &id);
    if (code == ERR_NONE && r->values[id] != NULL)
        code = refuse(r, "parameter %s is given twice", name);
    if (code == ERR_NONE)
        code = check_value(r, &run_params(r->b->experiment)[id], value);
    if (code == ERR_NONE)
        r->values[id] = value;
    return code == ERR_NONE ? no_more(r) : code;
}

static enum err_code find_metric(const struct reader *r, const char *name, const struct metric **out)
{
    const struct run_kind *x = r->b->experiment;
    *out = run_metric(x, name);
    if (*out != NULL)
        return ERR_NONE;
    struct text known = {0};
    for (const struct metric *m = x->metrics; m->name != NULL; m++)
        text_add_name(&known, m->name);
    refuse(r, "experiment %s has no metric '%.80s'%s", x->name, name,
           hint_among(name, text_str(&known), "experiment").text);
    text_clear(&known);
    return ERR_PARSE;
}

static enum err_code read_better(struct reader *r, const char *value, enum better *out)
{
    for (int i = BETTER_NONE; i <= BETTER_HIGHER; i++)
        if (strcmp(better_names[i], value) == 0) {
            *out = (enum better)i;
            return ERR_NONE;
        }
    return refuse(r, "better is '%.80s'; it must be lower, higher or neither", value);
}

static enum err_code read_tolerance(struct reader *r, const char *name, const char *value, double *out)
{
    if (!text_to_double(value, out) || *out < 0)
        return refuse(r, "%s is '%.80s'; it must be a finite number of at least 0", name, value);
    return ERR_NONE;
}

static enum err_code read_detail(struct reader *r, const char *name, const char *value, struct baseline_metric *m,
                                 bool seen[3])
{
    static const char *const names[] = {"better", "relative", "absolute"};
    /* Three details in any order, each exactly once. */
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        if (seen[i])
            return refuse(r, "%s is given twice", name);
        seen[i] = true;
        if (i == 0)
            return read_better(r, value, &m->better);
        return read_tolerance(r, name, value, i == 1 ? &m->relative : &m->absolute);
    }
    return refuse(r, "unknown word '%.80s' for a metric; known: better, relative, absolute", name);
}

static enum err_code read_details(struct reader *r, struct baseline_metric *m)
{
    bool seen[3] = {false, false, false};
    char *name, *value;
    enum err_code code;
    while ((code = next_pair(r, &name, &value)) == ERR_NONE && name != NULL)
        if ((code = read_detail(r, name, value, m, seen)) != ERR_NONE)
            return code;
    /* All three are asked for, because a default that changes later would change what old files mean. */
    if (code == ERR_NONE && !(seen[0] && seen[1] && seen[2]))
        code = refuse(r, "%s= is missing", !seen[0] ? "better" : !seen[1] ? "relative" : "absolute");
    return code;
}

/* The order of the experiment's list, whatever the file's: tables and comparisons show metrics in one order. */
static int compare_metrics(const void *a, const void *b)
{
    const struct baseline_metric *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static enum err_code read_metric(struct reader *r)
{
    struct baseline *b = r->b;
    struct baseline_metric m = {.line = r->line};
    char *name;
    enum err_code code = next_word(r, &name);
    if (code == ERR_NONE && name == NULL)
        code = refuse(r, "the metric's name is missing");
    if (code == ERR_NONE)
        code = find_metric(r, name, &m.metric);
    if (code != ERR_NONE)
        return code;
    m.id = (size_t)(m.metric - b->experiment->metrics);
    /* By number, so that the line of the first one can be named. */
    for (size_t i = 0; i < b->n_metrics; i++)
        if (b->metrics[i].id == m.id)
            return refuse(r, "metric %s is given twice; the first is on line %d", name, b->metrics[i].line);
    code = read_details(r, &m);
    if (code != ERR_NONE)
        return code;
    b->metrics = mem_resize(b->metrics, b->n_metrics + 1, sizeof *b->metrics);
    b->metrics[b->n_metrics++] = m;
    qsort(b->metrics, b->n_metrics, sizeof *b->metrics, compare_metrics);
    return ERR_NONE;
}

/* --- runs --- */

static enum err_code read_figure(const struct reader *r, const char *name, const char *value, double *out)
{
    /* "-" and infinities are written by baseline_write; text_to_double accepts neither. */
    if (strcmp(value, "-") == 0)
        *out = NAN;
    else if (strcmp(value, "inf") == 0 || strcmp(value, "-inf") == 0)
        *out = value[0] == '-' ? -INFINITY : INFINITY;
    else if (!text_to_double(value, out))
        return refuse(r, "metric %s is '%.80s', which is not a number; write - for a missing figure", name, value);
    return ERR_NONE;
}

static enum err_code read_key(const struct reader *r, const char *value, char out[DIGEST_HEX_SIZE])
{
    /* Empty until it has been read. */
    if (out[0] != '\0')
        return refuse(r, "key is given twice");
    if (strlen(value) != DIGEST_HEX_SIZE - 1 || value[strspn(value, "0123456789abcdef")] != '\0')
        return refuse(r, "key is '%.80s'; it must be %d hexadecimal digits", value, DIGEST_HEX_SIZE - 1);
    memcpy(out, value, DIGEST_HEX_SIZE);
    return ERR_NONE;
}

static enum err_code read_replication(const struct reader *r, const char *value, long *out)
{
    if (!text_to_long(value, out) || *out < 1 || *out > SCENARIO_MAX_POINTS)
        return refuse(r, "replication is '%.80s'; it must be a whole number from 1 to %d", value, SCENARIO_MAX_POINTS);
    return ERR_NONE;
}

static enum err_code see(const struct reader *r, size_t place, const char *name)
{
    if (r->seen[place])
        return refuse(r, "%s is given twice", name);
    r->seen[place] = true;
    return ERR_NONE;
}

static enum err_code read_run_param(const struct reader *r, const char *name, char *value, struct baseline_run *run)
{
    size_t id = 0;
    enum err_code code = find_param(r, name, &id);
    if (code == ERR_NONE && r->values[id] != NULL)
        code = refuse(r, "parameter %s has a value for all runs already", name);
    if (code == ERR_NONE)
        code = see(r, id, name);
    if (code == ERR_NONE)
        code = check_value(r, &run_params(r->b->experiment)[id], value);
    /* Kept also after an error: the baseline is then dropped as a whole. */
    run->values[id] = value;
    return code;
}

static enum err_code read_run_pair(const struct reader *r, const char *name, char *value, struct baseline_run *run)
{
    /* Metrics first: they are most of the words of a line. */
    for (size_t i = 0; i < r->b->n_metrics; i++)
        if (strcmp(name, r->b->metrics[i].metric->name) == 0) {
            enum err_code code = see(r, r->n_params + i, name);
            return code == ERR_NONE ? read_figure(r, name, value, &run->figures[i]) : code;
        }
    if (strcmp(name, "key") == 0)
        return read_key(r, value, run->key);
    if (strcmp(name, "replication") == 0)
        return read_replication(r, value, &run->replication);
    if (strcmp(name, "error") == 0 && run->error != NULL)
        return refuse(r, "error is given twice");
    if (strcmp(name, "error") == 0) {
        run->error = mem_strdup(value);
        return ERR_NONE;
    }
    /* A metric of the experiment that this file has no line for was probably deleted there. */
    if (run_metric(r->b->experiment, name) != NULL)
        return refuse(r, "metric %s has no line 'metric %s ...' above", name, name);
    return param_find(run_params(r->b->experiment), name) != NULL
               ? read_run_param(r, name, value, run)
               : refuse(r, "unknown metric or parameter '%.80s'", name);
}

/* Every run names the same parameters; the others have the value of their `param` line, or their default. */
static enum err_code complete_params(const struct reader *r, struct baseline_run *run)
{
    const struct param *params = run_params(r->b->experiment);
    /* The first run sets which parameters vary. A run that names others would have been identified by other
       parameters. */
    if (r->b->n_runs == 1)
        memcpy(r->first, r->seen, r->n_params * sizeof *r->first);
    for (size_t i = 0; i < r->n_params; i++) {
        if (r->seen[i] != r->first[i])
            return refuse(r, "parameter %s is %s in the first run, on line %d", params[i].name,
                          r->first[i] ? "missing; it is given" : "given, but not", r->b->runs[0].line);
        if (run->values[i] == NULL)
            run->values[i] = r->values[i] != NULL ? r->values[i] : params[i].default_text;
        if (run->values[i] == NULL && !run_param_is(r->b->experiment, params[i].name, RUN_OPTIONAL))
            return refuse(r, "parameter %s is missing and has no default", params[i].name);
    }
    return ERR_NONE;
}

static enum err_code complete_figures(const struct reader *r, const struct baseline_run *run)
{
    for (size_t i = 0; i < r->b->n_metrics; i++) {
        const char *name = r->b->metrics[i].metric->name;
        /* A run that failed has no figures, and one that worked has all of them; a figure that is missing is written
           as "-". */
        if (run->error != NULL && r->seen[r->n_params + i])
            return refuse(r, "metric %s is given for a run that failed", name);
        if (run->error == NULL && !r->seen[r->n_params + i])
            return refuse(r, "metric %s is missing", name);
    }
    return run->key[0] == '\0' ? refuse(r, "key is missing") : ERR_NONE;
}

static enum err_code read_run(struct reader *r)
{
    char *name, *value;
    enum err_code code;
    if (r->b->scenario == NULL || r->b->experiment == NULL || r->b->n_metrics == 0)
        return refuse(r, "a run before %s",
                      r->b->scenario == NULL     ? "the scenario"
                      : r->b->experiment == NULL ? "the experiment"
                                                 : "any metric");
    if (r->b->n_runs >= BASELINE_MAX_RUNS)
        return refuse(r, "more than %d runs", BASELINE_MAX_RUNS);
    struct baseline_run *run = baseline_add_run(r->b);
    run->line = r->line;
    memset(r->seen, 0, (r->n_params + r->b->n_metrics) * sizeof *r->seen);
    while ((code = next_pair(r, &name, &value)) == ERR_NONE && name != NULL)
        if ((code = read_run_pair(r, name, value, run)) != ERR_NONE)
            return code;
    if (code == ERR_NONE)
        code = complete_params(r, run);
    return code == ERR_NONE ? complete_figures(r, run) : code;
}

/* --- lines --- */

struct keyword {
    const char *word;
    enum err_code (*read)(struct reader *r);
    bool needs_experiment;
};

static enum err_code read_end(struct reader *r)
{
    r->has_ended = true;
    return no_more(r);
}

static const struct keyword keywords[] = {
    {"scenario", read_scenario, false}, {"experiment", read_experiment, false}, {"set", read_set, false},
    {"param", read_param, true},        {"metric", read_metric, true},          {"end", read_end, false},
};

static enum err_code read_keyword(struct reader *r, const char *word)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        const struct keyword *k = &keywords[i];
        if (strcmp(k->word, word) != 0)
            continue;
        if (k->needs_experiment && r->b->experiment == NULL)
            return refuse(r, "%s before the experiment", word);
        /* The head ends with the first run, because a later `param` line would change the runs before it. */
        if (r->b->n_runs > 0 && k->read != read_end)
            return refuse(r, "%s after the first run, which is on line %d", word, r->b->runs[0].line);
        return k->read(r);
    }
    return refuse(r, "'%.80s' is neither name=value nor one of scenario, experiment, set, param, metric, end", word);
}

static enum err_code read_line(struct reader *r)
{
    /* Decided by the first word alone: a run begins with name=value, anything else is a keyword. */
    char *start = r->at + strspn(r->at, " \t"), *word;
    size_t n = strcspn(start, " \t");
    if (*start == '\0' || *start == '#')
        return ERR_NONE;
    if (r->has_ended)
        return refuse(r, "a line after 'end'");
    if (memchr(start, '=', n) != NULL)
        return read_run(r);
    enum err_code code = next_word(r, &word);
    return code == ERR_NONE ? read_keyword(r, word) : code;
}

/* A line of a text file has no NUL, no control character, no carriage return, and is UTF-8. Checked before its words
   are read, so that messages can show what they found. */
static enum err_code check_line(const struct reader *r, const char *line, size_t n)
{
    if (memchr(line, '\0', n) != NULL)
        return refuse(r, "a NUL byte; this is not a text file");
    if (memchr(line, '\r', n) != NULL)
        return refuse(r, "a carriage return; lines must end with a line feed only (git: turn off core.autocrlf)");
    for (size_t i = 0; i < n; i++)
        if (((unsigned char)line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f)
            return refuse(r, "a control character, number %d", line[i]);
    return xmlCheckUTF8((const xmlChar *)line) ? ERR_NONE : refuse(r, "bytes that are not UTF-8");
}

static enum err_code read_lines(struct reader *r, char *text, size_t n)
{
    enum err_code code = ERR_NONE;
    char *end = text + n;
    for (char *line = text, *stop; code == ERR_NONE && line < end; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop != NULL ? stop : end;
        *stop = '\0';
        r->line++;
        r->at = line;
        code = check_line(r, line, (size_t)(stop - line));
        /* Exactly: another version of the format has another number. */
        if (code == ERR_NONE && r->line == 1 && strcmp(line, format_name) != 0)
            code = refuse(r, "not a baseline: the first line is not %s", format_name);
        else if (code == ERR_NONE && r->line > 1)
            code = read_line(r);
    }
    return code;
}

static enum err_code check_whole(struct reader *r)
{
    r->line += r->line == 0; /* an empty file */
    /* Without an experiment it cannot be told whether the file was cut or never whole. */
    if (!r->has_ended)
        return refuse(r, r->b->experiment ? "the file is cut short: its last line is not 'end'"
                                          : "the baseline is incomplete: it has no line 'end'");
    if (r->b->scenario == NULL || r->b->n_runs == 0)
        return refuse(r, "there is no %s", r->b->scenario == NULL ? "scenario" : "run");
    return baseline_seal(r->b, r->path, r->e);
}

enum err_code baseline_parse(const char *bytes, size_t n, const char *path, const struct run_kind *const *list,
                             struct baseline *out, struct err *e)
{
    /* The baseline owns the text; words point into it. */
    *out = (struct baseline){.text = mem_alloc(n + 1)};
    struct reader r = {.path = path, .list = list, .b = out, .e = e};
    if (n > 0)
        memcpy(out->text, bytes, n);
    out->text[n] = '\0';
    enum err_code code = read_lines(&r, out->text, n);
    if (code == ERR_NONE)
        code = check_whole(&r);
    if (code != ERR_NONE)
        baseline_clear(out);
    free(r.values);
    free(r.first);
    free(r.seen);
    return code;
}

enum err_code baseline_read(const char *path, const struct run_kind *const *list, struct baseline *out, struct err *e)
{
    struct text text = {0};
    *out = (struct baseline){0};
    enum err_code code = text_read_file(&text, path, MAX_FILE_BYTES, e);
    if (code == ERR_NONE)
        code = baseline_parse(text_str(&text), text.size, path, list, out, e);
    text_clear(&text);
    return code;
}
