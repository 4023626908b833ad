/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Beliefs that are far from the machine are allowed, because what they cost is a question worth a simulation. Often
   they are a slip, such as a rate in the wrong unit, so users get a word. */
#include "base/mem.h"
#include "base/text.h"
#include "farm/tree.h"

#include <math.h>

enum { MAX_NAMED = 3 };
static const double far_ratio = 2;

struct finding {
    struct text text;
    int n;
};

/* A route without links has no finite rate to compare with. */
static bool is_below(double belief, double truth)
{
    return isfinite(truth) && belief * far_ratio < truth;
}

static bool is_above(double belief, double truth)
{
    return isfinite(truth) && belief > truth * far_ratio;
}

static void add(struct finding *f, const struct tree_node *node, const char *what, double belief, const char *unit,
                const char *truth_is, double truth)
{
    if (++f->n <= MAX_NAMED)
        text_addf(&f->text, "%s%s of host %s is %g %s (%s: %g)", f->n > 1 ? ", " : "", what, node->host_name, belief,
                  unit, truth_is, truth);
}

/* Several routes may share a link, so a node can send at least at the rate of its fastest route, and at most at the sum
   of all. */
static void check_send_limit(struct finding *f, const struct tree *t, const struct tree_node *node)
{
    double limit = node->send_limit_bytes_per_s, fastest = 0, sum = 0;
    for (int c = 0; c < node->n_children; c++) {
        double rate = t->nodes[node->children[c]].route_bytes_per_s;
        fastest = fmax(fastest, rate);
        sum += rate;
    }
    if (node->n_children == 0 || isinf(limit))
        return;
    if (is_below(limit, fastest))
        add(f, node, "send_limit", limit / 1e6, "MB/s", "fastest route to a child", fastest / 1e6);
    else if (is_above(limit, sum))
        add(f, node, "send_limit", limit / 1e6, "MB/s", "routes to all children", sum / 1e6);
}

/* Only what a deployment gives can be far off: the rest was taken from the platform. */
static void check_node(struct finding *f, const struct tree *t, node_id n, const struct machine *m)
{
    const struct tree_node *node = &t->nodes[n];
    double rate = node->compute_rate_flop_per_s, speed = m->hosts[node->host].speed_flop_per_s;
    double transfer = node->max_transfer_bytes_per_s, route = node->route_bytes_per_s;
    if (is_below(rate, speed) || is_above(rate, speed))
        add(f, node, "compute_rate", rate, "flop/s", "its speed", speed);
    if (n != t->root && (is_below(transfer, route) || is_above(transfer, route)))
        add(f, node, "max_transfer_rate", transfer / 1e6, "MB/s", "route from its parent", route / 1e6);
    check_send_limit(f, t, node);
}

char *tree_far_beliefs(const struct tree *t, const struct machine *m)
{
    struct finding f = {0};
    for (node_id n = 0; n < t->n_nodes; n++)
        check_node(&f, t, n, m);
    if (f.n > MAX_NAMED)
        text_addf(&f.text, " and %d more", f.n - MAX_NAMED);
    char *sentence = f.n == 0
                         ? NULL
                         : mem_format("%s: %s from the platform by more than a factor of %g: %s", t->source,
                                      f.n == 1 ? "a belief differs" : "beliefs differ", far_ratio, text_str(&f.text));
    text_clear(&f.text);
    return sentence;
}
