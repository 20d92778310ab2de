//===- UpstreamPasses.cpp - passes of tt-mlir by their names ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/UpstreamPasses.h"

#include "ir/Messages/UnknownNames.h"
#include "passes/Pipeline.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ttjit;

namespace {

enum class Kind { Part, Runs, Within, None };

struct Row {
  Kind kind;
  StringRef name; // of a part: its title
  StringRef does;
  StringRef here; // names of our passes; of Kind::None: why there is none
};

constexpr Row kRows[] = {
#define UPSTREAM_PART(title) {Kind::Part, title, "", ""},
#define UPSTREAM_RUNS(name, does, passes) {Kind::Runs, name, does, passes},
#define UPSTREAM_WITHIN(name, does, passes) {Kind::Within, name, does, passes},
#define UPSTREAM_NONE(name, does, why) {Kind::None, name, does, why},
#include "passes/UpstreamPasses.def"
};

// Says which passes run in place of tt-mlir's.
struct NameRunningPasses : PassWrapper<NameRunningPasses, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NameRunningPasses)

  explicit NameRunningPasses(const Row &row) : row(row) {}
  StringRef getName() const override { return "NameRunningPasses"; }
  void runOnOperation() override {
    Block &body = *getOperation().getBody();
    Location place = body.empty() ? getOperation().getLoc() : body.front().getLoc();
    emitRemark(place) << row.name << " of tt-mlir runs " << spaced(row.here);
  }

  static std::string spaced(StringRef passes) { return llvm::join(llvm::split(passes, ','), ", "); }

  const Row &row;
};

} // namespace

//===--------------------------------------------------------------------------===//
// Passes by name
//===--------------------------------------------------------------------------===//

// Returns "a and b" for "a,b", and "a" for "a".
static std::string listOf(StringRef passes) {
  SmallVector<StringRef> names;
  passes.split(names, ',');
  StringRef last = names.pop_back_val();
  return names.empty() ? last.str() : llvm::join(names, ", ") + " and " + last.str();
}

// Returns why a pass of tt-mlir cannot run here.
static std::string refusalOf(const Row &row) {
  std::string text = (row.name + " of tt-mlir " + row.does + ". ").str();
  if (row.kind == Kind::None)
    return text + row.here.str();
  return text + "Here " + listOf(row.here) +
         " does this and more: run that, or the whole pipeline " + "with --ttl-to-ttkernel";
}

// Reads tt-mlir's option for the cores of the device, "override-device-shape=ROWS,COLUMNS", as
// options of ttir-to-ttl.
static bool readShape(StringRef options, std::string &shape) {
  auto [rows, columns] = options.split(',');
  unsigned numbers[2];
  if (!rows.consume_front("override-device-shape=") || rows.getAsInteger(10, numbers[0]) ||
      columns.getAsInteger(10, numbers[1]))
    return false;
  shape = llvm::formatv("ttir-to-ttl{{rows={0} columns={1}}", numbers[0], numbers[1]);
  return true;
}

static LogicalResult addPasses(const Row &row, OpPassManager &manager, StringRef options,
                               function_ref<LogicalResult(const Twine &)> fail) {
  if (row.kind != Kind::Runs)
    return fail(refusalOf(row));
  std::string passes = row.here.str(), shape;
  if (!options.empty()) {
    size_t place = passes.find("ttir-to-ttl");
    if (place == std::string::npos)
      return fail("takes no options; use " + listOf(row.here) + " to set options");
    if (!readShape(options.trim(), shape))
      return fail("takes override-device-shape=ROWS,COLUMNS only, found '" + options + "'");
    passes.replace(place, StringRef("ttir-to-ttl").size(), shape);
  }
  std::string why;
  llvm::raw_string_ostream stream(why);
  manager.addPass(std::make_unique<NameRunningPasses>(row));
  return failed(parsePassPipeline(passes, manager, stream)) ? fail(why) : success();
}

void ttjit::registerUpstreamPasses() {
  for (const Row &row : kRows) {
    if (row.kind == Kind::Part)
      continue;
    std::string text = "Of tt-mlir" + (row.kind == Kind::None ? ": " + row.here.str()
                                                              : "; here " + listOf(row.here));
    registerPassPipeline(
        row.name, text,
        [&row](OpPassManager &manager, StringRef options,
               function_ref<LogicalResult(const Twine &)> fail) {
          return addPasses(row, manager, options, fail);
        },
        [](function_ref<void(const detail::PassOptions &)>) {});
  }
}

//===--------------------------------------------------------------------------===//
// Explanations
//===--------------------------------------------------------------------------===//

std::string ttjit::explainUpstreamPasses() {
  std::string text =
      "The passes of tt-mlir, in their order, and the passes of ttl-jit that do their work.\n"
      "ttl-opt runs those after => by tt-mlir's name; those after = do it and more.\n"
      "ttl-jit explain NAME describes one pass, of tt-mlir or of ttl-jit.\n";
  for (const Row &row : kRows) {
    if (row.kind == Kind::Part)
      text += ("\n" + row.name + "\n").str();
    else
      text += llvm::formatv("  {0,-43} {1,-2} {2}\n", row.name,
                            row.kind == Kind::Runs     ? "=>"
                            : row.kind == Kind::Within ? "="
                                                       : "-",
                            row.kind == Kind::None ? row.here.str()
                                                   : NameRunningPasses::spaced(row.here));
  }
  return text;
}

// Returns text such as "ttl-form-compute (stage compute): what it does".
static std::string describeOwnPass(StringRef name) {
  std::string stages;
  for (const PipelineStep &step : pipelineSteps())
    if (StringRef(step.pass).rtrim("0123456789").rtrim('-') == name)
      stages += (stages.empty() ? " (stage " : " and ") + step.stage;
  const PassInfo *pass = PassInfo::lookup(name);
  const PassPipelineInfo *pipeline = PassPipelineInfo::lookup(name);
  StringRef text = pass       ? pass->getPassDescription()
                   : pipeline ? pipeline->getPassDescription()
                              : "";
  return (name + stages + (stages.empty() ? ": " : "): ") + text + "\n").str();
}

static std::string explainRow(const Row &row) {
  std::string text = (row.name + " of tt-mlir " + row.does + ".\n").str();
  if (row.kind == Kind::None)
    return text + row.here.str() + "\n";
  text += row.kind == Kind::Runs ? "ttl-opt --" + row.name.str() + " runs\n"
                                 : "This is part of the work of\n";
  for (StringRef pass : llvm::split(row.here, ','))
    text += "  " + describeOwnPass(pass);
  return text;
}

static std::string explainOwn(StringRef name) {
  std::string text = describeOwnPass(name), theirs;
  for (const Row &row : kRows)
    if (row.kind != Kind::None && llvm::is_contained(llvm::split(row.here, ','), name))
      theirs += ("  " + row.name + " " + row.does + "\n").str();
  return theirs.empty() ? text : text + "It does work of these passes of tt-mlir:\n" + theirs;
}

std::string ttjit::explainPass(StringRef name, bool &isKnown) {
  registerNamedPasses();
  isKnown = true;
  SmallVector<StringRef> names;
  for (const Row &row : kRows) {
    if (row.kind == Kind::Part)
      continue;
    if (row.name == name)
      return explainRow(row);
    names.push_back(row.name);
  }
  if (PassInfo::lookup(name) || PassPipelineInfo::lookup(name))
    return explainOwn(name);
  isKnown = false;
  for (const PipelineStep &step : pipelineSteps())
    names.push_back(step.pass);
  // Leaves out the list of all names, which the command prints if it is called without a name.
  std::string text = describeUnknown("pass", name, names);
  text = text.substr(0, text.find("; expected"));
  return text + (text.ends_with("?") ? " " : "; ") + "`ttl-jit explain` lists the passes\n";
}
