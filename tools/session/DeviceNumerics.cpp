//===- DeviceNumerics.cpp - kernels in the card's arithmetic ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// For operations whose bits on the card are not known, --numerics=device computes what
// --numerics=host does and stores the results in the card's way. Such results do not have the
// card's bits, so the user gets a warning for each such operation.
//===--------------------------------------------------------------------------===//

#include "tools/session/DeviceNumerics.h"

#include "hw/facts/Numerics.h"
#include "hw/tile/DeviceLevels.h"
#include "hw/tile/TileMath.h"
#include "ir/Messages/Warnings.h"
#include "ir/TTCore/TTCore.h"
#include "ir/TTCpp/TTCpp.h"
#include "ir/TTKernel/DeviceCalls.h"
#include "ir/TTL/TTL.h"
#include "jit/OnDemandLibrary.h"
#include "passes/ttkernel/NarrowIntegers.h"
#include "tools/session/NumericRules.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::session;

// Returns the storage format of a buffer or block; Invalid if the value is neither.
static hw::DataFormat formatOf(Value value) {
  auto format = hw::DataFormat::Invalid;
  ttkernel::typeOf(value).walk([&](ttcore::TileType tile) {
    format = ttcore::getDataFormat(tile.getDataType());
    return WalkResult::interrupt();
  });
  return format;
}

static bool isProduct(Operation *op) {
  return isa<ttl::MatmulTilesOp>(op) || ttkernel::isCall<ttkernel::MatmulTilesOp>(op);
}

static bool isReduction(Operation *op) {
  return isa<ttl::ReduceTileOp>(op) || ttkernel::isCall<ttkernel::ReduceTileOp>(op);
}

static bool isMaximum(Operation *op) {
  if (auto reduction = dyn_cast<ttl::ReduceTileOp>(op))
    return reduction.getType() == ttl::ReduceType::Max;
  return ttkernel::isCall<ttkernel::ReduceTileOp>(op) &&
         ttkernel::asCall<ttkernel::ReduceTileOp>(op).getReduceType() == ttkernel::ReduceType::Max;
}

static bool isMove(Operation *op) {
  return isa<ttl::BcastTileOp, ttl::TransposeTileOp>(op) ||
         ttkernel::isCall<ttkernel::UnaryBcastOp, ttkernel::TransposeWHTileOp>(op);
}

// Returns the block or buffer whose tiles the op adds to, if it packs with accumulation.
static Value accumulatedInL1(Operation *op) {
  if (auto pack = dyn_cast<ttl::PackTileOp>(op))
    return pack.getAccumulate() ? pack.getBlock() : Value();
  bool isAccumulating = ttkernel::isCall<ttkernel::PackTileOp>(op) &&
                        ttkernel::isCall<ttkernel::PackReconfigL1AccOp>(op->getPrevNode());
  return isAccumulating ? ttkernel::asCall<ttkernel::PackTileOp>(op).getCb() : Value();
}

static std::optional<hw::TileOp> rowOf(Operation *op) {
  if (auto row = dyn_cast<ttcore::TileOpInterface>(op))
    return ttkernel::isInit(op) ? std::nullopt : std::optional(row.getTileOp());
  return ttkernel::isInit(op) ? std::nullopt : ttkernel::rowOf(op);
}

// Returns whether the op converts between formats of narrow integers in buffers and in registers.
static bool isConversion(Operation *op) {
  return ttkernel::isDeviceCall(op) && (ttkernel::attributesOf(op).contains(kUnpackedAttr) ||
                                        ttkernel::attributesOf(op).contains(kPackedAttr));
}

static NumericUse::Kind kindOf(Operation *op) {
  if (isProduct(op))
    return NumericUse::Product;
  if (isReduction(op))
    return isMaximum(op) ? NumericUse::Maximum : NumericUse::Sum;
  return isMove(op) ? NumericUse::Move : NumericUse::Other;
}

// Returns what the op computes; nothing for inits and conversions.
static NumericUse useOf(Operation *op) {
  if (ttkernel::isInit(op) || isConversion(op))
    return {};
  if (Value slot = accumulatedInL1(op))
    return {NumericUse::AccumulatingPack, std::nullopt, {formatOf(slot)}};
  NumericUse use{kindOf(op), rowOf(op), {}};
  for (Value operand : op->getOperands())
    if (hw::DataFormat format = formatOf(operand); format != hw::DataFormat::Invalid)
      use.formats.push_back(format);
  return use;
}

static LogicalResult report(Operation *op, const std::string &what, bool isError) {
  if (isError)
    return op->emitError(unknownError(what));
  emitWarning(WarningKind::Numerics, op) << unknownWarning(what);
  return success();
}

namespace {
// Reports each unknown operation of a kernel once.
struct UnmodelledOps {
  bool isError;
  llvm::StringSet<> known;
  bool hasFailed = false;

  void visit(Operation *op, const NumericRegisters &registers) {
    for (const std::string &what : unknownParts(useOf(op), registers))
      if (known.insert(what).second)
        hasFailed |= failed(report(op, what, isError));
  }
};
} // namespace

std::string session::loadDeviceKernels() {
  if (hw::hasDeviceKernels())
    return "";
  llvm::Expected<void *> use =
      jit::loadFunction("ttjit-device-kernels", hw::kUseDeviceKernelsSymbol);
  if (!use)
    return "cannot load libttjit-device-kernels.so, which computes as a card does: " +
           llvm::toString(use.takeError()) + "; install ttl-jit again, or use --numerics=host";
  reinterpret_cast<void (*)()>(*use)();
  return "";
}

LogicalResult session::applyNumerics(const options::Options &options, plan::LaunchPlan &plan) {
  plan.program.compute.numerics = options.numerics;
  plan.program.compute.halves = hasTilesOf(
      plan.program, [](hw::DataFormat format) { return format == hw::DataFormat::Float16; });
  if (options.numerics == hw::NumericMode::Host)
    return success();
  if (std::string mistake = loadDeviceKernels(); !mistake.empty() && !plan.sources.empty())
    return plan.sources.front().op->emitError(mistake);
  UnmodelledOps ops{options.passes.strict, {}};
  for (auto [thread, source] : llvm::zip(plan.program.threads, plan.sources)) {
    auto result = source.op->walk([](ttcpp::CallOp call) -> WalkResult {
      return call.emitError("--numerics=device: it is not known what the C++ function '")
             << call.getCallee() << "' computes on the card; use --numerics=host";
    });
    if (result.wasInterrupted())
      return failure();
    if (thread.processor != hw::Processor::Compute)
      continue;
    NumericRegisters registers{plan.program.compute.fp32DestAccEn,
                               hasTilesOf(plan.program, hasWideExponents)};
    source.op->walk([&](Operation *op) { ops.visit(op, registers); });
  }
  return failure(ops.hasFailed);
}

std::string session::fidelityName(hw::MathFidelity fidelity) {
  return fidelity == hw::MathFidelity::LoFi ? "LoFi"
                                            : fmt::format("HiFi{}", hw::numPhases(fidelity));
}

std::string session::describeNumerics(const hw::ComputeConfig &config, const hw::ArchDesc &arch) {
  return fmt::format("device numerics: {}, {}, {}{}{}{}", arch.name,
                     fidelityName(config.mathFidelity),
                     config.fp32DestAccEn ? "fp32 DST" : "16-bit DST",
                     config.mathApproxMode ? ", math_approx_mode" : "",
                     config.dstFullSyncEn ? ", dst_full_sync_en" : "",
                     config.bfp8PackPrecise ? ", bfp8_pack_precise" : "");
}

std::string session::configText(const hw::ComputeConfig &config, const std::string &archName) {
  llvm::json::Object settings{
      {"numerics", config.numerics == hw::NumericMode::Device ? "device" : "host"},
      {"arch", archName},
      {"math_fidelity", fidelityName(config.mathFidelity)},
      {"fp32_dest_acc_en", config.fp32DestAccEn},
      {"math_approx_mode", config.mathApproxMode},
      {"dst_full_sync_en", config.dstFullSyncEn}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(settings))).str();
}
