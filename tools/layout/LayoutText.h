//===- LayoutText.h - a layout's numbers as text --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_LAYOUT_LAYOUTTEXT_H
#define TTJIT_TOOLS_LAYOUT_LAYOUTTEXT_H

#include "tools/layout/LayoutRequest.h"

namespace ttjit::layout {

/// Returns the steps by which the logical shape becomes shards on the device, with their numbers.
std::string chainText(const LayoutRequest &request);

/// Returns where the element is, step by step.
std::string elementText(const LayoutRequest &request);

} // namespace ttjit::layout

#endif // TTJIT_TOOLS_LAYOUT_LAYOUTTEXT_H
