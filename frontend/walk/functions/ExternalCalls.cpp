//===- ExternalCalls.cpp - calls of C++ functions of the user -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// frontend/python/ttl/_external.py checks the rules of a call. There, an object with an index
// stands for each number that is known only when the kernel runs. The operand with the same index
// is its value here.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/functions/ExternalCalls.h"

#include "frontend/walk/calls/Handlers.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"
#include "ir/TTCpp/TTCpp.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTL.h"

using namespace mlir::tt;

namespace ttjit::frontend {

static py::module_ external() { return pythonModule<"ttl._external">(); }

//===--------------------------------------------------------------------------===//
// Arguments in Python
//===--------------------------------------------------------------------------===//

namespace {
// The numbers of a call that are known when the kernel runs.
struct RunTimeNumbers {
  std::vector<std::pair<py::handle, Value>> values;
};
} // namespace

static py::object toPython(Walker &walker, py::handle node, const Value &value,
                           RunTimeNumbers &numbers);

static py::object otherObject(const Value &value) {
  const char *kind = value.is<TensorSlice>() ? "slice" : value.is<Block>() ? "block" : "";
  return external().attr("Other"_py)(describe(value), kind);
}

static py::object listObject(Walker &walker, py::handle node, const std::vector<Value> &items,
                             RunTimeNumbers &numbers) {
  py::list list;
  for (const Value &item : items)
    list.append(toPython(walker, node, item, numbers));
  return list;
}

static py::object toPython(Walker &walker, py::handle node, const Value &value,
                           RunTimeNumbers &numbers) {
  if (const Static *object = value.getIf<Static>())
    return object->object;
  if (const Tuple *tuple = value.getIf<Tuple>())
    return listObject(walker, node, tuple->elements, numbers);
  if (const Dict *mapping = value.getIf<Dict>()) {
    py::dict result;
    for (auto [key, position] : mapping->positions)
      result[key] = toPython(walker, node, mapping->values[position.cast<size_t>()], numbers);
    return result;
  }
  if (!walker.scalars.typeOf(value))
    return otherObject(value);
  numbers.values.push_back({node, value});
  return external().attr("RunTime"_py)(numbers.values.size() - 1);
}

std::optional<Value> makeContractPart(Walker &walker, const py::object &callee,
                                      Arguments &arguments) {
  if (!external().attr("is_maker"_py)(callee).cast<bool>())
    return std::nullopt;
  RunTimeNumbers numbers;
  py::list positional;
  py::dict keywords;
  for (const Arguments::Item &item : arguments.items) {
    py::object object = toPython(walker, item.node, item.value, numbers);
    if (item.keyword.empty())
      positional.append(object);
    else
      keywords[item.keyword.c_str()] = object;
  }
  return walker.staticEval.run(
      arguments.node, [&] { return py::object(callee(*py::tuple(positional), **keywords)); });
}

//===--------------------------------------------------------------------------===//
// The call
//===--------------------------------------------------------------------------===//

namespace {

class ExternalCall {
public:
  ExternalCall(Walker &walker, Arguments &arguments)
      : walker(walker), arguments(arguments), builder(walker.builder) {}

  Value build();

private:
  py::dict readArguments();
  std::string place() const;
  py::tuple check(const py::dict &given);
  ttcpp::CallOp create(py::handle contract, const py::tuple &facts);
  mlir::Value operandOf(py::handle argument, llvm::ArrayRef<mlir::Value> dependencies,
                        llvm::SmallVectorImpl<int64_t> &rawAddresses, int64_t number);
  mlir::Value tensorOf(py::handle object);
  mlir::Attribute templateArgument(py::handle argument);
  void noteUses(py::handle contract);

  Walker &walker;
  Arguments &arguments;
  mlir::OpBuilder &builder;
  RunTimeNumbers numbers;
  std::vector<std::pair<std::string, py::handle>> nodes; // of the arguments, for errors
};

py::dict ExternalCall::readArguments() {
  static constexpr const char *names[] = {
      "header",           "callee",      "template_args", "func_args",
      "dfb_dependencies", "dfb_effects", "dfb_accesses",  "unknown_dfb_access",
      "include_paths",    "kernel",      "result_type",   "condition_result"};
  py::dict given;
  for (auto [position, name] : llvm::enumerate(names)) {
    const Arguments::Item *item =
        position < 2 ? &arguments.require(position, name) : arguments.takeKeyword(name);
    if (!item)
      continue;
    nodes.push_back({name, item->node});
    given[name] = toPython(walker, item->node, item->value, numbers);
  }
  arguments.checkNoMore();
  return given;
}

// Returns where the call stands: see _external._selected.
std::string ExternalCall::place() const {
  if (walker.kind != ThreadKind::Unified)
    return walker.kind == ThreadKind::Compute ? "compute" : "datamovement";
  for (mlir::Operation *op = builder.getInsertionBlock()->getParentOp(); op;
       op = op->getParentOp()) {
    if (llvm::isa<ttl::IfPipeSrcOp>(op))
      return "pipe_source";
    if (llvm::isa<ttl::IfPipeDstOp>(op))
      return "reader";
  }
  return "unified";
}

py::tuple ExternalCall::check(const py::dict &given) {
  try {
    return external().attr("contracts"_py)(
        walker.kernel.call, given, walker.diagnostics.file()->name(), place(), walker.threadName);
  } catch (py::error_already_set &error) {
    if (!py::isinstance(error.value(), external().attr("ContractError"_py)))
      walker.staticEval.report(arguments.node, error);
    std::string keyword = text(error.value().attr("keyword"_py));
    py::handle node = arguments.node;
    for (auto &[name, argument] : nodes)
      if (name == keyword)
        node = argument;
    walker.diagnostics.fail(node,
                            "ttl.call_extern_func: " + text(error.value().attr("message"_py)));
  }
}

mlir::Value ExternalCall::tensorOf(py::handle object) {
  for (KernelTensor &tensor : walker.kernel.tensors)
    if (tensor.object.is(object)) {
      tensor.written = true; // the function may write it
      return tensor.value;
    }
  walker.diagnostics.fail(arguments.node, "ttl.call_extern_func: this tensor is no argument of the "
                                          "operation");
}

mlir::Value ExternalCall::operandOf(py::handle argument, llvm::ArrayRef<mlir::Value> dependencies,
                                    llvm::SmallVectorImpl<int64_t> &rawAddresses, int64_t number) {
  py::tuple entry = py::reinterpret_borrow<py::tuple>(argument);
  std::string kind = text(entry[0]);
  py::object value = entry[1];
  if (kind == "buffer" || kind == "id")
    return dependencies[value.cast<size_t>()];
  if (kind == "address")
    rawAddresses.push_back(number);
  if (kind == "address" || kind == "tensor")
    return tensorOf(value);
  if (kind == "run_time") {
    auto &[node, scalar] = numbers.values[value.cast<size_t>()];
    return walker.scalars.materialize(node, scalar, walker.scalars.typeOf(scalar));
  }
  Value known = Static{value};
  return walker.scalars.materialize(arguments.node, known, walker.scalars.typeOf(known));
}

mlir::Attribute ExternalCall::templateArgument(py::handle argument) {
  py::tuple entry = py::reinterpret_borrow<py::tuple>(argument);
  std::string kind = text(entry[0]);
  auto value = py::object(entry[1]).cast<int64_t>();
  mlir::MLIRContext *context = builder.getContext();
  if (kind == "descriptor")
    return ttcpp::DescriptorAttr::get(context, value);
  if (kind == "id")
    return ttcpp::BufferIdAttr::get(context, value);
  if (kind == "bool")
    return builder.getBoolAttr(value != 0);
  bool isSigned = kind == "int";
  return mlir::IntegerAttr::get(builder.getIntegerType(32, isSigned),
                                llvm::APInt(32, static_cast<uint64_t>(value), isSigned));
}

// Notes the buffers whose pages the function may write: all that it does not only inspect.
void ExternalCall::noteUses(py::handle contract) {
  auto inspected = contract.attr("inspected").cast<std::vector<int64_t>>();
  for (auto [number, object] : llvm::enumerate(py::list(contract.attr("dependencies")))) {
    unsigned buffer = *walker.kernel.findBuffer(object);
    walker.kernel.buffers[buffer].acquired = true;
    if (!llvm::is_contained(inspected, static_cast<int64_t>(number)))
      walker.kernel.noteWritten(buffer);
  }
}

ttcpp::CallOp ExternalCall::create(py::handle contract, const py::tuple &facts) {
  noteUses(contract);
  llvm::SmallVector<mlir::Value> dependencies, operands;
  llvm::SmallVector<mlir::Attribute> templates, effects;
  llvm::SmallVector<int64_t> rawAddresses;
  for (py::handle buffer : py::list(contract.attr("dependencies")))
    dependencies.push_back(walker.kernel.buffers[*walker.kernel.findBuffer(buffer)].value());
  for (auto [number, argument] : llvm::enumerate(py::list(contract.attr("arguments"))))
    operands.push_back(operandOf(argument, dependencies, rawAddresses, number));
  for (py::handle argument : py::list(contract.attr("templates")))
    templates.push_back(templateArgument(argument));
  for (py::handle effect : py::list(contract.attr("effects"))) {
    auto [kind, dependency, pages] = effect.cast<std::tuple<std::string, int64_t, int64_t>>();
    effects.push_back(ttcpp::EffectAttr::get(builder.getContext(),
                                             *ttcpp::symbolizeEffectKind(kind), dependency, pages));
  }
  auto list = [&](llvm::ArrayRef<mlir::Attribute> items) {
    return items.empty() ? mlir::ArrayAttr() : builder.getArrayAttr(items);
  };
  auto numbersOf = [&](llvm::ArrayRef<int64_t> items) {
    return items.empty() ? mlir::DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(items);
  };
  auto folders = facts[1].cast<std::vector<std::string>>();
  llvm::SmallVector<llvm::StringRef> paths(folders.begin(), folders.end());
  auto macros = contract.attr("defines").cast<std::vector<std::string>>();
  llvm::SmallVector<llvm::StringRef> defines(macros.begin(), macros.end());
  bool hasResult = facts[4].cast<bool>();
  mlir::IntegerAttr condition;
  if (!facts[6].is_none())
    condition = builder.getI64IntegerAttr(facts[6].cast<int64_t>());
  return ttcpp::CallOp::create(
      builder, walker.location(arguments.node),
      hasResult ? mlir::TypeRange(builder.getI32Type()) : mlir::TypeRange(),
      builder.getStringAttr(text(facts[2])), builder.getStringAttr(text(facts[0])), list(templates),
      operands, dependencies, list(effects),
      numbersOf(contract.attr("inspected").cast<std::vector<int64_t>>()), numbersOf(rawAddresses),
      mlir::DenseI64ArrayAttr(), paths.empty() ? mlir::ArrayAttr() : builder.getStrArrayAttr(paths),
      defines.empty() ? mlir::ArrayAttr() : builder.getStrArrayAttr(defines),
      facts[3].cast<bool>() ? builder.getUnitAttr() : mlir::UnitAttr(),
      facts[5].cast<bool>() ? builder.getUnitAttr() : mlir::UnitAttr(), condition);
}

Value ExternalCall::build() {
  py::tuple facts = check(readArguments());
  llvm::SmallVector<mlir::Value> results;
  for (py::handle contract : py::list(facts[7])) {
    ttcpp::CallOp call = create(contract, facts);
    if (walker.kind == ThreadKind::Unified)
      call->setAttr(ttl::kSelectorAttr, builder.getStringAttr(text(contract.attr("thread"))));
    llvm::append_range(results, call->getResults());
  }
  if (results.empty())
    return none();
  if (results.size() == 1)
    return Scalar{results.front()};
  return Scalar{ttcpp::ResultsOp::create(builder, walker.location(arguments.node),
                                         builder.getI32Type(), results)
                    .getResult()};
}

} // namespace

static Value callExternal(Walker &walker, Arguments &arguments) {
  return ExternalCall(walker, arguments).build();
}

void addExternalCallHandlers(HandlerTable &table) { table["call_extern_func"] = callExternal; }

} // namespace ttjit::frontend
