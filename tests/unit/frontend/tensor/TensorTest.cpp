//===- TensorTest.cpp - tensors on the host and on the device -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/Tensor.h"

#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::frontend;

namespace {

std::shared_ptr<hw::Device> makeDevice() {
  return std::make_shared<hw::Device>(*hw::lookupArch("wormhole_b0"));
}

std::vector<float> iota(int64_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

std::byte *bytes(std::vector<float> &values) {
  return reinterpret_cast<std::byte *>(values.data());
}

HostStorage borrow(std::vector<float> &values) { return {bytes(values), nullptr, true, {}}; }

std::vector<float> contents(const Tensor &tensor) {
  std::vector<float> values(tensor.spec().numElements());
  tensor.read(bytes(values), DType::Float32);
  return values;
}

float elementOfPage(hw::Device &device, const hw::TensorAllocation &pages, uint32_t page,
                    int element) {
  float value;
  std::memcpy(&value, device.page(pages, page) + element * sizeof(float), sizeof(float));
  return value;
}

// Writes every byte of every page, as a kernel would.
void overwrite(hw::Device &device, const hw::TensorAllocation &pages, float value) {
  for (uint32_t page = 0; page < pages.numPages; ++page)
    for (uint32_t offset = 0; offset < pages.pageBytes; offset += sizeof(float))
      std::memcpy(device.page(pages, page) + offset, &value, sizeof(float));
}

const std::vector<std::vector<int64_t>> kShapes = {{},       {1},       {40},          {32, 32},
                                                   {33, 65}, {3, 2, 5}, {2, 2, 34, 40}};

TEST(Tensor, DeviceRoundTrip) {
  auto device = makeDevice();
  for (TensorLayout layout : {TensorLayout::Tile, TensorLayout::RowMajor})
    for (const std::vector<int64_t> &shape : kShapes) {
      TensorSpec spec{shape, DType::Float32, layout, {}};
      std::vector<float> values = iota(spec.numElements());
      Tensor tensor(spec, device, bytes(values));
      EXPECT_EQ(contents(tensor), values) << describe(shape) << nameOf(layout);
    }
}

TEST(Tensor, TilesStandInFaces) {
  auto device = makeDevice();
  std::vector<float> values = iota(64 * 64);
  Tensor tensor({{64, 64}, DType::Float32, TensorLayout::Tile, {}}, borrow(values));
  hw::TensorAllocation pages = tensor.placeForLaunch(device, "a");
  ASSERT_EQ(pages.numPages, 4u);
  EXPECT_EQ(elementOfPage(*device, pages, 0, 0), values[0]);
  EXPECT_EQ(elementOfPage(*device, pages, 0, 16), values[64]);       // second row of face 0
  EXPECT_EQ(elementOfPage(*device, pages, 0, 256), values[16]);      // face 1
  EXPECT_EQ(elementOfPage(*device, pages, 0, 512), values[16 * 64]); // face 2
  EXPECT_EQ(elementOfPage(*device, pages, 1, 0), values[32]);        // next tile of the row
  EXPECT_EQ(elementOfPage(*device, pages, 2, 0), values[32 * 64]);   // next row of tiles
}

TEST(Tensor, PaddingIsZeroOnTheDevice) {
  auto device = makeDevice();
  {
    std::vector<float> ones(32 * 32, 1.0f); // so that the memory was used before
    Tensor earlier({{32, 32}, DType::Float32, TensorLayout::Tile, {}}, device, bytes(ones));
  }
  std::vector<float> value = {7.0f};
  Tensor tensor({{1}, DType::Float32, TensorLayout::Tile, {}}, borrow(value));
  hw::TensorAllocation pages = tensor.placeForLaunch(device, "a");
  EXPECT_EQ(elementOfPage(*device, pages, 0, 0), 7.0f);
  for (int element = 1; element < 1024; ++element)
    ASSERT_EQ(elementOfPage(*device, pages, 0, element), 0.0f) << element;
}

TEST(Tensor, ZerosWithoutAnArray) {
  auto device = makeDevice();
  Tensor tensor({{40, 40}, DType::Float32, TensorLayout::Tile, {}}, device, nullptr);
  EXPECT_EQ(contents(tensor), std::vector<float>(1600, 0.0f));
}

TEST(Tensor, BFloat16IsRoundedToNearestEven) {
  // 3/4 ulp above 1; 1/2 ulp above 1, which goes to the even 1; 1/2 ulp above an odd value.
  std::vector<float> values = {1.0f + 0.75f / 128, 1.0f + 0.5f / 128, 1.0f + 1.5f / 128};
  std::vector<uint16_t> bits(3);
  convertElements(bytes(values), DType::Float32, reinterpret_cast<std::byte *>(bits.data()),
                  DType::BFloat16, 3);
  EXPECT_EQ(bits, (std::vector<uint16_t>{0x3f81, 0x3f80, 0x3f82}));
}

TEST(Tensor, ConvertsAnyCount) {
  for (int64_t count : {0, 1, 31, 33, 1024, 1025, 5000}) {
    std::vector<float> values(count), back(count);
    for (int64_t i = 0; i < count; ++i)
      values[i] = static_cast<float>(i % 256);
    std::vector<uint16_t> bits(count);
    auto *stored = reinterpret_cast<std::byte *>(bits.data());
    convertElements(bytes(values), DType::Float32, stored, DType::BFloat16, count);
    convertElements(stored, DType::BFloat16, bytes(back), DType::Float32, count);
    EXPECT_EQ(back, values) << count;
  }
}

TEST(Tensor, HostTensorTakesOverWhatTheKernelWrote) {
  auto device = makeDevice();
  std::vector<float> values(33 * 40, 1.0f);
  int notified = 0;
  HostStorage storage = borrow(values);
  storage.afterWrite = [&] { ++notified; };
  Tensor tensor({{33, 40}, DType::Float32, TensorLayout::Tile, {}}, std::move(storage));
  overwrite(*device, tensor.placeForLaunch(device, "y"), 5.0f);
  EXPECT_EQ(values[0], 1.0f);
  tensor.copyBack();
  EXPECT_EQ(values, std::vector<float>(33 * 40, 5.0f));
  EXPECT_EQ(notified, 1);
  EXPECT_FALSE(tensor.isOnDevice());
  tensor.copyBack(); // the tensor is not on a device, so nothing happens
  EXPECT_EQ(notified, 1);
}

TEST(Tensor, ReleaseKeepsTheHostArray) {
  auto device = makeDevice();
  std::vector<float> values(64, 1.0f);
  Tensor tensor({{64}, DType::Float32, TensorLayout::RowMajor, {}}, borrow(values));
  overwrite(*device, tensor.placeForLaunch(device, "x"), 5.0f);
  tensor.release();
  tensor.copyBack();
  EXPECT_EQ(values, std::vector<float>(64, 1.0f));
}

TEST(Tensor, ReadOnlyArraysMayBeReadButNotWritten) {
  auto device = makeDevice();
  std::vector<float> values(64, 1.0f);
  HostStorage storage = borrow(values);
  storage.writable = false;
  Tensor tensor({{64}, DType::Float32, TensorLayout::Tile, {}}, std::move(storage));
  tensor.placeForLaunch(device, "x");
  EXPECT_NO_THROW(tensor.copyBack());
  overwrite(*device, tensor.placeForLaunch(device, "x"), 5.0f);
  EXPECT_THROW(tensor.copyBack(), TensorError);
  EXPECT_EQ(values, std::vector<float>(64, 1.0f));
}

Tensor hostTensor(std::vector<float> &values, std::vector<int64_t> shape,
                  TensorLayout layout = TensorLayout::Tile, MemoryConfig memory = {}) {
  return Tensor({std::move(shape), DType::Float32, layout, memory}, borrow(values));
}

TEST(Tensor, SharesArraysThatKernelsCanWorkOn) {
  std::vector<float> values(64 * 64);
  Tensor whole = hostTensor(values, {64, 64}), padded = hostTensor(values, {33, 64});
  Tensor rows = hostTensor(values, {33, 33}, TensorLayout::RowMajor);
  Tensor inL1 = hostTensor(values, {64, 64}, TensorLayout::Tile,
                           {MemoryLayout::Interleaved, hw::BufferType::L1, {}});
  Tensor blockFloat({{64, 64}, DType::BFloat8_B, TensorLayout::Tile, {}}, borrow(values));
  Tensor readOnly({{64, 64}, DType::Float32, TensorLayout::Tile, {}},
                  HostStorage{bytes(values), nullptr, false, {}});
  Tensor placed({{64, 64}, DType::Float32, TensorLayout::Tile, {}}, makeDevice(), nullptr);
  for (bool isWritten : {false, true}) {
    EXPECT_TRUE(whole.canShare(isWritten));
    EXPECT_TRUE(rows.canShare(isWritten));
    EXPECT_EQ(padded.canShare(isWritten), !isWritten);
    EXPECT_EQ(readOnly.canShare(isWritten), !isWritten);
    for (Tensor *tensor : {&inL1, &blockFloat, &placed})
      EXPECT_FALSE(tensor->canShare(isWritten));
  }
}

TEST(Tensor, OverlapIsThatOfTheArrays) {
  std::vector<float> values(128);
  auto from = [&](int64_t first) {
    return Tensor({{32}, DType::Float32, TensorLayout::Tile, {}},
                  HostStorage{bytes(values) + first * sizeof(float), nullptr, true, {}});
  };
  Tensor placed({{32}, DType::Float32, TensorLayout::Tile, {}}, makeDevice(), nullptr);
  EXPECT_TRUE(from(0).overlaps(from(0)));
  EXPECT_TRUE(from(0).overlaps(from(31)));
  EXPECT_TRUE(from(31).overlaps(from(0)));
  EXPECT_FALSE(from(0).overlaps(from(32)));
  EXPECT_FALSE(from(32).overlaps(from(0)));
  EXPECT_FALSE(from(0).overlaps(placed));
}

TEST(Tensor, SharedTensorIsNotCopied) {
  auto device = makeDevice();
  for (TensorLayout layout : {TensorLayout::Tile, TensorLayout::RowMajor}) {
    std::vector<float> values = iota(64 * 64), before = values;
    int notified = 0;
    HostStorage storage = borrow(values);
    storage.afterWrite = [&] { ++notified; };
    Tensor tensor({{64, 64}, DType::Float32, layout, {}}, std::move(storage));
    uint32_t base = tensor.shareForLaunch(device, "y").base;
    tensor.copyBack();
    EXPECT_EQ(values, before);
    EXPECT_EQ(notified, 1);
    // The next launch may copy the values again.
    hw::TensorAllocation pages = tensor.placeForLaunch(device, "y");
    EXPECT_EQ(pages.base, base);
    EXPECT_EQ(elementOfPage(*device, pages, 0, 0), 1.0f);
    overwrite(*device, pages, 5.0f);
    tensor.copyBack();
    EXPECT_EQ(values, std::vector<float>(64 * 64, 5.0f));
  }
}

TEST(Tensor, DeviceTensorKeepsItsPlace) {
  auto device = makeDevice();
  Tensor tensor({{32, 32}, DType::Float32, TensorLayout::Tile, {}}, device, nullptr);
  hw::TensorAllocation pages = tensor.placeForLaunch(device, "y");
  EXPECT_EQ(pages.base, *tensor.bufferAddress());
  overwrite(*device, pages, 5.0f);
  tensor.copyBack();
  tensor.release();
  EXPECT_EQ(contents(tensor), std::vector<float>(1024, 5.0f));
}

TEST(Tensor, PagesAreFreed) {
  auto device = makeDevice();
  std::vector<float> values(1024, 1.0f);
  Tensor tensor({{32, 32}, DType::Float32, TensorLayout::Tile, {}}, borrow(values));
  uint32_t first = tensor.placeForLaunch(device, "x").base;
  tensor.release();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(tensor.placeForLaunch(device, "x").base, first);
    tensor.copyBack();
  }
}

TEST(Tensor, RefusesAnotherDeviceAndTooLargeOnes) {
  auto device = makeDevice(), other = makeDevice();
  Tensor tensor({{32, 32}, DType::Float32, TensorLayout::Tile, {}}, device, nullptr);
  EXPECT_THROW(tensor.placeForLaunch(other, "a"), TensorError);
  // A tensor of 16 TiB; a Wormhole has 12 GiB.
  std::vector<float> none(1);
  Tensor large({{int64_t(1) << 22, int64_t(1) << 20}, DType::Float32, TensorLayout::RowMajor, {}},
               borrow(none));
  EXPECT_THROW(large.placeForLaunch(device, "b"), TensorError);
}

TEST(Tensor, WriteReplacesTheContents) {
  auto device = makeDevice();
  std::vector<float> memory(33 * 40), values = iota(33 * 40);
  TensorSpec spec{{33, 40}, DType::Float32, TensorLayout::Tile, {}};
  Tensor placed(spec, device, nullptr), host(spec, borrow(memory));
  for (Tensor *tensor : {&placed, &host}) {
    tensor->write(bytes(values));
    EXPECT_EQ(contents(*tensor), values);
  }
  EXPECT_EQ(memory, values);
  Tensor readOnly(spec, HostStorage{bytes(memory), nullptr, false, {}});
  EXPECT_THROW(readOnly.write(bytes(values)), TensorError);
}

TEST(Tensor, DeallocatedTensorIsNotUsed) {
  auto device = makeDevice();
  std::vector<float> memory(32);
  TensorSpec spec{{32}, DType::Float32, TensorLayout::Tile, {}};
  Tensor tensor(spec, device, nullptr), host(spec, borrow(memory));
  std::optional<uint32_t> address = tensor.bufferAddress();
  tensor.deallocate();
  EXPECT_FALSE(tensor.isAllocated());
  EXPECT_THROW(tensor.write(bytes(memory)), TensorError);
  EXPECT_THROW(tensor.read(bytes(memory), DType::Float32), TensorError);
  EXPECT_THROW(tensor.bufferAddress(), TensorError);
  EXPECT_THROW(tensor.device(), TensorError);
  EXPECT_THROW(tensor.placeForLaunch(device, "a"), TensorError);
  EXPECT_EQ(Tensor(spec, device, nullptr).bufferAddress(), address);
  host.deallocate();
  EXPECT_TRUE(host.isAllocated());
}

} // namespace
