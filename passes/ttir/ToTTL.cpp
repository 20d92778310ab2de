//===- ToTTL.cpp - ttir-to-ttl ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a function of ttir computes on whole tensors. Engines run kernels.
//
// 1. Walk the ops of each function in order. Collect element-wise ops of one shape that share
//    operands or results into groups.
// 2. Make one kernel of each group, before the first op outside of the group that needs one of its
//    results. Make one kernel of each matmul and reduction, and of each chain of ops that move
//    elements.
// 3. Leave the other ops, which are functions of the host.
// 4. Replace the function's body by ttl.launch and those ops. ttir.to_layout moves tensors to the
//    device and back; a tensor that only kernels use stays there. A ttir.to_layout of the function
//    that names a layout stores its tensor so; a kernel copies it if it is on the device.
//
// Rejects: functions with other ops than those of ttir and return, or with arguments that are no
// tensors of the host.
//===--------------------------------------------------------------------------===//

#include "ir/TTCore/TTCoreLayouts.h"
#include "ir/TTL/TTLDist.h"
#include "passes/ttir/ElementwiseRows.h"
#include "passes/ttir/Kernels.h"
#include "passes/ttir/Moves.h"
#include "passes/ttir/Passes.h"
#include "passes/ttir/Places.h"
#include "passes/ttir/StoredLayouts.h"

#include "llvm/ADT/StringExtras.h"

namespace ttjit {
#define GEN_PASS_DEF_TTIRTOTTL
#include "passes/ttir/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

namespace {

class FunctionPlan {
public:
  FunctionPlan(func::FuncOp function, const KernelPlace &place)
      : function(function), place(place), builder(function.getContext()), places(builder) {}

  LogicalResult run();

  unsigned numKernels = 0, numHost = 0;

private:
  LogicalResult check();
  LogicalResult visit(TTIROp op);
  void visit(func::ReturnOp op);
  void joinGroup(TTIROp op);
  bool mayJoin(const ElementwiseGroup &group, TTIROp op) const;
  void addTo(ElementwiseGroup &group, TTIROp op);
  ElementwiseGroup neededPart(const ElementwiseGroup &group);
  void flush(ElementwiseGroup &group);
  void flushMakersOf(ValueRange values, ElementwiseGroup *except = nullptr);
  void addReduction(TTIROp op);
  void addMatmul(TTIROp op);
  void addElementKernel(TTIROp op);
  void addMove(TTIROp op);
  bool isZeroPadded(const TensorMove &move, bool keepsTiles);
  void addHostOp(TTIROp op);
  LogicalResult addCollective(ttl::CollectiveOp op);
  LogicalResult addToLayout(TTIROp op);
  Value convert(TTIROp op, Value value, Type element);
  void copy(Operation *op, Value source, Value result, RankedTensorType stored);
  Value operand(Operation *op, Value value);
  void launch(ttl::KernelOp kernel, ArrayRef<Value> operands, ValueRange results, bool isZero);
  std::string nextName(ArrayRef<TTIROp> ops);
  std::string nextName(ArrayRef<StringRef> names);

  func::FuncOp function;
  const KernelPlace &place;
  OpBuilder builder;
  Places places;
  SmallVector<ElementwiseGroup> groups; // one for each shape, not yet kernels
};

} // namespace

static bool isHostTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding();
}

// Refuses tensors with a layout, except for ops that store tensors in layouts.
static LogicalResult checkTensors(Operation *op) {
  auto ttirOp = dyn_cast<TTIROp>(op);
  bool isStore =
      ttirOp && llvm::is_contained({OpKind::Empty, OpKind::ToLayout}, ttirOp.facts().kind);
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    bool isMetal = tensor && isa_and_nonnull<ttcore::MetalLayoutAttr>(tensor.getEncoding());
    if (!isHostTensor(type) && !(isStore && isMetal))
      return op->emitOpError("has a tensor with a layout, which is not supported: kernels choose "
                             "layouts, and only ttir.to_layout may name a #ttcore.metal_layout; "
                             "found ")
             << type;
  }
  return success();
}

LogicalResult FunctionPlan::check() {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("a function of ttir ops must have one block");
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (!isHostTensor(type))
      return function.emitError() << "argument " << i
                                  << " must be a tensor of known extents without a layout, such as "
                                     "tensor<64x128xf32>; found "
                                  << type;
  for (Operation &op : function.getBody().front()) {
    if (!isa<TTIROp, ttl::CollectiveOp, func::ReturnOp>(op))
      return op.emitOpError(
          "cannot run in a function of ttir ops, which may have those and return");
    if (failed(checkTensors(&op)))
      return failure();
  }
  return checkMesh(function);
}

LogicalResult FunctionPlan::run() {
  if (failed(check()))
    return failure();
  SmallVector<Operation *> old;
  for (Operation &op : function.getBody().front())
    old.push_back(&op);
  builder.setInsertionPoint(old.back());
  for (Value argument : function.getArguments())
    places.setHost(argument, argument);
  for (Operation *op : old)
    if (auto ttirOp = dyn_cast<TTIROp>(op)) {
      if (failed(visit(ttirOp)))
        return failure();
    } else if (auto collective = dyn_cast<ttl::CollectiveOp>(op)) {
      if (failed(addCollective(collective)))
        return failure();
    } else {
      visit(cast<func::ReturnOp>(op));
    }
  for (Operation *op : llvm::reverse(ArrayRef(old).drop_back()))
    op->erase();
  return success();
}

static bool isMoveKernel(TTIROp op);

namespace {
// A kernel of single elements: its tensors are the operands, then the results.
struct ElementKernel {
  bool (*accepts)(TTIROp);
  ttl::KernelOp (*make)(const KernelPlace &, StringRef name, TTIROp);
};
} // namespace

static constexpr ElementKernel kElementKernels[] = {
    {isFoldKernel, makeFoldKernel},
    {isGatherKernel, makeGatherKernel},
    {isScatterKernel, makeScatterKernel},
    {isSortKernel, makeSortKernel},
    {isIntegerMatmulKernel, makeIntegerMatmulKernel},
    {isIntegerElementwiseKernel, makeIntegerElementwiseKernel},
};

// Returns the kernel of single elements that does the op; null if there is none.
static const ElementKernel *elementKernelOf(TTIROp op) {
  const ElementKernel *found =
      llvm::find_if(kElementKernels, [&](const ElementKernel &each) { return each.accepts(op); });
  return found == std::end(kElementKernels) ? nullptr : found;
}

LogicalResult FunctionPlan::visit(TTIROp op) {
  if (op.facts().kind == OpKind::ToLayout)
    return addToLayout(op);
  if (isElementwiseKernel(op) && !op.inputs().empty()) {
    joinGroup(op);
  } else if (isReductionKernel(op)) {
    addReduction(op);
  } else if (isMatmulKernel(op)) {
    addMatmul(op);
  } else if (isMoveKernel(op)) {
    addMove(op);
  } else if (elementKernelOf(op)) {
    addElementKernel(op);
  } else {
    addHostOp(op);
  }
  return success();
}

// Returns the value with its elements converted to another type.
Value FunctionPlan::convert(TTIROp op, Value value, Type element) {
  auto type = RankedTensorType::get(logicalType(tensorTypeOf(value)).getShape(), element);
  Value made =
      TTIROp::create(builder, op.getLoc(), "typecast", type, places.host(value))->getResult(0);
  places.setHost(made, made);
  return made;
}

// Returns whether the device stores elements of both types in the same way: i32 and si32 both
// become int32 tiles.
static bool areSameOnDevice(Type a, Type b) {
  return a.isInteger(32) && b.isInteger(32) && a.isUnsignedInteger() == b.isUnsignedInteger();
}

// Lowers a ttir.to_layout, which does not change the elements.
LogicalResult FunctionPlan::addToLayout(TTIROp op) {
  flushMakersOf(op->getOperands());
  Value source = op->getOperand(0), result = op->getResult(0);
  RankedTensorType type = logicalType(op.resultType());
  bool isPlain = !op.resultType().getEncoding();
  Type from = logicalType(tensorTypeOf(source)).getElementType(), to = type.getElementType();
  if (from != to && !(areSameOnDevice(from, to) && (!isPlain || places.isOnDevice(source))))
    source = convert(op, source, to);
  if (isPlain) {
    places.share(result, source);
    return success();
  }
  std::string why;
  RankedTensorType stored = layoutType(op.resultType(), why);
  if (!stored)
    return op->emitOpError("asks for a layout that is not supported: ") << why;
  if (places.isOnDevice(source))
    copy(op, source, result, stored);
  else
    places.upload(result, source, stored);
  return success();
}

// Copies a tensor on the device to storage of another layout.
void FunctionPlan::copy(Operation *op, Value source, Value result, RankedTensorType stored) {
  Value from = places.stored(source), into = places.allocate(op->getLoc(), stored);
  ttl::KernelOp kernel = makeCopyKernel(place, op->getLoc(), nextName(StringRef("to_layout")),
                                        tensorTypeOf(from), stored);
  ttl::LaunchOp::create(builder, op->getLoc(), kernel.getSymName(), ValueRange{from, into});
  places.setDevice(result, into, places.isZeroPadded(source));
}

// Returns the storage of an operand of a kernel, which is interleaved.
Value FunctionPlan::operand(Operation *op, Value value) {
  RankedTensorType wanted = deviceType(logicalType(tensorTypeOf(value)));
  if (places.isOnDevice(value) && places.stored(value).getType() != wanted)
    copy(op, value, value, wanted);
  return places.device(value);
}

void FunctionPlan::visit(func::ReturnOp op) {
  for (ElementwiseGroup &group : groups)
    flush(group);
  for (OpOperand &operand : op->getOpOperands())
    operand.set(places.host(operand.get()));
}

// Returns a name that says what the kernel does: "main_3_add_exp".
std::string FunctionPlan::nextName(ArrayRef<TTIROp> ops) {
  constexpr size_t kNames = 3;
  SmallVector<StringRef> names =
      llvm::map_to_vector(ops.take_front(kNames), [](TTIROp op) { return op.name(); });
  if (ops.size() > kNames)
    names.push_back("and_more");
  return nextName(names);
}

std::string FunctionPlan::nextName(ArrayRef<StringRef> names) {
  std::string name = (function.getSymName() + "_" + Twine(numKernels++)).str();
  for (StringRef each : names)
    name += ("_" + each).str();
  for (char &c : name)
    c = llvm::isAlnum(c) ? c : '_';
  ModuleOp module = place.module;
  while (module.lookupSymbol(name))
    name += '_';
  return name;
}

void FunctionPlan::launch(ttl::KernelOp kernel, ArrayRef<Value> operands, ValueRange results,
                          bool isZero) {
  SmallVector<Value> tensors(operands);
  for (Value result : results) {
    tensors.push_back(places.allocate(kernel.getLoc(), deviceType(tensorTypeOf(result))));
    places.setDevice(result, tensors.back(), isZero);
  }
  ttl::LaunchOp::create(builder, kernel.getLoc(), kernel.getSymName(), tensors);
}

//===--------------------------------------------------------------------------===//
// Groups of element-wise ops
//===--------------------------------------------------------------------------===//

// Returns whether the value is a number that the kernel makes itself.
static bool isNumber(Value value) {
  auto op = value.getDefiningOp<TTIROp>();
  return op && op.inputs().empty() && isElementwiseKernel(op);
}

static bool makes(const ElementwiseGroup &group, Value value) {
  return llvm::any_of(group.ops, [&](TTIROp op) { return op->getResult(0) == value; });
}

bool FunctionPlan::mayJoin(const ElementwiseGroup &group, TTIROp op) const {
  constexpr size_t kMostOps = 8, kMostInputs = 8; // their buffers fit in L1
  if (group.ops.size() == kMostOps)
    return false;
  size_t added = 0;
  bool isConnected = false;
  for (Value operand : op.inputs()) {
    bool isKnown = makes(group, operand) || llvm::is_contained(group.inputs, operand);
    isConnected |= isKnown;
    added += !isKnown && !isNumber(operand);
  }
  return isConnected && group.inputs.size() + added <= kMostInputs;
}

void FunctionPlan::addTo(ElementwiseGroup &group, TTIROp op) {
  for (Value operand : op.inputs())
    if (!makes(group, operand) && !isNumber(operand) && !llvm::is_contained(group.inputs, operand))
      group.inputs.push_back(operand);
  group.ops.push_back(op);
}

void FunctionPlan::joinGroup(TTIROp op) {
  ArrayRef<int64_t> shape = op.resultType().getShape();
  ElementwiseGroup *group = llvm::find_if(groups, [&](const ElementwiseGroup &each) {
    TTIROp last = each.ops.empty() ? TTIROp() : each.ops.back();
    return last && last.resultType().getShape() == shape;
  });
  if (group != groups.end() && !mayJoin(*group, op)) {
    flush(*group);
    group = groups.end();
  }
  flushMakersOf(op->getOperands(), group == groups.end() ? nullptr : group);
  if (group == groups.end())
    group = &groups.emplace_back();
  addTo(*group, op);
}

// Returns the ops of a group whose results other ops need, and those that they need in turn.
ElementwiseGroup FunctionPlan::neededPart(const ElementwiseGroup &group) {
  ElementwiseGroup result;
  DenseSet<Operation *> members, needed;
  for (TTIROp op : group.ops)
    members.insert(op);
  for (TTIROp op : llvm::reverse(group.ops)) {
    bool isOutput =
        llvm::any_of(op->getUsers(), [&](Operation *user) { return !members.contains(user); });
    if (isOutput)
      result.outputs.insert(result.outputs.begin(), op->getResult(0));
    if (!isOutput && !needed.contains(op))
      continue;
    needed.insert(op);
    for (Value operand : op.inputs())
      if (Operation *source = operand.getDefiningOp())
        needed.insert(source);
  }
  for (TTIROp op : group.ops)
    if (needed.contains(op))
      addTo(result, op);
  return result;
}

void FunctionPlan::flush(ElementwiseGroup &group) {
  if (group.ops.empty())
    return;
  ElementwiseGroup made = neededPart(group);
  group = {};
  if (made.outputs.empty())
    return;
  SmallVector<Value> operands =
      llvm::map_to_vector(made.inputs, [&](Value input) { return operand(made.ops[0], input); });
  launch(makeElementwiseKernel(place, nextName(made.ops), made), operands, made.outputs,
         /*isZero=*/false);
}

void FunctionPlan::flushMakersOf(ValueRange values, ElementwiseGroup *except) {
  for (ElementwiseGroup &group : groups)
    if (&group != except && llvm::any_of(values, [&](Value value) { return makes(group, value); }))
      flush(group);
}

//===--------------------------------------------------------------------------===//
// Other kernels, and functions of the host
//===--------------------------------------------------------------------------===//

void FunctionPlan::addReduction(TTIROp op) {
  flushMakersOf(op->getOperands());
  Value input = op.inputs()[0];
  bool masked = needsMask(op, places.isZeroPadded(input));
  SmallVector<Value> operands = {operand(op, input)};
  if (masked)
    operands.push_back(places.mask(op.getLoc(), maskFor(op)));
  launch(makeReductionKernel(place, nextName(op), op, masked), operands, op->getResults(),
         /*isZero=*/false);
}

void FunctionPlan::addMatmul(TTIROp op) {
  flushMakersOf(op->getOperands());
  Value a = op.inputs()[0], b = op.inputs()[1];
  bool areZero = places.isZeroPadded(a) && places.isZeroPadded(b),
       masked = needsMatmulMask(op, areZero);
  SmallVector<Value> operands = {operand(op, a), operand(op, b)};
  if (masked)
    operands.push_back(places.mask(op.getLoc(), maskFor(op)));
  launch(makeMatmulKernel(place, nextName(op), op, masked), operands, op->getResults(), areZero);
}

void FunctionPlan::addElementKernel(TTIROp op) {
  flushMakersOf(op->getOperands());
  SmallVector<Value> operands =
      llvm::map_to_vector(op.inputs(), [&](Value input) { return operand(op, input); });
  ttl::KernelOp kernel = elementKernelOf(op)->make(place, nextName(op), op);
  launch(kernel, operands, op->getResults(), /*isZero=*/false);
}

// Returns how each part moves whole tiles (movedTiles()); nothing if no kernel can move them so: a
// kernel cannot transpose blocks of integers.
static std::optional<SmallVector<MovedTiles>> keptTiles(const TensorMove &move, Type element) {
  std::optional<SmallVector<MovedTiles>> moved = movedTiles(move);
  bool isFloat = isa<FloatType>(element) || element.isInteger(1);
  return moved && (isFloat || !moved->front().isTransposed) ? moved : std::nullopt;
}

// Returns whether a kernel can do the move: data movement threads access no elements of f16.
static bool isMoveKernel(TTIROp op) {
  if (!isMove(op))
    return false;
  Type element = op.resultType().getElementType();
  return !element.isF16() || keptTiles(moveOf(op), element);
}

// Returns whether the kernel of the only user does the move, too.
static bool isPartOfNextMove(TTIROp op) {
  if (!isMoveKernel(op) || !op->hasOneUse() || op.resultType().getElementType().isF16())
    return false;
  auto user = dyn_cast<TTIROp>(*op->user_begin());
  return user && isMoveKernel(user) && moveOf(op).isWhole();
}

// Returns whether the padding is zero: there is none, or it is that of an operand with zeros.
bool FunctionPlan::isZeroPadded(const TensorMove &move, bool keepsTiles) {
  auto last = ArrayRef(move.shape).take_back(2);
  if (llvm::all_of(last, [](int64_t extent) { return extent % kTile == 0; }))
    return true;
  if (!keepsTiles || !move.isWhole() || !places.isZeroPadded(move.parts[0].operand))
    return false;
  Shape from = atLeastMatrix(tensorTypeOf(move.parts[0].operand).getShape());
  return std::is_permutation(last.begin(), last.end(), from.end() - 2);
}

void FunctionPlan::addMove(TTIROp op) {
  if (isPartOfNextMove(op))
    return;
  TensorMove move = moveOf(op);
  SmallVector<TTIROp> chain = {op};
  for (MovedPart &part : move.parts) {
    auto producer = part.operand.getDefiningOp<TTIROp>();
    for (; producer && isPartOfNextMove(producer);
         producer = part.operand.getDefiningOp<TTIROp>()) {
      lookThrough(part, moveOf(producer));
      chain.insert(chain.begin(), producer);
    }
  }
  SmallVector<Value> operands = move.operands();
  flushMakersOf(operands);
  for (Value &value : operands)
    value = operand(op, value);
  RankedTensorType type = op.resultType();
  std::optional<SmallVector<MovedTiles>> moved = keptTiles(move, type.getElementType());
  std::string name = nextName(chain);
  ttl::KernelOp kernel = moved ? makeTileMoveKernel(place, op.getLoc(), name, move, *moved, type)
                               : makeElementMoveKernel(place, op.getLoc(), name, move, type);
  launch(kernel, operands, op->getResults(), isZeroPadded(move, moved.has_value()));
}

// Returns whether the host needs the result: not a number or storage that only kernels use.
static bool isNeededOnHost(TTIROp op) {
  bool isStorage = llvm::all_of(op->getUsers(), [](Operation *user) {
    auto next = dyn_cast<TTIROp>(user);
    return next && next.facts().kind == OpKind::ToLayout;
  });
  if (op.facts().kind == OpKind::Empty && isStorage)
    return false;
  return !isNumber(op->getResult(0)) || llvm::any_of(op->getUsers(), [](Operation *user) {
    auto next = dyn_cast<TTIROp>(user);
    return !next || !isElementwiseKernel(next);
  });
}

void FunctionPlan::addHostOp(TTIROp op) {
  if (!isNeededOnHost(op))
    return;
  flushMakersOf(op->getOperands());
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, places.host(operand));
  Operation *copy = builder.clone(*op, mapping);
  for (auto [result, made] : llvm::zip(op->getResults(), copy->getResults()))
    places.setHost(result, made);
  ++numHost;
}

// Chips exchange tensors that are on the device.
LogicalResult FunctionPlan::addCollective(ttl::CollectiveOp op) {
  flushMakersOf(op->getOperands());
  RankedTensorType stored = deviceType(op.getResult().getType());
  if (!stored)
    return op.emitOpError() << "cannot exchange elements that the device does not have: "
                            << op.getResult().getType().getElementType();
  IRMapping mapping;
  mapping.map(op.getOperand(), operand(op, op.getOperand()));
  Operation *made = builder.clone(*op, mapping);
  made->getResult(0).setType(stored);
  places.setDevice(op.getResult(), made->getResult(0), /*isZero=*/false);
  return success();
}

//===--------------------------------------------------------------------------===//
// The pass
//===--------------------------------------------------------------------------===//

static bool hasTensorOps(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa<TTIROp, ttl::CollectiveOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct ToTTL : ttjit::impl::TTIRToTTLBase<ToTTL> {
  using TTIRToTTLBase::TTIRToTTLBase;

  void runOnOperation() override {
    KernelPlace place{getOperation(), {rows, columns}};
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (!hasTensorOps(function))
        continue;
      FunctionPlan plan(function, place);
      if (failed(plan.run()))
        return signalPassFailure();
      runOnMesh(function, getOperation());
      numKernels += plan.numKernels;
      numHost += plan.numHost;
    }
  }
};
} // namespace
