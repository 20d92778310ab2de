//===- SplitCompute.cpp - splits a compute that does not fit ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Splits a compute in the written order or depth first, whichever moves fewer tiles
// between the pieces (SplitPoints.h). Each piece packs the values that it yields and
// those that later pieces load (SplitStorage.h).
//===--------------------------------------------------------------------------===//

#include "passes/dst/SplitCompute.h"

#include "passes/dst/DSTSchedule.h"
#include "passes/dst/SplitPoints.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class ComputeSplitter {
public:
  ComputeSplitter(ttl::ComputeOp compute, SplitBuffers &buffers)
      : compute(compute), builder(compute), storage(builder, buffers) {
    for (unsigned i = 0; i < compute.getIteratorTypes().size(); ++i)
      if (!compute.isReduction(i))
        parallel.push_back(i);
  }

  SmallVector<ttl::ComputeOp> run(int capacity, int longest);

private:
  struct Operand {
    Value block;
    AffineMap map;
  };
  // A value that a piece packs, its destination, and how it is packed.
  struct Output {
    Value value;
    Operand target;
    Value accumulate; // accumulate flag; null for a plain pack
  };

  void plan();
  SmallVector<Output> outputsOf(unsigned piece);
  void restrictToWindow(ttl::ComputeOp piece);
  void createPiece(ArrayRef<Operation *> ops, ArrayRef<Output> outputs);
  void cloneBody(ttl::ComputeOp piece, ArrayRef<Operation *> ops, ArrayRef<Value> inputs,
                 ArrayRef<Output> outputs);
  SmallVector<Value> valuesRead(ArrayRef<Operation *> ops, ArrayRef<Output> outputs);
  Operand inputFor(Value value);
  void makePiece(unsigned piece);
  SmallVector<int64_t> temporaryShape();
  AffineMap temporaryMap();
  Value zeroFlag();

  Block &body() { return compute.getBody().front(); }

  ttl::ComputeOp compute;
  OpBuilder builder;
  SplitStorage storage;
  SmallVector<unsigned> parallel;
  std::vector<TileOrder> orders; // ops of each piece
  DenseMap<Operation *, unsigned> pieceOf;
  std::vector<SmallVector<Value>> passed; // for each piece, its values that others read
  SmallVector<ttl::ComputeOp> pieces;
  Value zero;
};

// Replaces each restored value by the spilled one, because spills have become passed
// values.
void dropSpills(Block &body) {
  for (auto restore : llvm::make_early_inc_range(body.getOps<ttl::RestoreTileFromL1Op>())) {
    restore.replaceAllUsesWith(
        restore.getSpilled().getDefiningOp<ttl::SpillTileToL1Op>().getTile());
    restore.erase();
  }
  for (auto spill : llvm::make_early_inc_range(body.getOps<ttl::SpillTileToL1Op>()))
    spill.erase();
}

bool isPartOfPieces(Operation *op) {
  return !isa<ttl::TileFillOp, ttl::SpillTileToL1Op, ttl::RestoreTileFromL1Op>(op);
}

Split bestSplit(ttl::ComputeOp compute, int capacity, int longest) {
  std::optional<Split> best;
  SmallVector<TileOrder> wholes = {writtenOrder(compute)};
  // depthFirstOrder follows operands, and no operand leads from a restored value to the
  // spilled one.
  if (compute.getBody().front().getOps<ttl::SpillTileToL1Op>().empty())
    wholes.push_back(depthFirstOrder(compute));
  for (const TileOrder &whole : wholes) {
    TileOrder order = llvm::filter_to_vector(whole, isPartOfPieces);
    Split split = chooseSplit(compute, order, capacity, longest);
    if (!best || split.traffic < best->traffic)
      best = std::move(split);
  }
  return *best;
}

// The values that pass between pieces, grouped by the piece that makes them.
struct PassedValues {
  SmallVector<Value> values;
  SmallVector<PassedValue> lives;
};

// Orders values by the piece that makes them, then by the last piece that reads them.
PassedValues valuesBetween(ArrayRef<TileOrder> pieces) {
  DenseMap<Value, unsigned> makers;
  llvm::MapVector<Value, PassedValue> lives;
  for (auto [i, order] : llvm::enumerate(pieces))
    for (Operation *op : order) {
      for (Value operand : op->getOperands())
        if (auto it = makers.find(spilledValue(operand)); it != makers.end() && it->second != i)
          lives[it->first] = {it->second, static_cast<unsigned>(i)};
      makers[op->getResult(0)] = i;
    }
  auto ordered = lives.takeVector();
  llvm::stable_sort(ordered, [](const auto &a, const auto &b) {
    return std::tie(a.second.maker, a.second.lastReader) <
           std::tie(b.second.maker, b.second.lastReader);
  });
  PassedValues passed;
  for (auto &[value, life] : ordered) {
    passed.values.push_back(value);
    passed.lives.push_back(life);
  }
  return passed;
}

//===--------------------------------------------------------------------------===//
// Places of the passed values
//===--------------------------------------------------------------------------===//

void ComputeSplitter::plan() {
  for (auto [i, order] : llvm::enumerate(orders))
    for (Operation *op : order)
      pieceOf[op] = i;
  PassedValues all = valuesBetween(orders);
  passed.resize(orders.size());
  for (auto [value, life] : llvm::zip(all.values, all.lives))
    passed[life.maker].push_back(value);
  storage.plan(all.values, all.lives, temporaryShape());
}

SmallVector<int64_t> ComputeSplitter::temporaryShape() {
  SmallVector<int64_t> domain = compute.getIterationDomain(), shape;
  for (unsigned i : parallel)
    shape.push_back(domain[i]);
  if (shape.empty())
    shape.push_back(1);
  return shape;
}

AffineMap ComputeSplitter::temporaryMap() {
  SmallVector<AffineExpr> exprs;
  for (unsigned i : parallel)
    exprs.push_back(getAffineDimExpr(i, compute.getContext()));
  if (exprs.empty())
    exprs.push_back(getAffineConstantExpr(0, compute.getContext()));
  return AffineMap::get(compute.getIteratorTypes().size(), 0, exprs, compute.getContext());
}

// Returns the block and map through which a piece reads a value that it does not make.
ComputeSplitter::Operand ComputeSplitter::inputFor(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return {compute->getOperand(argument.getArgNumber()),
            compute.getIndexingMap(argument.getArgNumber())};
  return {storage.read(value), temporaryMap()};
}

Value ComputeSplitter::zeroFlag() {
  if (!zero) {
    OpBuilder before(compute);
    zero = arith::ConstantOp::create(before, compute.getLoc(), before.getI32IntegerAttr(0));
  }
  return zero;
}

//===--------------------------------------------------------------------------===//
// Pieces
//===--------------------------------------------------------------------------===//

// Returns the values that a piece loads from L1, by first use. Fills are repeated
// instead.
SmallVector<Value> ComputeSplitter::valuesRead(ArrayRef<Operation *> ops,
                                               ArrayRef<Output> outputs) {
  DenseSet<Operation *> own(ops.begin(), ops.end());
  llvm::SetVector<Value, SmallVector<Value>> read;
  auto note = [&](Value value) {
    Operation *maker = value.getDefiningOp();
    if (isa<ttcore::TileType>(value.getType()) && !own.contains(maker) &&
        !isa_and_nonnull<ttl::TileFillOp>(maker))
      read.insert(value);
  };
  for (Operation *op : ops)
    llvm::for_each(op->getOperands(), note);
  for (const Output &output : outputs)
    note(output.value);
  return read.takeVector();
}

void ComputeSplitter::cloneBody(ttl::ComputeOp piece, ArrayRef<Operation *> ops,
                                ArrayRef<Value> inputs, ArrayRef<Output> outputs) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&piece.getBody());
  auto addArgument = [&](Value source, Location loc) {
    return block->addArgument(
        cast<ttl::BlockType>(source.getType()).getTensorType().getElementType(), loc);
  };
  IRMapping mapping;
  for (auto [value, source] : llvm::zip(inputs, piece.getInputs()))
    mapping.map(value, addArgument(source, value.getLoc()));
  for (Value out : piece.getOutputs())
    addArgument(out, out.getLoc());
  auto provideFill = [&](Value value) {
    auto fill = value.getDefiningOp<ttl::TileFillOp>();
    if (fill && !mapping.contains(value))
      builder.clone(*fill, mapping);
  };
  for (Operation *op : ops) {
    llvm::for_each(op->getOperands(), provideFill);
    builder.clone(*op, mapping);
  }
  SmallVector<Value> yielded;
  for (const Output &output : outputs) {
    provideFill(output.value);
    yielded.push_back(mapping.lookup(output.value));
  }
  ttl::YieldOp::create(builder, compute.getLoc(), yielded);
}

// Restricts a piece to the window: temporaries hold only that, and unused iterators run
// once.
void ComputeSplitter::restrictToWindow(ttl::ComputeOp piece) {
  if (!compute.getWindow())
    return;
  SmallVector<int64_t> window = piece.getWholeDomain();
  for (auto [extent, size] : llvm::zip(window, *compute.getWindow()))
    extent = std::min(extent, size);
  piece.setWindow(compute.getOffsets(), window);
}

void ComputeSplitter::createPiece(ArrayRef<Operation *> ops, ArrayRef<Output> outputs) {
  SmallVector<Value> inputs = valuesRead(ops, outputs), blocks, targets, flags;
  SmallVector<AffineMap> maps;
  for (Value value : inputs) {
    Operand input = inputFor(value);
    blocks.push_back(input.block);
    maps.push_back(input.map);
  }
  for (const Output &output : outputs) {
    targets.push_back(output.target.block);
    maps.push_back(output.target.map);
    if (!compute.getAccumulate().empty())
      flags.push_back(output.accumulate ? output.accumulate : zeroFlag());
  }
  Location loc = fuse(outputs.front().value.getLoc(), compute.getLoc());
  auto piece =
      ttl::ComputeOp::create(builder, loc, blocks, targets, flags,
                             builder.getAffineMapArrayAttr(maps), compute.getIteratorTypes());
  restrictToWindow(piece);
  cloneBody(piece, ops, inputs, outputs);
  pieces.push_back(piece);
}

// Returns the outputs of the original compute that this piece computes. Outputs that no op of the
// body computes belong to the last piece, number orders.size().
SmallVector<ComputeSplitter::Output> ComputeSplitter::outputsOf(unsigned piece) {
  SmallVector<Output> outputs;
  unsigned inputs = compute.getInputs().size();
  for (auto [i, value] : llvm::enumerate(body().getTerminator()->getOperands())) {
    auto maker = pieceOf.find(value.getDefiningOp());
    if ((maker == pieceOf.end() ? orders.size() : maker->second) != piece)
      continue;
    outputs.push_back({value,
                       {compute.getOutputs()[i], compute.getIndexingMap(inputs + i)},
                       compute.getAccumulate().empty() ? Value() : compute.getAccumulate()[i]});
  }
  return outputs;
}

void ComputeSplitter::makePiece(unsigned piece) {
  SmallVector<Output> outputs = outputsOf(piece);
  for (Value value : passed[piece])
    outputs.push_back({value, {storage.reserve(value), temporaryMap()}, Value()});
  createPiece(orders[piece], outputs);
  storage.publish();
  storage.releaseAfter(piece);
}

SmallVector<ttl::ComputeOp> ComputeSplitter::run(int capacity, int longest) {
  orders = bestSplit(compute, capacity, longest).pieces;
  dropSpills(body());
  plan();
  for (unsigned piece = 0; piece < orders.size(); ++piece)
    makePiece(piece);
  for (const Output &output : outputsOf(orders.size()))
    createPiece({}, output);
  compute.erase();
  return pieces;
}

} // namespace

int64_t ttjit::blocksOfSplit(ttl::ComputeOp compute, int capacity, unsigned buffers) {
  Split split = bestSplit(compute, capacity, kLongestPiece);
  int64_t blocks = 0;
  for (const ValueRing &ring : distributeValues(valuesBetween(split.pieces).lives, buffers))
    blocks += ring.blocks;
  return blocks;
}

SmallVector<ttl::ComputeOp> ttjit::splitCompute(ttl::ComputeOp compute, int capacity, int longest,
                                                SplitBuffers &buffers) {
  return ComputeSplitter(compute, buffers).run(capacity, longest);
}
