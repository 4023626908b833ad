// SPDX-License-Identifier: LGPL-2.1-or-later
// More kinds of S4U programs, for neutral.sh: without interference they print the same bytes under iasim as alone. They
// are no closed forms: what counts is that every date and figure is printed with all its digits.
#include "closed_s4u.hpp"

#include <simgrid/plugins/energy.h>
#include <simgrid/plugins/load.h>

#include <algorithm>
#include <vector>

namespace
{

// n hosts h0, h1 ... around a switch, of growing speeds, with default networks.
void load_star(int n, const std::string &props = "")
{
    std::string text = PLATFORM_HEAD "<zone id=\"world\" routing=\"Cluster\">\n";
    for (int i = 0; i < n; i++) {
        std::string h = "h" + std::to_string(i);
        text += "<host id=\"" + h + "\" speed=\"" + std::to_string(700 + 37 * i) +
                "Mf\">" PROP("ir_send", "0.003") PROP("ir_recv", "0.002") + props + "</host>\n<link id=\"" + h +
                "l\" bandwidth=\"" + std::to_string(90 + i) +
                "MBps\" latency=\"50us\" sharing_policy=\"SPLITDUPLEX\"/>\n<host_link id=\"" + h + "\" up=\"" + h +
                "l_UP\" down=\"" + h + "l_DOWN\"/>\n";
    }
    load((text + END_OF_PLATFORM).c_str());
}

std::string name(int i)
{
    return "h" + std::to_string(i);
}

void say(const char *what, double value)
{
    printf("%s %s %.17g %.17g\n", this_actor::get_cname(), what, sg::Engine::get_clock(), value);
}

void finish()
{
    run();
    done("end");
    ends("end", sg::Engine::get_clock());
}

// Receives whatever is sent to "bin".
void bin(const char *where)
{
    actor(where, [] {
        for (;;) {
            try {
                get("bin");
                say("binned", 0);
            } catch (const simgrid::Exception &) {
                say("lost", 0);
            }
        }
    })->daemonize();
}

void a_master_serves_whoever_asks()
{
    load_star(12);
    actor("h0", [] {
        for (int i = 0; i < 100; i++)
            put(box("ask")->get<sg::Host>()->get_cname(), 2 + i % 5);
    });
    for (int i = 1; i < 12; i++)
        actor(name(i).c_str(), [i] {
            for (int k = 0;; k++) {
                box("ask")->put(this_actor::get_host(), 100);
                get(name(i).c_str());
                execute(0.05 + 0.001 * ((7 * k) % 11));
                say("done", k);
            }
        })->daemonize();
    finish();
}

void a_token_goes_round()
{
    load_star(8);
    for (int i = 0; i < 8; i++)
        actor(name(i).c_str(), [i] {
            for (int round = 0; round < 3; round++) {
                if (i > 0 || round > 0)
                    get(name(i).c_str());
                execute(0.01);
                say("token", round);
                if (i < 7 || round < 2)
                    put(name((i + 1) % 8).c_str(), 1);
            }
        });
    finish();
}

void actors_meet_at_barriers_and_queue_for_locks()
{
    load_star(6);
    static auto barrier = sg::Barrier::create(6);
    static auto mutex = sg::Mutex::create();
    static auto slots = sg::Semaphore::create(2);
    for (int i = 0; i < 6; i++)
        actor(name(i).c_str(), [i] {
            slots->acquire();
            execute(0.1);
            slots->release();
            barrier->wait();
            sg::CommPtr c = put_init(name((i + 1) % 6).c_str(), 3);
            c->start();
            mutex->lock();
            execute(0.05);
            mutex->unlock();
            get(name(i).c_str());
            c->wait();
            say("met", i);
        });
    finish();
}

void a_transfer_is_waited_for_with_others()
{
    load_star(5);
    actor("h0", [] {
        std::vector<sg::CommPtr> pending;
        std::vector<std::string> names;
        for (int i = 1; i < 5; i++)
            names.push_back(name(i));
        for (int i = 0; i < 4; i++)
            pending.push_back(put_async(names[static_cast<size_t>(i)].c_str(), 5 - i));
        while (not pending.empty()) {
            ssize_t k = sg::Comm::wait_any(pending);
            say("sent", static_cast<double>(k));
            pending.erase(pending.begin() + k);
            execute(0.004);
        }
    });
    for (int i = 1; i < 5; i++)
        actor(name(i).c_str(), [i] {
            execute(0.01 * i);
            get(name(i).c_str());
            say("received", i);
        });
    finish();
}

void hosts_fail_again_and_again()
{
    load_star(6);
    for (int i = 1; i < 6; i++)
        actor(name(i).c_str(), [i] {
            this_actor::on_exit([i](bool failed) { say("left", failed ? -i : i); });
            for (int k = 0; k < 5; k++) {
                execute(0.03);
                try {
                    put("bin", 4);
                    say("round", k);
                } catch (const simgrid::Exception &) {
                    say("failed", k);
                }
            }
        })->set_auto_restart(true);
    actor("h0", [] {
        for (int k = 0; k < 6; k++) {
            this_actor::sleep_for(0.07);
            host(name(1 + k % 5).c_str())->turn_off();
            this_actor::sleep_for(0.02);
            host(name(1 + k % 5).c_str())->turn_on();
        }
    });
    bin("h0");
    finish();
}

void work_on(int n)
{
    for (int i = 0; i < n; i++) {
        actor(name(i).c_str(), [i, n] { put(name((i + 1) % n).c_str(), 20); });
        actor(name(i).c_str(), [i] {
            execute(0.2);
            get(name(i).c_str());
            execute(0.1 * i);
            say("worked", i);
        });
    }
}

void energy_is_metered()
{
    sg_host_energy_plugin_init();
    load_star(4, PROP("wattage_per_state", "95:120:200") PROP("wattage_off", "10"));
    work_on(4);
    run();
    for (int i = 0; i < 4; i++)
        say("joules", sg_host_get_consumed_energy(host(name(i).c_str())));
    done("end");
    ends("end", sg::Engine::get_clock());
}

void load_is_metered()
{
    sg_host_load_plugin_init();
    load_star(4);
    work_on(4);
    run();
    for (int i = 0; i < 4; i++) {
        say("flop", sg_host_get_computed_flops(host(name(i).c_str())));
        say("load", sg_host_get_avg_load(host(name(i).c_str())));
        say("idle", sg_host_get_total_idle_time(host(name(i).c_str())));
    }
    done("end");
    ends("end", sg::Engine::get_clock());
}

void actors_come_and_go()
{
    load_star(3);
    actor("h0", [] {
        for (int i = 0; i < 20; i++) {
            auto child = actor(name(i % 3).c_str(), [i] {
                put_init("bin", 1 + i % 3)->detach();
                execute(0.02);
                put("bin", 1);
                say("child", i);
            });
            this_actor::sleep_for(0.013);
            if (i % 4 == 3)
                child->kill();
            else if (i % 4 == 2)
                child->set_kill_time(sg::Engine::get_clock() + 0.011);
        }
    });
    bin("h1");
    finish();
}

const closed_case cases[] = {
    CASE(a_master_serves_whoever_asks),
    CASE(a_token_goes_round),
    CASE(actors_meet_at_barriers_and_queue_for_locks),
    CASE(a_transfer_is_waited_for_with_others),
    CASE(hosts_fail_again_and_again),
    CASE(energy_is_metered),
    CASE(load_is_metered),
    CASE(actors_come_and_go),
};

} // namespace

CLOSED_MAIN(cases)
