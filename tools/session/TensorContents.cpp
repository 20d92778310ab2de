//===- TensorContents.cpp - the bytes of a launch's tensors -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/TensorContents.h"

#include <algorithm>
#include <cstring>

using namespace ttjit;
using namespace ttjit::session;

// Returns the parts of all tensors except the `constant` ones.
static std::vector<TensorOnDevice> writtenParts(const hw::Device &device, size_t numTensors,
                                                const std::vector<unsigned> &constant) {
  std::vector<TensorOnDevice> parts;
  for (int on = 0; on < device.numDevices(); ++on)
    for (size_t tensor = 0; tensor < numTensors; ++tensor)
      if (std::ranges::find(constant, tensor) == constant.end())
        parts.push_back({tensor, on});
  return parts;
}

TensorContents::TensorContents(hw::Device &device, const std::vector<hw::TensorAllocation> &tensors,
                               const std::vector<unsigned> &constant)
    : device(device), tensors(tensors), all(writtenParts(device, tensors.size(), constant)) {}

size_t session::bytesOf(const hw::TensorAllocation &tensor) {
  return size_t{tensor.numPages} * tensor.pageBytes;
}

// Calls `copy(page, bytes, count)` for ranges of a tensor's memory. `bytes` is the offset in a
// contiguous copy of the tensor.
template <typename Copy>
static void forEachRange(const hw::HostPages &pages, const hw::TensorAllocation &tensor,
                         std::byte *bytes, const Copy &copy) {
  if (std::byte *linear = pages.linear())
    return copy(linear, bytes, bytesOf(tensor));
  for (uint32_t page = 0; page < tensor.numPages; ++page)
    copy(pages[page], bytes + size_t{page} * tensor.pageBytes, tensor.pageBytes);
}

TensorContents::Copies TensorContents::save() const {
  Copies saved;
  for (auto [tensor, on] : all) {
    auto &bytes =
        saved.emplace_back(std::make_unique_for_overwrite<std::byte[]>(bytesOf(tensors[tensor])));
    forEachRange(
        device.pages(tensors[tensor], on), tensors[tensor], bytes.get(),
        [](std::byte *page, std::byte *copy, size_t count) { std::memcpy(copy, page, count); });
  }
  return saved;
}

void TensorContents::restore(const Copies &saved) const {
  for (size_t i = 0; i < all.size(); ++i) {
    const hw::TensorAllocation &tensor = tensors[all[i].tensor];
    forEachRange(
        device.pages(tensor, all[i].device), tensor, saved[i].get(),
        [](std::byte *page, std::byte *copy, size_t count) { std::memcpy(page, copy, count); });
  }
}
