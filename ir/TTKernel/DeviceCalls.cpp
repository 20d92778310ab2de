//===- DeviceCalls.cpp - calls of the device API in two forms -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTKernel/DeviceCalls.h"

#include "ir/TTKernel/TTKernelSFPUOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttkernel;

static constexpr StringLiteral kPrefix = "ttkernel.";

//===--------------------------------------------------------------------------===//
// Reading
//===--------------------------------------------------------------------------===//

static DictionaryAttr directAttributes(Operation *op) {
  auto call = dyn_cast_if_present<emitc::CallOpaqueOp>(op);
  return call ? call->getAttrOfType<DictionaryAttr>(kCallAttr) : DictionaryAttr();
}

OperationName ttkernel::declarationOf(Operation *op) {
  if (!directAttributes(op))
    return op->getName();
  return OperationName((kPrefix + calleeOf(op)).str(), op->getContext());
}

bool ttkernel::isDeviceCall(Operation *op) {
  return op && (isa_and_present<TTKernelDialect>(op->getDialect()) || directAttributes(op));
}

StringRef ttkernel::calleeOf(Operation *op) {
  if (auto call = dyn_cast<emitc::CallOpaqueOp>(op))
    return call.getCallee();
  return op->getName().stripDialect();
}

DictionaryAttr ttkernel::attributesOf(Operation *op) {
  DictionaryAttr direct = directAttributes(op);
  return direct ? direct : op->getAttrDictionary();
}

Type ttkernel::typeOf(Value value) {
  Operation *op = value.getDefiningOp();
  auto known = directAttributes(op) ? op->getAttrOfType<TypeAttr>(kResultTypeAttr) : TypeAttr();
  return known ? known.getValue() : value.getType();
}

Type ttkernel::emitcTypeOf(Type type) {
  MLIRContext *context = type.getContext();
  auto opaque = [&](StringRef text) -> Type { return emitc::OpaqueType::get(context, text); };
  return llvm::TypeSwitch<Type, Type>(type)
      .Case<IndexType>([&](auto) { return IntegerType::get(context, 32); })
      .Case<IntegerType>([&](IntegerType integer) -> Type {
        return integer.getWidth() == 1 || integer.getWidth() == 32 ? type : Type();
      })
      .Case<Float32Type>([](Type real) { return real; })
      .Case<CBType>([&](auto) { return opaque("constexpr uint32_t"); })
      .Case<TensorAccessorArgsType>([&](auto) { return opaque("constexpr auto"); })
      .Case<TensorAccessorType>([&](auto) { return opaque("const auto"); })
      .Case<SemaphoreType, L1AddrType>(
          [&](auto) { return IntegerType::get(context, 32, IntegerType::Unsigned); })
      .Case<L1AddrPtrType>([&](auto) { return opaque("volatile tt_l1_ptr uint32_t *"); })
      .Case<NocAddrType>([&](auto) { return opaque("uint64_t"); })
      .Default(Type());
}

// Returns the row of an op with this name if its class is one of OpT.
template <typename... OpT> static std::optional<ttjit::hw::TileOp> findRow(OperationName name) {
  std::optional<ttjit::hw::TileOp> row;
  auto tryClass = [&]<typename Class>() {
    if (name.getTypeID() == TypeID::get<Class>())
      row = ttcore::TileRowModel<Class>::rowOf(name);
  };
  (tryClass.template operator()<OpT>(), ...);
  return row;
}

std::optional<ttjit::hw::TileOp> ttkernel::rowOf(Operation *op) {
  if (!isDeviceCall(op))
    return std::nullopt;
  return findRow<SFPUUnaryOp, SFPUUnaryParamOp, SFPUUnaryIntOp, SFPUBinaryOp, SFPUTernaryOp,
                 SFPUMaskOp, SFPUInitOp>(declarationOf(op));
}

bool ttkernel::isInit(Operation *op) {
  return isDeviceCall(op) && declarationOf(op).hasTrait<IsInit>();
}

bool ttkernel::hasNoEffects(Operation *op) {
  if (directAttributes(op))
    return declarationOf(op).hasTrait<OpTrait::AlwaysSpeculatableImplTrait>();
  return isPure(op);
}

//===--------------------------------------------------------------------------===//
// Checking
//===--------------------------------------------------------------------------===//

// Returns the type in EmitC, which has index, too: only types of the device API change.
static Type directType(Type type) {
  return isa<TTKernelDialect>(type.getDialect()) ? emitcTypeOf(type) : type;
}

// Verifies the op that declares the function, with operands of the types that it has.
static LogicalResult verifyAsDeclared(Operation *call) {
  OperationState state(call->getLoc(), declarationOf(call));
  state.attributes = attributesOf(call);
  Block operands;
  for (Value operand : call->getOperands())
    state.operands.push_back(operands.addArgument(typeOf(operand), operand.getLoc()));
  for (Value result : call->getResults())
    state.types.push_back(typeOf(result));
  Operation *declared = Operation::create(state);
  LogicalResult valid = verify(declared);
  declared->destroy();
  return valid;
}

static LogicalResult verifyCall(Operation *call) {
  if (!declarationOf(call).isRegistered())
    return call->emitOpError("calls '")
           << calleeOf(call) << "', which is no function of the device";
  for (Value result : call->getResults())
    if (directType(typeOf(result)) != result.getType())
      return call->emitOpError("has a result whose type does not fit ") << typeOf(result);
  return verifyAsDeclared(call);
}

LogicalResult ttkernel::verifyCalls(Operation *function) {
  WalkResult result = function->walk([](emitc::CallOpaqueOp call) -> WalkResult {
    return directAttributes(call) ? verifyCall(call) : success();
  });
  return failure(result.wasInterrupted());
}

//===--------------------------------------------------------------------------===//
// Making
//===--------------------------------------------------------------------------===//

bool ttkernel::isDirect(Operation *op) {
  auto function = dyn_cast_if_present<func::FuncOp>(op);
  if (!function && op)
    function = op->getParentOfType<func::FuncOp>();
  return function && function->hasAttr(kDirectAttr);
}

Operation *ttkernel::createDirect(OpBuilder &builder, const OperationState &state,
                                  DictionaryAttr attributes) {
  SmallVector<Type> types = llvm::map_to_vector(state.types, directType);
  auto call = emitc::CallOpaqueOp::create(builder, state.location, types, state.name.stripDialect(),
                                          state.operands);
  call->setAttr(kCallAttr, attributes);
  if (!types.empty() && types.front() != state.types.front())
    call->setAttr(kResultTypeAttr, TypeAttr::get(state.types.front()));
  return call;
}

Operation *ttkernel::createCall(OpBuilder &builder, OperationState &state) {
  if (isDirect(builder.getInsertionBlock()->getParentOp()))
    return createDirect(builder, state, state.attributes.getDictionary(builder.getContext()));
  return builder.create(state);
}

void ttkernel::makeDirect(Operation *op) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName(), op->getOperands(), op->getResultTypes());
  op->replaceAllUsesWith(createDirect(builder, state, op->getAttrDictionary()));
  op->erase();
}
