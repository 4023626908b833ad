/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Other programs that truncate, overwrite or delete while a run writes: no success, and --resume can go on. */
#include "store/store.h"

#include "check.h"
#include "scenario/fake.h"
#include "scenario/turn.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/wait.h>

enum { N_ROWS = 60 };
static const char sixty[] = "<sweep name='x'><range from='1' to='60' step='1'/></sweep>";

static void put(struct store *st, const struct scenario *s, uint64_t from, uint64_t to)
{
    char key[DIGEST_HEX_SIZE];
    double metrics[] = {1, 2, NAN};
    struct err e = {0};
    for (uint64_t point = from; point < to; point++) {
        turn_key(s, point, key);
        CHECK_OK(store_put(st, &(struct store_row){point, key, 1, metrics, NULL}, &e), e);
    }
    CHECK_OK(store_commit(st, &e), e);
}

static void overwrite(const char *path, off_t at)
{
    char bytes[2000];
    int fd = open(path, O_WRONLY);
    CHECK(fd >= 0 && pwrite(fd, memset(bytes, 'Z', sizeof bytes), sizeof bytes, at) == (ssize_t)sizeof bytes);
    close(fd);
}

static void cut_log(void)
{
    CHECK_INT(truncate(fake_path("spoilt.db-wal"), 0), 0);
}

static void overwrite_log(void)
{
    overwrite(fake_path("spoilt.db-wal"), 32 + 24 + 100); /* within the first page */
}

static void overwrite_file(void)
{
    overwrite(fake_path("spoilt.db"), 4096); /* the second page, which is not written again: meta */
}

static void delete_rows(void)
{
    sqlite3 *db = NULL;
    CHECK_INT(sqlite3_open(fake_path("spoilt.db"), &db), SQLITE_OK);
    CHECK_INT(sqlite3_exec(db, "DELETE FROM results WHERE key IN (SELECT key FROM results LIMIT 3)", NULL, NULL, NULL),
              SQLITE_OK);
    sqlite3_close(db);
}

/* What another program does, and the words for it; `can_go_on`: also after the database was closed. */
struct spoil {
    void (*spoil)(void);
    const char *words;
    bool single_file, can_go_on;
    uint64_t n_rows_least; /* that are kept */
};

static struct store *open_store(const struct scenario *s, bool resume, bool single_file)
{
    struct store *st = NULL;
    struct err e = {0};
    const struct store_options o = {.resume = resume, .single_file = single_file};
    CHECK_OK(store_open(fake_path("spoilt.db"), s, &o, &st, &e), e);
    return st;
}

static void check_goes_on(const struct scenario *s, const struct spoil *x)
{
    struct err e = {0};
    uint64_t n_done = 0, n_failed = 0;
    struct store *st = open_store(s, true, x->single_file);
    CHECK_OK(store_count(st, &n_done, &n_failed, &e), e);
    CHECK(n_done >= x->n_rows_least && n_done < N_ROWS);
    put(st, s, 0, N_ROWS);
    CHECK_OK(store_close(st, &e), e);
}

static void check_spoilt(const struct spoil *x)
{
    struct scenario s = {0};
    struct err e = {0};
    CHECK_OK(fake_scenario(&s, "fake", sixty, &e), e);
    struct store *st = open_store(&s, false, x->single_file);
    put(st, &s, 0, 20);
    x->spoil();
    put(st, &s, 20, 40);
    CHECK_INT(store_finish(st, &e), ERR_INTERNAL);
    CHECK_CONTAINS(e.text, x->words);
    store_abandon(st);
    if (x->can_go_on)
        check_goes_on(&s, x);
    scenario_clear(&s);
    unlink(fake_path("spoilt.db"));
}

static void a_log_that_was_cut_or_overwritten_does_not_enter_the_database(void)
{
    atexit(fake_folder_remove);
    check_spoilt(&(struct spoil){cut_log, "spoilt.db-wal was damaged by another program", .can_go_on = true});
    check_spoilt(&(struct spoil){overwrite_log, "spoilt.db-wal was damaged by another program", .can_go_on = true});
}

static void rows_that_others_delete_are_missed(void)
{
    static const char words[] = "spoilt.db has 37 of the 40 results that were stored in it";
    check_spoilt(&(struct spoil){delete_rows, words, .can_go_on = true, .n_rows_least = 37});
    check_spoilt(&(struct spoil){delete_rows, words, .single_file = true, .can_go_on = true, .n_rows_least = 37});
}

static void a_file_that_others_overwrite_is_damaged(void)
{
    check_spoilt(&(struct spoil){overwrite_file, "spoilt.db was damaged by another program", .single_file = true});
}

/* Rows that are put again, as those that had failed, count once. */
static void nothing_is_missed_where_nothing_is_missing(void)
{
    struct scenario s = {0};
    struct err e = {0};
    CHECK_OK(fake_scenario(&s, "fake", sixty, &e), e);
    for (int resume = 0; resume < 2; resume++) {
        struct store *st = open_store(&s, resume, false);
        put(st, &s, 0, resume ? N_ROWS : 30);
        CHECK_OK(store_close(st, &e), e);
    }
    scenario_clear(&s);
    unlink(fake_path("spoilt.db"));
}

/* SQLite has it in memory, where a part that is no longer there is a SIGBUS. */
static void shared_memory_that_was_cut_is_reported(void)
{
    struct scenario s = {0};
    struct err e = {0};
    int fds[2], status = 0;
    char said[300] = "";
    CHECK_OK(fake_scenario(&s, "fake", sixty, &e), e);
    CHECK(pipe(fds) == 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(fds[1], STDERR_FILENO);
        struct store *st = open_store(&s, false, false);
        put(st, &s, 0, 20);
        CHECK_INT(truncate(fake_path("spoilt.db-shm"), 0), 0);
        put(st, &s, 20, 40);
        _exit(100);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 3);
    CHECK(read(fds[0], said, sizeof said - 1) > 0);
    CHECK_CONTAINS(said, "spoilt.db-shm was truncated by another program");
    close(fds[0]);
    close(fds[1]);
    check_goes_on(&s, &(struct spoil){.n_rows_least = 20});
    scenario_clear(&s);
    unlink(fake_path("spoilt.db"));
}

static const struct test tests[] = {
    {"a log that was cut or overwritten does not enter the database",
     a_log_that_was_cut_or_overwritten_does_not_enter_the_database},
    {"rows that others delete are missed", rows_that_others_delete_are_missed},
    {"a file that others overwrite is damaged", a_file_that_others_overwrite_is_damaged},
    {"nothing is missed where nothing is missing", nothing_is_missed_where_nothing_is_missing},
    {"shared memory that was cut is reported", shared_memory_that_was_cut_is_reported},
};

TEST_MAIN(tests)
