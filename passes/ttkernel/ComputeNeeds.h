//===- ComputeNeeds.h - the setup that a compute call needs ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Three parts of the hardware keep a setup: the unpacker together with the matrix
// engine, the SFPU, and the packer. A call needs a particular setup of one part.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_COMPUTENEEDS_H
#define TTJIT_PASSES_TTKERNEL_COMPUTENEEDS_H

#include "ir/TTKernel/DeviceCalls.h"
#include "passes/common/PassDialects.h"

#include <optional>

namespace ttjit {

enum SetupPart { Unpack, SFPU, Pack, NumParts };

/// The format of a source register whose buffer of float32 is unpacked to DST.
inline constexpr int kFloat32ToDST = 1000;

/// The setup that a call needs. For the unpacker: operation and buffers; for the SFPU:
/// name of the init op; for the packer: format.
struct Setup {
  mlir::Value a, b;
  llvm::StringRef init;
  int format = -1;
  mlir::DictionaryAttr attributes; ///< attributes of a reduction or broadcast

  template <typename InitOp> bool isOf() const { return init == InitOp::getOperationName(); }

  bool isReduction() const { return isOf<mlir::tt::ttkernel::ReduceInitOp>(); }
  bool isBroadcast() const { return isOf<mlir::tt::ttkernel::UnaryBcastInitOp>(); }
  bool isElementwise() const;
  /// Returns whether an uninit call must follow (reductions and broadcasts) before any other
  /// operation.
  bool mustBeUndone() const { return isReduction() || isBroadcast(); }
  /// Returns whether the setup of the SFPU is unknown after this: so it is after calls of the
  /// matrix engine. A copy does not use the matrix engine.
  bool disturbsSFPU() const { return !isOf<mlir::tt::ttkernel::CopyTileInitOp>(); }
  /// Returns whether the unpacker writes float32 to DST as it is. The matrix engine's operands go
  /// through the source registers, as TF32.
  bool bypassesSources() const;
  /// The buffers whose formats SrcA and SrcB have; SrcB's may be null. A matrix product
  /// sends its second factor to SrcA.
  std::pair<mlir::Value, mlir::Value> sources() const;
  /// The format of the source register that gets `buffer`, a number as formatOf() returns, or
  /// kFloat32ToDST.
  int sourceFormat(mlir::Value buffer) const;

  /// Copies and broadcasts from buffers of one format share their setup.
  bool operator==(const Setup &other) const;
};

/// The known setup of each part; nothing if it is unknown.
struct ComputeState {
  std::optional<Setup> parts[NumParts];
  int srcA = -1, srcB = -1; ///< formats of the source registers, -1 unknown

  bool operator==(const ComputeState &) const = default;

  /// Notes the formats that the init of the unpacker gives to the source registers.
  void setSources(const Setup &setup);

  void keepCommon(const ComputeState &other) {
    for (int part = 0; part < NumParts; ++part)
      if (!(parts[part] == other.parts[part]))
        parts[part].reset();
    srcA = srcA == other.srcA ? srcA : -1;
    srcB = srcB == other.srcB ? srcB : -1;
  }
};

struct SetupNeed {
  SetupPart part;
  Setup setup;
};

/// Returns nothing if `op` is no call that needs a setup.
std::optional<SetupNeed> setupNeedOf(mlir::Operation *op);

/// The number of a buffer's data format.
int formatOf(mlir::Value buffer);

/// Returns the buffer into which `op` packs; null if it does not pack.
mlir::Value packTarget(mlir::Operation *op);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_COMPUTENEEDS_H
