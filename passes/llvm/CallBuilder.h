//===- CallBuilder.h - calls of the device and of JIT helpers -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Builds calls with positions and status checks. There is one CallBuilder per module;
// patterns hold it by reference.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LLVM_CALLBUILDER_H
#define TTJIT_PASSES_LLVM_CALLBUILDER_H

#include "ir/Locations/Locations.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::tt::ttkernel {
class ReduceTileOp;
}

namespace ttjit::tollvm {

inline constexpr llvm::StringLiteral kAt = "ttl_jit_at";
inline constexpr llvm::StringLiteral kCheck = "ttl_jit_check";
inline constexpr llvm::StringLiteral kStep = "ttl_jit_step";

/// On a device op: call functions of hw out of line, for code that rarely runs. The JIT then
/// compiles neither the function nor, for a tile operation, its loop.
inline constexpr llvm::StringLiteral kOutOfLineAttr = "ttl.out_of_line";

class CallBuilder {
public:
  CallBuilder(mlir::ModuleOp module, LocationTable &locations)
      : module(module), locations(locations) {}

  /// The running thread, which is the only argument of the function around `op`.
  static mlir::Value thread(mlir::Operation *op);

  mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc, int64_t value, int bits = 32);
  /// Returns the address of a zero-terminated string.
  mlir::Value string(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef text);
  /// Address of these numbers, one 32-bit word each, on the stack of the thread.
  mlir::Value words(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange numbers);
  /// Returns the address of an array of `count` elements on the stack of the thread `function`.
  mlir::Value stackArray(mlir::OpBuilder &builder, mlir::FunctionOpInterface function,
                         mlir::Type element, int64_t count);
  /// Returns the address of `count` words on the stack of the thread.
  mlir::Value stackWords(mlir::OpBuilder &builder, mlir::Operation *op, int64_t count);
  /// Returns the address of these constants.
  mlir::Value constantWords(mlir::OpBuilder &builder, mlir::Location loc,
                            llvm::ArrayRef<int32_t> words);
  /// Returns the number of the position of `op`.
  mlir::Value position(mlir::OpBuilder &builder, mlir::Operation *op);

  /// Calls `name(thread, arguments...)`; declares the function at its first use.
  /// Returns null after reporting an error if another symbol has that name. Without a
  /// result type the call has no result.
  mlir::LLVM::CallOp call(mlir::OpBuilder &builder, mlir::Operation *op, llvm::StringRef name,
                          mlir::ValueRange arguments, mlir::Type result = {});
  /// Calls a function that takes no thread, such as a lane function.
  mlir::LLVM::CallOp callHelper(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                                mlir::ValueRange arguments, mlir::Type result = {});
  /// Stores the position of `op`, then calls as call() does.
  mlir::LLVM::CallOp callAt(mlir::OpBuilder &builder, mlir::Operation *op, llvm::StringRef name,
                            mlir::ValueRange arguments, mlir::Type result = {});
  /// Stores the position of `op` and calls a function that returns a Status; leaves the
  /// thread unless the status is Ok.
  mlir::LogicalResult checkedCallAt(mlir::OpBuilder &builder, mlir::Operation *op,
                                    llvm::StringRef name, mlir::ValueRange arguments);

private:
  /// Returns the declaration of a function, made at its first use; null as for call().
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef name, mlir::TypeRange arguments,
                                 mlir::Type result);

  mlir::ModuleOp module;
  LocationTable &locations;
  // Patterns create declarations without their rewriter, so a pattern that is rolled
  // back leaves its declarations in the module.
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> functions;
  llvm::StringMap<mlir::LLVM::GlobalOp> strings;
  unsigned numConstantWords = 0; ///< number of arrays that constantWords() made
};

/// Adds patterns that turn ttkernel ops into calls of the same name with the same
/// operands.
void populateDeviceCalls(const mlir::LLVMTypeConverter &types, mlir::RewritePatternSet &patterns,
                         CallBuilder &calls);
/// Adds patterns for prints, signposts, elements of blocks and functions of the host.
void populateHostCalls(const mlir::LLVMTypeConverter &types, mlir::RewritePatternSet &patterns,
                       CallBuilder &calls);
/// Adds patterns for user arithmetic, assertions, bounds checks and test ops.
void populateScalarCalls(const mlir::LLVMTypeConverter &types, mlir::RewritePatternSet &patterns,
                         CallBuilder &calls);

/// Returns the number of the op's hw::ReduceKind.
int reduceKind(mlir::tt::ttkernel::ReduceTileOp op);

/// Adds a thread argument to every function and the call that counts a step to every
/// loop.
mlir::LogicalResult prepareThreads(mlir::ModuleOp module, CallBuilder &calls);
/// Replaces the transfers of loops that move a block of pages by one call.
mlir::LogicalResult moveBlocks(mlir::ModuleOp module, CallBuilder &calls);
/// Replaces the calls of straight-line DST sections by loops over the elements of tiles.
mlir::LogicalResult fuseSections(mlir::ModuleOp module, CallBuilder &calls);
/// Replaces the calls of DST sections that only multiply tiles, and of loops of such sections, by
/// a call that computes all products.
mlir::LogicalResult fuseProducts(mlir::ModuleOp module, CallBuilder &calls);
/// Replaces the loops of DST sections that only reduce tiles into one register by one call.
mlir::LogicalResult fuseReductions(mlir::ModuleOp module, CallBuilder &calls);
/// Removes each store of a position that equals the position stored before it.
void removeRepeatedPositions(mlir::ModuleOp module);

} // namespace ttjit::tollvm

#endif // TTJIT_PASSES_LLVM_CALLBUILDER_H
