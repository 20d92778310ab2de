//===- DeviceInlines.cpp - what JIT modules inline ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiled by Clang to bitcode at build time and linked into every JIT module,
// which takes what it calls. All meaning is hw's; here are only the names:
//
//   ttl_inline_<x>  stands for ttl_hw_<x> of hw/abi/KernelApi.h: the linker uses it
//                   wherever a module calls ttl_hw_<x>. A call that has no inline
//                   form needs no line here.
//   ttl_jit_<x>     helpers that passes/ToLLVM calls by name
//
// Built once for targets with an fma instruction and once for those without
// (TTJIT_TILE_HAS_FMA). The target's other features are set when a module is
// compiled; nothing here may depend on them.
//===--------------------------------------------------------------------------===//

#include "hw/abi/CheckedInt.h"
#include "hw/abi/Inline.h"
#include "hw/tile/FormatLoops.h"
#include "hw/tile/TileLoops.h"

using namespace ttjit::hw;

#define INLINE_ALWAYS extern "C" [[gnu::always_inline]]
#define INLINE_NEVER extern "C" [[gnu::noinline]]

//===--------------------------------------------------------------------------===//
// Leaving a thread
//===--------------------------------------------------------------------------===//

/// Every device call is followed by this.
INLINE_ALWAYS void ttl_jit_check(KernelThread *t, int32_t status) {
  if (__builtin_expect(status != static_cast<int32_t>(Status::Ok), 0))
    ttl_hw_abandon(t);
}

static void check(KernelThread *t, Status status) {
  ttl_jit_check(t, static_cast<int32_t>(status));
}

/// A fault of the program; not inlined, so that it costs its callers one call.
[[gnu::noinline, gnu::cold]] static void leaveWith(KernelThread *t, int32_t fault,
                                                   const char *message) {
  ttl_hw_program_fault(t, fault, message);
  ttl_hw_abandon(t);
}

//===--------------------------------------------------------------------------===//
// Positions and steps
//===--------------------------------------------------------------------------===//

INLINE_ALWAYS void ttl_jit_at(KernelThread *t, uint32_t loc) { t->loc = loc; }

/// The end of a loop's iteration. Stores the loop's position only if it calls.
INLINE_ALWAYS void ttl_jit_step(KernelThread *t, uint32_t loc) {
  if (__builtin_expect(t->stepsLeft <= 0, 0))
    t->loc = loc;
  check(t, fast::step(t));
}

//===--------------------------------------------------------------------------===//
// The user's integers (hw/abi/CheckedInt.h), assertions, bounds
//===--------------------------------------------------------------------------===//

static int32_t valueOf(KernelThread *t, CheckedInt result) {
  if (__builtin_expect(!result.ok(), 0))
    leaveWith(t, result.fault, nullptr);
  return result.value;
}

#define BINARY(name, function)                                                                     \
  extern "C" int32_t ttl_jit_int_##name(KernelThread *t, int32_t a, int32_t b) {                   \
    return valueOf(t, function(a, b));                                                             \
  }
#define UNARY(name, function)                                                                      \
  extern "C" int32_t ttl_jit_int_##name(KernelThread *t, int32_t a) {                              \
    return valueOf(t, function(a));                                                                \
  }
BINARY(add, checkedAdd)
BINARY(sub, checkedSub)
BINARY(mul, checkedMul)
BINARY(floordiv, checkedFloorDiv)
BINARY(mod, checkedMod)
BINARY(pow, checkedPow)
UNARY(neg, checkedNeg)
UNARY(abs, checkedAbs)

extern "C" void ttl_jit_assert(KernelThread *t, int32_t holds, const char *message) {
  if (__builtin_expect(!holds, 0))
    leaveWith(t, static_cast<int32_t>(ProgramFault::Assert), message);
}

extern "C" void ttl_jit_check_index(KernelThread *t, int64_t index, int64_t size, int64_t bound,
                                    int32_t dim, const char *tensor) {
  if (__builtin_expect(index < 0 || size > bound || index > bound - size, 0))
    check(t, ttl_hw_check_index(t, index, size, bound, dim, tensor));
}

//===--------------------------------------------------------------------------===//
// Arguments, buffers, accessors
//===--------------------------------------------------------------------------===//

INLINE_ALWAYS uint32_t ttl_inline_get_common_arg_val(KernelThread *t, int32_t index) {
  return fast::getCommonArgVal(t, index);
}
INLINE_ALWAYS int32_t ttl_inline_my_logical_x(KernelThread *t) { return t->x; }
INLINE_ALWAYS int32_t ttl_inline_my_logical_y(KernelThread *t) { return t->y; }

extern "C" Status ttl_inline_cb_reserve_back(KernelThread *t, int32_t cb, int32_t pages) {
  return fast::cbReserveBack(t, cb, pages);
}
extern "C" Status ttl_inline_cb_push_back(KernelThread *t, int32_t cb, int32_t pages) {
  return fast::cbPushBack(t, cb, pages);
}
extern "C" Status ttl_inline_cb_wait_front(KernelThread *t, int32_t cb, int32_t pages) {
  return fast::cbWaitFront(t, cb, pages);
}
extern "C" Status ttl_inline_cb_pop_front(KernelThread *t, int32_t cb, int32_t pages) {
  return fast::cbPopFront(t, cb, pages);
}
extern "C" uint32_t ttl_inline_get_write_ptr(KernelThread *t, int32_t cb) {
  return fast::getWritePtr(t, cb);
}
extern "C" uint32_t ttl_inline_get_read_ptr(KernelThread *t, int32_t cb) {
  return fast::getReadPtr(t, cb);
}

/// ttl_hw_tensor_accessor that returns what it finds.
extern "C" const TensorAccess *ttl_jit_tensor_accessor(KernelThread *t, uint32_t base,
                                                       int32_t pageBytes, int32_t inL1) {
  const TensorAccess *access = nullptr;
  check(t, ttl_hw_tensor_accessor(t, base, pageBytes, inL1, &access));
  return access;
}

//===--------------------------------------------------------------------------===//
// DST sections
//===--------------------------------------------------------------------------===//

extern "C" Status ttl_inline_tile_regs_acquire(KernelThread *t) { return fast::tileRegsAcquire(t); }
extern "C" Status ttl_inline_tile_regs_commit(KernelThread *t) { return fast::tileRegsCommit(t); }
extern "C" Status ttl_inline_tile_regs_wait(KernelThread *t) { return fast::tileRegsWait(t); }
extern "C" Status ttl_inline_tile_regs_release(KernelThread *t) { return fast::tileRegsRelease(t); }

//===--------------------------------------------------------------------------===//
// Test faults
//===--------------------------------------------------------------------------===//

INLINE_NEVER void ttl_jit_fault_segv(KernelThread *) {
  *static_cast<volatile int *>(nullptr) = 0;
}

INLINE_NEVER void ttl_jit_fault_fpe(KernelThread *) {
#if defined(__x86_64__)
  __asm__ volatile("xorl %%ecx, %%ecx\n\tcltd\n\tidivl %%ecx" ::: "eax", "ecx", "edx", "cc");
#else
  __builtin_trap();
#endif
}

INLINE_NEVER int ttl_jit_fault_stack_overflow(KernelThread *t) {
  volatile char frame[4096];
  frame[0] = 1;
  return ttl_jit_fault_stack_overflow(t) + frame[0];
}
