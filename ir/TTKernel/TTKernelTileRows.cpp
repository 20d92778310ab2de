//===- TTKernelTileRows.cpp - calls of the rows of hw/facts/TileOps.def -------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTKernel/TTKernelSFPUOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttkernel;

#define GET_OP_CLASSES
#include "ir/TTKernel/TTKernelTileClasses.cpp.inc"

// Returns whether the row's initialisation is named after its call. Any other serves all rows
// that name it.
static bool hasOwnInit(const ttjit::hw::TileOpFacts &row) {
  return StringRef(row.init) == (Twine(row.call) + "_init").str();
}

void ttkernel::registerTileRows(TTKernelDialect *dialect) {
  for (const ttjit::hw::TileOpFacts &row : ttjit::hw::kTileOps) {
    ttcore::registerTileRow<SFPUUnaryOp, SFPUUnaryParamOp, SFPUUnaryIntOp, SFPUBinaryOp,
                            SFPUTernaryOp, SFPUMaskOp>(*dialect, row.call, row.op);
    if (hasOwnInit(row))
      ttcore::TileRowModel<SFPUInitOp>::insert(*dialect, row.init, row.op);
  }
  for (const ttjit::hw::TileOpFacts &row : ttjit::hw::kTileOps) {
    std::string name = ("ttkernel." + Twine(row.init)).str();
    if (!RegisteredOperationName::lookup(name, dialect->getContext()))
      ttcore::TileRowModel<SharedSFPUInitOp>::insert(*dialect, row.init, row.op);
  }
}
