//===- Bisect.h - finds the pass that changes a result --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds a wrong pass: every pass must keep the bits of the results. Bisect keeps a copy
// of each kernel after each pass that changed it. At a launch the interpreter runs all
// copies on the same inputs. The first copy with other results names the wrong pass.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_DIFF_BISECT_H
#define TTJIT_TOOLS_TTL_DIFF_BISECT_H

#include "tools/options/Options.h"
#include "tools/ttl-diff/VersionRunner.h"

namespace ttjit::ttl_diff {

class Bisect {
public:
  /// Returns an observer for a Session, or null if the options do not ask for bisect.
  /// This object must outlive the Session.
  session::ObserverFactory observer(const options::Options &options);

  const PassComparison &comparison() const { return compared; }

  /// Returns several lines: the first difference, and how to print the IR around it.
  /// `file` is the script or program, as the user named it.
  std::string report(std::string file, const options::Options &options) const;

private:
  PassComparison compared;
};

} // namespace ttjit::ttl_diff

#endif // TTJIT_TOOLS_TTL_DIFF_BISECT_H
