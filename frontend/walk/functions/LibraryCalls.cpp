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
enum class Operator {
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
static constexpr const char *kOperators[] = {"Add",    "Sub",   "Mult",    "Div",    "FloorDiv",
                                             "Mod",    "Pow",   "MatMult", "LShift", "RShift",
                                             "BitAnd", "BitOr", "BitXor"};

template <Operator op> static Value binaryOperator(Walker &walker, Arguments &arguments) {
  Value a = arguments.require(0, "a").value, b = arguments.require(1, "b").value;
  arguments.checkNoMore();
  return walker.expressions.binary(arguments.node, kOperators[size_t(op)], a, b);
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
      {"_operator.add", binaryOperator<Operator::Add>},
      {"_operator.sub", binaryOperator<Operator::Sub>},
      {"_operator.mul", binaryOperator<Operator::Mult>},
      {"_operator.truediv", binaryOperator<Operator::Div>},
      {"_operator.floordiv", binaryOperator<Operator::FloorDiv>},
      {"_operator.mod", binaryOperator<Operator::Mod>},
      {"_operator.pow", binaryOperator<Operator::Pow>},
      {"_operator.matmul", binaryOperator<Operator::MatMult>},
      {"_operator.lshift", binaryOperator<Operator::LShift>},
      {"_operator.rshift", binaryOperator<Operator::RShift>},
      {"_operator.and_", binaryOperator<Operator::BitAnd>},
      {"_operator.or_", binaryOperator<Operator::BitOr>},
      {"_operator.xor", binaryOperator<Operator::BitXor>},
  };
  return table;
}

} // namespace ttjit::frontend
