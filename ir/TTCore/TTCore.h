//===- TTCore.h - the ttcore dialect --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Tiles, grids, memory spaces and formats, which every other dialect uses.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_TTCORE_H
#define TTJIT_IR_TTCORE_TTCORE_H

#include "hw/facts/DataFormat.h"
#include "hw/facts/TileDims.h"
#include "hw/facts/TileOpFwd.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "ir/TTCore/TTCoreEnums.h.inc"

#include "ir/TTCore/TTCoreDialect.h.inc"

namespace mlir::tt::ttcore {

/// Checks that the op has as many operands as its row of hw/facts/TileOps.def says.
LogicalResult verifyTileOp(Operation *op);

} // namespace mlir::tt::ttcore

#include "ir/TTCore/TTCoreInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/TTCore/TTCoreAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/TTCore/TTCoreTypes.h.inc"

namespace mlir::tt::ttcore {

/// Returns the device's storage format for an element type of the IR.
ttjit::hw::DataFormat getDataFormat(DataType type);

/// Returns the tile element type that stores scalars of `type` (f32, bf16, f16, i32,
/// ui32, ui16, ui8); nothing if no format stores them.
std::optional<DataType> getDataTypeOf(Type type);

} // namespace mlir::tt::ttcore

#endif // TTJIT_IR_TTCORE_TTCORE_H
