//===- LowerRedistribute.cpp - ttl-lower-redistribute -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a function has values that are distributed over the chips of a mesh. Each chip runs the
// function on the part that it has.
//
// 1. Replace each distributed value by the tensor of a chip. ttl.extract_shard and ttl.from_shards
//    go. Arguments and results of the function get an attribute with the type of the whole tensor.
// 2. Replace each ttl.redistribute by ttl.collective ops, one for each axis that changes: those
// that
//    send the fewest bytes (ir/Layouts/Placements.h). The attribute ttcore.shard_group says from
//    which distributed tensor a collective is.
// 3. Collectives of one distributed tensor that do the same are one. The attributes go.
//
// Rejects: functions with several blocks or meshes, other ops on distributed tensors, results that
// are tensors of a chip, elements that are tiles.
//===--------------------------------------------------------------------------===//

#include "passes/dist/Passes.h"

#include "ir/Nodes/Meshes.h"
#include "ir/TTCore/TTCoreLayouts.h"

namespace ttjit {
#define GEN_PASS_DEF_LOWERREDISTRIBUTE
#include "passes/dist/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;
using namespace ttjit;

static constexpr StringLiteral kGroupAttr = "ttcore.shard_group";

//===--------------------------------------------------------------------------===//
// Checks
//===--------------------------------------------------------------------------===//

static bool hasDistTensor(TypeRange types) {
  return llvm::any_of(types, llvm::IsaPred<DistTensorType>);
}

static bool hasDistTensor(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  return hasDistTensor(type.getInputs()) || hasDistTensor(type.getResults()) ||
         function
             ->walk([](Operation *op) {
               return hasDistTensor(op->getResultTypes()) ? WalkResult::interrupt()
                                                          : WalkResult::advance();
             })
             .wasInterrupted();
}

// Checks a distributed tensor of a function, and that all have one mesh.
static LogicalResult checkType(Operation *op, Type type, PlacementAttr &known) {
  auto tensor = dyn_cast<DistTensorType>(type);
  if (!tensor)
    return success();
  if (auto tile = dyn_cast<ttcore::TileType>(tensor.getElementType()))
    return op->emitError() << "a distributed tensor of a function has scalars, which are stored as "
                              "tiles: write elements in place of "
                           << tile;
  PlacementAttr placement = tensor.getPlacement();
  known = known ? known : placement;
  if (known.getMesh() == placement.getMesh())
    return success();
  return op->emitError() << "the distributed tensors of a function are on one mesh, found " << known
                         << " and " << placement;
}

static LogicalResult checkOp(Operation &op, PlacementAttr &known) {
  for (Type type : llvm::concat<const Type>(llvm::to_vector(op.getOperandTypes()),
                                            llvm::to_vector(op.getResultTypes())))
    if (failed(checkType(&op, type, known)))
      return failure();
  bool isKnown = isa<ExtractShardOp, FromShardsOp, RedistributeOp, func::ReturnOp>(op);
  if (!isKnown && (hasDistTensor(op.getOperandTypes()) || hasDistTensor(op.getResultTypes())))
    return op.emitOpError("cannot take or make a distributed tensor: use ttl.extract_shard before "
                          "it and ttl.from_shards after it");
  if (isa<func::ReturnOp>(op))
    for (auto [i, type] : llvm::enumerate(op.getOperandTypes()))
      if (!isa<DistTensorType>(type))
        return op.emitOpError() << "result " << i
                                << " is a tensor of each chip: return it as a distributed tensor, "
                                   "with ttl.from_shards; found "
                                << type;
  return success();
}

// Returns the mesh of a function's tensors; a null after an error.
static FailureOr<PlacementAttr> checkFunction(func::FuncOp function) {
  PlacementAttr known;
  for (Type type : function.getFunctionType().getInputs())
    if (failed(checkType(function, type, known)))
      return failure();
  for (Type type : function.getFunctionType().getResults())
    if (failed(checkType(function, type, known)))
      return failure();
  if (function.isExternal())
    return known;
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("a function with distributed tensors must have one block");
  for (Operation &op : function.getBody().front())
    if (failed(checkOp(op, known)))
      return failure();
  return known;
}

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

namespace {

// The value that replaces a distributed value: the tensor that each chip has of it.
struct Shard {
  Value value;         // the tensor of a chip
  DistTensorType type; // of the distributed value
  int64_t tensor = 0;  // number of the distributed tensor, of which it is one placement
};

class FunctionLowering {
public:
  FunctionLowering(func::FuncOp function, bool remarks)
      : function(function), builder(function.getContext()), remarks(remarks) {}

  void run(ArrayRef<int64_t> mesh);
  void plan();

  int64_t numCollectives = 0, numShared = 0, numBytes = 0;

private:
  void lowerSignature();
  void lower(Operation &op);
  void addTensor(Value tensor, DistTensorType type, Value shard);
  Value redistribute(RedistributeOp op, const Shard &from);
  Value addStep(Location loc, const Shard &from, const layouts::CollectiveStep &step);

  func::FuncOp function;
  OpBuilder builder;
  bool remarks;
  DenseMap<Value, Shard> shards;
  SmallVector<int64_t> numShards; // that collectives make of each distributed tensor
};

} // namespace

// The argument or result has the type of the whole tensor as an attribute.
static DictionaryAttr withType(DictionaryAttr attributes, Type type, MLIRContext *context) {
  NamedAttrList list(attributes);
  list.set(kDistAttr, TypeAttr::get(type));
  return list.getDictionary(context);
}

static Type localType(Type type) {
  auto tensor = dyn_cast<DistTensorType>(type);
  return tensor ? tensor.getLocalType() : type;
}

void FunctionLowering::lowerSignature() {
  MLIRContext *context = function.getContext();
  FunctionType type = function.getFunctionType();
  for (auto [i, input] : llvm::enumerate(type.getInputs()))
    if (isa<DistTensorType>(input))
      function.setArgAttrs(i, withType(function.getArgAttrDict(i), input, context));
  for (auto [i, result] : llvm::enumerate(type.getResults()))
    if (isa<DistTensorType>(result))
      function.setResultAttrs(i, withType(function.getResultAttrDict(i), result, context));
  function.setType(FunctionType::get(context, llvm::map_to_vector(type.getInputs(), localType),
                                     llvm::map_to_vector(type.getResults(), localType)));
}

void FunctionLowering::addTensor(Value tensor, DistTensorType type, Value shard) {
  shards[tensor] = {shard, type, static_cast<int64_t>(numShards.size())};
  numShards.push_back(0);
}

Value FunctionLowering::addStep(Location loc, const Shard &from,
                                const layouts::CollectiveStep &step) {
  auto type = cast<RankedTensorType>(from.value.getType());
  ArrayRef<int64_t> mesh = from.type.getPlacement().getMesh();
  SmallVector<int64_t> shape(type.getShape());
  if (step.before >= 0)
    shape[step.before] *= mesh[step.axis];
  if (step.after >= 0)
    shape[step.after] /= mesh[step.axis];
  auto made = CollectiveOp::create(builder, loc, type.clone(shape), step.function, from.value,
                                   step.axis, mesh, step.before, step.after, step.bytes);
  made->setAttr(kGroupAttr, ttcore::ShardGroupAttr::get(function.getContext(), from.tensor,
                                                        ++numShards[from.tensor]));
  ++numCollectives;
  numBytes += step.bytes;
  return made.getResult();
}

Value FunctionLowering::redistribute(RedistributeOp op, const Shard &from) {
  DistTensorType to = op.getResult().getType();
  layouts::Redistribution task{layouts::Shape(to.getShape()), to.getElementBytes(),
                               from.type.getPlacement().getPlacement(),
                               to.getPlacement().getPlacement()};
  // The verifier of the op has refused what has no way.
  std::vector<layouts::CollectiveStep> steps = *layouts::cheapestSteps(task);
  std::string text;
  Shard last = from;
  for (const layouts::CollectiveStep &step : steps) {
    last.value = addStep(op.getLoc(), last, step);
    text += (text.empty() ? "" : ", then ") + layouts::textOf(step);
  }
  if (remarks)
    op.emitRemark() << "redistributes by " << (text.empty() ? "nothing" : text);
  return last.value;
}

void FunctionLowering::lower(Operation &op) {
  builder.setInsertionPoint(&op);
  if (auto extract = dyn_cast<ExtractShardOp>(op)) {
    extract.getShard().replaceAllUsesWith(shards.at(extract.getTensor()).value);
  } else if (auto from = dyn_cast<FromShardsOp>(op)) {
    addTensor(from.getTensor(), from.getTensor().getType(), from.getShard());
  } else if (auto redistribution = dyn_cast<RedistributeOp>(op)) {
    Shard shard = shards.at(redistribution.getTensor());
    shard.value = redistribute(redistribution, shard);
    shard.type = redistribution.getResult().getType();
    shards[redistribution.getResult()] = shard;
  } else {
    for (OpOperand &operand : op.getOpOperands())
      if (Value shard = shards.lookup(operand.get()).value)
        operand.set(shard);
  }
}

void FunctionLowering::run(ArrayRef<int64_t> mesh) {
  lowerSignature();
  function->setAttr(kMeshAttr, builder.getDenseI64ArrayAttr(mesh));
  if (function.isExternal())
    return;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<DistTensorType>(argument.getType());
    if (!type)
      continue;
    argument.setType(type.getLocalType());
    addTensor(argument, type, argument);
  }
  SmallVector<Operation *> old;
  for (Operation &op : function.getBody().front())
    old.push_back(&op);
  for (Operation *op : old)
    lower(*op);
  for (Operation *op : llvm::reverse(old))
    if (isa<ExtractShardOp, FromShardsOp, RedistributeOp>(op))
      op->erase();
}

//===--------------------------------------------------------------------------===//
// Plans of shard groups
//===--------------------------------------------------------------------------===//

// Returns whether two collectives of one group do the same.
static bool areSame(CollectiveOp a, CollectiveOp b) {
  return a.getOperand() == b.getOperand() && a.getFunction() == b.getFunction() &&
         a.getAxis() == b.getAxis() && a.getBefore() == b.getBefore() &&
         a.getAfter() == b.getAfter();
}

void FunctionLowering::plan() {
  DenseMap<int64_t, SmallVector<CollectiveOp>> groups;
  for (auto op : llvm::make_early_inc_range(function.getOps<CollectiveOp>())) {
    auto group = op->getAttrOfType<ttcore::ShardGroupAttr>(kGroupAttr);
    if (!group)
      continue;
    op->removeAttr(kGroupAttr);
    SmallVector<CollectiveOp> &known = groups[group.getTensorId()];
    CollectiveOp *same = llvm::find_if(known, [&](CollectiveOp each) { return areSame(each, op); });
    if (same == known.end()) {
      known.push_back(op);
      continue;
    }
    numBytes -= op.getBytes();
    --numCollectives;
    ++numShared;
    op.getResult().replaceAllUsesWith(same->getResult());
    op.erase();
  }
}

//===--------------------------------------------------------------------------===//
// The pass
//===--------------------------------------------------------------------------===//

namespace {
struct LowerRedistribute : ttjit::impl::LowerRedistributeBase<LowerRedistribute> {
  using LowerRedistributeBase::LowerRedistributeBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!hasDistTensor(function))
        continue;
      FailureOr<PlacementAttr> known = checkFunction(function);
      if (failed(known))
        return signalPassFailure();
      FunctionLowering lowering(function, remarks);
      lowering.run(known->getMesh());
      if (plan)
        lowering.plan();
      numCollectives += lowering.numCollectives;
      numShared += lowering.numShared;
      numBytes += lowering.numBytes;
    }
  }
};
} // namespace
