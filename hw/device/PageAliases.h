//===- PageAliases.h - pages whose bytes are not copied -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A read of whole pages of a constant tensor copies nothing: the pages of the buffer become
// aliases of those of the tensor. An alias has the bytes that the copy would have, until it
// is settled (its bytes are copied to L1) or overwritten. Who reads tiles from a buffer looks
// for aliases (hw/abi/Inline.h). Who uses bytes of L1 otherwise settles them before. Only the
// pages of buffers that share no memory are aliases.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_PAGEALIASES_H
#define TTJIT_HW_DEVICE_PAGEALIASES_H

#include <cstdint>

namespace ttjit::hw {

struct CircularBuffer;
struct Node;
struct Transfer;

/// Makes the pages that a read fills aliases; returns false if the bytes must be copied.
bool aliasPages(const Transfer &read);

/// Copies the bytes of one page to the L1 of its core.
void settlePage(Node &node, CircularBuffer &buffer, uint32_t page);

/// Makes L1 of the node hold the bytes of [address, address + bytes), which somebody reads.
void settle(Node &node, uint32_t address, uint64_t bytes);

/// Prepares L1 of the node for bytes written to [address, address + bytes). What a page has
/// outside of this range stays.
void settleAround(Node &node, uint32_t address, uint64_t bytes);

/// Settles the buffer that has the word at `address`, for the rest of the run: threads wait for
/// words without looking for aliases.
void settleForGood(Node &node, uint32_t address);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_PAGEALIASES_H
