//===- BlockExpressions.cpp - block expressions and the computes made of them -===//
// SPDX-License-Identifier: Apache-2.0
//
// An expression is a DAG of block_* ops. Its leaves are blocks, fills, and expressions
// whose value is in a block already. It becomes the body of one ttl.compute over the
// parallel iterators of the target block's shape and the reduction iterators of
// products and reductions.
//===--------------------------------------------------------------------------===//

#include "passes/compute/BlockExpressions.h"

#include "ir/TTL/TTLElementwiseOps.h"

#include "mlir/IR/Iterators.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

Value ttjit::placeOf(Value value, const Places &places) {
  Value place = places.lookup(value);
  return !place && isa<ttl::BlockType>(value.getType()) ? value : place;
}

bool ttjit::roundsToFloat16(Operation *op) {
  auto row = dyn_cast_or_null<ttcore::TileOpInterface>(op);
  return row && row.getTileOp() == hw::TileOp::ToFloat16;
}

bool ttjit::isReadFromL1(OpOperand &use) {
  auto op = dyn_cast<ttl::BlockFromL1OpInterface>(use.getOwner());
  return op && op.isReadFromL1(use.getOperandNumber());
}

// Returns whether the value is a block or a block expression, not a number.
static bool isBlockValue(Value value) {
  return isa<ttl::BlockType, RankedTensorType>(value.getType());
}

// It must not use recursion: expressions may be thousands of ops deep.
SmallVector<Operation *> ttjit::opsOfExpressions(ValueRange roots, const Places &places) {
  SmallVector<Operation *> order;
  DenseSet<Operation *> seen;
  SmallVector<std::pair<Operation *, unsigned>> stack;
  auto enter = [&](Value value) {
    if (!placeOf(value, places) && seen.insert(value.getDefiningOp()).second)
      stack.push_back({value.getDefiningOp(), 0});
  };
  for (Value root : roots) {
    enter(root);
    while (!stack.empty()) {
      auto &[op, next] = stack.back();
      if (next < op->getNumOperands()) {
        Value operand = op->getOperand(next++);
        if (isBlockValue(operand))
          enter(operand);
        continue;
      }
      order.push_back(op);
      stack.pop_back();
    }
  }
  return order;
}

namespace {

class ComputeBuilder {
public:
  ComputeBuilder(OpBuilder &builder, Location loc, ValueRange targets, const Places &places)
      : builder(builder), loc(loc), targets(targets), places(places),
        rank(ttl::getBlockShape(targets.front().getType()).size()) {}

  ttl::ComputeOp build(ValueRange values, Value accumulate);

private:
  struct Input {
    Value block;
    AffineMap map;
  };

  void addOperands(Operation *op);
  unsigned inputNumber(Value block, AffineMap map);
  AffineMap parallelMap();
  bool isRoundedByPacker(Operation *op, ValueRange values);
  Value emit(Operation *op, OpBuilder &body);
  Value emitFromL1(ttl::BlockFromL1OpInterface op, OpBuilder &body);
  Value emitWithNumber(Operation *op, OpBuilder &body);
  Value tileOf(Value value);

  MLIRContext *context() { return builder.getContext(); }
  Type resultTile(Operation *op) {
    return cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
  }

  OpBuilder &builder;
  Location loc;
  ValueRange targets;
  const Places &places;
  unsigned rank;
  // Maps are over `rank` parallel dims, followed by reduction dims in the order in
  // which the ops are visited. The number of reduction dims is known after all ops have
  // been visited.
  unsigned reductions = 0;
  // The input number of each operand that is read from L1.
  DenseMap<OpOperand *, unsigned> l1Inputs;
  SmallVector<Input> inputs;
  DenseMap<std::pair<Value, AffineMap>, unsigned> inputNumbers;
  DenseMap<Value, Value> tiles;
  Block *body = nullptr;
};

// build() later adds the reduction dims to the map; the dims used here keep their
// numbers.
AffineMap ComputeBuilder::parallelMap() {
  return AffineMap::getMultiDimIdentityMap(rank, context());
}

unsigned ComputeBuilder::inputNumber(Value block, AffineMap map) {
  auto [it, inserted] = inputNumbers.try_emplace({block, map}, inputs.size());
  if (inserted)
    inputs.push_back({block, map});
  return it->second;
}

void ComputeBuilder::addOperands(Operation *op) {
  auto fromL1 = dyn_cast<ttl::BlockFromL1OpInterface>(op);
  unsigned first = rank + reductions;
  if (fromL1)
    reductions += fromL1.getNumReductions();
  for (OpOperand &operand : op->getOpOperands())
    if (isBlockValue(operand.get()) && !isReadFromL1(operand))
      if (Value place = placeOf(operand.get(), places))
        inputNumber(place, parallelMap());
  for (OpOperand &operand : op->getOpOperands())
    if (isReadFromL1(operand))
      l1Inputs[&operand] =
          inputNumber(placeOf(operand.get(), places),
                      fromL1.getOperandMap(operand.getOperandNumber(), first, rank + reductions));
}

Value ComputeBuilder::tileOf(Value value) {
  if (Value place = placeOf(value, places))
    return body->getArgument(inputNumbers.lookup({place, parallelMap()}));
  return tiles.lookup(value);
}

Value ComputeBuilder::emitFromL1(ttl::BlockFromL1OpInterface op, OpBuilder &at) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(isReadFromL1(operand) ? body->getArgument(l1Inputs.lookup(&operand))
                                             : tileOf(operand.get()));
  return op.createTileOp(at, operands);
}

namespace {
// A binary tile operation, and the in-place operations that compute the same with a number in the
// place of its left or right operand.
struct NumberForm {
  hw::TileOp op, left, right;
};
} // namespace

static constexpr NumberForm kNumberForms[] = {
    {hw::TileOp::Add, hw::TileOp::AddUnary, hw::TileOp::AddUnary},
    {hw::TileOp::Sub, hw::TileOp::RsubUnary, hw::TileOp::SubUnary},
    {hw::TileOp::Mul, hw::TileOp::MulUnary, hw::TileOp::MulUnary},
    {hw::TileOp::Max, hw::TileOp::MaxUnary, hw::TileOp::MaxUnary},
    {hw::TileOp::Min, hw::TileOp::MinUnary, hw::TileOp::MinUnary},
    {hw::TileOp::Eq, hw::TileOp::EqUnary, hw::TileOp::EqUnary},
    {hw::TileOp::Ne, hw::TileOp::NeUnary, hw::TileOp::NeUnary},
    {hw::TileOp::Lt, hw::TileOp::GtUnary, hw::TileOp::LtUnary},
    {hw::TileOp::Le, hw::TileOp::GeUnary, hw::TileOp::LeUnary},
    {hw::TileOp::Gt, hw::TileOp::LtUnary, hw::TileOp::GtUnary},
    {hw::TileOp::Ge, hw::TileOp::LeUnary, hw::TileOp::GeUnary},
};

// Emits `x + 2` as one operation in place, instead of an operation that fills a
// register with 2, and an addition. Returns null if the op has no such form.
Value ComputeBuilder::emitWithNumber(Operation *op, OpBuilder &at) {
  auto row = dyn_cast<ttcore::TileOpInterface>(op);
  const auto *form = llvm::find_if(
      kNumberForms, [&](const NumberForm &form) { return row && form.op == row.getTileOp(); });
  if (form == std::end(kNumberForms))
    return {};
  for (unsigned i : {1u, 0u}) {
    auto fill = op->getOperand(i).getDefiningOp<ttl::BlockFillOp>();
    Value other = op->getOperand(1 - i);
    if (!fill || other.getDefiningOp<ttl::BlockFillOp>())
      continue;
    return ttl::createTileRow(at, op->getLoc(), i == 0 ? form->left : form->right, resultTile(op),
                              {tileOf(other), fill.getValue()});
  }
  return {};
}

Value ComputeBuilder::emit(Operation *op, OpBuilder &at) {
  if (auto fromL1 = dyn_cast<ttl::BlockFromL1OpInterface>(op))
    return emitFromL1(fromL1, at);
  if (auto fill = dyn_cast<ttl::BlockFillOp>(op))
    return ttl::TileFillOp::create(at, op->getLoc(), resultTile(op), fill.getValue(),
                                   IntegerAttr());
  if (Value tile = emitWithNumber(op, at))
    return tile;
  // The op is a row of the operation table: block_<name> becomes tile_<name>.
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isBlockValue(operand) ? tileOf(operand) : operand);
  return ttl::createTileRow(at, op->getLoc(), cast<ttcore::TileOpInterface>(op).getTileOp(),
                            resultTile(op), operands);
}

// Returns whether the packer does the rounding: it does for blocks of float16 only.
bool ComputeBuilder::isRoundedByPacker(Operation *op, ValueRange values) {
  return roundsToFloat16(op) && values.size() == 1 && values[0] == op->getResult(0) &&
         llvm::all_of(targets, [](Value target) {
           Type element = cast<ttl::BlockType>(target.getType()).getTensorType().getElementType();
           auto tile = dyn_cast<ttcore::TileType>(element);
           return tile && tile.getDataType() == ttcore::DataType::Float16;
         });
}

ttl::ComputeOp ComputeBuilder::build(ValueRange values, Value accumulate) {
  SmallVector<Operation *> ops = opsOfExpressions(values, places);
  for (Operation *op : ops)
    addOperands(op);
  for (Value value : values)
    if (Value place = placeOf(value, places))
      inputNumber(place, parallelMap());

  SmallVector<Value> blocks = llvm::map_to_vector(inputs, [](Input &i) { return i.block; });
  SmallVector<AffineMap> maps = llvm::map_to_vector(inputs, [](Input &i) { return i.map; });
  maps.append(targets.size(), parallelMap());
  for (AffineMap &map : maps)
    map = AffineMap::get(rank + reductions, 0, map.getResults(), context());
  SmallVector<Attribute> iterators;
  for (unsigned i = 0; i < rank + reductions; ++i)
    iterators.push_back(ttcore::IteratorTypeAttr::get(
        context(), i < rank ? ttcore::IteratorType::Parallel : ttcore::IteratorType::Reduction));

  SmallVector<Value> flags(accumulate ? targets.size() : 0, accumulate);
  auto compute =
      ttl::ComputeOp::create(builder, loc, blocks, targets, flags,
                             builder.getAffineMapArrayAttr(maps), builder.getArrayAttr(iterators));
  OpBuilder::InsertionGuard guard(builder);
  body = builder.createBlock(&compute.getBody());
  llvm::append_range(blocks, targets);
  for (Value block : blocks)
    body->addArgument(cast<ttl::BlockType>(block.getType()).getTensorType().getElementType(),
                      block.getLoc());
  for (Operation *op : ops)
    tiles[op->getResult(0)] =
        isRoundedByPacker(op, values) ? tileOf(op->getOperand(0)) : emit(op, builder);
  SmallVector<Value> results = llvm::map_to_vector(values, [&](Value v) { return tileOf(v); });
  results.resize(targets.size(), results.front());
  ttl::YieldOp::create(builder, loc, results);
  for (auto fill : llvm::make_early_inc_range(body->getOps<ttl::TileFillOp>()))
    if (fill->use_empty())
      fill.erase();
  return compute;
}

} // namespace

ttl::ComputeOp ttjit::createCompute(OpBuilder &builder, Location loc, ValueRange values,
                                    ValueRange targets, Value accumulate, const Places &places) {
  return ComputeBuilder(builder, loc, targets, places).build(values, accumulate);
}

//===--------------------------------------------------------------------------===//
// Before and after computes are formed
//===--------------------------------------------------------------------------===//

void ttjit::turnSelectsToIfs(Operation *root) {
  SmallVector<arith::SelectOp> selects;
  root->walk([&](arith::SelectOp op) {
    if (ttl::isBlockTensor(op.getType()))
      selects.push_back(op);
  });
  for (arith::SelectOp op : selects) {
    OpBuilder builder(op);
    auto branch = [&](Value value) {
      return [=](OpBuilder &inner, Location loc) { scf::YieldOp::create(inner, loc, value); };
    };
    auto conditional = scf::IfOp::create(builder, op.getLoc(), op.getCondition(),
                                         branch(op.getTrueValue()), branch(op.getFalseValue()));
    op.replaceAllUsesWith(conditional.getResult(0));
    op.erase();
  }
}

// Visits ops in reverse order, so that users come before operands.
DenseMap<Value, Operation *> ttjit::findSinks(Operation *root) {
  DenseMap<Value, Operation *> sinks;
  auto sinkOf = [&](OpOperand &use) -> Operation * {
    Operation *user = use.getOwner();
    bool passesOn = ttl::isBlockExpression(user) && !isReadFromL1(use);
    return passesOn ? sinks.lookup(user->getResult(0)) : user;
  };
  root->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (!ttl::isBlockExpression(op))
      return;
    Operation *sink = nullptr;
    for (OpOperand &use : op->getResult(0).getUses()) {
      Operation *next = sinkOf(use);
      if (!next || (sink && next != sink)) {
        sink = nullptr;
        break;
      }
      sink = next;
    }
    sinks[op->getResult(0)] = sink;
  });
  return sinks;
}

void ttjit::eraseExpressions(Operation *root) {
  root->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (!ttl::isBlockExpression(op))
      return;
    op->dropAllUses();
    op->erase();
  });
}
