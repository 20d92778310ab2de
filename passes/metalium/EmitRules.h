//===- EmitRules.h - the rule of each op for C++ --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The rules are defined in Scalars.cpp, ControlFlow.cpp, KernelApiCalls.cpp,
// PipeCalls.cpp, HostCalls.cpp, RowParts.cpp, PagesTogether.cpp and BufferResets.cpp.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_EMITRULES_H
#define TTJIT_PASSES_METALIUM_EMITRULES_H

#include "hw/facts/TileOpFwd.h"
#include "ir/TTKernel/DeviceCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

namespace ttjit::tometalium {

class ThreadConverter;
using EmitRule = mlir::LogicalResult (*)(mlir::Operation *, ThreadConverter &);
using EmitAround = void (*)(mlir::func::FuncOp, ThreadConverter &);

/// Rules by op class. Those of calls of the device API apply to both forms of a call
/// (ir/TTKernel/DeviceCalls.h). Every such call without a rule becomes a call of the function with
/// its name.
class EmitRules {
public:
  template <typename OpTy, mlir::LogicalResult (*rule)(OpTy, ThreadConverter &)> void add() {
    rules[mlir::TypeID::get<OpTy>()] = [](mlir::Operation *op, ThreadConverter &converter) {
      return rule(llvm::cast<OpTy>(op), converter);
    };
  }
  template <typename OpTy,
            mlir::LogicalResult (*rule)(mlir::tt::ttkernel::CallOf<OpTy>, ThreadConverter &)>
  void addCall() {
    rules[mlir::TypeID::get<OpTy>()] = [](mlir::Operation *op, ThreadConverter &converter) {
      return rule(mlir::tt::ttkernel::CallOf<OpTy>(op), converter);
    };
  }
  template <typename OpTy> void add(EmitRule rule) { rules[mlir::TypeID::get<OpTy>()] = rule; }
  /// Returns null if there is no rule for ops of this class.
  EmitRule find(mlir::Operation *op) const {
    return rules.lookup(mlir::tt::ttkernel::declarationOf(op).getTypeID());
  }

  EmitRule tileRow = nullptr;    ///< rule for the ops of the rows of hw/facts/TileOps.def
  EmitAround prologue = nullptr; ///< emits the declarations at the start of a function
  EmitAround epilogue = nullptr; ///< emits what a function does at its end

private:
  llvm::DenseMap<mlir::TypeID, EmitRule> rules;
};

void addScalarRules(EmitRules &rules);
void addControlFlowRules(EmitRules &rules);
/// Adds the rules of kernel API calls, the rule of the ops of hw/facts/TileOps.def, and
/// the text that precedes each kernel.
void addKernelApiRules(EmitRules &rules);
void addIntegerCallRules(EmitRules &rules);
void addPipeCallRules(EmitRules &rules);
void addRowPartRules(EmitRules &rules);
void addPagesTogetherRules(EmitRules &rules);
void addHostCallRules(EmitRules &rules);
void addResetRules(EmitRules &rules);

/// Returns the tensor of an accessor that the thread function makes; null for another value.
mlir::RankedTensorType tensorOf(mlir::Value accessor);

/// Returns text of C++ as an attribute, for template arguments.
mlir::Attribute opaque(ThreadConverter &converter, const llvm::Twine &text);
/// Emits the address of the buffer that the thread's parts of rows go through (RowParts.h).
void emitRowBuffer(mlir::func::FuncOp source, ThreadConverter &converter);
/// Emits a fault with this message unless the condition holds. Only C++ for the host may have it.
void emitHostCheck(mlir::Operation *op, ThreadConverter &converter, mlir::Value condition,
                   llvm::StringRef message);
/// Emits a row of hw/facts/TileOps.def that reads or writes integers, or its initialisation.
mlir::LogicalResult emitIntegerRow(mlir::Operation *op, hw::TileOp row, ThreadConverter &converter);
/// Fails, with a diagnostic at `op`, if the thread's DST registers do not hold integers of 32 bits.
mlir::LogicalResult checkIntegerThread(mlir::Operation *op, const ThreadConverter &converter);
/// Fails at a pack into uint16 or uint8 whose register is also packed in another format, and at one
/// that adds to what the block has.
mlir::LogicalResult checkPackedFormats(mlir::Operation *pack);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_EMITRULES_H
