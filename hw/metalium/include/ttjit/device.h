//===- device.h - what all headers of the Metalium API use ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions of these headers call the kernel API of the emulated device (hw/abi/KernelApi.h),
// as code of the JIT does. jit/BindThread.h replaces calls of ttl_current_thread by the argument of
// the compiled thread.
//
// The macro TTJIT_COMPILE_TIME_ARGS has the compile-time arguments. An argument that is the id of a
// circular buffer need not be the number of a buffer of the emulated device:
//   * kSecondId + n is a further id of buffer n, over the same pages. Calls that count pages do
//     nothing for it, because the calls for n count them.
//   * kFixedAddress + a is memory at L1 address a. Kernels may only ask for its address.
//
// The macro TTJIT_TENSOR_PAGE_BYTES has, for each id, the bytes of a page if a tensor is the
// buffer's memory, else 0. The pages of such a buffer count as written when they are reserved.
// TTJIT_FIRST_COMMON_ARG is the index of the kernel's first common argument among those of its
// thread. TTJIT_NAMED_ARGS has a pair {"name", value} for each named compile-time argument.
// TTJIT_FORMATS has, for each id, the format of the buffer. TTJIT_UNPACK_TO_DEST lists all ids with
// UnpackToDestFp32, including further ids (kSecondId + n). If TTJIT_EXTERNAL_CALLS is defined,
// calls that count pages are compared with what the user states about the C++ function that the
// thread is in (external.h).
//===--------------------------------------------------------------------------===//

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>

#include "hw/abi/CppApi.h"
#include "hw/abi/ExternApi.h"
#include "hw/abi/KernelApi.h"
#include "hw/facts/DataFormat.h"

#include "hostdevcommon/kernel_structs.h"

#ifndef TTJIT_FIRST_COMMON_ARG
#define TTJIT_FIRST_COMMON_ARG 0
#endif

#ifndef TTJIT_NAMED_ARGS
#define TTJIT_NAMED_ARGS
#endif
#ifndef TTJIT_FORMATS
#define TTJIT_FORMATS
#endif
#ifndef TTJIT_UNPACK_TO_DEST
#define TTJIT_UNPACK_TO_DEST
#endif

// The legacy form of a kernel's entry is namespace NAMESPACE { void MAIN { ... } }.
#define NAMESPACE ttjit_kernel
#define MAIN kernel_main()

#define tt_l1_ptr
#define tt_reg_ptr
#define FORCE_INLINE inline __attribute__((always_inline))
#define ALWI inline __attribute__((always_inline))
using uint = unsigned int;

// The address of the clock that kernels read to measure their time. It is not in L1.
#define RISCV_DEBUG_REG_WALL_CLOCK_L 0xFFB121F0
#define RISCV_DEBUG_REG_WALL_CLOCK_H 0xFFB121F8

#define MEM_ZEROS_BASE ttjit::hw::kZerosAddress
#define MEM_ZEROS_SIZE ttjit::hw::kZerosBytes

extern "C" ttjit::hw::KernelThread *ttl_current_thread();
extern "C" uint8_t *ttl_hw_l1_pointer(ttjit::hw::KernelThread *, uint64_t, uint64_t, int32_t);
extern "C" ttjit::hw::Status ttl_hw_invalidate_l1_cache(ttjit::hw::KernelThread *);

using ttjit::hw::DataFormat;

// The card's compute API is in this namespace.
namespace ckernel {}

namespace ttjit::metalium {

inline hw::KernelThread *thread() { return ttl_current_thread(); }

/// Leaves the thread if the previous call returned another status than Ok.
inline void check(hw::Status status) {
  if (status != hw::Status::Ok)
    ttl_hw_abandon(thread());
}

inline constexpr uint32_t kSecondId = 0x1000, kFixedAddress = 0x80000000;

inline constexpr bool isSecondId(uint32_t cb) { return cb >= kSecondId && cb < kFixedAddress; }
/// Returns the number of the emulated device's buffer for an id: n for n and for kSecondId + n.
inline constexpr int32_t bufferOf(uint32_t cb) {
  return static_cast<int32_t>(isSecondId(cb) ? cb - kSecondId : cb);
}

inline constexpr uint32_t kCompileTimeArgs[] = {TTJIT_COMPILE_TIME_ARGS 0};
inline constexpr uint32_t kTensorPageBytes[] = {TTJIT_TENSOR_PAGE_BYTES 0};

struct NamedArg {
  const char *name;
  uint32_t value;
};
inline constexpr NamedArg kNamedArgs[] = {TTJIT_NAMED_ARGS{"", 0}};

constexpr bool isEqual(const char *a, const char *b) {
  for (; *a && *a == *b; ++a, ++b) {
  }
  return *a == *b;
}

inline constexpr DataFormat kFormats[] = {TTJIT_FORMATS DataFormat::Float32};
constexpr DataFormat formatOf(uint32_t cb) {
  uint32_t id = static_cast<uint32_t>(bufferOf(cb)), count = sizeof(kFormats) - 1;
  return kFormats[id < count ? id : count];
}
inline void failIf(bool isWrong, const char *message) {
  if (isWrong)
    check(ttl_hw_program_fault(thread(), static_cast<int32_t>(hw::ProgramFault::Assert), message));
}

/// Marks reserved pages as written if a tensor is their memory, because they have its bytes.
inline void acceptTensor(uint32_t cb, uint32_t pages) {
  constexpr uint32_t count = sizeof(kTensorPageBytes) / sizeof(kTensorPageBytes[0]);
  uint32_t pageBytes = cb < count ? kTensorPageBytes[cb] : 0;
  if (pageBytes != 0)
    ttl_hw_l1_pointer(thread(), ttl_hw_get_write_ptr(thread(), static_cast<int32_t>(cb)),
                      static_cast<uint64_t>(pages) * pageBytes, 2);
}

inline void noteEffect([[maybe_unused]] hw::ExternEffect kind, [[maybe_unused]] uint32_t cb,
                       [[maybe_unused]] uint32_t pages) {
#ifdef TTJIT_EXTERNAL_CALLS
  check(
      ttl_hw_extern_effect(thread(), kind, static_cast<int32_t>(cb), static_cast<int32_t>(pages)));
#endif
}

} // namespace ttjit::metalium

// A missing argument is an error of Clang in a constant expression, otherwise a fault.
inline constexpr auto kernel_compile_time_args = [] {
  constexpr size_t count = sizeof(ttjit::metalium::kCompileTimeArgs) / sizeof(uint32_t) - 1;
  std::array<uint32_t, count> args{};
  for (size_t i = 0; i < count; ++i)
    args[i] = ttjit::metalium::kCompileTimeArgs[i];
  return args;
}();
namespace ttjit::metalium {
constexpr uint32_t compileTimeArg(int index) {
  constexpr int count = sizeof(kCompileTimeArgs) / sizeof(uint32_t) - 1;
  if (index < 0 || index >= count)
    failIf(true, "there is no compile-time argument with this number");
  return kCompileTimeArgs[index];
}
} // namespace ttjit::metalium
constexpr uint32_t get_compile_time_arg_val(int index) {
  return ttjit::metalium::compileTimeArg(index);
}
// If an #if of the kernel uses an argument, each argument is a macro, and indices must be numbers.
#ifdef TTJIT_ARGUMENTS_ARE_MACROS
#define get_compile_time_arg_val(index) KERNEL_COMPILE_TIME_ARG_##index
#endif

template <typename T> T get_arg_val(int index) {
  static_assert(sizeof(T) == 4, "arguments are words of 32 bits");
  return __builtin_bit_cast(T, ttl_hw_get_arg_val(ttjit::metalium::thread(), index));
}
template <typename T> T get_common_arg_val(int index) {
  static_assert(sizeof(T) == 4, "arguments are words of 32 bits");
  return __builtin_bit_cast(
      T, ttl_hw_get_common_arg_val(ttjit::metalium::thread(), TTJIT_FIRST_COMMON_ARG + index));
}

namespace ttjit::metalium {
inline uintptr_t argAddress(int index, bool isCommon) {
  uint32_t address = 0;
  check(ttl_hw_arg_address(thread(), index, isCommon, &address));
  return address;
}
} // namespace ttjit::metalium
inline uintptr_t get_arg_addr(int index) { return ttjit::metalium::argAddress(index, false); }
inline uintptr_t get_common_arg_addr(int index) {
  return ttjit::metalium::argAddress(TTJIT_FIRST_COMMON_ARG + index, true);
}

/// `name` must be known when the kernel is compiled.
constexpr uint32_t get_named_compile_time_arg_val(const char *name) {
  for (const ttjit::metalium::NamedArg &arg : ttjit::metalium::kNamedArgs)
    if (ttjit::metalium::isEqual(arg.name, name))
      return arg.value;
  ttjit::metalium::failIf(true, "no named compile-time argument has this name");
  return 0;
}

namespace ttjit::metalium {
/// Returns the first column of the kernel's own device, 0 without TTJIT_DEVICES. The grid of a run
/// has the columns of all devices side by side; a kernel counts the columns of its own.
inline int32_t firstColumn() {
#ifdef TTJIT_DEVICES
  return ttl_hw_first_column(thread());
#else
  return 0;
#endif
}
inline int32_t ownColumn(hw::KernelThread *thread) {
  return ttl_hw_my_logical_x(thread) - firstColumn();
}
} // namespace ttjit::metalium

inline uint8_t get_absolute_logical_x() {
  return static_cast<uint8_t>(ttjit::metalium::ownColumn(ttjit::metalium::thread()));
}
inline uint8_t get_absolute_logical_y() {
  return static_cast<uint8_t>(ttl_hw_my_logical_y(ttjit::metalium::thread()));
}

//===--------------------------------------------------------------------------===//
// Circular buffers
//===--------------------------------------------------------------------------===//

#define TTJIT_COUNT_PAGES(name, effect, then)                                                      \
  inline void name(uint32_t cb, uint32_t pages) {                                                  \
    if (ttjit::metalium::isSecondId(cb) || cb >= ttjit::metalium::kFixedAddress)                   \
      return;                                                                                      \
    ttjit::metalium::noteEffect(ttjit::hw::ExternEffect::effect, cb, pages);                       \
    ttjit::metalium::check(ttl_hw_##name(ttjit::metalium::thread(), static_cast<int32_t>(cb),      \
                                         static_cast<int32_t>(pages)));                            \
    then;                                                                                          \
  }
TTJIT_COUNT_PAGES(cb_reserve_back, Reserve, ttjit::metalium::acceptTensor(cb, pages))
TTJIT_COUNT_PAGES(cb_push_back, Push, )
TTJIT_COUNT_PAGES(cb_wait_front, Wait, )
TTJIT_COUNT_PAGES(cb_pop_front, Pop, )
#undef TTJIT_COUNT_PAGES

// Formats and sizes of the tiles of a buffer.
constexpr int32_t get_tile_size(int32_t cb) {
  using namespace ttjit::metalium;
  return static_cast<int32_t>(ttjit::hw::tileBytes(formatOf(static_cast<uint32_t>(cb))));
}
constexpr uint32_t get_tile_hw(int32_t) { return 1024; }
constexpr uint32_t get_tile_num_faces(int32_t) { return 4; }
constexpr DataFormat get_dataformat(int32_t cb) {
  return ttjit::metalium::formatOf(static_cast<uint32_t>(cb));
}
inline uint8_t get_relative_logical_x() { return get_absolute_logical_x(); }
inline uint8_t get_relative_logical_y() { return get_absolute_logical_y(); }
