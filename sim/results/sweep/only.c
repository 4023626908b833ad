/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One run by its key, through the same pool as a sweep, so that limits, isolation and messages are the same. */
#include "sweep/only.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- which --- */

struct wanted {
    char digits[DIGEST_HEX_SIZE]; /* in lower case */
    long replication;             /* 0: not said */
};

static enum err_code parse_key(const char *which, size_t n, struct wanted *w, struct err *e)
{
    size_t n_hex = strspn(which, "0123456789abcdefABCDEF");
    if (n_hex != n || n >= DIGEST_HEX_SIZE || n < ONLY_MIN_DIGITS)
        return err_set(e, ERR_INPUT,
                       "'%.*s' is not a key: a key has %d digits, 0 to 9 and a to f; the first %d suffice", (int)n,
                       which, DIGEST_HEX_SIZE - 1, ONLY_MIN_DIGITS);
    /* Keys are in lower case; people may paste them in upper case. */
    for (size_t i = 0; i < n; i++)
        w->digits[i] = (char)tolower((unsigned char)which[i]);
    w->digits[n] = '\0';
    return ERR_NONE;
}

static enum err_code parse_wanted(const char *which, const struct scenario *s, struct wanted *w, struct err *e)
{
    size_t n = strcspn(which, "/");
    *w = (struct wanted){.replication = s->n_replications == 1 ? 1 : 0};
    enum err_code code = parse_key(which, n, w, e);
    if (code != ERR_NONE || which[n] == '\0')
        return code;
    if (!text_to_long(which + n + 1, &w->replication) || w->replication < 1 || w->replication > s->n_replications)
        return err_set(e, ERR_INPUT, "there is no replication '%s': scenario %s has 1 to %ld", which + n + 1, s->name,
                       s->n_replications);
    return ERR_NONE;
}

enum err_code only_find(const struct scenario *s, const char *which, uint64_t *turn, struct err *e)
{
    struct wanted w;
    char key[DIGEST_HEX_SIZE], found[DIGEST_HEX_SIZE] = "";
    enum err_code code = parse_wanted(which, s, &w, e);
    size_t n = code == ERR_NONE ? strlen(w.digits) : 0;
    /* One turn of each point: replications have the key of their point. */
    for (uint64_t t = 0; code == ERR_NONE && t < turn_count(s); t += (uint64_t)s->n_replications) {
        turn_key(s, turn_at(s, t).point, key);
        if (strncmp(key, w.digits, n) != 0)
            continue;
        /* No early end: a second point with these digits must be found, too. */
        if (found[0] != '\0')
            code = err_set(e, ERR_INPUT, "more than one point begins with %s: %s and %s", w.digits, found, key);
        memcpy(found, key, sizeof found);
        *turn = t + (uint64_t)(w.replication > 0 ? w.replication - 1 : 0);
    }
    if (code == ERR_NONE && found[0] == '\0')
        code = err_set(e, ERR_INPUT,
                       "scenario %s has no point with the key %s; the same --set and input files as in the sweep give "
                       "the same keys",
                       s->name, w.digits);
    if (code == ERR_NONE && w.replication == 0)
        code = err_set(e, ERR_INPUT, "point %s has %ld replications; name one: %s/1", found, s->n_replications, found);
    return code;
}

/* --- running it --- */

struct only {
    const struct scenario *s;
    uint64_t turn;
    bool is_taken;
    struct store *store; /* NULL: none */
    struct only_result *out;
};

static enum err_code next(void *self, uint64_t *turn, enum pool_supply *supply, struct err *e)
{
    struct only *o = self;
    (void)e;
    /* Given out once; then the pool ends. */
    *turn = o->turn;
    *supply = o->is_taken ? POOL_END : POOL_TURN;
    o->is_taken = true;
    return ERR_NONE;
}

static enum err_code done(void *self, const struct pool_result *result, struct err *e)
{
    struct only *o = self;
    struct only_result *out = o->out;
    out->turn = turn_at(o->s, result->turn);
    turn_key(o->s, out->turn.point, out->key);
    memcpy(out->metrics, result->metrics, run_n_metrics(o->s->experiment) * sizeof out->metrics[0]);
    out->error = result->error != NULL ? run_readable(result->error) : NULL;
    const struct store_row row = {out->turn.point, out->key, out->turn.replication, out->metrics, out->error};
    return o->store != NULL ? store_put(o->store, &row, e) : ERR_NONE;
}

static enum err_code pause(void *self, struct err *e)
{
    struct only *o = self;
    return o->store != NULL ? store_commit(o->store, e) : ERR_NONE;
}

enum err_code only_run(const struct scenario *s, uint64_t turn, const struct run_options *options,
                       struct only_result *out, struct err *e)
{
    struct only o = {.s = s, .turn = turn, .out = out};
    const struct store_options how = run_store_options(options);
    const struct pool_client client = {&o, next, done, pause};
    *out = (struct only_result){0};
    enum err_code code = ERR_NONE;
    if (options->database != NULL)
        code = store_open(options->database, s, &how, &o.store, e);
    if (code == ERR_NONE)
        code = pool_run(s, &options->pool, &client, e);
    if (code == ERR_NONE)
        code = store_close(o.store, e);
    else if (o.store != NULL)
        store_abandon(o.store);
    return code;
}

void only_result_clear(struct only_result *r)
{
    free(r->error);
    r->error = NULL;
}
