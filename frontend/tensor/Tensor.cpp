//===- Tensor.cpp - tensors on the host and on the device ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/Tensor.h"

#include "hw/device/TensorElements.h"
#include "hw/facts/Assert.h"
#include "hw/facts/Words.h"
#include "hw/link/Ranks.h"
#include "hw/tile/HostLayout.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace ttjit::frontend {

namespace {

void zeroPages(const Placement &placement, int device) {
  const hw::TensorAllocation &allocation = placement.allocation();
  std::optional<hw::HostPages> pages = placement.pagesToWrite(device);
  if (!pages)
    return;
  if (std::byte *all = pages->linear()) {
    std::memset(all, 0, static_cast<size_t>(allocation.numPages) * allocation.pageBytes);
    return;
  }
  for (uint32_t i = 0; i < allocation.numPages; ++i)
    std::memset((*pages)[i], 0, allocation.pageBytes);
}

// Copies a row-major host array of the tensor's own type to the tensor's pages.
void writePages(const TensorSpec &spec, const Placement &placement, const std::byte *rowMajor,
                int device = 0) {
  if (placement.numDevices() > 1)
    hw::noteData(fmt::format("gives elements to device {} of a tensor of shape {}", device,
                             describe(spec.shape)),
                 rowMajor, static_cast<size_t>(spec.hostBytes()));
  std::optional<hw::HostPages> found = placement.pagesToWrite(device);
  if (!found)
    return;
  hw::HostPages pages = *found;
  hw::PageLayout layout = spec.pages();
  if (pages.linear() && layout.isRowMajorArray()) {
    std::memcpy(pages.linear(), rowMajor, static_cast<size_t>(spec.hostBytes()));
    return;
  }
  size_t pageBytes = placement.allocation().pageBytes;
  // The const_cast is safe, because neither function writes to the array.
  layout.forEachPage(
      const_cast<std::byte *>(rowMajor), formatOf(hostTypeOf(spec.dtype)),
      [&](const hw::HostMatrix &matrix, int64_t row, int64_t column, uint32_t page) {
        hw::storeTile(matrix, row, column, formatOf(spec.dtype), pages[page]);
      },
      [&](const std::byte *row, int64_t elements, uint32_t page) {
        std::byte *to = pages[page];
        size_t bytes = static_cast<size_t>(elements) * elementBytes(spec.dtype);
        std::memcpy(to, row, bytes);
        std::memset(to + bytes, 0, pageBytes - bytes);
      });
}

void readPages(const TensorSpec &spec, const Placement &placement, std::byte *rowMajor, DType as,
               int device = 0) {
  hw::HostPages pages = placement.hostPages(device);
  hw::PageLayout layout = spec.pages();
  if (pages.linear() && layout.isRowMajorArray())
    return convertElements(pages.linear(), spec.dtype, rowMajor, as, spec.numElements());
  layout.forEachPage(
      rowMajor, formatOf(hostTypeOf(as)),
      [&](const hw::HostMatrix &matrix, int64_t row, int64_t column, uint32_t page) {
        hw::loadTile(matrix, row, column, formatOf(spec.dtype), pages[page]);
      },
      [&](std::byte *row, int64_t elements, uint32_t page) {
        convertElements(pages[page], spec.dtype, row, as, elements);
      });
}

// Converts one step of convertElements: up to 32 rows of `columns` elements. It goes through a
// tile, because hw/tile holds the only code that rounds.
void convertThroughTile(hw::HostMatrix from, hw::HostMatrix to) {
  alignas(16) std::byte tile[hw::tileBytes(hw::DataFormat::Float32)];
  hw::storeTile(from, 0, 0, to.format, tile);
  hw::loadTile(to, 0, 0, to.format, tile);
}

template <typename T> void integersToFloat32(const std::byte *from, std::byte *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    T integer;
    std::memcpy(&integer, from + i * sizeof(T), sizeof(T));
    auto value = static_cast<float>(integer);
    std::memcpy(to + i * sizeof(float), &value, sizeof(float));
  }
}

void integersToFloat32(const std::byte *from, DType type, std::byte *to, int64_t count) {
  switch (type) {
  case DType::Int32:
    return integersToFloat32<int32_t>(from, to, count);
  case DType::UInt32:
    return integersToFloat32<uint32_t>(from, to, count);
  case DType::UInt16:
    return integersToFloat32<uint16_t>(from, to, count);
  default:
    return integersToFloat32<uint8_t>(from, to, count);
  }
}

} // namespace

void convertElements(const std::byte *from, DType fromType, std::byte *to, DType toType,
                     int64_t count) {
  if (hostTypeOf(fromType) == hostTypeOf(toType)) {
    std::memcpy(to, from, count * elementBytes(toType));
    return;
  }
  if (isInteger(fromType) && toType == DType::Float32)
    return integersToFloat32(from, fromType, to, count);
  TTJIT_ASSERT(!isInteger(fromType) && !isInteger(toType) && !isBlockFloat(toType),
               "the result of a conversion must not be integers or block floats");
  fromType = hostTypeOf(fromType);
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

void roundElements(const std::byte *values, std::byte *to, DType dtype,
                   std::span<const int64_t> shape) {
  hw::PageLayout layout(shape, /*tiled=*/true);
  if (!isBlockFloat(dtype))
    return convertElements(values, DType::Float32, to, dtype, layout.numElements());
  std::memcpy(to, values, static_cast<size_t>(layout.numElements()) * sizeof(float));
  hw::DataFormat format = formatOf(dtype);
  std::vector<std::byte> tile(hw::tileBytes(format));
  layout.forEachPage(
      to, hw::DataFormat::Float32,
      [&](const hw::HostMatrix &matrix, int64_t row, int64_t column, uint32_t) {
        hw::storeTile(matrix, row, column, format, tile.data());
        hw::loadTile(matrix, row, column, format, tile.data());
      },
      [](std::byte *, int64_t, uint32_t) {});
}

//===--------------------------------------------------------------------------===//
// Placement
//===--------------------------------------------------------------------------===//

// Returns the pages that a tensor needs, and for a sharded one those of each bank.
static std::string neededPages(const TensorSpec &spec, const hw::Sharding &sharding) {
  std::string pages =
      fmt::format("{} of {} bytes", hw::plural(spec.numPages(), "page"), spec.pageBytes());
  if (sharding.banks.empty())
    return pages;
  uint64_t inEach = static_cast<uint64_t>(spec.shardsPerCore()) * sharding.pagesOfShard();
  return fmt::format("{} with {} in each {}", pages, hw::plural(inEach, "page"),
                     spec.memory.buffer == hw::BufferType::L1 ? "core" : "bank");
}

Placement::Placement(std::shared_ptr<hw::Device> device, const TensorSpec &spec,
                     const std::string &name)
    : owner(std::move(device)) {
  if (owner->isClosed())
    throw TensorError(fmt::format("{} cannot be placed on a mesh that was closed: open it again "
                                  "with ttnn.open_mesh_device",
                                  name));
  std::string whyNoHost;
  hw::Sharding sharding = spec.memory.shards ? spec.sharding(owner->arch()) : hw::Sharding();
  std::optional<hw::TensorAllocation> found =
      owner->allocate(spec.memory.buffer, static_cast<uint32_t>(spec.pageBytes()),
                      static_cast<uint32_t>(spec.numPages()), sharding, name, &whyNoHost);
  if (!whyNoHost.empty())
    throw TensorError(fmt::format("{} cannot be placed on the device: {}", name, whyNoHost));
  if (!found)
    throw TensorError(fmt::format(
        "{} has no room for {} of shape {}, which needs {}: delete tensors "
        "that are no longer needed",
        describe(spec.memory), name, describe(spec.shape), neededPages(spec, sharding)));
  pages = *found;
  owner->setElements(pages, {spec.shape, spec.pages(), formatOf(spec.dtype)});
}

Placement::~Placement() { owner->free(pages); }

//===--------------------------------------------------------------------------===//
// Tensor
//===--------------------------------------------------------------------------===//

Tensor::Tensor(TensorSpec spec, HostStorage storage)
    : description(std::move(spec)), onHost(std::move(storage)) {
  description.check();
}

Tensor::Tensor(TensorSpec spec, std::shared_ptr<hw::Device> device, const std::byte *rowMajor,
               const std::string &name)
    : description(std::move(spec)) {
  description.check();
  placed = std::make_shared<Placement>(std::move(device), description, name);
  for (int number = 0; number < placed->numDevices(); ++number)
    if (rowMajor)
      writePages(description, *placed, rowMajor, number);
    else
      zeroPages(*placed, number);
}

std::shared_ptr<Tensor> Tensor::onDevice(const Tensor &whole, int device) {
  whole.checkAllocated();
  if (!whole.placed || device < 0 || device >= whole.numDevices())
    throw TensorError(fmt::format("device {} has no part of a tensor on {}", device,
                                  hw::plural(whole.numDevices(), "device")));
  std::shared_ptr<Tensor> part(new Tensor(whole.description));
  part->placed = whole.placed;
  part->only = whole.only.value_or(device);
  return part;
}

static void setAllUnwritten(const Placement &placement) {
  const hw::TensorAllocation &pages = placement.allocation();
  for (int device = 0; device < placement.numDevices(); ++device)
    placement.device().setUnwritten(pages, std::vector<bool>(pages.numPages, true), device);
}

void Tensor::checkAllocated() const {
  if (!isAllocated())
    throw TensorError(fmt::format("a tensor of shape {} cannot be used after it was deallocated",
                                  describe(description.shape)));
  if (placed && placed->device().isClosed())
    throw TensorError(fmt::format("a tensor of shape {} cannot be used after its mesh was closed: "
                                  "read it before ttnn.close_mesh_device",
                                  describe(description.shape)));
}

void Tensor::checkOneDevice() const {
  checkAllocated();
  if (numDevices() > 1)
    throw TensorError(fmt::format(
        "a tensor of shape {} is on {} and has other elements on each: join them with "
        "ttnn.to_torch(tensor, mesh_composer=...), or take one of ttnn.get_device_tensors(tensor)",
        describe(description.shape), hw::plural(numDevices(), "device")));
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

void Tensor::readPlaced(std::byte *rowMajor, DType as) const {
  if (!isInteger(description.dtype) || as == description.dtype)
    return readPages(description, *placed, rowMajor, as, only.value_or(0));
  std::vector<std::byte> integers(description.hostBytes());
  readPages(description, *placed, integers.data(), description.dtype, only.value_or(0));
  convertElements(integers.data(), description.dtype, rowMajor, as, description.numElements());
}

void Tensor::read(std::byte *rowMajor, DType as) const {
  checkOneDevice();
  if (isOnDevice())
    readPlaced(rowMajor, as);
  else
    convertElements(onHost->data, description.dtype, rowMajor, as, description.numElements());
}

void Tensor::readLaunched(std::byte *rowMajor, DType as) const {
  placed && !isShared ? readPlaced(rowMajor, as) : read(rowMajor, as);
}

void Tensor::setUnwritten() {
  if (isOnDevice())
    setAllUnwritten(*placed);
  else
    isUnwritten = true;
}

void Tensor::write(const std::byte *rowMajor) {
  checkAllocated();
  if (isOnDevice()) {
    int first = only.value_or(0), count = only ? 1 : placed->numDevices();
    for (int device = first; device < first + count; ++device) {
      placed->device().setUnwritten(placed->allocation(), {}, device);
      writePages(description, *placed, rowMajor, device);
    }
    return;
  }
  setWritten();
  if (!onHost->writable)
    throw TensorError("this tensor cannot be written to, because its array is read-only");
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
  if (only && placed->numDevices() > 1)
    throw TensorError(fmt::format("argument '{}' is what device {} has of a mesh tensor: pass the "
                                  "mesh tensor, whose parts the kernel gets on their devices",
                                  name, *only));
  if (isOnDevice()) {
    if (placed->sharedDevice() != device)
      throw TensorError(fmt::format(
          "argument '{}' must be on the device of the launch, a {}; it is on another device, a {}",
          name, device->arch().name, placed->sharedDevice()->arch().name));
    device->setName(placed->allocation(), name);
  } else {
    placed.reset();
    auto placement = std::make_shared<Placement>(device, description, name);
    writePages(description, *placement, onHost->data);
    if (isUnwritten)
      setAllUnwritten(*placement);
    placed = std::move(placement);
    isShared = false;
  }
  device->elements(placed->allocation())->isPartial = isPartial;
  return placed->allocation();
}

bool Tensor::canShare(bool isWritten) const {
  if (isOnDevice() || description.memory.buffer != hw::BufferType::DRAM ||
      isBlockFloat(description.dtype) || (isWritten && !onHost->writable))
    return false;
  hw::PageLayout pages = description.pages();
  return pages.isRowMajorArray() || (pages.tiled && !(isWritten && pages.hasPadding()));
}

hw::TensorAllocation Tensor::shareForLaunch(const std::shared_ptr<hw::Device> &device,
                                            const std::string &name) {
  placed.reset();
  placed = std::make_shared<Placement>(device, description, name);
  placed->share(description, onHost->data);
  isShared = true;
  return placed->allocation();
}

bool Tensor::overlaps(const Tensor &other) const {
  if (!onHost || !other.onHost)
    return false;
  const std::byte *here = onHost->data, *there = other.onHost->data;
  std::less<> before;
  return before(here, there + other.spec().hostBytes()) &&
         before(there, here + description.hostBytes());
}

void Tensor::copyBack() {
  if (isOnDevice() || !placed)
    return;
  std::shared_ptr<Placement> placement = std::move(placed);
  setWritten();
  if (!isShared)
    copyPages(*placement);
  if (onHost->writable && onHost->afterWrite)
    onHost->afterWrite();
}

// Copies the pages to the tensor's array. A read-only array must not change.
void Tensor::copyPages(const Placement &placement) {
  if (onHost->writable)
    return readPages(description, placement, onHost->data, description.dtype);
  std::vector<std::byte> result(description.hostBytes());
  readPages(description, placement, result.data(), description.dtype);
  if (std::memcmp(result.data(), onHost->data, result.size()) != 0)
    throw TensorError(
        "the kernel wrote to a tensor whose array is read-only: pass a writable array");
}

void Tensor::release() {
  if (!isOnDevice())
    placed.reset();
}

} // namespace ttjit::frontend
