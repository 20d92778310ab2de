//===- SessionSettings.h - options of kernels in one session ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The value that Session::settings() returns: a set of options, and the engines that
// they ask for.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_SESSIONSETTINGS_H
#define TTJIT_TOOLS_SESSION_SESSIONSETTINGS_H

#include "frontend/launcher/Launcher.h"
#include "tools/session/Engines.h"

namespace ttjit::session {

class SessionSettings : public KernelSettings {
public:
  SessionSettings(Options options, std::shared_ptr<EngineSet> engines)
      : options(std::move(options)), engines(std::move(engines)) {}

  const hw::ArchDesc &arch() const override { return options.arch; }
  std::string archName() const override { return options.archName; }
  std::pair<int, int> autoGrid() const override;
  std::string key() const override;
  bool strict() const override { return options.isStrict(); }
  bool compileOnly() const override { return options.compileOnly; }
  bool debugged() const override { return options.debug; }

  /// Returns the options of a launch; they print nothing.
  hw::RunOptions runOptions() const;

  const Options options;
  const std::shared_ptr<EngineSet> engines;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_SESSIONSETTINGS_H
