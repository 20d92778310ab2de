//===- CollectErrors.cpp - the errors of a launch from its run ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/explain/CollectErrors.h"

#include "hw/device/TensorElements.h"
#include "hw/tile/TileMath.h"
#include "hw/tile/TileShape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>

using namespace ttjit;
using namespace ttjit::explain;
using hw::DataFormat;
using hw::explain::Cause;
using hw::explain::ErrorTracker;
using hw::explain::Lane;
using hw::explain::Lanes;
using hw::explain::TrackedTile;

static constexpr int kMostCells = 96;        // of a picture, in each direction
static constexpr double kWorthAdvice = 0.25; // least share of the error that advice must remove
static constexpr double kFewUlp = 1;         // if no error is larger, no advice is given

//===--------------------------------------------------------------------------===//
// Units of the last place
//===--------------------------------------------------------------------------===//

static int digitsOf(DataFormat format) {
  switch (format) {
  case DataFormat::Float32:
    return 24;
  case DataFormat::Float16:
    return 11;
  case DataFormat::Float16_b:
    return 8;
  default: // block floats, with the exponent of their row
    return hw::datumBits(format) - 1;
  }
}

// Returns the unit of the last place of a format at a value.
static double unitAt(DataFormat format, double value) {
  int exponent = value == 0 || !std::isfinite(value) ? -126 : std::max(std::ilogb(value), -126);
  return std::ldexp(1.0, exponent + 1 - digitsOf(format));
}

namespace {

// Sums of the errors that one lane adds, and of the errors that are left without them.
struct LaneSums {
  ErrorSize added, without;
};

using Elements = std::array<float, hw::kTileElements>;

// Compares the tiles of one tensor.
class TensorComparison {
public:
  TensorComparison(const Lanes &lanes, const hw::TensorElements &elements,
                   std::vector<const OtherRun *> others, size_t tensor)
      : lanes(lanes), elements(elements), layout(elements.layout), others(std::move(others)),
        tensor(tensor), tiles(this->others.size()), settings(this->others.size()) {
    errors.map.rows = cellsOf(layout.matrices * layout.rows);
    errors.map.columns = cellsOf(layout.columns);
    errors.map.cells.resize(static_cast<size_t>(errors.map.rows * errors.map.columns));
  }

  void add(uint32_t page, const TrackedTile &tile);
  TensorErrors finish();

private:
  static int cellsOf(int64_t extent) {
    return static_cast<int>(std::min<int64_t>(std::max<int64_t>(extent, 1), kMostCells));
  }
  void addElement(const TrackedTile &tile, int element, int64_t row, int64_t column);
  void decodeOthers(uint32_t page);
  void addOthers(int element, double found, double exact, double unit);
  double valueIn(int lane, const TrackedTile &tile, int element) const;
  void addToMap(int64_t row, int64_t column, double ulp);
  void addLanes(const TrackedTile &tile, int element, double error, double unit);
  double unitOf(const TrackedTile &tile, int element) const;
  std::vector<int64_t> indexOf(int64_t row, int64_t column) const;
  ErrorShare shareOf(const Lane &lane, const LaneSums &sums) const;
  std::vector<SettingError> settingErrors() const;
  std::string remedyOf(const std::string &cause) const;
  std::string adviceOfSettings() const;
  std::string adviceOf() const;

  const Lanes &lanes;
  const hw::TensorElements &elements;
  const hw::PageLayout &layout;
  std::vector<const OtherRun *> others; // the other runs that have this tensor
  size_t tensor;                        // number of the tensor
  std::vector<Elements> tiles;          // by other run: the tile that is being compared
  std::vector<ErrorSize> settings;      // by other run: the sum of its errors
  TensorErrors errors;
  std::map<int, LaneSums> sums;
  ErrorSize total, residue;
};

} // namespace

// Reads the tile of this page from each other run.
void TensorComparison::decodeOthers(uint32_t page) {
  const hw::FormatKernels *format = hw::tileKernels().format(elements.format);
  for (size_t i = 0; i < others.size(); ++i)
    format->unpack(others[i]->tensors[tensor] + size_t{page} * hw::tileBytes(elements.format),
                   tiles[i].data());
}

void TensorComparison::add(uint32_t page, const TrackedTile &tile) {
  decodeOthers(page);
  int64_t pageRow = page / layout.pageColumns(), pageColumn = page % layout.pageColumns();
  int64_t matrix = pageRow / layout.tileRows();
  int64_t firstRow = pageRow % layout.tileRows() * hw::kTileDim;
  int64_t firstColumn = pageColumn * hw::kTileDim;
  int64_t rows = std::min<int64_t>(hw::kTileDim, layout.rows - firstRow);
  int64_t columns = std::min<int64_t>(hw::kTileDim, layout.columns - firstColumn);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      addElement(tile, hw::elementIndex(r, c), matrix * layout.rows + firstRow + r,
                 firstColumn + c);
}

// In a block float, an element has the exponent of the largest element in its row of a face.
double TensorComparison::unitOf(const TrackedTile &tile, int element) const {
  double value = tile.at(Lanes::kReference, element);
  if (hw::isBlockFloat(elements.format)) {
    int first = element / hw::kFaceDim * hw::kFaceDim;
    for (int i = first; i < first + hw::kFaceDim; ++i)
      if (double other = tile.device[static_cast<size_t>(i)]; std::fabs(other) > std::fabs(value))
        value = other;
  }
  return unitAt(elements.format, value);
}

void TensorComparison::addElement(const TrackedTile &tile, int element, int64_t row,
                                  int64_t column) {
  ++errors.elements;
  double found = tile.device[static_cast<size_t>(element)];
  double exact = tile.at(Lanes::kReference, element);
  if (!std::isfinite(found) || !std::isfinite(exact)) {
    errors.notFinite += !(found == exact || (std::isnan(found) && std::isnan(exact)));
    return;
  }
  double unit = unitOf(tile, element), error = std::fabs(found - exact), ulp = error / unit;
  total.absolute += error;
  total.ulp += ulp;
  auto *end = std::ranges::lower_bound(kClassEnds, ulp);
  ++errors.histogram[static_cast<size_t>(end - kClassEnds.begin())];
  addToMap(row, column, ulp);
  errors.largest.absolute = std::max(errors.largest.absolute, error);
  if (ulp > errors.largest.ulp || errors.worst.empty()) {
    errors.largest.ulp = ulp;
    errors.worst = indexOf(row, column);
    errors.found = found;
    errors.exact = exact;
  }
  addOthers(element, found, exact, unit);
  addLanes(tile, element, found - exact, unit);
}

void TensorComparison::addOthers(int element, double found, double exact, double unit) {
  for (size_t i = 0; i < others.size(); ++i) {
    double value = tiles[i][static_cast<size_t>(element)];
    if (others[i]->kind == OtherRun::OnOtherChip)
      errors.changedOnOtherChip += value != found;
    double error = std::isfinite(value) ? std::fabs(value - exact) : 0;
    settings[i].absolute += error;
    settings[i].ulp += error / unit;
  }
}

// Returns an element's value without the errors of a lane: from another run if there is one,
// otherwise from fp64 arithmetic.
double TensorComparison::valueIn(int lane, const TrackedTile &tile, int element) const {
  for (size_t i = 0; i < others.size(); ++i)
    if (others[i]->kind == OtherRun::WithoutCause && others[i]->lane == lane)
      return tiles[i][static_cast<size_t>(element)];
  return tile.at(lane, element);
}

void TensorComparison::addToMap(int64_t row, int64_t column, double ulp) {
  int64_t across = std::max<int64_t>(layout.columns, 1);
  int64_t down = std::max<int64_t>(layout.matrices * layout.rows, 1);
  int64_t cell =
      row * errors.map.rows / down * errors.map.columns + column * errors.map.columns / across;
  double &largest = errors.map.cells[static_cast<size_t>(cell)];
  largest = std::max(largest, ulp);
}

// Skips lanes that the tile does not have: in these it has the card's value.
void TensorComparison::addLanes(const TrackedTile &tile, int element, double error, double unit) {
  double explained = 0;
  double found = tile.device[static_cast<size_t>(element)];
  for (int number = 1; number < static_cast<int>(lanes.all().size()); ++number) {
    double value = valueIn(number, tile, element);
    double added = std::isfinite(value) ? found - value : 0;
    double left = std::fabs(error - added);
    LaneSums &lane = sums[number];
    lane.added.absolute += std::fabs(added);
    lane.added.ulp += std::fabs(added) / unit;
    lane.without.absolute += left;
    lane.without.ulp += left / unit;
    if (lanes.all()[static_cast<size_t>(number)].kind == Lane::OfCause)
      explained += added;
  }
  residue.absolute += std::fabs(error - explained);
  residue.ulp += std::fabs(error - explained) / unit;
}

std::vector<int64_t> TensorComparison::indexOf(int64_t row, int64_t column) const {
  std::vector<int64_t> index(elements.shape.size());
  int64_t rest = row;
  for (size_t i = index.size(); i-- > 0;) {
    if (i + 1 == index.size()) {
      index[i] = column;
      continue;
    }
    index[i] = rest % elements.shape[i];
    rest /= elements.shape[i];
  }
  return index;
}

ErrorShare TensorComparison::shareOf(const Lane &lane, const LaneSums &sums) const {
  double count = static_cast<double>(errors.elements - errors.notFinite);
  auto mean = [&](const ErrorSize &size) {
    return ErrorSize{size.absolute / count, size.ulp / count};
  };
  ErrorShare share{{}, {}, mean(sums.added), mean(sums.without), 0};
  share.removed = total.ulp > 0 ? 1 - sums.without.ulp / total.ulp : 0;
  if (lane.kind == Lane::OfCause) {
    share.name = hw::explain::causeName(lane.cause, lane.row);
    share.isMeasured = std::ranges::any_of(others, [&](const OtherRun *other) {
      return other->kind == OtherRun::WithoutCause &&
             &lanes.all()[static_cast<size_t>(other->lane)] == &lane;
    });
    return share;
  }
  share.location.file = lane.file;
  share.location.line = lane.line;
  share.name =
      fmt::format("{}:{}", std::filesystem::path(lane.file).filename().string(), lane.line);
  return share;
}

// Returns the errors with other settings, but not of settings without an effect on the error.
std::vector<SettingError> TensorComparison::settingErrors() const {
  std::vector<SettingError> found;
  double count = static_cast<double>(errors.elements - errors.notFinite);
  for (size_t i = 0; i < others.size(); ++i) {
    if (others[i]->kind != OtherRun::WithSetting || settings[i].absolute == total.absolute)
      continue;
    double removed = total.ulp > 0 ? 1 - settings[i].ulp / total.ulp : 0;
    found.push_back(
        {others[i]->setting, {settings[i].absolute / count, settings[i].ulp / count}, removed});
  }
  return found;
}

// Returns how to remove a cause for which there is no setting; empty if no way is known.
std::string TensorComparison::remedyOf(const std::string &cause) const {
  if (cause == hw::explain::causeName(Cause::Packer, -1) && elements.format != DataFormat::Float32)
    return "float32 for the tensors and blocks that are packed";
  return {};
}

// Returns how much the best setting removes; empty if no setting removes enough.
std::string TensorComparison::adviceOfSettings() const {
  auto best = std::ranges::max_element(errors.settings, {}, &SettingError::removed);
  if (best == errors.settings.end() || best->removed < kWorthAdvice)
    return {};
  return fmt::format("{} removes {:.0f} % of the mean error", best->setting, 100 * best->removed);
}

std::string TensorComparison::adviceOf() const {
  if (errors.largest.ulp <= kFewUlp || errors.causes.empty())
    return {};
  std::string where = errors.lines.empty()
                          ? ""
                          : fmt::format("; line {} adds most", errors.lines.front().location.line);
  if (std::string advice = adviceOfSettings(); !advice.empty())
    return advice + where;
  const ErrorShare &cause = errors.causes.front();
  if (cause.removed < kWorthAdvice)
    return {};
  std::string remedy = remedyOf(cause.name);
  double percent = 100 * cause.removed;
  if (remedy.empty())
    return fmt::format("without the errors of {} the mean error is {:.0f} % less{}", cause.name,
                       percent, where);
  return fmt::format("{} removes up to {:.0f} % of the mean error{}", remedy, percent, where);
}

TensorErrors TensorComparison::finish() {
  double count = static_cast<double>(errors.elements - errors.notFinite);
  if (count == 0)
    return errors;
  errors.mean = {total.absolute / count, total.ulp / count};
  errors.residue = {residue.absolute / count, residue.ulp / count};
  for (const auto &[number, sums] : sums) {
    const Lane &lane = lanes.all()[static_cast<size_t>(number)];
    ErrorShare share = shareOf(lane, sums);
    if (share.added.absolute > 0)
      (lane.kind == Lane::OfCause ? errors.causes : errors.lines).push_back(std::move(share));
  }
  auto isLarger = [](const ErrorShare &a, const ErrorShare &b) {
    return a.added.ulp > b.added.ulp;
  };
  std::ranges::sort(errors.causes, isLarger);
  std::ranges::sort(errors.lines, isLarger);
  errors.settings = settingErrors();
  errors.advice = adviceOf();
  return errors;
}

//===--------------------------------------------------------------------------===//
// A launch
//===--------------------------------------------------------------------------===//

static std::vector<TensorErrors> tensorErrors(ErrorTracker &tracker, const hw::Device &device,
                                              const std::vector<hw::TensorAllocation> &tensors,
                                              const std::vector<OtherRun> &others) {
  std::vector<TensorErrors> found;
  for (size_t number = 0; number < tensors.size(); ++number) {
    const hw::TensorAllocation &tensor = tensors[number];
    const hw::TensorElements *elements = device.elements(tensor);
    if (!elements || !elements->layout.tiled || !hw::isFloatFormat(elements->format))
      continue;
    std::vector<const OtherRun *> having;
    for (const OtherRun &other : others)
      if (other.tensors[number])
        having.push_back(&other);
    TensorComparison comparison(tracker.lanes(), *elements, std::move(having), number);
    bool isWritten = false;
    for (uint32_t page = 0; page < tensor.numPages; ++page)
      if (const TrackedTile *tile = tracker.find(device.place(tensor, page))) {
        isWritten = true;
        comparison.add(page, *tile);
      }
    if (!isWritten)
      continue;
    TensorErrors &errors = found.emplace_back(comparison.finish());
    errors.name = device.name(tensor);
    errors.format = hw::formatName(elements->format);
    errors.shape = elements->shape;
  }
  return found;
}

// Returns how many elements of each tensor have other bits on the other chip; empty if none.
static std::string changedText(const std::vector<TensorErrors> &tensors) {
  std::string text;
  for (const TensorErrors &tensor : tensors)
    if (tensor.changedOnOtherChip)
      text += fmt::format("; {} of {} elements of '{}' differ", tensor.changedOnOtherChip,
                          tensor.elements, tensor.name);
  return text;
}

static std::string otherChipText(const ErrorTracker &tracker, bool isWormhole,
                                 const std::vector<TensorErrors> &tensors) {
  const char *chip = isWormhole ? "Blackhole" : "Wormhole";
  const hw::explain::Quirk *first = tracker.otherChip();
  if (!first)
    return fmt::format("every operation has the same bits on {}", chip);
  return fmt::format("would change on {}: first {} at line {}, {}{}", chip,
                     tracker.otherChipOperation(), first->location.line, first->place,
                     changedText(tensors));
}

NumericsReport explain::collectErrors(ErrorTracker &tracker, const hw::Program &program,
                                      const hw::Device &device,
                                      const std::vector<hw::TensorAllocation> &tensors,
                                      const std::vector<OtherRun> &others) {
  NumericsReport report;
  report.kernel = program.name;
  report.tensors = tensorErrors(tracker, device, tensors, others);
  for (const hw::explain::Quirk &quirk : tracker.quirks().all())
    report.quirks.push_back({hw::explain::describe(quirk.kind), quirk.place, quirk.location,
                             quirk.row, quirk.column, quirk.count});
  bool isWormhole = program.compute.numericsOn(device.arch()).isWormhole;
  report.otherChip = otherChipText(tracker, isWormhole, report.tensors);
  for (const hw::explain::UnfollowedOperation &lost : tracker.unfollowed())
    report.unfollowed.emplace_back(lost.what, lost.location);
  return report;
}
