//===- LayoutsTest.cpp - shapes and positions of tt-mlir's layouts ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/TileShape.h"
#include "ir/Layouts/Grids.h"
#include "ir/Layouts/Layout.h"
#include "ir/Layouts/Position.h"
#include "ir/Layouts/ShapeText.h"
#include "ir/TTCore/TTCoreLayouts.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace ttjit::layouts;
using namespace ttjit;
using llvm::ArrayRef;

namespace {

const Shape kDevice = {8, 8};

Intervals noCollapse(int64_t rank) { return normalizeIntervals({}, rank); }

//===--------------------------------------------------------------------------===//
// The shapes that tt-mlir computes
//===--------------------------------------------------------------------------===//

struct Row {
  Shape logical, alignments, tiles, grid, shard;
  bool collapses = true, isVirtual = false;
};

const Row kRows[] = {
    {{64, 128}, {32, 32}, {2, 4}, {2, 4}, {1, 1}},
    {{33, 128}, {32, 32}, {2, 4}, {2, 4}, {1, 1}},
    {{2, 32, 128}, {1, 32, 32}, {2, 4}, {2, 4}, {1, 1}},
    {{2, 33, 128}, {1, 32, 32}, {4, 4}, {4, 4}, {1, 1}},
    {{4, 64, 256}, {1, 32, 32}, {8, 8}, {8, 8}, {1, 1}},
    {{2, 32, 130}, {1, 32, 32}, {2, 5}, {2, 5}, {1, 1}},
    {{2, 3, 5, 193}, {1, 1, 32, 32}, {6, 7}, {6, 7}, {1, 1}},
    {{9, 43, 7}, {256, 32, 32}, {24, 1}, {24, 1}, {1, 1}, true, true},
    {{31, 33, 447}, {256, 32, 256}, {64, 16}, {8, 8}, {8, 2}},
    {{512, 512}, {256, 256}, {16, 16}, {8, 8}, {2, 2}},
    {{2000, 64}, {256, 32}, {64, 2}, {64, 1}, {1, 2}, true, true},
    {{32, 8192}, {32, 256}, {1, 256}, {1, 64}, {1, 4}, true, true},
    {{100}, {32}, {1, 4}, {1, 4}, {1, 1}},
    {{3, 32, 64}, {1, 32, 32}, {3, 1, 2}, {3, 1, 2}, {1, 1, 1}, false, true},
    {{4, 8, 64, 128}, {1, 1, 32, 32}, {4, 8, 2, 4}, {1, 8, 2, 4}, {4, 1, 1, 1}, false, true},
};

TEST(Layouts, EveryRowOfTheTable) {
  for (const Row &row : kRows) {
    SCOPED_TRACE(textOf(row.logical));
    int64_t rank = row.logical.size();
    Intervals intervals = row.collapses ? defaultIntervals(rank) : noCollapse(rank);
    Shape alignments = gridAlignments(row.logical, intervals, kDevice);
    EXPECT_EQ(alignments, row.alignments);
    ASSERT_EQ(whyNoLayout(row.logical, alignments, intervals), std::nullopt);
    Shape collapsed = collapsedShape({row.logical, alignments, intervals});
    ASSERT_EQ(whyNotTiled(collapsed, {32, 32}), std::nullopt);
    Shape tiles = physicalShape(collapsed, TileShape{32, 32});
    EXPECT_EQ(tiles, row.tiles);
    Shape grid = selectGrid(tiles, kDevice, /*isSharded=*/true);
    EXPECT_EQ(grid, row.grid);
    ASSERT_EQ(whyNoShards(tiles, grid), std::nullopt);
    EXPECT_EQ(shardShape(tiles, grid), row.shard);
    EXPECT_EQ(isVirtual(grid, kDevice), row.isVirtual);
  }
}

TEST(Layouts, TileAlignmentsPadLess) {
  Shape logical = {9, 43, 7};
  Intervals intervals = defaultIntervals(3);
  Shape alignments = tileAlignments(3, intervals);
  EXPECT_EQ(alignments, Shape({1, 32, 32}));
  Shape collapsed = collapsedShape({logical, alignments, intervals});
  EXPECT_EQ(physicalShape(collapsed, TileShape{}), Shape({18, 1}));
}

TEST(Layouts, ScalarsAndVectors) {
  EXPECT_EQ(collapsedShape({{}, {}, {}}), Shape({32, 32}));
  EXPECT_EQ(collapsedIndex({{}, {}, {}}, {}), Shape({0, 0}));
  Layout vector = {{100}, {32}, defaultIntervals(1)};
  EXPECT_EQ(collapsedShape(vector), Shape({32, 128}));
  EXPECT_EQ(collapsedIndex(vector, {70}), Shape({0, 70}));
  EXPECT_EQ(hostMemory(vector).strides, Shape({1}));
  EXPECT_EQ(hostMemory(vector).volume, 32 * 128);
}

//===--------------------------------------------------------------------------===//
// Intervals
//===--------------------------------------------------------------------------===//

TEST(Intervals, NegativeBoundsCountFromTheEnd) {
  EXPECT_EQ(normalizeIntervals({{0, -1}}, 2), (Intervals{{0, 1}, {1, 2}}));
  EXPECT_EQ(normalizeIntervals({{-3, -1}, {0, 3}}, 6), (Intervals{{0, 3}, {3, 5}, {5, 6}}));
  EXPECT_EQ(normalizeIntervals({}, 3), (Intervals{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(normalizeIntervals({}, 1), (Intervals{{0, 0}, {0, 1}}));
  EXPECT_EQ(normalizeIntervals({}, 0), Intervals());
}

TEST(Intervals, WrongOnesAreNamed) {
  auto mistake = [](ArrayRef<Interval> intervals) {
    return whyNoLayout({2, 3, 4}, {1, 1, 1}, intervals).value_or("");
  };
  EXPECT_EQ(mistake({{0, 2}, {2, 3}}), "");
  EXPECT_NE(mistake({{0, 4}}).find("the interval [0, 4] is outside"), std::string::npos);
  EXPECT_NE(mistake({{-4, 2}}).find("the interval [-4, 2] is outside"), std::string::npos);
  EXPECT_NE(mistake({{2, 1}}).find("the interval [2, 1] has no dimension"), std::string::npos);
  EXPECT_NE(mistake({{1, 3}}).find("dimension 0 is before the interval [1, 3]"), std::string::npos);
  EXPECT_NE(mistake({{0, 2}, {1, 3}}).find("dimension 1 is in two intervals"), std::string::npos);
}

TEST(Layouts, ShapesThatCannotBeStoredAreNamed) {
  EXPECT_EQ(whyNotTiled({4096}, {}),
            "tiles need two dimensions, but the intervals collapse the shape to one: 4096");
  EXPECT_EQ(whyNotTiled({33, 64}, {}),
            "the collapsed shape 33x64 is not made of whole tiles of 32x32: dim_alignments must be "
            "multiples of the tile's extents");
  EXPECT_EQ(whyNoShards({2, 4}, {2}),
            "the grid 2 has rank 1, but the physical shape 2x4 has rank 2");
  EXPECT_EQ(whyNoShards({2, 4}, {3, 1}),
            "the grid 3x1 does not divide the physical shape 2x4: each core must have the same "
            "number of tiles or elements");
  EXPECT_EQ(whyNoShards({2, 4}, {2, 4}), std::nullopt);
}

TEST(Layouts, ShapesThatOverflowAreRefused) {
  int64_t big = int64_t(1) << 40;
  auto mistake = [&](ArrayRef<int64_t> logical, ArrayRef<int64_t> alignments) {
    return whyNoLayout(logical, alignments, defaultIntervals(logical.size())).value_or("");
  };
  EXPECT_EQ(mistake({1 << 20, 1 << 20}, {32, 32}), "");
  EXPECT_NE(mistake({big, big}, {1, 1}).find("2^56"), std::string::npos);
  EXPECT_NE(mistake({big, big, big}, {1, 1, 1}).find("2^56"), std::string::npos);
  EXPECT_NE(mistake({1, 1}, {INT64_MAX, INT64_MAX}).find("2^56"), std::string::npos);
  EXPECT_NE(mistake({INT64_MAX, 1}, {INT64_MAX - 1, 1}).find("2^56"), std::string::npos);
}

//===--------------------------------------------------------------------------===//
// Elements and positions
//===--------------------------------------------------------------------------===//

// A random placement that has few elements.
class RandomPlacement {
public:
  explicit RandomPlacement(unsigned seed) : random(seed) {}

  PlacedLayout make() {
    int64_t rank = upTo(5);
    PlacedLayout result;
    Layout &layout = result.layout;
    for (int64_t dim = 0; dim < rank; ++dim)
      layout.logical.push_back(1 + upTo(rank > 3 ? 5 : 40));
    layout.intervals = normalizeIntervals(someIntervals(rank), rank);
    layout.alignments = tileAlignments(rank, layout.intervals);
    for (int64_t &alignment : layout.alignments)
      alignment *= 1 + upTo(2);
    Shape collapsed = collapsedShape(layout);
    if (collapsed.size() >= 2 && upTo(3))
      result.tile = upTo(1) ? TileShape{32, 32} : TileShape{16, 32};
    for (int64_t extent : result.physical())
      result.grid.push_back(divisorOf(extent));
    return result;
  }

private:
  int64_t upTo(int64_t limit) { return random() % (limit + 1); }

  Intervals someIntervals(int64_t rank) {
    Intervals intervals;
    for (int64_t begin = 0; begin < rank && upTo(3);) {
      int64_t end = begin + 1 + upTo(rank - begin - 1);
      intervals.push_back(upTo(1) && end < rank ? Interval{begin - rank, end - rank}
                                                : Interval{begin, end});
      begin = end;
    }
    std::shuffle(intervals.begin(), intervals.end(), random);
    return intervals;
  }

  int64_t divisorOf(int64_t extent) {
    int64_t divisor = 1 + upTo(extent - 1);
    while (extent % divisor)
      --divisor;
    return divisor;
  }

  std::mt19937 random;
};

// Calls the function with each index into a shape.
void forEach(ArrayRef<int64_t> shape, llvm::function_ref<void(ArrayRef<int64_t>)> function) {
  Shape index(shape.size(), 0);
  for (size_t dim = shape.size();;) {
    function(index);
    for (dim = shape.size(); dim > 0 && ++index[dim - 1] == shape[dim - 1]; --dim)
      index[dim - 1] = 0;
    if (dim == 0)
      return;
  }
}

TEST(Positions, EachElementHasItsOwnAndIsFoundThere) {
  RandomPlacement random(7);
  for (int repeat = 0; repeat < 300; ++repeat) {
    PlacedLayout placement = random.make();
    SCOPED_TRACE(textOf(placement.layout.logical) + " on " + textOf(placement.grid));
    std::set<std::pair<std::vector<int64_t>, int64_t>> seen;
    int64_t bytes = unitBytes(hw::DataFormat::Float32, placement.tile);
    for (int64_t extent : placement.shard())
      bytes *= extent;
    forEach(placement.layout.logical, [&](ArrayRef<int64_t> element) {
      Position position = positionOf(placement, element);
      ASSERT_EQ(elementAt(placement, position), Shape(element));
      int64_t byte = byteInShard(placement, position, hw::DataFormat::Float32);
      ASSERT_TRUE(byte >= 0 && byte < bytes);
      ASSERT_TRUE(seen.insert({{position.core.begin(), position.core.end()}, byte}).second);
      for (auto [core, extent] : llvm::zip(position.core, placement.grid))
        ASSERT_TRUE(core >= 0 && core < extent);
    });
  }
}

TEST(Positions, EachPlaceHasAnElementOrPadding) {
  RandomPlacement random(8);
  for (int repeat = 0; repeat < 25; ++repeat) {
    PlacedLayout placement = random.make();
    TileShape tile = placement.tile.value_or(TileShape{1, 1});
    int64_t elements = 0;
    Shape places = placement.grid;
    llvm::append_range(places, placement.shard());
    places.append({tile.height, tile.width});
    size_t rank = placement.grid.size();
    forEach(places, [&](ArrayRef<int64_t> place) {
      Position position{Shape(place.take_front(rank)), Shape(place.slice(rank, rank)),
                        place[2 * rank], place[2 * rank + 1]};
      std::optional<Shape> element = elementAt(placement, position);
      elements += element.has_value();
      if (element) {
        Position again = positionOf(placement, *element);
        ASSERT_EQ(again.core, position.core);
        ASSERT_EQ(again.inShard, position.inShard);
        ASSERT_EQ(again.row, position.row);
        ASSERT_EQ(again.column, position.column);
      }
    });
    EXPECT_EQ(elements, *volumeOf(placement.layout.logical));
  }
}

TEST(Positions, HostStridesAreThoseOfTheCollapsedShape) {
  RandomPlacement random(9);
  for (int repeat = 0; repeat < 200; ++repeat) {
    Layout layout = random.make().layout;
    Shape collapsed = collapsedShape(layout);
    HostMemory memory = hostMemory(layout);
    if (layout.logical.empty())
      continue;
    forEach(layout.logical, [&](ArrayRef<int64_t> element) {
      int64_t offset = 0, number = 0;
      for (auto [i, stride] : llvm::zip(element, memory.strides))
        offset += i * stride;
      for (auto [i, extent] : llvm::zip(collapsedIndex(layout, element), collapsed))
        number = number * extent + i;
      ASSERT_EQ(offset, number);
      ASSERT_LT(offset, memory.volume);
    });
  }
}

TEST(Positions, TilesAreStoredAsFaces) {
  for (int row = 0; row < 32; ++row)
    for (int column = 0; column < 32; ++column)
      EXPECT_EQ(elementInTile({32, 32}, row, column), hw::elementIndex(row, column));
  EXPECT_EQ(elementInTile({8, 32}, 1, 16), 8 * 16 + 16);
  EXPECT_EQ(elementInTile({32, 16}, 16, 3), 256 + 3);
  EXPECT_EQ(byteInTile(hw::DataFormat::Bfp8_b, {32, 32}, 0, 16), 64 + 256);
  EXPECT_EQ(byteInTile(hw::DataFormat::Float16_b, {32, 32}, 1, 1), 34);
}

//===--------------------------------------------------------------------------===//
// Grids
//===--------------------------------------------------------------------------===//

std::string rectangleText(int64_t cores, ArrayRef<int64_t> device) {
  std::optional<Rectangle> found = rectangleFor(cores, device);
  return found ? textOf({found->rows, found->columns}) : "none";
}

TEST(Grids, RectanglesAreNearSquares) {
  EXPECT_EQ(rectangleText(12, kDevice), "3x4");
  EXPECT_EQ(rectangleText(64, kDevice), "8x8");
  EXPECT_EQ(rectangleText(7, kDevice), "1x7");
  EXPECT_EQ(rectangleText(11, kDevice), "none");
  EXPECT_EQ(rectangleText(13, {13, 10}), "13x1");
  EXPECT_EQ(rectangleText(6, {3, 2}), "3x2");
}

TEST(Grids, PointsOfVirtualGridsHaveCoresOfTheirOwn) {
  for (Shape grid : {Shape{1, 12}, Shape{3, 1, 2}, Shape{24, 1}, Shape{1, 8, 2, 4}}) {
    Rectangle rectangle = *rectangleFor(*volumeOf(grid), kDevice);
    std::set<std::vector<int64_t>> cores;
    forEach(grid, [&](ArrayRef<int64_t> point) {
      Shape core = coreOfPoint(grid, rectangle, point);
      EXPECT_LT(core[0], rectangle.rows);
      EXPECT_LT(core[1], rectangle.columns);
      EXPECT_TRUE(cores.insert({core[0], core[1]}).second);
      EXPECT_EQ(pointOfCore(grid, rectangle, core), Shape(point));
    });
  }
}

TEST(Grids, MapsSayTheSame) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::tt::ttcore::TTCoreDialect>();
  for (Shape grid : {Shape{1, 12}, Shape{3, 1, 2}, Shape{24, 1}, Shape{1, 8, 2, 4}}) {
    Rectangle rectangle = *rectangleFor(*volumeOf(grid), kDevice);
    auto maps = mlir::tt::ttcore::VirtualGridAttr::get(&context, grid, rectangle);
    forEach(grid, [&](ArrayRef<int64_t> point) {
      Shape core = coreOfPoint(grid, rectangle, point), chipAndPoint = {0};
      llvm::append_range(chipAndPoint, point);
      EXPECT_EQ(Shape(maps.getVirtToPhysicalMap().compose(point)), Shape({0, core[0], core[1]}));
      EXPECT_EQ(Shape(maps.getPhysicalToVirtMap().compose(core)), chipAndPoint);
    });
  }
}

// Tries all grids and returns the first one of those with the most cores.
Shape bestOfAll(ArrayRef<int64_t> physical) {
  Shape best;
  int64_t most = 0;
  Shape limits;
  for (int64_t extent : physical)
    limits.push_back(std::min<int64_t>(extent, 64));
  forEach(limits, [&](ArrayRef<int64_t> lessOne) {
    Shape grid;
    int64_t cores = 1;
    for (auto [each, extent] : llvm::zip(lessOne, physical)) {
      grid.push_back(each + 1);
      cores *= extent % (each + 1) ? 0 : each + 1;
    }
    if (cores > most && cores <= 64 && rectangleFor(cores, kDevice)) {
      most = cores;
      best = grid;
    }
  });
  return best;
}

TEST(Grids, ThreeDimensionsGetTheMostCores) {
  std::mt19937 random(3);
  for (int repeat = 0; repeat < 100; ++repeat) {
    Shape physical;
    for (int dim = 0; dim < 3; ++dim)
      physical.push_back(1 + random() % 24);
    EXPECT_EQ(selectGrid(physical, kDevice, true), bestOfAll(physical)) << textOf(physical);
  }
}

TEST(Grids, ManyDimensionsAreQuick) {
  Shape grid = selectGrid(Shape(40, 2), kDevice, true);
  EXPECT_EQ(*volumeOf(grid), 64);
  EXPECT_EQ(grid.back(), 2);
  EXPECT_EQ(grid.front(), 1);
}

TEST(Grids, InterleavedTensorsHaveNoVirtualGrid) {
  EXPECT_EQ(selectGrid({1, 256}, kDevice, false), Shape({1, 8}));
  EXPECT_EQ(selectGrid({4, 8, 2, 4}, kDevice, false), Shape({1, 1, 2, 4}));
}

//===--------------------------------------------------------------------------===//
// Views
//===--------------------------------------------------------------------------===//

TEST(Views, ReblockKeepsThePhysicalIndex) {
  Shape from = {2, 4, 4, 2}, to = {4, 2, 2, 4};
  forEach(to, [&](ArrayRef<int64_t> point) {
    Shape found = reblock(point, to, from);
    for (int dim : {0, 1})
      EXPECT_EQ(found[dim] * from[2 + dim] + found[2 + dim],
                point[dim] * to[2 + dim] + point[2 + dim]);
    EXPECT_EQ(reblock(found, from, to), Shape(point));
  });
}

TEST(Views, OtherRanksKeepTheNumberOfAnElement) {
  Shape from = {2, 2, 2, 3}, to = {3, 1, 2, 2, 2, 1}; // 4x6 and 6x2x2
  std::set<std::vector<int64_t>> seen;
  forEach(to, [&](ArrayRef<int64_t> point) {
    Shape found = reblock(point, to, from);
    EXPECT_EQ(reblock(found, from, to), Shape(point));
    EXPECT_TRUE(seen.insert({found.begin(), found.end()}).second);
  });
  EXPECT_EQ(seen.size(), 24u);
}

} // namespace
