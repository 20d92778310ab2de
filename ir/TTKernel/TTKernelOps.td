//===- TTKernelOps.td - all ops of ttkernel --------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

include "ir/TTKernel/TTKernelComputeOps.td"
include "ir/TTKernel/TTKernelFPUOps.td"
include "ir/TTKernel/TTKernelDataMovementOps.td"
include "ir/TTKernel/TTKernelNocOps.td"
include "ir/TTKernel/TTKernelHostOps.td"
