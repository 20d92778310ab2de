//===- Bytes.h - values in a message --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// All ranks run the same program file, so messages have values in the host's own representation.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_LINK_BYTES_H
#define TTJIT_HW_LINK_BYTES_H

#include "hw/link/Link.h"

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace ttjit::hw {

/// Appends values to a message.
class ByteWriter {
public:
  explicit ByteWriter(Message &message) : message(message) {}

  template <typename T> void put(const T &value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    putBytes(&value, sizeof value);
  }
  void putBytes(const void *bytes, size_t count);
  /// Writes the length of a text, and its bytes.
  void putText(std::string_view text);

private:
  Message &message;
};

/// Takes the values of a message in the order in which they were written. Throws a
/// std::runtime_error if the message is too short.
class ByteReader {
public:
  explicit ByteReader(const Message &message) : next(message.data()), left(message.size()) {}

  template <typename T> T take() {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    T value;
    std::memcpy(&value, takeBytes(sizeof value), sizeof value);
    return value;
  }
  /// Returns `count` bytes, which stay in the message.
  const uint8_t *takeBytes(size_t count);
  std::string_view takeText();
  /// Takes all bytes that are left.
  Message rest() { return {next, next + left}; }
  bool isAtEnd() const { return left == 0; }

private:
  const uint8_t *next;
  size_t left;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_LINK_BYTES_H
