//===- ProductBlocks.cpp - which products matmul_block computes ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 1. Group the products by their two buffers and their section of DST registers.
// 2. A group is a block if its numbers of left and right tiles, over those of one register, are the
//    sides of a rectangle with as many registers as the group has.
// 3. The products of two buffers are told as blocks if each of their groups is the same block: one
//    init announces all of them.
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/ProductBlocks.h"

#include "ir/TTKernel/TTKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

using BufferPair = std::pair<Value, Value>;

namespace {
struct Group {
  SmallVector<ttkernel::MatmulTilesOp> products;
  llvm::SmallSet<int64_t, 8> left, right, registers;
  bool isRegular = true; // whether all registers are known

  void add(ttkernel::MatmulTilesOp product);
  std::string block() const;
};
} // namespace

// Returns the acquire of the section in which an op is; null if there is none.
static Operation *sectionOf(Operation *op) {
  for (; op && !isa<func::FuncOp>(op); op = op->getParentOp())
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (isa<ttkernel::TileRegsAcquireOp>(before))
        return before;
  return nullptr;
}

// Returns the number in the sum that a value is.
static int64_t offsetOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    return offsetOf(cast.getIn());
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return offsetOf(sum.getLhs()) + offsetOf(sum.getRhs());
  auto product = value.getDefiningOp<arith::MulIOp>();
  return product && matchPattern(product.getRhs(), m_ConstantInt(&number))
             ? offsetOf(product.getLhs()) * number.getSExtValue()
             : 0;
}

void Group::add(ttkernel::MatmulTilesOp product) {
  APInt number;
  isRegular &= matchPattern(product.getDst(), m_ConstantInt(&number));
  products.push_back(product);
  left.insert(offsetOf(product.getIndex0()));
  right.insert(offsetOf(product.getIndex1()));
  registers.insert(offsetOf(product.getDst()));
}

// Returns the sides of the rectangle of registers; empty if it is no block.
std::string Group::block() const {
  size_t count = registers.size(), steps = count ? products.size() / count : 0;
  if (!isRegular || count < 2 || steps * count != products.size())
    return {};
  size_t rows = left.size() / steps, columns = right.size() / steps;
  bool isRectangle = rows * steps == left.size() && columns * steps == right.size();
  return isRectangle && rows * columns == count
             ? "matmul_block:" + std::to_string(rows) + "x" + std::to_string(columns)
             : std::string();
}

ProductBlocks::ProductBlocks(func::FuncOp thread) {
  llvm::MapVector<BufferPair, llvm::MapVector<Operation *, Group>> groups;
  thread.walk([&](ttkernel::MatmulTilesOp product) {
    groups[{product.getIn0(), product.getIn1()}][sectionOf(product)].add(product);
  });
  for (auto &[buffers, sections] : groups) {
    std::string word = sections.front().second.block();
    if (word.empty() ||
        !llvm::all_of(sections, [&](auto &each) { return each.second.block() == word; }))
      continue;
    for (auto &[acquire, group] : sections)
      for (ttkernel::MatmulTilesOp product : group.products)
        words[product] = word;
  }
}
