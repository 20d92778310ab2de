//===- CarriedValues.cpp - values that cross the border of a region -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/control/CarriedValues.h"

#include "frontend/walk/blocks/BlockMath.h"
#include "frontend/walk/blocks/Blocks.h"
#include "frontend/walk/blocks/CountedBlocks.h"
#include "frontend/walk/blocks/IntegerBlocks.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Ast.h"
#include "hw/facts/TileOps.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Kinds
//===--------------------------------------------------------------------------===//

CarriedKind CarriedValues::kindOf(const ThreadState &state, const Value &value) const {
  if (value.is<Missing>())
    return {};
  CarriedKind kind{value->carriedType(walker), nullptr, value, {}};
  if (const Block *block = value.getIf<Block>(); block && !block->info->ticket) {
    if (!state.isHeld(*block->info))
      return {};
    kind.block = block->info;
  }
  for (const Value &part : value->parts()) {
    kind.parts.push_back(kindOf(state, part));
    if (!kind.parts.back())
      return {};
  }
  return kind;
}

CarriedKind CarriedValues::loosened(CarriedKind kind, bool isPart) const {
  if (kind.type && !(isPart && kind.block))
    kind.value.reset();
  for (CarriedKind &part : kind.parts)
    part = loosened(std::move(part), /*isPart=*/true);
  return kind;
}

CarriedKind CarriedValues::kindInLoop(const ThreadState &state, const Value &value) const {
  return loosened(kindOf(state, value), /*isPart=*/false);
}

CarriedKind CarriedValues::leaving(CarriedKind kind, Operation *op) const {
  if (!kind || (kind.value && kind.parts.empty() && isOutside(*kind.value, op)))
    return kind;
  if (kind.parts.empty())
    kind.value.reset();
  for (CarriedKind &part : kind.parts) {
    part = leaving(std::move(part), op);
    if (!part)
      return {};
  }
  return kind;
}

// Returns whether block expressions may read the block.
bool CarriedValues::isReadable(const BlockInfo &block) const {
  ttl::CircularBufferType type = walker.kernel.buffers[block.buffer].type();
  return !block.reserved && type.isTiled();
}

static bool isNumber(Type type) { return type.isInteger(32) || type.isF32(); }

// Joins two kinds, at least one of which is a block or a block expression.
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
  return {ttl::getBlockTensorType(walker.builder.getContext(), shape, *elements), nullptr, {}, {}};
}

// Returns the kind of the elements of a block that is counted at run time; `kind` for other values.
CarriedKind CarriedValues::withoutTicket(const CarriedKind &kind) const {
  const Block *block = kind.value ? kind.value->getIf<Block>() : nullptr;
  if (!block || !block->info->ticket)
    return kind;
  return {block->info->type, block->info, {}, {}};
}

CarriedKind CarriedValues::joinIRValues(const CarriedKind &a, const CarriedKind &b) const {
  bool sameBuffer = a.block && b.block && a.block->buffer == b.block->buffer &&
                    a.block->reserved == b.block->reserved;
  if (sameBuffer || (a.type == b.type && !a.block))
    return {a.type, a.block, {}, {}};
  auto isBlock = [](const CarriedKind &kind) {
    return kind.block || ttl::isBlockTensor(kind.type);
  };
  if (isBlock(a) || isBlock(b))
    return joinBlocks(a, b);
  return {Scalars::join(a.type, b.type), nullptr, {}, {}};
}

CarriedKind CarriedValues::joinParts(const CarriedKind &a, const CarriedKind &b) const {
  if (a.parts.size() != b.parts.size() || !(*a.value)->isLike(**b.value))
    return {};
  CarriedKind joined{{}, nullptr, a.value, {}};
  for (size_t i = 0; i < a.parts.size(); ++i) {
    joined.parts.push_back(join(a.parts[i], b.parts[i]));
    if (!joined.parts.back())
      return {};
  }
  return joined;
}

CarriedKind CarriedValues::join(const CarriedKind &a, const CarriedKind &b) const {
  if (!a || !b)
    return {};
  if (a.value && b.value && a.parts.empty() && areSame(*a.value, *b.value))
    return a;
  if (a.type && b.type)
    return joinIRValues(a, b);
  if (!a.type && !b.type)
    if (CarriedKind joined = joinParts(a, b))
      return joined;
  CarriedKind left = withoutTicket(a), right = withoutTicket(b);
  return left.type && right.type ? joinBlocks(left, right) : CarriedKind();
}

//===--------------------------------------------------------------------------===//
// Values
//===--------------------------------------------------------------------------===//

// Returns whether the value is a reserved block, which is carried together with its flag.
bool CarriedValues::hasFlag(const CarriedKind &kind) {
  return kind.isOneIRValue() && kind.block && kind.block->reserved;
}

size_t CarriedValues::count(const CarriedKind &kind) {
  size_t number = kind.isOneIRValue() + hasFlag(kind);
  for (const CarriedKind &part : kind.parts)
    number += count(part);
  return number;
}

// Returns a copy of the elements of a block. If the block is counted, the kernel checks that the
// thread holds it in state `state`.
Value CarriedValues::elementsOf(py::handle node, const ThreadState &state, const Value &value) {
  const Block &block = *value.getIf<Block>();
  if (!block.info->ticket)
    return IntegerBlocks(walker, node).copyOf(value);
  llvm::SaveAndRestore<ThreadState> now(walker.state, state);
  return IntegerBlocks(walker, node).copyOf(walker.counted.named(node, block, /*isUsed=*/true));
}

mlir::Value CarriedValues::materializeOne(py::handle node, const ThreadState &state,
                                          const Value &value, const CarriedKind &kind) {
  if (kind.block || value.is<TransferHandle>())
    return value->irValue();
  if (!ttl::isBlockTensor(kind.type))
    return walker.scalars.materialize(node, value, kind.type);
  if (value.is<BlockExpr>())
    return value->irValue();
  // A block that is carried as an expression becomes a copy of its elements.
  Value tensor = value.is<Block>()
                     ? elementsOf(node, state, value)
                     : walker.blockMath.fill(node, value, ttl::getBlockShape(kind.type),
                                             ttl::getComputedType(kind.type));
  return tensor->irValue();
}

void CarriedValues::materialize(py::handle node, const ThreadState &state, const Value &value,
                                const CarriedKind &kind, IRValues &into) {
  if (kind.isOneIRValue())
    into.push_back(materializeOne(node, state, value, kind));
  if (hasFlag(kind))
    into.push_back(walker.scalars.asI32(node, state.flagOf(value.getIf<Block>()->info->id)));
  if (kind.parts.empty())
    return;
  std::vector<Value> parts = value->parts();
  for (size_t i = 0; i < parts.size(); ++i)
    materialize(node, state, parts[i], kind.parts[i], into);
}

bool CarriedValues::hasPlaceholder(const CarriedKind &kind) {
  if (kind.isOneIRValue() && (kind.block || isa<ttl::TransferHandleType>(kind.type)))
    return false;
  return kind && llvm::all_of(kind.parts, hasPlaceholder);
}

void CarriedValues::placeholder(py::handle node, const CarriedKind &kind, IRValues &into) {
  if (kind.isOneIRValue()) {
    bool isBlock = ttl::isBlockTensor(kind.type);
    into.push_back(isBlock ? materializeOne(node, walker.state, Static{py::int_(0)}, kind)
                           : arith::ConstantOp::create(walker.builder, walker.location(node),
                                                       walker.builder.getZeroAttr(kind.type)));
  }
  for (const CarriedKind &part : kind.parts)
    placeholder(node, part, into);
}

Value CarriedValues::wrapOne(mlir::Value value, const CarriedKind &kind, ArrayRef<Value> replaced) {
  if (kind.block) {
    SmallVector<Block> blocks;
    for (const Value &other : replaced)
      if (const Block *block = other.getIf<Block>())
        blocks.push_back(*block);
    return walker.blocks.passOn(*kind.block, value, blocks);
  }
  if (ttl::isBlockTensor(value.getType()))
    return BlockExpr{value};
  if (isa<ttl::TransferHandleType>(value.getType()))
    return TransferHandle{value};
  return Scalar{value};
}

Value CarriedValues::wrap(ValueRange &values, const CarriedKind &kind, ArrayRef<Value> replaced) {
  if (kind.isOneIRValue()) {
    Value value = wrapOne(values.front(), kind, replaced);
    if (hasFlag(kind))
      walker.state.setFlag(value.getIf<Block>()->info->id, Scalar{values[1]});
    values = values.drop_front(count(kind));
    return value;
  }
  if (kind.parts.empty())
    return *kind.value;
  std::vector<Value> parts;
  for (size_t i = 0; i < kind.parts.size(); ++i) {
    SmallVector<Value> others;
    for (const Value &other : replaced)
      if (std::vector<Value> own = other->parts(); i < own.size())
        others.push_back(own[i]);
    parts.push_back(wrap(values, kind.parts[i], others));
  }
  return (*kind.value)->withParts(std::move(parts));
}

//===--------------------------------------------------------------------------===//
// Where values are made
//===--------------------------------------------------------------------------===//

namespace {
// Tests whether ops outside `op` make all SSA values that a value contains or refers to.
struct MadeOutside {
  const Scopes &scopes;
  Operation *op;
  llvm::SmallPtrSet<const Scope *, 4> seen;

  bool all(const Scope &scope) {
    // The variables of a function that is being walked are joined separately.
    if (scopes.isEntered(scope) || !seen.insert(&scope).second)
      return true;
    bool result = true;
    scope.variables.forEach(
        [&](const std::string &, const Value &value) { result = result && holds(value); });
    return result;
  }
  bool holds(const Value &value) {
    if (mlir::Value ir = value->irValue())
      return !op->isAncestor(ir.getParentRegion()->getParentOp());
    const Function *function = value.getIf<Function>();
    if (function && function->info->scope && !all(*function->info->scope))
      return false;
    return llvm::all_of(value->parts(), [&](const Value &part) { return holds(part); });
  }
};
} // namespace

bool CarriedValues::isOutside(const Value &value, Operation *op) const {
  return MadeOutside{walker.scopes, op, {}}.holds(value);
}

} // namespace ttjit::frontend
