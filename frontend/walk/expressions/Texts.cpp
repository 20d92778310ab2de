//===- Texts.cpp - texts that contain run-time numbers ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/expressions/Texts.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "hw/facts/FormatText.h"
#include "ir/TTL/TTL.h"

#include <fmt/format.h>

using namespace mlir::tt;

namespace ttjit::frontend {

void append(Text &text, const Text &more) {
  text.format += more.format;
  text.numbers.insert(text.numbers.end(), more.numbers.begin(), more.numbers.end());
}

Text literalText(const std::string &characters) {
  Text text;
  text.format = ttl::escapeFormat(characters);
  return text;
}

static Text pythonText(Walker &walker, py::handle node, const py::object &object, bool isRepr) {
  walker.kernel.reads.attr("used"_py)(object);
  Value made = walker.staticEval.run(
      node, [&] { return isRepr ? py::object(py::repr(object)) : py::object(py::str(object)); });
  return literalText(text(made.getIf<Static>()->object));
}

// Makes the text "(a, b)" or "[a]", with the items as Python's repr() writes them.
static Text sequenceText(Walker &walker, py::handle node, const std::vector<Value> &items,
                         bool isList) {
  Text result = literalText(isList ? "[" : "(");
  for (size_t i = 0; i < items.size(); ++i) {
    if (i)
      append(result, literalText(", "));
    const Static *known = items[i].getIf<Static>();
    append(result, known ? pythonText(walker, node, known->object, /*isRepr=*/true)
                         : textOf(walker, node, items[i]));
  }
  append(result, literalText(isList ? "]" : items.size() == 1 ? ",)" : ")"));
  return result;
}

Text textOf(Walker &walker, py::handle node, const Value &value) {
  if (const Text *known = value.getIf<Text>())
    return *known;
  if (const Static *object = value.getIf<Static>())
    return pythonText(walker, node, object->object, /*isRepr=*/false);
  if (const Tuple *tuple = value.getIf<Tuple>())
    return sequenceText(walker, node, tuple->elements, tuple->isList);
  const Scalar *scalar = value.getIf<Scalar>();
  if (!scalar)
    walker.diagnostics.fail(
        node,
        describe(value) + " cannot be converted to text: " +
            (value.is<Block>() ? "print(block), without a string around it, prints its elements"
                               : "print numbers, strings, or one block, buffer or tensor"));
  Text result;
  result.format = "{}";
  result.numbers.push_back(scalar->value);
  return result;
}

// Returns the format specification. Fails if Python refuses it for this type, or if the device does
// not support it.
static std::string checkedSpec(Walker &walker, py::handle node, mlir::Type type, bool asText,
                               const py::object &spec) {
  py::object sample = asText              ? py::object(py::str("0"))
                      : type.isF32()      ? py::object(py::float_(0.5))
                      : type.isInteger(1) ? py::object(py::bool_(true))
                                          : py::object(py::int_(1));
  (void)walker.staticEval.format(node, sample, spec);
  std::string specification = text(spec), mistake;
  hw::FormatPiece field;
  field.isField = true;
  field.asText = asText;
  if (specification.find_first_of("{}") != std::string::npos)
    mistake = "it must not contain braces";
  else if (auto parsed = hw::parseFormatSpec(specification, mistake))
    field.spec = *parsed;
  if (mistake.empty())
    mistake = hw::checkField(field, ttl::getNumberKind(type));
  if (!mistake.empty())
    walker.diagnostics.fail(node, "this format cannot be used for a run-time number: " + mistake);
  return specification;
}

Text formattedText(Walker &walker, py::handle node, const Value &value, int conversion,
                   const py::object &spec) {
  bool asText = conversion > 0;
  const Scalar *scalar = value.getIf<Scalar>();
  if (!scalar) {
    if (!text(spec).empty())
      walker.diagnostics.fail(
          node,
          fmt::format("a format specification in an f-string must belong to a number, found {}{}",
                      describe(value),
                      value.is<Block>() ? ": print(block), without a string around it, prints its "
                                          "elements"
                                        : ""));
    return textOf(walker, node, value);
  }
  std::string specification = checkedSpec(walker, node, scalar->value.getType(), asText, spec);
  Text result;
  result.format = "{" + std::string(asText ? "!r" : "") +
                  (specification.empty() ? "" : ":" + specification) + "}";
  result.numbers.push_back(scalar->value);
  return result;
}

Value textValue(Text text) {
  if (!text.numbers.empty())
    return text;
  std::string mistake, characters;
  if (auto pieces = hw::parseFormatText(text.format, mistake))
    for (const hw::FormatPiece &piece : *pieces)
      characters += piece.literal;
  return Static{py::str(characters)};
}

} // namespace ttjit::frontend
