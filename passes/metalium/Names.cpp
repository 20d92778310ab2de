//===- Names.cpp - C++ identifiers from the user's names ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/Names.h"

#include "passes/metalium/ApiTable.h"

#include "ir/Locations/Locations.h"

#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tometalium;

// Keywords of C++, and names that tt-metal's kernel headers define as macros or in the
// global namespace.
static constexpr llvm::StringLiteral kReserved[] = {"alignas",
                                                    "alignof",
                                                    "and",
                                                    "and_eq",
                                                    "asm",
                                                    "auto",
                                                    "bitand",
                                                    "bitor",
                                                    "bool",
                                                    "break",
                                                    "case",
                                                    "catch",
                                                    "char",
                                                    "char16_t",
                                                    "char32_t",
                                                    "char8_t",
                                                    "class",
                                                    "co_await",
                                                    "co_return",
                                                    "co_yield",
                                                    "compl",
                                                    "concept",
                                                    "const",
                                                    "const_cast",
                                                    "consteval",
                                                    "constexpr",
                                                    "constinit",
                                                    "continue",
                                                    "decltype",
                                                    "default",
                                                    "delete",
                                                    "do",
                                                    "double",
                                                    "dynamic_cast",
                                                    "else",
                                                    "enum",
                                                    "explicit",
                                                    "export",
                                                    "extern",
                                                    "false",
                                                    "float",
                                                    "for",
                                                    "friend",
                                                    "goto",
                                                    "if",
                                                    "inline",
                                                    "int",
                                                    "long",
                                                    "main",
                                                    "mutable",
                                                    "namespace",
                                                    "new",
                                                    "noexcept",
                                                    "not",
                                                    "not_eq",
                                                    "nullptr",
                                                    "operator",
                                                    "or",
                                                    "or_eq",
                                                    "private",
                                                    "protected",
                                                    "public",
                                                    "register",
                                                    "reinterpret_cast",
                                                    "requires",
                                                    "return",
                                                    "short",
                                                    "signed",
                                                    "sizeof",
                                                    "static",
                                                    "static_assert",
                                                    "static_cast",
                                                    "struct",
                                                    "switch",
                                                    "template",
                                                    "this",
                                                    "thread_local",
                                                    "throw",
                                                    "true",
                                                    "try",
                                                    "typedef",
                                                    "typeid",
                                                    "typename",
                                                    "union",
                                                    "unsigned",
                                                    "using",
                                                    "virtual",
                                                    "void",
                                                    "volatile",
                                                    "wchar_t",
                                                    "while",
                                                    "xor",
                                                    "xor_eq",
                                                    "int8_t",
                                                    "int16_t",
                                                    "int32_t",
                                                    "int64_t",
                                                    "uint8_t",
                                                    "uint16_t",
                                                    "uint32_t",
                                                    "uint64_t",
                                                    "size_t",
                                                    "std",
                                                    "tt",
                                                    "ckernel",
                                                    "kernel_main",
                                                    "noc_index",
                                                    "my_x",
                                                    "my_y",
                                                    "MAIN",
                                                    "NAMESPACE",
                                                    "UNPACK",
                                                    "MATH",
                                                    "PACK",
                                                    "APPROX",
                                                    "ASSERT",
                                                    "DST_ACCUM_MODE",
                                                    "MATH_FIDELITY",
                                                    "ALWI",
                                                    "FORCE_INLINE",
                                                    "NULL",
                                                    "INFINITY",
                                                    "NAN"};

std::string tometalium::toIdentifier(StringRef text) {
  std::string result;
  for (char c : text)
    result += llvm::isAlnum(c) ? c : '_';
  if (result.empty() || llvm::isDigit(result.front()))
    result.insert(result.begin(), '_');
  // C++ reserves names with two underscores, and with an underscore before a capital
  // letter.
  for (size_t at; (at = result.find("__")) != std::string::npos;)
    result.erase(at, 1);
  if (result.size() > 1 && result[0] == '_' && llvm::isUpper(result[1]))
    result.insert(0, "v");
  // Names without small letters may be macros of tt-metal's headers, which no list is sure to hold.
  bool isCapitals = llvm::any_of(result, [](char c) { return llvm::isUpper(c); }) &&
                    llvm::none_of(result, [](char c) { return llvm::isLower(c); });
  if (isCapitals && result.size() > 1)
    result = StringRef(result).lower();
  if (result == "_" || llvm::is_contained(kReserved, result) || isApiFunction(result))
    result += result == "_" ? "unused" : "_";
  return result;
}

std::string tometalium::toComment(StringRef text) {
  std::string result = text.str();
  for (char &c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  // A backslash at the end of the line would continue the comment.
  return StringRef(result).trim().rtrim("\\ ").str();
}

bool NameScopes::isTaken(StringRef name) const {
  return llvm::any_of(scopes, [&](auto &scope) { return scope.contains(name); });
}

std::string NameScopes::add(StringRef wanted) {
  std::string base = toIdentifier(wanted), name = base;
  for (int number = 2; isTaken(name); ++number)
    name = base + (llvm::isDigit(base.back()) ? "_" : "") + std::to_string(number);
  scopes.back().insert(name);
  return name;
}

Location tometalium::positionOf(Location loc) {
  Location position = UnknownLoc::get(loc.getContext());
  loc->walk([&](Location inner) {
    if (!isa<FileLineColRange>(inner))
      return WalkResult::advance();
    position = inner;
    return WalkResult::interrupt();
  });
  return position;
}

std::string tometalium::userName(Location loc) {
  std::string name = getSourceName(loc).value_or("");
  return name == "_" ? "" : name;
}

Location tometalium::namedLocation(StringRef name, Location position) {
  if (name.empty())
    return position;
  return NameLoc::get(StringAttr::get(position.getContext(), name), position);
}

StringRef tometalium::wantedName(Value value) {
  auto name = dyn_cast<NameLoc>(value.getLoc());
  return name ? name.getName().getValue() : StringRef();
}
