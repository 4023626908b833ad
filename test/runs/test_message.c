/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A message by each type of communication ([S] 8.1) on the shipped platforms, against closed forms: it takes
   o_s + c/B + o_r, and o_s + C_s c/B of the sender's processor, o_r + C_r c/B of the receiver's. */
#include "point_outcome.h"

enum { MESSAGE, BELIEVED, TRANSFER, SEND_STOLEN, RECV_STOLEN, STOLEN }; /* as in sim/results/runs/run_message.c */

static const double bandwidth_bytes_per_s = 1e9;

struct mechanism {
    const char *platform;
    double overhead_s[2], share[2]; /* of sending, of receiving */
};
static const struct mechanism third_party = {"sinnen-third-party", {60e-6, 10e-6}, {0, 0}},
                              put = {"sinnen-one-sided-put", {4e-6, 1e-6}, {1, 0}},
                              get = {"sinnen-one-sided-get", {1e-6, 4e-6}, {0, 1}},
                              two_sided = {"sinnen-two-sided", {5e-6, 5e-6}, {0.5, 0.5}};
static const struct mechanism *const mechanisms[] = {&third_party, &put, &get, &two_sided};
enum { N_MECHANISMS = sizeof mechanisms / sizeof mechanisms[0] };

/* From `source` to `destination`; another parameter may be given. */
static struct outcome_of_point send_from(const char *platform, const char *source, const char *destination,
                                         double size_bytes, const char *name, const char *value)
{
    char *path = mem_format(PROJECT_DIR "/platforms/%s.xml", platform), *size = mem_format("%.0f", size_bytes);
    const char *const values[][2] = {{"platform", path},   {"source", source}, {"destination", destination},
                                     {"size_bytes", size}, {name, value},      {NULL, NULL}};
    struct outcome_of_point o = point_outcome("message", values);
    free(path);
    free(size);
    return o;
}

static struct outcome_of_point send_by(const char *platform, double size_bytes, const char *name, const char *value)
{
    struct outcome_of_point o = send_from(platform, "p0", "p1", size_bytes, name, value);
    CHECK_OK(o.code, o.e);
    return o;
}

static void check_costs(const char *platform, const struct mechanism *by, double bytes)
{
    struct outcome_of_point o = send_by(platform, bytes, NULL, NULL);
    double transfer_s = bytes / bandwidth_bytes_per_s;
    double send_s = by->overhead_s[0] + by->share[0] * transfer_s,
           recv_s = by->overhead_s[1] + by->share[1] * transfer_s;
    CHECK_CLOSE(o.metrics[MESSAGE], by->overhead_s[0] + transfer_s + by->overhead_s[1], 1e-9);
    CHECK_CLOSE(o.metrics[BELIEVED], by->overhead_s[0] + transfer_s + by->overhead_s[1], 1e-9);
    CHECK_CLOSE(o.metrics[TRANSFER], transfer_s, 1e-9);
    CHECK_CLOSE(o.metrics[SEND_STOLEN], send_s, 1e-9);
    CHECK_CLOSE(o.metrics[RECV_STOLEN], recv_s, 1e-9);
    CHECK_CLOSE(o.metrics[STOLEN], send_s + recv_s, 1e-9);
}

static void each_type_costs_its_overheads_and_its_involvement(void)
{
    static const double sizes[] = {1, 1000, 65536, 65537, 1e6};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int k = 0; k < N_MECHANISMS; k++)
            check_costs(mechanisms[k]->platform, mechanisms[k], sizes[i]);
        check_costs("sinnen-threshold", sizes[i] <= 65536 ? &put : &third_party, sizes[i]);
    }
}

/* The largest size at which `by` takes no more than the device, by halving. */
static double largest_size(const struct mechanism *by, int metric)
{
    double device_s = send_by(third_party.platform, 1, NULL, NULL).metrics[metric]; /* whatever the size */
    double fits = 1, too_large = 1 << 17;
    while (too_large - fits > 1) {
        double middle = floor((fits + too_large) / 2);
        bool is_cheap = send_by(by->platform, middle, NULL, NULL).metrics[metric] <= device_s * (1 + 1e-12);
        *(is_cheap ? &fits : &too_large) = middle;
    }
    return fits;
}

/* O + C c/B of a copy = O' of the device: c = (O' - O) B / C, summed over the processors that count. */
static double break_even(const struct mechanism *by, int first, int last)
{
    double more_s = 0, share = 0;
    for (int side = first; side <= last; side++) {
        more_s += third_party.overhead_s[side] - by->overhead_s[side];
        share += by->share[side];
    }
    return more_s * bandwidth_bytes_per_s / share;
}

static void the_sizes_found_by_sweeping_are_those_of_algebra(void)
{
    for (int k = 1; k < N_MECHANISMS; k++)
        CHECK_CLOSE(largest_size(mechanisms[k], STOLEN), break_even(mechanisms[k], 0, 1), 1e-9);
    CHECK_CLOSE(break_even(&put, 0, 1), 65000, 1e-9);
    CHECK_CLOSE(break_even(&get, 0, 1), 65000, 1e-9);
    CHECK_CLOSE(break_even(&two_sided, 0, 1), 60000, 1e-9);
    CHECK_CLOSE(largest_size(&put, SEND_STOLEN), break_even(&put, 0, 0), 1e-9);
    CHECK_CLOSE(largest_size(&two_sided, RECV_STOLEN), break_even(&two_sided, 1, 1), 1e-9);
}

/* A rate knows no overhead. */
static void at_full_speed_interference_takes_the_involvement(void)
{
    for (int k = 0; k < N_MECHANISMS; k++) {
        struct outcome_of_point o = send_by(mechanisms[k]->platform, 1e6, "world", "interference");
        CHECK_CLOSE(o.metrics[MESSAGE], 1e-3, 1e-9);
        CHECK_CLOSE(o.metrics[SEND_STOLEN], mechanisms[k]->share[0] * 1e-3, 1e-9);
        CHECK_CLOSE(o.metrics[RECV_STOLEN], mechanisms[k]->share[1] * 1e-3, 1e-9);
    }
}

/* Blocking takes from every type what it saves: the sender is held until the data have arrived, the receiver from the
   beginning (doc/model.md, Replay). */
static void who_waits_actively_saves_nothing(void)
{
    for (int k = 0; k < N_MECHANISMS; k++) {
        const double *overhead_s = mechanisms[k]->overhead_s;
        struct outcome_of_point o = send_by(mechanisms[k]->platform, 1e6, "waiting", "active");
        CHECK_CLOSE(o.metrics[MESSAGE], overhead_s[0] + 1e-3 + overhead_s[1], 1e-9);
        CHECK_CLOSE(o.metrics[SEND_STOLEN], overhead_s[0] + 1e-3, 1e-9);
        CHECK_CLOSE(o.metrics[RECV_STOLEN], overhead_s[0] + 1e-3 + overhead_s[1], 1e-9);
    }
}

/* From (0,0,0) to (2,1,1): four links, one after the other, and each byte goes on as soon as it is there. */
static void hops_of_the_torus_take_no_time_of_their_own(void)
{
    struct outcome_of_point o = send_from("sinnen-torus", "p0", "p14", 1e6, NULL, NULL);
    CHECK_OK(o.code, o.e);
    CHECK_CLOSE(o.metrics[MESSAGE], 20e-6 + 1e6 / 100e6 + 20e-6, 1e-9);
    CHECK_CLOSE(o.metrics[BELIEVED], o.metrics[MESSAGE], 1e-9);
}

static void a_message_has_two_hosts(void)
{
    struct outcome_of_point o = send_from("sinnen-two-sided", "p3", "p3", 1, NULL, NULL);
    CHECK_INT(o.code, ERR_INPUT);
    CHECK_CONTAINS(o.e.text, "source and destination are both host 'p3'");
    o = send_from("sinnen-two-sided", "p3", "p8", 1, NULL, NULL);
    CHECK_INT(o.code, ERR_INPUT);
    CHECK_CONTAINS(o.e.text, "p8");
}

static const struct test tests[] = {
    {"each type costs its overheads and its involvement", each_type_costs_its_overheads_and_its_involvement},
    {"the sizes found by sweeping are those of algebra", the_sizes_found_by_sweeping_are_those_of_algebra},
    {"at full speed interference takes the involvement", at_full_speed_interference_takes_the_involvement},
    {"who waits actively saves nothing", who_waits_actively_saves_nothing},
    {"hops of the torus take no time of their own", hops_of_the_torus_take_no_time_of_their_own},
    {"a message has two hosts", a_message_has_two_hosts},
};
TEST_MAIN(tests)
