/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which noise an item has, and its variates. An item is known by its name, so that a task draws the same variate
   whatever the scheduler, the host or the order of events: schedules are compared under the same noise, which makes
   differences between them, not between draws, visible. */
#include "models/noise.h"

#include "base/digest.h"
#include "base/mem.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const noise_kind_names[N_NOISE_KINDS] = {"work", "size", "rate"};

static bool names_kind(const char *word, size_t n, enum noise_kind *out)
{
    for (int k = 0; k < N_NOISE_KINDS; k++)
        if (strlen(noise_kind_names[k]) == n && memcmp(noise_kind_names[k], word, n) == 0) {
            *out = (enum noise_kind)k;
            return true;
        }
    return false;
}

static bool is_same(const struct noise_item *a, const struct noise_item *b)
{
    bool same_host = a->host == NULL || b->host == NULL ? a->host == b->host : strcmp(a->host, b->host) == 0;
    return a->kind == b->kind && same_host;
}

/* The host's name may contain '=': the last one ends it. */
static enum err_code parse_item(const char *word, struct noise_item *out, struct err *e)
{
    const char *value = strrchr(word, '=');
    size_t length = strcspn(word, ".=");
    if (value == NULL || !names_kind(word, length, &out->kind))
        return err_set(e, ERR_INPUT,
                       "noise '%.200s' is not one of " NOISE_SYNTAX ", or of these with a host (size.HOST=CV)", word);
    if (word[length] == '.') {
        out->host = mem_format("%.*s", (int)(value - word - (long)length - 1), word + length + 1);
        if (out->host[0] == '\0')
            return err_set(e, ERR_INPUT, "noise '%.200s' has no host name after the dot", word);
    }
    if (!text_to_double(value + 1, &out->cv))
        return err_set(e, ERR_INPUT, "noise '%.200s': '%.100s' is not a number", word, value + 1);
    if (out->cv != 0 && !(out->cv >= GAMMA_MIN_CV && out->cv <= GAMMA_MAX_CV))
        return err_set(e, ERR_INPUT, "noise '%.200s': a coefficient of variation is 0, or between %g and %g", word,
                       GAMMA_MIN_CV, GAMMA_MAX_CV);
    return ERR_NONE;
}

static enum err_code add_item(struct noise *n, size_t *capacity, const char *word, struct err *e)
{
    MEM_GROW(n->items, n->n_items, *capacity);
    struct noise_item *item = &n->items[n->n_items];
    *item = (struct noise_item){0};
    n->n_items++;
    enum err_code code = parse_item(word, item, e);
    for (size_t i = 0; code == ERR_NONE && i + 1 < n->n_items; i++)
        if (is_same(&n->items[i], item))
            code = err_set(e, ERR_INPUT, "noise '%.200s': %s%s%s is given twice", word, noise_kind_names[item->kind],
                           item->host != NULL ? "." : "", item->host != NULL ? item->host : "");
    return code;
}

/* Nothing stands before the comma at `at`, or after the last one. */
static enum err_code refuse_gap(const char *text, const char *at, struct err *e)
{
    const char *where = text[0] == '\0' ? "is empty"
                        : at[0] != '\0' ? "has nothing before a comma"
                                        : "ends with a comma";
    return err_set(e, ERR_INPUT, "noise '%.200s' %s; known: " NOISE_SYNTAX ", and these with a host (size.HOST=CV)",
                   text, where);
}

enum err_code noise_parse(const char *text, uint64_t seed, struct noise *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    size_t capacity = 0;
    *out = (struct noise){.seed = seed, .text = mem_strdup(text)};
    /* items between commas or semicolons; the last one ends with the text */
    for (const char *at = text; code == ERR_NONE; at++) {
        size_t n = strcspn(at, ",;");
        if (n == 0) {
            code = refuse_gap(text, at, e);
            break;
        }
        char *word = mem_format("%.*s", (int)n, at);
        code = add_item(out, &capacity, word, e);
        free(word);
        at += n;
        if (*at == '\0')
            break;
    }
    if (code != ERR_NONE)
        noise_clear(out);
    return code;
}

void noise_clear(struct noise *n)
{
    for (size_t i = 0; i < n->n_items; i++)
        free(n->items[i].host);
    free(n->items);
    free(n->text);
    *n = (struct noise){0};
}

enum err_code noise_check_hosts(const struct noise *n, const struct machine *m, struct err *e)
{
    for (size_t i = 0; n != NULL && i < n->n_items; i++)
        if (n->items[i].host != NULL && machine_host_id(m, n->items[i].host) < 0)
            return err_set(e, ERR_INPUT, "noise '%s.%.200s': %s has no host '%.200s'",
                           noise_kind_names[n->items[i].kind], n->items[i].host, m->source, n->items[i].host);
    return ERR_NONE;
}

/* An item of the host itself wins over one for all hosts, wherever each stands in the text. */
double noise_cv(const struct noise *n, enum noise_kind kind, const char *host)
{
    double cv = 0;
    for (size_t i = 0; n != NULL && i < n->n_items; i++) {
        const struct noise_item *item = &n->items[i];
        if (item->kind == kind && item->host != NULL && strcmp(item->host, host) == 0)
            return item->cv;
        if (item->kind == kind && item->host == NULL)
            cv = item->cv;
    }
    return cv;
}

/* The digest hashes each piece with its length, so names cannot be confused, whatever bytes they have. The host is not
   hashed: it decides how large the noise is, and the names, which variate. */
struct noise_source noise_source_of(const struct noise *n, enum noise_kind kind, const char *host, const char *name,
                                    const char *other)
{
    struct noise_source s = {.cv = noise_cv(n, kind, host)};
    struct digest d;
    char head[64], hex[DIGEST_HEX_SIZE];
    if (s.cv == 0)
        return s;
    snprintf(head, sizeof head, "noise %s %llu", noise_kind_names[kind], (unsigned long long)n->seed);
    digest_init(&d);
    digest_add_text(&d, head);
    digest_add_text(&d, name);
    if (other != NULL)
        digest_add_text(&d, other);
    digest_finish(&d, hex);
    s.key = digest_to_u64(hex);
    return s;
}

double noise_draw(const struct noise_source *s, uint64_t number)
{
    struct random_stream r;
    if (s->cv == 0)
        return 1;
    random_init(&r, s->key, number);
    return random_gamma(&r, s->cv);
}

/* One draw for each host and run: its name is what is drawn for. */
double noise_rate_ratio(const struct noise *n, const char *host)
{
    struct noise_source s = noise_source_of(n, NOISE_RATE, host, host, NULL);
    return noise_draw(&s, 0);
}
