//===- Fiber.h - stacks and switching between them ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Kernel threads run on stacks of our own. A fiber may be left for good: nothing
// on its stack is destroyed, and the stack goes back to the pool.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_FIBER_H
#define TTJIT_HW_DEVICE_FIBER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ttjit::hw {

/// [bottom, top) is usable; below lies the guard, which cannot be touched.
struct Stack {
  uint8_t *bottom = nullptr;
  uint8_t *top = nullptr;
  bool inGuard(uintptr_t address) const;
  bool contains(uintptr_t address) const {
    return address >= reinterpret_cast<uintptr_t>(bottom) &&
           address < reinterpret_cast<uintptr_t>(top);
  }
};

/// Keeps stacks for the next run.
class StackPool {
public:
  StackPool() = default;
  ~StackPool();
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;

  /// `bottom` null if the host has no memory left.
  Stack take();
  void give(Stack stack) { unused.push_back(stack); }

private:
  bool mapMore();

  std::vector<Stack> unused;
  std::vector<uint8_t *> slabs;
};

struct Fiber;
using FiberEntry = void (*)(Fiber &self);

struct Fiber {
  void *context = nullptr;
  FiberEntry entry = nullptr;
  void *owner = nullptr;   ///< for the entry
  Fiber *target = nullptr; ///< of its last switch
  Stack stack;             ///< of the host's own fiber only known under the address sanitizer
  /// For the sanitizers.
  void *fakeStack = nullptr;
  void *tsanFiber = nullptr;
};

/// Prepares `fiber` to call `entry` on `stack` when it is first switched to.
/// `entry` must not return.
void prepareFiber(Fiber &fiber, Stack stack, FiberEntry entry);

/// Saves `from` and continues `to`; returns when somebody switches to `from`.
/// `forGood`: nobody will.
void switchFiber(Fiber &from, Fiber &to, bool forGood = false);

/// Makes the calling host thread's own stack a fiber.
void adoptHostStack(Fiber &host);
/// Frees what the sanitizers keep of a fiber that was left for good.
void retireFiber(Fiber &fiber);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_FIBER_H
