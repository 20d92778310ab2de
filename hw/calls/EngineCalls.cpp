//===- EngineCalls.cpp - calls of engines on the stages before ttkernel -------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/calls/EngineCalls.h"

#include "hw/calls/WaitAny.h"
#include "hw/device/PageAliases.h"

#include <cstring>

using namespace ttjit::hw;

std::unique_ptr<EngineState> &ttjit::hw::engineState(KernelThread *thread) {
  return contextOf(thread).machine->engineState;
}

Status ttjit::hw::waitForFlag(KernelThread *t, const EngineFlag &flag, bool value,
                              const WordRole &role) {
  Issue issue(t, UserCall::Copy);
  RETURN_UNLESS_OK(issue.begin());
  while (flag.value != value)
    RETURN_UNLESS_OK(
        issue.thread.worker->block(issue.thread, {WaitKind::Engine, 0, value, &flag, &role}));
  return Status::Ok;
}

Status ttjit::hw::waitForAnyFlag(KernelThread *t, std::span<const FlagWait> flags, size_t &chosen) {
  Issue issue(t, UserCall::WaitAny);
  RETURN_UNLESS_OK(issue.begin());
  std::vector<WaitState> waits;
  for (const FlagWait &wait : flags)
    waits.push_back({WaitKind::Engine, 0, wait.value, wait.flag, wait.role});
  return waitAny(issue, waits, chosen);
}

Status ttjit::hw::setFlag(KernelThread *t, EngineFlag &flag, bool value) {
  ThreadContext &thread = contextOf(t);
  flag.value = value;
  thread.worker->waiters.wakeAtFlag(flag);
  thread.eventMark = thread.stepsLeft;
  return thread.worker->afterEvent(thread);
}

Status ttjit::hw::readBytes(KernelThread *t, uint32_t address, uint32_t bytes, std::byte *to) {
  Issue issue(t, UserCall::Copy);
  RETURN_UNLESS_OK(issue.begin());
  LocalPages local;
  RETURN_UNLESS_OK(issue.findLocal(address, bytes, local));
  RETURN_UNLESS_OK(issue.checkSource(local));
  settle(*issue.thread.node, address, bytes);
  std::memcpy(to, t->l1 + address, bytes);
  return Status::Ok;
}

Status ttjit::hw::writeBytes(KernelThread *t, uint32_t address, uint32_t bytes,
                             const std::byte *from) {
  Issue issue(t, UserCall::Copy);
  RETURN_UNLESS_OK(issue.begin());
  LocalPages local;
  RETURN_UNLESS_OK(issue.findLocal(address, bytes, local));
  settleAround(*issue.thread.node, address, bytes);
  std::memcpy(t->l1 + address, from, bytes);
  if (local.buffer)
    std::memset(local.buffer->written + local.first, 1, local.count);
  return Status::Ok;
}
