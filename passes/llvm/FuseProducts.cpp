//===- FuseProducts.cpp - the products of a block at once ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A call per product reads its operands, and reads and writes a DST register. A nest of
// sections that only multiply tiles (ProductNest.h) becomes
//
//   if ttl_hw_begin_products(thread, ...)
//     the same loops; each section calls ttl_hw_add_products, which checks and notes its tiles
//     done = ttl_hw_run_products(thread, ...)   computes all, with all effects of the calls
//   if not done
//     the calls
//
// so that faults, positions and events are those of the calls.
//===--------------------------------------------------------------------------===//

#include "passes/llvm/CallBuilder.h"
#include "passes/llvm/ProductNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tollvm;

// Words of a hw::ChainIndices.
static constexpr unsigned kIndexWords = sizeof(hw::ChainIndices) / sizeof(int32_t);

namespace {

// Replaces the product nests of one thread function by calls that compute them at once.
class NestWriter {
public:
  NestWriter(func::FuncOp function, CallBuilder &calls)
      : function(function), calls(calls), builder(function.getContext()) {}

  LogicalResult write(ArrayRef<ProductNest> nests);

private:
  LogicalResult writeNest(const ProductNest &nest);
  FailureOr<Value> callFor(Operation *op, StringRef name, Value facts);
  LogicalResult writeNotes(const ProductNest &nest, Operation *first, Operation *last,
                           IRMapping &mapping);
  LogicalResult writeSection(Operation *acquire, const ProductSection &section, IRMapping &mapping);
  void writeIndices(const ProductCalls &chain, unsigned number, const IRMapping &mapping);
  std::pair<Value, Value> operandIndices(const ProductCalls &chain, int64_t iteration,
                                         const IRMapping &mapping);
  void keepCalls(const ProductNest &nest, Value done);

  func::FuncOp function;
  CallBuilder &calls;
  OpBuilder builder;
  Value indices; // array on the thread's stack for the indices of a section
};

} // namespace

//===--------------------------------------------------------------------------===//
// Noting a section
//===--------------------------------------------------------------------------===//

// Returns the words of the ChainFacts of a section.
static SmallVector<int32_t> describe(const ProductSection &section) {
  SmallVector<int32_t> words;
  for (ProductCalls chain : section.chains)
    llvm::append_values(words, *bufferNumber(chain.product.getIn0()),
                        *bufferNumber(chain.product.getIn1()), static_cast<int32_t>(chain.count),
                        chain.start ? *bufferNumber(chain.start.getCb()) : -1,
                        *bufferNumber(chain.pack.getCb()));
  return words;
}

// Returns the indices of the operands of one product of a chain.
std::pair<Value, Value> NestWriter::operandIndices(const ProductCalls &chain, int64_t iteration,
                                                   const IRMapping &mapping) {
  IRMapping at = mapping;
  scf::ForOp loop = chain.loop;
  if (loop) {
    Location loc = loop.getLoc();
    Value counter = at.lookupOrDefault(loop.getLowerBound());
    if (iteration > 0)
      counter = arith::AddIOp::create(builder, loc, counter, at.lookupOrDefault(loop.getStep()));
    at.map(loop.getInductionVar(), counter);
    for (Operation &op : *loop.getBody())
      if (computesIndex(&op))
        builder.clone(op, at);
  }
  ttkernel::MatmulTilesOp product = chain.product;
  return {at.lookupOrDefault(product.getIndex0()), at.lookupOrDefault(product.getIndex1())};
}

// Stores the words of the ChainIndices of a chain.
void NestWriter::writeIndices(const ProductCalls &chain, unsigned number,
                              const IRMapping &mapping) {
  ProductCalls ops = chain;
  Location loc = ops.product.getLoc();
  Value zero = calls.constant(builder, loc, 0);
  auto [left, right] = operandIndices(chain, 0, mapping);
  Value leftStep = zero, rightStep = zero;
  if (chain.count > 1) {
    auto [nextLeft, nextRight] = operandIndices(chain, 1, mapping);
    leftStep = arith::SubIOp::create(builder, loc, nextLeft, left);
    rightStep = arith::SubIOp::create(builder, loc, nextRight, right);
  }
  Value start = ops.start ? mapping.lookupOrDefault(ops.start.getIndex()) : zero;
  Value out = mapping.lookupOrDefault(ops.pack.getIndex());
  const Value words[kIndexWords] = {left, leftStep, right, rightStep, start, out};
  for (auto [i, word] : llvm::enumerate(words)) {
    auto at = static_cast<int32_t>(number * kIndexWords + i);
    Value place = LLVM::GEPOp::create(builder, loc, indices.getType(), builder.getI32Type(),
                                      indices, ArrayRef<LLVM::GEPArg>{at});
    LLVM::StoreOp::create(builder, loc, word, place);
  }
}

LogicalResult NestWriter::writeSection(Operation *acquire, const ProductSection &section,
                                       IRMapping &mapping) {
  for (Operation *op = acquire; op != section.release; op = op->getNextNode())
    if (computesIndex(op))
      builder.clone(*op, mapping);
  for (auto [number, chain] : llvm::enumerate(section.chains))
    writeIndices(chain, number, mapping);
  Location loc = acquire->getLoc();
  Value facts = calls.constantWords(builder, loc, describe(section));
  Value count = calls.constant(builder, loc, section.chains.size());
  return success(calls.call(builder, acquire, "ttl_hw_add_products", {facts, count, indices}) !=
                 nullptr);
}

// Writes the loops and the index arithmetic of the ops from `first` to `last`, with notes in
// place of the sections.
LogicalResult NestWriter::writeNotes(const ProductNest &nest, Operation *first, Operation *last,
                                     IRMapping &mapping) {
  for (Operation *op = first; op != last->getNextNode(); op = op->getNextNode()) {
    if (auto section = nest.sections.find(op); section != nest.sections.end()) {
      if (failed(writeSection(op, section->second, mapping)))
        return failure();
      op = section->second.release;
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      auto bound = [&](Value value) { return mapping.lookupOrDefault(value); };
      auto copy = scf::ForOp::create(builder, loop.getLoc(), bound(loop.getLowerBound()),
                                     bound(loop.getUpperBound()), bound(loop.getStep()));
      mapping.map(loop.getInductionVar(), copy.getInductionVar());
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(copy.getBody());
      Block &body = *loop.getBody();
      if (failed(writeNotes(nest, &body.front(), &body.back(), mapping)))
        return failure();
    } else if (computesIndex(op)) {
      builder.clone(*op, mapping);
    }
  }
  return success();
}

//===--------------------------------------------------------------------------===//
// Nests
//===--------------------------------------------------------------------------===//

// Calls a function of hw with the nest's facts; returns whether its result is not 0.
FailureOr<Value> NestWriter::callFor(Operation *op, StringRef name, Value facts) {
  auto called = calls.callAt(builder, op, name, facts, builder.getI32Type());
  if (!called)
    return failure();
  Value zero = calls.constant(builder, op->getLoc(), 0);
  return LLVM::ICmpOp::create(builder, op->getLoc(), LLVM::ICmpPredicate::ne, called.getResult(),
                              zero)
      .getResult();
}

// Moves the nest into a branch that runs unless `done`. The index arithmetic of a section
// stays before it: later ops may use it.
void NestWriter::keepCalls(const ProductNest &nest, Value done) {
  Operation *first = nest.ops.front();
  auto branch = scf::IfOp::create(builder, first->getLoc(), done, /*withElseRegion=*/true);
  for (Operation *op : nest.ops) {
    if (computesIndex(op))
      continue;
    op->moveBefore(branch.elseYield());
    op->walk([&](Operation *inner) {
      if (isa<ttkernel::TTKernelDialect>(inner->getDialect()))
        inner->setAttr(kOutOfLineAttr, builder.getUnitAttr());
    });
  }
}

LogicalResult NestWriter::writeNest(const ProductNest &nest) {
  Operation *first = nest.ops.front();
  Location loc = first->getLoc();
  for (Operation *op : nest.ops)
    if (computesIndex(op))
      op->moveBefore(first);
  builder.setInsertionPoint(first);
  const hw::ProductFacts &facts = nest.facts;
  Value words = calls.constantWords(builder, loc, {facts.steps, facts.stepsAfter, facts.registers});
  FailureOr<Value> begun = callFor(first, "ttl_hw_begin_products", words);
  if (failed(begun))
    return failure();
  auto noted =
      scf::IfOp::create(builder, loc, builder.getI1Type(), *begun, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(noted.thenBlock());
  IRMapping mapping;
  if (failed(writeNotes(nest, first, nest.ops.back(), mapping)))
    return failure();
  FailureOr<Value> done = callFor(first, "ttl_hw_run_products", words);
  if (failed(done))
    return failure();
  scf::YieldOp::create(builder, loc, *done);
  builder.setInsertionPointToStart(noted.elseBlock());
  scf::YieldOp::create(builder, loc, calls.constant(builder, loc, 0, 1));
  builder.setInsertionPointAfter(noted);
  keepCalls(nest, noted.getResult(0));
  return success();
}

LogicalResult NestWriter::write(ArrayRef<ProductNest> nests) {
  size_t chains = 0;
  for (const ProductNest &nest : nests)
    for (const auto &[acquire, section] : nest.sections)
      chains = std::max(chains, section.chains.size());
  builder.setInsertionPointToStart(&function.getBody().front());
  indices = calls.stackArray(builder, function, builder.getI32Type(), chains * kIndexWords);
  for (const ProductNest &nest : nests)
    if (failed(writeNest(nest)))
      return failure();
  return success();
}

static SmallVector<ProductNest, 0> findNests(func::FuncOp function) {
  SmallVector<ProductNest, 0> nests;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::optional<ProductNest> nest = buildProductNest(op);
    if (!nest)
      return WalkResult::advance();
    nests.push_back(std::move(*nest));
    return WalkResult::skip();
  });
  return nests;
}

LogicalResult ttjit::tollvm::fuseProducts(ModuleOp module, CallBuilder &calls) {
  for (func::FuncOp function : llvm::to_vector(module.getOps<func::FuncOp>())) {
    SmallVector<ProductNest, 0> nests = findNests(function);
    if (!nests.empty() && failed(NestWriter(function, calls).write(nests)))
      return failure();
  }
  return success();
}
