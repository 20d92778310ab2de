//===- ExternApi.cpp - checks of C++ functions of the user --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/ExternApi.h"

#include "hw/calls/EngineCalls.h"
#include "hw/calls/Issue.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <span>
#include <string_view>

using namespace ttjit::hw;

namespace {

constexpr std::string_view kLetters = "rpwq";
constexpr const char *kVerbs[] = {"reserves", "pushes", "waits for", "pops"};
constexpr const char *kCalls[] = {"cb_reserve_back", "cb_push_back", "cb_wait_front",
                                  "cb_pop_front"};

struct Effect {
  ExternEffect kind;
  int32_t buffer = 0, pages = 0;
};

// The user's function that a thread is in, and what it may still do.
struct Activation {
  const char *callee = nullptr;
  const int32_t *buffers = nullptr;
  std::string_view states;                   // a letter for each dependency
  bool usesAll = false;                      // whether it may use all other buffers
  const char *rest = nullptr;                // the effects that are still to come
  std::span<const uint32_t> threadArgs = {}; // the arguments that the thread had before the call
};

// The truth value of a condition on a node, and the call that found it first.
struct Truth {
  bool isTrue;
  uint32_t loc;
};

// The functions that the threads of a run are in. Threads of several partitions may use it at once.
struct ExternState : EngineState {
  std::map<KernelThread *, Activation> active;
  std::map<std::pair<uint32_t, int64_t>, Truth> truths; // by node and condition
};

std::mutex &stateMutex() {
  static std::mutex mutex;
  return mutex;
}

// Returns the run's state, which the first call creates. The caller holds the mutex.
ExternState &stateOf(KernelThread *thread) {
  std::unique_ptr<EngineState> &state = engineState(thread);
  if (!state)
    state = std::make_unique<ExternState>();
  return static_cast<ExternState &>(*state);
}

//===--------------------------------------------------------------------------===//
// Contracts
//===--------------------------------------------------------------------------===//

Activation parse(const char *callee, const char *contract, const int32_t *buffers, int32_t count) {
  Activation result{callee, buffers, {contract, static_cast<size_t>(count)}};
  const char *rest = contract + count;
  result.usesAll = *rest == '+';
  result.rest = rest + (result.usesAll ? 1 : 0);
  return result;
}

// Reads the first effect, such as " w0:2", and moves `rest` behind it.
Effect takeEffect(const char *&rest, const int32_t *buffers) {
  Effect effect;
  effect.kind = static_cast<ExternEffect>(kLetters.find(rest[1]));
  char *end = nullptr;
  effect.buffer = buffers[std::strtol(rest + 2, &end, 10)];
  effect.pages = static_cast<int32_t>(std::strtol(end + 1, &end, 10));
  rest = end;
  return effect;
}

// Returns the contract's letter for a buffer; 0 if the buffer is no dependency.
char stateOfBuffer(const Activation &active, int32_t buffer) {
  char found = 0;
  for (size_t i = 0; i < active.states.size(); ++i)
    if (active.buffers[i] == buffer && found != 'e')
      found = active.states[i];
  return found;
}

std::string nameOf(const Issue &issue, int32_t buffer) {
  const BufferConfig *config = issue.machine.index.bufferConfig(static_cast<uint32_t>(buffer));
  return config ? config->name : fmt::format("cb {}", buffer);
}

std::string describePageCount(int32_t pages) {
  return fmt::format("{} {}", pages, pages == 1 ? "page" : "pages");
}

std::string describe(const Issue &issue, const Effect &effect) {
  return fmt::format("{} {} of '{}'", kVerbs[static_cast<size_t>(effect.kind)],
                     describePageCount(effect.pages), nameOf(issue, effect.buffer));
}

constexpr const char *kAdvice = "state in dfb_effects what the function does, in this order";

Status failOrder(const Issue &issue, const Activation &active, const Effect &done,
                 const char *rest) {
  std::string text = fmt::format("the C++ function '{}' {}", active.callee, describe(issue, done));
  if (!*rest)
    return issue.fail(FaultKind::Protocol, text + ", but its dfb_effects state nothing more",
                      {{kAdvice, {}}});
  Effect next = takeEffect(rest, active.buffers);
  return issue.fail(FaultKind::Protocol,
                    text + ", but its dfb_effects state that it next " + describe(issue, next),
                    {{kAdvice, {}}});
}

Status check(const Issue &issue, Activation &active, const Effect &done) {
  switch (stateOfBuffer(active, done.buffer)) {
  case 'e': {
    const char *rest = active.rest;
    if (*rest) {
      Effect next = takeEffect(rest, active.buffers);
      if (next.kind == done.kind && next.buffer == done.buffer && next.pages == done.pages) {
        active.rest = rest;
        return Status::Ok;
      }
    }
    return failOrder(issue, active, done, active.rest);
  }
  case 'i':
    if (done.kind == ExternEffect::Wait)
      return Status::Ok;
    return issue.fail(FaultKind::Protocol,
                      fmt::format("the C++ function '{}' {}, but its dfb_accesses state that it "
                                  "only inspects this buffer",
                                  active.callee, describe(issue, done)),
                      {{"state the effect in dfb_effects instead", {}}});
  case 'o':
    return Status::Ok;
  default:
    if (active.usesAll)
      return Status::Ok;
    return issue.fail(FaultKind::Protocol,
                      fmt::format("the C++ function '{}' {}, which is none of its dependencies",
                                  active.callee, describe(issue, done)),
                      {{"pass the buffer in func_args, name it in dfb_dependencies, or state "
                        "unknown_dfb_access=True",
                        {}}});
  }
}

} // namespace

// Makes `args` the arguments of the thread, and returns those that it had.
static std::span<const uint32_t> exchangeArgs(KernelThread *thread,
                                              std::span<const uint32_t> args) {
  std::span<const uint32_t> before(thread->nodeArgs, thread->numNodeArgs);
  thread->nodeArgs = args.data();
  thread->numNodeArgs = static_cast<uint32_t>(args.size());
  return before;
}

// Returns the arguments for functions that a thread calls. The thread itself has `own` arguments.
static std::span<const uint32_t> calleeArgs(const KernelThread &thread, uint32_t own) {
  if (thread.numNodeArgs <= own)
    return {};
  return {thread.nodeArgs + own + 1, thread.nodeArgs[own]};
}

//===--------------------------------------------------------------------------===//
// The functions
//===--------------------------------------------------------------------------===//

bool ttjit::hw::isInExternalCall(KernelThread *thread) {
  std::scoped_lock lock(stateMutex());
  auto *state = dynamic_cast<ExternState *>(engineState(thread).get());
  return state && state->active.contains(thread);
}

Status ttl_hw_extern_begin(KernelThread *t, const char *callee, const char *contract,
                           const int32_t *buffers, int32_t count, int32_t own) {
  std::scoped_lock lock(stateMutex());
  Activation &active = stateOf(t).active[t];
  active = parse(callee, contract, buffers, count);
  active.threadArgs = exchangeArgs(t, calleeArgs(*t, static_cast<uint32_t>(own)));
  return Status::Ok;
}

Status ttl_hw_extern_effect(KernelThread *t, ExternEffect kind, int32_t cb, int32_t pages) {
  std::scoped_lock lock(stateMutex());
  std::map<KernelThread *, Activation> &active = stateOf(t).active;
  auto it = active.find(t);
  if (it == active.end())
    return Status::Ok;
  Issue issue(t, kCalls[static_cast<size_t>(kind)]);
  return check(issue, it->second, {kind, cb, pages});
}

Status ttl_hw_extern_end(KernelThread *t) {
  std::scoped_lock lock(stateMutex());
  std::map<KernelThread *, Activation> &all = stateOf(t).active;
  Activation active = all[t];
  all.erase(t);
  exchangeArgs(t, active.threadArgs);
  if (!*active.rest)
    return Status::Ok;
  Issue issue(t, active.callee);
  const char *rest = active.rest;
  Effect next = takeEffect(rest, active.buffers);
  return issue.fail(FaultKind::Protocol,
                    fmt::format("the C++ function '{}' returns, but its dfb_effects state that it "
                                "next {}",
                                active.callee, describe(issue, next)),
                    {{kAdvice, {}}});
}

Status ttl_hw_extern_condition(KernelThread *t, const char *callee, int64_t condition,
                               int32_t isTrue) {
  std::scoped_lock lock(stateMutex());
  Issue issue(t, callee);
  auto [it, isNew] = stateOf(t).truths.try_emplace({issue.thread.node->number, condition},
                                                   Truth{isTrue != 0, t->loc});
  if (isNew || it->second.isTrue == (isTrue != 0))
    return Status::Ok;
  return issue.fail(
      FaultKind::Protocol,
      fmt::format("the C++ function '{}' finds its ttl.DispatchCondition {} here, and "
                  "another call of this node found it {}",
                  callee, isTrue ? "true" : "false", it->second.isTrue ? "true" : "false"),
      {{"the condition was found first here", issue.machine.index.location(it->second.loc)},
       {"all calls of one launch with one condition must agree on each node", {}}});
}
