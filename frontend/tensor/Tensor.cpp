//===- Tensor.cpp - tensors on the host and on the device -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/Tensor.h"

#include "hw/facts/Assert.h"
#include "hw/tile/HostLayout.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace ttjit::frontend {

namespace {

void zeroPages(const Placement &placement) {
  const hw::TensorAllocation &pages = placement.allocation();
  for (uint32_t i = 0; i < pages.numPages; ++i)
    std::memset(placement.device().page(pages, i), 0, pages.pageBytes);
}

/// Lays out a row-major array of the tensor's own type.
void writePages(const TensorSpec &spec, const Placement &placement, const std::byte *rowMajor) {
  hw::Device &device = placement.device();
  const hw::TensorAllocation &pages = placement.allocation();
  hw::DataFormat format = formatOf(spec.dtype);
  // Neither function writes to the array.
  spec.pages().forEachPage(
      const_cast<std::byte *>(rowMajor), format,
      [&](const hw::HostMatrix &matrix, int64_t row, int64_t column, uint32_t page) {
        hw::storeTile(matrix, row, column, format, device.page(pages, page));
      },
      [&](const std::byte *row, uint32_t page) {
        std::memcpy(device.page(pages, page), row, pages.pageBytes);
      });
}

void readPages(const TensorSpec &spec, const Placement &placement, std::byte *rowMajor, DType as) {
  hw::Device &device = placement.device();
  const hw::TensorAllocation &pages = placement.allocation();
  hw::PageLayout layout = spec.pages();
  layout.forEachPage(
      rowMajor, formatOf(as),
      [&](const hw::HostMatrix &matrix, int64_t row, int64_t column, uint32_t page) {
        hw::loadTile(matrix, row, column, formatOf(spec.dtype), device.page(pages, page));
      },
      [&](std::byte *row, uint32_t page) {
        convertElements(device.page(pages, page), spec.dtype, row, as, layout.columns);
      });
}

/// One step of convertElements: up to 32 rows of `columns` elements, by way of
/// a tile, since hw/tile is the one place that rounds.
void convertThroughTile(hw::HostMatrix from, hw::HostMatrix to) {
  alignas(16) std::byte tile[hw::tileBytes(hw::DataFormat::Float32)];
  hw::storeTile(from, 0, 0, to.format, tile);
  hw::loadTile(to, 0, 0, to.format, tile);
}

} // namespace

void convertElements(const std::byte *from, DType fromType, std::byte *to, DType toType,
                     int64_t count) {
  if (fromType == toType) {
    std::memcpy(to, from, count * elementBytes(toType));
    return;
  }
  TTJIT_ASSERT(fromType == DType::Float32 || toType == DType::Float32,
               "conversions have Float32 on one side");
  while (count > 0) {
    int64_t columns = std::min<int64_t>(count, hw::kTileDim);
    int64_t rows = std::min<int64_t>(count / columns, hw::kTileDim);
    convertThroughTile({const_cast<std::byte *>(from), formatOf(fromType), rows, columns, columns},
                       {to, formatOf(toType), rows, columns, columns});
    from += rows * columns * elementBytes(fromType);
    to += rows * columns * elementBytes(toType);
    count -= rows * columns;
  }
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

Placement::Placement(std::shared_ptr<hw::Device> device, const TensorSpec &spec,
                     const std::string &name)
    : owner(std::move(device)) {
  std::string whyNoHost;
  std::optional<hw::TensorAllocation> found =
      owner->allocate(spec.memory.buffer, static_cast<uint32_t>(spec.pageBytes()),
                      static_cast<uint32_t>(spec.numPages()), name, &whyNoHost);
  if (!whyNoHost.empty())
    throw TensorError(fmt::format("cannot place {} on the device: {}", name, whyNoHost));
  if (!found)
    throw TensorError(fmt::format("no room in {} for {} of shape {}: {} pages of {} bytes; delete "
                                  "tensors that are no longer needed",
                                  describe(spec.memory), name, describe(spec.shape),
                                  spec.numPages(), spec.pageBytes()));
  pages = *found;
}

Placement::~Placement() { owner->free(pages); }

//===----------------------------------------------------------------------===//
// Tensor
//===----------------------------------------------------------------------===//

Tensor::Tensor(TensorSpec spec, HostStorage storage)
    : description(std::move(spec)), onHost(std::move(storage)) {
  description.check();
}

Tensor::Tensor(TensorSpec spec, std::shared_ptr<hw::Device> device, const std::byte *rowMajor,
               const std::string &name)
    : description(std::move(spec)) {
  description.check();
  placed = std::make_unique<Placement>(std::move(device), description, name);
  if (rowMajor)
    writePages(description, *placed, rowMajor);
  else
    zeroPages(*placed);
}

void Tensor::checkAllocated() const {
  if (!isAllocated())
    throw TensorError(fmt::format("a tensor of shape {} was deallocated and is used again",
                                  describe(description.shape)));
}

std::shared_ptr<hw::Device> Tensor::device() const {
  checkAllocated();
  return isOnDevice() ? placed->sharedDevice() : nullptr;
}

std::optional<uint32_t> Tensor::bufferAddress() const {
  checkAllocated();
  if (!isOnDevice())
    return std::nullopt;
  return placed->allocation().base;
}

void Tensor::read(std::byte *rowMajor, DType as) const {
  checkAllocated();
  if (isOnDevice())
    readPages(description, *placed, rowMajor, as);
  else
    convertElements(onHost->data, description.dtype, rowMajor, as, description.numElements());
}

void Tensor::write(const std::byte *rowMajor) {
  checkAllocated();
  if (isOnDevice()) {
    writePages(description, *placed, rowMajor);
    return;
  }
  if (!onHost->writable)
    throw TensorError("cannot write to a tensor whose array is read-only");
  std::memmove(onHost->data, rowMajor, description.hostBytes());
  if (onHost->afterWrite)
    onHost->afterWrite();
}

void Tensor::deallocate() {
  if (isOnDevice())
    placed.reset();
}

hw::TensorAllocation Tensor::placeForLaunch(const std::shared_ptr<hw::Device> &device,
                                            const std::string &name) {
  checkAllocated();
  if (isOnDevice()) {
    if (placed->sharedDevice() != device)
      throw TensorError(fmt::format("argument '{}' is on another device than the launch", name));
    device->setName(placed->allocation(), name);
  } else {
    placed.reset();
    auto placement = std::make_unique<Placement>(device, description, name);
    writePages(description, *placement, onHost->data);
    placed = std::move(placement);
  }
  return placed->allocation();
}

void Tensor::copyBack() {
  if (isOnDevice() || !placed)
    return;
  std::unique_ptr<Placement> placement = std::move(placed);
  if (onHost->writable) {
    readPages(description, *placement, onHost->data, description.dtype);
    if (onHost->afterWrite)
      onHost->afterWrite();
    return;
  }
  std::vector<std::byte> result(description.hostBytes());
  readPages(description, *placement, result.data(), description.dtype);
  if (std::memcmp(result.data(), onHost->data, result.size()) != 0)
    throw TensorError("the kernel wrote to a tensor whose array is read-only; pass a writable one");
}

void Tensor::release() {
  if (!isOnDevice())
    placed.reset();
}

} // namespace ttjit::frontend
