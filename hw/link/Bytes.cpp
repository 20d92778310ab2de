//===- Bytes.cpp - values in a message ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/link/Bytes.h"

#include <stdexcept>

namespace ttjit::hw {

void ByteWriter::putBytes(const void *bytes, size_t count) {
  const auto *first = static_cast<const uint8_t *>(bytes);
  message.insert(message.end(), first, first + count);
}

void ByteWriter::putText(std::string_view text) {
  put(static_cast<uint64_t>(text.size()));
  putBytes(text.data(), text.size());
}

const uint8_t *ByteReader::takeBytes(size_t count) {
  if (count > left)
    throw std::runtime_error("a message of another rank is too short");
  const uint8_t *bytes = next;
  next += count;
  left -= count;
  return bytes;
}

std::string_view ByteReader::takeText() {
  auto count = static_cast<size_t>(take<uint64_t>());
  return {reinterpret_cast<const char *>(takeBytes(count)), count};
}

} // namespace ttjit::hw
