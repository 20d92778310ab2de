//===- BlockPages.h - the pages of a block that a pipe moves --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_OPS_BLOCKPAGES_H
#define TTJIT_INTERP_OPS_BLOCKPAGES_H

#include "ir/TTL/TTL.h"

#include "hw/abi/KernelApi.h"

namespace ttjit::interp {

/// The pages of a block, which may have padding between them.
struct BlockPages {
  uint32_t count = 0, bytes = 0; ///< number of pages, and bytes of one without padding

  static BlockPages of(mlir::Value block) {
    auto type = mlir::cast<mlir::tt::ttl::BlockType>(block.getType()).getCircularBuffer();
    return {static_cast<uint32_t>(type.getPagesPerBlock()),
            static_cast<uint32_t>(type.getPageBytes())};
  }
  uint32_t allBytes() const { return count * bytes; }

  /// Calls `move(offset from, offset to, bytes)` once if the pages have no padding on either side,
  /// else for each page. `from`, `to`: bytes from one page's start to the next one's on each side.
  template <typename MoveFn>
  hw::Status forEachPiece(uint32_t from, uint32_t to, MoveFn move) const {
    if (from == bytes && to == bytes)
      return move(0, 0, allBytes());
    for (uint32_t page = 0; page < count; ++page)
      if (hw::Status status = move(page * from, page * to, bytes); status != hw::Status::Ok)
        return status;
    return hw::Status::Ok;
  }
};

} // namespace ttjit::interp

#endif // TTJIT_INTERP_OPS_BLOCKPAGES_H
