//===- model_bindings.cpp - modules of ttir in Python -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The extension _ttjit_models. It parses a module and makes kernels of it. It returns these, and
// the rest of the module's functions as data for ttl/_models.py: a list of steps, each with the
// numbers of the values that it takes and makes.
//===--------------------------------------------------------------------------===//

#include "diagnostics/CrashGuard.h"
#include "diagnostics/Diagnostics.h"
#include "diagnostics/ParseModule.h"
#include "frontend/Records.h"
#include "ir/Nodes/Meshes.h"
#include "ir/TTL/TTLDist.h"
#include "ir/modules/AllDialects.h"
#include "ir/modules/D2M/D2M.h"
#include "passes/RunningPass.h"
#include "passes/d2m/Passes.h"
#include "passes/dist/Passes.h"
#include "passes/import/Passes.h"
#include "passes/ttir/Passes.h"
#include "tools/python-extension/device_steps.h"

#include "mlir/Pass/PassManager.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::python_extension;
using namespace ttjit::diagnostics;

//===--------------------------------------------------------------------------===//
// Attributes and types
//===--------------------------------------------------------------------------===//

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static py::tuple extentsRecord(ArrayRef<int64_t> extents) {
  py::tuple record(extents.size());
  for (auto [i, extent] : llvm::enumerate(extents))
    record[i] = extent;
  return record;
}

// Returns (memory space, memory layout, grid, elements of a shard); () for a tensor on the host.
static py::tuple storageRecord(RankedTensorType tensor) {
  auto encoding = dyn_cast_if_present<ttl::TensorEncodingAttr>(tensor.getEncoding());
  if (!encoding)
    return py::tuple(0);
  auto layout = cast<ttl::LayoutAttr>(encoding.getLayout());
  bool isL1 = encoding.getMemorySpace() == ttcore::MemorySpace::DeviceL1;
  return py::make_tuple(isL1 ? "L1" : "DRAM",
                        ttcore::stringifyTensorMemoryLayout(layout.getMemoryLayout()).str(),
                        extentsRecord(layout.getGrid()), extentsRecord(layout.getShard()));
}

// Returns (shape, name of the element type, storage). `ofHost`: leaves the storage empty.
static py::tuple typeRecord(Type type, bool ofHost) {
  bool isOnDevice;
  RankedTensorType stored = storedTensor(type, isOnDevice);
  auto given = dyn_cast<RankedTensorType>(type);
  RankedTensorType tensor = isOnDevice || ofHost || !given ? stored : given;
  return py::make_tuple(extentsRecord(tensor.getShape()), textOf(tensor.getElementType()),
                        storageRecord(tensor));
}

// Returns the elements as float64 or int64. If all are equal, returns only one.
static py::object elementsRecord(DenseElementsAttr elements) {
  int64_t count = elements.isSplat() ? 1 : elements.getNumElements();
  if (isa<FloatType>(elements.getElementType())) {
    py::array_t<double> array(count);
    for (int64_t i = 0; i < count; ++i) {
      llvm::APFloat value = elements.getValues<llvm::APFloat>()[i];
      bool losesInfo;
      value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      array.mutable_at(i) = value.convertToDouble();
    }
    return array;
  }
  bool isUnsigned =
      elements.getElementType().isUnsignedInteger() || elements.getElementType().isInteger(1);
  py::array_t<int64_t> array(count);
  for (int64_t i = 0; i < count; ++i) {
    llvm::APInt value = elements.getValues<llvm::APInt>()[i];
    array.mutable_at(i) = isUnsigned ? int64_t(value.getZExtValue()) : value.getSExtValue();
  }
  return array;
}

static py::object attributeRecord(Attribute attribute) {
  if (auto flag = dyn_cast<BoolAttr>(attribute))
    return py::bool_(flag.getValue());
  if (DenseElementsAttr elements = ttir::elementsOf(attribute))
    return elementsRecord(elements);
  if (std::optional<StringRef> reduction = ttir::reductionOf(attribute))
    return py::str(reduction->str());
  if (auto text = dyn_cast<StringAttr>(attribute))
    return py::str(text.getValue().str());
  if (auto type = dyn_cast<TypeAttr>(attribute))
    return py::str(textOf(type.getValue()));
  if (std::optional<SmallVector<int64_t>> integers = ttir::integersOf(attribute))
    return py::cast(std::vector<int64_t>(integers->begin(), integers->end()));
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return py::float_(number.getValueAsDouble());
  if (std::optional<int64_t> integer = ttir::integerOf(attribute))
    return py::int_(*integer);
  return py::none();
}

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

namespace {

// Numbers the values of a function in the order in which they are made.
class Values {
public:
  std::vector<int> add(ValueRange values, bool ofHost = false) {
    std::vector<int> result;
    for (Value value : values) {
      numbers[value] = static_cast<int>(types.size());
      result.push_back(numbers[value]);
      types.append(typeRecord(value.getType(), ofHost));
    }
    return result;
  }
  std::vector<int> find(ValueRange values) const {
    std::vector<int> result;
    for (Value value : values)
      result.push_back(numbers.at(storageOwner(value)));
    return result;
  }
  py::list types;

private:
  DenseMap<Value, int> numbers;
};

} // namespace

static bool isOfD2M(Operation &op) {
  std::string why;
  return makesZeros(&op) || gatherOf(&op, why).has_value();
}

// Returns the attributes of a step of ttl.dist.
static py::dict collectiveRecord(ttl::CollectiveOp op) {
  py::dict attributes;
  attributes["axis"] = static_cast<int64_t>(op.getAxis());
  attributes["before"] = static_cast<int64_t>(op.getBefore());
  attributes["after"] = static_cast<int64_t>(op.getAfter());
  attributes["bytes"] = static_cast<int64_t>(op.getBytes());
  return attributes;
}

// Returns (shape, what each axis of the mesh cuts) of a whole tensor; None for other tensors.
static py::object distRecord(Attribute attribute) {
  auto type = dyn_cast_if_present<TypeAttr>(attribute);
  auto tensor = type ? dyn_cast<ttl::DistTensorType>(type.getValue()) : ttl::DistTensorType();
  if (!tensor)
    return py::none();
  return py::make_tuple(extentsRecord(tensor.getShape()),
                        extentsRecord(tensor.getPlacement().getDims()));
}

// Adds the mesh of a function, and the whole tensors of its arguments and results.
static void addMesh(py::dict record, func::FuncOp function) {
  auto mesh = function->getAttrOfType<DenseI64ArrayAttr>(kMeshAttr);
  record["mesh"] = mesh ? py::object(extentsRecord(mesh.asArrayRef())) : py::none();
  py::list arguments, results;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    arguments.append(distRecord(function.getArgAttr(i, ttl::kDistAttr)));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    results.append(distRecord(function.getResultAttr(i, ttl::kDistAttr)));
  record["whole_arguments"] = arguments;
  record["whole_results"] = results;
}

// Returns (name of the op or kernel, is it a kernel, operands, results, attributes, location).
static py::tuple stepRecord(Operation &op, Values &values) {
  py::dict attributes;
  auto launch = dyn_cast<ttl::LaunchOp>(op);
  std::string name = launch ? launch.getKernel().str() : op.getName().stripDialect().str();
  std::vector<int> operands = values.find(op.getOperands());
  if (auto collective = dyn_cast<ttl::CollectiveOp>(op)) {
    name = collective.getFunction().str();
    attributes = collectiveRecord(collective);
  }
  if (auto ttirOp = dyn_cast<ttir::TTIROp>(op))
    if (DictionaryAttr given = ttirOp.getProperties().attributes)
      for (NamedAttribute attribute : given)
        attributes[py::str(attribute.getName().getValue().str())] =
            attributeRecord(attribute.getValue());
  return py::make_tuple(name, bool(launch), operands, values.add(op.getResults()), attributes,
                        frontend::locationRecord(toSourceLocation(op.getLoc())));
}

// Returns a step that sets elements of a tensor to those of another one, or to 0.
static py::tuple copyRecord(Operation &op, Values &values) {
  std::string why; // stays empty: canRun has checked the op
  py::dict attributes;
  std::vector<int> operands;
  Gather gather = makesZeros(&op) ? Gather() : *gatherOf(&op, why);
  if (gather.source)
    operands = values.find(gather.source);
  if (op.getNumResults())
    values.add(op.getResults(), /*ofHost=*/true);
  attributes["source"] = py::array_t<int64_t>(gather.from.size(), gather.from.data());
  attributes["target"] = py::array_t<int64_t>(gather.to.size(), gather.to.data());
  Value target = gather.target ? gather.target : op.getResult(0);
  return py::make_tuple("copy elements", false, operands, values.find(target), attributes,
                        frontend::locationRecord(toSourceLocation(op.getLoc())));
}

// Returns a dict: name, arguments and results (numbers of values), types (of all values), steps.
static py::dict functionRecord(func::FuncOp function) {
  Values values;
  py::dict record;
  py::list steps;
  record["name"] = function.getSymName().str();
  record["place"] = frontend::locationRecord(toSourceLocation(function.getLoc()));
  bool ofD2M = llvm::any_of(function.getBody().front(), isOfD2M);
  record["arguments"] = values.add(function.getArguments(), /*ofHost=*/ofD2M);
  std::vector<bool> written, direct; // by argument: written in place; on the device without a move
  for (Type type : function.getArgumentTypes()) {
    written.push_back(isa<MemRefType>(type));
    direct.push_back(!d2m::getGrid(type).empty());
  }
  record["written"] = written;
  record["direct"] = direct;
  addMesh(record, function);
  for (Operation &op : function.getBody().front())
    if (isa<func::ReturnOp>(op))
      record["results"] = values.find(op.getOperands());
    else if (isNameOnly(&op))
      continue;
    else if (isOfD2M(op))
      steps.append(copyRecord(op, values));
    else
      steps.append(stepRecord(op, values));
  record["steps"] = steps;
  record["types"] = values.types;
  return record;
}

//===--------------------------------------------------------------------------===//
// Modules
//===--------------------------------------------------------------------------===//

static void addError(ParsedModule &parsed, const std::string &message, Location location) {
  parsed.diagnostics.push_back(
      makeDiagnostic(CompileDiagnostic::Severity::Error, message, toSourceLocation(location)));
}

// Runs the passes. After an error, `parsed` has no module.
static void lower(ParsedModule &parsed, MLIRContext &context, const TTIRToTTLOptions &options) {
  bool isDone = false;
  std::optional<Crash> crash = runGuarded([&] {
    DiagnosticCollector collector(&context, parsed.diagnostics);
    PassManager manager(&context);
    noteRunningPasses(manager);
    manager.addPass(createFlattenModule());
    manager.addPass(createLowerRedistribute());
    manager.addPass(createD2MToTTL());
    manager.addPass(createTosaToTTIR());
    manager.addPass(createTTNNToTTIR());
    manager.addPass(createTTIRDecompose());
    manager.addPass(createTTIRToTTL(options));
    isDone = succeeded(manager.run(*parsed.module));
  });
  if (crash) {
    parsed.crashed = true;
    addError(parsed, crashMessage(*crash, runningPass().where()),
             locationOf(*crash, *parsed.module));
    (void)parsed.module.release();
  } else if (!isDone) {
    parsed.module = nullptr;
  }
}

static std::string kernelsText(ModuleOp module) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  for (ttl::KernelOp kernel : module.getOps<ttl::KernelOp>())
    kernels->push_back(kernel->clone());
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernels->print(stream, OpPrintingFlags().enableDebugInfo(/*enable=*/true, /*prettyForm=*/false));
  return text;
}

static std::string moduleText(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

static bool canStep(Operation &op) {
  bool returnsView = isa<func::ReturnOp>(op) && llvm::any_of(op.getOperands(), [](Value value) {
                       return value.getDefiningOp<d2m::ViewLayoutOp>() != nullptr;
                     });
  return !returnsView && (isa<ttir::TTIROp, ttl::LaunchOp, ttl::CollectiveOp, func::ReturnOp>(op) ||
                          isNameOnly(&op) || isOfD2M(op));
}

// Reports the first op of d2m because of which the function cannot be called.
static void describeMistake(func::FuncOp function, ParsedModule &parsed) {
  for (Operation &op : function.getBody().front()) {
    if (canStep(op))
      continue;
    std::string why = "returns a view, which is not supported in a function that Python calls";
    if (!isa<func::ReturnOp>(op))
      (void)gatherOf(&op, why);
    addError(parsed, "'" + op.getName().getStringRef().str() + "' " + why, op.getLoc());
    return;
  }
}

static bool hasD2M(func::FuncOp function) {
  return function
      ->walk([](Operation *op) {
        return isa_and_nonnull<d2m::D2MDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

// Returns whether the host can run all ops of a function that is no kernel.
static bool canRun(func::FuncOp function) {
  bool isOnDevice;
  return !function.isExternal() && llvm::hasSingleElement(function.getBody()) &&
         llvm::all_of(function.getArgumentTypes(),
                      [&](Type type) { return storedTensor(type, isOnDevice); }) &&
         llvm::all_of(function.getBody().front(), canStep);
}

// Returns (text of the kernels, functions, text of the whole module, diagnostics).
static py::tuple lowerModel(const std::string &text, const std::string &file, int64_t rows,
                            int64_t columns) {
  auto context = std::make_unique<MLIRContext>(allDialects(), MLIRContext::Threading::DISABLED);
  ParsedModule parsed = parseModule(text, file, *context);
  TTIRToTTLOptions options;
  options.rows = rows;
  options.columns = columns;
  if (parsed.module)
    lower(parsed, *context, options);
  py::list functions;
  std::string kernels, all;
  if (parsed.module) {
    for (func::FuncOp function : parsed.module->getOps<func::FuncOp>())
      if (canRun(function))
        functions.append(functionRecord(function));
      else if (!function.isExternal() && !function.isPrivate() && hasD2M(function))
        describeMistake(function, parsed);
    kernels = kernelsText(*parsed.module);
    all = moduleText(*parsed.module);
  }
  if (parsed.crashed)
    (void)context.release();
  return py::make_tuple(kernels, functions, all, frontend::diagnosticRecords(parsed.diagnostics));
}

// Returns a list of (name, kind, formula, attributes) of the table of ops.
static py::list ttirOps() {
  py::list rows;
  for (const ttir::OpFacts &row : ttir::allOps()) {
    py::list attributes;
    for (const ttir::AttributeFacts &attribute : row.attributes)
      attributes.append(py::make_tuple(attribute.name.str(), attribute.required));
    rows.append(py::make_tuple(row.name.str(), row.isElementwise(), row.formula.str(), attributes));
  }
  return rows;
}

// Returns the names of the ops of another dialect that are replaced by ops of ttir.
static std::vector<std::string> importedOps(const std::string &dialect) {
  std::vector<std::string> names;
  for (StringRef name : dialect == "tosa" ? importedTosaOps() : importedTTNNOps())
    names.push_back(name.str());
  return names;
}

PYBIND11_MODULE(_ttjit_models, module) {
  module.def("lower_model", lowerModel,
             "Makes kernels of a module of ttir, for (text, file, rows and columns of cores). "
             "Returns (text of the kernels, functions, text of all, diagnostics)");
  module.def("imported_ops", importedOps,
             "The ops of 'tosa' or 'ttnn' that are replaced by ops of ttir");
  module.def("ttir_ops", ttirOps,
             "The ops of ttir: (name, whether it is element-wise, formula, attributes)");
}
