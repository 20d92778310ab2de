//===- dataflow_api.h - the data movement API on the host -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#pragma once

#include "hostdevcommon/common_values.hpp"
#include "ttjit/debug.h"
#include "ttjit/left_out.h"
#include "ttjit/semaphores.h"
#include "ttjit/transfers.h"

inline uint32_t get_write_ptr(uint32_t cb) {
  using namespace ttjit::metalium;
  return cb >= kFixedAddress ? cb - kFixedAddress : ttl_hw_get_write_ptr(thread(), bufferOf(cb));
}
inline uint32_t get_read_ptr(uint32_t cb) {
  using namespace ttjit::metalium;
  return cb >= kFixedAddress ? cb - kFixedAddress : ttl_hw_get_read_ptr(thread(), bufferOf(cb));
}

inline bool cb_pages_available_at_front(int32_t cb, int32_t pages) {
  using namespace ttjit;
  return ttl_hw_cb_fact(metalium::thread(), cb, hw::BufferFact::PagesFilled) >= pages;
}
inline bool cb_pages_reservable_at_back(int32_t cb, int32_t pages) {
  using namespace ttjit;
  hw::KernelThread *thread = metalium::thread();
  return ttl_hw_cb_fact(thread, cb, hw::BufferFact::NumPages) -
             ttl_hw_cb_fact(thread, cb, hw::BufferFact::PagesFilled) >=
         pages;
}
