//===- Printing.cpp - calls of print() and str(), and signposts ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/functions/Printing.h"

#include "frontend/walk/calls/Calls.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/expressions/Texts.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/transfers/Transfers.h"
#include "frontend/walk/values/Arguments.h"
#include "ir/TTL/TTL.h"

#include <fmt/format.h>

using namespace mlir::tt;

namespace ttjit::frontend {

Value strBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return walker.staticEval.call(pythonModule<"builtins">().attr("str"_py), arguments);
  const Arguments::Item &item = arguments.require(0, "object");
  arguments.checkNoMore();
  return textOf(walker, item.node, item.value);
}

//===--------------------------------------------------------------------------===//
// Calls of print()
//===--------------------------------------------------------------------------===//

namespace {
// Compiles one call of print(). It collects text, and prints the collected text before each block,
// buffer or tensor.
class Print {
public:
  Print(Walker &walker, Arguments &arguments) : walker(walker), arguments(arguments) {}
  Value run();

private:
  Text keyword(const char *name, const char *otherwise);
  void readAttributes();
  void readThread(const Arguments::Item &item);
  bool dumpRegisters();
  bool addObject(const Arguments::Item &item);
  void addTensor(const Arguments::Item &item, unsigned tensor);
  void addBuffer(unsigned buffer);
  void flush();

  mlir::StringAttr thread() const {
    return threadName.empty() ? mlir::StringAttr() : walker.builder.getStringAttr(threadName);
  }

  Walker &walker;
  Arguments &arguments;
  Text pending;
  std::string threadName;
  int32_t numPages = 1;
  std::vector<std::pair<std::string, const Arguments::Item *>> labelled;
};
} // namespace

// Returns the text of the argument sep= or end=, which is a string or None.
Text Print::keyword(const char *name, const char *otherwise) {
  const Arguments::Item *item = arguments.takeKeyword(name);
  if (!item || isNone(item->value))
    return literalText(otherwise);
  const Static *known = item->value.getIf<Static>();
  if (!item->value.is<Text>() && !(known && py::isinstance<py::str>(known->object)))
    walker.diagnostics.fail(item->node, fmt::format("{}= must be a string or None, found {}", name,
                                                    describe(item->value)));
  return textOf(walker, item->node, item->value);
}

// Reads the argument thread=, which names the processor that prints on a card.
void Print::readThread(const Arguments::Item &item) {
  const Static *known = item.value.getIf<Static>();
  if (known && py::isinstance<py::str>(known->object))
    threadName = text(known->object);
  if (!llvm::is_contained({"math", "pack", "unpack"}, threadName))
    walker.diagnostics.fail(
        item.node, "print() thread must be 'math', 'pack' or 'unpack', found " +
                       (threadName.empty() ? describe(item.value) : "'" + threadName + "'"));
}

// Compiles print(_dump_dst_registers=True, label="x"). Returns false for other calls.
bool Print::dumpRegisters() {
  const Arguments::Item *dump = arguments.takeKeyword("_dump_dst_registers");
  const Static *known = dump ? dump->value.getIf<Static>() : nullptr;
  if (!known || !known->object.is(py::bool_(true)))
    return false;
  const Arguments::Item *label = arguments.takeKeyword("label");
  const Static *name = label ? label->value.getIf<Static>() : nullptr;
  for (const Arguments::Item &item : arguments.items)
    if (item.keyword.empty())
      walker.diagnostics.fail(item.node, "print(_dump_dst_registers=True) prints registers only: "
                                         "print other values in a call of their own");
  pending = literalText((name ? text(py::str(name->object)) + ": " : "") +
                        "no DST registers are live between statements\n");
  flush();
  return true;
}

// Reads the arguments that say which of a node's processors prints on a card, such as
// thread="math", and num_pages=.
void Print::readAttributes() {
  if (const Arguments::Item *item = arguments.takeKeyword("file"); item && !isNone(item->value))
    walker.diagnostics.fail(item->node,
                            "a kernel can only print to standard output: leave file= out");
  if (const Arguments::Item *item = arguments.takeKeyword("num_pages")) {
    std::optional<int64_t> pages = Scalars::staticInt(item->value);
    if (!pages || *pages < 1 || *pages > INT32_MAX)
      walker.diagnostics.fail(
          item->node, "num_pages= must be a positive integer known at compile time, found " +
                          describe(item->value));
    numPages = static_cast<int32_t>(*pages);
  }
  for (Arguments::Item &item : arguments.items) {
    if (item.used || item.keyword.empty())
      continue;
    item.used = true;
    const Static *known = item.value.getIf<Static>();
    if (item.keyword == "thread")
      readThread(item);
    bool isNumber = known && !py::isinstance<py::bool_>(known->object) &&
                    walker.scalars.typeOf(item.value) != nullptr;
    if (!known || isNumber)
      labelled.emplace_back(item.keyword, &item);
  }
}

void Print::flush() {
  if (pending.format.empty())
    return;
  ttl::PrintOp::create(walker.builder, walker.location(arguments.node), pending.format,
                       pending.numbers, thread());
  pending = {};
}

void Print::addTensor(const Arguments::Item &item, unsigned tensor) {
  if (walker.kind == ThreadKind::Compute)
    walker.diagnostics.fail(
        item.node, "print() of a tensor can only be used in a data movement "
                   "thread, which reads tensors: move this line into a @ttl.datamovement() "
                   "function, or print a block here");
  ttl::PrintTensorOp::create(walker.builder, walker.location(arguments.node),
                             walker.transfers.accessor(tensor), numPages);
}

void Print::addBuffer(unsigned buffer) {
  KernelBuffer &printed = walker.kernel.buffers[buffer];
  printed.acquired = true; // adds the attribute even if it is empty
  ttl::PrintBufferOp::create(walker.builder, walker.location(arguments.node), printed.value(),
                             thread());
}

// Prints a block, buffer or tensor. Returns false if the argument is printed as text.
bool Print::addObject(const Arguments::Item &item) {
  const Static *known = item.value.getIf<Static>();
  const Block *block = item.value.getIf<Block>();
  const KernelTensor *tensor = known ? walker.kernel.findTensor(known->object) : nullptr;
  std::optional<unsigned> buffer = known ? walker.kernel.findBuffer(known->object) : std::nullopt;
  if (!block && !tensor && !buffer) {
    if (blockOperand(item.value))
      walker.diagnostics.fail(item.node, "print() cannot compute a block expression: store the "
                                         "expression into a block and print the block");
    return false;
  }
  flush();
  if (block)
    ttl::PrintBlockOp::create(walker.builder, walker.location(arguments.node), block->info->block,
                              thread());
  else if (tensor)
    addTensor(item, static_cast<unsigned>(tensor - walker.kernel.tensors.data()));
  else
    addBuffer(*buffer);
  return true;
}

Value Print::run() {
  if (dumpRegisters())
    return none();
  Text separator = keyword("sep", " "), end = keyword("end", "\n");
  arguments.takeKeyword("flush");
  readAttributes();
  bool isFirst = true, endsLine = false;
  for (Arguments::Item &item : arguments.items) {
    if (!item.keyword.empty())
      continue;
    if (!isFirst && !endsLine)
      append(pending, separator);
    isFirst = false;
    // The print of a block, buffer or tensor ends its own line.
    endsLine = addObject(item);
    if (!endsLine)
      append(pending, textOf(walker, item.node, item.value));
  }
  for (auto &[name, item] : labelled) {
    if (!isFirst && !endsLine)
      append(pending, separator);
    isFirst = endsLine = false;
    append(pending, literalText(name + "="));
    append(pending, textOf(walker, item->node, item->value));
  }
  if (!endsLine)
    append(pending, end);
  flush();
  return none();
}

Value printBuiltin(Walker &walker, Arguments &arguments) { return Print(walker, arguments).run(); }

//===--------------------------------------------------------------------------===//
// Signposts
//===--------------------------------------------------------------------------===//

static std::string nameArgument(Walker &walker, Arguments &arguments) {
  const Arguments::Item &item = arguments.require(0, "name");
  const Static *known = item.value.getIf<Static>();
  arguments.checkNoMore();
  if (!known || !py::isinstance<py::str>(known->object))
    walker.diagnostics.fail(
        item.node, "the name of a signpost must be a string known at compile time, found " +
                       describe(item.value));
  walker.kernel.reads.attr("used"_py)(known->object);
  return text(known->object);
}

// Returns whether `node` is a name or an attribute of one. Evaluating such a node twice has no side
// effects.
static bool isQualifiedName(py::object node) {
  while (isKind(node, "Attribute"))
    node = node.attr("value"_py);
  return isKind(node, "Name");
}

std::optional<std::string> signpostName(Walker &walker, py::handle node) {
  if (!isKind(node, "Call") || !isQualifiedName(node.attr("func"_py)))
    return std::nullopt;
  Value callee = walker.evaluate(node.attr("func"_py));
  const Static *known = callee.getIf<Static>();
  py::object api = pythonModule<"ttl._api">().attr("Function"_py);
  if (!known || !py::isinstance(known->object, api) ||
      text(known->object.attr("key"_py)) != "signpost")
    return std::nullopt;
  Arguments arguments(node, "ttl.signpost", walker.diagnostics);
  walker.calls.evaluateArguments(node, arguments);
  return nameArgument(walker, arguments);
}

void signpost(Walker &walker, py::handle node, const std::string &name, unsigned kind) {
  ttl::SignpostOp::create(walker.builder, walker.location(node),
                          static_cast<ttl::SignpostKind>(kind), name);
}

Value signpostFunction(Walker &walker, Arguments &arguments) {
  signpost(walker, arguments.node, nameArgument(walker, arguments), 0);
  return none();
}

} // namespace ttjit::frontend
