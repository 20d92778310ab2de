//===- ReductionScale.cpp - numbers that scale reductions ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// shareReductions():
// 1. Look at each pair of sums of one block over the same dimensions, in one IR block. Nothing
//    between them may overwrite or release the summed block.
// 2. If the scalings are the same number, they are one sum. If only the second is scaled, and by a
//    power of two, which is exact, it is the first one times that number.
// 3. A product costs a register, or a pass through L1. It is worth that if the stores of both
//    become one compute, or if it replaces the reduction of many tiles.
//===--------------------------------------------------------------------------===//

#include "passes/compute/ReductionScale.h"

#include "ir/TTL/TTLElementwiseOps.h"
#include "passes/compute/BlockExpressions.h"
#include "passes/compute/ComputeFormer.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static bool isFloat32(Type block) {
  return ttl::getBlockTensorType(block.getContext(), ttl::getBlockShape(block)) == block;
}

std::optional<APFloat> ttjit::knownScaling(Operation *reduction, bool ofIntegers) {
  if (reduction->getNumOperands() == 1)
    return ofIntegers ? APFloat(llvm::bit_cast<float>(uint32_t(1))) : APFloat(1.0f);
  auto fill = reduction->getOperand(1).getDefiningOp<ttl::BlockFillOp>();
  APFloat number(0.0f);
  if (!fill || ofIntegers || !isFloat32(fill.getType()) ||
      !matchPattern(fill.getValue(), m_ConstantFloat(&number)))
    return {};
  return number;
}

static bool isReductionOfFloats(Operation *op) {
  return isReduction(op) &&
         ttl::getComputedType(op->getOperand(0).getType()) == ttcore::DataType::Float32;
}

Operation *ttjit::reductionOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (isReduction(op))
    return op;
  auto row = dyn_cast_or_null<ttcore::TileOpInterface>(op);
  APFloat number(0.0f);
  if (!row || row.getTileOp() != hw::TileOp::MulUnary ||
      !isReductionOfFloats(op->getOperand(0).getDefiningOp()) ||
      !matchPattern(op->getOperand(1), m_ConstantFloat(&number)) || !number.isFinite() ||
      number.isZero() || number.isNegative())
    return nullptr;
  return op->getOperand(0).getDefiningOp();
}

static bool isComputedWith(OpOperand &use) {
  return ttl::isBlockExpression(use.getOwner()) && !isReadFromL1(use);
}

ttl::BlockStoreOp ttjit::storeOf(OpOperand &use) {
  Operation *user = use.getOwner();
  bool isProduct = isComputedWith(use) && user->hasOneUse() && reductionOf(user->getResult(0));
  return dyn_cast<ttl::BlockStoreOp>(isProduct ? *user->user_begin() : user);
}

bool ttjit::needsZerosInDST(Operation *reduction) {
  return llvm::any_of(reduction->getUses(), [](OpOperand &use) {
    return isComputedWith(use) && (!reductionOf(use.getOwner()->getResult(0)) ||
                                   llvm::any_of(use.getOwner()->getUses(), isComputedWith));
  });
}

//===--------------------------------------------------------------------------===//
// Reductions of one block
//===--------------------------------------------------------------------------===//

// Returns whether the ops between the two, which are in one IR block, leave the block as it is. An
// expression keeps its value.
static bool isKeptBetween(Value block, Operation *first, Operation *second) {
  if (!isa<ttl::BlockType>(block.getType()))
    return true;
  for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
    if (op->getNumRegions() > 0 || clobberedBlock(op) == block)
      return false;
  return true;
}

// Returns the number with which the first sum must be multiplied to be the second, if there is one.
static std::optional<APFloat> factorBetween(ttl::BlockReduceSumOp first,
                                            ttl::BlockReduceSumOp second) {
  if (first.getInput() != second.getInput() || first.getDims() != second.getDims() ||
      first.getType() != second.getType())
    return {};
  APFloat one(1.0f);
  if (first.getScaling() == second.getScaling())
    return one;
  std::optional<APFloat> from = knownScaling(first, false), to = knownScaling(second, false);
  if (!isReductionOfFloats(first) || !from || !to)
    return {};
  if (*from == *to)
    return one;
  bool isExact =
      *from == one && to->isNormal() && !to->isNegative() && to->getExactLog2Abs() != INT_MIN;
  return isExact ? to : std::nullopt;
}

// Returns how many tiles are reduced to one.
static int64_t countTiles(ttl::BlockReduceSumOp sum) {
  int64_t count = 1;
  for (int64_t dim : sum.getDims())
    count *= ttl::getBlockShape(sum.getInput().getType())[dim];
  return count;
}

static bool isWorthSharing(ttl::BlockReduceSumOp first, ttl::BlockReduceSumOp second) {
  constexpr int64_t kManyTiles = 4;
  ttl::BlockStoreOp a, b;
  if (first->hasOneUse() && second->hasOneUse()) {
    a = storeOf(*first->use_begin());
    b = storeOf(*second->use_begin());
  }
  return countTiles(first) >= kManyTiles ||
         (a && b && (mayBeOneCompute(a, b) || mayBeOneCompute(b, a)));
}

// Replaces `second` if it is a multiple of `first`. Either may come before the other.
static bool replaceByProduct(ttl::BlockReduceSumOp first, ttl::BlockReduceSumOp second) {
  std::optional<APFloat> factor = factorBetween(first, second);
  bool isInOrder = first->isBeforeInBlock(second);
  Operation *early = isInOrder ? first : second, *late = isInOrder ? second : first;
  if (!factor || !isKeptBetween(first.getInput(), early, late) || !isWorthSharing(first, second))
    return false;
  // The scaling may be made, or overwritten, between the two.
  if (Value scaling = first.getScaling();
      scaling && (!isInOrder || !isKeptBetween(scaling, early, late)))
    return false;
  if (!isInOrder)
    first->moveBefore(second);
  Value product = first;
  if (*factor != APFloat(1.0f)) {
    OpBuilder builder(second);
    Location loc = second.getLoc();
    Value number =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(factor->convertToFloat()));
    product =
        ttl::createBlockRow(builder, loc, hw::TileOp::MulUnary, second.getType(), {first, number});
  }
  second.replaceAllUsesWith(product);
  second.erase();
  return true;
}

static void shareReductions(Block &block) {
  auto all = llvm::to_vector(block.getOps<ttl::BlockReduceSumOp>());
  SmallVector<ttl::BlockReduceSumOp> sums;
  for (ttl::BlockReduceSumOp sum : all)
    if (llvm::none_of(sums, [&](auto known) { return replaceByProduct(known, sum); }))
      sums.push_back(sum);
  // What is left may be means that come before their sums.
  for (ttl::BlockReduceSumOp &mean : sums)
    for (ttl::BlockReduceSumOp sum : sums)
      if (sum && sum != mean && replaceByProduct(sum, mean)) {
        mean = {};
        break;
      }
}

void ttjit::shareReductions(ttl::ComputeThreadOp thread) {
  thread.walk([](Block *block) { ::shareReductions(*block); });
}
