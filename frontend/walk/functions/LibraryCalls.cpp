//===- LibraryCalls.cpp - functions of Python's own library -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// functools.reduce() and the arithmetic of module operator, for arguments that are not known at
// compile time, such as blocks.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/Walker.h"
#include "frontend/walk/expressions/Expressions.h"
#include "frontend/walk/functions/Tables.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"

namespace ttjit::frontend {

// The binary operators, as module `ast` names them.
enum class ModuleOperator {
  Add,
  Sub,
  Mult,
  Div,
  FloorDiv,
  Mod,
  Pow,
  MatMult,
  LShift,
  RShift,
  BitAnd,
  BitOr,
  BitXor
};
static constexpr const char *kModuleOperators[] = {
    "Add",     "Sub",    "Mult",   "Div",    "FloorDiv", "Mod",   "Pow",
    "MatMult", "LShift", "RShift", "BitAnd", "BitOr",    "BitXor"};

template <ModuleOperator op> static Value binaryOperator(Walker &walker, Arguments &arguments) {
  Value a = arguments.require(0, "a").value, b = arguments.require(1, "b").value;
  arguments.checkNoMore();
  return walker.expressions.binary(arguments.node, kModuleOperators[size_t(op)], a, b);
}

static Value callReduce(Walker &walker, Arguments &arguments) {
  Value function = arguments.require(0, "function").value;
  std::vector<Value> values = sequenceArgument(walker, arguments, 1);
  if (const Arguments::Item *initial = arguments.take(2, "initial"))
    values.insert(values.begin(), initial->value);
  arguments.checkNoMore();
  if (values.empty())
    walker.diagnostics.fail(arguments.node,
                            "reduce() of an empty sequence needs a third argument, the result");
  Value result = values.front();
  for (const Value &value : llvm::drop_begin(values))
    result = callWith(walker, arguments, function, {result, value});
  return result;
}

const HandlerTable &libraryHandlers() {
  static const HandlerTable table = {
      {"_functools.reduce", callReduce},
      {"_operator.add", binaryOperator<ModuleOperator::Add>},
      {"_operator.sub", binaryOperator<ModuleOperator::Sub>},
      {"_operator.mul", binaryOperator<ModuleOperator::Mult>},
      {"_operator.truediv", binaryOperator<ModuleOperator::Div>},
      {"_operator.floordiv", binaryOperator<ModuleOperator::FloorDiv>},
      {"_operator.mod", binaryOperator<ModuleOperator::Mod>},
      {"_operator.pow", binaryOperator<ModuleOperator::Pow>},
      {"_operator.matmul", binaryOperator<ModuleOperator::MatMult>},
      {"_operator.lshift", binaryOperator<ModuleOperator::LShift>},
      {"_operator.rshift", binaryOperator<ModuleOperator::RShift>},
      {"_operator.and_", binaryOperator<ModuleOperator::BitAnd>},
      {"_operator.or_", binaryOperator<ModuleOperator::BitOr>},
      {"_operator.xor", binaryOperator<ModuleOperator::BitXor>},
  };
  return table;
}

} // namespace ttjit::frontend
