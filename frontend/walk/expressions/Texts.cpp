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

//===--------------------------------------------------------------------------===//
// repr() of texts
//===--------------------------------------------------------------------------===//

// Returns the parts of a format: literal text, still escaped, and fields. No field contains a
// brace.
static std::vector<std::string_view> partsOf(std::string_view format) {
  std::vector<std::string_view> parts;
  while (!format.empty()) {
    bool isField = format[0] == '{' && format.substr(0, 2) != "{{";
    size_t size = 0;
    if (isField)
      size = format.find('}') + 1;
    else
      while (size < format.size() && (format[size] != '{' || format.substr(size, 2) == "{{"))
        size += format.substr(size, 2) == "{{" || format.substr(size, 2) == "}}" ? 2 : 1;
    parts.push_back(format.substr(0, size));
    format.remove_prefix(size);
  }
  return parts;
}

static bool isField(std::string_view part) { return part[0] == '{' && part.substr(0, 2) != "{{"; }

// Returns the characters of a text that are known, as one string.
static std::string knownCharacters(const std::string &format) {
  std::string mistake, characters;
  if (auto pieces = hw::parseFormatText(format, mistake))
    for (const hw::FormatPiece &piece : *pieces)
      characters += piece.isField ? piece.spec.fill : piece.literal;
  return characters;
}

// Fails if a field is filled with a quote, a backslash or another character that repr() escapes. A
// text that has such a character is written in another way, and whether the number leaves room for
// it is known at run time only.
static void checkFills(Walker &walker, py::handle node, const std::string &format, bool isAscii) {
  std::string mistake;
  auto pieces = hw::parseFormatText(format, mistake);
  for (const hw::FormatPiece &piece : *pieces) {
    py::str fill(piece.isField ? piece.spec.fill : " ");
    bool isPlain = piece.spec.fill != "'" && piece.spec.fill != "\"" && piece.spec.fill != "\\" &&
                   fill.attr(isAscii ? "isascii" : "isprintable")().cast<bool>();
    if (!isPlain)
      walker.diagnostics.fail(node, fmt::format("a text whose numbers are filled with {} has no "
                                                "repr() at run time: print it outside of tuples "
                                                "and without '!r', or choose another character",
                                                text(py::repr(fill))));
  }
}

// Writes the text as Python's repr() does: in quotes, with escapes.
static Text reprOf(Walker &walker, py::handle node, const Text &value, bool isAscii) {
  checkFills(walker, node, value.format, isAscii);
  std::string all = knownCharacters(value.format);
  bool isDouble = all.find('\'') != std::string::npos && all.find('"') == std::string::npos;
  // Python's repr() of a string that begins with the other quote has the wanted quotes around it.
  const char *other = isDouble ? "'" : "\"", *quote = isDouble ? "\"" : "'";
  py::object repr = pythonModule<"builtins">().attr(isAscii ? "ascii" : "repr");
  Text result = literalText(quote);
  for (std::string_view part : partsOf(value.format)) {
    if (isField(part)) {
      result.format += part;
      continue;
    }
    std::string written = text(repr(py::str(other + knownCharacters(std::string(part)))));
    append(result, literalText(written.substr(2, written.size() - 3)));
  }
  append(result, literalText(quote));
  result.numbers = value.numbers;
  return result;
}

//===--------------------------------------------------------------------------===//
// Texts of values
//===--------------------------------------------------------------------------===//

static Text reprTextOf(Walker &walker, py::handle node, const Value &value, bool isAscii = false) {
  if (const Text *known = value.getIf<Text>())
    return reprOf(walker, node, *known, isAscii);
  if (const Static *known = value.getIf<Static>())
    return pythonText(walker, node, known->object, /*isRepr=*/true);
  return textOf(walker, node, value);
}

// Makes the text "(a, b)" or "[a]", with the items as Python's repr() writes them.
static Text sequenceText(Walker &walker, py::handle node, const std::vector<Value> &items,
                         bool isList) {
  Text result = literalText(isList ? "[" : "(");
  for (size_t i = 0; i < items.size(); ++i) {
    if (i)
      append(result, literalText(", "));
    append(result, reprTextOf(walker, node, items[i]));
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
    bool isRepr = conversion == 'r' || conversion == 'a';
    return isRepr ? reprTextOf(walker, node, value, conversion == 'a')
                  : textOf(walker, node, value);
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
