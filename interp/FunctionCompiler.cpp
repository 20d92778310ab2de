//===- FunctionCompiler.cpp - decodes a thread --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/FunctionCompiler.h"

#include "hw/facts/Assert.h"
#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

llvm::Error interp::errorAt(Operation *op, const Twine &message) {
  SourceRange range = getSourceRange(op->getLoc());
  std::string where = range.line == 0 ? std::string("unknown position")
                                      : range.file + ":" + std::to_string(range.line) + ":" +
                                            std::to_string(range.column);
  return llvm::createStringError(llvm::inconvertibleErrorCode(), where + ": " + message);
}

uint32_t interp::countTiles(Type type) {
  if (isa<ttcore::TileType>(type))
    return 1;
  if (!ttl::isBlockTensor(type))
    return 0;
  return static_cast<uint32_t>(cast<RankedTensorType>(type).getNumElements());
}

FunctionCompiler::FunctionCompiler(const OpTable &rules, LocationTable &locations,
                                   const ThreadSource &source)
    : rules(rules), locations(locations), source(source),
      explicitSections(
          source.op->walk([](ttkernel::TileRegsAcquireOp) { return WalkResult::interrupt(); })
              .wasInterrupted()) {}

//===--------------------------------------------------------------------------===//
// Slots
//===--------------------------------------------------------------------------===//

SlotNumber FunctionCompiler::newSlot() {
  code->image.emplace_back();
  return code->image.size() - 1;
}

SlotNumber FunctionCompiler::slotOf(Value value) {
  auto [it, inserted] = slots.try_emplace(value, 0);
  if (inserted)
    it->second = newSlot();
  return it->second;
}

SlotNumber FunctionCompiler::constantSlot(Slot value) {
  SlotNumber slot = newSlot();
  code->image[slot] = value;
  return slot;
}

SlotNumber FunctionCompiler::constantString(StringRef text) {
  code->strings.push_back(text.str());
  return constantSlot(Slot::of(code->strings.back().c_str()));
}

//===--------------------------------------------------------------------------===//
// Tiles that are values
//===--------------------------------------------------------------------------===//

TileNumber FunctionCompiler::newTiles(uint32_t count) {
  std::vector<TileNumber> &runs = freeTileRuns[count];
  if (!runs.empty()) {
    TileNumber first = runs.back();
    runs.pop_back();
    return first;
  }
  return workTiles(count);
}

TileNumber FunctionCompiler::temporaryTiles(uint32_t count) {
  TileNumber first = newTiles(count);
  temporaries.push_back({first, count});
  return first;
}

TileNumber FunctionCompiler::tilesOf(Value value, uint32_t count) {
  if (storedTiles.contains(value))
    loadedArguments.insert(value);
  auto [it, inserted] = tiles.try_emplace(value, TileRun{0, count});
  if (inserted)
    it->second.first = newTiles(count);
  return it->second.first;
}

// Reserves a tile for the argument's value now. If the body uses the value, it is loaded before the
// body runs, so its tile must not be one that the body used for another value before.
void FunctionCompiler::setStoredTile(Value argument, StoredTile tile) {
  tilesOf(argument);
  storedTiles[argument] = tile;
}

llvm::Expected<StoredTile> FunctionCompiler::storedTile(Operation *op, Value value) {
  auto it = storedTiles.find(value);
  if (it == storedTiles.end())
    return errorAt(op, "'" + op->getName().getStringRef() +
                           "' can only take tiles in L1, which are arguments of its ttl.compute");
  return it->second;
}

// Returns whether `value` has tiles that no op after `op` reads. A value that the terminator reads
// keeps its tiles: they are moved when the whole block has been compiled.
bool FunctionCompiler::isLastUse(Operation *op, Value value) const {
  Block *block = op->getBlock();
  if (!tiles.contains(value) || isa<BlockArgument>(value) || value.getParentBlock() != block)
    return false;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    return ancestor == op || ancestor->isBeforeInBlock(op);
  });
}

bool FunctionCompiler::takeTiles(Operation *op, Value operand, Value result) {
  if (!isLastUse(op, operand) || llvm::count(op->getOperands(), operand) != 1)
    return false;
  auto it = tiles.find(operand);
  if (it->second.count != countTiles(result.getType()))
    return false;
  TileRun run = it->second;
  tiles.erase(it);
  tiles[result] = run;
  return true;
}

void FunctionCompiler::freeAfterLastUse(Operation *op) {
  for (auto [first, count] : temporaries)
    freeTiles(first, count);
  temporaries.clear();
  op->walk([&](Operation *inner) {
    for (Value value : inner->getOperands())
      if (isLastUse(op, value)) {
        auto it = tiles.find(value);
        freeTiles(it->second.first, it->second.count);
        tiles.erase(it);
      }
  });
}

//===--------------------------------------------------------------------------===//
// Instructions
//===--------------------------------------------------------------------------===//

Instruction FunctionCompiler::instruction(Operation *op, Handler handler,
                                          ArrayRef<SlotNumber> operands) {
  TTJIT_ASSERT(operands.size() <= Instruction::kMaxOperands,
               "an instruction has too many operands");
  Instruction inst;
  inst.run = handler;
  inst.location = locations.intern(op->getLoc());
  llvm::copy(operands, inst.operands.begin());
  if (op->getNumResults() != 0)
    inst.result = slotOf(op->getResult(0));
  return inst;
}

Instruction &FunctionCompiler::emit(Operation *op, Handler handler, ArrayRef<SlotNumber> operands) {
  return current->emplace_back(instruction(op, handler, operands));
}

Instruction &FunctionCompiler::emit(Operation *op, Handler handler) {
  SmallVector<SlotNumber, Instruction::kMaxOperands> operands;
  for (Value operand : op->getOperands())
    operands.push_back(slotOf(operand));
  return emit(op, handler, operands);
}

llvm::Expected<Instructions> FunctionCompiler::collect(llvm::function_ref<llvm::Error()> fill) {
  Instructions result;
  llvm::SaveAndRestore<Instructions *> inside(current, &result);
  if (llvm::Error error = fill())
    return error;
  return result;
}

Moves FunctionCompiler::moves(ValueRange from, ValueRange to) {
  Moves direct, first, second;
  auto placeOf = [&](Value value) {
    uint32_t count = countTiles(value.getType());
    return std::pair(count, count ? tilesOf(value) : slotOf(value));
  };
  llvm::SmallSet<std::pair<uint32_t, uint32_t>, 8> overwritten;
  for (Value target : to)
    overwritten.insert(placeOf(target));
  for (auto [source, target] : llvm::zip_equal(from, to)) {
    auto [count, sourcePlace] = placeOf(source);
    uint32_t targetPlace = placeOf(target).second;
    if (sourcePlace == targetPlace)
      continue;
    if (!overwritten.contains({count, sourcePlace})) {
      direct.push_back({sourcePlace, targetPlace, count});
      continue;
    }
    // Copy such sources to temporary slots or tiles first, so that all sources are read before
    // any target is written.
    uint32_t between = count ? newTiles(count) : newSlot();
    first.push_back({sourcePlace, between, count});
    second.push_back({between, targetPlace, count});
  }
  first.insert(first.end(), direct.begin(), direct.end());
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

//===--------------------------------------------------------------------------===//
// Blocks and threads
//===--------------------------------------------------------------------------===//

llvm::Error FunctionCompiler::compileOp(Operation *op) {
  if (Rule rule = rules.find(op))
    return rule(op, *this);
  return errorAt(op, "the interpreter has no rule for '" + op->getName().getStringRef() + "'");
}

// Appends the instruction that calls the statement hook.
Statement *FunctionCompiler::emitStatement(ArrayRef<Location> stack) {
  std::unique_ptr<Statement> statement = describeStatement(stack);
  for (const auto &[value, variable] : named) {
    Variable placed = variable;
    auto run = tiles.find(value);
    auto slot = slots.find(value);
    bool isTiles = variable.kind == Variable::Kind::Tiles;
    if (isTiles ? run == tiles.end() : slot == slots.end())
      continue; // the value has no tiles any more: another value has them
    if (isTiles)
      placed.tile = run->second.first;
    else
      placed.slot = slot->second;
    statement->variables.push_back(std::move(placed));
  }
  Instruction &call = current->emplace_back();
  call.run = runStatement;
  call.location = locations.intern(stack.back());
  Statement *result = statement.get();
  call.detail = std::move(statement);
  return result;
}

// Begins a statement if the op is on another line than the op before it. A statement that calls a
// function goes on after the statements of the function.
void FunctionCompiler::beginStatements(Operation &op, OpenStatements &open) {
  // Tensor accessors belong to no statement: the frontend makes them for the whole thread.
  if (isa<ttl::TensorAccessorOp>(op))
    return;
  std::vector<Location> stack = callStack(op.getLoc());
  for (size_t depth = 0; depth < stack.size(); ++depth) {
    SourceRange position = getSourceRange(stack[depth]);
    if (position.line == 0)
      return;
    bool isSame = depth < open.size() && open[depth]->position.line == position.line &&
                  open[depth]->position.file == position.file;
    if (isSame)
      continue;
    open.resize(depth);
    open.push_back(emitStatement(ArrayRef(stack).take_front(depth + 1)));
  }
  open.resize(stack.size());
  open.back()->ops.push_back(op.getName().getStringRef().str());
}

// Only the thread's body and blocks of scf have statements: a ttl.compute is in one statement.
llvm::Expected<Instructions> FunctionCompiler::compileBlock(Block &block) {
  Operation *parent = block.getParentOp();
  OpenStatements open;
  bool hasStatements =
      source.statements && (parent == source.op || isa<scf::SCFDialect>(parent->getDialect()));
  size_t numNamed = named.size();
  auto name = [&](ValueRange values) {
    for (Value value : hasStatements ? values : ValueRange())
      if (std::optional<Variable> variable = describeVariable(value, countTiles(value.getType())))
        named.emplace_back(value, std::move(*variable));
  };
  name(block.getArguments());
  llvm::Expected<Instructions> result = collect([&]() -> llvm::Error {
    for (Operation &op : block) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        break;
      if (hasStatements)
        beginStatements(op, open);
      if (llvm::Error error = compileOp(&op))
        return error;
      freeAfterLastUse(&op);
      name(op.getResults());
    }
    return llvm::Error::success();
  });
  named.resize(numNamed);
  return result;
}

llvm::Error FunctionCompiler::defineResources() {
  for (auto [value, number] : source.resources)
    define(value, Slot::of(static_cast<int32_t>(number)));
  auto function = dyn_cast<func::FuncOp>(source.op);
  if (!function)
    return llvm::Error::success();
  bool bound = llvm::all_of(function.getArguments(),
                            [&](BlockArgument argument) { return slots.contains(argument); });
  if (!bound || function.getNumResults() != 0)
    return errorAt(function, "thread function '" + function.getName() +
                                 "' must have no results, and a thread of a program must bind each "
                                 "of its arguments");
  return llvm::Error::success();
}

// Each thread of a ttl.kernel computes for itself the values that it uses from the
// kernel's body.
llvm::Error FunctionCompiler::compileOutsideValues() {
  SetVector<Operation *> needed;
  SmallVector<Region *> regions{&source.op->getRegion(0)};
  auto visit = [&](Value value) {
    if (!slots.contains(value) && value.getDefiningOp())
      needed.insert(value.getDefiningOp());
  };
  SetVector<Value> outside;
  getUsedValuesDefinedAbove(source.op->getRegions(), outside);
  llvm::for_each(outside, visit);
  for (size_t i = 0; i < needed.size(); ++i)
    llvm::for_each(needed[i]->getOperands(), visit);
  for (Operation &op : *source.op->getBlock())
    if (needed.contains(&op))
      if (llvm::Error error = compileOp(&op))
        return error;
  return llvm::Error::success();
}

llvm::Expected<std::shared_ptr<const Code>> FunctionCompiler::compile() {
  Region &body = source.op->getRegion(0);
  if (llvm::Error error = defineResources())
    return error;
  if (body.empty())
    return code;
  if (!body.hasOneBlock())
    return errorAt(source.op, "a thread must have structured control flow: one block, found " +
                                  Twine(body.getBlocks().size()));
  llvm::Expected<Instructions> outside = collect([&] { return compileOutsideValues(); });
  if (!outside)
    return outside.takeError();
  llvm::Expected<Instructions> inside = compileBlock(body.front());
  if (!inside)
    return inside.takeError();
  code->body = std::move(*outside);
  llvm::move(*inside, std::back_inserter(code->body));
  return code;
}
