//===- TensorPages.h - finds the page of a tensor at an address -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_TENSORPAGES_H
#define TTJIT_TOOLS_SESSION_TENSORPAGES_H

#include "hw/check/BroadcastCheck.h"
#include "hw/device/Device.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ttjit::session {

/// Finds pages of the tensors of a launch. The first search lists them.
class TensorPages {
public:
  /// `columns`: the columns of the program's grid on one device of a mesh.
  TensorPages(const hw::Device &device, const std::vector<hw::TensorAllocation> &tensors,
              int columns)
      : device(device), tensors(tensors), columns(columns) {}

  /// Returns the place of a page of a tensor on a device, in the form that events have.
  hw::MemoryPlace placeOf(size_t tensor, uint32_t page, int deviceNumber) const;
  /// Returns a name such as "page 0 of tensor 'y'", on a mesh "page 0 of tensor 'y' of device 1";
  /// empty if no tensor is there.
  std::string nameAt(const hw::MemoryPlace &place);
  /// Returns how much of the tile at a place is not padding; nothing if no tensor is there.
  std::optional<hw::check::TileExtent> extentAt(const hw::MemoryPlace &place);

private:
  struct Page {
    size_t tensor = 0;
    uint32_t number = 0;
    int device = 0;
  };
  using Key = std::tuple<hw::MemoryPlace::Memory, int, int>;

  const Page *at(const hw::MemoryPlace &place);
  void list();

  const hw::Device &device;
  const std::vector<hw::TensorAllocation> &tensors;
  const int columns;
  std::map<Key, std::map<uint32_t, Page>> pages; ///< by address
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_TENSORPAGES_H
