//===- MeshParsers.cpp - the options of machines with several chips -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/OptionParsers.h"
#include "tools/options/ReadText.h"

#include <fmt/format.h>

using namespace ttjit;
using namespace ttjit::options;

namespace {
// A machine of several chips. Sources: the mesh descriptors of tt-metal.
struct MachineName {
  std::string_view name, arch;
  int rows, columns;
  int links; // between two neighbours
};
} // namespace

static constexpr MachineName kMachines[] = {
    {"n150", "wormhole_b0", 1, 1, 1},          {"p150", "blackhole", 1, 1, 1},
    {"n300", "wormhole_b0@8x7", 1, 2, 2},      {"t3k", "wormhole_b0@8x7", 2, 4, 2},
    {"galaxy", "wormhole_b0@8x9", 8, 4, 4},    {"p300", "blackhole@11x10", 1, 2, 2},
    {"p150x4", "blackhole", 1, 4, 4},          {"p150x8", "blackhole", 2, 4, 2},
    {"bh_galaxy", "blackhole@11x10", 8, 4, 2},
};

static constexpr int kMaxDevices = 1024;

UsageError options::parseMesh(Options &options, std::string_view value) {
  for (const MachineName &machine : kMachines)
    if (machine.name == value) {
      options.mesh = {machine.rows, machine.columns};
      options.machine = machine.name;
      options.links = machine.links;
      options.machineArch = *hw::lookupArch(machine.arch);
      return options.isArchGiven ? std::nullopt : setArch(options, machine.arch);
    }
  std::vector<int> extents;
  for (std::string_view rest = value; !rest.empty() || extents.empty();) {
    size_t end = rest.find('x');
    int extent = 0;
    if (!parseNumber(rest.substr(0, end), extent) || extent < 1 || extent > kMaxDevices) {
      extents.clear();
      break;
    }
    extents.push_back(extent);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  int64_t count = 1;
  for (int extent : extents)
    count *= extent;
  if (extents.size() == 2 && count <= kMaxDevices) {
    options.mesh = std::move(extents);
    options.machine.clear();
    options.links = 0;
    return std::nullopt;
  }
  std::string names;
  for (const MachineName &machine : kMachines)
    names += fmt::format(", {}", machine.name);
  return fmt::format("expected rows x columns of at most {} chips, as in 2x4, or the name of a "
                     "machine{}; found '{}'",
                     kMaxDevices, names, value);
}

UsageError options::parseFabric(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"none", "none"}, {"1d", "1d"},           {"neighbor", "neighbor"}, {"ring", "ring"},
      {"2d", "2d"},     {"torus-x", "torus-x"}, {"torus-y", "torus-y"},   {"torus-xy", "torus-xy"}};
  std::string_view found;
  UsageError error = parseNamed<std::string_view>(names, value, found);
  if (!error)
    options.fabric = found;
  return error;
}

UsageError options::parseCollectives(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, bool> names[] = {{"kernels", false}, {"host", true}};
  return parseNamed<bool>(names, value, options.hostCollectives);
}
