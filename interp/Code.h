//===- Code.h - the interpreter's compiled form ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The form of a thread that the interpreter runs. Values are numbered slots of a frame; ops are
// instructions whose handler and slot numbers are resolved; constants are part of the frame's
// initial content and cost nothing at run time. Tiles that are values (before DST
// registers are assigned) are numbered tiles of the frame. Code does not change once it
// is made. All nodes run the same Code, each in its own frame.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_CODE_H
#define TTJIT_INTERP_CODE_H

#include "hw/abi/KernelThread.h"
#include "hw/calls/Border.h"

#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace ttjit::interp {

/// The content of one value. Integers of every width are kept sign-extended, i1 as 0 or
/// 1.
struct Slot {
  uint64_t bits = 0;

  template <typename T> static Slot of(T value) {
    if constexpr (std::is_pointer_v<T>)
      return {reinterpret_cast<uintptr_t>(value)};
    else if constexpr (std::is_same_v<T, float>)
      return {std::bit_cast<uint32_t>(value)};
    else if constexpr (sizeof(T) == 4)
      return {static_cast<uint64_t>(int64_t(static_cast<int32_t>(value)))};
    else
      return {static_cast<uint64_t>(value)};
  }

  template <typename T> T as() const {
    if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<T>(static_cast<uintptr_t>(bits));
    else if constexpr (std::is_same_v<T, float>)
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    else
      return static_cast<T>(bits);
  }
};

using SlotNumber = uint32_t;
using TileNumber = uint32_t;

inline constexpr size_t kTileBytes = hw::kDstTileElements * sizeof(float);

/// The data of one thread on one node: its slots and tiles.
struct Frame {
  hw::KernelThread &thread;
  Slot *slots;
  float *tiles = nullptr;
  uint8_t *written = nullptr; ///< 1 for each tile: the flags of tiles in the place of registers
  TileNumber numTiles = 0;

  float *tile(TileNumber number) const {
    return tiles + static_cast<size_t>(number) * hw::kDstTileElements;
  }

  template <typename T> T get(SlotNumber slot) const { return slots[slot].as<T>(); }
  template <typename T> void set(SlotNumber slot, T value) { slots[slot] = Slot::of(value); }
};

/// Base of the data that an instruction has besides slots, such as nested blocks.
struct Detail {
  virtual ~Detail() = default;
};

struct Instruction;
using Handler = hw::Status (*)(const Instruction &, Frame &);

struct Instruction {
  static constexpr int kMaxOperands = 6;

  Handler run = nullptr;
  uint32_t location = 0; ///< index into the program's LocationTable
  SlotNumber result = 0;
  std::array<SlotNumber, kMaxOperands> operands{};
  std::unique_ptr<Detail> detail;

  template <typename T> T operand(const Frame &frame, int index) const {
    return frame.get<T>(operands[index]);
  }
  template <typename T> hw::Status finish(Frame &frame, T value) const {
    frame.set(result, value);
    return hw::Status::Ok;
  }
};

using Instructions = std::vector<Instruction>;

inline hw::Status runInstructions(const Instructions &code, Frame &frame) {
  if (!hw::hasHeadroom(&frame.thread)) [[unlikely]]
    return hw::faultStackOverflow(&frame.thread);
  for (const Instruction &inst : code)
    if (hw::Status status = inst.run(inst, frame); status != hw::Status::Ok) [[unlikely]]
      return status;
  return hw::Status::Ok;
}

struct Code {
  std::vector<Slot> image; ///< content of a frame before the first instruction
  TileNumber numTiles = 0;
  Instructions body;
  std::deque<std::string> strings; ///< targets of pointers in the image
};

/// Runs the code in a new frame. A status other than Ok comes from the kernel API.
hw::Status run(const Code &code, hw::KernelThread &thread);

} // namespace ttjit::interp

#endif // TTJIT_INTERP_CODE_H
