//===- MemoryBindings.cpp - memory configs in the _ttjit module ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/MemoryBindings.h"

#include "frontend/tensor/Constants.h"
#include "frontend/tensor/TensorSpec.h"

#include <array>

#include <fmt/format.h>
#include <pybind11/operators.h>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace ttjit::frontend {

namespace {

constexpr NamedConstant<hw::BufferType> kBufferTypes[] = {
    {"DRAM", hw::BufferType::DRAM},
    {"L1", hw::BufferType::L1},
};

constexpr NamedConstant<MemoryLayout> kMemoryLayouts[] = {
    {"INTERLEAVED", MemoryLayout::Interleaved},    {"HEIGHT_SHARDED", MemoryLayout::HeightSharded},
    {"WIDTH_SHARDED", MemoryLayout::WidthSharded}, {"BLOCK_SHARDED", MemoryLayout::BlockSharded},
    {"ND_SHARDED", MemoryLayout::NdSharded},
};

constexpr NamedConstant<ShardOrientation> kOrientations[] = {
    {"ROW_MAJOR", ShardOrientation::RowMajor},
    {"COL_MAJOR", ShardOrientation::ColumnMajor},
};

constexpr NamedConstant<ShardDistribution> kDistributions[] = {
    {"ROUND_ROBIN_1D", ShardDistribution::RoundRobin1D},
    {"GRID_2D", ShardDistribution::Grid2D},
};

//===--------------------------------------------------------------------------===//
// Cores
//===--------------------------------------------------------------------------===//

// A set of cores. It keeps the ranges in the order in which the program lists them.
struct CoreRangeSet {
  std::vector<CoreRange> ranges;
  bool operator==(const CoreRangeSet &) const = default;
};

// Converts a CoreCoord or a pair (x, y) to a core.
Core coreOf(py::handle object) {
  if (py::isinstance<Core>(object))
    return object.cast<Core>();
  if (py::isinstance<py::tuple>(object) || py::isinstance<py::list>(object)) {
    auto [x, y] = object.cast<std::pair<int, int>>();
    return {x, y};
  }
  return {object.attr("x").cast<int>(), object.attr("y").cast<int>()};
}

CoreRange makeRange(py::handle first, py::handle last) {
  CoreRange range{coreOf(first), coreOf(last)};
  if (range.first.x < 0 || range.first.y < 0 || range.last.x < range.first.x ||
      range.last.y < range.first.y)
    throw TensorError(fmt::format("core range {}: the first core's coordinates must be at least 0 "
                                  "and at most the last core's",
                                  describe(range)));
  return range;
}

// Returns the ranges of a CoreRangeSet, of a CoreRange, of any object with a method ranges(), or
// of a sequence of ranges.
std::vector<CoreRange> rangesOf(py::handle object) {
  if (py::isinstance<CoreRange>(object))
    return {object.cast<CoreRange>()};
  if (py::isinstance<CoreRangeSet>(object))
    return object.cast<const CoreRangeSet &>().ranges;
  std::vector<CoreRange> ranges;
  py::object items = py::hasattr(object, "ranges") ? object.attr("ranges")()
                                                   : py::reinterpret_borrow<py::object>(object);
  for (py::handle range : items)
    ranges.push_back(makeRange(range.attr("start"), range.attr("end")));
  return ranges;
}

std::string textOf(const CoreRangeSet &set) {
  std::string text;
  for (const CoreRange &range : set.ranges)
    text += (text.empty() ? "" : ", ") + describe(range);
  return fmt::format("{{{}}}", text);
}

void bindCores(py::module_ &module) {
  py::class_<Core>(module, "CoreCoord",
                   "The coordinates of a core: ttnn.CoreCoord(x, y), x counts columns.")
      .def(py::init([](int x, int y) { return Core{x, y}; }), py::arg("x"), py::arg("y"))
      .def_readonly("x", &Core::x)
      .def_readonly("y", &Core::y)
      .def("__iter__", [](Core c) { return py::iter(py::make_tuple(c.x, c.y)); })
      .def("__hash__", [](Core c) { return py::hash(py::make_tuple(c.x, c.y)); })
      .def(py::self == py::self)
      .def("__repr__", [](Core c) { return fmt::format("CoreCoord(x={}, y={})", c.x, c.y); });
  py::class_<CoreRange>(module, "CoreRange")
      .def(py::init(&makeRange), py::arg("start"), py::arg("end"))
      .def_readonly("start", &CoreRange::first)
      .def_readonly("end", &CoreRange::last)
      .def("grid_size", [](const CoreRange &range) { return Core{range.width(), range.height()}; })
      .def(py::self == py::self)
      .def("__hash__", [](const CoreRange &range) { return py::hash(py::str(describe(range))); })
      .def("__repr__", [](const CoreRange &range) { return describe(range); });
  py::class_<CoreRangeSet>(module, "CoreRangeSet")
      .def(py::init([](py::handle ranges) { return CoreRangeSet{rangesOf(ranges)}; }),
           py::arg("ranges"))
      .def("ranges", [](const CoreRangeSet &self) { return self.ranges; })
      .def("num_cores",
           [](const CoreRangeSet &self) {
             int cores = 0;
             for (const CoreRange &range : self.ranges)
               cores += range.width() * range.height();
             return cores;
           })
      .def(py::self == py::self)
      .def("__hash__", [](const CoreRangeSet &self) { return py::hash(py::str(textOf(self))); })
      .def("__repr__", [](const CoreRangeSet &self) { return textOf(self); });
}

//===--------------------------------------------------------------------------===//
// Shards
//===--------------------------------------------------------------------------===//

// ttnn has one class for shards of two dimensions and one for shards of any number.
struct NdShardSpec {
  ShardSpec shards;
  bool operator==(const NdShardSpec &) const = default;
};

ShardSpec makeShardSpec(py::handle grid, std::array<int64_t, 2> shape,
                        ShardOrientation orientation) {
  ShardSpec spec{rangesOf(grid), {shape[0], shape[1]}, orientation};
  spec.check("ShardSpec");
  return spec;
}

NdShardSpec makeNdShardSpec(std::vector<int64_t> shape, py::handle grid,
                            ShardOrientation orientation, ShardDistribution distribution) {
  NdShardSpec spec{{rangesOf(grid), std::move(shape), orientation, distribution}};
  spec.shards.check("NdShardSpec");
  return spec;
}

void bindShardSpec(py::module_ &module) {
  py::class_<ShardSpec>(module, "ShardSpec",
                        "ttnn.ShardSpec(cores, shape, orientation): the cores that hold the shards "
                        "of a tensor, and the rows and columns of elements of a shard.")
      .def(py::init(&makeShardSpec), py::arg("grid"), py::arg("shard_shape"),
           py::arg("shard_orientation") = ShardOrientation::RowMajor)
      .def_property_readonly("grid", [](const ShardSpec &self) { return CoreRangeSet{self.grid}; })
      .def_property_readonly(
          "shape",
          [](const ShardSpec &self) { return py::make_tuple(self.shape[0], self.shape[1]); })
      .def_property_readonly(
          "orientation",
          [](const ShardSpec &self) { return objectOf(kOrientations, self.orientation); })
      .def("num_cores", [](const ShardSpec &self) { return self.cores().all().size(); })
      .def(py::self == py::self)
      .def("__hash__", [](const ShardSpec &self) { return py::hash(py::str(describe(self))); })
      .def("__repr__", [](const ShardSpec &self) { return describe(self); });
}

std::string textOf(const NdShardSpec &spec) {
  bool isGrid = spec.shards.distribution == ShardDistribution::Grid2D;
  return describe(spec.shards) + (isGrid ? ", as a grid" : "");
}

void bindNdShardSpec(py::module_ &module) {
  py::class_<NdShardSpec>(
      module, "NdShardSpec",
      "ttnn.NdShardSpec(shard_shape, cores, orientation, shard_distribution_strategy): the extents "
      "of a shard in elements, and the cores that hold the shards. A core may have several.")
      .def(py::init(&makeNdShardSpec), py::arg("shard_shape"), py::arg("grid"),
           py::arg("orientation") = ShardOrientation::RowMajor,
           py::arg("shard_distribution_strategy") = ShardDistribution::RoundRobin1D)
      .def_property_readonly("grid",
                             [](const NdShardSpec &self) { return CoreRangeSet{self.shards.grid}; })
      .def_property_readonly(
          "shard_shape",
          [](const NdShardSpec &self) { return py::tuple(py::cast(self.shards.shape)); })
      .def_property_readonly(
          "orientation",
          [](const NdShardSpec &self) { return objectOf(kOrientations, self.shards.orientation); })
      .def_property_readonly("shard_distribution_strategy",
                             [](const NdShardSpec &self) {
                               return objectOf(kDistributions, self.shards.distribution);
                             })
      .def("num_cores", [](const NdShardSpec &self) { return self.shards.cores().all().size(); })
      .def(py::self == py::self)
      .def("__hash__", [](const NdShardSpec &self) { return py::hash(py::str(textOf(self))); })
      .def("__repr__", [](const NdShardSpec &self) { return textOf(self); });
}

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

MemoryConfig makeMemoryConfig(MemoryLayout layout, hw::BufferType buffer,
                              std::optional<ShardSpec> shards) {
  MemoryConfig memory{layout, buffer, std::move(shards)};
  memory.check();
  return memory;
}

MemoryConfig makeNdMemoryConfig(hw::BufferType buffer, const NdShardSpec &shards) {
  return {MemoryLayout::NdSharded, buffer, shards.shards};
}

MemoryConfig refuseNdShards(MemoryLayout, hw::BufferType, const NdShardSpec &) {
  throw py::type_error("an NdShardSpec needs no memory_layout: write "
                       "ttnn.MemoryConfig(buffer_type, nd_shard_spec)");
}

// Returns the layout with shards of two dimensions, if the config has one.
MemoryLayout layoutOf(const MemoryConfig &memory) {
  return memory.layout == MemoryLayout::NdSharded && memory.other ? memory.other->layout
                                                                  : memory.layout;
}

std::optional<ShardSpec> shardSpecOf(const MemoryConfig &memory) {
  if (memory.layout != MemoryLayout::NdSharded)
    return memory.shards;
  return memory.other ? std::optional(memory.other->shards) : std::nullopt;
}

std::optional<NdShardSpec> ndShardSpecOf(const MemoryConfig &memory) {
  if (memory.layout == MemoryLayout::NdSharded)
    return NdShardSpec{*memory.shards};
  return memory.other ? std::optional(NdShardSpec{memory.other->shards}) : std::nullopt;
}

void bindMemory(py::module_ &module) {
  py::class_<MemoryConfig>(
      module, "MemoryConfig",
      "ttnn.MemoryConfig(memory_layout, buffer_type, shard_spec=None) or "
      "ttnn.MemoryConfig(buffer_type, nd_shard_spec): where a tensor is, and how it is divided.")
      .def(py::init(&makeMemoryConfig), py::arg("memory_layout") = MemoryLayout::Interleaved,
           py::arg("buffer_type") = hw::BufferType::DRAM, py::arg("shard_spec") = py::none())
      .def(py::init(&makeNdMemoryConfig), py::arg("buffer_type"), py::arg("nd_shard_spec"))
      .def(py::init(&refuseNdShards), py::arg("memory_layout"), py::arg("buffer_type"),
           py::arg("shard_spec"))
      .def_property_readonly(
          "memory_layout",
          [](const MemoryConfig &self) { return objectOf(kMemoryLayouts, layoutOf(self)); })
      .def_property_readonly(
          "buffer_type",
          [](const MemoryConfig &self) { return objectOf(kBufferTypes, self.buffer); })
      .def_property_readonly("shard_spec", &shardSpecOf)
      .def_property_readonly("nd_shard_spec", &ndShardSpecOf)
      .def("is_sharded", &MemoryConfig::isSharded)
      .def(py::self == py::self)
      .def("__hash__", [](const MemoryConfig &self) { return py::hash(py::str(describe(self))); })
      .def("__repr__",
           [](const MemoryConfig &self) { return fmt::format("<{} memory>", describe(self)); });
}

} // namespace

void bindMemoryConfig(py::module_ &module) {
  bindConstants<hw::BufferType>(
      module, "BufferType", "The memory of a tensor: ttnn.BufferType.DRAM or L1.", kBufferTypes);
  bindConstants<MemoryLayout>(module, "TensorMemoryLayout",
                              "How a tensor is divided: INTERLEAVED, by pages over the banks, "
                              "HEIGHT_SHARDED, WIDTH_SHARDED or BLOCK_SHARDED over cores, or "
                              "ND_SHARDED, as an NdShardSpec says.",
                              kMemoryLayouts);
  bindConstants<ShardOrientation>(module, "ShardOrientation",
                                  "The order in which cores get shards: ROW_MAJOR or COL_MAJOR.",
                                  kOrientations);
  bindConstants<ShardDistribution>(
      module, "ShardDistributionStrategy",
      "How shards are dealt to cores: ROUND_ROBIN_1D, one core after the other, or GRID_2D, each "
      "on the core in its row and column.",
      kDistributions);
  bindCores(module);
  bindShardSpec(module);
  bindNdShardSpec(module);
  bindMemory(module);
}

} // namespace ttjit::frontend
