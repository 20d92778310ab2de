//===- UnmodelledUses.h - C++ kernels' operations with unknown bits -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The operations of a kernel in C++ are known only when it runs. This listener notes operations
// whose bits on the card are not known.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_UNMODELLEDUSES_H
#define TTJIT_TOOLS_SESSION_UNMODELLEDUSES_H

#include "diagnostics/CompileDiagnostic.h"
#include "hw/device/Events.h"
#include "hw/device/Run.h"
#include "tools/plan/LaunchPlan.h"
#include "tools/session/NumericRules.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ttjit::session {

class UnmodelledUses : public hw::EventListener {
public:
  explicit UnmodelledUses(const plan::LaunchPlan &plan);

  void onEvent(const hw::Event &event) override {}
  bool wantsTiles() const override { return true; }
  void onTile(const hw::TileUse &use) override;

  /// Returns a warning for each such operation, with the first line that uses it.
  std::vector<diagnostics::CompileDiagnostic> warnings() const;
  /// Implements --strict: adds a fault to the result of a run with such an operation.
  void refuse(hw::RunResult &result) const;

private:
  struct Use {
    std::string what;
    hw::SourceLocation location;
  };
  NumericUse useOf(const hw::TileUse &use);
  bool followNarrow(const hw::TileUse &use, const NumericUse &result);
  void add(const std::string &what, const hw::TileUse &use);
  hw::SourceLocation locationOf(const hw::TileUse &use) const;

  const hw::Program &program;
  std::vector<NumericRegisters> registers; ///< of each node, or of all
  /// The formats of the tiles that a thread has read since its last result.
  std::map<hw::AgentId, std::vector<hw::DataFormat>> reads;
  /// The DST registers that hold UInt16 as the unpacker wrote it.
  std::set<std::pair<hw::AgentId, int32_t>> narrow;
  std::vector<Use> found;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_UNMODELLEDUSES_H
