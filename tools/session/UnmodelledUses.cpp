//===- UnmodelledUses.cpp - C++ kernels' operations with unknown bits ---------===//
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
  bool areMixed = hasTilesOf(program, hasWideExponents);
  for (const hw::ComputeConfig &config : plan.nodeConfigs)
    registers.push_back({config.fp32DestAccEn, areMixed});
  if (registers.empty())
    registers.push_back({program.compute.fp32DestAccEn, areMixed});
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

// Follows UInt16 into the register of a result. Returns whether the operation computes with UInt16
// as the unpacker wrote it. typecast_tile from UInt16 (these two rows) may read it so.
bool UnmodelledUses::followNarrow(const hw::TileUse &use, const NumericUse &result) {
  auto isNarrow = [&](int32_t reg) { return reg >= 0 && narrow.contains({use.agent, reg}); };
  bool reads = isNarrow(use.reg) || std::ranges::any_of(use.inputs, isNarrow);
  bool isTile = std::ranges::find(result.formats, hw::DataFormat::UInt16) != result.formats.end();
  if (!result.row && (isTile || (hw::withoutDims(use.result) == hw::ResultKind::Copy && reads)))
    narrow.insert({use.agent, use.reg});
  else
    narrow.erase({use.agent, use.reg});
  bool widens = result.row == hw::TileOp::ToUInt16 || result.row == hw::TileOp::UInt32ToFloat;
  return reads && !widens && (result.row || !result.function.empty());
}

// Returns the operation of a result or an accumulation; nothing for reads, which come first.
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
  if (use.call.function)
    result.function = use.call.function;
  result.readsNarrow = followNarrow(use, result);
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
