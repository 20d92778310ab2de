//===- TTLDialectInterfaces.h - dialect interfaces of ttl -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TTLDIALECTINTERFACES_H
#define TTJIT_IR_TTL_TTLDIALECTINTERFACES_H

#include "ir/TTL/TTL.h"

#include "mlir/Interfaces/FoldInterfaces.h"

namespace mlir::tt::ttl {

/// Parses the type of a block or of a buffer, in full or in the short form that ops
/// print.
ParseResult parseBufferOrBlock(AsmParser &parser, Type &type);

/// What the text between the brackets of a `#ttl.layout` says.
struct LayoutText {
  ttcore::TensorMemoryLayout memory = ttcore::TensorMemoryLayout::Interleaved;
  SmallVector<int64_t> tile, grid, shard;
};

/// Parses `<interleaved, tile = 32x32>` and the design documents' spellings of it.
FailureOr<LayoutText> parseLayoutText(AsmParser &parser);

/// Provides short names for the types and encodings in dumps: `!cb`, `!block`,
/// `#dram_tiled`.
class TTLAsmInterface : public OpAsmDialectInterface {
public:
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const final;
  AliasResult getAlias(Type type, raw_ostream &os) const final;
};

/// Keeps constants in the thread that uses them, because the thread becomes a function.
class TTLFoldInterface : public DialectFoldInterface {
public:
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final {
    return isThread(region->getParentOp()) || isa<MicrocoreThreadOp>(region->getParentOp());
  }
};

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_TTLDIALECTINTERFACES_H
