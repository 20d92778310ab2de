//===- CostModel.cpp - prices of calls and operations -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/timing/CostModel.h"

#include "hw/facts/DataFormat.h"

#include <algorithm>
#include <charconv>
#include <optional>

using namespace ttjit;
using namespace ttjit::timing;
using hw::TimeCost;

static constexpr uint64_t kTileElements = 1024, kProductFlops = 65536;

CostModel::CostModel(const hw::ArchDesc &arch, const hw::ComputeConfig &config)
    : chip(arch.name.starts_with("wormhole") ? 0 : 1),
      numPhases(hw::numPhases(config.mathFidelity)), has32BitRegisters(config.fp32DestAccEn) {
  for (const hw::TimeCostRow &row : hw::kTimeCosts)
    ticks.push_back(hw::ticksOf(chip == 0 ? row.wormhole : row.blackhole));
}

double CostModel::value(TimeCost cost) const {
  const hw::TimeCostRow &row = hw::kTimeCosts[static_cast<size_t>(cost)];
  return chip == 0 ? row.wormhole : row.blackhole;
}

static bool isMeasured(const hw::CostOrigin &origin) { return origin.confidence != 'E'; }

// Returns the name of the table's row for a call. Reductions have a row for each kind, and some
// copies a row for formats of 32 bits.
static std::string matrixRow(std::string_view name, std::string_view kind,
                             std::string_view format) {
  if (name == "reduce_tile")
    return "reduce_" + std::string(kind);
  if (name == "copy_tile" && format == "f32")
    return "copy_tile_fp32";
  if (name == "copy_tile" && (format == "si32" || format == "u32"))
    return "copy_tile_int32";
  return std::string(name);
}

// Returns how many tiles a product of a block of r x c registers unpacks per product: r tiles of
// the left block and r * c of the right one, divided by r * c products (docs/timing.md).
static double unpackedTiles(std::string_view block) {
  int rows = 1, columns = 1;
  auto [rest, error] = std::from_chars(block.data(), block.data() + block.size(), rows);
  if (rest != block.data() + block.size())
    std::from_chars(rest + 1, block.data() + block.size(), columns);
  return 1 + 1.0 / std::max(1, columns);
}

// Returns the bytes of a tile divided by those of a tile of bfloat16. The table has the price of
// blocks of bfloat16; the speed of their unpacker is limited by the bytes that it reads.
static double shareOfBytes(std::string_view format) {
  constexpr auto share = [](hw::DataFormat stored) {
    return double(hw::tileBytes(stored)) / hw::tileBytes(hw::DataFormat::Float16_b);
  };
  return format == "f32"       ? share(hw::DataFormat::Float32)
         : format == "bfp_bf8" ? share(hw::DataFormat::Bfp8_b)
         : format == "bfp_bf4" ? share(hw::DataFormat::Bfp4_b)
                               : 1;
}

bool CostModel::findMatrix(std::string_view name, std::string_view kind, std::string_view format,
                           OpCost &cost) const {
  std::string wanted = matrixRow(name, kind, format);
  auto row = std::ranges::find(hw::kMatrixCosts, wanted, &hw::MatrixCostRow::name);
  if (row == std::end(hw::kMatrixCosts))
    return false;
  cost.math = hw::ticksOf(row->math[chip] + row->phase[chip] * numPhases);
  cost.isEstimated = !isMeasured(row->origin);
  double tiles = name == "matmul_block" ? unpackedTiles(kind) * shareOfBytes(format) : 1;
  cost.unpack = hw::ticksOf(row->unpack[chip] * tiles);
  bool computes = !name.starts_with("copy") && !name.starts_with("transpose") &&
                  !name.starts_with("unary_bcast");
  cost.flops = name == "matmul_tiles" || name == "matmul_block" ? kProductFlops
               : computes                                       ? kTileElements
                                                                : 0;
  return true;
}

bool CostModel::findPack(std::string_view name, std::string_view format, OpCost &cost) const {
  if (name != "pack_tile" && name != "pack_tile_block")
    return false;
  auto row = std::ranges::find(hw::kPackCosts, format, &hw::PackCostRow::format);
  cost.isEstimated = row == std::end(hw::kPackCosts);
  const hw::PackCostRow &used = cost.isEstimated ? hw::kPackCosts[0] : *row;
  cost.pack = hw::ticksOf(has32BitRegisters ? used.from32[chip] : used.from16[chip]);
  return true;
}

void CostModel::setInit(const hw::InitCostRow &row, OpCost &cost) const {
  cost.unpack = hw::ticksOf(row.unpack);
  cost.math = hw::ticksOf(row.math);
  cost.pack = hw::ticksOf(row.pack);
  cost.isInit = true;
}

// An initialisation without a row costs as much as the general one of its engine.
bool CostModel::findInit(std::string_view name, OpCost &cost) const {
  auto find = [](std::string_view wanted) {
    return std::ranges::find(hw::kInitCosts, wanted, &hw::InitCostRow::name);
  };
  auto row = find(name);
  if (row != std::end(hw::kInitCosts)) {
    setInit(*row, cost);
    cost.isEstimated = !isMeasured(row->origin);
    return true;
  }
  bool isInit = name.find("init") != std::string_view::npos || name.ends_with("_startup");
  if (!isInit)
    return false;
  setInit(*find(name.ends_with("_tile_init") ? "vector_engine" : "matrix_engine"), cost);
  return true;
}

// Returns the cost that a word of a signpost names, for a thread that moves data.
static std::optional<TimeCost> scalarCost(std::string_view name) {
  if (name == "scalar")
    return TimeCost::ScalarOp;
  if (name == "page_address")
    return TimeCost::PageAddress;
  if (name == "noc_address")
    return TimeCost::NocAddress;
  return std::nullopt;
}

OpCost CostModel::costOf(std::string_view name, std::string_view kind,
                         std::string_view format) const {
  OpCost cost;
  std::optional<TimeCost> scalar = scalarCost(name);
  if (scalar)
    cost.scalar = (*this)[*scalar];
  if (scalar || findMatrix(name, kind, format, cost) || findPack(name, format, cost) ||
      findInit(name, cost))
    return cost;
  auto row = std::ranges::find(hw::kVectorCosts, name, &hw::VectorCostRow::name);
  bool isKnown = row != std::end(hw::kVectorCosts);
  cost.math = hw::ticksOf(isKnown ? row->cycles[chip] : hw::kUnknownVectorCycles);
  cost.isVector = true;
  cost.isEstimated = !isKnown || !isMeasured(row->origin);
  cost.flops = kTileElements;
  return cost;
}

// Returns the text up to the next `end`, and removes it with `end`.
static std::string_view take(std::string_view &text, char end) {
  size_t length = std::min(text.find(end), text.size());
  std::string_view result = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return result;
}

std::vector<OpCost> CostModel::read(std::string_view text) const {
  std::vector<OpCost> result;
  while (!text.empty()) {
    std::string_view rest = take(text, ' ');
    std::string_view word = take(rest, '*');
    uint32_t count = 1;
    std::from_chars(rest.data(), rest.data() + rest.size(), count);
    std::string_view name = take(word, ':');
    size_t last = word.rfind(':');
    std::string_view format = last == std::string_view::npos ? word : word.substr(last + 1);
    std::string kind(last == std::string_view::npos ? "" : word.substr(0, last));
    std::ranges::replace(kind, ':', '_');
    OpCost cost = costOf(name, kind, format);
    cost.count = count;
    if (name == "pack_reconfig_l1_acc")
      cost.accumulates = format == "on";
    if (cost.isEstimated)
      cost.name = name;
    result.push_back(std::move(cost));
  }
  return result;
}
