//===- UnknownNames.cpp - names that a dialect does not have ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Messages/UnknownNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ttjit;

// Returns the name that differs in at most a third of its letters, ignoring case and underscores;
// empty if there is none. Of equally similar names it prefers one that the given name begins with.
static StringRef similarTo(StringRef name, ArrayRef<StringRef> names) {
  auto letters = [](StringRef text) {
    std::string result;
    for (char c : text)
      if (c != '_')
        result += llvm::toLower(c);
    return result;
  };
  std::string wanted = letters(name);
  StringRef found;
  auto best = std::pair(static_cast<unsigned>(wanted.size() / 3 + 1), false);
  for (StringRef each : names) {
    std::string given = letters(each);
    auto rank = std::pair(StringRef(wanted).edit_distance(given), !wanted.starts_with(given));
    if (rank < best) {
      best = rank;
      found = each;
    }
  }
  return found;
}

std::string ttjit::describeUnknown(StringRef what, StringRef name, ArrayRef<StringRef> names) {
  std::string text = ("unknown " + what + ": '" + name + "'").str();
  constexpr size_t kShort = 3; // such a list says more than a guess
  StringRef similar = names.size() > kShort ? similarTo(name, names) : StringRef();
  if (!similar.empty())
    return text + ("; did you mean " + similar + "?").str();
  constexpr size_t kLong = 100; // nobody reads such a list
  if (names.size() > kLong)
    return text;
  ArrayRef<StringRef> first = names.drop_back();
  return text + "; expected " + llvm::join(first, ", ") + (first.empty() ? "" : " or ") +
         names.back().str();
}
