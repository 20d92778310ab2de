//===- CopyKernel.cpp - copies between layouts --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttir/Kernels.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

ttl::KernelOp ttjit::makeCopyKernel(const KernelPlace &place, Location loc, StringRef name,
                                    RankedTensorType from, RankedTensorType to) {
  Shape steps = tilesOf(to);
  BlockShape block{1, divisorUpTo(steps.back(), 8)};
  steps.back() /= block.columns;
  KernelBuilder kernel(place.module, loc, name, {from, to}, steps, place.cores);
  Value buffer = kernel.addBuffer("in", to, block);
  auto tilesOfStep = [&](ValueRange step) {
    SmallVector<Value> tiles(step);
    tiles.back() = kernel.times(tiles.back(), block.columns);
    return tiles;
  };
  kernel.addDataMovement("reader",
                         [&](ValueRange step) { kernel.load(0, tilesOfStep(step), buffer); });
  kernel.addDataMovement("writer",
                         [&](ValueRange step) { kernel.store(buffer, 1, tilesOfStep(step)); });
  return kernel.kernel();
}
