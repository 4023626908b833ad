/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actors of the closed forms in C++ (closed.h). Amounts are in seconds of an idle host of 1 Gf/s and in MB. */
#ifndef IASIM_TEST_SIMGRID_CLOSED_S4U_HPP
#define IASIM_TEST_SIMGRID_CLOSED_S4U_HPP

#include "closed.h"

#include <simgrid/s4u.hpp>

#include <string>

namespace sg = simgrid::s4u;
namespace this_actor = simgrid::s4u::this_actor;

static inline sg::Host *host(const char *name)
{
    return sg::Host::by_name(name);
}

/* A host by its name, or a virtual machine, which has none that SimGrid finds before the run. */
struct Where {
    sg::Host *host;
    Where(const char *name) : host(sg::Host::by_name(name))
    {
    }
    Where(sg::Host *h) : host(h)
    {
    }
};

template <class Work> sg::ActorPtr actor(Where where, Work work)
{
    return sg::Actor::create("actor", where.host, work);
}

static inline sg::Mailbox *box(const char *name)
{
    return sg::Mailbox::by_name(name);
}

static inline sg::CommPtr put_init(const char *to, double mb)
{
    static int payload;
    return box(to)->put_init(&payload, static_cast<uint64_t>(MB * mb));
}

static inline sg::CommPtr put_async(const char *to, double mb)
{
    sg::CommPtr c = put_init(to, mb);
    c->start();
    return c;
}

static inline void put(const char *to, double mb)
{
    put_init(to, mb)->wait();
}

static inline void get(const char *from)
{
    box(from)->get<int>();
}

static inline void execute(double s)
{
    this_actor::execute(GF * s);
}

/* An actor that computes for `s` from `from_s` on; `what` is when it is done. */
static inline sg::ActorPtr compute(const char *what, Where where, double s, double from_s = 0)
{
    return actor(where, [=] {
        this_actor::sleep_until(from_s);
        execute(s);
        done(what);
    });
}

/* Two actors and a transfer through the mailbox `what`, which is also what is done at its end. */
static inline void transfer(const char *what, Where from, Where to, double mb, double from_s = 0)
{
    actor(from, [=] {
        this_actor::sleep_until(from_s);
        put(what, mb);
    });
    actor(to, [=] {
        get(what);
        done(what);
    });
}

static inline void run()
{
    sg::Engine::get_instance()->run();
}

#endif
