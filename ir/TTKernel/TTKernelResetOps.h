//===- TTKernelResetOps.h - the op that resets buffers --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_TTKERNELRESETOPS_H
#define TTJIT_IR_TTKERNEL_TTKERNELRESETOPS_H

#include "ir/TTKernel/TTKernel.h"

#define GET_OP_CLASSES
#include "ir/TTKernel/TTKernelResetOps.h.inc"

namespace mlir::tt::ttkernel {
void registerResetOps(TTKernelDialect *dialect);

/// Returns a mask with a bit for each of the buffers that are compile-time arguments.
uint64_t maskOf(ValueRange buffers);
} // namespace mlir::tt::ttkernel

#endif // TTJIT_IR_TTKERNEL_TTKERNELRESETOPS_H
