//===- PageAliases.h - pages whose bytes are not copied -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A read of whole pages of a constant tensor copies nothing: the pages of the buffer become aliases
// of those of the tensor. An alias has the tensor's bytes until it is settled (its bytes are copied
// to L1) or overwritten. Code that reads tiles from a buffer looks for aliases (hw/abi/Inline.h).
// Code that uses bytes of L1 in another way settles them first. Only pages of buffers that share no
// memory become aliases.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_PAGEALIASES_H
#define TTJIT_HW_DEVICE_PAGEALIASES_H

#include <cstdint>

namespace ttjit::hw {

struct CircularBuffer;
struct Node;
struct Transfer;

/// Makes the pages that a read fills aliases. Returns false if the bytes must be copied instead.
bool aliasPages(const Transfer &read);

/// Copies the bytes of one page to the L1 of its core.
void settlePage(Node &node, CircularBuffer &buffer, uint32_t page);

/// Settles the aliases in [address, address + bytes) of the node's L1, which will be read.
void settle(Node &node, uint32_t address, uint64_t bytes);

/// Prepares L1 of the node for a write to [address, address + bytes): settles the aliases that also
/// have bytes outside of this range.
void settleAround(Node &node, uint32_t address, uint64_t bytes);

/// Settles the buffer that has the word at `address`, and makes none of its pages aliases again:
/// threads that wait for words do not look for aliases.
void settleForGood(Node &node, uint32_t address);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_PAGEALIASES_H
