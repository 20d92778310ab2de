//===- Assignments.cpp - binding names to values ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/BlockMath.h"
#include "frontend/walk/blocks/HeldBlocks.h"
#include "frontend/walk/blocks/Stores.h"
#include "frontend/walk/calls/Resources.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/expressions/Expressions.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/statements/Statements.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "hw/facts/Words.h"
#include "ir/Locations/Locations.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

// Says what to write in place of an assignment to an item of `target`, an ast.Subscript.
static std::string adviceOnItems(Walker &walker, py::handle target) {
  py::object owner = target.attr("value"_py);
  std::optional<Value> value =
      isKind(owner, "Name") ? walker.scopes.peek(nameOf(owner)) : std::nullopt;
  const Static *known = value ? value->getIf<Static>() : nullptr;
  const Tuple *tuple = value ? value->getIf<Tuple>() : nullptr;
  if ((tuple && tuple->isList) || (known && PyList_Check(known->object.ptr())))
    return fmt::format("make another list, as in {0} = {0}[:i] + [x] + {0}[i + 1:]", nameOf(owner));
  if ((value && value->is<Dict>()) || (known && PyDict_Check(known->object.ptr())))
    return fmt::format("make another dict, as in {0} = {{**{0}, key: x}}", nameOf(owner));
  return "write into a block with store(), or into a tensor with ttl.copy()";
}

// Gives the op that makes the value the name of the first variable that holds the value.
void Statements::nameValue(const std::string &name, const Value &value) {
  mlir::Value ir = value->irValue();
  Operation *op = ir ? ir.getDefiningOp() : nullptr;
  if (op && op->getNumResults() == 1 && !getSourceName(op->getLoc()))
    op->setLoc(NameLoc::get(walker.builder.getStringAttr(name), op->getLoc()));
  // A loop's variable is a cast of the loop's index counter. The counter gets the same name.
  if (auto cast = llvm::dyn_cast_or_null<mlir::arith::IndexCastOp>(op))
    if (auto counter = llvm::dyn_cast<mlir::BlockArgument>(cast.getIn()))
      counter.setLoc(NameLoc::get(walker.builder.getStringAttr(name), counter.getLoc()));
}

// Marks a reserved block whose variable gets another block or an expression: the program may have
// meant to store it.
void Statements::noteRebinding(py::handle name, const Value &value) const {
  const Value *before = walker.scopes.current().find(nameOf(name));
  const Block *block = before ? before->getIf<Block>() : nullptr;
  if (!block || !block->info->reserved || !blockOperand(value) || !block->info->block ||
      block->info->block == value->irValue())
    return;
  auto reserve = block->info->block.getDefiningOp<ttl::CBReserveOp>();
  if (reserve && walker.state.isHeld(*block->info) && !reserve->hasAttr(ttl::kReboundAttr))
    reserve->setAttr(ttl::kReboundAttr, LocationAttr(walker.location(name)));
}

void Statements::assign(py::handle target, const Value &value) {
  if (isKind(target, "Name")) {
    noteRebinding(target, value);
    nameValue(nameOf(target), value);
    walker.resources.name(nameOf(target), value);
    return walker.scopes.assign(nameOf(target), value);
  }
  if (!isKind(target, "Tuple") && !isKind(target, "List"))
    walker.diagnostics.fail(target,
                            isKind(target, "Subscript")
                                ? "items cannot be assigned in kernel functions: " +
                                      adviceOnItems(walker, target)
                                : "this cannot be assigned in kernel functions: assign to a name, "
                                  "or to a tuple of names");
  std::optional<std::vector<Value>> items = value->items(walker);
  if (!items)
    walker.diagnostics.fail(
        target,
        fmt::format("{} cannot be unpacked: only a sequence of known length can", describe(value)));
  unpack(target, listOf(target, "elts"_py), *items);
}

// Assigns `a, *rest, b = items`. The starred name gets a list of the items that the other names do
// not take.
void Statements::unpack(py::handle node, py::list targets, llvm::ArrayRef<Value> items) {
  size_t count = targets.size(), starred = 0;
  while (starred < count && !isKind(targets[starred], "Starred"))
    ++starred;
  bool fits = starred == count ? items.size() == count : items.size() + 1 >= count;
  if (!fits)
    walker.diagnostics.fail(
        node, fmt::format("{} cannot be assigned to {}{}: write a name for each value",
                          hw::plural(items.size(), "value"), starred == count ? "" : "at least ",
                          hw::plural(count - (starred < count), "name")));
  size_t extra = items.size() - count + 1; // number of items that the starred name gets
  for (size_t i = 0; i < count; ++i) {
    if (i == starred)
      assign(py::object(targets[i]).attr("value"_py),
             makeTuple(items.slice(i, extra).vec(), /*isList=*/true));
    else
      assign(targets[i], items[i < starred ? i : i + extra - 1]);
  }
}

void Statements::assignNode(py::handle node) {
  Value value = walker.evaluate(node.attr("value"_py));
  for (py::handle target : listOf(node, "targets"_py))
    assign(target, value);
}

void Statements::annotatedAssign(py::handle node) {
  py::object value = node.attr("value"_py);
  if (!value.is_none())
    assign(node.attr("target"_py), walker.evaluate(value));
}

// Fails if `before`, the value of the target of `+=`, is a list that another name has, too. Python
// would change the list under both names.
static void refuseSharedList(Walker &walker, py::handle target, const Value &before) {
  const Tuple *list = before.getIf<Tuple>();
  if (!list || !list->isList)
    return;
  std::string name = nameOf(target);
  if (std::optional<std::string> other = walker.scopes.otherNameOf(before, name))
    walker.diagnostics.fail(target, fmt::format("'{0}' and '{1}' are one list, which this changes "
                                                "under both names in Python: write {0} = {0} + "
                                                "[...] to change '{0}' only",
                                                name, *other));
}

void Statements::augmentedAssign(py::handle node) {
  py::object target = node.attr("target"_py);
  if (!isKind(target, "Name"))
    walker.diagnostics.fail(
        target,
        std::string("operators such as '+=' can only be applied to names "
                    "in kernel functions: ") +
            (isKind(target, "Subscript") ? adviceOnItems(walker, target) : "assign to a name"));
  Value before = walker.scopes.lookup(target);
  Value operand = walker.evaluate(node.attr("value"_py));
  refuseSharedList(walker, target, before);
  if (const Block *block = before.getIf<Block>(); block && changesBlock(node, *block))
    return addToBlock(walker, node,
                      *walker.held.named(target, before, /*isUsed=*/true).getIf<Block>(), operand);
  Value result = augmented(node, before, operand);
  nameValue(nameOf(target), result);
  walker.scopes.assign(nameOf(target), result);
}

// Returns whether an augmented assignment changes the contents of the block that its variable
// holds. Only `+=` does.
bool Statements::changesBlock(py::handle node, const Block &block) const {
  if (kindOf(node.attr("op"_py)) == "Add")
    return true;
  if (block.info->reserved)
    walker.diagnostics.fail(node, "only '+=' works on a reserved block, and accumulates in it: to "
                                  "write another value, store an expression with store()");
  return false;
}

Value Statements::augmented(py::handle node, const Value &target, const Value &operand) {
  std::string_view op = kindOf(node.attr("op"_py));
  const Static *known = target.getIf<Static>(), *other = operand.getIf<Static>();
  if (known && other)
    return walker.scalars.inPlace(node, op, known->object, other->object);
  if (op == "Add")
    if (auto sum = walker.blockMath.addProduct(node, node.attr("value"_py), target, operand))
      return *sum;
  return walker.expressions.binary(node, op, target, operand);
}

// Runs an import statement in the body of a unified operation, which is a normal Python function.
void Statements::importNode(py::handle node) {
  if (walker.kind != ThreadKind::Unified)
    unsupported(node);
  walker.resources.importNames(node);
}

} // namespace ttjit::frontend
