//===- Clock.cpp - what an agent knows of others ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/Clock.h"

#include <algorithm>
#include <memory>

namespace ttjit::hw::check {

//===--------------------------------------------------------------------------===//
// What was known at one moment
//===--------------------------------------------------------------------------===//

static ClockIndex indexOf(const Acquired &release) { return release.stamp.index(); }

Time LastReleases::timeOf(ClockIndex index) const {
  auto it = std::ranges::lower_bound(releases, index, {}, indexOf);
  return it == releases.end() || indexOf(*it) != index ? 0 : it->stamp.time;
}

void LastReleases::add(const Acquired &release) {
  auto it = std::ranges::lower_bound(releases, indexOf(release), {}, indexOf);
  if (it == releases.end() || indexOf(*it) != indexOf(release))
    releases.insert(it, release);
  else if (it->stamp.time < release.stamp.time)
    *it = release;
}

Time TimeList::timeOf(ClockIndex index) const {
  auto it = std::ranges::lower_bound(stamps, index, {}, &Stamp::index);
  return it == stamps.end() || it->index() != index ? 0 : it->time;
}

Time Knowledge::timeOf(ClockIndex index) const {
  return std::max(acquired.timeOf(index), earlier ? earlier->timeOf(index) : Time{});
}

void Epoch::addTo(LastReleases &to) const {
  to.add({own, known});
  if (signals != kNoIndex)
    to.add({{own.time, signals}, nullptr});
}

void intrusive_ptr_add_ref(Knowledge *knowledge) { ++knowledge->owners; }

// The end of one may be the end of many others. They end one after the other, because the stacks
// of the emulated threads are small.
void intrusive_ptr_release(Knowledge *knowledge) {
  static thread_local std::vector<Knowledge *> ending;
  static thread_local bool isAtWork = false;
  if (--knowledge->owners)
    return;
  ending.push_back(knowledge);
  if (isAtWork)
    return;
  isAtWork = true;
  while (!ending.empty()) {
    std::unique_ptr<Knowledge> next(ending.back());
    ending.pop_back();
  }
  isAtWork = false;
}

//===--------------------------------------------------------------------------===//
// Searches
//===--------------------------------------------------------------------------===//

// Returns whether an agent is met for the first time in a walk.
static bool isFirst(std::vector<uint64_t> &walks, ClockIndex index, uint64_t walk) {
  if (index >= walks.size())
    walks.resize(std::max<size_t>(index + 1, 2 * walks.size()));
  bool result = walks[index] != walk;
  walks[index] = walk;
  return result;
}

void KnowledgeSearch::push(const Knowledge &known, Time since) {
  for (const Acquired &release : known.acquired)
    if (release.known && release.stamp.time >= since) {
      steps.push_back({release.stamp, release.known.get()});
      std::ranges::push_heap(steps, {}, &Step::time);
    }
}

// Returns the latest step to an agent that was not met; null if there is none.
const Knowledge *KnowledgeSearch::take() {
  while (!steps.empty()) {
    std::ranges::pop_heap(steps, {}, &Step::time);
    Step step = steps.back();
    steps.pop_back();
    if (isFirst(visited, step.stamp.index(), number))
      return step.known;
  }
  return nullptr;
}

template <typename Visit>
void KnowledgeSearch::walk(const Knowledge &from, Time since, const Visit &visit) {
  ++number;
  steps.clear();
  for (const Knowledge *next = &from; next && visit(*next); next = take())
    push(*next, since);
}

bool KnowledgeSearch::finds(Knowledge &from, ClockIndex index, Time time) {
  Time latest = 0;
  walk(from, time, [&](const Knowledge &known) {
    latest = known.timeOf(index);
    return latest < time;
  });
  if (latest < time)
    return false;
  from.acquired.add({{latest, index}, nullptr}); // the next search is short
  return true;
}

void KnowledgeSearch::note(const Stamp &stamp) {
  ClockIndex index = stamp.index();
  if (isFirst(noted, index, number)) {
    found.push_back(index);
    times.resize(noted.size());
    times[index] = 0;
  }
  times[index] = std::max<Time>(times[index], stamp.time);
}

Shared<TimeList> KnowledgeSearch::all(const Knowledge &from, uint64_t &work) {
  found.clear();
  walk(from, 0, [&](const Knowledge &known) {
    for (const Acquired &release : known.acquired)
      note(release.stamp);
    work += known.acquired.size();
    if (known.earlier && known.earlier->walk != number) {
      known.earlier->walk = number;
      for (const Stamp &stamp : known.earlier->stamps)
        note(stamp);
      work += known.earlier->stamps.size();
    }
    return true;
  });
  Shared<TimeList> result(new TimeList);
  for (ClockIndex index : found)
    result->stamps.push_back({times[index], index});
  std::ranges::sort(result->stamps, {}, &Stamp::index);
  return result;
}

//===--------------------------------------------------------------------------===//
// What is known now
//===--------------------------------------------------------------------------===//

// Lengths of paths, and numbers of releases, that need no list. They are larger if lists take
// longer to make, so that the time for lists is a small part of that for acquires.
static constexpr uint64_t kMinLimit = 32, kMaxLimit = 2048, kWorkOfAcquire = 16;

// Makes `known` the clock's own.
void Clock::own() {
  if (known && known->owners == 1)
    return;
  Shared<Knowledge> copy(new Knowledge);
  if (known) {
    copy->acquired = known->acquired;
    copy->earlier = known->earlier;
    for (const Acquired &release : copy->acquired)
      if (release.known)
        copy->depth = std::max(copy->depth, release.known->depth + 1);
  }
  known = std::move(copy);
}

void Clock::join(const LastReleases &releases, KnowledgeSearch &search) {
  for (const Acquired &release : releases) {
    if (known && known->timeOf(indexOf(release)) >= release.stamp.time)
      continue;
    own();
    known->acquired.add(release);
    if (release.known)
      known->depth = std::max(known->depth, release.known->depth + 1);
  }
  if (known && std::max<uint64_t>(known->depth, known->acquired.size()) > limit)
    shorten(search);
}

// Replaces what leads to other agents by a list of what is known.
void Clock::shorten(KnowledgeSearch &search) {
  uint64_t work = 0;
  Shared<Knowledge> shorter(new Knowledge);
  shorter->earlier = search.all(*known, work);
  known = std::move(shorter);
  limit = std::clamp(work / kWorkOfAcquire, kMinLimit, kMaxLimit);
}

//===--------------------------------------------------------------------------===//
// Releases for which others wait
//===--------------------------------------------------------------------------===//

void Releases::acquire(uint64_t value, Clock &clock, KnowledgeSearch &search) {
  auto end = std::ranges::find(waiting, value, &Release::value);
  if (end == waiting.end())
    end = std::ranges::find_if(waiting, [&](const Release &each) { return each.value > value; });
  size_t last = static_cast<size_t>(end - waiting.begin());
  acquireFirst(end == waiting.end() ? 0 : last + 1, clock, search);
}

void Releases::acquireFirst(size_t count, Clock &clock, KnowledgeSearch &search) {
  auto end = waiting.begin() + static_cast<ptrdiff_t>(count);
  for (auto it = waiting.begin(); it != end; ++it)
    it->epoch.addTo(acquired);
  waiting.erase(waiting.begin(), end);
  clock.join(acquired, search);
}

} // namespace ttjit::hw::check
