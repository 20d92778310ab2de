//===- MetaliumApi.h - functions of Metalium's kernel API -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The rows of MetaliumApi.def. This header includes no other header of the project.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_METALIUMAPI_H
#define TTJIT_HW_FACTS_METALIUMAPI_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace ttjit::hw {

/// Generations of Metalium's kernel API: until late 2025; late 2025 and early 2026; from mid
/// 2026 on.
enum class MetaliumGeneration : uint8_t { Old, Mid, New };

inline constexpr std::string_view kMetaliumGenerations[] = {"old", "mid", "new"};

/// Returns the generation of that name; nothing if there is none.
constexpr std::optional<MetaliumGeneration> parseMetaliumGeneration(std::string_view name) {
  for (int i = 0; i < 3; ++i)
    if (kMetaliumGenerations[i] == name)
      return static_cast<MetaliumGeneration>(i);
  return std::nullopt;
}

struct MetaliumFunction {
  enum class Processor : uint8_t { Data, Compute };

  std::string_view generations; ///< letters of O, M, N
  Processor processor;
  std::string_view header;
  std::string_view templateParameters, name, parameters; ///< in parentheses

  constexpr bool isIn(MetaliumGeneration generation) const {
    return generations.find("OMN"[static_cast<int>(generation)]) != std::string_view::npos;
  }
};

inline constexpr MetaliumFunction kMetaliumFunctions[] = {
#define METALIUM_FUNCTION(generations, processor, header, templates, result, name, parameters)     \
  {#generations, MetaliumFunction::Processor::processor, header, #templates, #name, #parameters},
#include "hw/facts/MetaliumApi.def"
};

/// The least and the largest number of arguments that a parameter list takes.
struct ArgumentCount {
  int least = 0, most = 0;

  constexpr bool allows(int count) const { return least <= count && count <= most; }
};

/// Counts the parameters of a list in parentheses. Optional are parameters with a default value,
/// and types, which the compiler may deduce.
constexpr ArgumentCount countParameters(std::string_view list) {
  ArgumentCount count;
  bool hasText = false, hasDefault = false;
  for (size_t i = 1; i < list.size(); ++i) {
    char c = list[i];
    hasDefault |= c == '=' || list.substr(i, 9) == "typename ";
    if (!hasText && c == ' ')
      continue;
    if (c == ',' || c == ')') {
      count.most += hasText;
      count.least += hasText && !hasDefault;
      hasText = hasDefault = false;
      continue;
    }
    hasText = true;
  }
  return count;
}

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_METALIUMAPI_H
