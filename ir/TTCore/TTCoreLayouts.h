//===- TTCoreLayouts.h - layouts and meshes of tt-mlir --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_TTCORELAYOUTS_H
#define TTJIT_IR_TTCORE_TTCORELAYOUTS_H

#include "ir/Layouts/Grids.h"
#include "ir/Layouts/Layout.h"
#include "ir/TTCore/TTCore.h"

#include "ir/TTCore/TTCoreLayoutEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/TTCore/TTCoreLayoutAttrs.h.inc"

namespace mlir::tt::ttcore {

/// Parses `virt_to_physical_map = .., physical_to_virt_map = ..>` of a grid.
Attribute parseGridMaps(AsmParser &parser, ArrayRef<int64_t> shape);

} // namespace mlir::tt::ttcore

#endif // TTJIT_IR_TTCORE_TTCORELAYOUTS_H
