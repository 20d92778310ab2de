//===- OptionValues.cpp - the values of options as text -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/OptionValues.h"

using namespace ttjit;
using namespace ttjit::options;

std::string options::valueOfEngine(const Options &options) {
  return std::to_string(int(options.engine));
}

std::string options::valueOfGrid(const Options &options) {
  auto [columns, rows] = options.autoGrid();
  return fmt::format("{}x{}", columns, rows);
}

std::string options::valueOfArch(const Options &options) { return options.archName; }

std::string options::valueOfNumerics(const Options &options) {
  return options.numerics == hw::NumericMode::Host ? "host" : "device";
}

std::string options::valueOfComputeConfig(const Options &options) {
  const ComputeChoices &chosen = options.compute;
  auto text = [](const auto &choice) {
    return choice ? std::to_string(static_cast<int>(*choice)) : std::string("-");
  };
  return fmt::format("{}{}{}{}", text(chosen.fp32DestAccEn), text(chosen.dstFullSyncEn),
                     text(chosen.mathApproxMode), text(chosen.mathFidelity));
}

std::string options::valueOfDebug(const Options &options) { return options.debug ? "on" : "off"; }

std::string options::valueOfDST(const Options &options) {
  const DSTChoices &dst = options.passes.dst;
  return fmt::format("{:d}{:d}{:d}{:d}{:d}", dst.schedule, dst.lazyLoads, dst.expireAtUse, dst.fpu,
                     dst.packBlocks);
}

std::string options::valueOfInserted(const Options &options) {
  std::string text;
  for (const InsertedPass &inserted : options.passes.inserted)
    text += fmt::format("{}@{} ", inserted.passes, inserted.after);
  return text;
}

std::string options::valueOfMetalium(const Options &options) {
  return std::to_string(int(options.emit.metalium.generation));
}

std::string options::valueOfEmitPath(const Options &options) {
  return options.emit.path == EmitPath::Direct ? "direct" : "ttkernel";
}

std::string options::valueOfTraceTime(const Options &options) {
  return options.records.traceTime == trace::TraceTime::Cycles ? "cycles" : "";
}

std::string options::valueOfScheduleFile(const Options &options) {
  return fmt::format("{}:{}", options.passes.schedulePath, options.passes.scheduleText);
}

std::string options::listOfChecks(bool links) {
  std::string text;
  for (const CheckSpec &check : kChecks)
    text += fmt::format(fmt::runtime(links ? "{}`{}` ([{}](debugging.md#{}))" : "{}{} ({})"),
                        text.empty() ? "" : ", ", check.name, check.what, check.anchor);
  return text;
}
