//===- KernelModule.cpp - a kernel in a module of its own ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/KernelModule.h"

#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::tt;

OwningOpRef<ModuleOp> ttl::moduleOfKernel(ModuleOp module, Operation *kernel) {
  OwningOpRef<ModuleOp> result = ModuleOp::create(module.getLoc());
  result->push_back(kernel->clone());
  kernel->walk([&](ttl::ThreadOp thread) {
    if (!result->lookupSymbol(thread.getCallee()))
      result->push_back(module.lookupSymbol(thread.getCallee())->clone());
  });
  return result;
}
