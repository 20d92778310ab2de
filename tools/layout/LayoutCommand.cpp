//===- LayoutCommand.cpp - ttl-jit layout -------------------------------------===//
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

static constexpr int kUsage = 2, kCompileError = 3;

static constexpr std::string_view kUsageText =
    "usage: ttl-jit layout LAYOUT [options]\n\n"
    "Shows how a tensor of tt-mlir is stored: the shapes from the logical one to that of the\n"
    "device, and the core and the byte of one element.\n\n"
    "LAYOUT: '#ttcore.metal_layout<...>', a tensor type with such a layout, or a shape, which "
    "gets\n"
    "the layout that tt-mlir gives it: 33x128.\n\n";
static constexpr std::string_view kStatusText =
    "\nExit status: 0 success; 1 the file of --svg was not written; 2 usage error; 3 error in "
    "LAYOUT.\n";

namespace {

struct OptionRow {
  llvm::StringLiteral name, value; // `value` names the value in the help; empty: there is none
  const char *text;                // lines of help
  std::string LayoutWords::*word;  // the member that gets the value; null: none does
};

} // namespace

static constexpr OptionRow kOptions[] = {
    {"at", "I,J,..", "the element to find; otherwise the last one", &LayoutWords::at},
    {"grid", "YxX",
     "the grid of the tensor; otherwise that of the tensor type, or the one\nthat tt-mlir chooses",
     &LayoutWords::grid},
    {"view", "YxX", "another grid for the same storage: where the element is in it",
     &LayoutWords::view},
    {"dtype", "TYPE", "the format of elements: f32 (default), bf16, bfp_bf8, ...",
     &LayoutWords::dtype},
    {"row-major", "", "rows of elements, not tiles", nullptr},
    {"arch", "NAME", "the device: wormhole_b0 (default), blackhole, wormhole_b0@COLUMNSxROWS",
     nullptr},
    {"svg", "FILE", "also write the pictures as SVG", &LayoutWords::svg},
    {"help", "", "show this text", nullptr},
};

std::vector<std::string> layout::layoutOptions() {
  std::vector<std::string> names;
  for (const OptionRow &row : kOptions)
    names.push_back("--" + row.name.str() + (row.value.empty() ? "" : "="));
  return names;
}

static std::string helpText() {
  std::string text(kUsageText);
  for (const OptionRow &row : kOptions) {
    std::string option = "--" + row.name.str();
    if (!row.value.empty())
      option += "=" + row.value.str();
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(row.text).split(lines, '\n');
    for (llvm::StringRef line : lines)
      text += fmt::format("  {:<16} {}\n", line == lines.front() ? option : "", line.str());
  }
  return text + std::string(kStatusText);
}

namespace {

class Arguments {
public:
  explicit Arguments(const std::vector<std::string> &arguments) : arguments(arguments) {}

  // Returns the first mistake; nothing if there is none.
  std::optional<std::string> read();

  LayoutWords words;
  bool help = false;

private:
  std::optional<std::string> readOption(llvm::StringRef name, std::optional<std::string> value);
  std::optional<std::string> setValue(const OptionRow &row, const std::string &value);
  std::optional<std::string> readWord(const std::string &word);

  const std::vector<std::string> &arguments;
  size_t next = 0;
};

} // namespace

std::optional<std::string> Arguments::setValue(const OptionRow &row, const std::string &value) {
  if (value.empty())
    return fmt::format("--{} needs a value", row.name.str());
  if (row.word) {
    words.*row.word = value;
    return std::nullopt;
  }
  words.arch = hw::lookupArch(value);
  if (words.arch)
    return std::nullopt;
  return fmt::format("--arch: unknown device '{}'; expected wormhole_b0, blackhole or "
                     "wormhole_b0@8x8",
                     value);
}

static std::string unknownOption(llvm::StringRef name) {
  std::vector<std::string> names = layoutOptions();
  llvm::SmallVector<llvm::StringRef> known;
  for (llvm::StringRef each : names)
    known.push_back(each.rtrim('='));
  return describeUnknown("option", ("--" + name).str(), known);
}

std::optional<std::string> Arguments::readOption(llvm::StringRef name,
                                                 std::optional<std::string> value) {
  const OptionRow *row =
      llvm::find_if(kOptions, [&](const OptionRow &each) { return each.name == name; });
  if (row == std::end(kOptions))
    return unknownOption(name);
  bool isFlag = row->value.empty();
  if (isFlag && value)
    return fmt::format("--{} takes no value", name.str());
  words.rowMajor |= name == "row-major";
  help |= name == "help";
  if (isFlag)
    return std::nullopt;
  if (!value && next == arguments.size())
    return fmt::format("--{} needs a value", name.str());
  return setValue(*row, value ? *value : arguments[next++]);
}

// Reads a word that is the layout or -h. Returns the mistake in any other word.
std::optional<std::string> Arguments::readWord(const std::string &word) {
  if (word == "-h")
    help = true;
  else if (word.starts_with("-"))
    return fmt::format("unknown option {}; see ttl-jit layout --help", word);
  else if (!words.layout.empty())
    return fmt::format("one layout can be shown; found also '{}'", word);
  else
    words.layout = word;
  return std::nullopt;
}

std::optional<std::string> Arguments::read() {
  while (next < arguments.size()) {
    llvm::StringRef word = arguments[next++];
    std::optional<std::string> mistake;
    if (word.consume_front("--")) {
      auto [name, value] = word.split('=');
      mistake = readOption(name, word.contains('=') ? std::optional(value.str()) : std::nullopt);
    } else {
      mistake = readWord(word.str());
    }
    if (mistake)
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

// Returns a line of the text, counted from 1.
static std::string lineOf(llvm::StringRef text, int line) {
  while (line-- > 1)
    text = text.split('\n').second;
  return text.split('\n').first.str();
}

static LayoutOutcome refusal(const LayoutWords &words, const LayoutMistake &mistake) {
  if (mistake.isUsage)
    return usageError(mistake.message);
  ErrorText text;
  text.severity = "error";
  text.message = mistake.message;
  text.location = {"<layout>", mistake.line, mistake.column};
  text.line = lineOf(words.layout, mistake.line);
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
    outcome.status = kUsage;
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
    return {0, helpText(), ""};
  if (!read.words.arch)
    read.words.arch = arch;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::tt::ttcore::TTCoreDialect>();
  LayoutMistake mistake;
  std::optional<LayoutRequest> request = readLayout(read.words, context, mistake);
  return request ? show(read.words, *request) : refusal(read.words, mistake);
}
