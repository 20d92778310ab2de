//===- Instants.h - times and their causes --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An Instant is a time and the last piece of the chain of causes that led to it. Pieces are kept in
// a PathLog; walking back from the last moment of a run gives its critical path.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_INSTANTS_H
#define TTJIT_TOOLS_TIMING_INSTANTS_H

#include "hw/facts/TimeCosts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace ttjit::timing {

using hw::Ticks;

/// The resources that take time. resourceName() returns their names.
enum class Resource : uint8_t {
  Calls,      ///< RISC-V cores: calls of buffers, transfers, barriers
  Scalars,    ///< RISC-V cores: address arithmetic and loops
  NocLatency, ///< the way through the NoC, and the memory of a core at its end
  NocRate,    ///< flits that enter or leave a core
  Multicast,  ///< reserving the rectangle of a multicast
  DramLatency,
  DramRate, ///< bytes of a bank
  Unpack,
  Matrix,
  Vector,
  Pack,
  Init,      ///< initialisation and other formats
  Sections,  ///< handshakes of DST sections
  Handshake, ///< the other end notices a push, a pop or a semaphore
  LinkRate,  ///< flits on links between routers that others use, too
  FabricLatency,
  FabricRate, ///< bytes of a link between chips
};
inline constexpr size_t kNumResources = size_t(Resource::FabricRate) + 1;

std::string_view resourceName(Resource resource);

struct Instant {
  Ticks time = 0;
  uint32_t piece = ~uint32_t(0); ///< index into the PathLog
};

inline Instant later(Instant a, Instant b) { return b.time > a.time ? b : a; }

/// A piece of a chain of causes: at `loc`, this resource took this long.
struct PathPiece {
  uint32_t previous;
  uint32_t loc : 27, resource : 5;
  uint32_t ticks;
};

/// Keeps the pieces in chunks, so that no piece moves when the path grows.
class PathLog {
public:
  explicit PathLog(bool isKept) : isKept(isKept) {}

  Instant extend(Instant moment, Resource resource, uint32_t loc, Ticks ticks) {
    moment.time += ticks;
    for (Ticks left = isKept ? ticks : 0; left > 0;) {
      uint32_t part = uint32_t(std::min<Ticks>(left, ~uint32_t(0)));
      moment.piece = add({moment.piece, loc, uint32_t(resource), part});
      left -= part;
    }
    return moment;
  }

  /// Calls `visit(piece)` for the pieces that led to `moment`, the last one first.
  template <typename Visit> void walkBack(Instant moment, Visit visit) const {
    for (uint32_t at = moment.piece; at < numPieces;) {
      const PathPiece &piece = chunks[at / kChunk][at % kChunk];
      visit(piece);
      at = piece.previous;
    }
  }

private:
  static constexpr uint32_t kChunk = 1 << 15;

  uint32_t add(PathPiece piece) {
    if (numPieces % kChunk == 0)
      chunks.push_back(std::make_unique_for_overwrite<PathPiece[]>(kChunk));
    chunks[numPieces / kChunk][numPieces % kChunk] = piece;
    return numPieces++;
  }

  bool isKept;
  uint32_t numPieces = 0;
  std::vector<std::unique_ptr<PathPiece[]>> chunks;
};

/// A resource that serves one request after the other. Requests come nearly in the order of their
/// times. A request that is ready before an earlier one uses a gap, if there is one.
class Server {
public:
  /// Returns when the request, which is ready at `ready` and takes `ticks`, begins.
  Instant reserve(Instant ready, Ticks ticks) {
    for (Gap &gap : gaps) {
      Ticks begin = ready.time > gap.begin ? ready.time : gap.begin;
      if (begin + ticks > gap.end)
        continue;
      gap.begin = begin + ticks;
      ready.time = begin;
      return ready;
    }
    if (ready.time > free.time) {
      gaps[next++ % gaps.size()] = {free.time, ready.time};
      free = ready;
    }
    Instant begin = free;
    free.time += ticks;
    return begin;
  }
  /// Sets when the last request ended, and by which chain of causes: others wait for that moment.
  void endsWith(Instant end) {
    if (end.time >= free.time)
      free = end;
  }

private:
  struct Gap {
    Ticks begin = 0, end = 0;
  };
  Instant free;
  std::array<Gap, 4> gaps;
  unsigned next = 0;
};

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_INSTANTS_H
