//===- Statements.h - walking statements ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The scope records how the statements walked last ended (PathEnds). The return value of a function
// is kept as a variable of its scope, so that branches join it like any other variable.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_STATEMENTS_STATEMENTS_H
#define TTJIT_FRONTEND_WALK_STATEMENTS_STATEMENTS_H

#include "frontend/walk/control/PathJoin.h"
#include "frontend/walk/values/Values.h"

#include <utility>
#include <vector>

namespace ttjit::frontend {

class Walker;

class Statements {
public:
  explicit Statements(Walker &walker) : walker(walker) {}

  /// Walks the body of a function in the current scope and returns the function's return value.
  Value function(py::handle node, py::list body);
  /// Assigns `value` to `target`, which is a name or a tuple of targets.
  void assign(py::handle target, const Value &value);

  /// Called when the walk of the function starts again.
  void forgetFacts() { facts.clear(); }

private:
  void unpack(py::handle node, py::list targets, llvm::ArrayRef<Value> items);
  void run(py::list statements);
  void closeAll(std::vector<Branch> &branches);
  void recover(py::handle node, llvm::function_ref<void()> walk);
  void poison(py::handle node);

  void statement(py::handle node);
  void expression(py::handle node);
  void assignNode(py::handle node);
  void annotatedAssign(py::handle node);
  void augmentedAssign(py::handle node);
  Value augmented(py::handle node, const Value &target, const Value &operand);
  bool changesBlock(py::handle node, const Block &block) const;
  void ifNode(py::handle node, std::vector<Branch> &around);
  void leaveOpen(std::vector<Branch> &chain, std::vector<Branch> &around);
  void forNode(py::handle node);
  bool walkCopy(py::handle node);
  void forItems(py::handle node, const std::vector<Value> &items);
  void forRange(py::handle node, llvm::ArrayRef<Value> bounds, std::optional<Value> last = {});
  void forStaticRange(py::handle node, py::object range);
  void forkedIf(py::handle node, py::list rest);
  std::variant<bool, mlir::Value> testOf(py::handle test);
  std::variant<bool, mlir::Value> truthUntilRaise(py::handle test);
  void whileNode(py::handle node);
  void whileWithWalrus(py::handle node, py::handle test);
  void walrusStep(py::handle node, py::handle test, const std::string &ended);
  void endedElse(py::handle node, const std::string &ended);
  bool indexesContainer(py::handle node) const;
  void loopElse(py::handle node, mlir::Value notBroken);
  void withNode(py::handle node);
  void leaveWith(py::handle node, const Block &block, bool isUnsure);
  void functionNode(py::handle node);
  void noteStaticAssert();
  void assertNode(py::handle node);
  void raiseNode(py::handle node);
  void importNode(py::handle node);
  void returnNode(py::handle node);
  void refuseResult(py::handle node, const Value &result) const;
  void breakNode(py::handle node);
  void continueNode(py::handle node);
  void pass(py::handle) {}
  void fault(py::handle node, mlir::Value condition, const Text &message);
  void checkWithMessage(py::handle node, mlir::Value condition, py::handle message);
  void nameValue(const std::string &name, const Value &value);
  void noteRebinding(py::handle name, const Value &value) const;
  [[noreturn]] void unsupported(py::handle node) const;

  Walker &walker;
  /// Conditions whose values are known on the path that is being walked.
  std::vector<std::pair<mlir::Value, bool>> facts;
  int walrusLoops = 0; ///< how many loops around the walk have `:=` in their condition
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_STATEMENTS_STATEMENTS_H
