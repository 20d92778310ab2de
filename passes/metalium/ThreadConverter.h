//===- ThreadConverter.h - one thread function to EmitC -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Builds an emitc.func from a thread function, op by op, by the rules in
// Scalars.cpp, ControlFlow.cpp and DeviceCalls.cpp. What the printer needs to
// know stands in locations: every op has its position, and a NameLoc if its
// value shall be a variable of that name; other values may be written where
// they are used.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_THREADCONVERTER_H
#define TTJIT_PASSES_METALIUM_THREADCONVERTER_H

#include "passes/metalium/EmitCpp.h"
#include "passes/metalium/Names.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/DenseMap.h"

namespace ttjit::emit {

class ThreadConverter;
using EmitRule = mlir::LogicalResult (*)(mlir::Operation *, ThreadConverter &);

/// Rules by op class. Every other op of the ttkernel dialect is a call of the
/// function with its name.
class EmitRules {
public:
  template <typename OpTy, mlir::LogicalResult (*rule)(OpTy, ThreadConverter &)> void add() {
    rules[mlir::TypeID::get<OpTy>()] = [](mlir::Operation *op, ThreadConverter &converter) {
      return rule(llvm::cast<OpTy>(op), converter);
    };
  }
  template <typename OpTy> void add(EmitRule rule) { rules[mlir::TypeID::get<OpTy>()] = rule; }
  EmitRule find(mlir::Operation *op) const;

private:
  llvm::DenseMap<mlir::TypeID, EmitRule> rules;
};

void addScalarRules(EmitRules &rules);
void addControlFlowRules(EmitRules &rules);
void addDeviceCallRules(EmitRules &rules);
void addPipeCallRules(EmitRules &rules);
const EmitRules &ttkernelEmitRules();

/// What the program says about one thread's buffers and tensors.
struct ThreadNames {
  llvm::DenseMap<int64_t, std::string> buffers; ///< by buffer index
  std::vector<std::string> tensors;             ///< by common run-time argument; may be empty
  bool fp32Dest = false;                        ///< DST holds 32 bits
  int dramBanks = 1;                            ///< of the program's chip
};

class ThreadConverter {
public:
  ThreadConverter(mlir::func::FuncOp source, const ThreadNames &names,
                  const MetaliumVersion &version);

  /// The function's counterpart, inserted before it.
  mlir::FailureOr<mlir::emitc::FuncOp> convert();

  //===------------------------------------------------------------------------===//
  // For rules
  //===------------------------------------------------------------------------===//

  mlir::OpBuilder builder;
  const MetaliumVersion &version;
  const ThreadNames &names;

  mlir::Value lookup(mlir::Value value) { return values.lookup(value); }
  llvm::SmallVector<mlir::Value> lookup(mlir::ValueRange range);
  void map(mlir::Value from, mlir::Value to) { values.map(from, to); }

  /// Ops before the terminator, at the insertion point.
  mlir::LogicalResult convertBlock(mlir::Block &block);

  /// f32, i32 and i1 stay, index is i32; null: no counterpart.
  mlir::Type convertType(mlir::Type type);
  /// `value` as `type`; integers only.
  mlir::Value coerce(mlir::Value value, mlir::Type type);
  mlir::Value constant(int32_t value, mlir::Location position);

  /// Calls a function. A result of that name is a variable; without a name the
  /// printer chooses one. `{}` in a template argument stands for the operands,
  /// which are then not passed.
  mlir::emitc::CallOpaqueOp call(mlir::Operation *op, llvm::StringRef callee,
                                 mlir::ValueRange operands, mlir::Type result,
                                 llvm::StringRef name,
                                 llvm::ArrayRef<mlir::Attribute> templateArgs = {});

private:
  mlir::LogicalResult convertOp(mlir::Operation *op);

  mlir::func::FuncOp source;
  mlir::IRMapping values;
};

/// A row of hw/facts/TileOps.def, call or initialisation.
mlir::LogicalResult emitRow(mlir::Operation *op, ThreadConverter &converter);

/// Buffers and accessor layouts of `source`, in the order of the compile-time
/// arguments, at the insertion point. Equal ones become one variable.
void emitCompileTimeArguments(mlir::func::FuncOp source, ThreadConverter &converter);

} // namespace ttjit::emit

#endif // TTJIT_PASSES_METALIUM_THREADCONVERTER_H
