//===- D2MToTTL.cpp - d2m-to-ttl ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a module of tt-mlir describes programs on a grid of cores with d2m.generic, whose operands
// are views of tensors on the device.
//
// 1. Take the programs of each d2m.spatial out of it. They write different outputs, so they may run
//    one after the other.
// 2. Make a ttl.kernel of each d2m.generic: its arguments are the storages of the operands
//    (Storage.h), its body is a ttl.unified_thread (StepLoops.h, BodyLowering.h).
// 3. Replace the d2m.generic by a ttl.launch. A tensor that it writes is changed in place. If the
//    tensor is needed as it was, the launch gets a copy.
//
// A program that stores nothing needs no kernel.
//
// Rejects: regions that are threads of their own; functions as threads; operands that cannot be
// stored; what the files above reject.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/Passes.h"
#include "passes/d2m/StepLoops.h"

#include "ir/Linalg/Linalg.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace ttjit {
#define GEN_PASS_DEF_D2MTOTTL
#include "passes/d2m/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// d2m.spatial
//===--------------------------------------------------------------------------===//

static void takeOut(d2m::SpatialOp spatial) {
  SmallVector<Value> results;
  for (Region &region : spatial.getRegions())
    for (Operation &op : llvm::make_early_inc_range(region.front())) {
      if (isa<d2m::SpatialYieldOp>(op))
        results.append(op.operand_begin(), op.operand_end());
      else
        op.moveBefore(spatial);
    }
  for (auto [result, value] : llvm::zip(spatial.getResults(), results))
    result.replaceAllUsesWith(value);
  spatial.erase();
}

//===--------------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------------===//

namespace {

class GenericLowering {
public:
  GenericLowering(d2m::GenericOp generic, StringRef name)
      : generic(generic), name(name), builder(generic), module(generic->getParentOfType<ModuleOp>()) {}

  LogicalResult run();

private:
  LogicalResult check();
  LogicalResult findStorages();
  LogicalResult checkHazards();
  LogicalResult keepOldValues();
  ttl::KernelOp createKernel();
  LogicalResult fillKernel(ttl::KernelOp kernel);
  void addCoordinates(BodyLowering &lowering, OpBuilder &inThread);
  void createLaunch(bool stores);
  auto operands() { return llvm::concat<Value>(inputs, outputs); }
  bool fitsDevice() { return generic.getGridShape().size() == 2 && llvm::all_of(generic.getGridShape(), [](int64_t e) { return e <= 8; }); }

  d2m::GenericOp generic;
  StringRef name;
  OpBuilder builder;
  ModuleOp module;
  SmallVector<Value> inputs, outputs;
  llvm::DenseMap<Value, Storage> storages;                     ///< of each operand
  llvm::MapVector<Value, RankedTensorType> bases;              ///< the kernel's arguments
};

} // namespace

LogicalResult GenericLowering::check() {
  if (generic->getNumRegions() == 0)
    return generic.emitError("runs functions as its threads, which is not supported: a region is");
  if (generic->getNumRegions() != 1)
    return generic.emitError("has ")
           << generic->getNumRegions()
           << " regions, each a thread of its own, which is not supported: one region with "
              "#d2m.thread<unified> is";
  if (!generic.getAdditionalArgs().empty())
    return generic.emitError("has additionalArgs, which are not supported: semaphores, numbers and "
                             "buffers from outside");
  if (generic.getRegion(0).front().getNumArguments())
    return generic.emitError("has a region with arguments, which is not supported");
  if (!isa_and_nonnull<func::FuncOp>(generic->getParentOp()) || !generic->getBlock()->isEntryBlock())
    return generic.emitError("is supported at the top of a func.func only");
  return success();
}

LogicalResult GenericLowering::findStorages() {
  llvm::append_range(inputs, generic.getInputs());
  llvm::append_range(outputs, generic.getOutputs());
  for (Value operand : operands()) {
    std::string why;
    if (d2m::getGrid(operand.getType()).empty())
      return generic.emitError("has an operand that is not on the device: ") << operand.getType();
    FailureOr<Storage> storage = storageOf(operand, generic);
    if (failed(storage))
      return failure();
    RankedTensorType type = storedType(storage->base.getType(), why);
    if (!type)
      return generic.emitError("has an operand that ") << why << ", found "
                                                       << storage->base.getType();
    storages[operand] = *storage;
    bases[storage->base] = type;
  }
  return success();
}

// A program that loads from a storage into which it stores would need an order of both.
LogicalResult GenericLowering::checkHazards() {
  llvm::DenseSet<Value> loaded, stored;
  Operation *load = nullptr;
  auto baseOf = [&](Value value) -> Value {
    FailureOr<Storage> storage = storageOf(value, generic);
    return failed(storage) ? Value() : storage->base;
  };
  generic->walk([&](d2m::RemoteStoreOp op) { stored.insert(baseOf(op.getMemref())); });
  generic->walk([&](d2m::RemoteLoadOp op) {
    if (!load && stored.contains(baseOf(op.getMemref())))
      load = op;
  });
  if (!load)
    return success();
  return load->emitError("loads from a tensor into which the d2m.generic also stores, which is not "
                         "supported: the order of both would not be fixed");
}

// Returns whether something but views and this op uses the storage.
static bool isUsedElsewhere(Value base, Operation *generic) {
  return llvm::any_of(base.getUsers(), [&](Operation *user) {
    if (isa<d2m::ViewLayoutOp>(user))
      return isUsedElsewhere(user->getResult(0), generic);
    return user != generic && !generic->isAncestor(user);
  });
}

// A tensor is a value: if it has other uses, the program must not change it.
LogicalResult GenericLowering::keepOldValues() {
  for (Value output : outputs) {
    Value base = storages[output].base;
    if (!isa<RankedTensorType>(base.getType()) || !isUsedElsewhere(base, generic))
      continue;
    if (base.getDefiningOp<d2m::EmptyOp>() || base != output)
      return generic.emitError("writes a tensor that has other uses: write a d2m.empty of its own");
    auto fresh = d2m::EmptyOp::create(builder, generic.getLoc(), base.getType(), AffineMapAttr(),
                                      AffineMapAttr());
    auto copy = d2m::ToLayoutOp::create(builder, generic.getLoc(), TypeRange(base.getType()), base,
                                        fresh.getResult());
    Value copied = copy.getResults().front();
    output.replaceUsesWithIf(copied, [&](OpOperand &use) {
      return use.getOwner() == generic || generic->isAncestor(use.getOwner());
    });
  }
  return success();
}

ttl::KernelOp GenericLowering::createKernel() {
  MLIRContext *context = generic.getContext();
  SmallVector<int64_t> grid(llvm::reverse(generic.getGridShape())); // (rows, columns) to (x, y)
  if (!fitsDevice())
    grid = {ShapedType::getNumElements(generic.getGridShape())};
  SmallVector<Type> types;
  for (auto &[base, type] : bases)
    types.push_back(type);
  OpBuilder atModule = OpBuilder::atBlockBegin(module.getBody());
  atModule.setInsertionPoint(generic->getParentOfType<func::FuncOp>());
  OperationState state(generic.getLoc(), ttl::KernelOp::getOperationName());
  auto &properties = state.getOrAddProperties<ttl::KernelOp::Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.function_type = TypeAttr::get(FunctionType::get(context, types, {}));
  properties.grid = ttcore::GridAttr::get(context, grid);
  Block &body = state.addRegion()->emplaceBlock();
  for (auto [number, type] : llvm::enumerate(types)) {
    StringAttr argument = builder.getStringAttr("tensor" + std::to_string(number));
    body.addArgument(type, NameLoc::get(argument, generic.getLoc()));
  }
  return cast<ttl::KernelOp>(atModule.create(state));
}

// A grid that is not a rectangle of the device's cores is one line of nodes: its coordinates come
// from the node's number.
void GenericLowering::addCoordinates(BodyLowering &lowering, OpBuilder &inThread) {
  Location loc = generic.getLoc();
  ArrayRef<int64_t> grid = generic.getGridShape();
  Type index = inThread.getIndexType();
  if (fitsDevice()) {
    auto core = ttl::CoreOp::create(inThread, loc, TypeRange{index, index},
                                    inThread.getI64IntegerAttr(2));
    lowering.coordinates = {core.getResult(1), core.getResult(0)};
    return;
  }
  Value rest = ttl::CoreLinearOp::create(inThread, loc, index);
  SmallVector<Value> reversed;
  for (int64_t extent : llvm::reverse(grid)) {
    Value size = arith::ConstantIndexOp::create(inThread, loc, extent);
    reversed.push_back(arith::RemUIOp::create(inThread, loc, rest, size));
    rest = arith::DivUIOp::create(inThread, loc, rest, size);
  }
  lowering.coordinates.assign(reversed.rbegin(), reversed.rend());
}

LogicalResult GenericLowering::fillKernel(ttl::KernelOp kernel) {
  Location loc = generic.getLoc();
  Block &body = kernel.getBody().front();
  OpBuilder resources = OpBuilder::atBlockBegin(&body);
  OperationState state(loc, ttl::UnifiedThreadOp::getOperationName());
  state.getOrAddProperties<ttl::UnifiedThreadOp::Properties>().name = builder.getStringAttr(name);
  state.addRegion()->emplaceBlock();
  Operation *thread = resources.create(state);
  resources.setInsertionPoint(thread);
  OpBuilder inThread = OpBuilder::atBlockBegin(&thread->getRegion(0).front());
  BodyLowering lowering(generic, inThread, resources);
  llvm::DenseMap<Value, Value> accessors;
  for (auto [argument, base] : llvm::zip(body.getArguments(), bases))
    accessors[base.first] = ttl::TensorAccessorOp::create(
        inThread, loc, ttl::TensorAccessorType::get(generic.getContext(), base.second), argument);
  unsigned number = 0;
  for (Value operand : operands()) {
    KernelOperand &made = lowering.operands[operand];
    made = {accessors[storages[operand].base], storages[operand], operand.getType(),
            number < inputs.size() ? number : unsigned(number - inputs.size()),
            number >= inputs.size()};
    ++number;
  }
  addCoordinates(lowering, inThread);
  return lowerSteps(generic, lowering, inThread);
}

// A program that stores nothing leaves its outputs as they are.
void GenericLowering::createLaunch(bool stores) {
  SmallVector<Value> arguments;
  for (auto &[base, type] : bases)
    arguments.push_back(
        UnrealizedConversionCastOp::create(builder, generic.getLoc(), TypeRange(type), base)
            .getResult(0));
  if (stores)
    ttl::LaunchOp::create(builder, generic.getLoc(), name, arguments);
  for (auto [result, output] : llvm::zip(generic.getResults(), outputs))
    result.replaceAllUsesWith(output);
}

LogicalResult GenericLowering::run() {
  if (failed(check()) || failed(findStorages()) || failed(checkHazards()) ||
      failed(keepOldValues()))
    return failure();
  inputs.clear();
  outputs.clear();
  storages.clear();
  bases.clear();
  if (failed(findStorages())) // the copies have taken the place of what they were made from
    return failure();
  WalkResult stores = generic->walk([](d2m::RemoteStoreOp) { return WalkResult::interrupt(); });
  if (stores.wasInterrupted() && failed(fillKernel(createKernel())))
    return failure();
  createLaunch(stores.wasInterrupted());
  generic.erase();
  return success();
}

//===--------------------------------------------------------------------------===//
// The pass
//===--------------------------------------------------------------------------===//

namespace {

struct D2MToTTL : ttjit::impl::D2MToTTLBase<D2MToTTL> {
  void getDependentDialects(DialectRegistry &registry) const override {
    D2MToTTLBase::getDependentDialects(registry);
    registry.insert<affine::AffineDialect, d2m::D2MDialect>();
  }

  void runOnOperation() override {
    SmallVector<d2m::SpatialOp> spatials;
    getOperation().walk([&](d2m::SpatialOp spatial) { spatials.push_back(spatial); });
    llvm::for_each(spatials, takeOut);
    SmallVector<d2m::GenericOp> generics;
    getOperation().walk([&](d2m::GenericOp generic) { generics.push_back(generic); });
    llvm::StringMap<unsigned> counts;
    for (d2m::GenericOp generic : generics) {
      auto function = generic->getParentOfType<func::FuncOp>();
      StringRef base = function ? function.getName() : "program";
      std::string name = (base + "_" + Twine(counts[base]++)).str();
      while (getOperation().lookupSymbol(name))
        name += "_";
      if (failed(GenericLowering(generic, name).run()))
        return signalPassFailure();
      ++numKernels;
    }
  }
};

} // namespace
