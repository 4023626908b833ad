/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Logs in the Standard Workload Format: accepted submit times are finite and rise from 0 on, and are what
   `release_dates` gives for as many jobs; what is not accepted has a reason. */
#include "fuzz.h"
#include "workload/workload.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char path[40];

/* The reader opens a path: that of one file in memory, which is written anew for each input. */
static void write_file(const uint8_t *bytes, size_t n)
{
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("log", 0);
        require(fd >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    require(ftruncate(fd, 0) == 0 && pwrite(fd, bytes, n, 0) == (ssize_t)n);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct err e = {0};
    double *dates_s = NULL;
    long n_dates = 0;
    write_file(bytes, n);
    enum err_code code = swf_read(path, &dates_s, &n_dates, &e);
    if (code != ERR_NONE) {
        require(e.code == code && e.text[0] != '\0' && dates_s == NULL);
        return 0;
    }
    require(n_dates >= 1 && dates_s[0] == 0);
    for (long i = 0; i < n_dates; i++)
        require(isfinite(dates_s[i]) && (i == 0 || dates_s[i] >= dates_s[i - 1]));
    struct release_rule rule = {.kind = RELEASE_SWF, .file = path, .load_ratio = NAN};
    double *released_s = malloc((size_t)n_dates * sizeof *released_s);
    require(released_s != NULL && release_dates(&rule, n_dates, 1, 1, released_s, &e) == ERR_NONE);
    require(memcmp(released_s, dates_s, (size_t)n_dates * sizeof *dates_s) == 0);
    require(release_dates(&rule, n_dates + 1, 1, 1, released_s, &e) == ERR_INPUT);
    free(released_s);
    free(dates_s);
    return 0;
}
