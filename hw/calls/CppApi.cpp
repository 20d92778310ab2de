//===- CppApi.cpp - sections and arguments of kernels in C++ ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/CppApi.h"

#include "hw/calls/Issue.h"

#include <fmt/format.h>

#include <cstring>

using namespace ttjit::hw;

//===--------------------------------------------------------------------------===//
// DST sections
//===--------------------------------------------------------------------------===//

static Status failProtocol(ThreadContext &thread, const char *text) {
  return thread.machine->faults.report(&thread, FaultKind::Protocol, text);
}

Status ttl_hw_acquire_dst(KernelThread *t) {
  ThreadContext &thread = contextOf(t);
  if (thread.units.isWholeSection)
    return failProtocol(thread, "acquire_dst: a DST section is already acquired; call release_dst "
                                "first");
  RETURN_UNLESS_OK(ttl_hw_tile_regs_acquire(t));
  thread.units.isWholeSection = true;
  return Status::Ok;
}

Status ttl_hw_release_dst(KernelThread *t) {
  ThreadContext &thread = contextOf(t);
  if (!thread.units.isWholeSection)
    return failProtocol(thread, "release_dst: acquire_dst has acquired no DST section");
  thread.units.isWholeSection = false;
  if (!t->pack) {
    RETURN_UNLESS_OK(ttl_hw_tile_regs_commit(t));
    RETURN_UNLESS_OK(ttl_hw_tile_regs_wait(t));
  }
  return ttl_hw_tile_regs_release(t);
}

//===--------------------------------------------------------------------------===//
// Arguments
//===--------------------------------------------------------------------------===//

namespace {

// Each processor has an array in L1 for its arguments and one for the common arguments.
constexpr uint32_t kArgsAddress = 0x4000, kMaxArgs = 512;

uint32_t argsAddress(const ThreadContext &thread, bool isCommon) {
  uint32_t place = 2 * static_cast<uint32_t>(thread.processor) + isCommon;
  return kArgsAddress + place * kMaxArgs * static_cast<uint32_t>(sizeof(uint32_t));
}

} // namespace

// After the first call, the words in L1 are the arguments, so a kernel may change them.
Status ttl_hw_arg_address(KernelThread *t, int32_t index, int32_t isCommon, uint32_t *address) {
  const char *name = isCommon ? "get_common_arg_addr" : "get_arg_addr";
  ThreadContext &thread = contextOf(t);
  auto fail = [&](const std::string &text) {
    return thread.machine->faults.report(&thread, FaultKind::OutOfBounds,
                                         fmt::format("{}: {}", name, text));
  };
  const uint32_t *&args = isCommon ? t->commonArgs : t->nodeArgs;
  uint32_t count = isCommon ? t->numCommonArgs : t->numNodeArgs;
  if (index < 0 || static_cast<uint32_t>(index) > count)
    return fail(fmt::format("there is no argument {}; this node has {}", index, count));
  if (count > kMaxArgs)
    return fail(fmt::format("the kernel has {} arguments; {} have room in L1", count, kMaxArgs));
  uint32_t base = argsAddress(thread, isCommon != 0);
  uint8_t *place = t->l1 + base;
  if (reinterpret_cast<const uint8_t *>(args) != place) {
    if (count)
      std::memcpy(place, args, count * sizeof(uint32_t));
    args = reinterpret_cast<const uint32_t *>(place);
  }
  *address = base + static_cast<uint32_t>(index) * static_cast<uint32_t>(sizeof(uint32_t));
  return Status::Ok;
}
