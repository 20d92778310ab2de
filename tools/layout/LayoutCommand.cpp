//===- LayoutCommand.cpp - ttl-jit layout --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/layout/LayoutCommand.h"

#include "diagnostics/Render.h"
#include "diagnostics/UserFile.h"
#include "ir/Messages/UnknownNames.h"
#include "tools/layout/LayoutPicture.h"
#include "tools/layout/LayoutSvg.h"
#include "tools/layout/LayoutText.h"

#include "mlir/IR/MLIRContext.h"

#include <fmt/format.h>

#include <fstream>

using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::layout;

static constexpr int kFailed = 1, kUsage = 2, kCompileError = 3;

static const char kHelp[] =
    "usage: ttl-jit layout LAYOUT [options]\n\n"
    "Shows how a tensor of tt-mlir is stored: the shapes from the logical one to that of the\n"
    "device, and the core and the byte of one element.\n\n"
    "LAYOUT: '#ttcore.metal_layout<...>', a tensor type with such a layout, or a shape, which "
    "gets\n"
    "the layout that tt-mlir gives it: 33x128.\n\n"
    "  --at=I,J,..      the element to find; otherwise the last one\n"
    "  --grid=YxX       the grid of the tensor; otherwise that of the tensor type, or the one "
    "that\n"
    "                   tt-mlir chooses\n"
    "  --view=YxX       another grid for the same storage: where the element is in it\n"
    "  --dtype=TYPE     the format of elements: f32 (default), bf16, bfp_bf8, ...\n"
    "  --row-major      rows of elements, not tiles\n"
    "  --arch=NAME      the device: wormhole_b0 (default), blackhole, wormhole_b0@COLUMNSxROWS\n"
    "  --svg=FILE       also write the pictures as SVG\n"
    "  --help           show this text\n\n"
    "Exit status: 0 success; 1 the file of --svg was not written; 2 usage error; 3 error in "
    "LAYOUT.\n";

namespace {

class Arguments {
public:
  explicit Arguments(const std::vector<std::string> &arguments) : arguments(arguments) {}

  /// Returns the first mistake; nothing if there is none.
  std::optional<std::string> read();

  LayoutWords words;
  bool help = false;

private:
  std::optional<std::string> readOption(llvm::StringRef name, std::optional<std::string> value);
  std::optional<std::string> setValue(llvm::StringRef name, const std::string &value);

  const std::vector<std::string> &arguments;
  size_t next = 0;
};

} // namespace

std::optional<std::string> Arguments::setValue(llvm::StringRef name, const std::string &value) {
  if (name == "arch") {
    words.arch = hw::lookupArch(value);
    return words.arch ? std::nullopt
                      : std::optional(fmt::format("--arch: unknown device '{}'; expected "
                                                  "wormhole_b0, blackhole or wormhole_b0@8x8",
                                                  value));
  }
  std::string &word = name == "at"     ? words.at
                      : name == "grid" ? words.grid
                      : name == "view" ? words.view
                      : name == "svg"  ? words.svg
                                       : words.dtype;
  word = value;
  return value.empty() ? std::optional(fmt::format("--{} needs a value", name.str()))
                       : std::nullopt;
}

std::optional<std::string> Arguments::readOption(llvm::StringRef name,
                                                 std::optional<std::string> value) {
  bool takesValue = llvm::is_contained({"at", "grid", "view", "svg", "dtype", "arch"}, name);
  bool isFlag = name == "row-major" || name == "help";
  if (!takesValue && !isFlag)
    return describeUnknown(
        "option of ttl-jit layout", ("--" + name).str(),
        {"--at", "--grid", "--view", "--svg", "--dtype", "--arch", "--row-major", "--help"});
  if (isFlag && value)
    return fmt::format("--{} takes no value", name.str());
  words.rowMajor |= name == "row-major";
  help |= name == "help";
  if (isFlag)
    return std::nullopt;
  if (!value && next == arguments.size())
    return fmt::format("--{} needs a value", name.str());
  return setValue(name, value ? *value : arguments[next++]);
}

std::optional<std::string> Arguments::read() {
  while (next < arguments.size()) {
    llvm::StringRef word = arguments[next++];
    if (word == "-h" || !word.starts_with("-")) {
      if (!word.starts_with("-") && !words.layout.empty())
        return fmt::format("one layout can be shown; found also '{}'", word.str());
      help |= word == "-h";
      words.layout = word == "-h" ? words.layout : word.str();
      continue;
    }
    if (!word.consume_front("--"))
      return fmt::format("unknown option {}; see ttl-jit layout --help", word.str());
    auto [name, value] = word.split('=');
    bool hasValue = word.contains('=');
    if (auto mistake = readOption(name, hasValue ? std::optional(value.str()) : std::nullopt))
      return mistake;
  }
  if (words.layout.empty() && !help)
    return "no layout to show: ttl-jit layout LAYOUT [options]";
  if (!words.svg.empty())
    if (std::optional<std::string> mistake = whyNotWritable(words.svg))
      return "--svg: " + *mistake;
  return std::nullopt;
}

static LayoutOutcome usageError(const std::string &message) {
  return {kUsage, "", fmt::format("ttl-jit layout: {}\n", message)};
}

static LayoutOutcome refusal(const LayoutWords &words, const LayoutMistake &mistake) {
  if (mistake.isUsage)
    return usageError(mistake.message);
  ErrorText text;
  text.severity = "error";
  text.message = mistake.message;
  text.location = {"<layout>", 1, std::max(mistake.column, 1)};
  text.line = words.layout;
  return {kCompileError, "", render(text)};
}

static LayoutOutcome show(const LayoutWords &words, const LayoutRequest &request) {
  LayoutOutcome outcome;
  outcome.output = chainText(request) + "\n" + elementText(request) + pictureText(request);
  if (words.svg.empty())
    return outcome;
  std::ofstream file(words.svg, std::ios::binary);
  file << layoutSvg(request);
  file.close();
  if (!file) {
    outcome.status = kFailed;
    outcome.errors = fmt::format("ttl-jit layout: cannot write '{}'\n", words.svg);
  }
  return outcome;
}

LayoutOutcome layout::runLayoutCommand(const std::vector<std::string> &arguments,
                                       const hw::ArchDesc &arch) {
  Arguments read(arguments);
  if (std::optional<std::string> mistake = read.read())
    return usageError(*mistake);
  if (read.help)
    return {0, kHelp, ""};
  if (!read.words.arch)
    read.words.arch = arch;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::tt::ttcore::TTCoreDialect>();
  LayoutMistake mistake;
  std::optional<LayoutRequest> request = readLayout(read.words, context, mistake);
  return request ? show(read.words, *request) : refusal(read.words, mistake);
}
