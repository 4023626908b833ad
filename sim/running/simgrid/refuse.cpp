/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What this world cannot do right is refused by its name, with one sentence and status 2, where it would meet a rate
   above 0, and in any world of a plugin. Without rates nothing is refused: the program runs as it would without us. */
#include "simgrid/layer.hpp"

#include <cstdio>
#include <iostream>
#include <unistd.h>

#include <cxxabi.h>

namespace sg = simgrid::s4u;

namespace layer
{
namespace
{

// Classes of SimGrid, and how users call what they do.
struct Refused {
    const char *part, *text;
};

constexpr char l07[] = "host model ptask_L07, which shares processors and network in one system,";
constexpr Refused models[] = {
    {"HostL07Model", l07},
    {"NetworkL07Model", l07},
    {"CpuL07Model", l07},
    {"NetworkConstantModel", "network model Constant, where transfers have no rate,"},
    {"NetworkNS3Model", "network model ns-3, which does not show the rates of transfers,"},
    {"CpuTiModel", "cpu/optim TI, which dates executions ahead,"},
};

constexpr Refused actions[] = {
    {"WifiLinkAction", "a transfer over WiFi"},
    {"NetworkCm02Action", "data streamed between disks"}, // it is not that of a communication
};

std::string class_name(const std::type_info &type)
{
    int status = 0;
    char *name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
    std::string plain = name != nullptr ? name : type.name();
    free(name);
    return plain;
}

} // namespace

// The program's own output comes first, as if the program had ended by itself.
void refuse(const err &e)
{
    char line[2048];
    std::cout.flush();
    fflush(nullptr);
    fprintf(stderr, "iasim: %s\n", err_describe(&e, line, sizeof line));
    _exit(err_exit_status(ERR_INPUT)); // exit() would have SimGrid complain that it was not run
}

void refuse(const std::string &sentence)
{
    err e = {};
    err_set(&e, ERR_INPUT, "%s", sentence.c_str());
    refuse(e);
}

namespace
{

[[noreturn]] void refuse_part(const std::string &part)
{
    bool is_ours = std::string("interference") == hosts_world();
    refuse(part + " cannot be simulated in world " + hosts_world() +
           (is_ours ? ", where a host has a rate above 0" : ""));
}

} // namespace

void refuse_models()
{
    for (const kernel::Model *m : sg::Engine::get_instance()->get_all_models())
        for (Refused const &r : models)
            if (kernel::is_a(m, r.part))
                refuse_part(r.text);
}

void watch_migrations()
{
    sg::VirtualMachine::on_migration_start_cb([](sg::VirtualMachine const &vm) {
        if (any_rates())
            refuse_part("live migration of virtual machine '" + vm.get_name() + "'");
    });
}

void refuse_action(const kernel::Action &a)
{
    for (Refused const &r : actions)
        if (kernel::is_a(&a, r.part))
            refuse_part(r.text);
    // not passed over: a model that we do not know may move data or compute, and results would be wrong in silence
    refuse_part("an action of class " + class_name(typeid(a)) + ", which is not known,");
}

} // namespace layer
