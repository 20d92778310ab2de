//===- UnmodelledUses.cpp - what C++ kernels compute as no card does ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/UnmodelledUses.h"

#include "diagnostics/Diagnostics.h"
#include "hw/facts/Numerics.h"

#include <fmt/format.h>

#include <algorithm>

using namespace ttjit;
using namespace ttjit::session;

void UnmodelledUses::onTile(const hw::TileUse &use) {
  if (use.kind == hw::TileUse::Read && use.format == hw::DataFormat::Float16)
    return add("tiles of Float16", use);
  if (use.kind == hw::TileUse::Packed && use.accumulates && use.format != hw::DataFormat::Float32 &&
      use.format != hw::DataFormat::Float16_b)
    return add(std::string("accumulation in L1 of ") + hw::formatName(use.format), use);
  if (use.kind != hw::TileUse::Result || use.call.row < 0)
    return;
  auto row = static_cast<hw::TileOp>(use.call.row);
  if (!use.call.isMatrix && !hw::isModelled(row))
    add(std::string("'") + hw::factsOf(row).name + "'", use);
}

hw::SourceLocation UnmodelledUses::locationOf(const hw::TileUse &use) const {
  return use.loc < program.locations.size() ? program.locations[use.loc] : hw::SourceLocation();
}

void UnmodelledUses::add(const std::string &what, const hw::TileUse &use) {
  if (std::ranges::find(found, what, &Use::what) == found.end())
    found.push_back({what, locationOf(use)});
}

std::vector<diagnostics::CompileDiagnostic> UnmodelledUses::warnings() const {
  std::vector<diagnostics::CompileDiagnostic> all;
  for (const Use &use : found) {
    all.push_back(diagnostics::makeDiagnostic(
        diagnostics::CompileDiagnostic::Severity::Warning,
        fmt::format("the card's result of {} is not known; it is computed as with --numerics=host "
                    "and stored as the card stores it",
                    use.what),
        use.location));
    all.back().kind = WarningKind::Numerics;
  }
  return all;
}

void UnmodelledUses::refuse(hw::RunResult &result) const {
  if (found.empty() || result.fault)
    return;
  result.fault.emplace();
  result.fault->message = fmt::format("--strict: the card's result of {} is not known, so "
                                      "--numerics=device cannot compute it",
                                      found.front().what);
  result.fault->location = found.front().location;
}
