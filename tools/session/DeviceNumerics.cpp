//===- DeviceNumerics.cpp - kernels in the card's arithmetic ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// --numerics=device computes the operations that nobody has modelled as --numerics=host does, and
// stores their results as the card does. Such results do not have the card's bits, so the user is
// warned of each of these operations.
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

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns the storage format of a buffer or block; Invalid if the value is neither.
static hw::DataFormat formatOf(Value value) {
  auto format = hw::DataFormat::Invalid;
  ttkernel::typeOf(value).walk([&](ttcore::TileType tile) {
    format = ttcore::getDataFormat(tile.getDataType());
    return WalkResult::interrupt();
  });
  return format;
}

static bool isFloat16(hw::DataFormat format) { return format == hw::DataFormat::Float16; }

static bool isUInt16(hw::DataFormat format) { return format == hw::DataFormat::UInt16; }

static bool isUInt8(hw::DataFormat format) { return format == hw::DataFormat::UInt8; }

// Returns whether elements in source registers have exponents of 8 bits in every program.
static bool hasWideExponents(hw::DataFormat format) {
  return format == hw::DataFormat::Float16_b || hw::isBlockFloat(format);
}

static bool readsAny(Operation *op, llvm::function_ref<bool(hw::DataFormat)> isWanted) {
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return isWanted(formatOf(operand)); });
}

static bool hasIntegers(Operation *op) {
  return op->getNumOperands() && hw::isIntegerFormat(formatOf(op->getOperand(0)));
}

static bool isProduct(Operation *op) {
  return isa<ttl::MatmulTilesOp>(op) || ttkernel::isCall<ttkernel::MatmulTilesOp>(op);
}

static bool isReduction(Operation *op) {
  return isa<ttl::ReduceTileOp>(op) || ttkernel::isCall<ttkernel::ReduceTileOp>(op);
}

// Returns whether a product has integers that the matrix engine does not multiply.
static bool hasWideIntegers(Operation *product) {
  auto tiles = dyn_cast<ttl::MatmulTilesOp>(product);
  Value right = tiles ? tiles.getRhs() : product->getOperand(1);
  bool areBytes = isUInt8(formatOf(product->getOperand(0))) && isUInt8(formatOf(right));
  return hasIntegers(product) && !areBytes;
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

// A conversion between the formats of narrow integers in the buffers and in the registers.
static bool isConversion(Operation *op) {
  return ttkernel::isDeviceCall(op) && (ttkernel::attributesOf(op).contains(kUnpackedAttr) ||
                                        ttkernel::attributesOf(op).contains(kPackedAttr));
}

// Returns what the op does that is not modelled; empty if everything is.
static std::string unmodelled(Operation *op) {
  if (isConversion(op))
    return "";
  if (std::optional<hw::TileOp> row = rowOf(op); row && !hw::isModelled(*row))
    return std::string("'") + hw::factsOf(*row).name + "'";
  if (isProduct(op))
    return hasWideIntegers(op) ? "products of integers of more than 8 bits" : "";
  if (isReduction(op))
    return hasIntegers(op) ? "reductions of integers" : "";
  if (Value slot = accumulatedInL1(op)) {
    hw::DataFormat format = formatOf(slot);
    bool isKnown = hw::isFloatFormat(format) && !hw::isBlockFloat(format);
    return isKnown ? "" : std::string("accumulation in L1 of ") + hw::formatName(format);
  }
  return "";
}

namespace {
// What decides how the registers of a thread hold the tiles that it reads.
struct Registers {
  bool areWide;   // 32 bits
  bool areMixed;  // whether the program has tiles whose exponents always have 8 bits
  bool getUInt16; // which the unpacker does not widen
};
} // namespace

static bool isMaximum(Operation *op) {
  if (auto reduction = dyn_cast<ttl::ReduceTileOp>(op))
    return reduction.getType() == ttl::ReduceType::Max;
  return ttkernel::isCall<ttkernel::ReduceTileOp>(op) &&
         ttkernel::asCall<ttkernel::ReduceTileOp>(op).getReduceType() == ttkernel::ReduceType::Max;
}

// Returns whether results pass from a register to a source register, or tiles on a path that is
// known for other formats only, if registers have 32 bits.
static bool movesBetweenRegisters(Operation *op) {
  return isReduction(op) || isa<ttl::BcastTileOp, ttl::TransposeTileOp>(op) ||
         ttkernel::isCall<ttkernel::UnaryBcastOp, ttkernel::TransposeWHTileOp>(op);
}

// Returns what the op does with tiles of Float16 that is not modelled.
static std::string unmodelledHalves(Operation *op, const Registers &registers) {
  if (ttkernel::isInit(op) || !readsAny(op, isFloat16))
    return "";
  if (registers.areMixed)
    return "tiles of Float16 beside tiles with exponents of 8 bits";
  if (isMaximum(op))
    return "maxima of Float16";
  bool isUnknown = registers.areWide && movesBetweenRegisters(op);
  return isUnknown ? "reductions, broadcasts and transposes of Float16 in registers of 32 bits"
                   : "";
}

// Returns what the op does with elements that the registers do not hold as this mode does.
static std::string unmodelledElements(Operation *op, const Registers &registers) {
  if (std::string what = unmodelledHalves(op, registers); !what.empty())
    return what;
  auto is32Bit = [](hw::DataFormat format) {
    return hw::isIntegerFormat(format) && !isUInt16(format) && !isUInt8(format);
  };
  if (!registers.areWide && readsAny(op, is32Bit))
    return "integers of 32 bits in registers of 16 bits";
  if (!registers.areWide && isProduct(op) && readsAny(op, isUInt8))
    return "products of UInt8 in registers of 16 bits";
  std::optional<hw::TileOp> row = rowOf(op);
  if (!row || !hw::usesIntegers(*row) || isConversion(op))
    return "";
  std::string name = std::string("'") + hw::factsOf(*row).name + "'";
  if (!registers.areWide)
    return name + " in registers of 16 bits";
  return registers.getUInt16 ? name + " in a thread with tiles of UInt16" : "";
}

static LogicalResult report(Operation *op, const std::string &what, bool isError) {
  if (isError)
    return op->emitError("--strict: the card's result of ")
           << what << " is not known, so --numerics=device cannot compute it";
  emitWarning(WarningKind::Numerics, op)
      << "the card's result of " << what
      << " is not known; it is computed as with --numerics=host and stored as the card stores it";
  return success();
}

namespace {
// Reports each unknown operation of a kernel once.
struct UnmodelledOps {
  bool isError;
  llvm::StringSet<> known;
  bool hasFailed = false;

  void visit(Operation *op, const Registers &registers) {
    for (const std::string &what : {unmodelled(op), unmodelledElements(op, registers)})
      if (!what.empty() && known.insert(what).second)
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
  auto hasTilesOf = [&](bool (*isWanted)(hw::DataFormat)) {
    return llvm::any_of(plan.program.buffers,
                        [&](auto &buffer) { return isWanted(buffer.format); });
  };
  plan.program.compute.halves = hasTilesOf(isFloat16);
  if (options.numerics == hw::NumericMode::Host)
    return success();
  if (std::string mistake = loadDeviceKernels(); !mistake.empty() && !plan.sources.empty())
    return plan.sources.front().op->emitError(mistake);
  UnmodelledOps ops{options.passes.strict};
  for (auto [thread, source] : llvm::zip(plan.program.threads, plan.sources)) {
    auto result = source.op->walk([](ttcpp::CallOp call) -> WalkResult {
      return call.emitError("--numerics=device: it is not known what the C++ function '")
             << call.getCallee() << "' computes on the card; use --numerics=host";
    });
    if (result.wasInterrupted())
      return failure();
    if (thread.processor != hw::Processor::Compute)
      continue;
    Registers registers{plan.program.compute.fp32DestAccEn, hasTilesOf(hasWideExponents), false};
    source.op->walk([&](Operation *op) { registers.getUInt16 |= readsAny(op, isUInt16); });
    source.op->walk([&](Operation *op) { ops.visit(op, registers); });
  }
  return failure(ops.hasFailed);
}

std::string session::fidelityName(hw::MathFidelity fidelity) {
  return fidelity == hw::MathFidelity::LoFi ? "LoFi"
                                            : fmt::format("HiFi{}", hw::numPhases(fidelity));
}

std::string session::describeNumerics(const hw::ComputeConfig &config, const hw::ArchDesc &arch) {
  return fmt::format("device numerics: {}, {}, {}{}{}", arch.name,
                     fidelityName(config.mathFidelity),
                     config.fp32DestAccEn ? "fp32 DST" : "16-bit DST",
                     config.mathApproxMode ? ", math_approx_mode" : "",
                     config.dstFullSyncEn ? ", dst_full_sync_en" : "");
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
