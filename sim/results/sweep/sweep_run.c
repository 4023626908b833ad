/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between pool and store. The pool says which turns it can take and what came out; this file decides which turns are
   left (resume, shards), and when results are committed.

   Whatever ends the sweep, results that were reported as done are in the database. */
#include "sweep/sweep_run.h"

#include "base/clock.h"
#include "base/mem.h"
#include "scenario/turn.h"

#include <libxml/xmlstring.h>
#include <math.h>
#include <stdlib.h>

/* A look-up is fast, but a database may have millions of rows. */
enum { LOOKS_AT_ONCE = 1000 };

static const double CHECK_S = 0.5; /* between looks at the files of the database */

struct sweep {
    const struct scenario *s;
    const struct run_options *o;
    struct store *store;
    struct run_progress *progress;
    uint64_t next; /* turn */
    uint64_t n_uncommitted;
    double next_commit_s, next_check_s;
};

static enum err_code is_stored(struct sweep *r, uint64_t turn, bool *out, struct err *e)
{
    char key[DIGEST_HEX_SIZE];
    const struct turn t = turn_at(r->s, turn);
    turn_key(r->s, t.point, key);
    return store_has(r->store, key, t.replication, out, e);
}

/* Resuming passes over what is stored, some at a time: signals and the progress bar are served in between. */
static enum err_code next(void *self, uint64_t *turn, enum pool_supply *supply, struct err *e)
{
    struct sweep *r = self;
    for (int i = 0; i < LOOKS_AT_ONCE; i++) {
        bool stored = false;
        *turn = r->next;
        /* Holds after the last turn, and if the look-up fails. */
        *supply = POOL_END;
        if (r->next >= turn_count(r->s))
            return ERR_NONE;
        enum err_code code = r->o->resume ? is_stored(r, r->next, &stored, e) : ERR_NONE;
        r->progress->n_passed += stored;
        /* Turns of this shard: every n-th. */
        r->next += (uint64_t)r->o->n_shards;
        *supply = stored ? POOL_LATER : POOL_TURN;
        if (code != ERR_NONE || !stored)
            return code;
    }
    return ERR_NONE;
}

char *run_readable(const char *error)
{
    char *text = mem_strdup(error);
    bool is_utf8 = xmlCheckUTF8((const xmlChar *)text);
    for (char *at = text; *at != '\0'; at++)
        /* Bytes beyond ASCII are kept only if the whole text is UTF-8. */
        if ((*at & 0x80 && !is_utf8) || (*at > 0 && *at < ' ') || *at == 0x7f)
            *at = '?';
    return text;
}

static enum err_code done(void *self, const struct pool_result *result, struct err *e)
{
    struct sweep *r = self;
    char key[DIGEST_HEX_SIZE];
    const struct turn t = turn_at(r->s, result->turn);
    turn_key(r->s, t.point, key);
    r->progress->n_done++;
    r->n_uncommitted++;
    r->progress->n_failed += result->error != NULL;
    char *error = result->error != NULL ? run_readable(result->error) : NULL;
    const struct store_row row = {
        .point = t.point, .key = key, .replication = t.replication, .metrics = result->metrics, .error = error};
    enum err_code code = store_put(r->store, &row, e);
    free(error);
    return code;
}

/* Commits, then reports progress: only stored results count as done. */
static enum err_code commit(struct sweep *r, struct err *e)
{
    double before_s = clock_now_s();
    enum err_code code = store_commit(r->store, e);
    /* Somebody may have removed or replaced the database: what is committed then is lost, so the sweep must stop. */
    if (code == ERR_NONE)
        code = store_check_files(r->store, e);
    double after_s = clock_now_s();
    r->next_check_s = after_s + CHECK_S;
    r->n_uncommitted = 0;
    /* So that commits take at most a twentieth of the time, and no result waits longer than a second. */
    r->next_commit_s = after_s + fmin(1, 20 * (after_s - before_s));
    if (code == ERR_NONE && r->o->progress != NULL)
        r->o->progress(r->o->progress_self, r->progress);
    return code;
}

/* Every result at once where that costs next to nothing; workers wait meanwhile, so that where a commit waits for a
   disk some share one, and take a twentieth of the time. */
static enum err_code pause(void *self, struct err *e)
{
    struct sweep *r = self;
    double now_s = clock_now_s();
    /* Also with nothing to commit: the progress bar wants news. */
    if (r->n_uncommitted == 0 || now_s >= r->next_commit_s)
        return commit(r, e);
    if (now_s < r->next_check_s)
        return ERR_NONE;
    r->next_check_s = now_s + CHECK_S;
    return store_check_files(r->store, e);
}

struct store_options run_store_options(const struct run_options *o)
{
    return (struct store_options){.resume = o->resume, .single_file = o->single_file, .command = o->command};
}

static uint64_t count_of_shard(const struct scenario *s, const struct run_options *o)
{
    uint64_t n = turn_count(s), n_shards = (uint64_t)o->n_shards, before = (uint64_t)o->shard - 1;
    /* Turns before - 1 + k n_shards that are below n. */
    return n <= before ? 0 : (n - before + n_shards - 1) / n_shards;
}

enum err_code run_scenario(const struct scenario *s, const struct run_options *options, struct run_progress *progress,
                           struct store **store, struct err *e)
{
    struct sweep r = {.s = s, .o = options, .progress = progress, .next = (uint64_t)options->shard - 1};
    const struct store_options how = run_store_options(options);
    const struct pool_client client = {&r, next, done, pause};
    *progress = (struct run_progress){.n_total = count_of_shard(s, options)};
    *store = NULL;
    enum err_code code = run_check_machine(s->experiment, e);
    if (code == ERR_NONE)
        code = store_open(options->database, s, &how, &r.store, e);
    if (code != ERR_NONE)
        return code;
    code = pool_run(s, &options->pool, &client, e);
    /* The last results, also of a sweep that was interrupted: they are kept. */
    if ((code == ERR_NONE || code == ERR_INTERRUPTED) && r.n_uncommitted > 0) {
        enum err_code last = commit(&r, e);
        code = last == ERR_NONE ? code : last;
    }
    if (code == ERR_NONE || code == ERR_INTERRUPTED) { /* before anybody reads a word of success */
        struct err late = {0};
        enum err_code last = store_finish(r.store, &late);
        if (last != ERR_NONE && e != NULL)
            *e = late;
        code = last == ERR_NONE ? code : last;
    }
    if (code == ERR_NONE || code == ERR_INTERRUPTED)
        *store = r.store;
    else
        store_abandon(r.store);
    return code;
}
