//===- TTLTransformOps.h - scheduling kernels from a schedule file --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `transform.ttl.*`: an extension of the transform dialect. Ops check before they
// change anything, so that a silenceable failure leaves the payload as it was.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_TTLTRANSFORMOPS_H
#define TTJIT_PASSES_SCHEDULE_TTLTRANSFORMOPS_H

#include "ir/TTL/TTL.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#define GET_OP_CLASSES
#include "passes/schedule/TTLTransformOps.h.inc"

namespace ttjit {

/// A silenceable failure at `transform`, with a note at the payload op. The
/// message is streamed into the result.
inline mlir::DiagnosedSilenceableFailure failAt(mlir::Operation *transform,
                                                mlir::Operation *payload) {
  mlir::DiagnosedSilenceableFailure failure = mlir::emitSilenceableFailure(transform);
  failure.attachNote(payload->getLoc()) << "applied to this op";
  return failure;
}

/// Makes the transform dialect known, with our ops and upstream's for structured
/// ops, loops and functions. Costs nothing until a module uses it.
void registerTransforms(mlir::DialectRegistry &registry);

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_TTLTRANSFORMOPS_H
