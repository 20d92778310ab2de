//===- Values.h - what an expression of a kernel function is --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The walker evaluates each Python expression to one of these: a Python object
// known now, or something that exists when the kernel runs. Everything that
// holds a Python object needs the GIL, to be destroyed too.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_VALUES_H
#define TTJIT_FRONTEND_WALK_VALUES_H

#include "hw/device/Program.h"

#include "mlir/IR/Value.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace ttjit::frontend {

namespace py = pybind11;

class Value;
class Scope;
class SourceFile;

/// A Python object known at compile time.
struct Static {
  py::object object;
};

/// A run-time number: i32, f32 or, for truth values, i1.
struct Scalar {
  mlir::Value value;
};

/// One acquired slot of a buffer. Identified by `id`; its changing state is in
/// ThreadState.
struct BlockInfo {
  unsigned id = 0;
  mlir::Value block;
  unsigned buffer = 0; ///< index into Kernel::buffers
  bool reserved = false;
  hw::SourceLocation acquired;
};
struct Block {
  std::shared_ptr<const BlockInfo> info;
};

/// A block expression: a tensor of Float32 tiles. `open`: made of broadcasts that
/// take their shape from the expression around them.
struct BlockExpr {
  mlir::Value value;
  bool open = false;
};

/// Part of a tensor: one end of a transfer. `slice` is null in compute threads.
struct TensorPart {
  mlir::Value slice;
  unsigned tensor = 0; ///< index into Kernel::tensors
};

/// Handle of a transfer.
struct Transfer {
  mlir::Value handle;
};

/// A ttl.GroupTransfer; its handles are in ThreadState::groups.
struct TransferGroup {
  unsigned id = 0;
};

/// A pipe inside the callback of its net. `net` is what the program called the callback
/// on: a ttl.PipeNet, a ttl.Pipe or a list of pipes.
struct PipeEnd {
  mlir::Value value;
  py::object net;
};

/// Another node's semaphore, or those of a range of nodes.
struct SemaphoreRef {
  mlir::Value value;
  bool isRange = false;
};

/// A tuple or list of known length with an item that is not Static.
struct Tuple {
  std::vector<Value> items;
};

/// `range(...)` and `slice(...)` with a bound that is not Static.
struct Range {
  std::shared_ptr<const std::vector<Value>> bounds; ///< start, stop, step
};
struct SliceObject {
  std::shared_ptr<const std::vector<Value>> bounds;
};

/// A Python function that a call inlines. `scope` is where a function defined
/// inside the kernel looks up names, null for one from outside.
struct FunctionInfo {
  std::string name;
  py::object node;     ///< ast.FunctionDef or ast.Lambda
  py::object function; ///< the Python function; none if defined inside the kernel
  const SourceFile *file = nullptr;
  std::shared_ptr<Scope> scope;
  std::vector<Value> defaults; ///< of the last positional parameters
};
struct Function {
  std::shared_ptr<const FunctionInfo> info;
};

/// `self.name`, to be called.
struct Method {
  std::shared_ptr<const Value> self;
  std::string name;
};

/// A name that has no usable value here, and why. `isPoisoned`: an error that was
/// reported is the reason.
struct Missing {
  std::string reason;
  bool isPoisoned = false;
};

class Value {
public:
  using Storage =
      std::variant<Static, Scalar, Block, BlockExpr, TensorPart, Transfer, TransferGroup, PipeEnd,
                   SemaphoreRef, Tuple, Range, SliceObject, Function, Method, Missing>;

  template <typename T, typename = std::enable_if_t<std::is_constructible_v<Storage, T>>>
  Value(T alternative) : storage(std::move(alternative)) {}

  template <typename T> const T *getIf() const { return std::get_if<T>(&storage); }
  template <typename T> bool is() const { return std::holds_alternative<T>(storage); }
  template <typename Visitor> auto visit(Visitor &&visitor) const {
    return std::visit(visitor, storage);
  }

private:
  Storage storage;
};

/// None, as a value.
Value none();
bool isNone(const Value &value);

/// "an int", "a block of shape (2, 1)": what a message calls the value.
std::string describe(const Value &value);

/// "(2, 1)".
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// Block or block expression: what block functions take. Null for other values.
mlir::Value blockOperand(const Value &value);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_VALUES_H
