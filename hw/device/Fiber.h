//===- Fiber.h - stacks of kernel threads ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Kernel threads run on stacks from a pool. A fiber may be left for good: no object on
// its stack is destroyed, and the stack goes back to the pool.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_FIBER_H
#define TTJIT_HW_DEVICE_FIBER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ttjit::hw {

/// Size of the guard below every stack. The JIT makes code touch every page of a larger
/// frame, so that no frame reaches past the guard.
inline constexpr size_t kStackGuardBytes = 64 * 1024;

/// A stack [bottom, top). Accesses to the guard below `bottom` fault.
struct Stack {
  uint8_t *bottom = nullptr;
  uint8_t *top = nullptr;
  bool inGuard(uintptr_t address) const;
  /// Below this address the stack has no room for a call of the kernel API, which may
  /// format a message.
  const uint8_t *limit() const;
  bool contains(uintptr_t address) const {
    return address >= reinterpret_cast<uintptr_t>(bottom) &&
           address < reinterpret_cast<uintptr_t>(top);
  }
};

/// Kinds of guards. Marked: pages that the host marks as guards (Linux 6.13 and newer).
/// Protected: pages without access rights; each is a mapping, of which a process has a
/// limited number.
enum class GuardKind : uint8_t { Marked, Protected };

/// Allocates stacks and keeps them for the next run.
class StackPool {
public:
  /// Uses protected guards if the host has no marked ones.
  explicit StackPool(GuardKind guards = GuardKind::Marked) : guards(guards) {}
  ~StackPool();
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;

  /// Returns a stack. If the host has no room left, `bottom` is null and `why` says
  /// what is missing.
  Stack take(std::string &why);
  void give(Stack stack) { unused.push_back(stack); }
  /// Number of stacks mapped so far.
  size_t size() const { return total; }

private:
  /// Stacks of one mapping.
  struct Slab {
    uint8_t *start;
    size_t stacks;
    size_t bytes() const;
  };

  bool mapMore(std::string &why);
  bool mapSlab(size_t stacks);
  bool guard(uint8_t *page);
  bool mayProtect(size_t stacks, std::string &why) const;

  GuardKind guards;
  std::vector<Stack> unused;
  std::vector<Slab> slabs;
  size_t total = 0; ///< number of stacks in all slabs
};

struct Fiber;
using FiberEntry = void (*)(Fiber &self);

struct Fiber {
  void *context = nullptr;
  FiberEntry entry = nullptr;
  void *owner = nullptr;   ///< passed to the entry function
  Fiber *target = nullptr; ///< fiber to which this one switched last
  Stack stack; ///< the stack of the host thread is known only under the address sanitizer
  /// State of the address sanitizer and of the thread sanitizer.
  void *fakeStack = nullptr;
  void *tsanFiber = nullptr;
};

/// Prepares `fiber` to call `entry` on `stack` when it is first switched to.
/// `entry` must not return.
void prepareFiber(Fiber &fiber, Stack stack, FiberEntry entry);

/// Saves the running fiber in `from` and continues `to`. Returns when another fiber
/// switches to `from`; with `forGood` no fiber ever does.
void switchFiber(Fiber &from, Fiber &to, bool forGood = false);

/// Makes the calling host thread's own stack a fiber.
void adoptHostStack(Fiber &host);
/// Frees the sanitizers' data of a fiber that was left for good.
void retireFiber(Fiber &fiber);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_FIBER_H
