//===- TTLDialectInterfaces.h - what ttl tells MLIR's infrastructure *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TTLDIALECTINTERFACES_H
#define TTJIT_IR_TTL_TTLDIALECTINTERFACES_H

#include "ir/TTL/TTL.h"

#include "mlir/Interfaces/FoldInterfaces.h"

namespace mlir::tt::ttl {

/// Type of a block or of a buffer, in full or as an op of that type prints it.
ParseResult parseBufferOrBlock(AsmParser &parser, Type &type);

/// Short names for the types and encodings that fill a dump: `!cb`, `!block`,
/// `#dram_tiled`, ...
class TTLAsmInterface : public OpAsmDialectInterface {
public:
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const final;
  AliasResult getAlias(Type type, raw_ostream &os) const final;
};

/// Constants stay inside the thread that uses them: it becomes a function.
class TTLFoldInterface : public DialectFoldInterface {
public:
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final { return isThread(region->getParentOp()); }
};

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_TTLDIALECTINTERFACES_H
