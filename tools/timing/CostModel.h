//===- CostModel.h - prices of calls and operations -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Looks up hw/facts/TimeCosts.def for one chip and one configuration of its compute threads.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_COSTMODEL_H
#define TTJIT_TOOLS_TIMING_COSTMODEL_H

#include "hw/device/Program.h"
#include "hw/facts/TimeCosts.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ttjit::timing {

using hw::Ticks;

/// The time that one tile operation takes of the three units of a compute thread.
struct OpCost {
  Ticks unpack = 0, math = 0, pack = 0;
  bool isVector = false;    ///< whether `math` is that of the vector engine, else the matrix engine
  bool isInit = false;      ///< whether it only configures
  bool isEstimated = false; ///< whether the table has no measured figure
  /// Whether from here on the packer adds to the contents of L1; empty: as before.
  std::optional<bool> accumulates;
  uint64_t flops = 0; ///< of a product of tiles, or of one operation on each element
  uint32_t count = 1; ///< how often it runs
  Ticks scalar = 0;   ///< cycles of a data movement thread
  std::string name;   ///< of an operation without a measured figure
};

/// The prices of a program on a chip.
class CostModel {
public:
  CostModel(const hw::ArchDesc &arch, const hw::ComputeConfig &config);

  /// Returns a constant of the chip in hundredths of a cycle.
  Ticks operator[](hw::TimeCost cost) const { return ticks[static_cast<size_t>(cost)]; }

  /// Returns a constant of the chip that is not a time.
  double value(hw::TimeCost cost) const;

  /// Returns the operations that the text of a signpost names (passes/ttkernel/NoteCosts.cpp).
  /// Skips unknown words.
  std::vector<OpCost> read(std::string_view text) const;

  /// Returns the number of fidelity phases of products.
  int phases() const { return numPhases; }
  bool isBlackhole() const { return chip == 1; }

private:
  OpCost costOf(std::string_view name, std::string_view kind, std::string_view format) const;
  bool findMatrix(std::string_view name, std::string_view kind, std::string_view format,
                  OpCost &cost) const;
  bool findPack(std::string_view name, std::string_view format, OpCost &cost) const;
  bool findInit(std::string_view name, OpCost &cost) const;
  void setInit(const hw::InitCostRow &row, OpCost &cost) const;

  size_t chip; ///< column of the tables
  int numPhases;
  bool has32BitRegisters;
  std::vector<Ticks> ticks;
};

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_COSTMODEL_H
