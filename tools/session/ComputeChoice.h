//===- ComputeChoice.h - the compute configuration of a kernel ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_COMPUTECHOICE_H
#define TTJIT_TOOLS_SESSION_COMPUTECHOICE_H

#include "hw/device/Program.h"
#include "tools/options/Options.h"

#include "mlir/IR/Operation.h"

namespace ttjit::session {

/// Sets the compute configuration of a ttl.kernel or ttl.program: the kernel's own settings,
/// changed by --compute-config. In device numerics, a width of DST that neither sets is the one
/// that tt-lang chooses on a card, and the module gets kDefaultVariantsAttr.
void chooseComputeConfig(mlir::Operation *kernel, const options::Options &options,
                         const hw::ArchDesc &arch);

/// Returns the configuration with the settings of --compute-config.
hw::ComputeConfig withChoices(hw::ComputeConfig config, const options::ComputeChoices &choices);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_COMPUTECHOICE_H
