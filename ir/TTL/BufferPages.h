//===- BufferPages.h - bytes of the pages of a buffer ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A page is a tile or a row of scalars. `page_size` of ttl.create_cb may be larger than the page:
// the bytes behind the page are padding, which nobody reads.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_BUFFERPAGES_H
#define TTJIT_IR_TTL_BUFFERPAGES_H

#include "ir/TTL/TTL.h"

namespace mlir::tt::ttl {

/// Bytes from the start of a page to the start of the next one.
inline int64_t pageSizeOf(CreateCBOp buffer) {
  std::optional<uint64_t> given = buffer.getPageSize();
  return given ? static_cast<int64_t>(*given) : buffer.getType().getPageBytes();
}

inline bool hasPadding(CreateCBOp buffer) {
  return pageSizeOf(buffer) != buffer.getType().getPageBytes();
}

/// Bytes of L1 of one block, and of all blocks, with the padding.
inline int64_t blockBytesOf(CreateCBOp buffer) {
  return buffer.getType().getPagesPerBlock() * pageSizeOf(buffer);
}
inline int64_t totalBytesOf(CreateCBOp buffer) {
  return blockBytesOf(buffer) * buffer.getType().getBufferFactor();
}

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_BUFFERPAGES_H
