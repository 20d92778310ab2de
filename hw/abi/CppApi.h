//===- CppApi.h - what only kernels in Metalium C++ call ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The device functions behind calls of Metalium's kernel API that only kernels in C++ make, and
// never kernels lowered from IR: hw/calls/CppApi.cpp and hw/calls/CppTiles.cpp.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_CPPAPI_H
#define TTJIT_HW_ABI_CPPAPI_H

#include "hw/abi/KernelApi.h"

namespace ttjit::hw {
/// Bytes of L1 that are 0 on every core. Kernels read them to clear pages. They lie below the
/// memory of programs, where no buffer is.
inline constexpr uint32_t kZerosAddress = 0x2000, kZerosBytes = 512;
/// The bytes of a packet header in L1.
inline constexpr uint32_t kPacketHeaderBytes = 64;
} // namespace ttjit::hw

extern "C" {

/// acquire_dst and release_dst, the older calls around a DST section of the matrix engine and the
/// packer. The first pack_tile between them passes the section from the engine to the packer.
ttjit::hw::Status ttl_hw_acquire_dst(ttjit::hw::KernelThread *);
ttjit::hw::Status ttl_hw_release_dst(ttjit::hw::KernelThread *);

/// Sets `*address` to the L1 address of an argument of the node, or of a common argument. The first
/// call copies the arguments to L1; from then on, the words in L1 are the arguments.
ttjit::hw::Status ttl_hw_arg_address(ttjit::hw::KernelThread *, int32_t index, int32_t isCommon,
                                     uint32_t *address);

/// Returns the first column of the grid that belongs to the device of the thread's core.
int32_t ttl_hw_first_column(ttjit::hw::KernelThread *);
/// Sets `*there` to the NoC address on `device` that corresponds to `address` on the own device.
ttjit::hw::Status ttl_hw_fabric_noc_addr(ttjit::hw::KernelThread *, uint64_t address,
                                         uint32_t device, uint64_t *there);
/// Sets `*address` to that of `count` more packet headers of the thread; 0 gives all of them back.
ttjit::hw::Status ttl_hw_packet_headers(ttjit::hw::KernelThread *, uint32_t count,
                                        uint32_t *address);
/// Opens `change` connections of the thread to the fabric; if negative, closes -change.
ttjit::hw::Status ttl_hw_fabric_connections(ttjit::hw::KernelThread *, int32_t change);

/// Replaces each element of DST[dst] by its sum with all elements above it. Unless `isFirst` is 1,
/// the sums continue those of the thread's previous call.
ttjit::hw::Status ttl_hw_cumsum(ttjit::hw::KernelThread *, int32_t dst, int32_t isFirst);
/// Reduces the 32-bit integers of DST[dst]; `pool` is a Pool of integers, `dims` TileDims::Row or
/// Col. The result is in column 0 or row 0. The other elements, undefined on the card, become the
/// inverted bits of what they were.
ttjit::hw::Status ttl_hw_sfpu_reduce(ttjit::hw::KernelThread *, int32_t dst, int32_t pool,
                                     int32_t dims);
/// Exchanges the rows and columns of DST[dst]. `unknown` is the name of the called function if the
/// bits of its result on the card are not known, else null.
ttjit::hw::Status ttl_hw_transpose_dst(ttjit::hw::KernelThread *, int32_t dst, const char *unknown);
/// Fills DST[dst] with random numbers r, where from <= r < from + scale.
ttjit::hw::Status ttl_hw_rand(ttjit::hw::KernelThread *, int32_t dst, float from, float scale);
void ttl_hw_rand_seed(ttjit::hw::KernelThread *, uint32_t seed);

/// Sets (returns) a number that an init of the vector unit leaves for later calls of the thread.
void ttl_hw_vector_number(ttjit::hw::KernelThread *, uint32_t word);
uint32_t ttl_hw_vector_number_of(ttjit::hw::KernelThread *);

/// Packs rows of tiles of DST, `columns` tiles each, as row-major rows that are `width` tiles wide
/// in the reserved pages of `cb`. The tiles go to the columns from tile `column` on.
ttjit::hw::Status ttl_hw_pack_untilize(ttjit::hw::KernelThread *, int32_t cb, int32_t rows,
                                       int32_t columns, int32_t width, int32_t column);
}

/// X(name) for every function above.
#define HW_CPP_API(X)                                                                              \
  X(ttl_hw_acquire_dst)                                                                            \
  X(ttl_hw_release_dst)                                                                            \
  X(ttl_hw_arg_address)                                                                            \
  X(ttl_hw_first_column)                                                                           \
  X(ttl_hw_fabric_noc_addr)                                                                        \
  X(ttl_hw_packet_headers)                                                                         \
  X(ttl_hw_fabric_connections)                                                                     \
  X(ttl_hw_cumsum)                                                                                 \
  X(ttl_hw_sfpu_reduce)                                                                            \
  X(ttl_hw_transpose_dst)                                                                          \
  X(ttl_hw_rand)                                                                                   \
  X(ttl_hw_rand_seed)                                                                              \
  X(ttl_hw_vector_number)                                                                          \
  X(ttl_hw_vector_number_of)                                                                       \
  X(ttl_hw_pack_untilize)

#endif // TTJIT_HW_ABI_CPPAPI_H
