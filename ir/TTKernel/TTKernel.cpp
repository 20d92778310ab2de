//===- TTKernel.cpp - the ttkernel dialect ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTKernel/TTKernel.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt::ttkernel;

#include "ir/TTKernel/TTKernelDialect.cpp.inc"
#include "ir/TTKernel/TTKernelEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/TTKernel/TTKernelAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/TTKernel/TTKernelTypes.cpp.inc"

#define GET_OP_CLASSES
#include "ir/TTKernel/TTKernelOps.cpp.inc"

void TTKernelDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/TTKernel/TTKernelAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/TTKernel/TTKernelTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/TTKernel/TTKernelOps.cpp.inc"
      >();
}
