//===- PrintValues.h - blocks, tensors and buffers as text ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_PRINTVALUES_H
#define TTJIT_HW_DEVICE_PRINTVALUES_H

#include "hw/abi/KernelThread.h"
#include "hw/device/Program.h"

#include <string>

namespace ttjit::hw {

/// Returns the extents of a block in elements. A row of tiles counts with the rows that are stored.
std::vector<int64_t> elementExtents(const BufferConfig &buffer);

/// Returns the shape and the elements of a block as text; `?` for elements of unwritten pages.
std::string describeBlock(const BufferConfig &config, const CircularBuffer &state,
                          const uint8_t *l1, uint32_t firstPage);

/// Returns one line of text: the shape, sizes in bytes, and offsets of the pointers from the
/// buffer's start.
std::string describeState(const BufferConfig &config, const CircularBuffer &state);

/// Returns the text of one page of a tensor: a tile, or with `columns` a row of that many elements.
std::string describePage(const uint8_t *page, DataFormat format, int64_t columns);

struct TileSlice; // defined in hw/abi/KernelApi.h

/// Returns the elements of a tile that the slice has, a line for each row.
std::string describeSlice(const uint8_t *tile, DataFormat format, const TileSlice &slice);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_PRINTVALUES_H
