//===- ModelArguments.cpp - options of modules of ttir ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-jit/ModelArguments.h"

#include <algorithm>

// Returns whether the line names an op of a dialect. `prefix` is the dialect with a dot: "ttir.".
static bool hasOp(std::string_view line, std::string_view prefix) {
  for (size_t place = line.find(prefix); place != std::string_view::npos;
       place = line.find(prefix, place + 1))
    if (place == 0 || std::string_view("\" =\t").find(line[place - 1]) != std::string_view::npos)
      return true;
  return false;
}

bool isModel(std::string_view text) {
  bool isFound = false;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line = line.substr(0, line.find("//"));
    if (hasOp(line, "d2m."))
      return false; // tools/mlir-run runs modules of d2m, also with ops of ttir and ttnn
    isFound |= hasOp(line, "ttir.") || hasOp(line, "ttnn.") || hasOp(line, "tosa.") ||
               line.find("!ttl.dist_tensor<") != std::string_view::npos;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return isFound;
}

std::vector<std::string> takeModelArguments(std::vector<std::string> &words) {
  std::vector<std::string> taken, rest;
  bool isModule = false;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string name = words[i].substr(0, words[i].find('='));
    bool isOurs = isModule && (name == "--arg" || name == "--out" || name == "--function");
    isModule |= words[i].ends_with(".mlir");
    if (!isOurs)
      rest.push_back(words[i]);
    else if (name == words[i] && i + 1 < words.size())
      taken.push_back(name + "=" + words[++i]);
    else
      taken.push_back(words[i]);
  }
  words = rest;
  return taken;
}
