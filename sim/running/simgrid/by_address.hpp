/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A table of pointers by the address of something else: open addressing, at most half full. SimGrid's reports name
   an action by its address, thousands of times for each event of a large program; std::unordered_map made a tenth of
   our cost. */
#ifndef IASIM_SIMGRID_BY_ADDRESS_HPP
#define IASIM_SIMGRID_BY_ADDRESS_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

template <class T> class ByAddress
{
  public:
    T *find(const void *address) const // null: not there
    {
        size_t i = home(address);
        while (slots[i].first != nullptr && slots[i].first != address)
            i = next(i);
        return slots[i].second;
    }

    void add(const void *address, T *value) // which is not there yet
    {
        if (2 * ++n > slots.size())
            grow();
        put(address, value);
    }

    void remove(const void *address) // which is there
    {
        size_t gap = home(address);
        while (slots[gap].first != address)
            gap = next(gap);
        // what follows moves up, unless it is at home between the gap and its place
        for (size_t i = next(gap); slots[i].first != nullptr; i = next(i)) {
            size_t from_home = (i - home(slots[i].first)) & (slots.size() - 1);
            if (from_home >= ((i - gap) & (slots.size() - 1)))
                slots[std::exchange(gap, i)] = slots[i];
        }
        slots[gap] = {};
        n--;
    }

  private:
    std::vector<std::pair<const void *, T *>> slots{16};
    size_t n = 0;

    size_t home(const void *address) const
    {
        uint64_t mixed = reinterpret_cast<uintptr_t>(address) * UINT64_C(0x9e3779b97f4a7c15);
        return static_cast<size_t>(mixed >> 32) & (slots.size() - 1);
    }
    size_t next(size_t i) const
    {
        return (i + 1) & (slots.size() - 1);
    }
    void put(const void *address, T *value)
    {
        size_t i = home(address);
        while (slots[i].first != nullptr)
            i = next(i);
        slots[i] = {address, value};
    }
    void grow()
    {
        std::vector<std::pair<const void *, T *>> old(2 * slots.size());
        old.swap(slots);
        for (auto const &[address, value] : old)
            if (address != nullptr)
                put(address, value);
    }
};

#endif
