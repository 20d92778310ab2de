//===- ComputeChoice.cpp - the compute configuration of a kernel --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// In host numerics the width of DST determines only the number of registers. In device
// numerics it determines the bits of nearly every operation. So a kernel that leaves it open
// gets the width that tt-lang (main 334ddc6, July 2026) chooses on a card: 32 bits if 1. an
// element of a buffer of the compute thread has 32 bits, or 2. the kernel multiplies matrices,
// or reduces in full fp32 (on Blackhole not along rows), and broadcasts no tile of a narrower
// format.
//===--------------------------------------------------------------------------===//

#include "tools/session/ComputeChoice.h"

#include "ir/TTCore/TTCore.h"
#include "ir/TTL/ComputeConfigAttrs.h"
#include "ir/TTL/TTL.h"
#include "passes/dst/DSTCapacity.h"
#include "passes/ttkernel/DefaultVariants.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// The operations of the kernel
//===--------------------------------------------------------------------------===//

namespace {
struct MatrixUses {
  bool hasWideBuffer = false, multiplies = false, reduces = false, broadcastsNarrow = false;
};
} // namespace

// Returns whether the op is over the last dimension of its block (1), or the one before it (2).
// These are the dimensions of tiles. The result has the rank of the operand.
static bool hasDim(Operation *op, int64_t fromLast) {
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
  auto shaped = op->getNumResults() ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                                    : RankedTensorType();
  int64_t rank = shaped ? shaped.getRank() : 2;
  return dims && llvm::is_contained(dims.asArrayRef(), rank - fromLast);
}

static bool reducesRowsOnly(Operation *op) { return hasDim(op, 1) && !hasDim(op, 2); }

// Returns whether the op reads tiles whose elements have less than 32 bits.
static bool readsNarrowTiles(Operation *op) {
  bool isNarrow = false;
  op->getOperand(0).getType().walk([&](ttcore::TileType tile) {
    isNarrow |= hw::datumBits(ttcore::getDataFormat(tile.getDataType())) < 32;
  });
  return isNarrow;
}

static MatrixUses findUses(Operation *kernel, const hw::ArchDesc &arch) {
  bool isBlackhole = arch.name.starts_with("blackhole");
  MatrixUses uses;
  kernel->getParentOp()->walk([&](Operation *op) {
    if (isa<ttl::BlockMatmulOp, ttl::TileMatmulOp, ttl::MatmulTilesOp>(op))
      uses.multiplies = true;
    else if (isa<ttl::BlockReduceSumOp, ttl::BlockReduceMaxOp, ttl::TileReduceSumOp,
                 ttl::TileReduceMaxOp, ttl::ReduceTileOp>(op))
      uses.reduces |= !isBlackhole || !reducesRowsOnly(op);
    else if (isa<ttl::BlockBcastOp, ttl::TileBcastOp, ttl::BcastTileOp>(op))
      uses.broadcastsNarrow |= (hasDim(op, 1) || hasDim(op, 2)) && readsNarrowTiles(op);
  });
  return uses;
}

// Returns whether a buffer of the compute thread has elements of 32 bits.
static bool computesOnWideBuffers(Operation *kernel) {
  bool isWide = false;
  kernel->walk([&](ttl::ComputeThreadOp thread) {
    isWide |= hasWideBuffer(acquiredBuffers(thread.getBody()));
  });
  kernel->walk([&](ttl::UnifiedThreadOp thread) {
    isWide |= hasWideBuffer(acquiredBuffers(thread.getBody()));
  });
  return isWide;
}

static bool needsWideRegisters(Operation *kernel, const hw::ArchDesc &arch) {
  if (computesOnWideBuffers(kernel))
    return true;
  MatrixUses uses = findUses(kernel, arch);
  return (uses.multiplies || uses.reduces) && !uses.broadcastsNarrow;
}

//===--------------------------------------------------------------------------===//
// The configuration
//===--------------------------------------------------------------------------===//

hw::ComputeConfig session::withChoices(hw::ComputeConfig config,
                                       const options::ComputeChoices &choices) {
  config.fp32DestAccEn = choices.fp32DestAccEn.value_or(config.fp32DestAccEn);
  config.dstFullSyncEn = choices.dstFullSyncEn.value_or(config.dstFullSyncEn);
  if (choices.mathApproxMode) // a bit field, which value_or cannot set
    config.mathApproxMode = *choices.mathApproxMode;
  config.mathFidelity = choices.mathFidelity.value_or(config.mathFidelity);
  return config;
}

template <typename OpT>
static void choose(OpT op, const options::Options &options, const hw::ArchDesc &arch) {
  bool isOpen = !op.getComputeConfigAttr() || op->hasAttr(ttl::kOpenDSTWidthAttr);
  op->removeAttr(ttl::kOpenDSTWidthAttr);
  bool isDevice = options.numerics == hw::NumericMode::Device;
  bool decides = isDevice && isOpen && isa<ttl::KernelOp>(op);
  if (!decides && options.compute == options::ComputeChoices())
    return;
  hw::ComputeConfig config;
  if (ttcore::ComputeConfigAttr given = op.getComputeConfigAttr())
    config = {given.getFp32DestAccEn(), given.getDstFullSyncEn(),
              static_cast<hw::MathFidelity>(given.getMathFidelity()), hw::NumericMode::Host,
              given.getMathApproxMode()};
  else
    config.fp32DestAccEn = computesOnWideBuffers(op);
  if (decides)
    config.fp32DestAccEn = needsWideRegisters(op, arch);
  config = withChoices(config, options.compute);
  op.setComputeConfigAttr(ttcore::ComputeConfigAttr::get(
      op.getContext(), config.fp32DestAccEn, config.dstFullSyncEn, config.mathApproxMode,
      static_cast<ttcore::MathFidelity>(config.mathFidelity)));
}

void session::chooseComputeConfig(Operation *kernel, const options::Options &options,
                                  const hw::ArchDesc &arch) {
  if (options.numerics == hw::NumericMode::Device)
    kernel->getParentOfType<ModuleOp>()->setAttr(kDefaultVariantsAttr,
                                                 UnitAttr::get(kernel->getContext()));
  if (auto op = dyn_cast<ttl::KernelOp>(kernel))
    choose(op, options, arch);
  else
    choose(cast<ttl::ProgramOp>(kernel), options, arch);
}
