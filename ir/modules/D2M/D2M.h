//===- D2M.h - the d2m dialect --------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// tt-mlir's level between tensors and kernels: programs on a grid of cores. d2m-to-ttl
// (passes/d2m) makes ttl kernels of them; nothing else reads the dialect.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_D2M_D2M_H
#define TTJIT_IR_MODULES_D2M_D2M_H

#include "hw/facts/TileOps.h"
#include "ir/TTCore/TTCoreLayouts.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace mlir::tt::d2m {

/// What d2m-to-ttl does with a tile operation.
enum class TileForm {
  Row,
  Typecast,
  Transpose,
  Bcast,
  Matmul,
  ReduceSum,
  ReduceMax,
  Same,
  Unsupported
};

/// A row of D2MTileOps.def.
struct TileOpRow {
  StringRef name;                       ///< "tile_exp"
  unsigned operands;                    ///< their number; 0: any number
  TileForm form;                        ///< if it is Row, `row` computes the same
  std::optional<ttjit::hw::TileOp> row; ///< row of hw/facts/TileOps.def
};

/// Returns all rows of D2MTileOps.def.
ArrayRef<TileOpRow> tileOpRows();

} // namespace mlir::tt::d2m

#include "ir/modules/D2M/D2MEnums.h.inc"

#include "ir/modules/D2M/D2MDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/modules/D2M/D2MAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/modules/D2M/D2MTypes.h.inc"

#define GET_OP_CLASSES
#include "ir/modules/D2M/D2MOps.h.inc"

#define GET_OP_CLASSES
#include "ir/modules/D2M/D2MTileClass.h.inc"

namespace mlir::tt::d2m {

/// Returns the grid of a tensor or memref on the device, the first half of its shape; empty if it
/// has none.
ArrayRef<int64_t> getGrid(Type type);

/// Returns the shape of a shard, the second half of the shape.
ArrayRef<int64_t> getShard(Type type);

} // namespace mlir::tt::d2m

#endif // TTJIT_IR_MODULES_D2M_D2M_H
