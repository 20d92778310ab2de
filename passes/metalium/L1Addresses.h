//===- L1Addresses.h - addresses of L1 from circular buffers --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_L1ADDRESSES_H
#define TTJIT_PASSES_METALIUM_L1ADDRESSES_H

#include "passes/metalium/DeviceProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ttjit::tometalium {

/// Replaces each address that is a constant by an offset from the buffer that contains it: the
/// card's runtime chooses the address. A thread reads the address of a buffer's first page at its
/// start, before it pushes pages. Fails if no buffer contains an address.
mlir::LogicalResult useBufferAddresses(mlir::func::FuncOp function, const DeviceProgram &program);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_L1ADDRESSES_H
