//===- Memories.cpp - L1 of the cores, DRAM banks, tensors --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Memories.h"

#include "hw/device/HostMemory.h"
#include "hw/facts/Assert.h"

#include <algorithm>
#include <fmt/format.h>

namespace ttjit::hw {

namespace {

// DRAM tensors begin above address 0, so a base address of 0 is always a mistake.
constexpr uint64_t kDramBase = 64 * 1024;

constexpr uint64_t roundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

} // namespace

Memories::Memories(const ArchDesc &arch, int numDevices)
    : chip(arch), l1Length(arch.l1Bytes),
      dramFree(kDramBase, arch.dramBankBytes / kDramBase * kDramBase),
      l1Free(roundUp(arch.l1UnreservedBase, arch.dramAlignment), arch.l1Bytes) {
  while (this->numDevices() < numDevices)
    others.push_back(std::make_unique<Memories>(arch));
}

uint32_t Memories::alignment(BufferType type) const {
  return type == BufferType::DRAM ? chip.dramAlignment : chip.l1Alignment;
}

uint32_t Memories::numBanks(BufferType type) const {
  return static_cast<uint32_t>(type == BufferType::DRAM ? chip.dramBanks : chip.gridX * chip.gridY);
}

uint64_t Memories::bytesPerBank(const TensorAccess &access) const {
  uint64_t pages = access.pagesPerBank();
  uint64_t bytes = (pages ? pages : 1) * access.stride;
  // An L1 base is also a multiple of the DRAM alignment, so that pages of one
  // kind can be copied to the other.
  return roundUp(bytes ? bytes : 1, chip.dramAlignment);
}

bool Memories::mapL1Banks(std::string &whyNoHost) {
  if (!l1Banks.empty())
    return true;
  std::vector<uint8_t *> banks;
  for (int bank = 0; bank < chip.gridX * chip.gridY; ++bank)
    if (uint8_t *address = l1(bank % chip.gridX, bank / chip.gridX))
      banks.push_back(address);
  if (banks.size() == numBanks(BufferType::L1)) {
    l1Banks = std::move(banks);
    return true;
  }
  whyNoHost = fmt::format("{} has {} cores with {} bytes of L1 each, but {}", chip.name,
                          numBanks(BufferType::L1), l1Length, whyNoAddressSpace(l1Length));
  return false;
}

// Returns whether all banks have one mapping. It is made for the first tensor, unless it would use
// more than a quarter of the address space that the process may have.
bool Memories::hasDram() {
  constexpr uint64_t kShare = 4;
  uint64_t bytes = numBanks(BufferType::DRAM) * chip.dramBankBytes;
  return dram.size() >= bytes || (addressSpaceLimit() / kShare >= bytes && dram.grow(bytes));
}

// Returns the memory of a tensor in DRAM whose base is set; null if the host cannot map it.
uint8_t *Memories::mapDram(PlacedTensor &tensor, std::string &whyNoHost) {
  const TensorAccess &access = tensor.access;
  uint64_t bytes = bytesPerBank(access) * access.numBanks;
  uint64_t first = uint64_t{access.base} * access.numBanks;
  bool inBanks = hasDram();
  if (!inBanks && !tensor.piece.grow(bytes)) {
    whyNoHost = whyNoAddressSpace(bytes);
    return nullptr;
  }
  Mapping &mapping = inBanks ? dram : tensor.piece;
  uint64_t offset = inBanks ? first : 0;
  mapping.preferLargePages(offset, bytes);
  return mapping.data() + offset;
}

std::optional<TensorAllocation> Memories::allocate(BufferType type, uint32_t pageBytes,
                                                   uint32_t numPages, const Sharding &sharding,
                                                   const std::string &name,
                                                   std::string &whyNoHost) {
  std::lock_guard lock(mutex);
  auto result = allocateHere(type, pageBytes, numPages, sharding, name, whyNoHost);
  for (size_t i = 0; result && i < others.size(); ++i) {
    auto other = others[i]->allocateHere(type, pageBytes, numPages, sharding, name, whyNoHost);
    TTJIT_ASSERT(!other || other->base == result->base, "devices allocate in the same order");
    if (other)
      continue;
    for (size_t done = 0; done < i; ++done)
      others[done]->freeHere(*result);
    freeHere(*result);
    return std::nullopt;
  }
  return result;
}

std::optional<TensorAllocation> Memories::allocateHere(BufferType type, uint32_t pageBytes,
                                                       uint32_t numPages, const Sharding &sharding,
                                                       const std::string &name,
                                                       std::string &whyNoHost) {
  std::lock_guard lock(mutex);
  for (uint32_t bank : sharding.banks)
    TTJIT_ASSERT(bank < numBanks(type), "a shard has a bank of the chip");
  bool inL1 = type == BufferType::L1;
  uint64_t stride = roundUp(pageBytes, alignment(type));
  if (stride > UINT32_MAX || (inL1 && !mapL1Banks(whyNoHost)))
    return std::nullopt;
  auto tensor = std::make_unique<PlacedTensor>();
  tensor->name = name;
  tensor->sharding = sharding;
  TensorAccess &access = tensor->access;
  access = {0,       pageBytes,      static_cast<uint32_t>(stride), numPages, numBanks(type), inL1,
            nullptr, l1Banks.data(), tensor->name.c_str()};
  if (const Sharding &cut = tensor->sharding; !cut.banks.empty()) {
    access.pageColumns = cut.dims.back().pages;
    access.numShardDims = static_cast<uint32_t>(cut.dims.size());
    access.numShardBanks = static_cast<uint32_t>(cut.banks.size());
    access.shardDims = cut.dims.data();
    access.shardBanks = cut.banks.data();
    access.numShards = cut.numShards();
    access.shardPages = cut.pagesOfShard();
  }
  // Refuse sizes beyond any bank: shards that reach far beyond the tensor could need as much.
  constexpr uint64_t kMostBytes = uint64_t(1) << 48;
  if (stride && access.pagesPerBank() > kMostBytes / stride)
    return std::nullopt;
  auto base = freeList(type).allocate(bytesPerBank(access), inL1);
  if (!base)
    return std::nullopt;
  access.base = static_cast<uint32_t>(*base);
  if (!inL1 && !(access.pages = mapDram(*tensor, whyNoHost))) {
    dramFree.free(*base, bytesPerBank(access));
    return std::nullopt;
  }
  TensorAllocation result{type, access.base, pageBytes, access.stride, numPages};
  tensors[{type, access.base}] = std::move(tensor);
  return result;
}

PlacedTensor *Memories::find(BufferType type, uint32_t base) {
  std::lock_guard lock(mutex);
  auto found = tensors.find({type, base});
  return found == tensors.end() ? nullptr : found->second.get();
}

PlacedTensor *Memories::findAt(BufferType type, uint32_t address) {
  std::lock_guard lock(mutex);
  auto next = tensors.upper_bound({type, address});
  if (next == tensors.begin())
    return nullptr;
  const auto &[place, tensor] = *std::prev(next);
  bool isInside = place.first == type && address - place.second < bytesPerBank(tensor->access);
  return isInside ? tensor.get() : nullptr;
}

void Memories::free(const TensorAllocation &allocation) {
  std::lock_guard lock(mutex);
  freeHere(allocation);
  for (auto &other : others)
    other->freeHere(allocation);
}

void Memories::freeHere(const TensorAllocation &allocation) {
  std::lock_guard lock(mutex);
  auto found = tensors.find({allocation.type, allocation.base});
  if (found == tensors.end())
    return;
  setUnwritten(*found->second, {});
  freeList(allocation.type).free(allocation.base, bytesPerBank(found->second->access));
  tensors.erase(found);
}

std::vector<PlacedTensor *> Memories::writable(const std::vector<uint32_t> &constants) {
  std::lock_guard lock(mutex);
  std::vector<PlacedTensor *> result;
  for (auto &[place, tensor] : tensors)
    if (place.first != BufferType::DRAM ||
        std::ranges::find(constants, place.second) == constants.end())
      result.push_back(tensor.get());
  return result;
}

void Memories::release(PlacedTensor &tensor) {
  std::lock_guard lock(mutex);
  const TensorAccess &access = tensor.access;
  if (access.inL1)
    return;
  bool isAlone = tensor.piece.data();
  (isAlone ? tensor.piece : dram)
      .release(isAlone ? 0 : uint64_t{access.base} * access.numBanks,
               bytesPerBank(access) * access.numBanks);
}

void Memories::setUnwritten(PlacedTensor &tensor, std::vector<bool> pages) {
  std::lock_guard lock(mutex);
  unwrittenTensors += pages.empty() ? 0 : 1;
  unwrittenTensors -= tensor.unwritten.empty() ? 0 : 1;
  tensor.unwritten = std::move(pages);
}

MemoryPlace Memories::place(const TensorAccess &access, uint32_t page) const {
  auto bank = static_cast<int>(access.bankOf(page));
  auto address = static_cast<uint32_t>(access.addressOf(page));
  if (!access.inL1)
    return {MemoryPlace::DRAM, bank, 0, address};
  return {MemoryPlace::L1, bank % chip.gridX, bank / chip.gridX, address};
}

uint8_t *Memories::l1(int x, int y) {
  std::lock_guard lock(mutex);
  Mapping &core = cores[{y, x}];
  return core.grow(l1Length) ? core.data() : nullptr;
}

bool Memories::growL1(size_t bytes) {
  std::lock_guard lock(mutex);
  if (bytes <= l1Length)
    return true;
  l1Length = bytes;
  bool grown = true;
  for (auto &other : others)
    grown &= other->growL1(bytes);
  for (auto &[place, core] : cores) {
    grown &= core.grow(bytes);
    auto [y, x] = place;
    if (!l1Banks.empty() && x < chip.gridX && y < chip.gridY)
      l1Banks[static_cast<size_t>(y) * chip.gridX + x] = core.data();
  }
  return grown;
}

} // namespace ttjit::hw
