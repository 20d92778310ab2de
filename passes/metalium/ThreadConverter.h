//===- ThreadConverter.h - one thread function to EmitC -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Builds an emitc.func from a thread function, op by op, by the rules in EmitRules.h.
// Locations pass information to the printer: every op has its position, and a NameLoc
// if its value must be a variable of that name. Other values may be written where they
// are used.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_THREADCONVERTER_H
#define TTJIT_PASSES_METALIUM_THREADCONVERTER_H

#include "hw/facts/Arch.h"
#include "hw/facts/MetaliumVersion.h"
#include "passes/metalium/EmitRules.h"
#include "passes/metalium/Names.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>
#include <vector>

namespace ttjit::tometalium {

/// The circular buffer of the words that start as zeros.
struct WordBuffer {
  int id;
  uint64_t address; ///< of its first word, as the compiler has placed it
};

/// The circular buffer of a thread that parts of rows go through (RowParts.h).
struct RowBuffer {
  int id;
  int64_t bytes;
};

/// The devices of a thread's program, if there are several (Fabric.h).
struct MeshFacts {
  int64_t columns; ///< of a device
  int firstArg;    ///< place of the device's number among the run-time arguments
  bool sends;      ///< whether the thread sends to other devices
};

/// Names of one thread's buffers and tensors, and other facts from the program.
struct ThreadNames {
  llvm::DenseMap<int64_t, std::string> buffers; ///< names, by buffer index
  std::vector<std::string> tensors;             ///< names, by common run-time argument
  bool areTensorsKnown = false;                 ///< whether `tensors` has all of them
  bool fp32Dest = false;                        ///< whether DST registers hold 32-bit data
  bool fullSync = false;                        ///< whether a DST section has all of DST
  int dramBanks = 1;                            ///< number of DRAM banks of the program's chip
  int l1Banks = 1;                              ///< number of its cores
  int extraIds = 0; ///< number of circular buffers that only the emitted program has
  llvm::SmallVector<std::pair<int, int>> secondIds; ///< (id of a buffer, its second)
  std::optional<WordBuffer> words;
  std::optional<RowBuffer> rowBuffer;
  std::optional<MeshFacts> mesh;
  std::optional<hw::ArchDesc> arch; ///< the program's chip, if there is a program
  /// Bits for NCRISC, BRISC, UNPACK and PACK: those that run a kernel of the program.
  uint32_t processors = 0;
};

class ThreadConverter {
public:
  ThreadConverter(mlir::func::FuncOp source, const EmitRules &rules, const ThreadNames &names,
                  const hw::MetaliumVersion &version, bool isForHost);

  /// Creates the emitc.func of the function and inserts it before the function.
  mlir::FailureOr<mlir::emitc::FuncOp> convert();

  //===------------------------------------------------------------------------===//
  // Functions for the rules
  //===------------------------------------------------------------------------===//

  mlir::OpBuilder builder;
  const hw::MetaliumVersion &version;
  const ThreadNames &names;
  const bool isForHost;  ///< see EmitOptions
  mlir::Value rowBuffer; ///< address of the thread's RowBuffer, if it has one
  mlir::Value device;    ///< number of the device, if there are several
  mlir::Value fabric;    ///< connections to other devices, if the thread has any

  mlir::Value lookup(mlir::Value value) { return values.lookup(value); }
  llvm::SmallVector<mlir::Value> lookup(mlir::ValueRange range);
  void map(mlir::Value from, mlir::Value to) { values.map(from, to); }

  /// Converts the ops before the terminator, at the insertion point.
  mlir::LogicalResult convertBlock(mlir::Block &block);

  /// f32, i32 and i1 stay, index becomes i32; null if C++ has no counterpart.
  mlir::Type convertType(mlir::Type type);
  /// Casts `value`, an integer, to the integer type `type`.
  mlir::Value coerce(mlir::Value value, mlir::Type type);
  mlir::Value constant(int32_t value, mlir::Location position);

  /// Calls a function. Its result becomes a variable of that name; without a name the
  /// printer chooses one. `{}` in a template argument is replaced by an operand, and
  /// operands replaced this way are not passed.
  mlir::emitc::CallOpaqueOp call(mlir::Operation *op, llvm::StringRef callee,
                                 mlir::ValueRange operands, mlir::Type result, llvm::StringRef name,
                                 llvm::ArrayRef<mlir::Attribute> templateArgs = {});

private:
  mlir::LogicalResult convertOp(mlir::Operation *op);

  mlir::func::FuncOp source;
  const EmitRules &rules;
  mlir::IRMapping values;
};

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_THREADCONVERTER_H
