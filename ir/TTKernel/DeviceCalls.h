//===- DeviceCalls.h - calls of the device API in two forms ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The ops of the ttkernel dialect declare the functions of the device API: their operands,
// attributes, results and traits. A thread function calls them in one of two forms:
//
// * as ops of the dialect, which engines run;
// * on the direct path to C++ (kDirectAttr), as emitc.call_opaque with the same name and operands.
//   Its attribute kCallAttr has the attributes of the function.
//
// Lowerings make calls with createCall(), and read them with asCall(), so that each of them is
// written once for both forms.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_DEVICECALLS_H
#define TTJIT_IR_TTKERNEL_DEVICECALLS_H

#include "ir/TTKernel/TTKernel.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace mlir::tt::ttkernel {

/// On a thread function: createCall() makes calls of EmitC in it.
inline constexpr StringLiteral kDirectAttr = "ttl.direct";
/// On an emitc.call_opaque of the direct path: the attributes of the device function.
inline constexpr StringLiteral kCallAttr = "ttl.call";
/// On such a call: the type of its result, if EmitC has another.
inline constexpr StringLiteral kResultTypeAttr = "ttl.result_type";

//===--------------------------------------------------------------------------===//
// Any call
//===--------------------------------------------------------------------------===//

/// Returns the name of the op that declares the function which `op` calls. Of an op that is no call
/// of the device API it is the op's own name.
OperationName declarationOf(Operation *op);

/// Returns whether `op`, which may be null, calls a function of the device API.
bool isDeviceCall(Operation *op);

/// Returns the name of the function that a device call calls.
StringRef calleeOf(Operation *op);

/// Returns the attributes of a device call.
DictionaryAttr attributesOf(Operation *op);

/// Returns the type that a value has in the device API.
Type typeOf(Value value);

/// Returns the type that a value of the device API has in EmitC; null if it has none.
Type emitcTypeOf(Type type);

/// Returns the row of hw/facts/TileOps.def whose call or own initialisation `op` is.
std::optional<ttjit::hw::TileOp> rowOf(Operation *op);

/// Returns whether the call only configures the hardware.
bool isInit(Operation *op);

/// Returns whether `op` has no effects: equal ones give equal results.
bool hasNoEffects(Operation *op);

/// Fails, with a diagnostic, at a call of the direct path that its function's declaration does not
/// allow: such calls may come from a file.
LogicalResult verifyCalls(Operation *function);

/// Returns whether the thread with this op is on the direct path.
bool isDirect(Operation *op);

/// Makes the call that `state` describes, which has an op of the dialect and no properties.
Operation *createCall(OpBuilder &builder, OperationState &state);

/// Makes the call of the direct path that `state` describes, with these attributes.
Operation *createDirect(OpBuilder &builder, const OperationState &state, DictionaryAttr attributes);

/// Replaces an op of the dialect by a call of the direct path.
void makeDirect(Operation *op);

//===--------------------------------------------------------------------------===//
// A call of one function
//===--------------------------------------------------------------------------===//

/// Returns whether `op`, which may be null, calls the function that OpT declares.
template <typename OpT> bool isCall(Operation *op) {
  return op && (isa<OpT>(op) || (isa<emitc::CallOpaqueOp>(op) && isDeviceCall(op) &&
                                 declarationOf(op).getTypeID() == TypeID::get<OpT>()));
}

/// Returns whether `op` calls one of the functions.
template <typename First, typename Second, typename... Rest> bool isCall(Operation *op) {
  return isCall<First>(op) || isCall<Second, Rest...>(op);
}

/// A call of the function that OpT declares, with OpT's names of operands and attributes. It may be
/// null.
template <typename OpT> class CallOf : public OpT::Adaptor {
public:
  CallOf() : OpT::Adaptor(ValueRange()) {}
  explicit CallOf(Operation *op)
      : OpT::Adaptor(op->getOperands(), op->getAttrDictionary(), propertiesOf(op)), op(op) {}

  Operation *getOperation() const { return op; }
  operator Operation *() const { return op; }
  operator Value() const { return getResult(); }
  explicit operator bool() const { return op; }
  Operation *operator->() const { return op; }
  bool operator==(const CallOf &other) const { return op == other.op; }

  Value getResult() const { return op->getResult(0); }
  Location getLoc() const { return op->getLoc(); }
  MLIRContext *getContext() const { return op->getContext(); }
  void erase() { op->erase(); }
  InFlightDiagnostic emitError(const Twine &message = {}) const { return op->emitError(message); }
  InFlightDiagnostic emitOpError(const Twine &message = {}) const {
    return op->emitOpError(message);
  }

private:
  static typename OpT::Properties propertiesOf(Operation *op) {
    typename OpT::Properties properties;
    if (auto known = dyn_cast<OpT>(op))
      return *known->getPropertiesStorage().template as<typename OpT::Properties *>();
    (void)OpT::setPropertiesFromAttr(properties, attributesOf(op),
                                     [op] { return op->emitError(); });
    return properties;
  }

  Operation *op = nullptr;
};

/// Returns `op` as a call of the function that OpT declares; null if it is none. `op` may be null.
template <typename OpT> CallOf<OpT> asCall(Operation *op) {
  return isCall<OpT>(op) ? CallOf<OpT>(op) : CallOf<OpT>();
}

/// Returns the call that makes a value; null if no call of this function does.
template <typename OpT> CallOf<OpT> definingCall(Value value) {
  return asCall<OpT>(value.getDefiningOp());
}

/// Makes a call of the function that OpT declares, with the arguments of a builder of OpT.
template <typename OpT, typename... Args>
CallOf<OpT> createCall(OpBuilder &builder, Location loc, Args &&...args) {
  OperationState state(loc, OpT::getOperationName());
  OpT::build(builder, state, std::forward<Args>(args)...);
  if (!isDirect(builder.getInsertionBlock()->getParentOp()))
    return CallOf<OpT>(builder.create(state));
  auto &properties = state.getOrAddProperties<typename OpT::Properties>();
  auto inherent = OpT::getPropertiesAsAttr(builder.getContext(), properties);
  auto attributes = dyn_cast_if_present<DictionaryAttr>(inherent);
  return CallOf<OpT>(createDirect(
      builder, state, attributes ? attributes : DictionaryAttr::get(builder.getContext())));
}

/// Calls a function for each call of one of the functions that OpT declare, as a TypeSwitch does.
template <typename ResultT> class CallSwitch {
public:
  explicit CallSwitch(Operation *op) : op(op) {}

  template <typename... OpT, typename Function> CallSwitch &Case(Function &&function) {
    (tryCase<OpT>(function), ...);
    return *this;
  }
  ResultT Default(ResultT otherwise) { return result ? std::move(*result) : std::move(otherwise); }

private:
  template <typename OpT, typename Function> void tryCase(Function &function) {
    if (!result && isCall<OpT>(op))
      result.emplace(function(CallOf<OpT>(op)));
  }

  Operation *op;
  std::optional<ResultT> result;
};

} // namespace mlir::tt::ttkernel

#endif // TTJIT_IR_TTKERNEL_DEVICECALLS_H
