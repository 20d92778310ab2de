//===- TTKernelSFPUOps.h - calls of the rows of hw/facts/TileOps.def -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Include this only to name one of these ops; ttcore::TileOpInterface gives the row of
// any.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_SFPUOPS_H
#define TTJIT_IR_TTKERNEL_SFPUOPS_H

#include "hw/facts/TileOps.h"
#include "ir/TTKernel/TTKernel.h"

#define GET_OP_CLASSES
#include "ir/TTKernel/TTKernelSFPUCalls.h.inc"
#define GET_OP_CLASSES
#include "ir/TTKernel/TTKernelSFPUInits.h.inc"

#endif // TTJIT_IR_TTKERNEL_SFPUOPS_H
