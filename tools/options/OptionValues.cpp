//===- OptionValues.cpp - the values of options as text ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/OptionValues.h"

using namespace ttjit;
using namespace ttjit::session;

std::string session::valueOfEngine(const Options &options) {
  return std::to_string(int(options.engine));
}

std::string session::valueOfGrid(const Options &options) {
  auto [columns, rows] = options.autoGrid();
  return fmt::format("{}x{}", columns, rows);
}

std::string session::valueOfArch(const Options &options) { return options.archName; }

std::string session::valueOfNumerics(const Options &) { return "host"; }

std::string session::valueOfDebug(const Options &options) { return options.debug ? "on" : "off"; }

std::string session::valueOfDST(const Options &options) {
  const DSTChoices &dst = options.passes.dst;
  return fmt::format("{:d}{:d}{:d}{:d}{:d}", dst.schedule, dst.lazyLoads, dst.expireAtUse, dst.fpu,
                     dst.packBlocks);
}

std::string session::valueOfInserted(const Options &options) {
  std::string text;
  for (const InsertedPass &inserted : options.passes.inserted)
    text += fmt::format("{}@{} ", inserted.passes, inserted.after);
  return text;
}

std::string session::valueOfMetalium(const Options &options) {
  return std::to_string(int(options.emit.metalium.generation));
}

std::string session::valueOfScheduleFile(const Options &options) {
  return fmt::format("{}:{}", options.passes.schedulePath, options.passes.scheduleText);
}

std::string session::listOfChecks(bool links) {
  std::string text;
  for (const CheckSpec &check : kChecks)
    text += fmt::format(fmt::runtime(links ? "{}`{}` ([{}](debugging.md#{}))" : "{}{} ({})"),
                        text.empty() ? "" : ", ", check.name, check.what, check.anchor);
  return text;
}
