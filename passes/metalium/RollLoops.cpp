//===- RollLoops.cpp - repeated statements become loops -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The passes before unroll the tiles of a DST section, because each tile has its own register,
// whose number is a constant. Emitted as it is, the section would repeat its calls for each tile.
// This pass writes such calls as one loop:
//
// 1. Take the runs of statements in each block: calls without a result, and loops of such calls.
//    Expressions of numbers and variables between them are no statements. Anything else ends a
//    run.
// 2. Find statements that repeat with a period: each repetition differs from the one before by the
//    same numbers. All have the position of the same line of the user's program.
// 3. Write the first repetition in a loop. Where an operand changes by `step`, it becomes the
//    first operand + step * counter.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/RollLoops.h"

#include "passes/metalium/InlineExpressions.h"
#include "passes/metalium/Names.h"

#include "ir/Locations/Locations.h"

#include <optional>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tometalium;

// The longest period.
static constexpr size_t kMostStatements = 64;

//===--------------------------------------------------------------------------===//
// How two statements differ
//===--------------------------------------------------------------------------===//

namespace {

struct Change {
  OpOperand *operand;
  int64_t step;

  bool operator==(const Change &other) const = default;
};

// Compares a statement with a later one.
class Comparison {
public:
  // Returns whether the statements differ in numbers only, and appends how operands of `first`
  // change.
  bool compare(Operation *first, Operation *later, SmallVectorImpl<Change> &changes);

private:
  bool compareCalls(emitc::CallOpaqueOp first, emitc::CallOpaqueOp later,
                    SmallVectorImpl<Change> &changes);
  bool compareLoops(emitc::ForOp first, emitc::ForOp later, SmallVectorImpl<Change> &changes);
  std::optional<int64_t> difference(Value first, Value later) const;
  bool isSame(Value first, Value later) const;

  DenseMap<Value, Value> counters; // of the first loops, to those of the later ones
};

} // namespace

bool Comparison::isSame(Value first, Value later) const {
  if (first == later)
    return true;
  if (Value counter = counters.lookup(first))
    return counter == later;
  Operation *a = first.getDefiningOp(), *b = later.getDefiningOp();
  if (!a || !b || !isCppExpression(a) || !isCppExpression(b))
    return false;
  return OperationEquivalence::isEquivalentTo(
      a, b, [&](Value x, Value y) { return success(isSame(x, y)); }, nullptr,
      OperationEquivalence::IgnoreLocations);
}

// Splits a value into another one and a number to add.
static std::pair<Value, int64_t> splitSum(Value value) {
  if (auto sum = value.getDefiningOp<emitc::AddOp>())
    for (unsigned i : {0u, 1u})
      if (std::optional<int64_t> number = numberOf(sum->getOperand(i)))
        return {sum->getOperand(1 - i), *number};
  return {value, 0};
}

// Returns later - first if that is a known number.
std::optional<int64_t> Comparison::difference(Value first, Value later) const {
  if (isSame(first, later))
    return 0;
  if (!isa<IntegerType>(first.getType()) || first.getType() != later.getType())
    return std::nullopt;
  std::optional<int64_t> a = numberOf(first), b = numberOf(later);
  if (a && b)
    return *b - *a;
  auto [base, number] = splitSum(first);
  auto [laterBase, laterNumber] = splitSum(later);
  if (base != first || laterBase != later) {
    std::optional<int64_t> rest = difference(base, laterBase);
    return rest ? std::optional(*rest + laterNumber - number) : std::nullopt;
  }
  auto sum = first.getDefiningOp<emitc::AddOp>(), laterSum = later.getDefiningOp<emitc::AddOp>();
  if (!sum || !laterSum)
    return std::nullopt;
  std::optional<int64_t> left = difference(sum.getLhs(), laterSum.getLhs());
  std::optional<int64_t> right = difference(sum.getRhs(), laterSum.getRhs());
  return left && right ? std::optional(*left + *right) : std::nullopt;
}

bool Comparison::compareCalls(emitc::CallOpaqueOp first, emitc::CallOpaqueOp later,
                              SmallVectorImpl<Change> &changes) {
  if (first.getCallee() != later.getCallee() || first->getAttrs() != later->getAttrs() ||
      first.getArgsAttr() != later.getArgsAttr() ||
      first.getTemplateArgsAttr() != later.getTemplateArgsAttr() ||
      first->getNumOperands() != later->getNumOperands())
    return false;
  for (auto [operand, other] : llvm::zip_equal(first->getOpOperands(), later->getOperands())) {
    std::optional<int64_t> step = difference(operand.get(), other);
    if (!step)
      return false;
    changes.push_back({&operand, *step});
  }
  return true;
}

static bool isStatement(Operation &op) { return !isCppExpression(&op); }

static auto statementsOf(Block &block) {
  return llvm::make_filter_range(block.without_terminator(), isStatement);
}

bool Comparison::compareLoops(emitc::ForOp first, emitc::ForOp later,
                              SmallVectorImpl<Change> &changes) {
  for (auto [a, b] : llvm::zip_equal(first->getOperands(), later->getOperands()))
    if (!isSame(a, b))
      return false;
  counters[first.getInductionVar()] = later.getInductionVar();
  auto ours = statementsOf(*first.getBody()), others = statementsOf(*later.getBody());
  if (llvm::range_size(ours) != llvm::range_size(others))
    return false;
  return llvm::all_of(llvm::zip_equal(ours, others), [&](auto pair) {
    return compare(&std::get<0>(pair), &std::get<1>(pair), changes);
  });
}

bool Comparison::compare(Operation *first, Operation *later, SmallVectorImpl<Change> &changes) {
  SourceRange place = getSourceRange(first->getLoc()), other = getSourceRange(later->getLoc());
  if (first->getName() != later->getName() || place.file != other.file ||
      place.line != other.line || place.column != other.column)
    return false;
  if (auto call = dyn_cast<emitc::CallOpaqueOp>(first))
    return call->getNumResults() == 0 &&
           compareCalls(call, cast<emitc::CallOpaqueOp>(later), changes);
  auto loop = dyn_cast<emitc::ForOp>(first);
  return loop && compareLoops(loop, cast<emitc::ForOp>(later), changes);
}

//===--------------------------------------------------------------------------===//
// One block
//===--------------------------------------------------------------------------===//

namespace {

// Statements that repeat: `times` times the first `period` ones.
struct Repetition {
  size_t period = 0, times = 0;
  SmallVector<Change> changes;

  int64_t saved = 0; // how many lines a loop saves
};

} // namespace

static bool compareAt(ArrayRef<Operation *> statements, size_t period, size_t time,
                      SmallVectorImpl<Change> &changes) {
  Comparison comparison;
  for (size_t i = 0; i < period; ++i)
    if (!comparison.compare(statements[i], statements[time * period + i], changes))
      return false;
  return true;
}

// Finds how often the statements repeat with this period, from the first one on.
static Repetition repetitionOf(ArrayRef<Operation *> statements, size_t period) {
  Repetition found{period, 1, {}};
  while ((found.times + 1) * period <= statements.size()) {
    SmallVector<Change> changes;
    if (!compareAt(statements, period, found.times, changes))
      break;
    int64_t times = found.times;
    if (times == 1)
      found.changes = changes;
    bool isSteady = llvm::all_of(llvm::zip_equal(changes, found.changes), [&](auto pair) {
      return std::get<0>(pair).step == times * std::get<1>(pair).step;
    });
    if (!isSteady)
      break;
    ++found.times;
  }
  return found;
}

// Returns the number of lines of a statement. A loop has a head and an end.
static int64_t linesOf(Operation &op) {
  int64_t lines = 1;
  if (auto loop = dyn_cast<emitc::ForOp>(op))
    for (Operation &inner : statementsOf(*loop.getBody()))
      lines += linesOf(inner);
  return lines + isa<emitc::ForOp>(op);
}

static int64_t linesSaved(ArrayRef<Operation *> statements, const Repetition &repetition) {
  int64_t lines = 0;
  for (Operation *op : statements.take_front(repetition.period))
    lines += linesOf(*op);
  return (int64_t(repetition.times) - 1) * lines - 2;
}

static Repetition bestRepetition(ArrayRef<Operation *> statements) {
  Repetition best;
  for (size_t period = 1; period <= std::min(kMostStatements, statements.size() / 2); ++period) {
    Repetition next = repetitionOf(statements, period);
    next.saved = linesSaved(statements, next);
    if (next.saved > best.saved)
      best = std::move(next);
  }
  return best;
}

// Adds step * counter to an operand of a statement in the loop.
static void addCounter(const Change &change, Value counter) {
  if (change.step == 0)
    return;
  Operation *op = change.operand->getOwner();
  OpBuilder builder(op);
  Location loc = positionOf(op->getLoc());
  Type type = counter.getType();
  Value term = counter, first = change.operand->get();
  auto constant = [&](int64_t number) {
    return emitc::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, number));
  };
  if (change.step != 1)
    term = emitc::MulOp::create(builder, loc, type, term, constant(change.step));
  std::optional<int64_t> number = numberOf(first);
  if (number != 0)
    term = emitc::AddOp::create(builder, loc, type, number ? term : first,
                                number ? constant(*number) : term);
  change.operand->set(term);
}

static void moveExpressions(Value value, Operation *before);

// Moves what `op` uses, expressions between the statements of a repetition, in front of `before`.
static void moveOperands(Operation *op, Operation *before) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      moveExpressions(operand, before);
  });
}

static void moveExpressions(Value value, Operation *before) {
  Operation *made = value.getDefiningOp();
  if (!made || made->getBlock() != before->getBlock() || made->isBeforeInBlock(before))
    return;
  moveOperands(made, before);
  made->moveBefore(before);
}

static emitc::ForOp writeLoop(ArrayRef<Operation *> statements, const Repetition &repetition) {
  Operation *first = statements.front();
  OpBuilder builder(first);
  Location loc = positionOf(first->getLoc());
  Type type = builder.getI32Type();
  auto constant = [&](int64_t number) {
    return emitc::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, number));
  };
  Value zero = constant(0), end = constant(repetition.times), one = constant(1);
  auto loop = emitc::ForOp::create(builder, loc, zero, end, one);
  loop.getInductionVar().setLoc(loc);
  for (Operation *op : statements.take_front(repetition.period)) {
    moveOperands(op, loop);
    op->moveBefore(loop.getBody()->getTerminator());
  }
  for (const Change &change : repetition.changes)
    addCounter(change, loop.getInductionVar());
  for (Operation *op :
       statements.slice(repetition.period, repetition.period * (repetition.times - 1)))
    op->erase();
  return loop;
}

static void rollBlock(Block &block);

// Replaces repetitions in a run of statements, and in the loops that this makes.
static void rollRun(ArrayRef<Operation *> statements) {
  while (statements.size() > 1) {
    Repetition best = bestRepetition(statements);
    if (best.times)
      rollBlock(*writeLoop(statements, best).getBody());
    statements = statements.drop_front(best.times ? best.times * best.period : 1);
  }
}

static bool mayRepeat(Operation &op) {
  if (auto call = dyn_cast<emitc::CallOpaqueOp>(op))
    return call->getNumResults() == 0;
  auto loop = dyn_cast<emitc::ForOp>(op);
  return loop && llvm::all_of(statementsOf(*loop.getBody()), mayRepeat);
}

static void rollBlock(Block &block) {
  SmallVector<Operation *> run;
  SmallVector<SmallVector<Operation *>> runs;
  for (Operation &op : block) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        rollBlock(inner);
    // A call with a result may read memory, so it keeps its place among the statements.
    if (!isStatement(op) && !isa<emitc::CallOpaqueOp>(op))
      continue;
    if (mayRepeat(op)) {
      run.push_back(&op);
      continue;
    }
    runs.push_back(std::exchange(run, {}));
  }
  runs.push_back(run);
  for (ArrayRef<Operation *> statements : runs)
    rollRun(statements);
}

void tometalium::rollLoops(emitc::FuncOp function) {
  for (Block &block : function.getBody())
    rollBlock(block);
}
