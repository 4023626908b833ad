/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A listener in a process of its own, and raw connections to it. */
#ifndef IASIM_TEST_CALIBRATE_LOOPBACK_H
#define IASIM_TEST_CALIBRATE_LOOPBACK_H

#include "base/clock.h"
#include "calibrate/listener.h"
#include "check.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOKEN "0123456789abcdef0123456789abcdef"
#define OTHER_TOKEN "0123456789abcdef0123456789abcdee"

static inline int listen_here(struct address *got)
{
    struct address a;
    struct err e = {0};
    int fd = -1;
    CHECK_OK(address_parse("127.0.0.1:0", 0, &a, &e), e);
    CHECK_OK(address_listen(&a, &fd, got, &e), e);
    return fd;
}

static inline int connect_there(const struct address *a)
{
    struct err e = {0};
    int fd = -1;
    CHECK_OK(address_connect(a, clock_now_s() + 5, &fd, &e), e);
    return fd;
}

static inline void write_there(int fd, const char *bytes)
{
    CHECK(write(fd, bytes, strlen(bytes)) == (ssize_t)strlen(bytes));
}

/* All that comes until the other side closes; at most 10 s. */
static inline const char *read_all(int fd, char out[256])
{
    size_t n = 0;
    double until_s = clock_now_s() + 10;
    for (ssize_t k; n < 255 && channel_wait(fd, 1 /* POLLIN */, until_s) && (k = read(fd, out + n, 255 - n)) > 0;)
        n += (size_t)k;
    out[n] = '\0';
    return out;
}

static inline int status_of(pid_t pid)
{
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
