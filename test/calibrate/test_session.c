/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Both sides of a run in two processes: what they find agrees, and whatever the other side does, a side ends. */
#include "loopback.h"

#include "calibrate/session.h"

#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>

/* Connections between two descriptors of this process. */
static void connect_pair(int *one, int *two)
{
    struct address a;
    int fd = listen_here(&a);
    *one = connect_there(&a);
    channel_wait(fd, 1, clock_now_s() + 5);
    *two = accept4(fd, NULL, NULL, SOCK_NONBLOCK);
    CHECK(*two >= 0);
    close(fd);
}

struct side {
    struct meeting m;
    struct measured own, peer;
};

static void begin(struct side *s, int control, int data, const char *peer)
{
    *s = (struct side){.m = {.data_fd = data, .seconds = 1}};
    channel_open(&s->m.control, control);
    points_init(&s->own, "own");
    points_init(&s->peer, peer);
}

static enum err_code run(struct side *s, bool is_caller, struct err *e)
{
    const struct session_options how = {.is_caller = is_caller, .matrix = 16};
    return session_run(&s->m, &how, &s->own, &s->peer, e);
}

static void end(struct side *s)
{
    points_clear(&s->own);
    points_clear(&s->peer);
}

static void check_host(const struct measured *m)
{
    int n[2][2] = {{0}};
    CHECK(m->points.n >= 15 && m->alone_flop_per_s > 0);
    CHECK(m->overhead_send_s >= 0 && m->overhead_recv_s >= 0 && m->latency_s >= 0);
    for (size_t k = 0; k < m->points.n; k++) {
        const struct fit_point *p = &m->points.points[k];
        n[p->send_MB_per_s > 0][p->recv_MB_per_s > 0]++;
        CHECK_CLOSE(p->compute_ratio, p->compute_flop_per_s / m->alone_flop_per_s, 1e-12);
        CHECK(p->cpu_ratio >= 0 && p->cpu_ratio <= 1);
        CHECK(k == 0 || m->start_s[k] > m->start_s[k - 1]);
    }
    CHECK(n[0][0] >= 3); /* those alone have not seen a byte of the others */
    CHECK(n[1][0] + n[1][1] > 0 && n[0][1] + n[1][1] > 0);
}

static void both_hosts_are_measured_and_both_sides_know(void)
{
    int control[2], data[2];
    connect_pair(&control[0], &control[1]);
    connect_pair(&data[0], &data[1]);
    pid_t listener = fork();
    struct side s;
    struct err e = {0};
    close(control[listener == 0 ? 0 : 1]);
    close(data[listener == 0 ? 0 : 1]);
    if (listener == 0) {
        begin(&s, control[1], data[1], "peer");
        enum err_code code = run(&s, false, &e);
        if (code != ERR_NONE)
            fprintf(stderr, "listener: %s\n", e.text);
        else
            check_host(&s.own), check_host(&s.peer);
        end(&s);
        _exit(code != ERR_NONE || CU_get_number_of_failures() > 0);
    }
    begin(&s, control[0], data[0], "peer");
    CHECK_OK(run(&s, true, &e), e);
    check_host(&s.own);
    check_host(&s.peer);
    end(&s);
    CHECK_INT(status_of(listener), 0);
}

/* The other side is a script: it answers each line that comes with the next of these, and then dies. */
static void check_ends(const char *const answers[], bool is_caller, enum err_code expected, const char *why)
{
    int control[2], data[2];
    connect_pair(&control[0], &control[1]);
    connect_pair(&data[0], &data[1]);
    pid_t other = fork();
    struct err e = {0};
    close(control[other == 0 ? 0 : 1]);
    close(data[other == 0 ? 0 : 1]);
    if (other == 0) {
        char line[256];
        for (int i = 0; answers[i] != NULL; i++) {
            if (is_caller || i > 0)
                channel_wait(control[1], 1, clock_now_s() + 5);
            (void)!recv(control[1], line, sizeof line, MSG_DONTWAIT);
            (void)!send(control[1], answers[i], strlen(answers[i]), MSG_NOSIGNAL);
        }
        channel_wait(control[1], 1, clock_now_s() + 0.3);
        _exit(0);
    }
    struct side s;
    begin(&s, control[0], data[0], "peer");
    double start_s = clock_now_s();
    CHECK_INT(run(&s, is_caller, &e), expected);
    CHECK_CONTAINS(e.text, why);
    CHECK(clock_now_s() - start_s < 1 + 15 + 1);
    CHECK(s.m.control.fd < 0 && s.m.data_fd < 0);
    end(&s);
    status_of(other);
}

static void the_other_side_may_die_or_misbehave_at_any_moment(void)
{
    static const char *const gone[] = {"", "closed the connection"};
    check_ends((const char *[]){NULL}, true, ERR_IO, gone[1]);
    check_ends((const char *[]){NULL}, false, ERR_IO, gone[1]);
    check_ends((const char *[]){"pong\n", NULL}, true, ERR_IO, gone[1]);
    check_ends((const char *[]){"going\n", NULL}, true, ERR_INPUT, "sent 'going' where 'pong' was expected");
    check_ends((const char *[]){"iasim-calibrate 3\n", NULL}, true, ERR_INPUT, "sent 'a hello'");
    check_ends((const char *[]){"\x01garbage\n", NULL}, true, ERR_INPUT,
               "not a line of iasim's calibration: '?garbage'");
    check_ends((const char *[]){"welcome " TOKEN " 1 a\n", NULL}, false, ERR_INPUT, "unexpected message");
    check_ends((const char *[]){"go 1e18\n", "", NULL}, false, ERR_IO, gone[1]);
    check_ends((const char *[]){"stop 1000000\n", NULL}, false, ERR_IO,
               "the other side has closed the data connection");
    check_ends((const char *[]){"point 0 0 0 1 1\nturn\n", "", NULL}, false, ERR_IO, gone[1]);
    check_ends((const char *[]){"point 0 0 0 1 -1\n", NULL}, false, ERR_INPUT, "not a line of iasim's calibration");
}

static const struct test tests[] = {
    {"both hosts are measured, and both sides know", both_hosts_are_measured_and_both_sides_know},
    {"the other side may die or misbehave at any moment", the_other_side_may_die_or_misbehave_at_any_moment},
};
TEST_MAIN(tests)
