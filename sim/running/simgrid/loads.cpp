/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transfers that are not SimGrid's: iasim's own actors carry them out, and report their rates (iasim_layer_loads,
   preload.h). */
#include "simgrid/layer.hpp"

namespace layer
{
namespace
{

// As one of its two hosts feels it.
struct Load : Flow {
    End felt_by;
};

void *load_start(int host, int is_recv, int peer)
{
    Node *n = node_number(host), *other = node_number(peer);
    // the caller's handle may be null: loads without a host that feels them are not kept
    if (not n->has_rates)
        return nullptr;
    // a Flow without an action, which see_rates never meets: the actors report its rate
    auto *load =
        new Load{{nullptr, {is_recv ? other : n, is_recv ? n : other}, {0, 0}, 0, 0}, is_recv ? DESTINATION : SOURCE};
    enter(load, load->felt_by);
    return load;
}

void load_set_rate(void *x, double bytes_per_s)
{
    auto *load = static_cast<Load *>(x);
    Node *n = load->end[load->felt_by];
    hosts_set_rate(n->id, load->at[load->felt_by], bytes_per_s);
    touch(n);
}

void load_end(void *x)
{
    auto *load = static_cast<Load *>(x);
    leave(load, load->felt_by);
    delete load;
}

} // namespace
} // namespace layer

const struct layer_loads iasim_layer_loads = {layer::load_start, layer::load_set_rate, layer::load_end};
