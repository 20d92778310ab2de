//===- Placements.cpp - ways between placements in Python ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/Placements.h"

#include "ir/Layouts/Placements.h"

#include <pybind11/stl.h>

namespace py = pybind11;

namespace ttjit::frontend {

using Extents = std::vector<int64_t>;

static layouts::Shape shapeOf(const Extents &extents) {
  return layouts::Shape(extents.begin(), extents.end());
}

// (function, axis, what it cuts before and after, bytes) of each step; None if there is no way.
static py::object cheapestSteps(const Extents &mesh, const Extents &shape, int64_t elementBytes,
                                const Extents &before, const Extents &after) {
  auto steps = layouts::cheapestSteps({shapeOf(shape),
                                       elementBytes,
                                       {shapeOf(mesh), shapeOf(before)},
                                       {shapeOf(mesh), shapeOf(after)}});
  if (!steps)
    return py::none();
  py::list record;
  for (const layouts::CollectiveStep &step : *steps)
    record.append(
        py::make_tuple(std::string(step.function), step.axis, step.before, step.after, step.bytes));
  return record;
}

void bindPlacements(py::module_ &module) {
  module.def("cheapest_steps", cheapestSteps,
             "The collectives between two placements, for (mesh, shape, bytes of an element, what "
             "each axis cuts before and after); -1 is nothing, -2 are sums");
}

} // namespace ttjit::frontend
