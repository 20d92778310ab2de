//===- D2MToTTL.cpp - d2m-to-ttl ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a module of tt-mlir describes programs on a grid of cores with d2m.generic, whose
// operands are views of tensors on the device.
//
// 1. Take the programs of each d2m.spatial out of it. They write different outputs, so they may run
//    one after the other.
// 2. Make a ttl.kernel of each d2m.generic: its arguments are the storages of the operands
//    (Storage.h), its threads are the regions (KernelThreads.h, StepLoops.h, BodyLowering.h).
// 3. Replace the d2m.generic by a ttl.launch. A tensor that it writes is changed in place. If the
//    tensor is needed as it was, the launch gets a copy.
//
// A program without ops needs no kernel. A program that stores nothing becomes a kernel, too, so
// that its other mistakes are reported; a warning says that its results are lost.
//
// Before that, functions that are threads become regions (NormalForm.h), or programs of their own
// if the module has nothing else (LoneThreads.h).
//
// Rejects: global semaphores of several programs; operands that cannot be stored; what the files
// above reject.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/KernelThreads.h"
#include "passes/d2m/LoneThreads.h"
#include "passes/d2m/NormalForm.h"
#include "passes/d2m/Passes.h"

#include "ir/Messages/Warnings.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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
      : generic(generic), name(name), builder(generic),
        module(generic->getParentOfType<ModuleOp>()) {}

  LogicalResult run();

private:
  LogicalResult check();
  LogicalResult renewComposites();
  Value renewed(Value view);
  LogicalResult findStorages();
  LogicalResult checkHazards();
  LogicalResult keepOldValues();
  void createLaunch(bool hasKernel);
  auto operands() { return llvm::concat<Value>(inputs, outputs); }

  d2m::GenericOp generic;
  StringRef name;
  OpBuilder builder;
  ModuleOp module;
  SmallVector<Value> inputs, outputs;
  llvm::DenseMap<Value, Storage> storages; // of each operand
  KernelStorages bases;                    // the kernel's arguments
};

} // namespace

LogicalResult GenericLowering::check() {
  for (Value argument : generic.getAdditionalArgs()) // a memref is the memory of a queue
    if (!isa<MemRefType, d2m::LocalSemaphoreType, d2m::GlobalSemaphoreType>(argument.getType()))
      return generic.emitOpError("has additionalArgs that are not supported: ")
             << argument.getType();
  if (!isa_and_nonnull<func::FuncOp>(generic->getParentOp()) ||
      !generic->getBlock()->isEntryBlock())
    return generic.emitOpError("is supported at the top of a func.func only");
  return success();
}

// Makes a view of a composite view again, at the builder's place; null if it is no such view.
Value GenericLowering::renewed(Value view) {
  Operation *op = view.getDefiningOp();
  if (isa_and_nonnull<d2m::CompositeViewOp>(op))
    return builder.clone(*op)->getResult(0);
  Value input = isa_and_nonnull<d2m::ViewLayoutOp>(op) ? renewed(op->getOperand(0)) : Value();
  if (!input)
    return {};
  IRMapping values;
  values.map(op->getOperand(0), input);
  return builder.clone(*op, values)->getResult(0);
}

// Makes composite views again, right before the program reads them: there the host puts their parts
// together.
LogicalResult GenericLowering::renewComposites() {
  for (Value input : generic.getInputs())
    if (Value fresh = renewed(input))
      input.replaceUsesWithIf(fresh, [&](OpOperand &use) {
        return use.getOwner() == generic || generic->isAncestor(use.getOwner());
      });
  for (Value output : generic.getOutputs()) {
    FailureOr<Storage> storage = storageOf(output, generic);
    if (failed(storage))
      return failure();
    if (storage->base.getDefiningOp<d2m::CompositeViewOp>())
      return generic.emitOpError("stores into a d2m.composite_view, which is not supported: store "
                                 "into its parts with one d2m.generic each");
  }
  return success();
}

LogicalResult GenericLowering::findStorages() {
  llvm::append_range(inputs, generic.getInputs());
  llvm::append_range(outputs, generic.getOutputs());
  for (Value operand : operands()) {
    std::string why;
    if (d2m::getGrid(operand.getType()).empty())
      return generic.emitOpError("has an operand that is not on the device: ") << operand.getType();
    FailureOr<Storage> storage = storageOf(operand, generic);
    if (failed(storage))
      return failure();
    RankedTensorType type = storedType(storage->base.getType(), why);
    if (!type)
      return generic.emitOpError("has an operand that ")
             << why << ", found " << storage->base.getType();
    storages[operand] = *storage;
    bases[storage->base] = type;
  }
  return success();
}

// Rejects a program that loads from a storage into which it also stores: nothing orders the two.
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
  return load->emitOpError(
      "loads from a tensor into which the d2m.generic also stores, which is not "
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

// Copies outputs that have other uses: a tensor is a value, which the program must not change.
LogicalResult GenericLowering::keepOldValues() {
  for (Value output : outputs) {
    Value base = storages[output].base;
    if (!isa<RankedTensorType>(base.getType()) || !isUsedElsewhere(base, generic))
      continue;
    if (base.getDefiningOp<d2m::EmptyOp>() || base != output)
      return generic.emitOpError(
          "writes a tensor that has other uses: write a d2m.empty of its own");
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

static bool storesSomething(d2m::GenericOp generic) {
  return generic
      ->walk([](Operation *op) {
        return isa<d2m::RemoteStoreOp, d2m::DMAWriteOp, d2m::ReserveOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

// Returns whether the op only makes a number, a name or memory, or is around others.
static bool computesNothing(Operation *op) {
  bool isIndex =
      isMemoryEffectFree(op) && op->getNumResults() &&
      llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndexOrFloat(); });
  bool isEnd =
      op->hasTrait<OpTrait::IsTerminator>() && llvm::all_of(op->getOperands(), [](Value value) {
        return isa_and_nonnull<tensor::EmptyOp>(value.getDefiningOp());
      });
  return isIndex || isEnd ||
         isa<d2m::GetCBOp, memref::AllocOp, memref::DeallocOp, tensor::EmptyOp, scf::ForOp,
             scf::IfOp, affine::AffineForOp>(op);
}

// Returns the first op of a program that does something; with `ofData`, something with data.
static Operation *findWork(d2m::GenericOp generic, bool ofData) {
  Operation *found = nullptr;
  generic->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool signals = isa<d2m::SemaphoreSetOp, d2m::SemaphoreIncOp, d2m::SemaphoreWaitOp>(op);
    if (op == generic || computesNothing(op) || (ofData && signals))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

// Creates the launch if there is a kernel. Without one, the outputs stay as they are.
void GenericLowering::createLaunch(bool hasKernel) {
  SmallVector<Value> arguments;
  for (auto &[base, type] : bases)
    arguments.push_back(
        UnrealizedConversionCastOp::create(builder, generic.getLoc(), TypeRange(type), base)
            .getResult(0));
  if (hasKernel)
    ttl::LaunchOp::create(builder, generic.getLoc(), name, arguments);
  for (auto [result, output] : llvm::zip(generic.getResults(), outputs))
    result.replaceAllUsesWith(output);
}

LogicalResult GenericLowering::run() {
  if (failed(check()) || failed(renewComposites()) || failed(findStorages()) ||
      failed(checkHazards()) || failed(keepOldValues()))
    return failure();
  inputs.clear();
  outputs.clear();
  storages.clear();
  bases.clear();
  if (failed(findStorages())) // the copies have taken the place of what they were made from
    return failure();
  bool stores = !generic.getRegion(0).front().empty() && storesSomething(generic);
  if (Operation *lost = stores ? nullptr : findWork(generic, /*ofData=*/true))
    emitWarning(WarningKind::Kernel, lost)
        << "this program stores nothing, so what it computes is lost; expected "
           "d2m.remote_store, d2m.dma_write or d2m.reserve in it";
  bool works = stores || findWork(generic, /*ofData=*/false);
  if (works && failed(createKernel(generic, name, bases, storages)))
    return failure();
  createLaunch(works);
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
    registry.insert<affine::AffineDialect, d2m::D2MDialect, linalg::LinalgDialect,
                    memref::MemRefDialect>();
  }

  // Erases the semaphores of d2m: the kernels have semaphores of their own.
  void eraseSemaphores() {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<d2m::CreateLocalSemaphoreOp, d2m::CreateGlobalSemaphoreOp,
              d2m::ResetGlobalSemaphoreOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : llvm::reverse(ops))
      if (op->use_empty())
        op->erase();
  }

  void runOnOperation() override {
    if (failed(wrapLoneThreads(getOperation())))
      return signalPassFailure();
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
      FailureOr<d2m::GenericOp> normal = toNormalForm(generic);
      if (failed(normal) || failed(GenericLowering(*normal, name).run()))
        return signalPassFailure();
      ++numKernels;
    }
    eraseSemaphores();
  }
};

} // namespace
