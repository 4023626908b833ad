/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The guard: whatever its child does, the caller gets a code and a sentence. */
#include "engine/guard.h"

#include "check.h"
#include "fork_engine.h"

#include <sys/resource.h>

static enum err_code guarded(enum err_code (*work)(void *, struct err *), void *self, struct err *e)
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    *e = (struct err){0};
    return guard_run(work, self, e);
}

/* ---- what children do ---- */

static enum err_code do_nothing(void *self, struct err *e)
{
    (void)self;
    (void)e;
    return ERR_NONE;
}

static enum err_code refuse(void *self, struct err *e)
{
    const enum err_code *code = self;
    return err_set_at(e, *code, "p.xml", 7, "a sentence of %d words", 5);
}

static enum err_code say_and_abort(void *self, struct err *e)
{
    (void)e;
    dprintf(STDERR_FILENO, "[0.000000] [surf/WARNING] not this line\n%s\nnor this one\n", (const char *)self);
    abort();
}

static enum err_code abort_in_silence(void *self, struct err *e)
{
    (void)self;
    (void)e;
    abort();
}

static enum err_code raise_signal(void *self, struct err *e)
{
    (void)e;
    signal(*(int *)self, SIG_DFL); /* sanitizers have handlers of their own */
    raise(*(int *)self);
    return ERR_NONE;
}

static enum err_code leave(void *self, struct err *e)
{
    (void)e;
    fprintf(stderr, "%s", ""); /* talk of ours is no word of SimGrid */
    exit(*(int *)self);
}

static enum err_code say_and_leave(void *self, struct err *e)
{
    (void)e;
    dprintf(STDERR_FILENO, "at exit\n");
    _exit(*(int *)self);
}

static enum err_code print(void *self, struct err *e)
{
    (void)e;
    printf("%s", (const char *)self); /* no newline, no flush */
    return ERR_NONE;
}

/* ---- claims ---- */

static void a_good_end_is_a_good_end(void)
{
    struct err e;
    CHECK(guarded(do_nothing, NULL, &e) == ERR_NONE);
    CHECK_TEXT(e.text, "");
}

static void errors_come_through_whole(void)
{
    static const enum err_code codes[] = {ERR_NO, ERR_USAGE,       ERR_PARSE,   ERR_INPUT,
                                          ERR_IO, ERR_INTERRUPTED, ERR_INTERNAL};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        struct err e;
        enum err_code code = codes[i];
        CHECK(guarded(refuse, &code, &e) == code);
        CHECK(e.code == code);
        CHECK_TEXT(e.source, "p.xml");
        CHECK_INT(e.line, 7);
        CHECK_TEXT(e.text, "a sentence of 5 words");
    }
}

static void no_error_struct_is_needed(void)
{
    enum err_code code = ERR_PARSE;
    CHECK(guard_run(refuse, &code, NULL) == ERR_PARSE);
    CHECK(guard_run(abort_in_silence, NULL, NULL) == ERR_INPUT);
}

static void an_abort_is_an_input_error_with_its_reason(void)
{
    static const char *const lines[] = {
        "[1.000000] ./src/kernel/x.cpp:99: [root/CRITICAL] The Impossible Did Happen (yet again)",
        "terminate called after throwing an instance of 'std::out_of_range'", "  what():  _Map_base::at",
        "Assertion x failed", "[0.0] [xbt/ERROR] no such thing"};
    struct err e;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char line[128], want[200];
        snprintf(line, sizeof line, "%s", lines[i]);
        snprintf(want, sizeof want, "SimGrid rejected the platform: %s",
                 i == 0 ? "The Impossible Did Happen (yet again)" : lines[i]);
        CHECK(guarded(say_and_abort, line, &e) == ERR_INPUT);
        CHECK(e.code == ERR_INPUT);
        CHECK_TEXT(e.text, want);
    }
    CHECK(guarded(abort_in_silence, NULL, &e) == ERR_INPUT);
    CHECK_TEXT(e.text, "SimGrid rejected the platform");
}

static void a_long_reason_fits(void)
{
    static char line[5000];
    struct err e;
    memset(line, 'x', sizeof line - 1);
    memcpy(line, "CRITICAL", 8);
    CHECK(guarded(say_and_abort, line, &e) == ERR_INPUT);
    CHECK(strlen(e.text) < sizeof e.text);
    CHECK_CONTAINS(e.text, "SimGrid rejected the platform: CRITICALxxx");
}

static void other_deaths_are_internal_errors(void)
{
    static int signals[] = {SIGSEGV, SIGKILL, SIGFPE, SIGTERM};
    for (size_t i = 0; i < 4; i++) {
        struct err e;
        char want[64];
        snprintf(want, sizeof want, "killed by signal %d (%s)", signals[i], strsignal(signals[i]));
        CHECK(guarded(raise_signal, &signals[i], &e) == ERR_INTERNAL);
        CHECK_CONTAINS(e.text, want);
    }
}

static void an_end_with_words_is_an_internal_error(void)
{
    static int statuses[] = {0, 1, 42};
    for (size_t i = 0; i < 3; i++) {
        struct err e;
        char want[64];
        snprintf(want, sizeof want, "the simulation ended with status %d: at exit", statuses[i]);
        CHECK(guarded(say_and_leave, &statuses[i], &e) == ERR_INTERNAL);
        CHECK_TEXT(e.text, want);
    }
}

static void guard_leave(void *self, int fd)
{
    struct err e;
    guarded(leave, self, &e);
    tell(fd, "still here", 10);
}

static void an_exit_in_silence_is_the_program_s(void)
{
    for (int status = 0; status < 3; status += 2) {
        struct text said = {0};
        enum ending ending = in_child(guard_leave, &status, 20, &said);
        CHECK(ending == (status == 0 ? ENDED_WELL : ENDED_BADLY));
        CHECK_TEXT(text_str(&said), "");
        text_clear(&said);
    }
}

static void guard_print(void *self, int fd)
{
    static char buffer[BUFSIZ]; /* CUnit has none */
    struct err e;
    dup2(fd, STDOUT_FILENO);
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    printf("before ");
    if (guarded(print, self, &e) == ERR_NONE)
        printf(" after");
}

static void output_is_printed_once_and_in_order(void)
{
    struct text said = {0};
    CHECK(in_child(guard_print, "within", 20, &said) == ENDED_WELL);
    CHECK_TEXT(text_str(&said), "before within after");
    text_clear(&said);
}

static void hang(void *self, int fd)
{
    (void)self;
    tell(fd, "begun", 5);
    if (fork() == 0)
        pause(); /* holds fd open, and knows of no alarm */
    pause();
}

/* Of the tests themselves: one that hangs, with a child of its own, does not hold them up. */
static void a_child_of_a_test_has_a_time_limit(void)
{
    struct text said = {0};
    double begin_s = seconds_now();
    CHECK(in_child(hang, NULL, 1, &said) == ENDED_LATE);
    CHECK(seconds_now() - begin_s < 60);
    CHECK_TEXT(text_str(&said), "begun");
    text_clear(&said);
}

static void guards_leave_nothing_open(void)
{
    struct err e;
    int first = dup(0);
    for (int i = 0; i < 20; i++) {
        guarded(do_nothing, NULL, &e);
        guarded(abort_in_silence, NULL, &e);
    }
    int last = dup(0);
    CHECK_INT(last, first + 1);
    close(first);
    close(last);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0); /* no child is left */
}

static const struct test tests[] = {
    {"a_good_end_is_a_good_end", a_good_end_is_a_good_end},
    {"errors_come_through_whole", errors_come_through_whole},
    {"no_error_struct_is_needed", no_error_struct_is_needed},
    {"an_abort_is_an_input_error_with_its_reason", an_abort_is_an_input_error_with_its_reason},
    {"a_long_reason_fits", a_long_reason_fits},
    {"other_deaths_are_internal_errors", other_deaths_are_internal_errors},
    {"an_end_with_words_is_an_internal_error", an_end_with_words_is_an_internal_error},
    {"an_exit_in_silence_is_the_program_s", an_exit_in_silence_is_the_program_s},
    {"output_is_printed_once_and_in_order", output_is_printed_once_and_in_order},
    {"a_child_of_a_test_has_a_time_limit", a_child_of_a_test_has_a_time_limit},
    {"guards_leave_nothing_open", guards_leave_nothing_open},
};

TEST_MAIN(tests)
