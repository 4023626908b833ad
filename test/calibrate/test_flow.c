/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A peer may ask for any rate: waiting for the next byte takes no processor. */
#include "calibrate/flow.h"

#include "base/clock.h"
#include "check.h"

#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void a_rate_of_nearly_nothing_does_not_keep_the_processor_busy(void)
{
    static const double rates[] = {1e-17, 1e-300};
    int fds[2];
    struct flow *f = NULL;
    struct err e = {0};
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
    CHECK_OK(flow_create(fds[0], &f, &e), e);
    for (int i = 0; i < 2; i++) {
        double cpu_s = (double)clock() / CLOCKS_PER_SEC;
        flow_set_rate(f, rates[i]);
        usleep(200000);
        CHECK((double)clock() / CLOCKS_PER_SEC - cpu_s < 0.03); /* one that spins takes up to 0.2 s */
        CHECK(flow_pause(f, clock_now_s() + 10));
    }
    CHECK_INT(flow_sent_bytes(f), 0);
    flow_free(f);
    close(fds[1]);
}

static const struct test tests[] = {
    {"a rate of nearly nothing does not keep the processor busy",
     a_rate_of_nearly_nothing_does_not_keep_the_processor_busy},
};
TEST_MAIN(tests)
