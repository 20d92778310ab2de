//===- Values.h - what an expression of a kernel function is --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The walker evaluates each Python expression to a Value: a Python object known
// now, or something that exists when the kernel runs. Each kind of value is a class
// that says what attributes, calls and subscripts of it mean, and how loops and
// branches carry it. Values do not change. Everything that holds a Python object
// needs the GIL, to be destroyed too.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_VALUES_H
#define TTJIT_FRONTEND_WALK_VALUES_H

#include "hw/device/Program.h"

#include "mlir/IR/Value.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace ttjit::frontend {

namespace py = pybind11;

class Arguments;
class Scope;
class SourceFile;
class Value;
class Walker;

//===--------------------------------------------------------------------------===//
// What every kind of value can do
//===--------------------------------------------------------------------------===//

class ValueKind {
public:
  virtual ~ValueKind() = default;

  /// "an int", "a block of shape (2, 1)": what a message calls the value.
  virtual std::string describe() const = 0;

  // What Python does with the value. `self` is the value itself. What a kind does not
  // override fails at `node`, with a message that describes the value.

  /// `self.name`; by default a method.
  virtual Value attribute(Walker &walker, py::handle node, const Value &self,
                          const std::string &name) const;
  /// `self.name(...)`
  virtual Value callMethod(Walker &walker, const Value &self, const std::string &name,
                           Arguments &arguments) const;
  /// `self(...)`
  virtual Value call(Walker &walker, Arguments &arguments) const;
  /// `self[index]`; `node` is the ast.Subscript.
  virtual Value subscript(Walker &walker, py::handle node, const Value &index) const;
  /// What iteration over the value gives; nothing if its length is not known.
  virtual std::optional<std::vector<Value>> items(Walker &walker) const;
  /// Python's truth: known now, or an i1.
  virtual std::variant<bool, mlir::Value> truth(Walker &walker, py::handle node) const;

  // How loops and branches carry the value (CarriedValues.h). A value is one IR value, or
  // parts that are values, or it crosses only as it is.

  /// The IR value that this value is; null if there is none or several.
  virtual mlir::Value irValue() const { return {}; }
  /// The type of the one IR value that carries this value; null if there is none.
  virtual mlir::Type carriedType(const Walker &) const;
  /// The values that this value consists of.
  virtual std::vector<Value> parts() const;
  /// This value with other parts, as many.
  virtual Value withParts(std::vector<Value> parts) const;
  /// Whether this value and `other` differ in their IR values and parts at most.
  virtual bool isLike(const ValueKind &) const { return false; }
};

class Value {
public:
  template <typename T, typename = std::enable_if_t<std::is_base_of_v<ValueKind, T>>>
  Value(T kind) : object(std::make_shared<const T>(std::move(kind))) {}

  template <typename T> const T *getIf() const { return dynamic_cast<const T *>(object.get()); }
  template <typename T> bool is() const { return getIf<T>() != nullptr; }
  const ValueKind *operator->() const { return object.get(); }
  const ValueKind &operator*() const { return *object; }

private:
  std::shared_ptr<const ValueKind> object;
};

//===--------------------------------------------------------------------------===//
// Python objects and numbers
//===--------------------------------------------------------------------------===//

/// A Python object known at compile time.
struct Static final : ValueKind {
  Static(py::object object) : object(std::move(object)) {}
  std::string describe() const override;
  Value attribute(Walker &, py::handle node, const Value &self,
                  const std::string &name) const override;
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;
  Value call(Walker &, Arguments &) const override;
  Value subscript(Walker &, py::handle node, const Value &index) const override;
  std::optional<std::vector<Value>> items(Walker &) const override;
  std::variant<bool, mlir::Value> truth(Walker &, py::handle node) const override;
  mlir::Type carriedType(const Walker &) const override;
  std::vector<Value> parts() const override;
  Value withParts(std::vector<Value> parts) const override;
  bool isLike(const ValueKind &other) const override;
  /// A short tuple, list or dict, a slice or a range as the kind that holds other parts
  /// than Static ones; nothing for other objects.
  std::optional<Value> asRunTime() const;

  py::object object;
};

/// A run-time number: i32, f32 or, for truth values, i1.
struct Scalar final : ValueKind {
  Scalar(mlir::Value value) : value(value) {}
  std::string describe() const override;
  std::variant<bool, mlir::Value> truth(Walker &, py::handle node) const override;
  mlir::Value irValue() const override { return value; }
  mlir::Type carriedType(const Walker &) const override;

  mlir::Value value;
};

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

/// One acquired slot of a buffer. Identified by `id`; its changing state is in
/// ThreadState.
struct BlockInfo {
  unsigned id = 0;
  mlir::Value block;
  unsigned buffer = 0; ///< index into Kernel::buffers
  bool reserved = false;
  hw::SourceLocation acquired;
};
struct Block final : ValueKind {
  Block(std::shared_ptr<const BlockInfo> info) : info(std::move(info)) {}
  std::string describe() const override;
  Value attribute(Walker &, py::handle node, const Value &self,
                  const std::string &name) const override;
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;
  mlir::Value irValue() const override { return info->block; }
  mlir::Type carriedType(const Walker &) const override;

  std::shared_ptr<const BlockInfo> info;
};

/// A block expression: a tensor of Float32 tiles. `open`: made of broadcasts that
/// take their shape from the expression around them.
struct BlockExpr final : ValueKind {
  BlockExpr(mlir::Value value, bool open = false) : value(value), open(open) {}
  std::string describe() const override;
  Value attribute(Walker &, py::handle node, const Value &self,
                  const std::string &name) const override;
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;
  mlir::Value irValue() const override { return value; }
  mlir::Type carriedType(const Walker &) const override;

  mlir::Value value;
  bool open = false;
};

//===--------------------------------------------------------------------------===//
// Data movement
//===--------------------------------------------------------------------------===//

/// Part of a tensor: one end of a transfer. `slice` is null in compute threads.
struct TensorPart final : ValueKind {
  TensorPart(mlir::Value slice, unsigned tensor) : slice(slice), tensor(tensor) {}
  std::string describe() const override { return "a slice of a tensor"; }
  mlir::Value irValue() const override { return slice; }

  mlir::Value slice;
  unsigned tensor = 0; ///< index into Kernel::tensors
};

/// Handle of a transfer.
struct Transfer final : ValueKind {
  Transfer(mlir::Value handle) : handle(handle) {}
  std::string describe() const override { return "a transfer handle"; }
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;
  mlir::Value irValue() const override { return handle; }
  mlir::Type carriedType(const Walker &) const override;

  mlir::Value handle;
};

/// A ttl.GroupTransfer; its handles are in ThreadState::groups.
struct TransferGroup final : ValueKind {
  TransferGroup(unsigned id) : id(id) {}
  std::string describe() const override { return "a GroupTransfer"; }
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;
  bool isLike(const ValueKind &other) const override;

  unsigned id = 0;
};

/// What ttl.wait_any() returns: `place` says which of the receives it completed.
struct Arrival final : ValueKind {
  Arrival(Value place) : place(std::move(place)) {}
  std::string describe() const override { return "the result of wait_any()"; }
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;
  std::vector<Value> parts() const override { return {place}; }
  Value withParts(std::vector<Value> parts) const override { return Arrival{parts.front()}; }
  bool isLike(const ValueKind &other) const override {
    return dynamic_cast<const Arrival *>(&other) != nullptr;
  }

  Value place;
};

/// A pipe inside the callback of its net. `net` is what the program called the callback
/// on: a ttl.PipeNet, a ttl.Pipe or a list of pipes.
struct PipeEnd final : ValueKind {
  PipeEnd(mlir::Value value, py::object net) : value(value), net(std::move(net)) {}
  std::string describe() const override { return "a pipe"; }
  Value attribute(Walker &, py::handle node, const Value &self,
                  const std::string &name) const override;
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;
  mlir::Value irValue() const override { return value; }

  mlir::Value value;
  py::object net;
};

/// Another node's semaphore, or those of a range of nodes.
struct SemaphoreRef final : ValueKind {
  SemaphoreRef(mlir::Value value, bool isRange) : value(value), isRange(isRange) {}
  std::string describe() const override { return "a remote semaphore"; }
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;
  mlir::Value irValue() const override { return value; }

  mlir::Value value;
  bool isRange = false;
};

//===--------------------------------------------------------------------------===//
// Sequences
//===--------------------------------------------------------------------------===//

/// A tuple or list of known length with an item that is not Static.
struct Tuple final : ValueKind {
  Tuple(std::vector<Value> items, bool isList = false)
      : elements(std::move(items)), isList(isList) {}
  std::string describe() const override { return isList ? "a list" : "a tuple"; }
  Value subscript(Walker &, py::handle node, const Value &index) const override;
  std::optional<std::vector<Value>> items(Walker &) const override { return elements; }
  std::variant<bool, mlir::Value> truth(Walker &, py::handle node) const override;
  std::vector<Value> parts() const override { return elements; }
  Value withParts(std::vector<Value> parts) const override;
  bool isLike(const ValueKind &other) const override;

  std::vector<Value> elements;
  bool isList = false;
};

/// A dict with a value that is not Static. The keys are.
struct Dict final : ValueKind {
  Dict(py::dict positions, std::vector<Value> values)
      : positions(std::move(positions)), values(std::move(values)) {}
  std::string describe() const override { return "a dict"; }
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;
  Value subscript(Walker &, py::handle node, const Value &index) const override;
  std::optional<std::vector<Value>> items(Walker &) const override;
  std::variant<bool, mlir::Value> truth(Walker &, py::handle node) const override;
  std::vector<Value> parts() const override { return values; }
  Value withParts(std::vector<Value> parts) const override;
  bool isLike(const ValueKind &other) const override;

  py::dict positions; ///< key -> number of its value
  std::vector<Value> values;
};
using DictEntries = std::vector<std::pair<py::object, Value>>;

/// start, stop, step of `range(...)` and `slice(...)` with one that is not Static.
using RangeBounds = std::shared_ptr<const std::vector<Value>>;

struct Range final : ValueKind {
  Range(RangeBounds bounds) : bounds(std::move(bounds)) {}
  std::string describe() const override { return "a range"; }
  std::vector<Value> parts() const override;
  Value withParts(std::vector<Value> parts) const override;
  bool isLike(const ValueKind &other) const override;

  RangeBounds bounds;
};
struct SliceObject final : ValueKind {
  SliceObject(RangeBounds bounds) : bounds(std::move(bounds)) {}
  std::string describe() const override { return "a slice"; }
  Value attribute(Walker &, py::handle node, const Value &self,
                  const std::string &name) const override;
  std::vector<Value> parts() const override { return *bounds; }
  Value withParts(std::vector<Value> parts) const override;
  bool isLike(const ValueKind &other) const override;

  RangeBounds bounds;
};

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

/// A Python function that a call inlines. `scope` is where a function defined
/// inside the kernel looks up names, null for one from outside.
struct FunctionInfo {
  std::string name;
  py::object node;     ///< ast.FunctionDef or ast.Lambda
  py::object function; ///< the Python function; none if defined inside the kernel
  const SourceFile *file = nullptr;
  std::shared_ptr<Scope> scope;
  std::vector<Value> defaults;                                ///< of the last positional parameters
  std::vector<std::pair<std::string, Value>> keywordDefaults; ///< of keyword-only parameters
};
struct Function final : ValueKind {
  Function(std::shared_ptr<const FunctionInfo> info) : info(std::move(info)) {}
  std::string describe() const override { return "the function " + info->name + "()"; }
  Value call(Walker &, Arguments &) const override;
  std::variant<bool, mlir::Value> truth(Walker &, py::handle) const override { return true; }
  std::vector<Value> parts() const override;
  Value withParts(std::vector<Value> parts) const override;
  bool isLike(const ValueKind &other) const override;

  std::shared_ptr<const FunctionInfo> info;
};

/// `self.name`, to be called.
struct Method final : ValueKind {
  Method(Value self, std::string name) : self(std::move(self)), name(std::move(name)) {}
  std::string describe() const override { return "the method " + name + "()"; }
  Value call(Walker &, Arguments &) const override;
  std::variant<bool, mlir::Value> truth(Walker &, py::handle) const override { return true; }
  std::vector<Value> parts() const override { return {self}; }
  Value withParts(std::vector<Value> parts) const override;
  bool isLike(const ValueKind &other) const override;

  Value self;
  std::string name;
};

/// Text with run-time numbers in it: a format string (hw/facts/FormatText.h) with a field
/// for each number.
struct Text final : ValueKind {
  std::string describe() const override { return "a run-time string"; }

  std::string format;
  std::vector<mlir::Value> numbers;
};

/// A name that has no usable value here, and why. `isPoisoned`: an error that was
/// reported is the reason. `needsStatic`: the name has a value if the loop around is
/// unrolled.
struct Missing final : ValueKind {
  Missing(std::string reason = {}, bool isPoisoned = false, bool needsStatic = false)
      : reason(std::move(reason)), isPoisoned(isPoisoned), needsStatic(needsStatic) {}
  std::string describe() const override { return "nothing"; }

  std::string reason;
  bool isPoisoned = false, needsStatic = false;
};

//===--------------------------------------------------------------------------===//
// Helpers
//===--------------------------------------------------------------------------===//

/// None, as a value.
Value none();
bool isNone(const Value &value);

/// What a message calls the value.
inline std::string describe(const Value &value) { return value->describe(); }
/// describe(), and for a buffer or a tensor where a block is needed how to get one.
std::string describeNoBlock(const Value &value);

/// "(2, 1)".
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// Block or block expression: what block functions take. Null for other values.
mlir::Value blockOperand(const Value &value);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_VALUES_H
