//===- HostTensor.cpp - tensors of .mlir programs -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/HostTensor.h"

#include "hw/device/Sharding.h"
#include "hw/facts/Words.h"
#include "hw/tile/HostLayout.h"
#include "ir/TTL/TTL.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::session;

//===--------------------------------------------------------------------------===//
// Construction
//===--------------------------------------------------------------------------===//

static llvm::Error error(const std::string &message) { return llvm::createStringError(message); }

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

// Returns why shards of these extents cannot be placed; nothing if they can.
static std::optional<std::string> shardProblem(RankedTensorType type,
                                               ttl::LayoutAttrInterface layout) {
  llvm::ArrayRef<int64_t> shard = layout.getShard();
  if (shard.empty())
    return "a sharded layout must say how large a shard is: add the elements of a shard, such as "
           "shard = 32x64";
  if (int64_t(shard.size()) > std::max<int64_t>(type.getRank(), 2))
    return fmt::format("shards have {} dimensions, but the tensor has {}", shard.size(),
                       type.getRank());
  constexpr int64_t kMostElements = int64_t(1) << 31;
  int64_t left = kMostElements;
  for (int64_t extent : shard) {
    if (extent < 1 || extent > left)
      return "shards must have extents of at least 1, and at most 2^31 elements";
    left /= extent;
  }
  if (layout.isTiled() &&
      llvm::any_of(shard.take_back(2), [](int64_t extent) { return extent % hw::kTileDim; }))
    return "shards must be whole numbers of tiles";
  return std::nullopt;
}

// Returns why tensors of this layout cannot be placed on the device; nothing if they
// can.
static std::optional<std::string> layoutProblem(RankedTensorType type) {
  auto encoding = dyn_cast_if_present<ttl::TensorEncodingAttr>(type.getEncoding());
  if (!encoding)
    return std::nullopt; // a tensor without an encoding stays on the host
  ttl::LayoutAttrInterface layout = encoding.getLayout();
  if (layout.isTiled() && layout.getTile() != llvm::ArrayRef<int64_t>({32, 32}))
    return "only 32x32 tiles can be placed on the device";
  if (layout.getMemoryLayout() != ttcore::TensorMemoryLayout::Interleaved)
    return shardProblem(type, layout);
  return std::nullopt;
}

// Returns the cores of the shards. Shard (i, j) of a block sharded tensor in L1 is on the core in
// column j and row i.
static hw::ShardCores coresOf(ttl::TensorEncodingAttr encoding, int width, int height) {
  hw::ShardCores cores;
  cores.grid.push_back({{0, 0}, {width - 1, height - 1}});
  auto layout = encoding.getLayout().getMemoryLayout();
  if (layout == ttcore::TensorMemoryLayout::BlockSharded && height > 1)
    cores.distribution = hw::ShardDistribution::Grid2D;
  return cores;
}

// Returns the extents of the tensor and of its shards in pages.
static std::vector<hw::ShardDim> shardDimsOf(RankedTensorType type, ttl::LayoutAttrInterface layout,
                                             const hw::PageLayout &pages) {
  llvm::SmallVector<int64_t> extents = ttl::getStoredShape(type), shard(layout.getShard());
  extents.back() = pages.pageColumns();
  if (layout.isTiled())
    for (int64_t &extent : llvm::MutableArrayRef(shard).take_back(2))
      extent /= hw::kTileDim;
  else
    shard.back() = 1;
  return hw::shardDims({extents.data(), extents.size()}, {shard.data(), shard.size()});
}

// Returns why the cores cannot hold the shards; nothing if they can.
static std::string whyNoPlace(const hw::Sharding &sharding, const hw::ShardCores &cores,
                              ttl::LayoutAttrInterface layout) {
  if (cores.distribution == hw::ShardDistribution::Grid2D)
    return hw::whyNoGrid2D(sharding.dims, cores);
  bool hasOneEach = layout.getMemoryLayout() != ttcore::TensorMemoryLayout::Sharded;
  size_t places = cores.all().size();
  if (!hasOneEach || sharding.numShards() <= places)
    return {};
  return fmt::format("{} are too few for {}", hw::plural(int64_t(places), "core"),
                     hw::plural(int64_t(sharding.numShards()), "shard"));
}

// Returns how a tensor is divided into shards.
static llvm::Expected<hw::Sharding> shardingOf(RankedTensorType type,
                                               ttl::TensorEncodingAttr encoding,
                                               const hw::PageLayout &pages,
                                               const hw::ArchDesc &arch) {
  ttl::LayoutAttrInterface layout = encoding.getLayout();
  hw::Sharding result;
  if (layout.getMemoryLayout() == ttcore::TensorMemoryLayout::Interleaved)
    return result;
  bool inL1 = encoding.getMemorySpace() == ttcore::MemorySpace::DeviceL1;
  int width = inL1 ? arch.gridX : arch.dramBanks, height = inL1 ? arch.gridY : 1;
  hw::ShardCores cores = coresOf(encoding, width, height);
  result.dims = shardDimsOf(type, layout, pages);
  if (std::string why = whyNoPlace(result, cores, layout); !why.empty())
    return error(fmt::format("the shards of a tensor cannot be placed on {}: {}", arch.name, why));
  for (hw::Core core : hw::coresOfShards(result.dims, cores))
    result.banks.push_back(static_cast<uint32_t>(core.y * width + core.x));
  return result;
}

llvm::Expected<HostTensor> HostTensor::create(RankedTensorType type) {
  std::optional<ttcore::DataType> element = ttcore::getDataTypeOf(type.getElementType());
  hw::DataFormat format = element ? ttcore::getDataFormat(*element) : hw::DataFormat::Invalid;
  if (!element || !hw::canLayOut(format, format))
    return error(fmt::format(
        "elements of type {} are not supported: expected f32, bf16, f16, i32, ui32, ui16 or ui8",
        typeText(type.getElementType())));
  if (!type.hasStaticShape())
    return error("expected a tensor of static shape; found " + typeText(type));
  unsigned bits = hw::datumBits(format);
  int64_t left = (int64_t(1) << 31) / (bits / 8);
  for (int64_t extent : type.getShape()) {
    if (extent < 1 || extent > left)
      return error("a tensor must have extents of at least 1, and at most 2^31 bytes, found " +
                   typeText(type));
    left /= extent;
  }
  if (std::optional<std::string> problem = layoutProblem(type))
    return error(*problem + ", found " + typeText(type));
  return HostTensor(type, format, bits);
}

//===--------------------------------------------------------------------------===//
// Elements
//===--------------------------------------------------------------------------===//

void HostTensor::setBits(int64_t index, uint64_t value) {
  std::memcpy(bytes.data() + index * (bits / 8), &value, bits / 8);
}

uint64_t HostTensor::getBits(int64_t index) const {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + index * (bits / 8), bits / 8);
  return value;
}

void HostTensor::set(int64_t index, const llvm::APFloat &value) {
  Type element = tensorType.getElementType();
  if (auto type = dyn_cast<FloatType>(element)) {
    llvm::APFloat rounded = value;
    bool losesInfo;
    rounded.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    setBits(index, rounded.bitcastToAPInt().getZExtValue());
    return;
  }
  llvm::APSInt integer(bits, element.isUnsignedInteger());
  bool isExact;
  value.convertToInteger(integer, llvm::APFloat::rmTowardZero, &isExact);
  setBits(index, integer.getZExtValue());
}

static std::optional<llvm::APFloat> asFloat(Type element, unsigned bits, uint64_t value) {
  auto type = dyn_cast<FloatType>(element);
  if (!type)
    return std::nullopt;
  return llvm::APFloat(type.getFloatSemantics(), llvm::APInt(bits, value));
}

llvm::APFloat HostTensor::get(int64_t index) const {
  Type element = tensorType.getElementType();
  uint64_t value = getBits(index);
  if (std::optional<llvm::APFloat> number = asFloat(element, bits, value))
    return *number;
  llvm::APFloat number(llvm::APFloat::IEEEdouble());
  number.convertFromAPInt(llvm::APInt(bits, value), !element.isUnsignedInteger(),
                          llvm::APFloat::rmNearestTiesToEven);
  return number;
}

std::string HostTensor::text(int64_t index) const {
  Type element = tensorType.getElementType();
  uint64_t value = getBits(index);
  std::string result;
  if (std::optional<llvm::APFloat> number = asFloat(element, bits, value)) {
    llvm::SmallString<32> digits;
    number->toString(digits, /*FormatPrecision=*/bits == 32 ? 9 : 5);
    return digits.str().str();
  }
  llvm::raw_string_ostream stream(result);
  llvm::APInt(bits, value).print(stream, /*isSigned=*/!element.isUnsignedInteger());
  return result;
}

// Maps bits to integers in the order of the float values; both zeros become 0.
static int64_t orderedBits(uint64_t value, unsigned bits) {
  int64_t magnitude = value & ((uint64_t(1) << (bits - 1)) - 1);
  return value >> (bits - 1) ? -magnitude : magnitude;
}

uint64_t HostTensor::ulpDistance(int64_t index, const HostTensor &other) const {
  uint64_t mine = getBits(index), others = other.getBits(index);
  if (mine == others)
    return 0;
  Type element = tensorType.getElementType();
  std::optional<llvm::APFloat> a = asFloat(element, bits, mine), b = asFloat(element, bits, others);
  if (!a || !b)
    return mine > others ? mine - others : others - mine;
  if (a->isNaN() || b->isNaN())
    return a->isNaN() && b->isNaN() ? 0 : UINT64_MAX;
  return std::llabs(orderedBits(mine, bits) - orderedBits(others, bits));
}

uint64_t HostTensor::hash() const {
  uint64_t result = 0xcbf29ce484222325;
  for (std::byte byte : bytes)
    result = (result ^ uint64_t(byte)) * 0x100000001b3;
  return result;
}

std::optional<ElementDifference> session::firstDifference(const HostTensor &a, const HostTensor &b,
                                                          uint64_t ulp) {
  ElementDifference found{0, 0};
  for (int64_t i = a.size(); i-- > 0;) {
    bool differs = ulp ? a.ulpDistance(i, b) > ulp : a.getBits(i) != b.getBits(i);
    found.count += differs;
    found.first = differs ? i : found.first;
  }
  return found.count ? std::optional(found) : std::nullopt;
}

std::string session::indexText(RankedTensorType type, int64_t index) {
  llvm::SmallVector<int64_t> coordinates;
  for (int64_t extent : llvm::reverse(type.getShape())) {
    coordinates.push_back(index % extent);
    index /= extent;
  }
  return fmt::format("[{}]", fmt::join(coordinates.rbegin(), coordinates.rend(), ", "));
}

//===--------------------------------------------------------------------------===//
// Pages
//===--------------------------------------------------------------------------===//

hw::PageLayout HostTensor::pages() const {
  ttl::LayoutAttrInterface layout =
      cast<ttl::TensorEncodingAttr>(tensorType.getEncoding()).getLayout();
  bool cutsRows = !layout.isTiled() && !layout.getShard().empty();
  return {{tensorType.getShape().data(), tensorType.getShape().size()},
          layout.isTiled(),
          cutsRows ? layout.getShard().back() : 0};
}

llvm::Expected<hw::TensorAllocation> HostTensor::place(hw::Device &device,
                                                       const std::string &name) const {
  auto encoding = dyn_cast_if_present<ttl::TensorEncodingAttr>(tensorType.getEncoding());
  if (!encoding)
    return error("a tensor of a launch needs a memory layout, as in "
                 "tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, "
                 "tile = 32x32>>>; found " +
                 typeText(tensorType));
  hw::PageLayout layout = pages();
  bool inL1 = encoding.getMemorySpace() == ttcore::MemorySpace::DeviceL1;
  llvm::Expected<hw::Sharding> sharding = shardingOf(tensorType, encoding, layout, device.arch());
  if (!sharding)
    return sharding.takeError();
  std::string whyNoHost;
  std::optional<hw::TensorAllocation> placed =
      device.allocate(inL1 ? hw::BufferType::L1 : hw::BufferType::DRAM, layout.pageBytes(format),
                      layout.numPages(), std::move(*sharding), name, &whyNoHost);
  if (!whyNoHost.empty())
    return error(fmt::format("cannot place {} on the device: {}", name, whyNoHost));
  if (!placed)
    return error(fmt::format("{} has no room for {} of {} bytes", inL1 ? "L1" : "DRAM",
                             hw::plural(layout.numPages(), "page"), layout.pageBytes(format)));
  hw::HostPages to = device.pages(*placed);
  layout.forEachPage(
      const_cast<std::byte *>(bytes.data()), format, // the matrix is only read
      [&](const hw::HostMatrix &matrix, int64_t row, int64_t column, uint32_t page) {
        hw::storeTile(matrix, row, column, format, to[page]);
      },
      [&](const std::byte *row, int64_t elements, uint32_t page) {
        std::memset(to[page], 0, layout.pageBytes(format));
        std::memcpy(to[page], row, elements * bits / 8);
      });
  return *placed;
}

void HostTensor::readBack(hw::Device &device, const hw::TensorAllocation &placed,
                          int deviceNumber) {
  hw::PageLayout layout = pages();
  hw::HostPages from = device.pages(placed, deviceNumber);
  layout.forEachPage(
      bytes.data(), format,
      [&](const hw::HostMatrix &matrix, int64_t row, int64_t column, uint32_t page) {
        hw::loadTile(matrix, row, column, format, from[page]);
      },
      [&](std::byte *row, int64_t elements, uint32_t page) {
        std::memcpy(row, from[page], elements * bits / 8);
      });
}
