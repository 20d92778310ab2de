//===- SplitCompute.cpp - a compute in pieces that fit into DST -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Cutting at values that several ops read leaves trees. A tree needs as many
// registers as the formula of Sethi and Ullman says; where that is too many, the
// largest operand is cut off, which leaves one register for it.
//===--------------------------------------------------------------------------===//

#include "passes/Support/SplitCompute.h"

#include "ir/Support/Locations.h"
#include "passes/Support/DSTSchedule.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class ComputeSplitter {
public:
  ComputeSplitter(ttl::ComputeOp compute, int capacity, ThreadBinding &binding)
      : compute(compute), capacity(capacity), binding(binding), builder(compute) {
    for (unsigned i = 0; i < compute.getIteratorTypes().size(); ++i)
      if (!compute.isReduction(i))
        parallel.push_back(i);
  }

  SmallVector<ttl::ComputeOp> run();

private:
  struct Input {
    Value block;
    AffineMap map;
  };

  void chooseCuts();
  unsigned fitOperands(Operation *op, DenseMap<Value, unsigned> &need);
  bool isLeaf(Value value) {
    return isa<BlockArgument>(value) || cuts.contains(value) ||
           isa<ttl::TileFillOp>(value.getDefiningOp());
  }

  SmallVector<Operation *> opsOf(Value root);
  ttl::ComputeOp createPiece(Value root, Value out, AffineMap outMap, Value accumulate);
  Input inputFor(Value value);
  void storeCut(Value value);
  void separateFills();
  void plan();
  void popAfter(Operation *root);
  Value temporary(Value value);
  AffineMap temporaryMap();

  Block &body() { return compute.getBody().front(); }

  ttl::ComputeOp compute;
  int capacity;
  ThreadBinding &binding;
  OpBuilder builder;
  SmallVector<unsigned> parallel;
  llvm::SetVector<Value> cuts;
  DenseMap<Value, Value> stored; ///< cut value to the block that holds it
  /// Root of the last piece that reads a cut value: the op, or the terminator.
  DenseMap<Value, Operation *> lastReader;
  SmallVector<ttl::ComputeOp> pieces;
  SmallVector<Value> freeBuffers;
};

//===--------------------------------------------------------------------------===//
// Where to cut
//===--------------------------------------------------------------------------===//

// Registers that `op` needs, after cutting off operands until they fit.
unsigned ComputeSplitter::fitOperands(Operation *op, DenseMap<Value, unsigned> &need) {
  SmallVector<Value> operands = dstOperands(op);
  auto needOf = [&](Value value) { return isLeaf(value) ? 1 : need.lookup(value); };
  while (true) {
    unsigned registers = registersFor(llvm::map_to_vector(operands, needOf));
    if (registers <= static_cast<unsigned>(capacity))
      return registers;
    cuts.insert(*llvm::max_element(
        operands, [&](Value a, Value b) { return needOf(a) < needOf(b); }));
  }
}

void ComputeSplitter::chooseCuts() {
  DenseMap<Value, unsigned> need;
  for (Operation &op : body().without_terminator()) {
    Value result = op.getResult(0);
    need[result] = fitOperands(&op, need);
    llvm::SmallPtrSet<Operation *, 4> readers(llvm::from_range, result.getUsers());
    if (readers.size() > 1 && !isa<ttl::TileFillOp>(op))
      cuts.insert(result);
  }
}

//===--------------------------------------------------------------------------===//
// Pieces
//===--------------------------------------------------------------------------===//

// The ops between `root` and the leaves, in the order of the body.
SmallVector<Operation *> ComputeSplitter::opsOf(Value root) {
  DenseSet<Operation *> needed;
  SmallVector<Value> open = {root};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || (value != root && cuts.contains(value)) || !needed.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      if (isa<ttcore::TileType>(operand.getType()))
        open.push_back(operand);
  }
  SmallVector<Operation *> ops(needed.begin(), needed.end());
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

AffineMap ComputeSplitter::temporaryMap() {
  SmallVector<AffineExpr> exprs;
  for (unsigned i : parallel)
    exprs.push_back(getAffineDimExpr(i, compute.getContext()));
  if (exprs.empty())
    exprs.push_back(getAffineConstantExpr(0, compute.getContext()));
  return AffineMap::get(compute.getIteratorTypes().size(), 0, exprs, compute.getContext());
}

Value ComputeSplitter::temporary(Value value) {
  if (!freeBuffers.empty())
    return freeBuffers.pop_back_val();
  SmallVector<int64_t> domain = compute.getIterationDomain(), shape;
  for (unsigned i : parallel)
    shape.push_back(domain[i]);
  if (shape.empty())
    shape.push_back(1);
  MLIRContext *context = compute.getContext();
  Type tile = ttl::getBlockTensorType(context, shape).getElementType();
  auto type = ttl::CircularBufferType::get(context, shape, tile, 1);
  std::string name = getSourceName(value.getLoc()).value_or("tile") + "_split" +
                     std::to_string(binding.function.getNumArguments());
  return binding.addBuffer(type, name, value.getLoc());
}

// The block and map through which a piece reads a value that it does not make.
ComputeSplitter::Input ComputeSplitter::inputFor(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return {compute->getOperand(argument.getArgNumber()),
            compute.getIndexingMap(argument.getArgNumber())};
  return {stored.lookup(value), temporaryMap()};
}

ttl::ComputeOp ComputeSplitter::createPiece(Value root, Value out, AffineMap outMap,
                                            Value accumulate) {
  SmallVector<Operation *> ops;
  if (!isa<BlockArgument>(root) && !stored.count(root))
    ops = opsOf(root);
  DenseSet<Value> made, seen;
  for (Operation *op : ops)
    made.insert(op->getResult(0));
  SmallVector<Input> inputs;
  SmallVector<Value> values;
  auto need = [&](Value value) {
    if (isa<ttcore::TileType>(value.getType()) && !made.contains(value) &&
        seen.insert(value).second) {
      inputs.push_back(inputFor(value));
      values.push_back(value);
    }
  };
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      need(operand);
  need(root);

  SmallVector<Value> blocks = llvm::map_to_vector(inputs, [](Input &i) { return i.block; });
  SmallVector<AffineMap> maps = llvm::map_to_vector(inputs, [](Input &i) { return i.map; });
  maps.push_back(outMap);
  auto piece = ttl::ComputeOp::create(
      builder, fuse(root.getLoc(), compute.getLoc()), blocks, out,
      accumulate ? ValueRange(accumulate) : ValueRange(), builder.getAffineMapArrayAttr(maps),
      compute.getIteratorTypes());
  // Temporaries hold the window only.
  if (compute.getWindow())
    piece.setWindow(compute.getOffsets(), *compute.getWindow());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&piece.getBody());
  IRMapping mapping;
  for (auto [value, source] : llvm::zip(values, blocks))
    mapping.map(value,
                block->addArgument(
                    cast<ttl::BlockType>(source.getType()).getTensorType().getElementType(),
                    value.getLoc()));
  block->addArgument(cast<ttl::BlockType>(out.getType()).getTensorType().getElementType(),
                     out.getLoc());
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  ttl::YieldOp::create(builder, compute.getLoc(), mapping.lookup(root));
  pieces.push_back(piece);
  return piece;
}

void ComputeSplitter::storeCut(Value value) {
  Location loc = value.getLoc();
  Value buffer = temporary(value);
  Value block = ttl::CBReserveOp::create(builder, loc, buffer);
  createPiece(value, block, temporaryMap(), {});
  ttl::CBPushOp::create(builder, loc, block);
  stored[value] = ttl::CBWaitOp::create(builder, loc, buffer);
}

// Ends the values that no later piece reads.
void ComputeSplitter::popAfter(Operation *root) {
  for (Value value : cuts) {
    if (lastReader.lookup(value) != root || !stored.count(value))
      continue;
    Value block = stored.lookup(value);
    ttl::CBPopOp::create(builder, value.getLoc(), block);
    freeBuffers.push_back(bufferValueOf(block));
  }
}

// A fill costs no more than reading a register, so each reader gets its own.
void ComputeSplitter::separateFills() {
  SmallVector<ttl::TileFillOp> fills(body().getOps<ttl::TileFillOp>());
  for (ttl::TileFillOp fill : fills)
    for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
      if (fill->hasOneUse())
        break;
      OpBuilder inBody(fill);
      use.set(inBody.clone(*fill)->getResult(0));
    }
}

// Roots of the pieces, in the order in which they are computed: cut values as the
// body has them, then the outputs.
void ComputeSplitter::plan() {
  SmallVector<Value> order = cuts.takeVector();
  llvm::sort(order, [](Value a, Value b) {
    return a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp());
  });
  cuts.insert_range(order);
  auto note = [&](Value root, Operation *piece) {
    for (Operation *op : opsOf(root))
      for (Value operand : op->getOperands())
        if (cuts.contains(operand))
          lastReader[operand] = piece;
  };
  for (Value value : order)
    note(value, value.getDefiningOp());
  for (Value value : body().getTerminator()->getOperands()) {
    if (cuts.contains(value))
      lastReader[value] = body().getTerminator();
    else if (!isa<BlockArgument>(value))
      note(value, body().getTerminator());
  }
}

SmallVector<ttl::ComputeOp> ComputeSplitter::run() {
  separateFills();
  chooseCuts();
  plan();
  for (Value value : SmallVector<Value>(cuts.begin(), cuts.end())) {
    storeCut(value);
    popAfter(value.getDefiningOp());
  }
  unsigned inputs = compute.getInputs().size();
  Operation *yield = body().getTerminator();
  for (auto [i, value] : llvm::enumerate(yield->getOperands()))
    createPiece(value, compute.getOutputs()[i], compute.getIndexingMap(inputs + i),
                compute.getAccumulate().empty() ? Value() : compute.getAccumulate()[i]);
  popAfter(yield);
  compute.erase();
  return pieces;
}

} // namespace

SmallVector<ttl::ComputeOp> ttjit::splitCompute(ttl::ComputeOp compute, int capacity,
                                                ThreadBinding &binding) {
  return ComputeSplitter(compute, capacity, binding).run();
}
