/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The format suits diffs: parameters that do not vary appear once, at the top; each run is one line that names its
   figures. */
#include "baseline/baseline.h"

#include "base/mem.h"
#include "base/new_file.h"
#include "base/text.h"

#include <libxml/xmlstring.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "iasim-baseline/1\n# `iasim baseline check` compares with these results, `iasim baseline "
                           "save` updates them. A figure may differ by\n# the larger of absolute and relative times "
                           "what is expected; better: lower, higher, or neither.\n";

/* Errors are kept in `code` and looked at once, at the end: a value that cannot be written must not stop the next
   ones from being looked at. */
struct writer {
    const struct baseline *b;
    bool *varies; /* for each parameter */
    bool has_replications;
    FILE *out;
    struct err *e;
    enum err_code code;
};

/* Quotes the value if the reader needs it. */
static void put_value(struct writer *w, const char *value)
{
    /* Each letter has its name at the same place of the other text. read.c has the same table. */
    static const char letters[] = "\"\\\n\r\t", names[] = "\"\\nrt";
    bool is_plain = value[0] != '\0' && value[strcspn(value, " \"\\\n\r\t")] == '\0';
    /* Editors and git would spoil such a file or show it as binary. */
    if (!xmlCheckUTF8((const xmlChar *)value))
        w->code = err_set(w->e, ERR_INPUT, "a baseline cannot hold '%s': it is not UTF-8", value);
    if (!is_plain)
        putc('"', w->out);
    for (const char *at = value; *at != '\0'; at++) {
        const char *letter = strchr(letters, *at);
        /* Quotes, backslashes, line feeds and tabs have names; other control characters are refused. */
        if (letter != NULL)
            fprintf(w->out, "\\%c", names[letter - letters]);
        else if ((unsigned char)*at < ' ' || *at == 0x7f)
            w->code = err_set(w->e, ERR_INPUT, "a baseline cannot hold '%s': it has a control character", value);
        else
            putc(*at, w->out);
    }
    if (!is_plain)
        putc('"', w->out);
}

static void put_pair(struct writer *w, const char *name, const char *value)
{
    fprintf(w->out, "%s=", name);
    put_value(w, value);
}

static void put_head(struct writer *w)
{
    const struct baseline *b = w->b;
    fprintf(w->out, "%sscenario ", head);
    put_value(w, b->scenario);
    fprintf(w->out, "\nexperiment %s\n", b->experiment->name);
    for (size_t i = 0; i < b->n_sets; i++) {
        fputs("set ", w->out);
        put_value(w, b->sets[i].words);
        putc('\n', w->out);
    }
    /* What all runs share is taken from the first one. */
    for (size_t i = 0; b->n_runs > 0 && run_params(b->experiment)[i].name != NULL; i++)
        if (!w->varies[i] && b->runs[0].values[i] != NULL) {
            fputs("param ", w->out);
            put_pair(w, run_params(b->experiment)[i].name, b->runs[0].values[i]);
            putc('\n', w->out);
        }
    for (const struct baseline_metric *m = b->metrics; m < b->metrics + b->n_metrics; m++) {
        char relative[TEXT_NUMBER_SIZE], absolute[TEXT_NUMBER_SIZE];
        fprintf(w->out, "metric %s better=%s relative=%s absolute=%s\n", m->metric->name, better_names[m->better],
                text_number_short(m->relative, relative), text_number_short(m->absolute, absolute));
    }
}

static void put_figures(struct writer *w, const struct baseline_run *r)
{
    for (size_t i = 0; i < w->b->n_metrics; i++) {
        char number[TEXT_NUMBER_SIZE];
        double x = r->figures[i];
        /* 17 digits: the file is compared, so nothing may be rounded. A dash cannot be a number. */
        fprintf(w->out, " %s=%s", w->b->metrics[i].metric->name, isnan(x) ? "-" : text_number(x, number));
    }
}

static void put_run(struct writer *w, const struct baseline_run *r)
{
    for (size_t i = 0; run_params(w->b->experiment)[i].name != NULL; i++)
        /* Given in every run if it varies; read.c insists on that. */
        if (w->varies[i]) {
            put_pair(w, run_params(w->b->experiment)[i].name, r->values[i]);
            putc(' ', w->out);
        }
    /* Most scenarios have one replication. */
    if (w->has_replications)
        fprintf(w->out, "replication=%ld ", r->replication);
    fprintf(w->out, "key=%s", r->key);
    /* A failed run has no figures, not even dashes. */
    if (r->error != NULL) {
        putc(' ', w->out);
        put_pair(w, "error", r->error);
    } else {
        put_figures(w, r);
    }
    putc('\n', w->out);
}

enum err_code baseline_print(const struct baseline *b, FILE *out, struct err *e)
{
    size_t n_params = param_count(run_params(b->experiment));
    struct writer w = {.b = b, .out = out, .e = e, .varies = mem_zalloc(n_params + 1, sizeof *w.varies)};
    for (size_t i = 0; i < n_params; i++)
        w.varies[i] = baseline_varies(b, NULL, i);
    for (size_t i = 0; i < b->n_runs; i++)
        w.has_replications = w.has_replications || b->runs[i].replication != 1;
    put_head(&w);
    for (size_t i = 0; i < b->n_runs; i++)
        put_run(&w, &b->runs[i]);
    /* The last line shows that the file was not cut. */
    fputs("end\n", out);
    free(w.varies);
    return w.code;
}

enum err_code baseline_write(const struct baseline *b, const char *path, struct err *e)
{
    struct new_file f;
    enum err_code code = new_file_open(path, &f, e);
    if (code != ERR_NONE)
        return code;
    code = baseline_print(b, f.out, e);
    /* The file appears only if all of it could be written. */
    enum err_code closing = new_file_close(&f, code == ERR_NONE, e);
    return code == ERR_NONE ? closing : code;
}
