/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Private members of public classes of SimGrid, where there is no public way: access checks do not apply to the
   arguments of an explicit instantiation, and the compiler checks name and type. `object.*open(Pimpl())` is the
   member. Not installed. */
#ifndef IASIM_SIMGRID_OPENED_HPP
#define IASIM_SIMGRID_OPENED_HPP

#include "simgrid/kernel.hpp"

namespace layer
{
namespace // each file has its own: an explicit instantiation may occur only once in a program
{

template <class Tag, typename Tag::type member> struct Opened {
    friend typename Tag::type open(Tag)
    {
        return member;
    }
};

// The activity that the public getters of s4u::Comm and s4u::Exec are about.
struct Pimpl {
    using type = simgrid::kernel::activity::ActivityImplPtr simgrid::s4u::Activity::*;
    friend type open(Pimpl);
};
struct Factor {
    using type = double kernel::Action::*;
    friend type open(Factor);
};
struct Holders {
    using type = int kernel::Action::*;
    friend type open(Holders);
};
template struct Opened<Pimpl, &simgrid::s4u::Activity::pimpl_>;
template struct Opened<Factor, &kernel::Action::factor_>;
template struct Opened<Holders, &kernel::Action::refcount_>;

} // namespace
} // namespace layer

#endif
