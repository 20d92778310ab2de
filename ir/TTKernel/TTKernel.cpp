//===- TTKernel.cpp - the ttkernel dialect ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTKernel/TTKernel.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt::ttkernel;

#include "ir/TTKernel/TTKernelDialect.cpp.inc"
#include "ir/TTKernel/TTKernelEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/TTKernel/TTKernelAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/TTKernel/TTKernelTypes.cpp.inc"

template <typename OpT> static LogicalResult verifyTransactionId(OpT op) {
  APInt id;
  if (matchPattern(op.getTrid(), m_ConstantInt(&id)) && id.ugt(15))
    return op.emitOpError("the transaction id must be 0 to 15, found ") << id.getSExtValue();
  return success();
}
LogicalResult NocAsyncReadSetTridOp::verify() { return verifyTransactionId(*this); }
LogicalResult NocAsyncWriteSetTridOp::verify() { return verifyTransactionId(*this); }
LogicalResult NocAsyncReadBarrierWithTridOp::verify() { return verifyTransactionId(*this); }
LogicalResult NocAsyncWriteBarrierWithTridOp::verify() { return verifyTransactionId(*this); }

namespace mlir::tt::ttkernel {
// TTKernelResetOps.h, which declares it, includes the header of this file.
void registerResetOps(TTKernelDialect *dialect);
} // namespace mlir::tt::ttkernel

void TTKernelDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/TTKernel/TTKernelAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/TTKernel/TTKernelTypes.cpp.inc"
      >();
  registerTTKernelDialectOperations(this);
  registerSFPUCalls(this);
  registerSFPUInits(this);
  registerResetOps(this);
}
