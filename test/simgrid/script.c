/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Activity scripts (doc/model.md, Files), carried out by SimGrid actors.

       script make SEED              writes a random platform.xml and script.txt
       script run PLATFORM SCRIPT    prints a line for each activity: its start and its finish

   Each line of the script has actors of its own. The calls by which they compute and send change from line to line:
   the dates must not depend on them. */
#include "platform_text.h"

#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/exec.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- make ---- */

static uint64_t state;

static double uniform(void) /* splitmix64 */
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(double low, double high)
{
    return low + (high - low) * uniform();
}

static int below(int n)
{
    return (int)(uniform() * n);
}

/* A property in about half of the hosts. */
static void make_rate(FILE *f, const char *id, int peer, double most)
{
    if (below(2) == 0)
        return;
    fprintf(f, "<prop id=\"%s", id);
    if (peer >= 0)
        fprintf(f, ".h%d", peer);
    fprintf(f, "\" value=\"%.9g\"/>", between(0, most));
}

static void make_host(FILE *f, int h, int n_hosts)
{
    fprintf(f, "<host id=\"h%d\" speed=\"%.9gf\" core=\"%d\">", h, between(0.5e9, 2e9), 1 + below(3));
    make_rate(f, "ir_send", -1, 0.2);
    make_rate(f, "ir_recv", -1, 0.2);
    make_rate(f, "ir_send_duplex", -1, 0.1);
    make_rate(f, "ir_recv_duplex", -1, 0.1);
    make_rate(f, "ir_send", (h + 1) % n_hosts, 0.3);
    make_rate(f, "ir_recv", (h + 2) % n_hosts, 0.3);
    make_rate(f, "ir_send_duplex", (h + 1) % n_hosts, 0.2);
    make_rate(f, "ir_recv_duplex", (h + 1) % n_hosts, 0.2);
    make_rate(f, "ir_constant_send", -1, 1.1);
    make_rate(f, "ir_constant_recv_duplex", (h + 2) % n_hosts, 1.1);
    make_rate(f, "ir_floor", -1, 0.4);
    if (h % 3 == 1)
        fputs(PROP("ir_send_curve", "1.7@5MBps") PROP("ir_recv_curve.h0", "0.6@24Mbps"), f);
    fprintf(f, "</host>\n");
}

/* Latencies that change how flows share links. SimGrid takes each file for one link only, and aborts on some that
   fall. */
static void make_profile(int link)
{
    char path[32];
    snprintf(path, sizeof path, "latency%d", link);
    FILE *f = fopen(path, "w");
    double date_s = 0, latency_s = 0.01;
    for (int i = 1 + below(4); i > 0 && f != NULL; i--) {
        date_s += between(0.1, 0.8);
        latency_s += between(0, 0.02);
        fprintf(f, "%.9g %.9g\n", date_s, latency_s);
    }
    if (f == NULL || fclose(f) != 0)
        abort();
}

static void make_platform(FILE *f, int n_hosts)
{
    static const char *const policies[] = {"SHARED", "SPLITDUPLEX", "FATPIPE"};
    bool is_split[16], by_backbone = below(2), has_latency = below(2), has_profile = has_latency && below(2);
    fputs(PLATFORM_HEAD, f);
    fputs(below(3) > 0 ? CONFIG_OF("CM02") : "", f);
    fputs("<zone id=\"world\" routing=\"Full\">\n", f);
    for (int h = 0; h < n_hosts; h++)
        make_host(f, h, n_hosts);
    for (int l = 0; l < n_hosts; l++) {
        int policy = below(has_latency ? 2 : 3); /* FATPIPE flows of unequal latency hinder each other */
        is_split[l] = policy == 1;
        fprintf(f, "<link id=\"l%d\" bandwidth=\"%.9gMBps\" latency=\"%.9gs\" sharing_policy=\"%s\"", l, between(1, 10),
                has_latency ? between(0.0001, 0.01) : 0, policies[policy]);
        if (has_profile && below(2)) {
            make_profile(l);
            fprintf(f, " latency_file=\"latency%d\"", l);
        }
        fputs("/>\n", f);
    }
    fprintf(f, "<link id=\"backbone\" bandwidth=\"%.9gMBps\" latency=\"0s\"/>\n", between(5, 20));
    for (int a = 0; a < n_hosts; a++)
        for (int b = a + 1; b < n_hosts; b++)
            fprintf(f, "<route src=\"h%d\" dst=\"h%d\"><link_ctn id=\"l%d\"%s/>%s<link_ctn id=\"l%d\"%s/></route>\n", a,
                    b, a, is_split[a] ? " direction=\"UP\"" : "", by_backbone ? "<link_ctn id=\"backbone\"/>" : "", b,
                    is_split[b] ? " direction=\"DOWN\"" : "");
    fputs(END_OF_PLATFORM, f);
}

static double make_date(void)
{
    return below(2) ? 0.125 * below(16) : between(0, 2);
}

static void make_script(FILE *f, int n_hosts)
{
    int n = 10 + below(40);
    for (int i = 0; i < n; i++) {
        int src = below(n_hosts), dst = (src + 1 + below(n_hosts - 1)) % n_hosts;
        if (below(2))
            fprintf(f, "exec %.17g h%d %.17g\n", make_date(), src, between(0, 1e9));
        else
            fprintf(f, "comm %.17g h%d h%d %d\n", make_date(), src, dst, below(3) ? below(3000000) : 250000 * below(9));
    }
}

static int make(const char *seed)
{
    FILE *platform = fopen("platform.xml", "w"), *script = fopen("script.txt", "w");
    if (platform == NULL || script == NULL)
        return 1;
    state = strtoull(seed, NULL, 10);
    int n_hosts = 3 + below(6);
    make_platform(platform, n_hosts);
    make_script(script, n_hosts);
    return fclose(platform) != 0 || fclose(script) != 0;
}

/* ---- run ---- */

enum { MAX_LINES = 1000 };
static struct line {
    int number;
    bool is_exec;
    double at_s, amount;
    char hosts[2][64], box[16];
    double start_s, finish_s;
} lines[MAX_LINES];

static struct line *line_of(char **argv)
{
    return &lines[strtol(argv[1], NULL, 10)];
}

static void compute(int argc, char **argv)
{
    struct line *l = line_of(argv);
    (void)argc;
    sg_actor_sleep_until(l->at_s);
    l->start_s = simgrid_get_clock();
    if (l->number % 3 == 0)
        sg_actor_execute(l->amount);
    else if (l->number % 3 == 1)
        sg_exec_wait(sg_actor_exec_async(l->amount));
    else {
        sg_exec_t e = sg_actor_exec_init(l->amount);
        sg_exec_start(e);
        sg_actor_sleep_for(0);
        sg_exec_wait(e);
    }
    l->finish_s = simgrid_get_clock();
}

static void transmit(int argc, char **argv)
{
    struct line *l = line_of(argv);
    sg_mailbox_t box = sg_mailbox_by_name(l->box);
    (void)argc;
    sg_actor_sleep_until(l->at_s);
    l->start_s = simgrid_get_clock();
    if (l->number % 3 == 0)
        sg_mailbox_put(box, l, (long)l->amount);
    else if (l->number % 3 == 1)
        sg_comm_wait(sg_mailbox_put_async(box, l, (long)l->amount));
    else
        sg_comm_detach(sg_mailbox_put_init(box, l, (long)l->amount), NULL);
}

static void receive(int argc, char **argv)
{
    struct line *l = line_of(argv);
    (void)argc;
    if (sg_mailbox_get(sg_mailbox_by_name(l->box)) != l)
        abort();
    l->finish_s = simgrid_get_clock();
}

static void start(const char *where, struct line *l, void (*code)(int, char **))
{
    char *argv[] = {l->box, l->box + 1, NULL};
    sg_actor_create(l->box, sg_host_by_name(where), code, 2, argv);
}

static int read_lines(const char *path)
{
    FILE *f = fopen(path, "r");
    char text[256];
    int n = 0;
    if (f == NULL)
        return -1;
    for (; n < MAX_LINES && fgets(text, sizeof text, f) != NULL; n++) {
        struct line *l = &lines[n];
        l->number = n;
        l->is_exec = strncmp(text, "exec", 4) == 0;
        snprintf(l->box, sizeof l->box, "b%d", n);
        if (l->is_exec ? sscanf(text, "exec %lf %63s %lf", &l->at_s, l->hosts[0], &l->amount) != 3
                       : sscanf(text, "comm %lf %63s %63s %lf", &l->at_s, l->hosts[0], l->hosts[1], &l->amount) != 4)
            return -1;
    }
    fclose(f);
    return n;
}

static int run(const char *platform, const char *script)
{
    int n = read_lines(script);
    simgrid_load_platform(platform);
    for (int i = 0; i < n; i++) {
        start(lines[i].hosts[0], &lines[i], lines[i].is_exec ? compute : transmit);
        if (!lines[i].is_exec)
            start(lines[i].hosts[1], &lines[i], receive);
    }
    simgrid_run();
    for (int i = 0; i < n; i++)
        printf("%.17g %.17g\n", lines[i].start_s, lines[i].finish_s);
    return n <= 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "make") == 0)
        return make(argv[2]);
    simgrid_init(&argc, argv);
    if (argc == 4 && strcmp(argv[1], "run") == 0)
        return run(argv[2], argv[3]);
    return fprintf(stderr, "usage: script make SEED | run PLATFORM SCRIPT\n"), 2;
}
