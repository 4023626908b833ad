/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results are looked at while a run writes, and where nobody may write. */
#include "store/store.h"

#include "check.h"
#include "scenario/fake.h"
#include "scenario/turn.h"

#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char four[] = "<sweep name='x'><range from='0' to='3' step='1'/></sweep>";

static void put(struct store *st, const struct scenario *s, uint64_t point)
{
    char key[DIGEST_HEX_SIZE];
    double metrics[] = {1, 2, NAN};
    struct err e = {0};
    turn_key(s, point, key);
    CHECK_OK(store_put(st, &(struct store_row){point, key, 1, metrics, NULL}, &e), e);
}

static uint64_t count(struct store *st)
{
    uint64_t n_done = 0, n_failed = 0;
    struct err e = {0};
    CHECK_OK(store_count(st, &n_done, &n_failed, &e), e);
    CHECK_INT(n_failed, 0);
    return n_done;
}

static struct store *open_to_read(const char *db, const struct scenario *s)
{
    struct store *st = NULL;
    struct err e = {0};
    CHECK_OK(store_open_read(db, s, &st, &e), e);
    return st;
}

/* `single_file` as shards have it, which may not be read while a row is being committed. */
static void check_reading_beside_a_writer(bool single_file)
{
    struct scenario s = {0};
    struct err e = {0};
    struct store *writer = NULL;
    const char *db = fake_path("read.db");
    unlink(db);
    CHECK_OK(fake_scenario(&s, "fake", four, &e), e);
    CHECK_OK(store_open(db, &s, &(struct store_options){.single_file = single_file}, &writer, &e), e);
    put(writer, &s, 0);
    CHECK_OK(store_commit(writer, &e), e);
    put(writer, &s, 1); /* not committed */
    struct store *reader = open_to_read(db, &s);
    CHECK_INT(count(reader), 1);
    if (!single_file) {
        CHECK_OK(store_commit(writer, &e), e);
        CHECK_INT(count(reader), 1); /* that of the moment it was opened */
    }
    CHECK_OK(store_close(reader, &e), e);
    CHECK_OK(store_commit(writer, &e), e);
    reader = open_to_read(db, &s);
    CHECK_INT(count(reader), 2);
    CHECK_OK(store_close(reader, &e), e);
    put(writer, &s, 2);
    CHECK_OK(store_close(writer, &e), e);
    scenario_clear(&s);
}

static void a_run_goes_on_beside_its_readers(void)
{
    atexit(fake_folder_remove);
    check_reading_beside_a_writer(false);
    check_reading_beside_a_writer(true);
}

/* The exit status tells how many rows somebody sees who may write nothing; 100 that they cannot be seen. */
static int read_as_nobody(const char *db, const struct scenario *s)
{
    enum { NOBODY = 65534 };
    pid_t child = fork();
    if (child == 0) {
        struct store *st = NULL;
        uint64_t n_done = 0, n_failed = 0;
        struct err e = {0};
        if (getuid() == 0 && (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
            perror("cannot become nobody");
        if (store_open_read(db, s, &st, &e) != ERR_NONE || store_count(st, &n_done, &n_failed, &e) != ERR_NONE) {
            fprintf(stderr, "%s\n", e.text);
            _exit(100);
        }
        store_close(st, NULL);
        _exit((int)n_done);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_folder_need_not_be_writable(void)
{
    struct scenario s = {0};
    struct err e = {0};
    struct store *st = NULL;
    const char *folder = fake_path("shut"), *db = fake_path("shut/read.db");
    CHECK(mkdir(folder, 0755) == 0);
    CHECK_OK(fake_scenario(&s, "fake", four, &e), e);
    CHECK_OK(store_open(db, &s, &(struct store_options){0}, &st, &e), e);
    put(st, &s, 0);
    CHECK_OK(store_close(st, &e), e);
    CHECK(chmod(db, 0444) == 0 && chmod(folder, 0555) == 0 && chmod(fake_path("."), 0755) == 0);
    CHECK_INT(read_as_nobody(db, &s), 1);
    CHECK(chmod(folder, 0755) == 0);
    unlink(db);
    CHECK(rmdir(folder) == 0); /* nothing else was left there */
    scenario_clear(&s);
}

/* Two rows are committed, then the process is gone: they are in the log beside the database. */
static void run_and_die(const char *db, const struct scenario *s)
{
    pid_t child = fork();
    if (child == 0) {
        struct store *st = NULL;
        if (store_open(db, s, &(struct store_options){0}, &st, NULL) == ERR_NONE) {
            put(st, s, 0);
            put(st, s, 1);
            store_commit(st, NULL);
        }
        raise(SIGKILL);
    }
    CHECK(child > 0 && waitpid(child, NULL, 0) == child);
}

static void what_a_killed_run_has_left_is_seen_and_stays(void)
{
    static const char *const names[] = {"died/read.db", "died/read.db-wal", "died/read.db-shm"};
    struct scenario s = {0};
    struct err e = {0};
    CHECK(mkdir(fake_path("died"), 0755) == 0 && chmod(fake_path("."), 0755) == 0);
    CHECK_OK(fake_scenario(&s, "fake", four, &e), e);
    run_and_die(fake_path(names[0]), &s);
    struct stat before, after;
    CHECK(stat(fake_path(names[1]), &before) == 0 && before.st_size > 0);
    struct store *st = open_to_read(fake_path(names[0]), &s);
    CHECK_INT(count(st), 2);
    CHECK_OK(store_close(st, &e), e);
    CHECK(stat(fake_path(names[1]), &after) == 0 && after.st_size == before.st_size);
    for (size_t i = 0; i < 3; i++)
        CHECK(chmod(fake_path(names[i]), 0444) == 0);
    CHECK(chmod(fake_path("died"), 0555) == 0);
    CHECK_INT(read_as_nobody(fake_path(names[0]), &s), 2);
    CHECK(chmod(fake_path("died"), 0755) == 0);
    for (size_t i = 0; i < 3; i++)
        unlink(fake_path(names[i]));
    CHECK(rmdir(fake_path("died")) == 0);
    scenario_clear(&s);
}

static void check_refused(const char *db, const struct scenario *s, enum err_code want, const char *why)
{
    struct store *st = NULL;
    struct err e = {0};
    CHECK_INT(store_open_read(db, s, &st, &e), want);
    CHECK(st == NULL);
    CHECK_CONTAINS(e.text, why);
}

static void what_cannot_be_read_says_why(void)
{
    struct scenario s = {0}, other = {0};
    struct err e = {0};
    struct store *st = NULL;
    const char *db = fake_path("refused.db"), *none = fake_path("none.db"), *empty = fake_path("empty.db");
    unlink(db);
    CHECK_OK(fake_scenario(&s, "fake", four, &e), e);
    CHECK_OK(fake_scenario(&other, "fake", "<param name='x' value='9'/>", &e), e);
    CHECK_OK(store_open(db, &s, &(struct store_options){0}, &st, &e), e);
    CHECK_OK(store_close(st, &e), e);
    check_refused(db, &other, ERR_INPUT, "was made for other parameters or files");
    check_refused(none, &s, ERR_IO, "cannot open: No such file");
    CHECK(access(none, F_OK) != 0);
    CHECK_OK(text_write_file(empty, "", 0, &e), e);
    check_refused(empty, &s, ERR_INPUT, "holds no results yet");
    CHECK_OK(text_write_file(empty, "no database at all\n", 19, &e), e);
    check_refused(empty, &s, ERR_IO, "not a database, or a damaged one");
    scenario_clear(&s);
    scenario_clear(&other);
}

static const struct test tests[] = {
    {"a run goes on beside its readers", a_run_goes_on_beside_its_readers},
    {"a folder need not be writable", a_folder_need_not_be_writable},
    {"what a killed run has left is seen, and stays", what_a_killed_run_has_left_is_seen_and_stays},
    {"what cannot be read says why", what_cannot_be_read_says_why},
};
TEST_MAIN(tests)
