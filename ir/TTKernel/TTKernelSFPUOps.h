//===- TTKernelSFPUOps.h - calls of the rows of hw/facts/TileOps.def *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The rows of a kind share a class. ttcore::TileOpInterface gives the row of an op.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_TTKERNELSFPUOPS_H
#define TTJIT_IR_TTKERNEL_TTKERNELSFPUOPS_H

#include "ir/TTCore/TileRows.h"
#include "ir/TTKernel/TTKernel.h"

#define GET_OP_CLASSES
#include "ir/TTKernel/TTKernelTileClasses.h.inc"

#endif // TTJIT_IR_TTKERNEL_TTKERNELSFPUOPS_H
