//===- UnknownOption.cpp - the message for an option that does not exist ------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/OptionTable.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

using namespace ttjit;
using namespace ttjit::options;

std::string options::similarOption(std::string_view text) {
  llvm::StringRef name(text);
  std::vector<std::string> names = processOptions();
  for (auto &[option, value] : kernelOptions())
    names.push_back(option);
  // Accept a name if at most a third of its letters differ.
  unsigned best = name.size() / 3 + 1;
  std::string found;
  for (const std::string &option : names)
    if (unsigned distance = name.edit_distance(option); distance < best) {
      best = distance;
      found = option;
    }
  return found;
}

std::string options::unknownOption(std::string_view name) {
  std::string similar = similarOption(name);
  return fmt::format("unknown option --{}; {}", name,
                     similar.empty() ? "see ttl-jit --help"
                                     : fmt::format("did you mean --{}?", similar));
}
