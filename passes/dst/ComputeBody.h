//===- ComputeBody.h - prepares the body of a ttl.compute -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_COMPUTEBODY_H
#define TTJIT_PASSES_DST_COMPUTEBODY_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Moves ops that compute numbers instead of tiles from the body to before the compute.
void hoistNumbers(mlir::tt::ttl::ComputeOp compute);

/// If the input gives registers, checks the rules of the hardware and of later passes:
/// each operation has one of the `capacity` registers, tiles are loaded before they are
/// read, an op in place has the register of its operand, a mask is in the register
/// after its data, and the tiles of an unrolled section do not overwrite each other. If
/// it gives none, checks that no op loads a tile into a register.
mlir::LogicalResult checkRegisters(mlir::tt::ttl::ComputeOp compute, int capacity);

/// Erases ops whose results nobody reads.
void eraseUnusedOps(mlir::tt::ttl::ComputeOp compute);

/// Erases ttl.require_dst, ttl.acquire_dst and ttl.release_dst: once every op has a
/// register, they change nothing.
void eraseMarkers(mlir::tt::ttl::ComputeOp compute);

/// If the compute has an unroll factor, adds the registers of its outputs as
/// kOutputRegistersAttr. checkRegisters() must have succeeded.
void noteOutputRegisters(mlir::tt::ttl::ComputeOp compute);

} // namespace ttjit

#endif // TTJIT_PASSES_DST_COMPUTEBODY_H
