//===- DSTCapacity.cpp - DST registers of a kernel ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/dst/DSTCapacity.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

bool ttjit::hasWideBuffer(ValueRange resources) {
  return llvm::any_of(resources, [](Value resource) {
    auto type = dyn_cast<ttl::CircularBufferType>(resource.getType());
    return type && hw::datumBits(type.getFormat()) == 32;
  });
}
