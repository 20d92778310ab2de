//===- Microcores.h - the small processors of a node ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The microcores of a node are the same on every chip of Arch.h: two processors that move data, one
// for each NoC, and the three processors of the compute engine, which run the parts of one thread.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_MICROCORES_H
#define TTJIT_HW_FACTS_MICROCORES_H

#include <string_view>

namespace ttjit::hw {

struct Microcore {
  std::string_view name; ///< as in `@noc0`
  std::string_view hint; ///< as in `microcore_hint = "NOC0"`; empty: no hint names it
  unsigned processor;    ///< number of the hw::Processor that it is, or is part of

  constexpr bool computes() const { return processor == 2; }
};

/// noc0 is RISCV_1 with NoC 0, and noc1 is RISCV_0 with NoC 1. A hint that names the compute engine
/// names its math processor.
inline constexpr Microcore kMicrocores[] = {
    {"noc0", "NOC0", 0}, {"noc1", "NOC1", 1}, {"unpack", "", 2},
    {"math", "MATH", 2}, {"pack", "", 2},
};

/// Returns the microcore that hints name for the hw::Processor with this number.
constexpr const Microcore &hintedMicrocore(unsigned processor) {
  const Microcore *found = kMicrocores;
  while (found->hint.empty() || found->processor != processor)
    ++found;
  return *found;
}

/// Returns the microcore of this name; null if there is none.
constexpr const Microcore *findMicrocore(std::string_view name) {
  for (const Microcore &microcore : kMicrocores)
    if (microcore.name == name)
      return &microcore;
  return nullptr;
}

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_MICROCORES_H
