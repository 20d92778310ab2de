//===- BlockExpressions.cpp - expressions on whole blocks ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A block expression is computed when its op runs; its value is in tiles of the frame.
// Compute.cpp and Tiles.cpp have the rules of element-wise block expressions, together with
// those of the tile operations.
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"
#include "interp/ops/TileRules.h"

#include "hw/tile/TileMath.h"
#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

//===--------------------------------------------------------------------------===//
// Matmul
//===--------------------------------------------------------------------------===//

namespace {
// Numbers of the first tiles of the matrices of one product.
struct Product {
  TileNumber lhs, rhs, to;
};
struct MatmulDetail : Detail {
  SmallVector<Product> products;
  std::optional<TileNumber> acc;
  TileNumber to;
  uint32_t rows, inner, columns;
  bool ofIntegers = false;
};
} // namespace

// sum = from + a[0] @ b[0] + ...; `from` may be null.
static void multiplyChain(const MatmulDetail &op, ArrayRef<const float *> a,
                          ArrayRef<const float *> b, const float *from, float *sum,
                          const hw::TileKernels &kernels) {
  int count = static_cast<int>(a.size());
  if (!op.ofIntegers)
    return kernels.multiplyChain({a.data(), b.data(), count, from, sum});
  if (from)
    std::memcpy(sum, from, kTileBytes);
  for (int k = 0; k < count; ++k)
    kernels.matmulInt(a[k], b[k], sum, /*accIsZero=*/k == 0 && !from);
}

// Computes one product of matrices. Each element of the result adds its products over ascending k,
// through the whole inner dimension.
static void multiply(const MatmulDetail &op, const Product &product, Frame &frame) {
  SmallVector<const float *> a(op.inner), b(op.inner);
  for (uint32_t column = 0; column < op.columns; ++column) {
    for (uint32_t k = 0; k < op.inner; ++k)
      b[k] = frame.tile(product.rhs + k * op.columns + column);
    for (uint32_t row = 0; row < op.rows; ++row) {
      for (uint32_t k = 0; k < op.inner; ++k)
        a[k] = frame.tile(product.lhs + row * op.inner + k);
      TileNumber to = product.to + row * op.columns + column;
      const float *from = op.acc ? frame.tile(*op.acc + (to - op.to)) : nullptr;
      multiplyChain(op, a, b, from, frame.tile(to), *frame.thread.tiles);
    }
  }
}

static hw::Status runMatmul(const Instruction &inst, Frame &frame) {
  const auto &op = static_cast<const MatmulDetail &>(*inst.detail);
  for (const Product &product : op.products)
    multiply(op, product, frame);
  return hw::Status::Ok;
}

// Returns the row-major number of the matrix at position `at` of a block's leading dimensions. The
// block may have fewer leading dimensions than `at`; its dimensions of extent 1 are broadcast.
static uint32_t matrixAt(ArrayRef<int64_t> at, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> leading = shape.drop_back(2);
  int64_t number = 0;
  for (auto [position, extent] : llvm::zip_equal(at.take_back(leading.size()), leading))
    number = number * extent + (extent == 1 ? 0 : position);
  return static_cast<uint32_t>(number);
}

// Returns all positions along the leading dimensions of a block, in row-major order.
static SmallVector<SmallVector<int64_t>> leadingPlaces(ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> leading = shape.drop_back(2);
  SmallVector<SmallVector<int64_t>> places;
  SmallVector<int64_t> at(leading.size(), 0);
  for (int64_t count = llvm::product_of(leading); count > 0; --count) {
    places.push_back(at);
    for (size_t i = at.size(); i-- > 0 && ++at[i] == leading[i];)
      at[i] = 0;
  }
  return places;
}

static llvm::Error matmul(ttl::BlockMatmulOp op, FunctionCompiler &compiler) {
  auto detail = std::make_unique<MatmulDetail>();
  TileNumber lhs = loadOperand(op, op.getLhs(), compiler);
  TileNumber rhs = loadOperand(op, op.getRhs(), compiler);
  if (op.getAcc())
    detail->acc = compiler.tilesOf(op.getAcc());
  detail->to = compiler.tilesOf(op);
  detail->ofIntegers = ttl::getComputedType(op.getType()) != ttcore::DataType::Float32;
  ArrayRef<int64_t> left = ttl::getBlockShape(op.getLhs().getType());
  ArrayRef<int64_t> right = ttl::getBlockShape(op.getRhs().getType());
  detail->rows = left[left.size() - 2];
  detail->inner = left.back();
  detail->columns = right.back();
  for (ArrayRef<int64_t> at : leadingPlaces(ttl::getBlockShape(op.getType())))
    detail->products.push_back({lhs + matrixAt(at, left) * detail->rows * detail->inner,
                                rhs + matrixAt(at, right) * detail->inner * detail->columns,
                                detail->to + static_cast<uint32_t>(detail->products.size()) *
                                                 detail->rows * detail->columns});
  compiler.emit(op, runMatmul, {}).detail = std::move(detail);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Stores and choices
//===--------------------------------------------------------------------------===//

static llvm::Error store(ttl::BlockStoreOp op, FunctionCompiler &compiler) {
  TileNumber tiles = loadOperand(op, op.getSrc(), compiler);
  auto block = cast<ttl::BlockType>(op.getDst().getType());
  emitPack(op, tiles, compiler.slotOf(op.getDst()), compiler.constantSlot(Slot::of(int64_t(0))),
           static_cast<uint32_t>(block.getTensorType().getNumElements()), op.getAccumulate(),
           compiler);
  return llvm::Error::success();
}

// Operands: condition, tiles of both choices, tiles of the result, number of tiles.
static hw::Status runSelectBlock(const Instruction &inst, Frame &frame) {
  TileNumber from = inst.operands[inst.operand<bool>(frame, 0) ? 1 : 2];
  std::memcpy(frame.tile(inst.operands[3]), frame.tile(from), inst.operands[4] * kTileBytes);
  return hw::Status::Ok;
}

void interp::emitSelect(Operation *op, FunctionCompiler &compiler) {
  compiler.emit(op, runSelectBlock,
                {compiler.slotOf(op->getOperand(0)), compiler.tilesOf(op->getOperand(1)),
                 compiler.tilesOf(op->getOperand(2)), compiler.tilesOf(op->getResult(0)),
                 countTiles(op->getResult(0).getType())});
}

void interp::addBlockExpressionOps(OpTable &table) {
  table.add<ttl::BlockMatmulOp, matmul>();
  table.add<ttl::BlockStoreOp, store>();
}
