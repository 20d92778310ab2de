//===- Grids.cpp - which cores have the shards of a tensor --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Layouts/Grids.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace ttjit;
using namespace ttjit::layouts;
using llvm::ArrayRef;

//===--------------------------------------------------------------------------===//
// Virtual grids
//===--------------------------------------------------------------------------===//

bool layouts::isVirtual(ArrayRef<int64_t> grid, ArrayRef<int64_t> device) {
  return grid.size() != 2 || grid[0] > device[0] || grid[1] > device[1];
}

std::optional<Rectangle> layouts::rectangleFor(int64_t cores, ArrayRef<int64_t> device) {
  int64_t root = 1;
  while ((root + 1) * (root + 1) <= cores && root < std::max(device[0], device[1]))
    ++root;
  for (int64_t side = root; side >= 1; --side) {
    if (cores % side)
      continue;
    int64_t other = cores / side;
    if (side <= device[0] && other <= device[1])
      return Rectangle{side, other};
    if (other <= device[0] && side <= device[1])
      return Rectangle{other, side};
  }
  return std::nullopt;
}

static mlir::SmallVector<int64_t> rowMajor(ArrayRef<int64_t> shape) {
  return mlir::computeSuffixProduct(shape);
}

Shape layouts::coreOfPoint(ArrayRef<int64_t> grid, Rectangle rectangle, ArrayRef<int64_t> point) {
  int64_t number = mlir::linearize(point, rowMajor(grid));
  return {number / rectangle.columns % rectangle.rows, number % rectangle.columns};
}

Shape layouts::pointOfCore(ArrayRef<int64_t> grid, Rectangle rectangle, ArrayRef<int64_t> core) {
  return Shape(mlir::delinearize(core[0] * rectangle.columns + core[1], rowMajor(grid)));
}

//===--------------------------------------------------------------------------===//
// The choice of a grid
//===--------------------------------------------------------------------------===//

// Returns the largest divisor of `extent` that is at most `limit`.
static int64_t largestDivisor(int64_t extent, int64_t limit) {
  while (extent % limit)
    --limit;
  return limit;
}

// Returns the grid along the last two dimensions with as many cores as possible in each.
static Shape blockGrid(ArrayRef<int64_t> physical, ArrayRef<int64_t> device) {
  Shape grid(physical.size(), 1);
  for (size_t i = 0; i < 2; ++i) {
    size_t dim = physical.size() - 2 + i;
    grid[dim] = largestDivisor(physical[dim], device[i]);
  }
  return grid;
}

// Returns a grid along the longer of two dimensions, with the most points that the cores suffice
// for; nothing if it would use at most a quarter of the device.
static std::optional<Shape> lineGrid(ArrayRef<int64_t> physical, ArrayRef<int64_t> device) {
  int64_t cores = device[0] * device[1];
  bool isWide = physical[1] > physical[0];
  int64_t extent = physical[isWide];
  for (int64_t points = std::min(extent, cores); points > cores / 4; --points)
    if (extent % points == 0 && rectangleFor(points, device))
      return isWide ? Shape{1, points} : Shape{points, 1};
  return std::nullopt;
}

// Returns, as products[d], the numbers up to `limit` that are a product of one divisor of each of
// the dimensions d, d + 1, ....
static std::vector<llvm::BitVector> productsFrom(ArrayRef<int64_t> physical, int64_t limit) {
  std::vector<llvm::BitVector> products(physical.size() + 1, llvm::BitVector(limit + 1));
  products.back().set(1);
  for (size_t dim = physical.size(); dim-- > 0;)
    for (int64_t divisor = 1; divisor <= limit; ++divisor)
      if (physical[dim] % divisor == 0)
        for (unsigned product : products[dim + 1].set_bits())
          if (divisor * product <= limit)
            products[dim].set(divisor * product);
  return products;
}

// Returns the grid with the most points that the cores suffice for; of several such grids, the one
// with the smallest first extents.
static Shape volumeGrid(ArrayRef<int64_t> physical, ArrayRef<int64_t> device) {
  int64_t cores = device[0] * device[1];
  std::vector<llvm::BitVector> products = productsFrom(physical, cores);
  int64_t points = cores;
  while (!products[0][points] || !rectangleFor(points, device))
    --points;
  Shape grid;
  for (size_t dim = 0; dim < physical.size(); ++dim) {
    int64_t divisor = 1;
    while (physical[dim] % divisor || points % divisor || !products[dim + 1][points / divisor])
      ++divisor;
    grid.push_back(divisor);
    points /= divisor;
  }
  return grid;
}

Shape layouts::selectGrid(ArrayRef<int64_t> physical, ArrayRef<int64_t> device, bool isSharded) {
  Shape block = blockGrid(physical, device);
  if (!isSharded)
    return block;
  if (physical.size() != 2)
    return volumeGrid(physical, device);
  if (2 * block[0] * block[1] >= device[0] * device[1])
    return block;
  return lineGrid(physical, device).value_or(block);
}

//===--------------------------------------------------------------------------===//
// Other grids for the same storage
//===--------------------------------------------------------------------------===//

// Returns (grid 0, shard 0, grid 1, shard 1, ...) for a device shape. In row-major order of these
// extents the elements have the order of the physical tensor.
static Shape interleaved(ArrayRef<int64_t> gridThenShard) {
  Shape result;
  for (size_t i = 0, rank = gridThenShard.size() / 2; i < rank; ++i)
    result.append({gridThenShard[i], gridThenShard[rank + i]});
  return result;
}

Shape layouts::reblock(ArrayRef<int64_t> point, ArrayRef<int64_t> to, ArrayRef<int64_t> from) {
  int64_t number = mlir::linearize(interleaved(point), rowMajor(interleaved(to)));
  auto pairs = mlir::delinearize(number, rowMajor(interleaved(from)));
  size_t rank = from.size() / 2;
  Shape result(from.size());
  for (size_t i = 0; i < rank; ++i) {
    result[i] = pairs[2 * i];
    result[rank + i] = pairs[2 * i + 1];
  }
  return result;
}
