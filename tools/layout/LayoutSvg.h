//===- LayoutSvg.h - a layout as a picture --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_LAYOUT_LAYOUTSVG_H
#define TTJIT_TOOLS_LAYOUT_LAYOUTSVG_H

#include "tools/layout/LayoutRequest.h"

namespace ttjit::layout {

/// Returns the text of an SVG file: the tensor, its tiles and the borders of the cores, the device,
/// and the tile of the element.
std::string layoutSvg(const LayoutRequest &request);

} // namespace ttjit::layout

#endif // TTJIT_TOOLS_LAYOUT_LAYOUTSVG_H
