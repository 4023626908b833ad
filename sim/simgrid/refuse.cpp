/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What this world cannot do right is refused by its name, with one sentence and status 2, where it would meet a rate above
   0. Without rates nothing is refused: the program runs as it would without us. */
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

constexpr Refused models[] = {
    {"HostL07Model", "host model ptask_L07 shares the network and the processors in one system"},
    {"NetworkL07Model", "host model ptask_L07 shares the network and the processors in one system"},
    {"CpuL07Model", "host model ptask_L07 shares the network and the processors in one system"},
    {"NetworkConstantModel", "network model Constant gives transfers no rate"},
    {"NetworkNS3Model", "network model ns-3 does not show the rates of transfers"},
    {"CpuTiModel", "cpu/optim TI computes executions ahead, with the speed that they began with"},
};

constexpr Refused actions[] = {
    {"WifiLinkAction", "transfers over WiFi links are not supported"},
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

void refuse_models()
{
    for (const kernel::Model *m : sg::Engine::get_instance()->get_all_models())
        for (Refused const &r : models)
            if (kernel::is_a(m, r.part))
                refuse(std::string(r.text) +
                       "; world interference cannot change their speed. Choose another one, or world none");
}

void watch_migrations()
{
    sg::VirtualMachine::on_migration_start_cb([](sg::VirtualMachine const &vm) {
        if (any_rates())
            refuse("live migration (of virtual machine '" + vm.get_name() +
                   "') is not supported in world interference");
    });
}

void refuse_action(const kernel::Action &a)
{
    for (Refused const &r : actions)
        if (kernel::is_a(&a, r.part))
            refuse(std::string(r.text) + " in world interference");
    refuse("SimGrid's " + class_name(typeid(a)) + " is not known to world interference");
}

} // namespace layer
