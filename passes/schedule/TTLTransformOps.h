//===- TTLTransformOps.h - scheduling kernels from a schedule file --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `transform.ttl.*`, an extension of the transform dialect. Each op checks its
// conditions before it changes anything, so that a silenceable failure leaves the
// payload unchanged.
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

/// Returns a silenceable failure at `transform`, with a note at the payload op. Stream
/// the message into the result.
inline mlir::DiagnosedSilenceableFailure failAt(mlir::Operation *transform,
                                                mlir::Operation *payload) {
  mlir::DiagnosedSilenceableFailure failure = mlir::emitSilenceableFailure(transform);
  failure.attachNote(payload->getLoc()) << "the transform op was applied to this op";
  return failure;
}

/// Registers the transform dialect with our ops and with upstream's ops for structured
/// ops, loops and functions. It costs nothing until a module uses them.
void registerTransforms(mlir::DialectRegistry &registry);

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_TTLTRANSFORMOPS_H
