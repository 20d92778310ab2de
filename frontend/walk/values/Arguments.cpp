//===- Arguments.cpp - arguments of a call ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/values/Arguments.h"

#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/values/Advice.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttjit::frontend {

std::string Arguments::function() const {
  return name.empty() ? unparse(node.attr("func"_py)) : name;
}

const Arguments::Item *Arguments::take(unsigned position, std::string_view keyword) {
  parameters.emplace_back(keyword);
  if (position < items.size() && items[position].keyword.empty()) {
    items[position].used = true;
    return &items[position];
  }
  return takeKeyword(keyword);
}

const Arguments::Item *Arguments::takeKeyword(std::string_view keyword) {
  parameters.emplace_back(keyword);
  auto it = std::find_if(items.begin(), items.end(), [&](const Item &item) {
    return !item.keyword.empty() && item.keyword == keyword;
  });
  if (it == items.end())
    return nullptr;
  it->used = true;
  return &*it;
}

const Arguments::Item &Arguments::require(unsigned position, std::string_view keyword) {
  if (const Item *item = take(position, keyword))
    return *item;
  refuseMisspelt(std::string(keyword));
  diagnostics.fail(node,
                   fmt::format("the call of {}() lacks the argument '{}'", function(), keyword));
}

void Arguments::refuseMisspelt(const std::string &keyword) const {
  for (const Item &item : items)
    if (!item.used && !item.keyword.empty())
      if (std::string meant = suggestion(item.keyword, {keyword}); !meant.empty())
        diagnostics.fail(item.node, fmt::format("{}() has no parameter '{}'{}", function(),
                                                item.keyword, meant));
}

void Arguments::checkNoMore() const {
  for (const Item &item : items) {
    if (item.used)
      continue;
    if (item.keyword.empty())
      diagnostics.fail(
          item.node,
          fmt::format("the call of {}() has too many arguments: leave this one out", function()));
    diagnostics.fail(item.node, fmt::format("{}() has no parameter '{}'{}", function(),
                                            item.keyword, suggestion(item.keyword, parameters)));
  }
}

bool Arguments::allKnown() const {
  return std::all_of(items.begin(), items.end(), [](const Item &item) {
    return item.value.is<Static>() || item.value.is<Function>();
  });
}

bool Arguments::allStatic() const {
  return std::all_of(items.begin(), items.end(),
                     [](const Item &item) { return item.value.is<Static>(); });
}

} // namespace ttjit::frontend
