//===- Placements.cpp - tensors that are cut over a mesh of chips -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The search is Dijkstra's: the nodes are placements, the edges are collectives along one axis, and
// their lengths are the bytes that each chip sends.
//===--------------------------------------------------------------------------===//

#include "ir/Layouts/Placements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <queue>
#include <set>

using namespace ttjit::layouts;
using llvm::ArrayRef;

Shape ttjit::layouts::partsOf(const MeshPlacement &placement, size_t rank) {
  Shape parts(rank, 1);
  for (auto [extent, dim] : llvm::zip(placement.mesh, placement.dims))
    if (dim >= 0)
      parts[dim] *= extent;
  return parts;
}

std::optional<Shape> ttjit::layouts::localShape(const MeshPlacement &placement,
                                                ArrayRef<int64_t> shape) {
  Shape local(shape);
  for (auto [extent, parts] : llvm::zip(local, partsOf(placement, shape.size()))) {
    if (extent % parts)
      return std::nullopt;
    extent /= parts;
  }
  return local;
}

//===--------------------------------------------------------------------------===//
// Steps
//===--------------------------------------------------------------------------===//

// Returns the function that changes what an axis cuts; nothing if there is none.
static std::string_view functionFor(int64_t before, int64_t after) {
  if (before == after || after == kPartial)
    return {};
  if (before == kPartial)
    return after == kReplicated ? "all_reduce" : "reduce_scatter";
  if (before == kReplicated)
    return "mesh_partition";
  return after == kReplicated ? "all_gather" : "all_to_all";
}

// Returns the bytes that each chip sends in a ring of `chips`, for a part of `size` bytes.
static int64_t bytesSent(std::string_view function, int64_t size, int64_t chips) {
  if (function == "mesh_partition")
    return 0;
  if (function == "all_gather")
    return (chips - 1) * size;
  int64_t rounds = function == "all_reduce" ? 2 : 1;
  return llvm::divideCeil(rounds * (chips - 1) * size, chips);
}

// Whether no later axis cuts the dimension, so that the parts of the axis lie side by side.
static bool isInnermost(ArrayRef<int64_t> dims, size_t axis, int64_t dim) {
  return dim < 0 || !llvm::is_contained(dims.drop_front(axis + 1), dim);
}

namespace {

// A placement that the search has reached.
struct Reached {
  int64_t bytes, count, number; // `number`: of equal costs the first one found
  Shape dims;
  std::vector<CollectiveStep> steps;

  bool operator>(const Reached &other) const {
    return std::tie(bytes, count, number) > std::tie(other.bytes, other.count, other.number);
  }
};

class Search {
public:
  explicit Search(const Redistribution &redistribution) : given(redistribution) {}

  std::optional<std::vector<CollectiveStep>> run();

private:
  void addNext(const Reached &from);
  void addStep(const Reached &from, int64_t size, size_t axis, int64_t after);

  const Redistribution &given;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> waiting;
  std::set<Shape> done;
  int64_t numFound = 0;
};

} // namespace

void Search::addStep(const Reached &from, int64_t size, size_t axis, int64_t after) {
  int64_t before = from.dims[axis];
  std::string_view function = functionFor(before, after);
  if (function.empty() || !isInnermost(from.dims, axis, before) ||
      !isInnermost(from.dims, axis, after))
    return;
  Reached next = from;
  next.dims[axis] = after;
  if (!localShape({given.before.mesh, next.dims}, given.shape))
    return;
  int64_t bytes = bytesSent(function, size, given.before.mesh[axis]);
  next.steps.push_back({function, static_cast<int64_t>(axis), before, after, bytes});
  next.bytes += bytes;
  ++next.count;
  next.number = ++numFound;
  waiting.push(std::move(next));
}

void Search::addNext(const Reached &from) {
  Shape local = *localShape({given.before.mesh, from.dims}, given.shape);
  int64_t size = given.elementBytes;
  for (int64_t extent : local)
    size *= extent;
  for (size_t axis = 0; axis < from.dims.size(); ++axis)
    for (int64_t after = kReplicated; after < static_cast<int64_t>(given.shape.size()); ++after)
      addStep(from, size, axis, after);
}

std::optional<std::vector<CollectiveStep>> Search::run() {
  waiting.push({0, 0, 0, given.before.dims, {}});
  while (!waiting.empty()) {
    Reached next = waiting.top();
    waiting.pop();
    if (next.dims == given.after.dims)
      return next.steps;
    if (done.insert(next.dims).second)
      addNext(next);
  }
  return std::nullopt;
}

std::optional<std::vector<CollectiveStep>>
ttjit::layouts::cheapestSteps(const Redistribution &redistribution) {
  return Search(redistribution).run();
}

std::string ttjit::layouts::textOf(const CollectiveStep &step) {
  std::string dims;
  for (int64_t dim : {step.before, step.after})
    if (dim >= 0)
      dims += (dims.empty() ? "dim " : " to ") + std::to_string(dim);
  return std::string(step.function) + "(" + dims + (dims.empty() ? "" : ", ") + "axis " +
         std::to_string(step.axis) + "), " + std::to_string(step.bytes) + " bytes";
}
