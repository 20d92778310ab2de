//===- Fiber.cpp - stacks of kernel threads -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Fiber.h"

#include "hw/device/HostMemory.h"

#include <boost/context/detail/fcontext.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <sys/mman.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace ttjit::hw {

namespace context = boost::context::detail;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kStackBytes = 1024 * 1024; // sanitizers need larger frames
#else
constexpr size_t kStackBytes = 256 * 1024;
#endif
constexpr size_t kHeadroomBytes = kStackBytes / 8;
constexpr size_t kSlotBytes = kStackGuardBytes + kStackBytes;
constexpr size_t kMinStacksPerSlab = 16, kMaxStacksPerSlab = 4096;
constexpr int kInstallGuard = 102; // value of MADV_GUARD_INSTALL, which older headers do not define

// Number of memory mappings that the stacks of fibers leave to the rest of the process.
constexpr size_t kSpareMappings = 4096;

void beforeSwitch([[maybe_unused]] Fiber &from, [[maybe_unused]] Fiber &to,
                  [[maybe_unused]] bool forGood) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(forGood ? nullptr : &from.fakeStack, to.stack.bottom,
                                 static_cast<size_t>(to.stack.top - to.stack.bottom));
#endif
#ifdef __SANITIZE_THREAD__
  __tsan_switch_to_fiber(to.tsanFiber, 0);
#endif
}

void afterSwitch(context::transfer_t arrival, [[maybe_unused]] Fiber &self) {
  Fiber &from = *static_cast<Fiber *>(arrival.data);
#ifdef __SANITIZE_ADDRESS__
  const void *bottom = nullptr;
  size_t bytes = 0;
  __sanitizer_finish_switch_fiber(self.fakeStack, &bottom, &bytes);
  if (!from.stack.bottom) { // `from` is the host thread's stack, whose bounds are known only now
    from.stack.bottom = static_cast<uint8_t *>(const_cast<void *>(bottom));
    from.stack.top = from.stack.bottom + bytes;
  }
#endif
  from.context = arrival.fctx;
}

void enterFiber(context::transfer_t arrival) {
  Fiber &self = *static_cast<Fiber *>(arrival.data)->target;
  afterSwitch(arrival, self);
  self.entry(self);
  __builtin_unreachable();
}

} // namespace

bool Stack::inGuard(uintptr_t address) const {
  uintptr_t low = reinterpret_cast<uintptr_t>(bottom);
  return address < low && address >= low - kStackGuardBytes;
}

const uint8_t *Stack::limit() const { return bottom + kHeadroomBytes; }

// Clears the address sanitizer's marks of stack frames that were left without
// returning.
static void forgetFrames([[maybe_unused]] uint8_t *start, [[maybe_unused]] size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(start, bytes);
#endif
}

StackPool::~StackPool() {
  for (const Slab &slab : slabs) {
    forgetFrames(slab.start, slab.bytes());
    munmap(slab.start, slab.bytes());
  }
}

size_t StackPool::Slab::bytes() const { return stacks * kSlotBytes; }

bool StackPool::guard(uint8_t *page) {
  if (guards == GuardKind::Marked && madvise(page, kStackGuardBytes, kInstallGuard) == 0)
    return true;
  guards = GuardKind::Protected;
  return mprotect(page, kStackGuardBytes, PROT_NONE) == 0;
}

// Returns whether the process may have enough mappings for `stacks` protected stacks. Each costs
// two mappings, since the protection of its guard page splits the mapping of the stack. Counting
// the other mappings of the process is slow, so the function counts them only if the stacks alone
// need half of the limit or more.
bool StackPool::mayProtect(size_t stacks, std::string &why) const {
  size_t limit = maxMappings(), wanted = 2 * (total + stacks) + kSpareMappings;
  if (wanted < limit / 2 || 2 * stacks + kSpareMappings + countMappings() < limit)
    return true;
  why = fmt::format("the stacks of more than {} kernel threads at a time need more mappings than "
                    "a process may have: vm.max_map_count is {}; raise it with sysctl, or use a "
                    "smaller grid",
                    total, limit);
  return false;
}

bool StackPool::mapSlab(size_t stacks) {
  void *start = mmap(nullptr, kSlotBytes * stacks, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    return false;
  Slab slab{static_cast<uint8_t *>(start), stacks};
  slabs.push_back(slab);
  total += stacks;
  unused.reserve(total); // reserve room now, so that give() needs no memory
  for (size_t i = 0; i < stacks; ++i) {
    uint8_t *slot = slab.start + i * kSlotBytes;
    if (!guard(slot))
      continue; // a stack without a guard is not used
    unused.push_back({slot + kStackGuardBytes, slot + kSlotBytes});
  }
  return !unused.empty();
}

// Doubles the number of stacks; maps fewer if the host has too little address space.
bool StackPool::mapMore(std::string &why) {
  for (size_t stacks = std::clamp(total, kMinStacksPerSlab, kMaxStacksPerSlab); stacks;
       stacks /= 2) {
    if (guards == GuardKind::Protected && !mayProtect(stacks, why))
      continue;
    if (mapSlab(stacks))
      return true;
    why = whyNoAddressSpace(stacks * kSlotBytes);
  }
  return false;
}

Stack StackPool::take(std::string &why) {
  if (unused.empty() && !mapMore(why))
    return {};
  Stack stack = unused.back();
  unused.pop_back();
  forgetFrames(stack.bottom, static_cast<size_t>(stack.top - stack.bottom));
  return stack;
}

void prepareFiber(Fiber &fiber, Stack stack, FiberEntry entry) {
  fiber.stack = stack;
  fiber.fakeStack = nullptr;
  fiber.entry = entry;
  fiber.context =
      context::make_fcontext(stack.top, static_cast<size_t>(stack.top - stack.bottom), enterFiber);
#ifdef __SANITIZE_THREAD__
  fiber.tsanFiber = __tsan_create_fiber(0);
#endif
}

// Keeps nothing on the stack: the address sanitizer frees the frames of a fiber that is left for
// good before the jump.
void switchFiber(Fiber &from, Fiber &to, bool forGood) {
  from.target = &to;
  beforeSwitch(from, to, forGood);
  afterSwitch(context::jump_fcontext(to.context, &from), from);
}

void adoptHostStack([[maybe_unused]] Fiber &host) {
#ifdef __SANITIZE_THREAD__
  host.tsanFiber = __tsan_get_current_fiber();
#endif
}

void retireFiber([[maybe_unused]] Fiber &fiber) {
#ifdef __SANITIZE_THREAD__
  if (fiber.tsanFiber)
    __tsan_destroy_fiber(fiber.tsanFiber);
  fiber.tsanFiber = nullptr;
#endif
}

} // namespace ttjit::hw
