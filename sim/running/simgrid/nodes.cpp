/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SimGrid's hosts: those of the platform, read when the simulation starts, and those created later, once the actors
   of that date have run. A platform built in code has no file: messages then name the host and the property alone. */
#include "simgrid/layer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <utility>

namespace sg = simgrid::s4u;

namespace layer
{
namespace
{

std::string file; // "": none
// a map whose nodes stay where they are: flows and works point to them
std::unordered_map<const sg::Host *, Node> nodes;
std::vector<sg::Host *> created; // since the platform was read
bool is_read = false, has_rates = false;

using Properties = std::vector<std::pair<std::string, std::string>>;

template <class Owner> Properties properties_of(Owner *owner) // in an order of their own
{
    auto const *map = owner->get_properties();
    Properties sorted(map->begin(), map->end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

bool has(const Properties &properties, const char *id)
{
    return std::any_of(properties.begin(), properties.end(), [id](auto const &p) { return p.first == id; });
}

void read_properties(Node &node)
{
    Properties own = properties_of(node.host);
    err e = {};
    // all of them: the first error wins (base/err.h), and its order does not depend on a hash
    for (auto const &[id, value] : own)
        hosts_set_property(node.id, file.c_str(), id.c_str(), value.c_str(), &e);
    if (not has(own, "ir_send"))
        hosts_set_default(node.id, false, &e);
    if (not has(own, "ir_recv"))
        hosts_set_default(node.id, true, &e);
    if (e.code != ERR_NONE)
        refuse(e);
    node.has_rates = hosts_has_rates(node.id);
    if (node.has_rates && not std::exchange(has_rates, true))
        refuse_models();
}

void check_links()
{
    err e = {};
    for (const sg::Link *l : sg::Engine::get_instance()->get_all_links()) {
        const sg::Link *pair = kernel::split_duplex_of(l), *owner = pair != nullptr ? pair : l;
        for (auto const &[id, value] : properties_of(owner))
            hosts_check_link_property(owner->get_cname(), file.c_str(), id.c_str(), value.c_str(), &e);
    }
    if (e.code != ERR_NONE)
        refuse(e);
}

// First all names, then the properties, which may name a peer that is created at the same date.
void read_hosts(const std::vector<sg::Host *> &hosts)
{
    std::vector<Node *> added;
    for (sg::Host *h : hosts) {
        if (dynamic_cast<sg::VirtualMachine *>(h) != nullptr || nodes.count(h) > 0)
            continue;
        Node &node = nodes[h];
        node.host = h;
        node.id = hosts_add(h->get_cname());
        added.push_back(&node);
    }
    hosts_seal();
    for (Node *node : added)
        read_properties(*node);
}

} // namespace

void read_platform(const char *path)
{
    if (std::exchange(is_read, true))
        return;
    file = path != nullptr ? path : "";
    read_hosts(sg::Engine::get_instance()->get_all_hosts());
    check_links();
    char *warning = hosts_warning(file.c_str());
    if (warning != nullptr)
        fprintf(stderr, "iasim: %s\n", warning);
    free(warning);
}

void host_created(sg::Host &host)
{
    if (is_read)
        created.push_back(&host);
}

void read_created_hosts()
{
    if (created.empty())
        return;
    read_hosts(created);
    created.clear();
}

void host_destroyed(sg::Host const &host)
{
    nodes.erase(&host);
    created.erase(std::remove(created.begin(), created.end(), &host), created.end());
}

Node *node_of(sg::Host *host, sg::VirtualMachine **vm)
{
    auto it = nodes.find(host);
    if (it != nodes.end())
        return &it->second;
    if (auto *virtual_host = dynamic_cast<sg::VirtualMachine *>(host)) {
        if (vm != nullptr)
            *vm = virtual_host;
        return node_of(virtual_host->get_pm(), nullptr);
    }
    // created at this date and used at once, before the round that reads new hosts
    read_hosts({host});
    return &nodes.at(host);
}

Node *node_number(int id)
{
    auto *host = sg::Engine::get_instance()->host_by_name_or_null(hosts_name(id));
    return host != nullptr ? node_of(host) : nullptr;
}

bool any_rates()
{
    return has_rates;
}

} // namespace layer
