//===- TTKernelResetOps.cpp - the op that resets buffers ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTKernel/TTKernelResetOps.h"

#include "ir/TTKernel/DeviceCalls.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttkernel;

#define GET_OP_CLASSES
#include "ir/TTKernel/TTKernelResetOps.cpp.inc"

void ttkernel::registerResetOps(TTKernelDialect *dialect) {
  RegisteredOperationName::insert<CBResetOp>(*dialect);
}

uint64_t CBResetOp::getMask() { return maskOf(getBuffers()); }

uint64_t ttkernel::maskOf(ValueRange buffers) {
  uint64_t mask = 0;
  for (Value buffer : buffers)
    if (auto argument = definingCall<GetCompileTimeArgValOp>(buffer))
      mask |= uint64_t{1} << (argument.getIndex() & 63);
  return mask;
}
