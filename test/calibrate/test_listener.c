/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Strangers get nothing and stop nothing; each test ends with a caller who is let in. */
#include "loopback.h"

#include <sys/socket.h>

static const struct listener_side side_of_listener = {.own_name = "listener", .seconds = 7};
static const struct listener_side side_of_caller = {.own_name = "caller", .seconds = 9};

/* A child that waits for the caller; its status is 0 when it met "caller" for 7 s. */
static pid_t start_listener(int fd)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    struct meeting m;
    struct err e = {0};
    enum err_code code = listener_await(&side_of_listener, fd, TOKEN, clock_now_s() + 20, &m, &e);
    if (code != ERR_NONE)
        fprintf(stderr, "listener: %s\n", e.text);
    _exit(code != ERR_NONE || strcmp(m.peer, "caller") != 0 || m.seconds != 7 || m.control.fd < 0 || m.data_fd < 0);
}

static void check_is_let_in(const struct address *a, pid_t listener)
{
    struct meeting m;
    struct err e = {0};
    CHECK_OK(listener_call(&side_of_caller, a, TOKEN, &m, &e), e);
    CHECK_TEXT(m.peer, "listener");
    CHECK(m.seconds == 7);
    listener_leave(&m);
    CHECK_INT(status_of(listener), 0);
}

static void a_caller_with_the_token_is_let_in(void)
{
    struct address a;
    int fd = listen_here(&a);
    pid_t listener = start_listener(fd);
    check_is_let_in(&a, listener);
    close(fd);
}

static void garbage_gets_no_answer(void)
{
    static const char *const garbage[] = {
        "GET / HTTP/1.1\r\n\r\n", "\n", "ping\n", "iasim-calibrate 2 ping\n", "iasim-calibrate 2 data " TOKEN "\n",
        "\x80\xff\x01\n"};
    struct address a;
    char answer[256], longest[5001];
    int fd = listen_here(&a);
    pid_t listener = start_listener(fd);
    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        int s = connect_there(&a);
        write_there(s, garbage[i]);
        CHECK_TEXT(read_all(s, answer), "");
        close(s);
    }
    memset(longest, 'x', 5000);
    longest[5000] = '\0';
    int s = connect_there(&a);
    write_there(s, longest); /* no line ever ends */
    CHECK_TEXT(read_all(s, answer), "");
    close(s);
    check_is_let_in(&a, listener);
    close(fd);
}

static void another_token_or_version_is_refused_by_name(void)
{
    struct address a;
    struct meeting m;
    struct err e = {0};
    char answer[256];
    int fd = listen_here(&a);
    pid_t listener = start_listener(fd);
    CHECK_INT(listener_call(&side_of_caller, &a, OTHER_TOKEN, &m, &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, "rejects the token");
    int s = connect_there(&a);
    write_there(s, "iasim-calibrate 3 control " TOKEN " 20 caller\n");
    CHECK_TEXT(read_all(s, answer), "refused-version 2\n");
    close(s);
    check_is_let_in(&a, listener);
    close(fd);
}

/* They hold their connections open and say nothing, or a letter at a time. */
static void those_who_never_finish_do_not_keep_others_out(void)
{
    struct address a;
    int silent[40], fd = listen_here(&a);
    pid_t listener = start_listener(fd);
    for (int i = 0; i < 40; i++) {
        silent[i] = connect_there(&a);
        if (i % 2 == 0)
            write_there(silent[i], "iasim-calibrate 2 control 01");
    }
    check_is_let_in(&a, listener);
    for (int i = 0; i < 40; i++)
        close(silent[i]);
    close(fd);
}

/* With the right token, but then it dies, says too much, or brings the wrong session. */
static void a_caller_who_does_not_go_on_makes_room(void)
{
    struct address a;
    char answer[256];
    int fd = listen_here(&a);
    pid_t listener = start_listener(fd);
    int dead = connect_there(&a);
    write_there(dead, "iasim-calibrate 2 control " TOKEN " 20 dead\n");
    close(dead);
    usleep(300000);
    int hasty = connect_there(&a);
    write_there(hasty, "iasim-calibrate 2 control " TOKEN " 20 hasty\nping\n");
    CHECK_CONTAINS(read_all(hasty, answer), "welcome ");
    close(hasty);
    int stranger = connect_there(&a);
    write_there(stranger, "iasim-calibrate 2 data " TOKEN "\n"); /* the token is not a session */
    CHECK_TEXT(read_all(stranger, answer), "");
    close(stranger);
    int eager[2] = {connect_there(&a), connect_there(&a)};
    write_there(eager[0], "iasim-calibrate 2 control " TOKEN " 20 eager\n");
    CHECK(channel_wait(eager[0], 1, clock_now_s() + 5) && read(eager[0], answer, sizeof answer) > 40);
    char hello[100]; /* the session is the second word; data must wait until both sides are ready */
    snprintf(hello, sizeof hello, "iasim-calibrate 2 data %.32s\ndata", answer + strlen("welcome "));
    write_there(eager[1], hello);
    CHECK_TEXT(read_all(eager[1], answer), "");
    close(eager[0]);
    close(eager[1]);
    check_is_let_in(&a, listener);
    close(fd);
}

/* With the right token, and then silence: however many, they take no caller's place. */
static void callers_who_stay_silent_do_not_keep_others_out(void)
{
    struct address a;
    char answer[256];
    int silent[20], fd = listen_here(&a);
    pid_t listener = start_listener(fd);
    for (int i = 0; i < 20; i++) {
        silent[i] = connect_there(&a);
        write_there(silent[i], "iasim-calibrate 2 control " TOKEN " 3600 silent\n");
        CHECK(channel_wait(silent[i], 1, clock_now_s() + 5) && read(silent[i], answer, sizeof answer) > 40);
    }
    check_is_let_in(&a, listener);
    for (int i = 0; i < 20; i++)
        close(silent[i]);
    close(fd);
}

/* A listener that is something else, or another iasim. */
static void check_answer(const char *answer, enum err_code expected, const char *why)
{
    struct address a;
    struct meeting m;
    struct err e = {0};
    int fd = listen_here(&a);
    pid_t pid = fork();
    if (pid == 0) {
        char line[256];
        channel_wait(fd, 1, clock_now_s() + 10);
        int s = accept(fd, NULL, NULL);
        channel_wait(s, 1, clock_now_s() + 10);
        bool has_read = read(s, line, sizeof line) > 0;
        _exit(!has_read || write(s, answer, strlen(answer)) != (ssize_t)strlen(answer));
    }
    CHECK_INT(listener_call(&side_of_caller, &a, TOKEN, &m, &e), expected);
    CHECK_CONTAINS(e.text, why);
    CHECK(m.control.fd < 0 && m.data_fd < 0);
    CHECK_INT(status_of(pid), 0);
    close(fd);
}

static void a_caller_knows_who_does_not_understand_it(void)
{
    check_answer("refused-version 7\n", ERR_INPUT,
                 "speaks version 7 of the calibration protocol, and this side version 2");
    check_answer("SSH-2.0-OpenSSH_9.2\r\n", ERR_INPUT, "not a line of iasim's calibration: 'SSH-2.0-OpenSSH_9.2?'");
    check_answer("welcome " TOKEN " 0 a\n", ERR_INPUT, "allows no time for measuring");
    check_answer("pong\n", ERR_INPUT, "did not answer as");
    check_answer("", ERR_IO, "closed the connection");
}

static void waiting_ends(void)
{
    struct address a;
    struct meeting m;
    struct err e = {0};
    int fd = listen_here(&a);
    CHECK_INT(listener_await(&side_of_listener, fd, TOKEN, clock_now_s() + 0.1, &m, &e), ERR_IO);
    CHECK_CONTAINS(e.text, "no connection arrived");
    close(fd);
}

static void tokens_are_random(void)
{
    char one[PROTOCOL_TOKEN + 1], two[PROTOCOL_TOKEN + 1];
    struct err e = {0};
    CHECK_OK(listener_make_token(one, &e), e);
    CHECK_OK(listener_make_token(two, &e), e);
    CHECK(protocol_is_token(one) && protocol_is_token(two) && strcmp(one, two) != 0);
    CHECK(!protocol_is_token("") && !protocol_is_token("0123") && !protocol_is_token(TOKEN "0"));
    CHECK(!protocol_is_token("0123456789ABCDEF0123456789ABCDEF"));
}

static const struct test tests[] = {
    {"a caller with the token is let in", a_caller_with_the_token_is_let_in},
    {"garbage gets no answer", garbage_gets_no_answer},
    {"another token or version is refused by name", another_token_or_version_is_refused_by_name},
    {"those who never finish do not keep others out", those_who_never_finish_do_not_keep_others_out},
    {"a caller who does not go on makes room", a_caller_who_does_not_go_on_makes_room},
    {"callers who stay silent do not keep others out", callers_who_stay_silent_do_not_keep_others_out},
    {"a caller knows who does not understand it", a_caller_knows_who_does_not_understand_it},
    {"waiting ends", waiting_ends},
    {"tokens are random", tokens_are_random},
};
TEST_MAIN(tests)
