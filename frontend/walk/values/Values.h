//===- Values.h - the values of expressions in kernel functions -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The walker evaluates each Python expression to a Value. A Value is a Python object known at
// compile time, or an object that exists only when the kernel runs. Each kind of value is a class.
// The class defines the value's attributes, calls and subscripts, and how loops and branches carry
// it. The folder frontend/walk/kinds has the functions of these classes that use the walk.
//
// A Value does not change after it is made. Code that creates, uses or destroys a value that holds
// a Python object must hold the GIL.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_VALUES_VALUES_H
#define TTJIT_FRONTEND_WALK_VALUES_VALUES_H

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
// The base class of all kinds of values
//===--------------------------------------------------------------------------===//

class ValueKind {
public:
  virtual ~ValueKind() = default;

  /// Returns the value's description in messages: "an int", "a block of shape (2, 1)".
  virtual std::string describe() const = 0;

  // The next functions do what Python does with the value; `self` is the value itself. The default
  // of each fails at `node` with a message that describes the value.

  /// Evaluates `self.name`; the default returns a Method.
  virtual Value attribute(Walker &walker, py::handle node, const Value &self,
                          const std::string &name) const;
  /// Calls `self.name(...)`.
  virtual Value callMethod(Walker &walker, const Value &self, const std::string &name,
                           Arguments &arguments) const;
  /// Calls `self(...)`.
  virtual Value call(Walker &walker, Arguments &arguments) const;
  /// Evaluates `self[index]`; `node` is the ast.Subscript.
  virtual Value subscript(Walker &walker, py::handle node, const Value &index) const;
  /// Returns the items that iteration over the value visits; nothing if its length is not known.
  virtual std::optional<std::vector<Value>> items(Walker &walker) const;
  /// Returns whether Python treats the value as true: a bool if that is known at compile time,
  /// otherwise an i1.
  virtual std::variant<bool, mlir::Value> truth(Walker &walker, py::handle node) const;

  // The next functions tell how loops and branches carry the value (CarriedValues.h). A value is
  // one IR value, or it consists of parts that are values, or it can only be carried unchanged.

  /// Returns the IR value that represents this value; null if there is none or several.
  virtual mlir::Value irValue() const { return {}; }
  /// Returns the type of the one IR value that carries this value; null if one is not enough.
  virtual mlir::Type carriedType(const Walker &) const;
  /// Returns the values that this value consists of.
  virtual std::vector<Value> parts() const;
  /// Returns this value with its parts replaced; `parts` has the same number of parts.
  virtual Value withParts(std::vector<Value> parts) const;
  /// Returns whether this value and `other` differ only in their IR values and parts.
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
  /// Converts a short tuple, list or dict, a slice or a range to the kind of value whose parts may
  /// be known at run time only. Returns nothing for other objects.
  std::optional<Value> asRunTime() const;

  py::object object;
  /// If this is the None that the call of a function without `return`, or of a method such as
  /// wait(), gives: the end of the message about it. Else null.
  py::object resultOf;
};

/// A number known at run time: i32, f32, or i1 for a bool.
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

/// One acquired slot of a buffer. `id` identifies it; ThreadState holds the state that changes.
struct BlockInfo {
  unsigned id = 0;
  /// Blocks of one buffer are released in this order. A block that a region passes on has
  /// the order of the one that it takes the place of.
  unsigned order = 0;
  mlir::Value block;
  unsigned buffer = 0; ///< index into Kernel::buffers
  bool reserved = false;
  hw::SourceLocation acquired;
  mlir::Type type; ///< of `block`
  /// The run-time number of a block that is counted (CountedBlocks.h). `block` then names the block
  /// until the next release; `releases` is the number of releases before, null if it is 0.
  std::optional<Value> ticket;
  mlir::Value releases;
  bool isChecked = false; ///< whether the kernel has checked at `block` that the thread holds it
  bool isCarried =
      false; ///< whether a loop or branch passes the number on: `acquired` may be wrong
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
  std::vector<Value> parts() const override;
  Value withParts(std::vector<Value> parts) const override;
  bool isLike(const ValueKind &other) const override;

  std::shared_ptr<const BlockInfo> info;
};

/// A block expression: a tensor of Float32 tiles. It is `open` if it is made of broadcasts that
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

/// A part of a tensor that a transfer reads or writes. `slice` is null in compute threads, and if a
/// loop or branch has passed on the indices: Transfers then makes the slice where it is copied.
struct TensorSlice final : ValueKind {
  TensorSlice(mlir::Value slice, unsigned tensor, std::vector<Value> starts = {},
              std::vector<int64_t> sizes = {}, std::vector<bool> ranges = {})
      : slice(slice), tensor(tensor), starts(std::move(starts)), sizes(std::move(sizes)),
        ranges(std::move(ranges)) {}
  std::string describe() const override { return "a slice of a tensor"; }
  mlir::Value irValue() const override { return slice; }
  std::vector<Value> parts() const override { return starts; }
  Value withParts(std::vector<Value> parts) const override;
  bool isLike(const ValueKind &other) const override;

  mlir::Value slice;
  unsigned tensor = 0;       ///< index into Kernel::tensors
  std::vector<Value> starts; ///< the first index of each stored dimension; empty in compute threads
  std::vector<int64_t> sizes; ///< the extent in each stored dimension
  std::vector<bool> ranges;   ///< whether a slice such as 0:1 chose the extent
};

/// Part of a block: one end of a transfer. `first` is the number of its first tile.
struct BlockPart final : ValueKind {
  BlockPart(Block block, mlir::Value first, std::vector<int64_t> sizes)
      : block(std::move(block)), first(first), sizes(std::move(sizes)) {}
  std::string describe() const override;

  Block block;
  mlir::Value first;
  std::vector<int64_t> sizes;
};

/// The handle of a transfer, which ttl.copy() returns.
struct TransferHandle final : ValueKind {
  TransferHandle(mlir::Value handle) : handle(handle) {}
  std::string describe() const override { return "a transfer handle"; }
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;
  mlir::Value irValue() const override { return handle; }
  mlir::Type carriedType(const Walker &) const override;

  mlir::Value handle;
};

/// A receive into a slice of a tensor, before wait() builds it.
struct SliceReceive final : ValueKind {
  explicit SliceReceive(unsigned number) : number(number) {}
  std::string describe() const override { return "a receive into a slice of a tensor"; }
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;

  unsigned number; ///< in SliceReceives
};

/// A ttl.GroupTransfer. ThreadState::groups holds its handles.
struct TransferGroup final : ValueKind {
  TransferGroup(unsigned id) : id(id) {}
  std::string describe() const override { return "a GroupTransfer"; }
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;
  bool isLike(const ValueKind &other) const override;

  unsigned id = 0;
};

/// The result of ttl.wait_any(). `place` says which of the receives it completed.
struct WaitAnyResult final : ValueKind {
  WaitAnyResult(Value place) : place(std::move(place)) {}
  std::string describe() const override { return "the result of wait_any()"; }
  Value callMethod(Walker &, const Value &self, const std::string &name,
                   Arguments &) const override;
  std::vector<Value> parts() const override { return {place}; }
  Value withParts(std::vector<Value> parts) const override { return WaitAnyResult{parts.front()}; }
  bool isLike(const ValueKind &other) const override {
    return dynamic_cast<const WaitAnyResult *>(&other) != nullptr;
  }

  Value place;
};

/// The pipe that the callback of a net gets. `net` is the object whose callback it is: a
/// ttl.PipeNet, a ttl.Pipe or a list of pipes.
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

/// The semaphore of another node, or the semaphores of a range of nodes.
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

/// A tuple or list of known length, at least one item of which is not Static.
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

/// A dict, at least one value of which is not Static. All keys are Static.
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

  py::dict positions; ///< for each key, the position of its value in the list of values
  std::vector<Value> values;
};
using DictEntries = std::vector<std::pair<py::object, Value>>;

/// The start, stop and step of a `range(...)` or `slice(...)`, at least one of which is not Static.
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

/// A Python function whose calls are inlined. If the function is defined inside the kernel, `scope`
/// is where it looks up names; otherwise `scope` is null.
struct FunctionInfo {
  std::string name;
  py::object node;     ///< ast.FunctionDef or ast.Lambda
  py::object function; ///< the Python function object; none if it is defined inside the kernel
  const SourceFile *file = nullptr;
  std::shared_ptr<Scope> scope;
  std::vector<Value> defaults; ///< default values of the last positional parameters
  std::vector<std::pair<std::string, Value>>
      keywordDefaults; ///< default values of keyword-only parameters
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

/// A method `self.name` that is not called yet.
struct Method final : ValueKind {
  Method(Value self, std::string name) : self(std::move(self)), name(std::move(name)) {}
  std::string describe() const override { return "the method " + name + "()"; }
  Value call(Walker &, Arguments &) const override;
  std::vector<Value> parts() const override { return {self}; }
  Value withParts(std::vector<Value> parts) const override;
  bool isLike(const ValueKind &other) const override;

  Value self;
  std::string name;
};

/// A text that contains run-time numbers: a format string (hw/facts/FormatText.h) with one field
/// for each number.
struct Text final : ValueKind {
  std::string describe() const override { return "a run-time string"; }

  std::string format;
  std::vector<mlir::Value> numbers;
};

/// A name that has no usable value here, and the reason. `isPoisoned` means that an error that was
/// reported is the reason. `needsStatic` means that the name has a value if the loop around it is
/// unrolled. `queue` is the buffer, and the side of it, of a block that no IR value can carry.
struct Missing final : ValueKind {
  Missing(std::string reason = {}, bool isPoisoned = false, bool needsStatic = false)
      : reason(std::move(reason)), isPoisoned(isPoisoned), needsStatic(needsStatic) {}
  std::string describe() const override { return "nothing"; }

  std::string reason;
  bool isPoisoned = false, needsStatic = false;
  std::optional<std::pair<unsigned, bool>> queue;
  std::string difference; ///< of the results that a function returns, as differenceOf() gives it
};

//===--------------------------------------------------------------------------===//
// Helpers
//===--------------------------------------------------------------------------===//

/// Returns Python's None as a Value.
Value none();
/// Returns the None of a method that only acts on its object, such as wait().
Value noneOf(const std::string &method);
bool isNone(const Value &value);

/// Returns the value's description in messages.
inline std::string describe(const Value &value) { return value->describe(); }
/// Returns describe() of a value that stands where an integer is needed. For a float, a block or a
/// buffer, the text also says how to get an integer.
std::string describeNoInteger(const Value &value);
/// Returns describe(); for a buffer or a tensor that stands where a block is needed, the text also
/// says how to get a block.
std::string describeNoBlock(const Value &value);

/// Returns a shape as text: "(2, 1)".
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// Returns the IR value of a block or a block expression; null for other values.
mlir::Value blockOperand(const Value &value);

/// Returns whether the value is a block or a block expression.
bool isBlock(const Value &value);

/// Returns whether kernels can call `value.name()`. True for each name if the kind of value itself
/// says which names it has: Static, Block and BlockExpr.
bool hasMethod(const Value &value, std::string_view name);

/// Returns whether every value is known at compile time.
bool areStatic(const std::vector<Value> &values);
/// Returns true only if `a` and `b` are certainly the same Python object or the same SSA value.
bool areSame(const Value &a, const Value &b);

/// The most items that a sequence may have if each item is compiled separately.
inline constexpr int64_t kMaxItems = 1 << 16;
/// Makes a tuple or list of the items. The result is Static if all items are Static.
Value makeTuple(std::vector<Value> items, bool isList = false);
/// Makes a dict of the entries. The result is Static if all values are Static. If a key occurs
/// twice, its last value is used.
Value makeDict(const DictEntries &entries);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_VALUES_VALUES_H
