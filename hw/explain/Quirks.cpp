//===- Quirks.cpp - surprising results of the card ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/explain/Quirks.h"

#include "hw/tile/TileShape.h"

#include <algorithm>

using namespace ttjit::hw;
using namespace ttjit::hw::explain;

const char *explain::describe(QuirkKind kind) {
  static constexpr const char *kTexts[kNumQuirks] = {
      "Wormhole's normaliser: a sum of -1 in the last place became 2^27 times as large",
      "a product that overflowed became 0 in a later phase",
      "inf - inf or inf * 0 became a number: the matrix engine has no NaN",
      "NaN became infinite",
      "-0 or a denormal became +0",
      "minus zero of a block float was read as -infinity",
      "the last bit of float32 data (TF32) in SrcA was not used",
      "a finite number became infinite when it was packed",
      "the other chip has other bits",
  };
  return kTexts[static_cast<int>(kind)];
}

void Quirks::add(QuirkKind kind, const SourceLocation &location, const std::string &place,
                 int element) {
  auto it = std::ranges::find_if(found, [&](const Quirk &quirk) {
    return quirk.kind == kind && quirk.location.line == location.line &&
           quirk.location.file == location.file;
  });
  if (it != found.end()) {
    ++it->count;
    return;
  }
  int face = element / kFaceElements, inFace = element % kFaceElements;
  found.push_back({kind, location, place, face / 2 * kFaceDim + inFace / kFaceDim,
                   face % 2 * kFaceDim + inFace % kFaceDim, 1});
}
