//===- Deadlock.cpp - explains deadlocks --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A blocked thread waits for the thread at the other side of a buffer, for the other
// end of a pipe, for a thread that sets a semaphore, or for the threads that have not reached
// a reset. The report follows these waits (hw/device/WaitForGraph.h)
// from thread to thread, and along pipes from node to node. The chain ends at a thread
// that has finished, at a semaphore, at a side of a buffer that no thread has used, or
// at a thread that is already in the chain. If the run does not show who would end a
// wait, the program's list of releases names the threads that have a matching op.
//===--------------------------------------------------------------------------===//

#include "hw/device/Deadlock.h"

#include "hw/device/BufferResets.h"
#include "hw/device/DeadlockCause.h"
#include "hw/device/Describe.h"
#include "hw/device/L1Word.h"
#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace ttjit::hw {

namespace {

std::string namesOf(const std::vector<const ThreadContext *> &threads) {
  std::string names;
  for (const ThreadContext *thread : threads)
    names += fmt::format("{}{}()", names.empty() ? "" : " and ", thread->config->name);
  return names;
}

//===--------------------------------------------------------------------------===//
// Texts
//===--------------------------------------------------------------------------===//

class Explainer {
public:
  explicit Explainer(Machine &machine)
      : machine(machine), graph(machine.program, machine.index, machine.grid) {}
  Fault explain();

private:
  struct Group {
    const Node *node; // any node of the group, used to describe it
    std::vector<NodeCoord> nodes;
  };

  std::vector<Group> groupNodes();
  void describeGroup(const Group &group, const ThreadContext *root, std::vector<FaultNote> &notes);
  void describeCause(const ThreadContext &root, std::vector<FaultNote> &notes);
  void describeHop(const ThreadContext &thread, std::vector<FaultNote> &notes);
  void describeUnusedSide(const ThreadContext &thread, std::vector<FaultNote> &notes);
  void describeSupplier(const ThreadContext &thread, std::vector<FaultNote> &notes);
  void describePeer(const ThreadContext &thread, const WaitState &wait,
                    std::vector<FaultNote> &notes);
  void describeWord(const ThreadContext &thread, const WaitState &wait,
                    std::vector<FaultNote> &notes);
  void describeChoice(const ThreadContext &thread, std::vector<FaultNote> &notes);
  void describeReset(const ThreadContext &thread, std::vector<FaultNote> &notes);
  std::string nameOfAwaited(const ThreadContext &thread, const WaitState &wait);
  std::string namesOfChoice(const ThreadContext &thread);
  void describeReleases(const ThreadContext &thread, std::initializer_list<Release::Kind> kinds,
                        const std::string &name, std::vector<FaultNote> &notes);
  std::string nameOfThread(Processor processor);
  std::string progressOf(Processor processor);
  std::string headline(const ThreadContext &root);
  std::string semaphoreName(uint32_t address);
  std::string nameOfNode(const ThreadContext &thread) const {
    return describeNode(machine.program, thread.x, thread.y);
  }
  // Returns a text such as "reader()"; on a mesh, also the node.
  std::string spellThread(const ThreadContext &thread) const {
    std::string name = thread.config->name + "()";
    return machine.program.numDevices > 1 ? name + " of " + nameOfNode(thread) : name;
  }
  const BufferConfig &buffer(const ThreadContext &thread) {
    return *machine.index.bufferConfig(thread.wait.object);
  }

  Machine &machine;
  WaitForGraph graph;
};

std::string Explainer::semaphoreName(uint32_t address) {
  const SemaphoreConfig *semaphore = machine.index.semaphoreAt(address);
  if (!semaphore)
    return fmt::format("the semaphore at L1 address {:#x}", address);
  if (semaphore->name.empty())
    return fmt::format("semaphore {}", semaphore->id);
  return fmt::format("semaphore '{}'", semaphore->name);
}

// Returns the name of the word or flag that a thread waits for, such as "data of pipe 0 of 'net'
// from node (0, 0)".
std::string Explainer::nameOfAwaited(const ThreadContext &thread, const WaitState &wait) {
  const WordRole *role = graph.roleOf(thread, wait);
  return role ? role->what : semaphoreName(wait.object);
}

std::string Explainer::namesOfChoice(const ThreadContext &thread) {
  std::string names;
  for (const WaitState &wait : thread.wait.alternatives())
    names += (names.empty() ? "" : " or ") + nameOfAwaited(thread, wait);
  return names;
}

std::string Explainer::headline(const ThreadContext &root) {
  KernelLanguage language = machine.index.languageAt(root);
  switch (root.wait.kind) {
  case WaitKind::Front:
    return fmt::format("{}: deadlock: consumer waits for a block that no producer will push",
                       spell(UserCall::Wait, language, buffer(root).name));
  case WaitKind::Reserve:
    return fmt::format("{}: deadlock: producer waits for a free block that no consumer will pop",
                       spell(UserCall::Reserve, language, buffer(root).name));
  case WaitKind::Reset:
    return fmt::format("{}: deadlock: {}() waits for {}, which will not reach this reset",
                       resetName(machine.program, root.wait.object), root.config->name,
                       namesOf(missingAtReset(root)));
  case WaitKind::Any:
    return fmt::format("{}: deadlock: waits for {}, and none of them will come",
                       spell(UserCall::WaitAny, language), namesOfChoice(root));
  default:
    if (const WordRole *role = graph.roleOf(root, root.wait))
      return fmt::format("{}: deadlock: waits for {}, which will not come",
                         spell(UserCall::Copy, language), role->what);
    return fmt::format("{}: deadlock: nobody will set {} to the awaited value",
                       spellSemaphoreCall(machine.index, root,
                                          root.wait.kind == WaitKind::SemaphoreMin
                                              ? UserCall::SemaphoreWaitMin
                                              : UserCall::SemaphoreWaitEqual,
                                          root.wait.object),
                       semaphoreName(root.wait.object));
  }
}

// Adds a note such as "compute() waits for 1 block of 'a': needed 1, available 0,
// capacity 2".
void Explainer::describeHop(const ThreadContext &thread, std::vector<FaultNote> &notes) {
  const WaitState &wait = thread.wait;
  if (wait.kind == WaitKind::Any)
    return describeChoice(thread, notes);
  if (wait.kind == WaitKind::Reset)
    return describeReset(thread, notes);
  if (!waitsForBuffer(thread)) {
    describeWord(thread, wait, notes);
    return describeSupplier(thread, notes);
  }
  const BufferConfig &config = buffer(thread);
  const CircularBuffer &state = thread.buffers[wait.object];
  uint64_t filled = state.received - state.acked;
  bool front = wait.kind == WaitKind::Front;
  std::string text =
      fmt::format("{} waits {} of '{}': needed {}, {} {}, capacity {}", spellThread(thread),
                  front ? "for " + describePages(config, wait.needed)
                        : "to reserve " + describePages(config, wait.needed),
                  config.name, describePages(config, wait.needed), front ? "available" : "free",
                  describePages(config, front ? filled : state.numPages - filled),
                  describePages(config, state.numPages));
  notes.push_back({std::move(text), machine.index.location(thread)});
  describeSupplier(thread, notes);
}

// Adds the note about a wait for a word or a flag.
void Explainer::describeWord(const ThreadContext &thread, const WaitState &wait,
                             std::vector<FaultNote> &notes) {
  std::string text;
  if (wait.kind == WaitKind::Engine)
    text = fmt::format("{}() of {} waits for {}", thread.config->name, nameOfNode(thread),
                       wait.role->what);
  else if (const WordRole *role = graph.roleOf(thread, wait))
    text =
        fmt::format("{}() of {} waits for {}: counted {}, needed {}", thread.config->name,
                    nameOfNode(thread), role->what, loadWord(thread.l1 + wait.object), wait.needed);
  else
    text = fmt::format("{} waits until {} is {}{}: it is {}", spellThread(thread),
                       semaphoreName(wait.object),
                       wait.kind == WaitKind::SemaphoreMin ? "at least " : "", wait.needed,
                       loadWord(thread.l1 + wait.object));
  notes.push_back({std::move(text), machine.index.location(thread)});
}

// Adds two notes for each alternative of a wait: what the thread waits for, and who would end it.
void Explainer::describeChoice(const ThreadContext &thread, std::vector<FaultNote> &notes) {
  for (const WaitState &wait : thread.wait.alternatives()) {
    describeWord(thread, wait, notes);
    describePeer(thread, wait, notes);
  }
}

// Adds a note for the thread that waits at a reset, and one for each thread that it waits for.
void Explainer::describeReset(const ThreadContext &thread, std::vector<FaultNote> &notes) {
  notes.push_back({fmt::format("{}() waits at this reset for {}", thread.config->name,
                               namesOf(missingAtReset(thread))),
                   machine.index.location(thread)});
  for (const ThreadContext *missing : missingAtReset(thread))
    if (missing->state == ThreadPhase::Finished)
      notes.push_back({fmt::format("{}() has finished without it", missing->config->name),
                       missing->config->endLocation});
    else
      notes.push_back({fmt::format("{}() is blocked before it", missing->config->name),
                       machine.index.location(*missing)});
}

// Adds a note such as "it would come from recv() of node (1, 0), finished".
void Explainer::describePeer(const ThreadContext &thread, const WaitState &wait,
                             std::vector<FaultNote> &notes) {
  const ThreadContext *peer = graph.peerOf(thread, wait);
  if (!peer)
    return;
  std::string text =
      fmt::format("it would come from {}() of {}", peer->config->name, nameOfNode(*peer));
  if (peer->state == ThreadPhase::Finished)
    notes.push_back({text + ", finished", peer->config->endLocation});
  else if (peer == &thread)
    notes.push_back({text + ", the same thread", graph.roleOf(thread, wait)->location});
  else
    notes.push_back({text + ", which is blocked", machine.index.location(*peer)});
}

// Returns a text such as "has finished on 3 nodes, is blocked on 1 node".
std::string Explainer::progressOf(Processor processor) {
  size_t finished = 0, blocked = 0;
  for (const Node &node : machine.grid.nodes())
    if (const ThreadContext *thread = node.threads[size_t(processor)])
      ++(thread->state == ThreadPhase::Finished ? finished : blocked);
  std::string text;
  if (finished)
    text = fmt::format("has finished on {}", plural(finished, "node"));
  if (blocked)
    text += fmt::format("{}is blocked on {}", finished ? ", " : "", plural(blocked, "node"));
  return text;
}

std::string Explainer::nameOfThread(Processor processor) {
  return std::ranges::find(machine.program.threads, processor, &ThreadConfig::processor)->name;
}

// Adds a note such as "writer() increments semaphore 'ready' here; it has finished on 4 nodes" for
// each thread that has an op of these kinds on the object of the wait. Names threads that have such
// an op only on other nodes if there are no others.
void Explainer::describeReleases(const ThreadContext &thread,
                                 std::initializer_list<Release::Kind> kinds,
                                 const std::string &name, std::vector<FaultNote> &notes) {
  static constexpr const char *verbs[] = {"pushes", "pops", "sets", "increments", "publishes"};
  if (!machine.program.releases)
    return;
  std::string asked;
  std::vector<FaultNote> here, elsewhere;
  for (Release::Kind kind : kinds) {
    const char *verb = verbs[size_t(kind)];
    asked += (asked.empty() ? "" : " or ") + std::string(verb);
    for (const Release &release : *machine.program.releases) {
      if (release.kind != kind || release.object != thread.wait.object)
        continue;
      std::string does =
          fmt::format("{}() {} {} here", nameOfThread(release.processor), verb, name);
      if (graph.canRelease(release, thread))
        here.push_back({does + "; it " + progressOf(release.processor), release.location});
      else
        elsewhere.push_back(
            {fmt::format("{}, but not on {}", does, nameOfNode(thread)), release.location});
    }
  }
  if (here.empty() && elsewhere.empty())
    here.push_back({fmt::format("no thread of this kernel {} {}", asked, name), {}});
  for (FaultNote &note : here.empty() ? elsewhere : here)
    notes.push_back(std::move(note));
}

// Describes a wait for a side of a buffer that no thread has used so far.
void Explainer::describeUnusedSide(const ThreadContext &thread, std::vector<FaultNote> &notes) {
  using Kind = Release::Kind;
  const BufferConfig &config = buffer(thread);
  bool front = thread.wait.kind == WaitKind::Front;
  std::string name = fmt::format("'{}'", config.name), part;
  if (config.backing)
    part = fmt::format("{} is part of tensor '{}'", name, config.backing->tensor);
  if (front && config.backing) {
    notes.push_back(
        {fmt::format("{}, and no thread has published it so far", part), config.location});
    return describeReleases(thread, {Kind::Publish, Kind::Push}, name, notes);
  }
  if (config.backing)
    notes.push_back(
        {fmt::format("{}: blocks that nobody pops stay there, so it has room for {} in "
                     "all",
                     part, describePages(config, thread.buffers[thread.wait.object].numPages)),
         {}});
  notes.push_back(
      {fmt::format("no thread has {} {} {}", front ? "reserved" : "waited for", name,
                   thread.buffers[thread.wait.object].resets ? "since its last reset" : "so far"),
       config.location});
  describeReleases(thread, {front ? Kind::Push : Kind::Pop}, name, notes);
}

void Explainer::describeSupplier(const ThreadContext &thread, std::vector<FaultNote> &notes) {
  if (waitsForWord(thread.wait) && !graph.roleOf(thread, thread.wait))
    return describeReleases(thread,
                            {Release::Kind::SetSemaphore, Release::Kind::IncrementSemaphore},
                            semaphoreName(thread.wait.object), notes);
  if (!waitsForBuffer(thread))
    return describePeer(thread, thread.wait, notes);
  const ThreadContext *supplier = graph.supplierOf(thread);
  if (!supplier)
    return describeUnusedSide(thread, notes);
  const char *role = thread.wait.kind == WaitKind::Front ? "producer" : "consumer";
  std::string text =
      fmt::format("the {} of {} is {}()", role, buffer(thread).name, supplier->config->name);
  if (supplier->state == ThreadPhase::Finished)
    notes.push_back({text + ", finished", supplier->config->endLocation});
  else if (supplier == &thread)
    notes.push_back({text + ", the same thread", {}});
  else
    notes.push_back({text + ", which is blocked", machine.index.location(*supplier)});
}

//===--------------------------------------------------------------------------===//
// Nodes
//===--------------------------------------------------------------------------===//

std::vector<Explainer::Group> Explainer::groupNodes() {
  using Wait = std::tuple<bool, WaitKind, uint32_t, uint32_t>;
  std::map<std::vector<Wait>, size_t> known;
  std::vector<Group> groups;
  for (const Node &node : machine.grid.nodes()) {
    std::vector<Wait> waits;
    bool any = false;
    for (const ThreadContext *thread : node.threads) {
      bool blocked = isBlocked(thread);
      any |= blocked;
      waits.push_back(blocked ? Wait{true, thread->wait.kind, thread->wait.object, thread->loc}
                              : Wait{});
    }
    if (!any)
      continue;
    auto [entry, isNew] = known.try_emplace(std::move(waits), groups.size());
    if (isNew)
      groups.push_back({&node, {}});
    groups[entry->second].nodes.push_back({node.x, node.y});
  }
  return groups;
}

// Adds the note about what the user probably did wrong.
void Explainer::describeCause(const ThreadContext &root, std::vector<FaultNote> &notes) {
  std::vector<const ThreadContext *> chain =
      graph.chainFrom(root, &WaitForGraph::expectedSupplierOf);
  std::string cause = likelyCause(machine.index, chain, graph.expectedSupplierOf(*chain.back()));
  if (!cause.empty())
    notes.push_back({"likely cause: " + cause, {}});
}

// Describes the chain that leads to `root`, then the other blocked threads.
void Explainer::describeGroup(const Group &group, const ThreadContext *root,
                              std::vector<FaultNote> &notes) {
  constexpr size_t kMaxHops = 8; // these suffice for a reader, even in a ring over all nodes
  std::vector<const ThreadContext *> seen;
  auto visit = [&](const ThreadContext *thread) {
    if (!isBlocked(thread) || std::find(seen.begin(), seen.end(), thread) != seen.end())
      return;
    seen.push_back(thread);
    if (seen.size() <= kMaxHops)
      describeHop(*thread, notes);
  };
  if (root)
    for (const ThreadContext *hop : graph.chainFrom(*root))
      visit(hop);
  for (const ThreadContext *thread : group.node->threads)
    if (isBlocked(thread))
      for (const ThreadContext *hop : graph.chainFrom(*thread))
        visit(hop);
  if (seen.size() > kMaxHops)
    notes.push_back({fmt::format("the chain of waits continues through {}",
                                 plural(seen.size() - kMaxHops, "thread")),
                     {}});
  if (root)
    describeCause(*root, notes);
  notes.push_back({"blocked nodes: " + describeNodes(machine.program, group.nodes), {}});
}

Fault Explainer::explain() {
  constexpr size_t kMaxGroups = 8;
  std::vector<Group> groups = groupNodes();
  if (groups.empty())
    return machine.faults.make(nullptr, FaultKind::Deadlock, "deadlock");
  auto first = std::find_if(std::begin(groups.front().node->threads),
                            std::end(groups.front().node->threads), isBlocked);
  const ThreadContext &root = *graph.chainFrom(**first).back();
  Fault fault = machine.faults.make(&root, FaultKind::Deadlock, headline(root));
  for (size_t i = 0; i < std::min(groups.size(), kMaxGroups); ++i)
    describeGroup(groups[i], i == 0 ? &root : nullptr, fault.notes);
  if (groups.size() > kMaxGroups)
    fault.notes.push_back({fmt::format("{} more sets of nodes are blocked in other places",
                                       groups.size() - kMaxGroups),
                           {}});
  return fault;
}

} // namespace

Fault explainDeadlock(Machine &machine) { return Explainer(machine).explain(); }

} // namespace ttjit::hw
