//===- tensor_accessor.h - tensors of the launch --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The layout of a tensor is two compile-time arguments: 2 for DRAM or 0 for L1, and the bytes of a
// page. The emulated device finds the tensor by its address, and knows the bank of each page.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/addresses.h"

template <uint32_t CTA, uint32_t CRTA = 0> struct TensorAccessorArgs {
  static constexpr bool is_dram = ttjit::metalium::compileTimeArg(CTA) == 2;
  static constexpr uint32_t next_compile_time_args_offset() { return CTA + 2; }
  static constexpr uint32_t next_common_runtime_args_offset() { return CRTA; }
};

struct TensorAccessor {
  template <uint32_t CTA, uint32_t CRTA>
  TensorAccessor(TensorAccessorArgs<CTA, CRTA>, uint32_t address, uint32_t page_size) {
    using namespace ttjit::metalium;
    check(ttl_hw_tensor_accessor(thread(), address, static_cast<int32_t>(page_size),
                                 TensorAccessorArgs<CTA, CRTA>::is_dram ? 0 : 1, &tensor));
  }

  template <uint32_t CTA, uint32_t CRTA>
  TensorAccessor(TensorAccessorArgs<CTA, CRTA> args, uint32_t address)
      : TensorAccessor(args, address, ttjit::metalium::compileTimeArg(CTA + 1)) {}

  uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0,
                        [[maybe_unused]] uint8_t noc = 0) const {
    return ttjit::metalium::pageAddress(tensor, page, offset);
  }

  const ttjit::hw::TensorAccess *tensor = nullptr;
};
