//===- CarriedValues.cpp - values that cross the border of a region -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/CarriedValues.h"

#include "frontend/walk/IntegerBlocks.h"
#include "frontend/walk/Walker.h"
#include "hw/facts/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Kinds
//===--------------------------------------------------------------------------===//

CarriedKind CarriedValues::kindOf(const ThreadState &state, const Value &value) const {
  if (const BlockExpr *expr = value.getIf<BlockExpr>())
    return {expr->value.getType(), nullptr};
  if (const Transfer *transfer = value.getIf<Transfer>())
    return {transfer->handle.getType(), nullptr};
  if (const Block *block = value.getIf<Block>()) {
    // What a region passes on is a new block, which has no accumulation flag yet.
    const BlockInfo &info = *block->info;
    bool canPass = state.isHeld(info) && state.flagOf(info.id).is<Static>();
    return canPass ? CarriedKind{info.block.getType(), block->info} : CarriedKind{};
  }
  return {walker.scalars.typeOf(value), nullptr};
}

// Whether block expressions may read the block.
bool CarriedValues::isReadable(const BlockInfo &block) const {
  ttl::CircularBufferType type = walker.kernel.buffers[block.buffer].type();
  return !block.reserved && type.isTiled();
}

static bool isNumber(Type type) { return type.isInteger(32) || type.isF32(); }

// One of them is a block or a block expression.
CarriedKind CarriedValues::joinBlocks(const CarriedKind &a, const CarriedKind &b) const {
  if (walker.kind == ThreadKind::DataMovement)
    return {};
  ArrayRef<int64_t> shape;
  std::optional<ttcore::DataType> elements;
  for (const CarriedKind &kind : {a, b}) {
    if (isNumber(kind.type))
      continue;
    bool isValue = kind.block ? isReadable(*kind.block) : ttl::isBlockTensor(kind.type);
    if (!isValue)
      return {};
    ArrayRef<int64_t> own = ttl::getBlockShape(kind.type);
    if (!shape.empty() && shape != own)
      return {};
    shape = own;
    ttcore::DataType ownElements = ttl::getComputedType(kind.type);
    if (elements && elements != ownElements)
      return {};
    elements = ownElements;
  }
  return {ttl::getBlockTensorType(walker.builder.getContext(), shape, *elements), nullptr};
}

CarriedKind CarriedValues::join(const CarriedKind &a, const CarriedKind &b) const {
  if (!a || !b)
    return {};
  bool sameBuffer = a.block && b.block && a.block->buffer == b.block->buffer &&
                    a.block->reserved == b.block->reserved;
  if (sameBuffer || (a.type == b.type && !a.block))
    return a;
  auto isBlock = [](const CarriedKind &kind) {
    return kind.block || ttl::isBlockTensor(kind.type);
  };
  if (isBlock(a) || isBlock(b))
    return joinBlocks(a, b);
  return {Scalars::join(a.type, b.type), nullptr};
}

//===--------------------------------------------------------------------------===//
// Values
//===--------------------------------------------------------------------------===//

mlir::Value CarriedValues::materialize(py::handle node, const Value &value,
                                       const CarriedKind &kind) {
  if (kind.block)
    return value.getIf<Block>()->info->block;
  if (const Transfer *transfer = value.getIf<Transfer>())
    return transfer->handle;
  if (!ttl::isBlockTensor(kind.type))
    return walker.scalars.materialize(node, value, kind.type);
  if (const BlockExpr *expr = value.getIf<BlockExpr>())
    return expr->value;
  // A block's elements, unchanged, as a value.
  Value tensor = value.is<Block>() ? IntegerBlocks(walker, node).copyOf(value)
                                   : walker.blocks.fill(node, value, ttl::getBlockShape(kind.type),
                                                        ttl::getComputedType(kind.type));
  return tensor.getIf<BlockExpr>()->value;
}

bool CarriedValues::hasPlaceholder(const CarriedKind &kind) {
  return kind && !kind.block && !isa<ttl::TransferHandleType>(kind.type);
}

mlir::Value CarriedValues::placeholder(py::handle node, const CarriedKind &kind) {
  if (ttl::isBlockTensor(kind.type))
    return materialize(node, Static{py::int_(0)}, kind);
  return arith::ConstantOp::create(walker.builder, walker.location(node),
                                   walker.builder.getZeroAttr(kind.type));
}

Value CarriedValues::wrap(mlir::Value value, const CarriedKind &kind, ArrayRef<unsigned> replaced) {
  if (kind.block)
    return walker.blocks.passOn(*kind.block, value, replaced);
  if (ttl::isBlockTensor(value.getType()))
    return BlockExpr{value};
  if (isa<ttl::TransferHandleType>(value.getType()))
    return Transfer{value};
  return Scalar{value};
}

//===--------------------------------------------------------------------------===//
// Comparison
//===--------------------------------------------------------------------------===//

static bool sameObject(const Static &a, const Static &b) {
  if (a.object.is(b.object))
    return true;
  return py::type::of(a.object).is(py::type::of(b.object)) &&
         (PyLong_Check(a.object.ptr()) || PyUnicode_Check(a.object.ptr())) &&
         a.object.equal(b.object);
}

bool CarriedValues::same(const Value &a, const Value &b) {
  if (const Static *left = a.getIf<Static>(), *right = b.getIf<Static>(); left && right)
    return sameObject(*left, *right);
  if (const Scalar *left = a.getIf<Scalar>(), *right = b.getIf<Scalar>(); left && right)
    return left->value == right->value;
  if (mlir::Value left = blockOperand(a))
    return left == blockOperand(b);
  if (const Transfer *left = a.getIf<Transfer>(), *right = b.getIf<Transfer>(); left && right)
    return left->handle == right->handle;
  if (const TransferGroup *left = a.getIf<TransferGroup>(), *right = b.getIf<TransferGroup>();
      left && right)
    return left->id == right->id;
  if (const TensorPart *left = a.getIf<TensorPart>(), *right = b.getIf<TensorPart>(); left && right)
    return left->slice == right->slice;
  if (const Function *left = a.getIf<Function>(), *right = b.getIf<Function>(); left && right)
    return left->info == right->info;
  const Tuple *left = a.getIf<Tuple>(), *right = b.getIf<Tuple>();
  return left && right &&
         std::equal(left->items.begin(), left->items.end(), right->items.begin(),
                    right->items.end(), same);
}

namespace {
/// Whether every SSA value of a Value is made outside an op.
struct MadeOutside {
  Operation *op;

  bool operator()(mlir::Value value) const {
    return !value || !op->isAncestor(value.getParentRegion()->getParentOp());
  }
  bool all(const std::vector<Value> &values) const {
    return llvm::all_of(values, [&](const Value &value) { return value.visit(*this); });
  }
  bool operator()(const Static &) const { return true; }
  bool operator()(const Missing &) const { return true; }
  bool operator()(const Scalar &scalar) const { return (*this)(scalar.value); }
  bool operator()(const Block &block) const { return (*this)(block.info->block); }
  bool operator()(const BlockExpr &expr) const { return (*this)(expr.value); }
  bool operator()(const TensorPart &part) const { return (*this)(part.slice); }
  bool operator()(const Transfer &transfer) const { return (*this)(transfer.handle); }
  bool operator()(const TransferGroup &) const { return true; }
  bool operator()(const PipeEnd &pipe) const { return (*this)(pipe.value); }
  bool operator()(const SemaphoreRef &semaphore) const { return (*this)(semaphore.value); }
  bool operator()(const Tuple &tuple) const { return all(tuple.items); }
  bool operator()(const Range &range) const { return all(*range.bounds); }
  bool operator()(const SliceObject &slice) const { return all(*slice.bounds); }
  bool operator()(const Function &function) const { return all(function.info->defaults); }
  bool operator()(const Method &method) const { return method.self->visit(*this); }
};
} // namespace

bool CarriedValues::isOutside(const Value &value, Operation *op) {
  return value.visit(MadeOutside{op});
}

} // namespace ttjit::frontend
