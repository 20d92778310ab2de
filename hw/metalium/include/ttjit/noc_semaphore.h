//===- noc_semaphore.h - a semaphore as an object -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/noc.h"
#include "ttjit/semaphores.h"

enum class ProgrammableCoreType : uint8_t { TENSIX };

template <ProgrammableCoreType core_type = ProgrammableCoreType::TENSIX> class Semaphore {
public:
  explicit Semaphore(uint32_t semaphore_id) : address(get_semaphore(semaphore_id)) {}

  void up(uint32_t value) { *word() += value; }
  void up(const Noc &noc, uint32_t x, uint32_t y, uint32_t value, uint8_t = 1) {
    noc_semaphore_inc(get_noc_addr(x, y, local()), value, noc.get_noc_id());
  }
  /// Waits until the semaphore is at least `value`, and subtracts it.
  void down(uint32_t value) {
    wait_min(value);
    *word() -= value;
  }
  void wait(uint32_t value) { noc_semaphore_wait(word(), value); }
  void wait_min(uint32_t value) { noc_semaphore_wait_min(word(), value); }
  void set(uint32_t value) { noc_semaphore_set(word(), value); }

  template <auto mode = Noc::McastMode::EXCLUDE_SRC>
  void set_multicast(const Noc &noc, uint32_t x_start, uint32_t y_start, uint32_t x_end,
                     uint32_t y_end, uint32_t num_dests, bool linked = false) {
    uint64_t to = rectangle(noc, x_start, y_start, x_end, y_end);
    if constexpr (includesSource(mode))
      noc_semaphore_set_multicast_loopback_src(local(), to, num_dests, linked, noc.get_noc_id());
    else
      noc_semaphore_set_multicast(local(), to, num_dests, linked, noc.get_noc_id());
  }
  void inc_multicast(const Noc &noc, uint32_t x_start, uint32_t y_start, uint32_t x_end,
                     uint32_t y_end, uint32_t value, uint32_t num_dests) {
    noc_semaphore_inc_multicast(rectangle(noc, x_start, y_start, x_end, y_end), value, num_dests,
                                noc.get_noc_id());
  }

private:
  static constexpr bool includesSource(Noc::McastMode mode) {
    return mode == Noc::McastMode::INCLUDE_SRC;
  }
  static constexpr bool includesSource(NocOptions options) {
    return has_flag(options, NocOptions::MCAST_INCL_SRC);
  }
  volatile uint32_t *word() const { return reinterpret_cast<volatile uint32_t *>(address); }
  uint32_t local() const { return static_cast<uint32_t>(address); }
  uint64_t rectangle(const Noc &noc, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) const {
    return get_noc_multicast_addr(x0, y0, x1, y1, local(), noc.get_noc_id());
  }

  uintptr_t address;
};
