//===- MatmulBlocks.cpp - products of blocks with matmul_block ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 1. Match nests of loops around one matmul_tiles: over rows r and columns c of the product, which
//    are registers, and over k. The tile of the left block must be a + r * kt + k, that of the
//    right block b + k * width + c, and the register d + r * ct + c.
// 2. matmul_block needs an init with the same numbers of tiles. So use it for two buffers only if
//    all their products are such nests with the same numbers.
// 3. Write the loop over k with matmul_block, and its inits.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/MatmulBlocks.h"

#include "passes/metalium/InlineExpressions.h"
#include "passes/metalium/Names.h"

#include "llvm/ADT/MapVector.h"

#include <optional>
#include <vector>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tometalium;

namespace {

// A sum of multiples of loop counters, of other values, and of a number.
struct LinearForm {
  SmallVector<int64_t> factors; // of the counters
  SmallVector<Value> others;
  int64_t number = 0;
};

// The sizes that matmul_block and its inits name.
struct BlockSize {
  int64_t columns = 1, rows = 1, stride = 1;

  bool operator==(const BlockSize &) const = default;
};

struct ProductNest {
  SmallVector<emitc::ForOp> loops; // from the outside in
  emitc::CallOpaqueOp call;
  LinearForm left, right, reg;
  std::optional<unsigned> row, column, k; // indices of loops
  BlockSize size;

  bool match(emitc::ForOp outermost);
  void write();

private:
  bool findLoops(emitc::ForOp outermost);
  bool classifyLoops();
  bool readSum(Value value, int64_t factor, LinearForm &form);
  bool isInside(Operation *op) { return op && loops.front()->isProperAncestor(op); }
  bool isInvariant(Value value);
  void moveOut(Value value);
  int64_t extent(std::optional<unsigned> loop) {
    return loop ? *numberOf(loops[*loop].getUpperBound()) : 1;
  }
};

} // namespace

//===--------------------------------------------------------------------------===//
// Matching
//===--------------------------------------------------------------------------===//

static bool countsFromZero(emitc::ForOp loop) {
  return numberOf(loop.getLowerBound()) == 0 && numberOf(loop.getStep()) == 1 &&
         numberOf(loop.getUpperBound());
}

static emitc::CallOpaqueOp asProduct(Operation *op) {
  auto call = dyn_cast<emitc::CallOpaqueOp>(op);
  return call && call.getCallee() == "matmul_tiles" && call.getNumOperands() == 5
             ? call
             : emitc::CallOpaqueOp();
}

// Each loop contains the next one alone, the last one the call.
bool ProductNest::findLoops(emitc::ForOp outermost) {
  for (emitc::ForOp loop = outermost; loop;) {
    if (!countsFromZero(loop))
      return false;
    loops.push_back(loop);
    Operation *only = nullptr;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (isCppExpression(&op))
        continue;
      if (only)
        return false;
      only = &op;
    }
    call = only ? asProduct(only) : emitc::CallOpaqueOp();
    loop = only ? dyn_cast<emitc::ForOp>(only) : emitc::ForOp();
  }
  return bool(call);
}

// Returns whether the value is the same in all iterations: expressions of values from outside may
// be written inside.
bool ProductNest::isInvariant(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return !loops.front()->isAncestor(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return !isInside(op) || (isCppExpression(op) && llvm::all_of(op->getOperands(), [&](Value each) {
                             return isInvariant(each);
                           }));
}

bool ProductNest::readSum(Value value, int64_t factor, LinearForm &form) {
  form.factors.resize(loops.size());
  for (auto [i, loop] : llvm::enumerate(loops))
    if (value == loop.getInductionVar()) {
      form.factors[i] += factor;
      return true;
    }
  if (std::optional<int64_t> number = numberOf(value)) {
    form.number += factor * *number;
    return true;
  }
  if (auto sum = value.getDefiningOp<emitc::AddOp>())
    return readSum(sum.getLhs(), factor, form) && readSum(sum.getRhs(), factor, form);
  if (auto product = value.getDefiningOp<emitc::MulOp>())
    for (unsigned i : {0u, 1u})
      if (std::optional<int64_t> number = numberOf(product->getOperand(i)))
        if (LinearForm inner;
            readSum(product->getOperand(1 - i), 1, inner) && inner.others.empty()) {
          for (auto [to, from] : llvm::zip_equal(form.factors, inner.factors))
            to += factor * *number * from;
          form.number += factor * *number * inner.number;
          return true;
        }
  if (factor != 1 || !isInvariant(value))
    return false;
  form.others.push_back(value);
  return true;
}

bool ProductNest::classifyLoops() {
  for (unsigned i = 0; i < loops.size(); ++i) {
    int64_t a = left.factors[i], b = right.factors[i], d = reg.factors[i];
    std::optional<unsigned> *kind = d == 0 && a == 1             ? &k
                                    : a == 0 && b == 1 && d == 1 ? &column
                                    : a != 0 && b == 0 && d != 0 ? &row
                                                                 : nullptr;
    if (!kind || *kind)
      return false;
    *kind = i;
  }
  size = {extent(column), extent(row), row ? left.factors[*row] : extent(k)};
  return k && size.columns * size.rows > 1 && (!row || reg.factors[*row] == size.columns);
}

bool ProductNest::match(emitc::ForOp outermost) {
  return findLoops(outermost) && readSum(call.getOperand(2), 1, left) &&
         readSum(call.getOperand(3), 1, right) && readSum(call.getOperand(4), 1, reg) &&
         reg.others.empty() && classifyLoops();
}

//===--------------------------------------------------------------------------===//
// Writing
//===--------------------------------------------------------------------------===//

static Value constant(OpBuilder &builder, Location loc, int64_t number) {
  Type type = builder.getI32Type();
  return emitc::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, number));
}

// Appends transpose and the numbers of tiles of columns, rows and of the left block's rows.
static void appendSize(OpBuilder &builder, Location loc, const BlockSize &size,
                       SmallVectorImpl<Value> &operands) {
  for (int64_t number : {int64_t(0), size.columns, size.rows, size.stride})
    operands.push_back(constant(builder, loc, number));
}

// Returns the tile of the first row or column in step `counter`.
static Value tileOf(OpBuilder &builder, Location loc, const LinearForm &form, unsigned k,
                    Value counter) {
  Type type = builder.getI32Type();
  Value sum = counter;
  if (form.factors[k] == 0)
    sum = constant(builder, loc, 0);
  else if (form.factors[k] != 1)
    sum =
        emitc::MulOp::create(builder, loc, type, counter, constant(builder, loc, form.factors[k]));
  for (Value other : form.others)
    sum = emitc::AddOp::create(builder, loc, type, other, sum);
  if (form.number)
    sum = emitc::AddOp::create(builder, loc, type, sum, constant(builder, loc, form.number));
  return sum;
}

// Moves an invariant expression before the nest.
void ProductNest::moveOut(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isInside(op))
    return;
  llvm::for_each(op->getOperands(), [&](Value operand) { moveOut(operand); });
  op->moveBefore(loops.front());
}

void ProductNest::write() {
  for (const LinearForm *form : {&left, &right})
    llvm::for_each(form->others, [&](Value value) { moveOut(value); });
  OpBuilder builder(loops.front());
  Location loc = positionOf(call.getLoc());
  Value zero = constant(builder, loc, 0), one = constant(builder, loc, 1),
        end = constant(builder, loc, extent(k));
  auto loop = emitc::ForOp::create(builder, loc, zero, end, one);
  loop.getInductionVar().setLoc(loc);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  SmallVector<Value> operands{call.getOperand(0), call.getOperand(1),
                              tileOf(builder, loc, left, *k, loop.getInductionVar()),
                              tileOf(builder, loc, right, *k, loop.getInductionVar()),
                              constant(builder, loc, reg.number)};
  appendSize(builder, loc, size, operands);
  emitc::CallOpaqueOp::create(builder, loc, TypeRange(), "matmul_block", operands);
  loops.front().erase();
}

static void writeInit(emitc::CallOpaqueOp init, const BlockSize &size) {
  OpBuilder builder(init);
  SmallVector<Value> operands(init.getOperands());
  appendSize(builder, init.getLoc(), size, operands);
  StringRef callee = init.getCallee() == "mm_init" ? "mm_block_init" : "mm_block_init_short";
  emitc::CallOpaqueOp::create(builder, init.getLoc(), TypeRange(), callee, operands);
  init.erase();
}

//===--------------------------------------------------------------------------===//
// A thread
//===--------------------------------------------------------------------------===//

namespace {
// The products that a thread computes of the blocks of one pair of buffers, and their init calls.
struct BufferPair {
  std::vector<ProductNest> nests;
  SmallVector<emitc::CallOpaqueOp> inits;
  size_t numProducts = 0; // calls of matmul_tiles

  bool mayUseBlocks() const {
    return !nests.empty() && nests.size() == numProducts &&
           llvm::all_of(nests, [&](auto &nest) { return nest.size == nests.front().size; });
  }
};

using BufferPairs = llvm::MapVector<std::pair<Value, Value>, BufferPair>;
} // namespace

static BufferPairs readThread(emitc::FuncOp function) {
  BufferPairs pairs;
  auto pairOf = [&](emitc::CallOpaqueOp call) -> BufferPair & {
    return pairs[{call.getOperand(0), call.getOperand(1)}];
  };
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto product = asProduct(op))
      ++pairOf(product).numProducts;
    auto call = dyn_cast<emitc::CallOpaqueOp>(op);
    if (call && (call.getCallee() == "mm_init" || call.getCallee() == "mm_init_short"))
      pairOf(call).inits.push_back(call);
    ProductNest nest;
    auto loop = dyn_cast<emitc::ForOp>(op);
    if (!loop || !nest.match(loop))
      return WalkResult::advance();
    BufferPair &pair = pairOf(nest.call);
    ++pair.numProducts;
    pair.nests.push_back(std::move(nest));
    return WalkResult::skip();
  });
  return pairs;
}

void tometalium::useMatmulBlocks(emitc::FuncOp function) {
  BufferPairs pairs = readThread(function);
  for (auto &[buffers, pair] : pairs) {
    if (!pair.mayUseBlocks())
      continue;
    for (ProductNest &nest : pair.nests)
      nest.write();
    for (emitc::CallOpaqueOp init : pair.inits)
      writeInit(init, pair.nests.front().size);
  }
}
