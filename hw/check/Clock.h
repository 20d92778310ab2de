//===- Clock.h - what an agent knows of other agents ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Vector clocks, after Lamport and Mattern, that are looked up and not copied. The releases of a
// run are counted; who acquires a release knows of all that its agent did before it. An agent keeps
// the last release that it acquired from each other one, with a pointer to what that one knew then.
// Whether it knows of a time is searched for from there, the latest release first: an agent that
// was met at one release knew no less than at its earlier ones, so that no agent is visited twice.
// Paths that get long are replaced by a list of all that is known.
//
// So an acquire costs the same on any number of nodes, while a clock with a time for each agent
// costs as much as there are agents.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_CLOCK_H
#define TTJIT_HW_CHECK_CLOCK_H

#include <boost/container/small_vector.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include <cstdint>
#include <vector>

namespace ttjit::hw::check {

/// One host thread runs a program that somebody listens to, so that counts need not be atomic.
template <typename T> using Shared = boost::intrusive_ptr<T>;
template <typename T>
using Counted = boost::intrusive_ref_counter<T, boost::sp_adl_block::thread_unsafe_counter>;

/// Keeps the memory of some objects that have ended for those that come next.
template <typename T> class Recycled {
public:
  static void *operator new(size_t size) {
    std::vector<void *> &kept = memory().objects;
    if (kept.empty())
      return ::operator new(size);
    void *result = kept.back();
    kept.pop_back();
    return result;
  }
  static void operator delete(void *object) {
    constexpr size_t most = 4096;
    std::vector<void *> &kept = memory().objects;
    kept.size() < most ? kept.push_back(object) : ::operator delete(object);
  }

private:
  struct Kept {
    std::vector<void *> objects;
    ~Kept() {
      for (void *object : objects)
        ::operator delete(object);
    }
  };
  static Kept &memory() {
    static thread_local Kept kept;
    return kept;
  }
};

/// Number of a thread, or of the signals on one of its streams. A signal proves that the transfers
/// which the thread issued before it on the same stream have landed. The thread itself does not
/// know that, so the signals of each stream have an index of their own.
using ClockIndex = uint32_t;
inline constexpr ClockIndex kNoIndex = (1u << 24) - 1;

/// Number of a release of the run. Something that happens after `n` releases has time n + 1: who
/// acquires a later release of its agent knows of it.
using Time = uint64_t;

/// A release, or the latest known time, of an agent.
struct Stamp {
  Time time : 40 = 0;
  uint64_t number : 24 = kNoIndex;

  ClockIndex index() const { return static_cast<ClockIndex>(number); }
};

class Knowledge;

/// A release that an agent has acquired.
struct Acquired {
  Stamp stamp;
  Shared<Knowledge> known; ///< what the agent of the release knew of others; may be null
};

/// The last release of each of some agents.
class LastReleases {
public:
  Time timeOf(ClockIndex index) const;
  void add(const Acquired &release);

  auto begin() const { return releases.begin(); }
  auto end() const { return releases.end(); }
  size_t size() const { return releases.size(); }

private:
  boost::container::small_vector<Acquired, 4> releases; ///< by ascending index
};

/// The latest known time of many agents.
struct TimeList : Counted<TimeList> {
  std::vector<Stamp> stamps; ///< by ascending index
  uint64_t walk = 0;         ///< the last walk that read the list

  Time timeOf(ClockIndex index) const;
};

/// What an agent knew at one moment. What others have is not changed.
class Knowledge : public Recycled<Knowledge> {
public:
  Time timeOf(ClockIndex index) const;

  LastReleases acquired;
  Shared<TimeList> earlier; ///< what it knew before it acquired those; may be null
  uint32_t depth = 0;       ///< at least the longest path from here

private:
  friend void intrusive_ptr_add_ref(Knowledge *knowledge);
  friend void intrusive_ptr_release(Knowledge *knowledge);
  friend class Clock;

  uint32_t owners = 0;
};

/// A release, and what its agent knew then. Cheap to copy.
struct Epoch {
  Shared<Knowledge> known;
  Stamp own;
  ClockIndex signals = kNoIndex; ///< the signals of a stream of which this is one

  /// Adds what who acquires this knows to `to`.
  void addTo(LastReleases &to) const;
};

/// Looks for times in what agents know. The agents of a run share one.
class KnowledgeSearch {
public:
  /// Returns whether somebody who knows `from` knows of this time of an agent.
  bool finds(Knowledge &from, ClockIndex index, Time time);
  /// Returns all that is known, and adds the number of stamps that were read to `work`.
  Shared<TimeList> all(const Knowledge &from, uint64_t &work);

private:
  struct Step {
    Stamp stamp;
    const Knowledge *known;
    Time time() const { return stamp.time; }
  };

  /// Calls `visit(knowledge)` for `from` and what led to it since that time, the latest first,
  /// until a call returns false.
  template <typename Visit> void walk(const Knowledge &from, Time since, const Visit &visit);
  void push(const Knowledge &known, Time since);
  const Knowledge *take();
  void note(const Stamp &stamp);

  uint64_t number = 0;                  ///< of the walk
  std::vector<Step> steps;              ///< a heap: the latest is first
  std::vector<uint64_t> visited, noted; ///< by index: the last walk that met the agent
  std::vector<Time> times;              ///< by index, if noted
  std::vector<ClockIndex> found;
};

/// What an agent knows now.
class Clock {
public:
  /// The agent acquires releases.
  void join(const LastReleases &releases, KnowledgeSearch &search);

  /// Returns what the agent knows now; null if it knows nothing of other agents.
  const Shared<Knowledge> &shared() const { return known; }

private:
  void own();
  void shorten(KnowledgeSearch &search);

  Shared<Knowledge> known;
  uint64_t limit = 32; ///< of the lengths of paths, and of the number of releases
};

/// Releases in the order in which they happened. Each has a number that other agents wait for: a
/// number of pages, or the value of a semaphore.
class Releases {
public:
  void add(uint64_t value, const Epoch &epoch) { waiting.push_back({value, epoch}); }

  /// `clock` acquires the releases up to the one that ends a wait for `value`: the first with this
  /// number, or else the first with a larger one.
  void acquire(uint64_t value, Clock &clock, KnowledgeSearch &search);
  void acquireAll(Clock &clock, KnowledgeSearch &search) {
    acquireFirst(waiting.size(), clock, search);
  }

private:
  struct Release {
    uint64_t value;
    Epoch epoch;
  };

  void acquireFirst(size_t count, Clock &clock, KnowledgeSearch &search);

  std::vector<Release> waiting;
  LastReleases acquired; ///< those that somebody has acquired
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_CLOCK_H
