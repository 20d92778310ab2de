//===- SlowPaths.h - slow paths of the kernel API -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Out-of-line parts of hw/abi/Inline.h. JIT modules, which inline the fast parts, bind
// these names as they bind the names of KernelApi.h. The cb and tile_regs functions do
// the whole operation: they block, record events and report faults. The fault functions
// are called only after a check failed; they report the reason and never return Ok.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_SLOWPATHS_H
#define TTJIT_HW_ABI_SLOWPATHS_H

#include "hw/abi/KernelApi.h"

namespace ttjit::hw {
struct PageBlock;  // defined in hw/facts/PageBlock.h
struct ChainFacts; // defined in hw/facts/TileProducts.h
struct ChainIndices;
struct ProductFacts;
struct ReductionFacts; // defined in hw/facts/TileReductions.h
struct SectionFacts;   // defined in hw/facts/TileSection.h
struct SectionTile;
struct TileCall; // defined in hw/facts/TileCall.h
} // namespace ttjit::hw

extern "C" {

ttjit::hw::Status ttl_hw_slow_cb_reserve_back(ttjit::hw::KernelThread *, int32_t cb, int32_t pages);
ttjit::hw::Status ttl_hw_slow_cb_push_back(ttjit::hw::KernelThread *, int32_t cb, int32_t pages);
ttjit::hw::Status ttl_hw_slow_cb_wait_front(ttjit::hw::KernelThread *, int32_t cb, int32_t pages);
ttjit::hw::Status ttl_hw_slow_cb_pop_front(ttjit::hw::KernelThread *, int32_t cb, int32_t pages);
ttjit::hw::Status ttl_hw_slow_tile_regs_acquire(ttjit::hw::KernelThread *);
ttjit::hw::Status ttl_hw_slow_tile_regs_commit(ttjit::hw::KernelThread *);
ttjit::hw::Status ttl_hw_slow_tile_regs_wait(ttjit::hw::KernelThread *);
ttjit::hw::Status ttl_hw_slow_tile_regs_release(ttjit::hw::KernelThread *);
ttjit::hw::Status ttl_hw_slow_step(ttjit::hw::KernelThread *);
/// Copies a page to L1 whose bytes are in a page of a tensor (hw/device/PageAliases.h).
void ttl_hw_slow_settle(ttjit::hw::KernelThread *, int32_t cb, uint32_t page);

/// Tells the listeners that the thread reads tile `index` of the front of `cb`, or that it packed
/// DST[dst] into slot `index` of its reserved pages.
ttjit::hw::Status ttl_hw_slow_note_tile(ttjit::hw::KernelThread *, int32_t cb, int32_t index);
ttjit::hw::Status ttl_hw_slow_note_slot(ttjit::hw::KernelThread *, int32_t cb, int32_t index,
                                        int32_t dst);
/// Tells the listeners what DST[dst] holds now: the result, of ResultKind `kind`, of `call`, which
/// used the registers in0 to in2 (-1: none) and the tiles read since the last note.
ttjit::hw::Status ttl_hw_slow_note_register(ttjit::hw::KernelThread *, int32_t dst, int32_t kind,
                                            const ttjit::hw::TileCall *call, int32_t in0,
                                            int32_t in1, int32_t in2);

/// Reports why tile `index` of the front of `cb` cannot be read.
ttjit::hw::Status ttl_hw_fault_front_tile(ttjit::hw::KernelThread *, int32_t cb, int32_t index);
/// Reports why DST[dst] cannot be packed into slot `index` of `cb`.
ttjit::hw::Status ttl_hw_fault_pack_tile(ttjit::hw::KernelThread *, int32_t dst, int32_t cb,
                                         int32_t index);
/// Reports why the math side cannot write DST[dst] (`reads` is 0), or cannot read it.
ttjit::hw::Status ttl_hw_fault_dst(ttjit::hw::KernelThread *, int32_t dst, int32_t reads);
/// Reports that the mask of DST[dst] is not in the next register.
ttjit::hw::Status ttl_hw_fault_mask(ttjit::hw::KernelThread *, int32_t dst, int32_t dstMask);

/// Performs all of a DST section but its arithmetic, and sets places[i] to the bytes of tile
/// i. `indices[i]` is the index that copy_tile or pack_tile of tile i gets. If tile i is at
/// the front of a buffer, sets ahead[i] to the bytes to prefetch while it is read: the buffer's
/// next page, or the tile itself if that page holds nothing. Returns 0, without effect, if a
/// check fails: then JIT code makes the calls of the section.
int32_t ttl_hw_enter_section(ttjit::hw::KernelThread *, const ttjit::hw::SectionFacts *facts,
                             const ttjit::hw::SectionTile *tiles, const int32_t *indices,
                             uint8_t **places, const uint8_t **ahead);

/// Starts the transfers of a loop nest that moves a block of pages, from `page` and `l1Address` on,
/// and counts the steps of the loops. Returns 0, without effect, if JIT code must run the loops.
int32_t ttl_hw_read_block(ttjit::hw::KernelThread *, int32_t page,
                          const ttjit::hw::TensorAccess *tensor, uint32_t l1Address,
                          const ttjit::hw::PageBlock *block);
int32_t ttl_hw_write_block(ttjit::hw::KernelThread *, int32_t page,
                           const ttjit::hw::TensorAccess *tensor, uint32_t l1Address,
                           const ttjit::hw::PageBlock *block);
/// Performs a loop of reduce_tile calls, the first with tile `index`. Returns 0, without effect, if
/// JIT code must run the loop.
int32_t ttl_hw_reduce_tiles(ttjit::hw::KernelThread *, const ttjit::hw::ReductionFacts *facts,
                            int32_t index, int32_t indexScaling, int32_t dst);

/// Begins to note the products of a block. Returns 0 if JIT code must make the calls of sections.
int32_t ttl_hw_begin_products(ttjit::hw::KernelThread *, const ttjit::hw::ProductFacts *facts);
/// Notes the `count` chains of one section.
void ttl_hw_add_products(ttjit::hw::KernelThread *, const ttjit::hw::ChainFacts *chains,
                         int32_t count, const ttjit::hw::ChainIndices *indices);
/// Performs all noted sections. Returns 0, without effect, if JIT code must make their calls.
int32_t ttl_hw_run_products(ttjit::hw::KernelThread *, const ttjit::hw::ProductFacts *facts);

} // extern "C"

/// X(name) for every function above.
// clang-format off: it formats this list differently each time it runs.
#define HW_SLOW_PATHS(X)                                                                           \
  X(ttl_hw_slow_cb_reserve_back) X(ttl_hw_slow_cb_push_back) X(ttl_hw_slow_cb_wait_front)          \
  X(ttl_hw_slow_cb_pop_front) X(ttl_hw_slow_tile_regs_acquire) X(ttl_hw_slow_tile_regs_commit)     \
  X(ttl_hw_slow_tile_regs_wait) X(ttl_hw_slow_tile_regs_release) X(ttl_hw_slow_step)               \
  X(ttl_hw_slow_settle) X(ttl_hw_slow_note_tile) X(ttl_hw_slow_note_slot)                          \
  X(ttl_hw_slow_note_register)                                                                     \
  X(ttl_hw_fault_front_tile) X(ttl_hw_fault_pack_tile) X(ttl_hw_fault_dst)                         \
  X(ttl_hw_fault_mask) X(ttl_hw_enter_section) X(ttl_hw_read_block) X(ttl_hw_write_block)          \
  X(ttl_hw_begin_products) X(ttl_hw_add_products) X(ttl_hw_run_products)          \
  X(ttl_hw_reduce_tiles)
// clang-format on

#endif // TTJIT_HW_ABI_SLOWPATHS_H
