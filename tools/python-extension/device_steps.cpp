//===- device_steps.cpp - host steps of d2m modules for Python ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/python-extension/device_steps.h"

#include "ir/modules/D2M/D2M.h"
#include "passes/d2m/Storage.h"
#include "tools/mlir-run/DeviceTensors.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::python_extension;

RankedTensorType python_extension::storedTensor(Type type, bool &isOnDevice) {
  std::string why;
  isOnDevice = !d2m::getGrid(type).empty();
  if (isOnDevice)
    return storedType(type, why);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape() || isa<ttcore::TileType>(shaped.getElementType()))
    return {};
  return RankedTensorType::get(shaped.getShape(), shaped.getElementType());
}

Value python_extension::storageOwner(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<UnrealizedConversionCastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

// Returns whether the op allocates memory for a core's queue. It needs no tensor, because it has no
// values outside of a program.
static bool isQueueMemory(Operation *op) {
  return op->getName().getStringRef() == "memref.alloc" &&
         d2m::getGrid(op->getResult(0).getType()).empty() &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           return user->getName().getStringRef() == "memref.dealloc";
         });
}

bool python_extension::isNameOnly(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return isQueueMemory(op) || isa<UnrealizedConversionCastOp, d2m::ViewLayoutOp>(op) ||
         name == "memref.dealloc" || name == "arith.constant";
}

bool python_extension::makesZeros(Operation *op) {
  StringRef name = op->getName().getStringRef();
  bool isOnDevice;
  return (name == "d2m.empty" || name == "tensor.empty" || name == "memref.alloc") &&
         storedTensor(op->getResult(0).getType(), isOnDevice);
}

static std::optional<mlir_run::ElementFinder> finderOf(Value value, Operation *op, Value &owner,
                                                       std::string &why) {
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
  FailureOr<Storage> storage = storageOf(value, op);
  if (failed(storage)) {
    why = "is a view that cannot be followed";
    return std::nullopt;
  }
  bool isOnDevice;
  owner = storageOwner(storage->base);
  RankedTensorType stored = storedTensor(owner.getType(), isOnDevice);
  if (!stored) {
    why = "has no storage";
    return std::nullopt;
  }
  return mlir_run::ElementFinder::create(value.getType(), stored, storage->map, why);
}

std::optional<Gather> python_extension::gatherOf(Operation *op, std::string &why) {
  bool isCast = isa<d2m::TTNNMetalLayoutCastOp>(op) &&
                isa<RankedTensorType>(op->getOperand(0).getType()) &&
                isa<RankedTensorType>(op->getResult(0).getType());
  if (!isCast && !isa<d2m::ToLayoutOp, d2m::ToDeviceOp, d2m::ToHostOp>(op)) {
    why =
        "is not supported in a function that Python calls: 'ttl-jit run FILE' runs it if the host "
        "can, without --arg and --out";
    return std::nullopt;
  }
  Gather gather;
  Value into = op->getNumResults() ? op->getResult(0) : op->getOperand(1);
  auto source = finderOf(op->getOperand(0), op, gather.source, why);
  auto target = source ? finderOf(into, op, gather.target, why) : std::nullopt;
  if (!source || !target)
    return std::nullopt;
  ArrayRef<int64_t> shape = source->logicalShape();
  if (shape != target->logicalShape()) {
    why = "has different logical shapes";
    return std::nullopt;
  }
  if (ShapedType::getNumElements(shape) == 0)
    return gather;
  SmallVector<int64_t> index(shape.size());
  do {
    gather.from.push_back(source->find(index));
    gather.to.push_back(target->find(index));
  } while (mlir_run::nextIndex(index, shape));
  return gather;
}
