// SPDX-License-Identifier: LGPL-2.1-or-later
// Programs that use what the world interference cannot simulate, or that give it wrong properties, for refused.sh.
// Without iasim, and with rates of 0, those whose name does not begin with "wrong" or "stands" are ordinary programs.
#include "closed_s4u.hpp"

#include <simgrid/plugins/live_migration.h>
#include <simgrid/s4u/VirtualMachine.hpp>
#include <simgrid/version.h>
#include <simgrid/vm.h>

namespace
{

void work()
{
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("exec", 1);
}

#define PLAIN PLATFORM_HEAD BEGIN_OF_ZONE HOST_A REST_OF_TRIO // its own models are not in the file

void parallel_tasks()
{
    sg::Engine::set_config("host/model:ptask_L07");
    load(PLAIN);
    work();
}

void constant_network()
{
    sg::Engine::set_config("network/model:Constant");
    load(PLATFORM_HEAD "<zone id=\"z\" routing=\"None\">" HOST_A HOST_B END_OF_PLATFORM);
    work();
}

void trace_integration()
{
    sg::Engine::set_config("cpu/optim:TI");
    load(PLAIN);
    work();
}

void live_migration()
{
    sg_vm_live_migration_plugin_init();
    load(TRIO);
    sg_vm_t vm = sg_vm_create_migratable(host("a"), "vm", 1, 1, 10, 10);
    sg_vm_start(vm);
    compute("exec", "c", 1);
    actor("c", [vm] {
        this_actor::sleep_until(0.25);
        sg_vm_migrate(vm, host("b"));
    });
    run();
    ends("exec", 1);
}

void wireless_links()
{
    load(PLATFORM_HEAD "<zone id=\"z\" routing=\"Wifi\"><prop id=\"access_point\" value=\"point\"/>" HOST_A HOST_B
                       "<router id=\"point\"/><link id=\"l\" sharing_policy=\"WIFI\" bandwidth=\"54Mbps\" "
                       "latency=\"0s\"/></zone></platform>");
    for (const char *name : {"a", "b"})
        sg::Link::by_name("l")->set_host_wifi_rate(host(name), 0);
    work();
}

#if SIMGRID_VERSION >= 33300
void streams_between_disks()
{
    load(CM02 HOST("a", PROP("ir_send", "0.3") "<disk id=\"d\" read_bw=\"2MBps\" write_bw=\"1MBps\"/>")
             HOST("b", "<disk id=\"d\" read_bw=\"2MBps\" write_bw=\"1MBps\"/>") MBPS("ab", "1") ROUTE("a", "b", "ab")
                 END_OF_PLATFORM);
    compute("exec", "a", 1);
    actor("a", [] {
        sg::Io::streamto(host("a"), host("a")->get_disks().front(), host("b"), host("b")->get_disks().front(), 500000);
    });
    run();
    ends("exec", 1);
}
#endif

void wrong_id()
{
    load(CM02 HOST("a", PROP("ir_sent", "0.3")) REST_OF_TRIO);
    work();
}

void wrong_peer()
{
    load(CM02 HOST("a", PROP("ir_send.nobody", "0.3")) REST_OF_TRIO);
    work();
}

void wrong_number()
{
    load(CM02 HOST("a", PROP("ir_send", "-0.3")) REST_OF_TRIO);
    work();
}

void stands_still_for_good()
{
    load(CM02 HOST("a", PROP("ir_send", "1")) REST_OF_TRIO);
    compute("exec", "a", 1);
    actor("a", [] {
        for (;;)
            put("comm", 0.000001);
    })->daemonize();
    actor("b", [] {
        for (;;)
            get("comm");
    })->daemonize();
    run();
}

const closed_case cases[] = {
    CASE(parallel_tasks),
    CASE(constant_network),
    CASE(trace_integration),
    CASE(live_migration),
    CASE(wireless_links),
#if SIMGRID_VERSION >= 33300
    CASE(streams_between_disks),
#endif
    CASE(wrong_id),
    CASE(wrong_peer),
    CASE(wrong_number),
    CASE(stands_still_for_good),
};

} // namespace

CLOSED_MAIN(cases)
