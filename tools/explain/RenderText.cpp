//===- RenderText.cpp - the explanation of errors as text and JSON ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/explain/NumericsReport.h"

#include "hw/facts/Words.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>

using namespace ttjit;
using namespace ttjit::explain;

static constexpr size_t kMostLines = 12; // of causes and of lines

static std::string place(const hw::SourceLocation &location) {
  if (!location.line)
    return "an unknown line";
  return fmt::format("{}:{}", std::filesystem::path(location.file).filename().string(),
                     location.line);
}

//===--------------------------------------------------------------------------===//
// Text
//===--------------------------------------------------------------------------===//

static std::string histogramText(const TensorErrors &tensor) {
  std::string ends = "  ulp up to ", counts = "  elements  ";
  for (size_t i = 0; i < tensor.histogram.size(); ++i) {
    ends += i < kClassEnds.size() ? fmt::format(" {:>8}", kClassEnds[i])
                                  : fmt::format(" {:>8}", "more");
    counts += fmt::format(" {:>8}", tensor.histogram[i]);
  }
  return ends + "\n" + counts + "\n";
}

static std::string sharesText(const char *title, const std::vector<ErrorShare> &shares) {
  if (shares.empty())
    return {};
  std::string text =
      fmt::format("  {:<32} {:>12} {:>12} {:>9}\n", title, "adds, ulp", "absolute", "removes");
  for (size_t i = 0; i < std::min(shares.size(), kMostLines); ++i)
    text += fmt::format("    {:<30} {:>12.3g} {:>12.3g} {:>7.0f} %{}\n", shares[i].name,
                        shares[i].added.ulp, shares[i].added.absolute,
                        std::round(100 * shares[i].removed) + 0.0,
                        shares[i].isMeasured ? "  run again" : "");
  if (shares.size() > kMostLines)
    text += fmt::format("    and {} more\n", shares.size() - kMostLines);
  return text;
}

static std::string settingsText(const std::vector<SettingError> &settings) {
  if (settings.empty())
    return {};
  std::string text = fmt::format("  {:<32} {:>12} {:>12} {:>9}\n", "mean error if run with", "ulp",
                                 "absolute", "removes");
  for (const SettingError &each : settings)
    text += fmt::format("    {:<30} {:>12.3g} {:>12.3g} {:>7.0f} %\n", each.setting, each.mean.ulp,
                        each.mean.absolute, std::round(100 * each.removed) + 0.0);
  return text;
}

static std::string tensorText(const TensorErrors &tensor) {
  std::string text = fmt::format("tensor '{}', {}, shape {}: error against fp64\n", tensor.name,
                                 tensor.format, fmt::join(tensor.shape, "x"));
  if (tensor.notFinite)
    text += fmt::format("  {} not finite, where exact arithmetic has another value\n",
                        hw::plural(static_cast<int64_t>(tensor.notFinite), "element"));
  if (tensor.worst.empty())
    return text;
  text += fmt::format("  largest {:.3g} ulp at ({}): found {:.8g}, exact {:.8g}; absolute {:.3g}\n",
                      tensor.largest.ulp, fmt::join(tensor.worst, ", "), tensor.found, tensor.exact,
                      tensor.largest.absolute);
  text +=
      fmt::format("  mean    {:.3g} ulp, absolute {:.3g}\n", tensor.mean.ulp, tensor.mean.absolute);
  text += histogramText(tensor) + sharesText("mean error by cause", tensor.causes);
  if (!tensor.causes.empty())
    text += fmt::format("    {:<30} {:>12.3g} {:>12.3g}\n", "not additive", tensor.residue.ulp,
                        tensor.residue.absolute);
  text += sharesText("mean error by line", tensor.lines) + settingsText(tensor.settings);
  if (!tensor.advice.empty())
    text += fmt::format("  advice: {}\n", tensor.advice);
  return text;
}

std::string explain::renderText(const NumericsReport &report) {
  std::string text = fmt::format("{}, {}\n", report.kernel, report.configuration);
  if (report.tensors.empty())
    text += "  the launch packed no tile of a tensor of floats\n";
  for (const TensorErrors &tensor : report.tensors)
    text += tensorText(tensor);
  if (!report.quirks.empty())
    text += "quirks\n";
  for (const QuirkReport &quirk : report.quirks)
    text += fmt::format("  {}: {}: {}, first element ({}, {}) of {}\n", place(quirk.location),
                        quirk.text, hw::plural(static_cast<int64_t>(quirk.count), "element"),
                        quirk.row, quirk.column, quirk.place);
  text += report.otherChip + "\n";
  for (const auto &[what, location] : report.unfollowed)
    text += fmt::format("not followed: {} at {}: errors before it are not in the figures\n", what,
                        place(location));
  return text;
}

//===--------------------------------------------------------------------------===//
// JSON
//===--------------------------------------------------------------------------===//

static llvm::json::Object json(const ErrorSize &size) {
  return llvm::json::Object{{"ulp", size.ulp}, {"absolute", size.absolute}};
}

// Returns a number as JSON: infinities, which JSON lacks, as text.
static llvm::json::Value number(double value) {
  return std::isfinite(value) ? llvm::json::Value(value) : fmt::format("{}", value);
}

static llvm::json::Array json(const std::vector<ErrorShare> &shares) {
  llvm::json::Array array;
  for (const ErrorShare &share : shares) {
    llvm::json::Object object{{"name", share.name},
                              {"added", json(share.added)},
                              {"without", json(share.without)},
                              {"removed", share.removed},
                              {"measured", share.isMeasured}};
    if (share.location.line) {
      object["file"] = share.location.file;
      object["line"] = share.location.line;
    }
    array.push_back(std::move(object));
  }
  return array;
}

static llvm::json::Array json(const std::vector<SettingError> &settings) {
  llvm::json::Array array;
  for (const SettingError &each : settings)
    array.push_back(llvm::json::Object{
        {"setting", each.setting}, {"mean", json(each.mean)}, {"removed", each.removed}});
  return array;
}

static llvm::json::Object json(const TensorErrors &tensor) {
  llvm::json::Array classes;
  for (size_t i = 0; i < tensor.histogram.size(); ++i)
    classes.push_back(llvm::json::Object{
        {"up_to", i < kClassEnds.size() ? llvm::json::Value(kClassEnds[i]) : nullptr},
        {"elements", tensor.histogram[i]}});
  return llvm::json::Object{
      {"name", tensor.name},
      {"format", tensor.format},
      {"shape", llvm::json::Array(tensor.shape)},
      {"elements", tensor.elements},
      {"not_finite", tensor.notFinite},
      {"largest", json(tensor.largest)},
      {"mean", json(tensor.mean)},
      {"worst", llvm::json::Object{{"index", llvm::json::Array(tensor.worst)},
                                   {"found", number(tensor.found)},
                                   {"exact", number(tensor.exact)}}},
      {"histogram", std::move(classes)},
      {"causes", json(tensor.causes)},
      {"lines", json(tensor.lines)},
      {"not_additive", json(tensor.residue)},
      {"settings", json(tensor.settings)},
      {"changed_on_other_chip", tensor.changedOnOtherChip},
      {"map", llvm::json::Object{{"rows", tensor.map.rows},
                                 {"columns", tensor.map.columns},
                                 {"largest_ulp", llvm::json::Array(tensor.map.cells)}}},
      {"picture", renderMap(tensor)},
      {"advice", tensor.advice}};
}

static llvm::json::Object json(const hw::SourceLocation &location) {
  return llvm::json::Object{{"file", location.file}, {"line", location.line}};
}

static llvm::json::Object json(const NumericsReport &report) {
  llvm::json::Array tensors, quirks, unfollowed;
  for (const TensorErrors &tensor : report.tensors)
    tensors.push_back(json(tensor));
  for (const QuirkReport &quirk : report.quirks)
    quirks.push_back(llvm::json::Object{{"text", quirk.text},
                                        {"location", json(quirk.location)},
                                        {"tile", quirk.place},
                                        {"element", llvm::json::Array{quirk.row, quirk.column}},
                                        {"elements", quirk.count}});
  for (const auto &[what, location] : report.unfollowed)
    unfollowed.push_back(llvm::json::Object{{"what", what}, {"location", json(location)}});
  return llvm::json::Object{{"kernel", report.kernel},
                            {"configuration", report.configuration},
                            {"text", renderText(report)},
                            {"tensors", std::move(tensors)},
                            {"quirks", std::move(quirks)},
                            {"other_chip", report.otherChip},
                            {"not_followed", std::move(unfollowed)}};
}

std::string explain::renderJson(const std::vector<NumericsReport> &reports) {
  llvm::json::Array array;
  for (const NumericsReport &report : reports)
    array.push_back(json(report));
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(
      llvm::json::Object{{"version", 1}, {"launches", std::move(array)}});
  return text + "\n";
}
