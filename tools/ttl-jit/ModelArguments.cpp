//===- ModelArguments.cpp - options of modules of ttir ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-jit/ModelArguments.h"

#include <algorithm>

bool isModel(std::string_view text) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line = line.substr(0, line.find("//"));
    size_t place = line.find("ttir.");
    bool isWord = place != std::string_view::npos &&
                  (place == 0 || std::string_view("\" =\t").find(line[place - 1]) < 4);
    if (isWord)
      return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
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
