//===- ComputeNeeds.h - which setup a call of the compute API needs -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Three parts of the hardware keep a setup: the unpacker with the matrix engine, the SFPU
// and the packer. A call needs one setup of one part.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_COMPUTENEEDS_H
#define TTJIT_PASSES_TTKERNEL_COMPUTENEEDS_H

#include "passes/common/PassDialects.h"

#include <optional>

namespace ttjit {

enum SetupPart { Unpack, SFPU, Pack, NumParts };

/// What a call needs of its part: for the unpacker the operation and its buffers, for
/// the SFPU the init op's name, for the packer the format.
struct Setup {
  mlir::Value a, b;
  llvm::StringRef init;
  int format = -1;
  mlir::DictionaryAttr attributes; ///< of a reduction or broadcast

  template <typename InitOp> bool isOf() const { return init == InitOp::getOperationName(); }

  bool isReduction() const { return isOf<mlir::tt::ttkernel::ReduceInitOp>(); }
  bool isBroadcast() const { return isOf<mlir::tt::ttkernel::UnaryBcastInitOp>(); }
  bool isElementwise() const;
  /// A reduction or broadcast must be undone before anything else is computed.
  bool mustBeUndone() const { return isReduction() || isBroadcast(); }
  /// A call of the matrix engine leaves the SFPU's setup unknown. A copy does not use the
  /// matrix engine.
  bool disturbsSFPU() const { return !isOf<mlir::tt::ttkernel::CopyTileInitOp>(); }
  /// The buffers whose formats SrcA and SrcB have; SrcB's may be null. A product feeds its
  /// second factor to SrcA.
  std::pair<mlir::Value, mlir::Value> sources() const;

  bool operator==(const Setup &other) const = default;
};

struct SetupNeed {
  SetupPart part;
  Setup setup;
};

/// Nothing for an op that is no call which needs a setup.
std::optional<SetupNeed> setupNeedOf(mlir::Operation *op);

/// The number of a buffer's data format.
int formatOf(mlir::Value buffer);

/// The buffer into which `op` packs; null if it is no pack.
mlir::Value packTarget(mlir::Operation *op);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_COMPUTENEEDS_H
