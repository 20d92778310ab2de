//===- Clock.h - what an agent knows of other agents ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Vector clocks, after Lamport and Mattern: an agent, which is a thread of a node, counts its
// releases. Its clock has the last release that it has acquired of every other agent, if any.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_CLOCK_H
#define TTJIT_HW_CHECK_CLOCK_H

#include <boost/smart_ptr/local_shared_ptr.hpp>
#include <boost/smart_ptr/make_local_shared.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace ttjit::hw::check {

/// Number of a thread, or of the signals on one of its streams (kFirstSignals).
using ClockIndex = uint32_t;

/// A time for each of a few indices. All other indices have time 0.
class Times {
public:
  uint32_t of(ClockIndex index) const {
    auto it = std::ranges::lower_bound(entries, index, {}, &Entry::first);
    return it == entries.end() || it->first != index ? 0 : it->second;
  }
  void set(ClockIndex index, uint32_t time) {
    auto it = std::ranges::lower_bound(entries, index, {}, &Entry::first);
    if (it == entries.end() || it->first != index)
      it = entries.insert(it, {index, 0});
    it->second = time;
  }
  /// Returns whether no time of `other` is later than the time here of the same index.
  bool covers(const Times &other) const {
    auto it = entries.begin();
    return std::ranges::all_of(other.entries, [&](const Entry &entry) {
      while (it != entries.end() && it->first < entry.first)
        ++it;
      return it != entries.end() && it->first == entry.first && it->second >= entry.second;
    });
  }
  /// Returns the later one of both times for each index.
  static Times latest(const Times &a, const Times &b) {
    Times result;
    result.entries.reserve(a.entries.size() + b.entries.size());
    auto x = a.entries.begin(), y = b.entries.begin();
    while (x != a.entries.end() && y != b.entries.end()) {
      if (x->first == y->first)
        result.entries.emplace_back(x->first, std::max(x++->second, y++->second));
      else
        result.entries.push_back(x->first < y->first ? *x++ : *y++);
    }
    result.entries.insert(result.entries.end(), x, a.entries.end());
    result.entries.insert(result.entries.end(), y, b.entries.end());
    return result;
  }

private:
  using Entry = std::pair<ClockIndex, uint32_t>;
  std::vector<Entry> entries; ///< ascending
};

/// Pointers may count without atomic operations: one host thread runs a program with listeners.
template <typename T> using Shared = boost::local_shared_ptr<T>;

/// A signal proves that the transfers which the thread issued before it on the same stream have
/// landed. The thread itself does not know that, so the signals of each stream have an index of
/// their own, from this one on.
inline constexpr ClockIndex kFirstSignals = 1u << 31;

/// The clock of an agent at one release. Copies share `known`, so they are cheap.
struct Epoch {
  Shared<Times> known; ///< not changed while epochs have it; may be null
  /// The times that the agent had itself: of the thread, and of its signals on a stream. A time of
  /// 0 means none.
  std::array<std::pair<ClockIndex, uint32_t>, 2> own{};
};

/// The latest time of each agent that this agent knows: a vector clock.
class Clock {
public:
  uint32_t of(ClockIndex index) const { return times->of(index); }

  void join(const Epoch &epoch) {
    if (epoch.known && epoch.known != times && !times->covers(*epoch.known))
      times = epoch.known->covers(*times)
                  ? epoch.known
                  : boost::make_local_shared<Times>(Times::latest(*times, *epoch.known));
    for (auto [index, time] : epoch.own)
      join(index, time);
  }

  const Shared<Times> &shared() const { return times; }

private:
  void join(ClockIndex index, uint32_t time) {
    if (time <= of(index))
      return;
    if (times.local_use_count() > 1)
      times = boost::make_local_shared<Times>(*times); // do not change the times of epochs
    times->set(index, time);
  }

  Shared<Times> times = boost::make_local_shared<Times>();
};

/// Releases in the order in which they happened. Each has a number that other agents wait for: a
/// number of pages, or the value of a semaphore.
class Releases {
public:
  void add(uint64_t number, const Epoch &epoch) { waiting.push_back({number, epoch}); }

  /// Makes `clock` acquire the releases up to the one that ends a wait for `number`: the first with
  /// this number; if there is none, the first with a larger one.
  void acquire(uint64_t number, Clock &clock) {
    auto end = std::ranges::find(waiting, number, &Release::first);
    if (end == waiting.end())
      end = std::ranges::find_if(waiting, [&](const Release &each) { return each.first > number; });
    acquireBefore(end == waiting.end() ? waiting.begin() : std::next(end), clock);
  }
  void acquireAll(Clock &clock) { acquireBefore(waiting.end(), clock); }

private:
  using Release = std::pair<uint64_t, Epoch>;

  void acquireBefore(std::deque<Release>::iterator end, Clock &clock) {
    for (auto it = waiting.begin(); it != end; ++it)
      acquired.join(it->second);
    waiting.erase(waiting.begin(), end);
    clock.join({acquired.shared(), {}});
  }

  std::deque<Release> waiting;
  Clock acquired; ///< the join of the releases that somebody has acquired
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_CLOCK_H
