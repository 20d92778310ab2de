//===- HostTensor.cpp - tensors of .mlir programs -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/HostTensor.h"

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

// Returns what to write in the encoding of a sharded tensor; nothing if it can be placed.
static std::optional<std::string> shardAdvice(ttl::TensorEncodingAttr encoding) {
  if (!encoding.getLayout().isTiled())
    return "add tile = 32x32 to its layout";
  if (encoding.getLayout().getShard().size() != 2)
    return "add the elements of a shard to its layout, such as shard = 32x64";
  return std::nullopt;
}

// Returns why tensors of this layout cannot be placed on the device; nothing if they
// can.
static std::optional<std::string> layoutProblem(RankedTensorType type) {
  auto encoding = dyn_cast_if_present<ttl::TensorEncodingAttr>(type.getEncoding());
  if (!encoding)
    return std::nullopt; // a tensor without an encoding stays on the host
  ttl::LayoutAttrInterface layout = encoding.getLayout();
  bool isSharded = layout.getMemoryLayout() != ttcore::TensorMemoryLayout::Interleaved;
  if (isSharded)
    if (std::optional<std::string> advice = shardAdvice(encoding))
      return "only interleaved layouts, and shards of tiles, can be placed on the device: " +
             *advice;
  if (layout.isTiled() && layout.getTile() != llvm::ArrayRef<int64_t>({32, 32}))
    return "only 32x32 tiles can be placed on the device";
  if (isSharded && llvm::any_of(layout.getShard(),
                                [](int64_t extent) { return extent < 1 || extent % hw::kTileDim; }))
    return "shards must be whole numbers of tiles";
  return std::nullopt;
}

// Returns how a tensor is cut: shard (i, j) of a block sharded tensor in L1 is on the core in
// column j and row i; other shards are on one core, or in one bank of DRAM, after the other, row
// by row.
static llvm::Expected<hw::Sharding> shardingOf(ttl::TensorEncodingAttr encoding,
                                               const hw::PageLayout &pages,
                                               const hw::ArchDesc &arch) {
  hw::Sharding result;
  ttl::LayoutAttrInterface layout = encoding.getLayout();
  if (layout.getMemoryLayout() == ttcore::TensorMemoryLayout::Interleaved)
    return result;
  int64_t rows = layout.getShard()[0] / hw::kTileDim, columns = layout.getShard()[1] / hw::kTileDim;
  int64_t down = llvm::divideCeil(pages.pageRows(), rows),
          across = llvm::divideCeil(pages.pageColumns(), columns);
  bool inL1 = encoding.getMemorySpace() == ttcore::MemorySpace::DeviceL1;
  bool isBlock = inL1 && layout.getMemoryLayout() == ttcore::TensorMemoryLayout::BlockSharded;
  int64_t places = inL1 ? int64_t(arch.gridX) * arch.gridY : arch.dramBanks;
  bool fits = isBlock ? down <= arch.gridY && across <= arch.gridX : down * across <= places;
  if (!fits)
    return error(fmt::format("{} has {}, which are too few for {} x {} shards", arch.name,
                             inL1 ? fmt::format("{} x {} cores", arch.gridX, arch.gridY)
                                  : fmt::format("{} banks of DRAM", arch.dramBanks),
                             across, down));
  result.rows = static_cast<uint32_t>(rows);
  result.columns = static_cast<uint32_t>(columns);
  result.pageColumns = static_cast<uint32_t>(pages.pageColumns());
  for (int64_t i = 0; i < down; ++i)
    for (int64_t j = 0; j < across; ++j)
      result.banks.push_back(static_cast<uint32_t>(isBlock ? i * arch.gridX + j : i * across + j));
  return result;
}

llvm::Expected<HostTensor> HostTensor::create(RankedTensorType type) {
  std::optional<ttcore::DataType> element = ttcore::getDataTypeOf(type.getElementType());
  hw::DataFormat format = element ? ttcore::getDataFormat(*element) : hw::DataFormat::Invalid;
  if (!element || !hw::canLayOut(format, format))
    return error("unsupported element type " + typeText(type.getElementType()));
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
  auto encoding = cast<ttl::TensorEncodingAttr>(tensorType.getEncoding());
  return {{tensorType.getShape().data(), tensorType.getShape().size()},
          encoding.getLayout().isTiled()};
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
  llvm::Expected<hw::Sharding> sharding = shardingOf(encoding, layout, device.arch());
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
      [&](const std::byte *row, int64_t, uint32_t page) {
        std::memcpy(to[page], row, layout.rowBytes(format));
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
      [&](std::byte *row, int64_t, uint32_t page) {
        std::memcpy(row, from[page], layout.rowBytes(format));
      });
}
