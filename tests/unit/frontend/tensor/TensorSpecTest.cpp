//===- TensorSpecTest.cpp - pages that follow from shapes ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/TensorSpec.h"

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::frontend;

namespace {

TensorSpec tiled(std::vector<int64_t> shape, DType dtype = DType::Float32) {
  return {std::move(shape), dtype, TensorLayout::Tile, {}};
}

TensorSpec rows(std::vector<int64_t> shape, DType dtype = DType::Float32) {
  return {std::move(shape), dtype, TensorLayout::RowMajor, {}};
}

std::string refusal(const TensorSpec &spec) {
  try {
    spec.check();
  } catch (const TensorError &error) {
    return error.what();
  }
  return "accepted";
}

TEST(TensorSpec, TilePages) {
  EXPECT_EQ(tiled({64, 96}).numPages(), 6);
  EXPECT_EQ(tiled({65, 1}).numPages(), 3);
  EXPECT_EQ(tiled({2, 3, 33, 32}).numPages(), 12);
  EXPECT_EQ(tiled({32, 32}).pageBytes(), 4096);
  EXPECT_EQ(tiled({32, 32}, DType::BFloat16).pageBytes(), 2048);
}

TEST(TensorSpec, LowRanksAreOneRow) {
  EXPECT_EQ(tiled({100}).numPages(), 4);
  EXPECT_EQ(tiled({}).numPages(), 1);
  EXPECT_EQ(rows({100}).numPages(), 1);
  EXPECT_EQ(rows({100}).pageBytes(), 400);
  EXPECT_EQ(rows({}).pageBytes(), 4);
}

TEST(TensorSpec, RowMajorPages) {
  EXPECT_EQ(rows({2, 3, 7}, DType::BFloat16).numPages(), 6);
  EXPECT_EQ(rows({2, 3, 7}, DType::BFloat16).pageBytes(), 14);
}

TEST(TensorSpec, HostBytesHaveNoPadding) {
  EXPECT_EQ(tiled({33, 33}).hostBytes(), 33 * 33 * 4);
  EXPECT_EQ(tiled({}, DType::BFloat16).hostBytes(), 2);
}

TEST(TensorSpec, BlockFloatsHaveTileLayout) {
  EXPECT_EQ(refusal(tiled({32, 32}, DType::BFloat8_B)), "accepted");
  EXPECT_EQ(refusal(rows({32, 32}, DType::BFloat4_B)),
            "a tensor of bfloat4_b must have tile layout, because 16 elements share an exponent: "
            "use layout=ttnn.TILE_LAYOUT, or another type");
  EXPECT_EQ(tiled({32, 64}, DType::BFloat8_B).pageBytes(), 1088);
  EXPECT_EQ(tiled({32, 64}, DType::BFloat4_B).pageBytes(), 576);
  EXPECT_EQ(tiled({32, 64}, DType::BFloat4_B).hostBytes(), 32 * 64 * 4);
}

TEST(TensorSpec, EveryTypeHasTiles) {
  const int64_t bytes[kNumDTypes] = {4096, 2048, 2048, 1088, 576, 4096, 4096, 2048, 1024};
  for (int i = 0; i < kNumDTypes; ++i) {
    EXPECT_EQ(refusal(tiled({32, 32}, static_cast<DType>(i))), "accepted");
    EXPECT_EQ(tiled({32, 32}, static_cast<DType>(i)).pageBytes(), bytes[i]);
  }
}

TEST(TensorSpec, RefusesImpossibleExtents) {
  EXPECT_EQ(refusal(tiled({3, 0})), "shape (3, 0): extent 0 must be at least 1");
  EXPECT_EQ(refusal(tiled({-1})), "shape (-1,): extent -1 must be at least 1");
  EXPECT_NE(refusal(tiled({int64_t(1) << 40, int64_t(1) << 40})).find("2^44"), std::string::npos);
  EXPECT_NE(refusal(rows({int64_t(1) << 33, 1})).find("32 bits"), std::string::npos);
}

} // namespace
