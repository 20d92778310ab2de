//===- MixedFormats.cpp - float32 beside other types in an expression ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// DST registers hold float32 here. tt-lang's compiler chooses their format for the blocks of each
// store, and refuses a store with blocks of float32 and of other types, unless it knows how each
// block becomes a float32: by typecast(), or in a matrix product.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/MixedFormats.h"

#include "ir/Messages/Warnings.h"
#include "ir/TTL/DtypeNames.h"
#include "ir/TTL/TTLElementwiseOps.h"
#include "passes/common/DataFlow.h"
#include "passes/common/Describe.h"
#include "passes/ttl/CardRules.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using hw::DataFormat;

// Returns the format of a block's elements; nothing for integers, which expressions always convert.
static std::optional<DataFormat> floatFormat(Value block) {
  auto type = cast<ttl::BlockType>(block.getType());
  auto tile = dyn_cast<ttcore::TileType>(type.getTensorType().getElementType());
  if (!tile || !tile.isFloat())
    return std::nullopt;
  return ttcore::getDataFormat(tile.getDataType());
}

// Returns whether the op is a typecast(). The one to float32 is a product with 1.
static bool isTypecast(Operation *op) {
  auto row = dyn_cast<ttcore::TileOpInterface>(op);
  if (!row)
    return false;
  switch (row.getTileOp()) {
  case hw::TileOp::ToBFloat16:
  case hw::TileOp::ToFloat16:
    return true;
  case hw::TileOp::MulUnary:
    return matchPattern(op->getOperand(1), m_OneFloat());
  default:
    return false;
  }
}

// Returns the uses of blocks in the expression that is stored.
static SmallVector<OpOperand *> findReads(ttl::BlockStoreOp store) {
  SmallVector<OpOperand *> reads, uses{&store.getSrcMutable()};
  DenseSet<Operation *> seen;
  for (size_t i = 0; i < uses.size(); ++i) {
    if (isa<ttl::BlockType>(uses[i]->get().getType()))
      reads.push_back(uses[i]);
    Operation *op = uses[i]->get().getDefiningOp();
    if (op && ttl::isBlockExpression(op) && seen.insert(op).second)
      for (OpOperand &operand : op->getOpOperands())
        uses.push_back(&operand);
  }
  return reads;
}

namespace {
// The formats of the blocks of a store.
class StoreFormats {
public:
  explicit StoreFormats(ttl::BlockStoreOp store) : reads(findReads(store)) {
    for (OpOperand *read : reads)
      if (std::optional<DataFormat> format = floatFormat(read->get()))
        formats.insert(*format);
    inputs = formats.size();
    if (std::optional<DataFormat> format = floatFormat(store.getDst()))
      formats.insert(*format);
  }

  LogicalResult check() const;

private:
  void report(OpOperand *read) const;

  SmallVector<OpOperand *> reads;
  SetVector<DataFormat> formats;
  size_t inputs;
};
} // namespace

LogicalResult StoreFormats::check() const {
  if (formats.size() < 2 || !formats.contains(DataFormat::Float32))
    return success();
  SmallVector<OpOperand *> refused;
  for (OpOperand *read : reads) {
    Operation *reader = read->getOwner();
    if (floatFormat(read->get()) && !isa<ttl::BlockMatmulOp>(reader) && !isTypecast(reader))
      refused.push_back(read);
  }
  if (refused.empty())
    return success();
  auto isShort = [](OpOperand *read) { return floatFormat(read->get()) != DataFormat::Float32; };
  auto *found = llvm::find_if(refused, isShort);
  report(found == refused.end() ? refused.front() : *found);
  return failure();
}

void StoreFormats::report(OpOperand *read) const {
  DataFormat format = *floatFormat(read->get());
  auto isOther = [&](DataFormat other) { return other != format; };
  DataFormat other =
      format == DataFormat::Float32 ? *llvm::find_if(formats, isOther) : DataFormat::Float32;
  Operation *origin = originsOf(read->get()).front();
  bool isKnown = isa_and_present<ttl::CBWaitOp, ttl::CBReserveOp>(origin);
  InFlightDiagnostic diagnostic = emitCardRule(/*isError=*/true, read->getOwner());
  diagnostic << "this uses " << (isKnown ? describeBlock(origin) : "a block") << ", of "
             << ttl::getDtypeName(format) << ", with a block of " << ttl::getDtypeName(other)
             << kRefused;
  if (inputs > 1)
    diagnostic << "store ttl.typecast(block, ttnn.float32) of each block that is not float32 into "
                  "a buffer of float32 before, and use its blocks";
  else
    diagnostic << "write ttl.typecast(block, ttnn." << ttl::getDtypeName(other)
               << ") for each block that this reads";
}

LogicalResult ttjit::checkFormats(Operation *thread) {
  bool ok = true;
  thread->walk([&](ttl::BlockStoreOp store) { ok &= succeeded(StoreFormats(store).check()); });
  return success(ok);
}
