//===- local_tensor_accessor.h - the core's part of a tensor in L1 --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/device.h"

/// The elements of type T from an address of the core's own L1 on.
template <typename T> class LocalTensorAccessor {
public:
  explicit LocalTensorAccessor(uint32_t address) : address(address) {}

  volatile T &operator[](uint32_t index) const { return get_unsafe_ptr()[index]; }
  volatile T *get_unsafe_ptr() const { return reinterpret_cast<volatile T *>(address); }
  uint32_t get_bank_base_address() const { return address; }

private:
  uint32_t address;
};
