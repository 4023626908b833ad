/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From scenario to database and CSV: the same bytes however it was run, stopped, killed or cut up. */
#include "sweep/sweep_run.h"

#include "base/isolate.h"
#include "check.h"
#include "scenario/fake.h"
#include "scenario/turn.h"

#include <sqlite3.h>
#include <sys/wait.h>

static const char mixed[] = "<sweep name='x'><range from='0' to='9' step='1'/></sweep>"
                            "<sweep name='n'><value>0</value><value>1</value><value>3</value></sweep>"
                            "<sweep name='machine'><value>good</value><value>good2</value></sweep>";

struct way { /* to run a scenario */
    const char *experiment, *content;
    int n_jobs;
    long shard, n_shards;
    bool resume;
    double time_limit_s;
    void (*progress)(void *self, const struct run_progress *p);
};

static enum err_code run_way(const struct way *w, const char *database, struct run_progress *p, struct err *e)
{
    struct scenario s;
    struct store *store = NULL;
    enum err_code code = fake_scenario(&s, w->experiment, w->content, e);
    const struct run_options o = {.database = database,
                                  .pool = {.n_jobs = w->n_jobs ? w->n_jobs : 2, .time_limit_s = w->time_limit_s},
                                  .resume = w->resume,
                                  .progress = w->progress,
                                  .single_file = w->n_shards > 0,
                                  .shard = w->n_shards ? w->shard : 1,
                                  .n_shards = w->n_shards ? w->n_shards : 1};
    if (code == ERR_NONE)
        code = run_scenario(&s, &o, p, &store, e);
    if (code == ERR_NONE || code == ERR_INTERRUPTED)
        CHECK_OK(store_close(store, e), *e);
    scenario_clear(&s);
    return code;
}

/* The CSV of a run; the caller frees. The database goes. */
static char *csv_of(const struct way *w)
{
    struct err e = {0};
    struct run_progress p;
    const char *db = fake_path("csv_of.db"), *csv = fake_path("csv_of.csv");
    CHECK_OK(run_way(w, db, &p, &e), e);
    CHECK_OK(store_export(db, csv, &e), e);
    char *text = fake_read(csv);
    unlink(db);
    unlink(csv);
    return text;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

static void the_bytes_are_the_same_for_any_number_of_jobs(void)
{
    for (int forked = 0; forked < 2; forked++) {
        const char *experiment = forked ? "fake_forked" : "fake";
        char *one = csv_of(&(struct way){.experiment = experiment, .content = mixed, .n_jobs = 1});
        char *two = csv_of(&(struct way){.experiment = experiment, .content = mixed, .n_jobs = 2});
        char *five = csv_of(&(struct way){.experiment = experiment, .content = mixed, .n_jobs = 5});
        CHECK_INT(count_lines(one), 61);
        CHECK_TEXT(two, one);
        CHECK_TEXT(five, one);
        free(one);
        free(two);
        free(five);
    }
}

static void csv_is_quoted_and_has_17_digits(void)
{
    char *csv = csv_of(&(struct way){.experiment = "fake",
                                     .content = "<param name='x' value='0.1'/><param name='mode' value='fail'/>"});
    CHECK_CONTAINS(csv, "key,replication,x,n,mode,sleep_ms,machine,y,z,shared,error\n");
    CHECK_CONTAINS(csv, ",1,0.10000000000000001,0,fail,0,good,,,,\"some.xml:7: it does, \"\"sadly\"\", not work\"\n");
    free(csv);
}

static char *error_of(const char *experiment, const char *mode, double time_limit_s)
{
    char *content =
        mem_format("<param name='x' value='5'/><sweep name='mode'><value>ok</value><value>%s</value></sweep>", mode);
    char *csv =
        csv_of(&(struct way){.experiment = experiment, .content = content, .n_jobs = 1, .time_limit_s = time_limit_s});
    CHECK_INT(count_lines(csv), 3);
    char *other = strstr(csv, ",ok,"); /* its neighbour is not touched */
    CHECK(other != NULL && strncmp(strchr(other + 4, ',') + 6, "25.", 3) == 0);
    char needle[32];
    snprintf(needle, sizeof needle, ",%s,0,good,,,,", mode);
    char *at = strstr(csv, needle);
    char *error = at ? mem_strdup(at + strlen(needle)) : mem_strdup("");
    error[strcspn(error, "\n")] = '\0';
    free(content);
    free(csv);
    return error;
}

static void check_error(const char *mode, double time_limit_s, const char *want)
{
    char *in_worker = error_of("fake", mode, time_limit_s), *in_child = error_of("fake_forked", mode, time_limit_s);
    CHECK_TEXT(in_worker, want);
    CHECK_TEXT(in_child, want);
    free(in_worker);
    free(in_child);
}

static void a_crash_costs_one_point(void)
{
    check_error("garbage", 0, "cut ? here");
    check_error("segv", 0, "crashed with SIGSEGV (Segmentation fault)");
    check_error("abort", 0, "crashed with SIGABRT (Aborted): [0.0] [xbt/CRITICAL] the reason is 0x... at 0x1F");
    check_error("exit", 0, "ended with status 5 before it returned a result");
}

static void a_loop_costs_one_point_and_its_time(void)
{
    check_error("loop", 0.2, "not done within the time limit of 0.2 s");
}

static void a_worker_that_is_killed_is_replaced(void)
{
    char *error = error_of("fake_forked", "kill_parent", 0);
    CHECK_TEXT(error, "crashed with SIGKILL (Killed)");
    free(error);
}

static void what_a_point_says_is_not_shown_and_stops_nothing(void)
{
    char *csv = csv_of(&(struct way){.experiment = "fake_forked", .content = "<param name='mode' value='talk'/>"});
    CHECK_CONTAINS(csv, ",talk,0,good,1.");
    free(csv);
    csv = csv_of(&(struct way){.experiment = "fake", .content = "<param name='mode' value='talk'/>"});
    CHECK_CONTAINS(csv, ",talk,0,good,1.");
    free(csv);
}

static void a_platform_that_does_not_load_fails_its_points_alone(void)
{
    char *csv = csv_of(&(struct way){.experiment = "fake_forked",
                                     .content = "<sweep name='machine'><value>refuse</value><value>good</value>"
                                                "<value>crash</value></sweep><sweep name='x'><range from='1' "
                                                "to='20' step='1'/></sweep>"});
    int n_refused = 0, n_crashed = 0;
    for (const char *at = csv; (at = strstr(at, "machine.xml:3: cannot be loaded\n")) != NULL; at++)
        n_refused++;
    for (const char *at = csv; (at = strstr(at, "crashed with SIGABRT (Aborted):   what():  bad machine\n")) != NULL;
         at++)
        n_crashed++;
    CHECK_INT(count_lines(csv), 61);
    CHECK_INT(n_refused, 20);
    CHECK_INT(n_crashed, 20);
    free(csv);
}

static void neighbours_share_what_was_prepared(void)
{
    char *csv = csv_of(&(struct way){.experiment = "fake_forked",
                                     .content = "<sweep name='x'><range from='1' to='20' step='1'/></sweep>"
                                                "<sweep name='machine'><value>good_pid1</value>"
                                                "<value>good_pid2</value></sweep>",
                                     .n_jobs = 1});
    double pids[3] = {0};
    size_t n_pids = 0;
    char *rest = strchr(csv, '\n') + 1, *line;
    while ((line = strsep(&rest, "\n")) != NULL && line[0] != '\0') {
        char *field = NULL;
        for (int column = 0; column < 10; column++)
            field = strsep(&line, ",");
        size_t i = 0;
        while (i < n_pids && pids[i] != atof(field))
            i++;
        if (i == n_pids && n_pids < 3)
            pids[n_pids++] = atof(field);
    }
    CHECK_INT(n_pids, 2);
    free(csv);
}

/* --- stopping --- */

static uint64_t *n_told; /* shared with a started run: how many points it has said to be done and stored */

static void tell(void *self, const struct run_progress *p)
{
    (void)self;
    *n_told = p->n_passed + p->n_done;
}

static pid_t start(const struct way *w, const char *database)
{
    if (n_told == NULL)
        n_told = isolate_shared(sizeof *n_told);
    *n_told = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct err e = {0};
        struct run_progress p;
        struct way told = *w;
        setpgid(0, 0);
        told.progress = tell;
        enum err_code code = run_way(&told, database, &p, &e);
        _exit(err_exit_status(code));
    }
    return child;
}

/* Machines are slow, and slow with sanitizers: not before the started run is well under way. */
static void wait_until_told(uint64_t n)
{
    for (int i = 0; i < 20000 && *(volatile uint64_t *)n_told < n; i++)
        usleep(1000);
}

static int status_of(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static void check_resumed(const struct way *w, const char *database, const char *want, uint64_t least_passed)
{
    struct err e = {0};
    struct run_progress p = {0};
    struct way again = *w;
    again.resume = true;
    CHECK_OK(run_way(&again, database, &p, &e), e);
    CHECK(p.n_passed >= least_passed);
    CHECK_INT(p.n_passed + p.n_done, p.n_total);
    const char *csv = fake_path("resumed.csv");
    CHECK_OK(store_export(database, csv, &e), e);
    char *got = fake_read(csv);
    CHECK_TEXT(got, want);
    free(got);
    unlink(csv);
}

static const char slow[] = "<sweep name='x'><range from='1' to='200' step='1'/></sweep>"
                           "<param name='sleep_ms' value='5'/>";

static int count_failures(const char *database)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *q = NULL;
    int n = -1;
    if (sqlite3_open(database, &db) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "SELECT count(error) FROM results", -1, &q, NULL) == SQLITE_OK &&
        sqlite3_step(q) == SQLITE_ROW)
        n = sqlite3_column_int(q, 0);
    sqlite3_finalize(q);
    sqlite3_close(db);
    return n;
}

static void check_signal(const char *experiment, int number)
{
    const struct way w = {.experiment = experiment, .content = slow};
    const char *db = fake_path("signal.db");
    char *want = csv_of(&w);
    pid_t child = start(&w, db);
    wait_until_told(4);
    kill(-child, number); /* to all its processes, as terminals and batch systems do */
    CHECK_INT(status_of(child), 75);
    CHECK(access(fake_path("signal.db-wal"), F_OK) != 0);
    CHECK_INT(count_failures(db), 0);
    check_resumed(&w, db, want, 4);
    unlink(db);
    free(want);
}

static void a_signal_finishes_what_runs_and_exits_75(void)
{
    check_signal("fake_forked", SIGINT);
    check_signal("fake_forked", SIGTERM);
    check_signal("fake", SIGINT);
    check_signal("fake", SIGTERM);
}

static void nothing_finished_is_lost_by_kill_9(void)
{
    for (int sharded = 0; sharded < 2; sharded++) {
        struct way w = {.experiment = sharded ? "fake" : "fake_forked", .content = slow, .resume = true};
        if (sharded) { /* the first of two, and no write-ahead log */
            w.shard = 1;
            w.n_shards = 2;
        }
        char *want = csv_of(&w);
        const char *db = fake_path("killed.db");
        uint64_t most_told = 0;
        srandom(42);
        for (int i = 0; i < 8; i++) {
            pid_t child = start(&w, db);
            wait_until_told(most_told + 1);
            usleep((useconds_t)(random() % 30000));
            kill(child, SIGKILL);
            CHECK_INT(status_of(child), 256 + SIGKILL);
            most_told = *n_told > most_told ? *n_told : most_told;
        }
        CHECK(most_told > 5);
        check_resumed(&w, db, want, most_told);
        free(want);
        unlink(db);
    }
}

static void only_what_is_missing_or_failed_is_run_again(void)
{
    const struct way w = {.experiment = "fake",
                          .content = "<sweep name='x'><range from='1' to='9' step='1'/></sweep>"
                                     "<sweep name='mode'><value>ok</value><value>fail</value></sweep>"};
    struct way again = w;
    again.resume = true;
    struct err e = {0};
    struct run_progress p;
    const char *db = fake_path("again.db");
    CHECK_OK(run_way(&w, db, &p, &e), e);
    CHECK_INT(p.n_failed, 9);
    CHECK_OK(run_way(&again, db, &p, &e), e);
    CHECK_INT(p.n_passed, 9);
    CHECK_INT(p.n_done, 9);
    CHECK_INT(p.n_failed, 9);
    unlink(db);
}

/* --- shards --- */

static void shards_merged_are_the_whole(void)
{
    const struct way whole = {.experiment = "fake", .content = mixed};
    struct err e = {0};
    char *want = csv_of(&whole);
    const char *parts[] = {fake_path("1.db"), fake_path("2.db"), fake_path("3.db"), fake_path("4.db")};
    uint64_t n_rows = 0, n_done = 0;
    for (long i = 0; i < 4; i++) { /* the last is the first once more: duplicates are dropped */
        struct run_progress p;
        CHECK_OK(run_way(&(struct way){.experiment = "fake", .content = mixed, .shard = i % 3 + 1, .n_shards = 3},
                         parts[i], &p, &e),
                 e);
        n_done += i < 3 ? p.n_done : 0;
        CHECK_INT(p.n_done, p.n_total);
    }
    CHECK_INT(n_done, 60);
    const char *all = fake_path("all.db"), *csv = fake_path("all.csv");
    CHECK_OK(store_merge(all, parts, 4, NULL, &n_rows, &e), e);
    CHECK_INT(n_rows, 60);
    CHECK_OK(store_export(all, csv, &e), e);
    char *got = fake_read(csv);
    CHECK_TEXT(got, want);
    free(got);
    free(want);
    for (int i = 0; i < 4; i++)
        unlink(parts[i]);
    unlink(all);
    unlink(csv);
}

/* --- files that cannot be --- */

static void check_refused(const struct way *w, const char *database, const char *want)
{
    struct err e = {0};
    struct run_progress p;
    char line[2048];
    CHECK(run_way(w, database, &p, &e) != ERR_NONE);
    CHECK_CONTAINS(err_describe(&e, line, sizeof line), want);
}

static void a_database_that_exists_is_not_overwritten(void)
{
    struct err e = {0};
    struct run_progress p;
    struct way w = {.experiment = "fake", .content = "<param name='x' value='1'/>"},
               other = {.experiment = "fake", .content = "<param name='x' value='2'/>"};
    const char *db = fake_path("old.db");
    CHECK_OK(run_way(&w, db, &p, &e), e);
    check_refused(&w, db, "already exists; --resume continues it");
    other.resume = true;
    check_refused(&other, db, "was made for other parameters or files than scenario t has now");
    other.experiment = "fake_forked";
    check_refused(&other, db, "was made for experiment 'fake', not 'fake_forked'");
    unlink(db);
}

/* --- databases that grow --- */

static const char narrow[] = "<sweep name='x'><value>1</value><value>0.1</value></sweep>"
                             "<sweep name='n'><value>3</value></sweep>";

static struct way wider(const char *content)
{
    return (struct way){.experiment = "fake", .content = content, .resume = true};
}

/* More values, before and between the old ones and of other parameters, too: what is there is kept, what is missing is
   run, and the bytes are those of a run from scratch. */
static void a_database_grows_to_the_same_bytes(void)
{
    static const char *const contents[] = {
        "<sweep name='x'><value>7</value><value>1</value><value>2</value><value>0.1</value></sweep>"
        "<sweep name='n'><value>3</value></sweep>",
        "<sweep name='machine'><value>good2</value><value>good</value></sweep>"
        "<sweep name='n'><range from='1' to='4' step='1'/></sweep>"
        "<sweep name='x'><value>7</value><value>1</value><value>2</value><value>0.1</value></sweep>",
    };
    static const uint64_t n_kept[] = {2, 4}, n_all[] = {4, 32};
    const struct way first = {.experiment = "fake", .content = narrow};
    struct err e = {0};
    struct run_progress p;
    const char *db = fake_path("grows.db"), *csv = fake_path("grows.csv");
    CHECK_OK(run_way(&first, db, &p, &e), e);
    for (size_t i = 0; i < 2; i++) {
        struct way way = wider(contents[i]);
        CHECK_OK(run_way(&way, db, &p, &e), e);
        CHECK_INT(p.n_passed, n_kept[i]);
        CHECK_INT(p.n_passed + p.n_done, n_all[i]);
        CHECK_OK(store_export(db, csv, &e), e);
        way.resume = false;
        char *want = csv_of(&way), *got = fake_read(csv);
        CHECK_TEXT(got, want);
        free(want);
        free(got);
    }
    unlink(db);
    unlink(csv);
}

/* Every row must be a point of the scenario: else the result would be that of no scenario at all. */
static void a_database_does_not_take_another_scenarios_results(void)
{
    const struct way first = {.experiment = "fake", .content = narrow};
    const struct way other_value = wider("<sweep name='x'><value>1</value><value>2</value></sweep>"
                                         "<param name='n' value='3'/>"),
                     other_fixed = wider("<sweep name='x'><value>1</value><value>0.1</value><value>2</value></sweep>"
                                         "<param name='n' value='2'/>");
    struct err e = {0};
    struct run_progress p;
    struct scenario s;
    struct store *st = NULL;
    const char *db = fake_path("other.db"), *csv = fake_path("other.csv"), *sets[] = {"seed=5", "x=1,0.1,2"};
    CHECK_OK(run_way(&first, db, &p, &e), e);
    CHECK_OK(store_export(db, csv, &e), e);
    char *want = fake_read(csv);
    check_refused(&other_value, db, "than scenario t has now: it holds runs with x=0.1; --out writes elsewhere");
    check_refused(&other_fixed, db, "it holds runs with n=3");
    CHECK_OK(fake_scenario_set(&s, "fake", narrow, sets, 2, &e), e);
    CHECK(store_open(db, &s, &(struct store_options){.resume = true}, &st, &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, "its runs had another seed, or files or plugins that have changed since");
    scenario_clear(&s);
    CHECK_OK(store_export(db, csv, &e), e);
    char *got = fake_read(csv);
    CHECK_TEXT(got, want); /* nothing of it has changed */
    CHECK_OK(run_way(&(struct way){.experiment = "fake", .content = narrow, .resume = true}, db, &p, &e), e);
    CHECK_INT(p.n_passed, 2);
    free(want);
    free(got);
    unlink(db);
    unlink(csv);
}

static void what_is_no_database_is_told(void)
{
    struct way w = {.experiment = "fake", .content = mixed, .resume = true};
    const char *db = fake_path("none.db");
    fake_write(db, "This is not the file you are looking for, however long one looks at it. Move along. "
                   "This is not the file you are looking for, however long one looks at it. Move along.");
    check_refused(&w, db, "not a database, or a damaged one: file is not a database");
    unlink(db);
    check_refused(&w, "/nowhere/at/all.db", "cannot write: No such file or directory");
}

static void a_damaged_database_is_told(void)
{
    struct way w = {.experiment = "fake", .content = "<sweep name='x'><range from='1' to='500' step='1'/></sweep>"};
    struct err e = {0};
    struct run_progress p;
    const char *db = fake_path("damaged.db"), *csv = fake_path("damaged.csv");
    char line[2048];
    CHECK_OK(run_way(&w, db, &p, &e), e);
    FILE *f = fopen(db, "r+b");
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    for (long at = 8 * 4096; at < size; at += 4096) { /* the rows, not the head */
        fseek(f, at, SEEK_SET);
        for (int i = 0; i < 4096; i++)
            putc(0x5a, f);
    }
    fclose(f);
    CHECK(store_export(db, csv, &e) == ERR_IO);
    CHECK_CONTAINS(err_describe(&e, line, sizeof line), "the database is damaged");
    CHECK(access(csv, F_OK) != 0);
    unlink(db);
}

static void a_database_in_use_is_told(void)
{
    struct way w = {.experiment = "fake_forked", .content = slow},
               second = {.experiment = "fake_forked", .content = slow, .resume = true};
    const char *db = fake_path("used.db");
    pid_t child = start(&w, db);
    wait_until_told(1);
    check_refused(&second, db, "another run is writing to this database");
    kill(child, SIGKILL);
    status_of(child);
    unlink(db);
    unlink(fake_path("used.db-wal"));
    unlink(fake_path("used.db-shm"));
}

/* As somebody who may not do everything: tests run as root in containers. */
static void a_folder_that_cannot_be_written_is_told(void)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct way w = {.experiment = "fake", .content = mixed};
        struct err e = {0};
        struct run_progress p;
        char line[2048] = "";
        if (getuid() == 0 && setuid(65534) != 0)
            _exit(1);
        run_way(&w, "/etc/iasim-test.db", &p, &e);
        err_describe(&e, line, sizeof line);
        fprintf(stderr, "%s\n", line);
        _exit(strstr(line, "/etc/iasim-test.db: cannot write: Permission denied") ? 0 : 1);
    }
    CHECK_INT(status_of(child), 0);
}

static void a_full_disk_is_told_and_what_was_stored_stays(void)
{
    const char *db = fake_path("full.db");
    struct way w = {.experiment = "fake", .content = "<sweep name='x'><range from='1' to='4000' step='1'/></sweep>"};
    for (int shard = 0; shard < 2; shard++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            struct err e = {0};
            struct run_progress p;
            char line[2048] = "";
            struct rlimit limit = {100000, 100000};
            signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &limit);
            if (shard) {
                w.shard = 1;
                w.n_shards = 2;
            }
            enum err_code code = run_way(&w, db, &p, &e);
            fprintf(stderr, "%s\n", err_describe(&e, line, sizeof line));
            _exit(code == ERR_IO && strstr(line, "full.db: ") != NULL && strstr(line, "disk I/O error") &&
                          strstr(line, "; what was stored is kept")
                      ? 0
                      : 1);
        }
        CHECK_INT(status_of(child), 0);
        struct way again = w;
        again.resume = true;
        again.shard = shard ? 1 : 0;
        again.n_shards = shard ? 2 : 0;
        struct way plain = again;
        plain.resume = false;
        char *want = csv_of(&plain);
        check_resumed(&again, db, want, 1);
        free(want);
        unlink(db);
    }
}

static void the_csv_is_whole_or_not_there(void)
{
    struct way w = {.experiment = "fake", .content = mixed};
    struct err e = {0};
    struct run_progress p;
    const char *db = fake_path("csv.db");
    CHECK_OK(run_way(&w, db, &p, &e), e);
    CHECK(store_export(db, "/dev/full", &e) == ERR_FULL);
    CHECK_CONTAINS(e.text, "cannot write: No space left on device");
    e = (struct err){0};
    CHECK(store_export(db, "/nowhere/x.csv", &e) == ERR_IO);
    e = (struct err){0};
    CHECK(store_export(fake_path("nothing.db"), NULL, &e) == ERR_IO);
    CHECK_CONTAINS(e.text, "cannot open: No such file");
    unlink(db);
}

static void merging_refuses_what_does_not_belong_together(void)
{
    struct way a = {.experiment = "fake", .content = "<param name='x' value='1'/>"},
               b = {.experiment = "fake", .content = "<param name='x' value='2'/>"};
    struct err e = {0};
    struct run_progress p;
    uint64_t n_rows;
    const char *parts[] = {fake_path("a.db"), fake_path("b.db")}, *all = fake_path("both.db");
    CHECK_OK(run_way(&a, parts[0], &p, &e), e);
    CHECK_OK(run_way(&b, parts[1], &p, &e), e);
    CHECK(store_merge(all, parts, 2, NULL, &n_rows, &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, "a.db and ");
    CHECK_CONTAINS(e.text, "b.db are of different values, files or plugins of one scenario; --any-points unites them");
    CHECK(access(all, F_OK) != 0);
    e = (struct err){0};
    CHECK(store_merge(parts[0], parts, 2, NULL, &n_rows, &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, "already exists");
    unlink(parts[0]);
    unlink(parts[1]);
}

static int sql(const char *database, const char *statement)
{
    sqlite3 *db = NULL;
    int status = sqlite3_open(database, &db);
    if (status == SQLITE_OK)
        status = sqlite3_exec(db, statement, NULL, NULL, NULL);
    sqlite3_close(db);
    return status;
}

static void merging_names_both_files_that_disagree(void)
{
    struct way w = {.experiment = "fake", .content = mixed};
    struct err e = {0};
    struct run_progress p;
    uint64_t n_rows;
    const char *parts[] = {fake_path("a.db"), fake_path("b.db"), fake_path("c.db")}, *all = fake_path("both.db");
    for (int i = 0; i < 3; i++)
        CHECK_OK(run_way(&w, parts[i], &p, &e), e);
    CHECK_INT(sql(parts[0], "DELETE FROM results WHERE x = 4 AND n = 1 AND machine = 'good'"), 0);
    CHECK_INT(sql(parts[2], "UPDATE results SET y = y + 1 WHERE x = 4 AND n = 1 AND machine = 'good'"), 0);
    CHECK(store_merge(all, parts, 3, NULL, &n_rows, &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, "b.db and ");
    CHECK_CONTAINS(e.text, "c.db disagree on the result of key ");
    e = (struct err){0};
    CHECK_INT(sql(parts[2], "UPDATE results SET error = 'x', y = NULL, z = NULL WHERE x = 4"), 0);
    CHECK_OK(store_merge(all, parts, 3, NULL, &n_rows, &e), e); /* a failure gives way */
    CHECK_INT(n_rows, 60);
    unlink(all);
    CHECK_INT(sql(parts[2], "UPDATE meta SET value = '0.0.1' WHERE name = 'program'"), 0);
    CHECK(store_merge(all, parts, 3, NULL, &n_rows, &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, "c.db are of different program: '");
    CHECK_CONTAINS(e.text, "' and '0.0.1'");
    CHECK_OK(store_merge(all, parts, 3, &(struct store_merge_options){.any_version = true}, &n_rows, NULL), e);
    for (int i = 0; i < 3; i++)
        unlink(parts[i]);
    unlink(all);
}

static void the_folder_is_left_empty(void)
{
    CHECK_INT(rmdir(fake_folder()), 0);
    fake_folder_remove();
}

static const struct test tests[] = {
    {"the bytes are the same for any number of jobs", the_bytes_are_the_same_for_any_number_of_jobs},
    {"csv is quoted and has 17 digits", csv_is_quoted_and_has_17_digits},
    {"a crash costs one point", a_crash_costs_one_point},
    {"a loop costs one point and its time", a_loop_costs_one_point_and_its_time},
    {"a worker that is killed is replaced", a_worker_that_is_killed_is_replaced},
    {"what a point says is not shown and stops nothing", what_a_point_says_is_not_shown_and_stops_nothing},
    {"a platform that does not load fails its points alone", a_platform_that_does_not_load_fails_its_points_alone},
    {"neighbours share what was prepared", neighbours_share_what_was_prepared},
    {"a signal finishes what runs and exits 75", a_signal_finishes_what_runs_and_exits_75},
    {"nothing finished is lost by kill -9", nothing_finished_is_lost_by_kill_9},
    {"only what is missing or failed is run again", only_what_is_missing_or_failed_is_run_again},
    {"shards merged are the whole", shards_merged_are_the_whole},
    {"a database that exists is not overwritten", a_database_that_exists_is_not_overwritten},
    {"a database grows to the same bytes", a_database_grows_to_the_same_bytes},
    {"a database does not take another scenario's results", a_database_does_not_take_another_scenarios_results},
    {"a file that is not a database is refused", what_is_no_database_is_told},
    {"a damaged database is reported", a_damaged_database_is_told},
    {"a database in use is reported", a_database_in_use_is_told},
    {"a folder that cannot be written is reported", a_folder_that_cannot_be_written_is_told},
    {"a full disk is reported and what was stored is kept", a_full_disk_is_told_and_what_was_stored_stays},
    {"the csv is whole or not there", the_csv_is_whole_or_not_there},
    {"merging refuses what does not belong together", merging_refuses_what_does_not_belong_together},
    {"merging names both files that disagree", merging_names_both_files_that_disagree},
    {"the folder is left empty", the_folder_is_left_empty},
};
TEST_MAIN(tests)
