//===- UnmodelledUses.cpp - what C++ kernels compute as no card does ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/UnmodelledUses.h"

#include "diagnostics/Diagnostics.h"
#include "hw/facts/ResultKind.h"

#include <algorithm>
#include <utility>

using namespace ttjit;
using namespace ttjit::session;

UnmodelledUses::UnmodelledUses(const plan::LaunchPlan &plan) : program(plan.program) {
  auto isUInt16 = [](hw::DataFormat format) { return format == hw::DataFormat::UInt16; };
  bool areMixed = hasTilesOf(program, hasWideExponents), getUInt16 = hasTilesOf(program, isUInt16);
  for (const hw::ComputeConfig &config : plan.nodeConfigs)
    registers.push_back({config.fp32DestAccEn, areMixed, getUInt16});
  if (registers.empty())
    registers.push_back({program.compute.fp32DestAccEn, areMixed, getUInt16});
}

static NumericUse::Kind kindOf(const hw::TileUse &use) {
  switch (hw::withoutDims(use.result)) {
  case hw::ResultKind::Product:
    return NumericUse::Product;
  case hw::ResultKind::Reduced:
    return static_cast<hw::Pool>(use.call.number) == hw::Pool::Max ? NumericUse::Maximum
                                                                   : NumericUse::Sum;
  case hw::ResultKind::Broadcast:
  case hw::ResultKind::Transposed:
    return NumericUse::Move;
  default:
    return NumericUse::Other;
  }
}

// Returns what a result or an accumulation computes; nothing for reads, which come before.
NumericUse UnmodelledUses::useOf(const hw::TileUse &use) {
  if (use.kind == hw::TileUse::Read) {
    reads[use.agent].push_back(use.format);
    return {};
  }
  if (use.kind == hw::TileUse::Packed)
    return use.accumulates ? NumericUse{NumericUse::AccumulatingPack, {}, {use.format}}
                           : NumericUse{};
  NumericUse result{kindOf(use), {}, std::exchange(reads[use.agent], {})};
  if (use.call.row >= 0 && !use.call.isMatrix)
    result.row = static_cast<hw::TileOp>(use.call.row);
  return result;
}

void UnmodelledUses::onTile(const hw::TileUse &use) {
  size_t node = registers.size() == 1 ? 0 : use.agent / hw::kThreadsPerNode;
  for (const std::string &what : unknownParts(useOf(use), registers[node]))
    add(what, use);
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
    all.push_back(diagnostics::makeDiagnostic(diagnostics::CompileDiagnostic::Severity::Warning,
                                              unknownWarning(use.what), use.location));
    all.back().kind = WarningKind::Numerics;
  }
  return all;
}

void UnmodelledUses::refuse(hw::RunResult &result) const {
  if (found.empty() || result.fault)
    return;
  result.fault.emplace();
  result.fault->message = unknownError(found.front().what);
  result.fault->location = found.front().location;
}
