//===- DataFormat.h - storage formats of tiles ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The device's data formats with their hardware numbers and sizes. This header includes
// no other header of the tree.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_DATAFORMAT_H
#define TTJIT_HW_FACTS_DATAFORMAT_H

#include <cstdint>

namespace ttjit::hw {

/// A data format; the numbers are those of tt-metal's `DataFormat`.
enum class DataFormat : uint8_t {
  Float32 = 0,
  Float16 = 1,
  Bfp8 = 2,
  Bfp4 = 3,
  Float16_b = 5,
  Bfp8_b = 6,
  Bfp4_b = 7,
  Int32 = 8,
  UInt16 = 9,
  Bfp2 = 11,
  Bfp2_b = 15,
  UInt32 = 24,
  UInt8 = 30,
  Invalid = 255,
};

/// Returns the bits of one datum. For block floats, this excludes the shared exponents.
constexpr int datumBits(DataFormat format) {
  switch (format) {
  case DataFormat::Float32:
  case DataFormat::Int32:
  case DataFormat::UInt32:
    return 32;
  case DataFormat::Float16:
  case DataFormat::Float16_b:
  case DataFormat::UInt16:
    return 16;
  case DataFormat::Bfp8:
  case DataFormat::Bfp8_b:
  case DataFormat::UInt8:
    return 8;
  case DataFormat::Bfp4:
  case DataFormat::Bfp4_b:
    return 4;
  case DataFormat::Bfp2:
  case DataFormat::Bfp2_b:
    return 2;
  case DataFormat::Invalid:
    return 0;
  }
  return 0;
}

constexpr bool isBlockFloat(DataFormat format) {
  return format == DataFormat::Bfp8 || format == DataFormat::Bfp8_b || format == DataFormat::Bfp4 ||
         format == DataFormat::Bfp4_b || format == DataFormat::Bfp2 || format == DataFormat::Bfp2_b;
}

constexpr bool isFloatFormat(DataFormat format) {
  return format == DataFormat::Float32 || format == DataFormat::Float16 ||
         format == DataFormat::Float16_b || isBlockFloat(format);
}

constexpr bool isIntegerFormat(DataFormat format) {
  return format == DataFormat::Int32 || format == DataFormat::UInt32 ||
         format == DataFormat::UInt16 || format == DataFormat::UInt8;
}

/// Returns the size of one stored tile in bytes. Block floats have one exponent byte per 16 data;
/// the exponents are padded to a multiple of 16 bytes.
constexpr int64_t tileBytes(DataFormat format, int64_t height = 32, int64_t width = 32) {
  int64_t data = height * width;
  int64_t bytes = data * datumBits(format) / 8;
  if (!isBlockFloat(format))
    return bytes;
  int64_t exponents = data / 16;
  return bytes + (exponents + 15) / 16 * 16;
}

constexpr const char *formatName(DataFormat format) {
  switch (format) {
  case DataFormat::Float32:
    return "Float32";
  case DataFormat::Float16:
    return "Float16";
  case DataFormat::Bfp8:
    return "Bfp8";
  case DataFormat::Bfp4:
    return "Bfp4";
  case DataFormat::Float16_b:
    return "Float16_b";
  case DataFormat::Bfp8_b:
    return "Bfp8_b";
  case DataFormat::Bfp4_b:
    return "Bfp4_b";
  case DataFormat::Int32:
    return "Int32";
  case DataFormat::UInt16:
    return "UInt16";
  case DataFormat::Bfp2:
    return "Bfp2";
  case DataFormat::Bfp2_b:
    return "Bfp2_b";
  case DataFormat::UInt32:
    return "UInt32";
  case DataFormat::UInt8:
    return "UInt8";
  case DataFormat::Invalid:
    return "Invalid";
  }
  return "Invalid";
}

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_DATAFORMAT_H
