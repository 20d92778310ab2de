//===- addresses.h - NoC addresses and address generators -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The NoC address of a DRAM bank has a row in which no core is (hw/device/NocAddress.h).
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/device.h"

inline constexpr uint8_t noc_index = TTJIT_NOC_INDEX;
// Each data movement processor uses only its own NoC.
inline constexpr uint8_t DM_DEDICATED_NOC = 0, DM_DYNAMIC_NOC = 1, noc_mode = DM_DEDICATED_NOC;

namespace ttjit::metalium {
/// An array of the card's firmware, indexed by a column or row of the compute grid.
template <int32_t (*convert)(hw::KernelThread *, int32_t)> struct VirtualCoordinates {
  uint8_t operator[](uint32_t logical) const {
    return static_cast<uint8_t>(convert(thread(), static_cast<int32_t>(logical)));
  }
};

/// An array indexed by the number of a NoC. It has the core's own coordinate, equal for both NoCs.
template <int32_t (*convert)(hw::KernelThread *, int32_t), int32_t (*own)(hw::KernelThread *)>
struct OwnCoordinate {
  uint8_t operator[](uint32_t) const {
    return static_cast<uint8_t>(convert(thread(), own(thread())));
  }
};

inline uint32_t addressOf(volatile uint32_t *word) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(word));
}

inline uint64_t pageAddress(const hw::TensorAccess *tensor, uint32_t page, uint32_t offset) {
  uint64_t address = 0;
  check(ttl_hw_page_noc_addr(thread(), tensor, static_cast<int32_t>(page), offset, &address));
  return address;
}

inline const hw::TensorAccess *findTensor(bool isDram, uint32_t base, uint32_t page_bytes) {
  const hw::TensorAccess *tensor = nullptr;
  check(ttl_hw_tensor_accessor(thread(), base, static_cast<int32_t>(page_bytes), !isDram, &tensor));
  return tensor;
}
} // namespace ttjit::metalium

inline constexpr ttjit::metalium::VirtualCoordinates<ttl_hw_convert_logical_x_to_translated>
    worker_logical_col_to_virtual_col;
inline constexpr ttjit::metalium::VirtualCoordinates<ttl_hw_convert_logical_y_to_translated>
    worker_logical_row_to_virtual_row;
inline constexpr ttjit::metalium::OwnCoordinate<ttl_hw_convert_logical_x_to_translated,
                                                ttjit::metalium::ownColumn>
    my_x;
inline constexpr ttjit::metalium::OwnCoordinate<ttl_hw_convert_logical_y_to_translated,
                                                ttl_hw_my_logical_y>
    my_y;

//===--------------------------------------------------------------------------===//
// Address generators
//===--------------------------------------------------------------------------===//

#define TTJIT_PAGE_ADDRESS                                                                         \
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t = noc_index) const {             \
    return ttjit::metalium::pageAddress(access(), id, offset);                                     \
  }

template <bool DRAM> struct InterleavedAddrGen {
  uint32_t bank_base_address, page_size;
  const ttjit::hw::TensorAccess *access() const {
    return ttjit::metalium::findTensor(DRAM, bank_base_address, page_size);
  }
  TTJIT_PAGE_ADDRESS
};

template <bool DRAM> struct InterleavedPow2AddrGen {
  uint32_t bank_base_address, log_base_2_of_page_size;
  const ttjit::hw::TensorAccess *access() const {
    return ttjit::metalium::findTensor(DRAM, bank_base_address, 1u << log_base_2_of_page_size);
  }
  TTJIT_PAGE_ADDRESS
};
/// The "fast" generators also have functions that begin transfers, defined in ttjit/transfers.h.
template <bool DRAM> struct InterleavedPow2AddrGenFast {
  uint32_t bank_base_address, log_base_2_of_page_size;
  const ttjit::hw::TensorAccess *access() const {
    return ttjit::metalium::findTensor(DRAM, bank_base_address, 1u << log_base_2_of_page_size);
  }
  TTJIT_PAGE_ADDRESS
  void noc_async_read_page(uint32_t id, uint32_t to_l1, uint32_t offset = 0,
                           uint8_t noc = noc_index) const;
  void noc_async_read_partial_page(uint32_t id, uint32_t to_l1, uint32_t size, uint32_t offset,
                                   uint8_t noc = noc_index) const;
  void noc_async_write_page(uint32_t id, uint32_t from_l1, uint32_t size = 0, uint32_t offset = 0,
                            uint8_t noc = noc_index) const;
};

/// A generator whose pages are tiles of `data_format`.
template <bool DRAM, uint32_t tile_hw = 1024> struct InterleavedAddrGenFast {
  static_assert(tile_hw == 1024, "the emulated device has tiles of 32x32");
  uint32_t bank_base_address, page_size;
  DataFormat data_format;
  const ttjit::hw::TensorAccess *access() const {
    return ttjit::metalium::findTensor(DRAM, bank_base_address,
                                       static_cast<uint32_t>(ttjit::hw::tileBytes(data_format)));
  }
  TTJIT_PAGE_ADDRESS
  void noc_async_read_tile(uint32_t id, uint32_t to_l1, uint32_t offset = 0,
                           uint8_t noc = noc_index) const;
  void noc_async_write_tile(uint32_t id, uint32_t from_l1, uint8_t noc = noc_index) const;
};
#undef TTJIT_PAGE_ADDRESS

namespace ttjit::metalium {
/// Returns the tensor of an accessor or of an address generator.
template <typename Generator>
inline auto tensorOf(const Generator &generator) -> decltype(generator.access()) {
  return generator.access();
}
template <typename Accessor>
inline auto tensorOf(const Accessor &accessor) -> decltype(accessor.tensor) {
  return accessor.tensor;
}
} // namespace ttjit::metalium

//===--------------------------------------------------------------------------===//
// Addresses
//===--------------------------------------------------------------------------===//

inline uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address, uint8_t = noc_index) {
  return ttl_hw_get_noc_addr(ttjit::metalium::thread(),
                             static_cast<int32_t>(x) + ttjit::metalium::firstColumn(),
                             static_cast<int32_t>(y), address);
}
/// Returns the NoC address of an address in the core's own L1.
inline uint64_t get_noc_addr(uint32_t address, uint8_t noc = noc_index) {
  return get_noc_addr(my_x[noc], my_y[noc], address, noc);
}
template <typename Generator>
inline auto get_noc_addr(uint32_t id, const Generator &generator, uint32_t offset = 0,
                         uint8_t noc = noc_index) -> decltype(generator.get_noc_addr(id, offset)) {
  return generator.get_noc_addr(id, offset, noc);
}

template <bool DRAM>
inline uint64_t get_noc_addr_from_bank_id(uint32_t bank, uint32_t address, uint8_t = noc_index) {
  return ttl_hw_bank_noc_addr(ttjit::metalium::thread(), DRAM, bank, address);
}
inline uint64_t get_dram_noc_addr(uint32_t id, uint32_t page_size, uint32_t base,
                                  uint32_t offset = 0, uint8_t noc = noc_index) {
  return InterleavedAddrGen<true>{base, page_size}.get_noc_addr(id, offset, noc);
}
inline uint64_t get_l1_noc_addr(uint32_t id, uint32_t page_size, uint32_t base, uint32_t offset = 0,
                                uint8_t noc = noc_index) {
  return InterleavedAddrGen<false>{base, page_size}.get_noc_addr(id, offset, noc);
}

/// On NOC_1 a rectangle begins at its far corner. The emulated device needs the near one first.
inline uint64_t get_noc_multicast_addr(uint32_t x_start, uint32_t y_start, uint32_t x_end,
                                       uint32_t y_end, uint32_t address, uint8_t noc = noc_index) {
  auto at = [&](uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
    const int32_t first = ttjit::metalium::firstColumn();
    return ttl_hw_get_noc_multicast_addr(
        ttjit::metalium::thread(), static_cast<int32_t>(x0) + first, static_cast<int32_t>(y0),
        static_cast<int32_t>(x1) + first, static_cast<int32_t>(y1), address);
  };
  return noc == 0 ? at(x_start, y_start, x_end, y_end) : at(x_end, y_end, x_start, y_start);
}
