//===- accessor.h - Metalium's tensor accessor, to check emitted C++ *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_METALIUM_ACCESSOR_H
#define TTJIT_TESTS_METALIUM_ACCESSOR_H

#include "prelude.h"

template <uint32_t compileTimeOffset, uint32_t commonOffset = UINT32_MAX>
struct TensorAccessorArgs {
  static constexpr uint32_t next_compile_time_args_offset() { return compileTimeOffset + 2; }
  static constexpr uint32_t next_common_runtime_args_offset() { return commonOffset; }
};
template <typename Args> struct TensorAccessor {
  TensorAccessor(const Args &, size_t base, uint32_t pageBytes);
  uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0) const;
};

#endif // TTJIT_TESTS_METALIUM_ACCESSOR_H
