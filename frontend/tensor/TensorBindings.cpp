//===- TensorBindings.cpp - tensors in the _ttjit module ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Binds the parts of ttnn that need C++: constants, the device and the storage of tensors.
// Conversions, creation functions and operators are in frontend/python/ttnn.
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/TensorBindings.h"

#include "frontend/tensor/Constants.h"
#include "frontend/tensor/HostArray.h"
#include "frontend/tensor/MemoryBindings.h"
#include "frontend/tensor/Tensor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>
#include <pybind11/operators.h>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace ttjit::frontend {

namespace {

//===--------------------------------------------------------------------------===//
// Tensors
//===--------------------------------------------------------------------------===//

// Returns FLOAT32, BFLOAT16 and so on: the names of the types in capitals.
std::span<const NamedConstant<DType>> dtypeConstants() {
  static const std::array<std::string, kNumDTypes> names = [] {
    std::array<std::string, kNumDTypes> result;
    for (int i = 0; i < kNumDTypes; ++i)
      for (char letter : nameOf(static_cast<DType>(i)))
        result[i] += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return result;
  }();
  static const std::array<NamedConstant<DType>, kNumDTypes> constants = [] {
    std::array<NamedConstant<DType>, kNumDTypes> result;
    for (int i = 0; i < kNumDTypes; ++i)
      result[i] = {names[i].c_str(), static_cast<DType>(i)};
    return result;
  }();
  return constants;
}

constexpr NamedConstant<TensorLayout> kLayouts[] = {
    {"TILE", TensorLayout::Tile},
    {"ROW_MAJOR", TensorLayout::RowMajor},
};

py::object objectOf(DType dtype) { return constantObject(dtypeConstants(), dtype); }

// Returns whether `other` is torch's dtype of the same name, so that torch.float32 ==
// ttnn.float32. It does not import torch.
bool isTorchDType(DType dtype, py::handle other) {
  return std::string_view(Py_TYPE(other.ptr())->tp_name) == "torch.dtype" &&
         std::string(py::str(other)) == fmt::format("torch.{}", nameOf(dtype));
}

using SharedTensor = std::shared_ptr<Tensor>;
using SharedDevice = std::shared_ptr<SessionDevice>;

//===--------------------------------------------------------------------------===//
// Reading tensors
//===--------------------------------------------------------------------------===//

// Returns the numpy dtype of the host array of a tensor of type `dtype`. numpy has neither
// bfloat16 nor block floats: an array holds the bits of bfloat16 as uint16, and the values of
// block floats as float32.
py::dtype storageDType(DType dtype) {
  DType stored = hostTypeOf(dtype);
  return py::dtype(std::string(stored == DType::BFloat16 ? "uint16" : nameOf(stored)));
}

// Returns the elements as type `as`. The array is a view of a host tensor's memory if no
// conversion is needed, and a new array otherwise.
py::array elements(const py::object &self, DType as) {
  auto &tensor = self.cast<Tensor &>();
  const TensorSpec &spec = tensor.spec();
  if (!tensor.isOnDevice() && hostTypeOf(spec.dtype) == hostTypeOf(as)) {
    py::array view(storageDType(as), spec.shape, tensor.hostStorage()->data, self);
    tensor.setWritten(); // whoever has the view may write
    if (!tensor.hostStorage()->writable)
      view.attr("flags").attr("writeable") = false;
    return view;
  }
  py::array copy(storageDType(as), spec.shape);
  tensor.read(static_cast<std::byte *>(copy.mutable_data()), as);
  return copy;
}

// Returns the elements, as a kernel that runs sees them.
py::array launchedValues(const Tensor &tensor) {
  DType as = isInteger(tensor.spec().dtype) ? tensor.spec().dtype : DType::Float32;
  py::array copy(storageDType(as), tensor.spec().shape);
  tensor.readLaunched(static_cast<std::byte *>(copy.mutable_data()), as);
  return copy;
}

uint64_t fingerprint(const Tensor &tensor) {
  std::vector<std::byte> bytes(tensor.spec().hostBytes());
  tensor.read(bytes.data(), tensor.spec().dtype);
  uint64_t hash = 0xcbf29ce484222325;
  for (std::byte byte : bytes)
    hash = (hash ^ std::to_integer<uint64_t>(byte)) * 0x100000001b3;
  return hash;
}

uint32_t bufferAddress(const Tensor &tensor) {
  if (std::optional<uint32_t> address = tensor.bufferAddress())
    return *address;
  throw TensorError("a host tensor has no buffer address: create the tensor with device=");
}

// Copies a contiguous row-major array to the tensor's elements.
void writeStorage(Tensor &tensor, const py::array &array) {
  SharedTensor source = tensorOverNumpy(array, tensor.spec().dtype, tensor.spec().layout, {});
  if (source->spec().shape != tensor.spec().shape)
    throw TensorError(
        fmt::format("the new elements of a tensor of shape {1} must have the same shape, found {0}",
                    describe(source->spec().shape), describe(tensor.spec().shape)));
  tensor.write(source->hostStorage()->data);
}

//===--------------------------------------------------------------------------===//
// Making tensors
//===--------------------------------------------------------------------------===//

SharedTensor makeTensor(std::vector<int64_t> shape, py::object array, DType dtype,
                        TensorLayout layout, MemoryConfig memory, SharedDevice device) {
  if (array.is_none()) {
    if (!device)
      throw TensorError("a host tensor can only be made from an array");
    return std::make_shared<Tensor>(TensorSpec{std::move(shape), dtype, layout, memory}, device,
                                    nullptr);
  }
  SharedTensor host = tensorOverNumpy(std::move(array), dtype, layout, memory);
  if (!device)
    return host;
  return std::make_shared<Tensor>(host->spec(), device, host->hostStorage()->data);
}

// Returns (array, DataType) for a numpy array or a torch tensor.
py::tuple arrayAndType(py::object object) {
  TypedArray typed = typedArray(std::move(object));
  return py::make_tuple(typed.array, objectOf(typed.dtype));
}

// Rounds `values` to the float type `dtype`, to nearest with ties to even. Returns them as an
// array of the numpy type that stores `dtype` on the host.
py::array roundTo(py::array_t<float, py::array::c_style | py::array::forcecast> values,
                  DType dtype) {
  std::vector<int64_t> shape(values.shape(), values.shape() + values.ndim());
  py::array result(storageDType(dtype), shape);
  roundElements(reinterpret_cast<const std::byte *>(values.data()),
                static_cast<std::byte *>(result.mutable_data()), dtype, shape);
  return result;
}

//===--------------------------------------------------------------------------===//
// Arguments of kernels
//===--------------------------------------------------------------------------===//

SharedTensor tensorArgument(py::object object, bool tiled, const std::string &memorySpace) {
  MemoryConfig memory;
  memory.buffer = memorySpace == "L1" ? hw::BufferType::L1 : hw::BufferType::DRAM;
  return tensorOf(object, tiled ? TensorLayout::Tile : TensorLayout::RowMajor, memory);
}

std::string tensorKey(const Tensor &tensor) {
  const TensorSpec &spec = tensor.spec();
  std::string key = fmt::format("{} {} {} {}", describe(spec.shape), nameOf(spec.dtype),
                                nameOf(spec.layout), describe(spec.memory));
  if (tensor.numDevices() > 1)
    key += fmt::format(" on {} devices", tensor.numDevices());
  return key;
}

// Returns bytes that are equal for tensors with equal keys only. They are made in a fraction of the
// time of tensorKey().
py::bytes packedKey(const Tensor &tensor) {
  const TensorSpec &spec = tensor.spec();
  const std::array fields = {
      static_cast<int>(spec.shape.size()),  static_cast<int>(spec.dtype),
      static_cast<int>(spec.layout),        static_cast<int>(spec.memory.layout),
      static_cast<int>(spec.memory.buffer), tensor.numDevices()};
  std::string packed(reinterpret_cast<const char *>(fields.data()), sizeof(fields));
  packed.append(reinterpret_cast<const char *>(spec.shape.data()),
                spec.shape.size() * sizeof(int64_t));
  if (spec.memory.shards)
    packed += describe(spec.memory);
  return packed;
}

bool isPlainValue(py::handle value) {
  return PyLong_CheckExact(value.ptr()) || PyUnicode_CheckExact(value.ptr()) ||
         PyBool_Check(value.ptr()) || value.is_none();
}

// Returns the bits of a number as a kernel has it; nothing for other values.
std::optional<int32_t> kernelNumber(py::handle value) {
  if (PyFloat_CheckExact(value.ptr())) {
    double exact = PyFloat_AS_DOUBLE(value.ptr());
    auto rounded = static_cast<float>(exact);
    if (std::isinf(rounded) && std::isfinite(exact))
      return std::nullopt;
    return std::bit_cast<int32_t>(rounded);
  }
  int overflow = 0;
  if (!PyLong_CheckExact(value.ptr()))
    return std::nullopt;
  long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow || number != static_cast<int32_t>(number))
    return std::nullopt;
  return static_cast<int32_t>(number);
}

// Programs are compiled for integers up to this magnitude, or for all of 32 bits: sums and products
// of small ones stay within 32 bits (RunTimeNumbers.h).
constexpr int32_t kSmallInteger = 1 << 15;

// The key of a call, and its tensors and numbers: the key has what must be equal in a repetition.
struct ReplayKey {
  py::list key, tensors, numbers;
  bool isKnown = true;

  void add(py::handle value, bool isRunTime, bool tiled, const std::string &memorySpace) {
    key.append(py::type::handle_of(value));
    if (isRunTime)
      return addNumber(value);
    if (isPlainValue(value))
      return key.append(value);
    if (PyFloat_CheckExact(value.ptr())) // compared by bits, because 0.0 == -0.0
      return key.append(
          py::bytes(reinterpret_cast<const char *>(&((PyFloatObject *)value.ptr())->ob_fval), 8));
    if (!isTensorLike(value)) {
      isKnown = false;
      return;
    }
    SharedTensor tensor =
        tensorArgument(py::reinterpret_borrow<py::object>(value), tiled, memorySpace);
    key.append(packedKey(*tensor));
    tensors.append(std::move(tensor));
  }

  void addNumber(py::handle value) {
    std::optional<int32_t> number = kernelNumber(value);
    isKnown = isKnown && number;
    key.append(!PyFloat_CheckExact(value.ptr()) && number &&
               std::abs(int64_t(*number)) <= kSmallInteger);
    numbers.append(py::make_tuple(number.value_or(0)));
  }
};

py::tuple replayKey(const py::object &options, const py::tuple &args, bool tiled,
                    const std::string &memorySpace, const std::vector<size_t> &runTime) {
  ReplayKey parts;
  parts.key.append(options);
  for (size_t i = 0; i < args.size() && parts.isKnown; ++i)
    parts.add(args[i], std::ranges::find(runTime, i) != runTime.end(), tiled, memorySpace);
  if (!parts.isKnown)
    return py::make_tuple(py::none(), py::tuple(), py::tuple());
  return py::make_tuple(py::tuple(parts.key), parts.tensors, parts.numbers);
}

//===--------------------------------------------------------------------------===//
// Classes
//===--------------------------------------------------------------------------===//

void bindEnumerations(py::module_ &module) {
  bindConstants<DType>(module, "DataType",
                       "The type of a tensor's elements: ttnn.float32, ttnn.bfloat16 and the like.",
                       dtypeConstants(), isTorchDType);
  bindConstants<TensorLayout>(module, "Layout",
                              "The order of a tensor's elements: TILE, in tiles of 32x32, or "
                              "ROW_MAJOR.",
                              kLayouts);
  module.def("is_integer", &isInteger, "Returns whether a DataType is an integer type.");
}

// Returns (axis, step) of the first link between two devices, or None.
py::object firstHop(int kind, std::vector<int> mesh, int source, int destination) {
  hw::DeviceFabric fabric{hw::FabricKind(kind), std::move(mesh)};
  std::optional<hw::FabricHop> hop = fabric.firstHop(source, destination);
  return hop ? py::make_tuple(hop->axis, hop->step) : py::object(py::none());
}

bool isClosed(int kind, std::vector<int> mesh, size_t axis) {
  return hw::DeviceFabric{hw::FabricKind(kind), std::move(mesh)}.closes(axis);
}

void bindDevice(py::module_ &module) {
  module.def(
      "first_hop", &firstHop,
      "Returns (axis, step) of the first link of the way between two devices, by the value of "
      "a FabricConfig and the extents of the mesh; None if there is no way.");
  module.def("is_closed", &isClosed,
             "Returns whether a link closes an axis of such a mesh to a ring.");
  py::class_<SessionDevice, SharedDevice>(module, "Device",
                                          "The emulated device. ttnn.open_device() returns it.")
      .def("id", [](const SessionDevice &) { return 0; })
      .def("get_num_devices", &SessionDevice::numDevices)
      .def_property_readonly(
          "mesh", [](const SessionDevice &self) { return py::tuple(py::cast(self.mesh)); },
          "The extents of the mesh.")
      .def("set_mesh",
           [](SessionDevice &self, std::vector<int> mesh) {
             self.mesh = std::move(mesh);
             hw::DeviceFabric fabric = self.fabric();
             fabric.mesh = self.mesh;
             self.setFabric(std::move(fabric));
           })
      .def(
          "set_fabric",
          [](SessionDevice &self, int kind, int links, int payload) {
            self.setFabric(
                {hw::FabricKind(kind), self.mesh, std::max(1, links), links > 0, payload});
          },
          "Sets the value of a FabricConfig, the links between two neighbours (0: unknown), and "
          "the bytes of a packet.")
      .def("close", &SessionDevice::close)
      .def_property_readonly("is_closed", &SessionDevice::isClosed, "Whether the mesh was closed.")
      .def("arch", [](const SessionDevice &self) { return std::string(self.arch().name); })
      .def("compute_with_storage_grid_size",
           [](const SessionDevice &self) { return Core{self.gridX, self.gridY}; })
      .def_property_readonly("l1_available",
                             [](const SessionDevice &self) { return self.arch().l1Available(); })
      .def_property_readonly("noc_origin",
                             [](const SessionDevice &self) {
                               return Core{self.arch().virtualOriginX, self.arch().virtualOriginY};
                             })
      .def("__repr__", [](const SessionDevice &self) {
        std::string mesh;
        for (int extent : self.mesh)
          mesh += (mesh.empty() ? "" : "x") + std::to_string(extent);
        return fmt::format("<{}emulated {}, compute grid {}x{}>",
                           self.numDevices() > 1 ? "mesh " + mesh + " of " : "", self.arch().name,
                           self.gridX, self.gridY);
      });
}

SharedDevice deviceOf(const Tensor &tensor) {
  return std::static_pointer_cast<SessionDevice>(tensor.device());
}

void bindTensor(py::module_ &module) {
  py::class_<Tensor, SharedTensor>(module, "Tensor")
      .def(py::init(&makeTensor), py::arg("shape"), py::arg("array"), py::arg("dtype"),
           py::arg("layout"), py::arg("memory_config"), py::arg("device"))
      .def(py::init(&Tensor::onDevice), py::arg("whole"), py::arg("device"))
      .def_property_readonly(
          "shape", [](const Tensor &self) { return py::tuple(py::cast(self.spec().shape)); })
      .def_property_readonly("dtype",
                             [](const Tensor &self) { return objectOf(self.spec().dtype); })
      .def_property_readonly(
          "layout", [](const Tensor &self) { return objectOf(kLayouts, self.spec().layout); })
      .def("memory_config", [](const Tensor &self) { return self.spec().memoryInBothWays(); })
      .def_property_readonly(
          "shards_per_core", [](const Tensor &self) { return self.spec().shardsPerCore(); },
          "The largest number of shards that a core has of a sharded tensor.")
      .def("device", &deviceOf)
      .def("buffer_address", &bufferAddress)
      .def(
          "bits",
          [](const py::object &self) {
            return elements(self, self.cast<const Tensor &>().spec().dtype);
          },
          "Returns the elements as they are stored: bfloat16 as uint16, block floats as float32. "
          "For a host tensor, this is its own memory.")
      .def(
          "values", [](const py::object &self) { return elements(self, DType::Float32); },
          "Returns the elements as float32. For a float32 host tensor, this is its own memory.")
      .def("write_bits", &writeStorage, py::arg("array"),
           "Replaces the elements; the array must have the type of bits().")
      .def("deallocate_pages", &Tensor::deallocate, "Frees the pages of a device tensor.")
      .def_property_readonly("num_devices", &Tensor::numDevices,
                             "The number of devices that have a tensor of this shape.")
      .def("is_allocated", &Tensor::isAllocated, "Returns False after deallocate.")
      .def("fingerprint", &fingerprint,
           "Returns the 64-bit FNV-1a hash of the row-major bytes without padding.");
}

} // namespace

void registerTensorBindings(py::module_ &module) {
  bindEnumerations(module);
  bindMemoryConfig(module);
  bindDevice(module);
  bindTensor(module);
  module.def("is_tensor", [](py::object object) { return isTensorLike(object); });
  module.def("tensor_argument", tensorArgument,
             "Returns the tensor of an argument: a tensor itself, or a new tensor over an array's "
             "memory.");
  module.def("tensor_key", tensorKey,
             "Returns the properties of a tensor on which a compiled kernel depends.");
  module.attr("SMALL_INTEGER") = kSmallInteger;
  module.def(
      "replay_key", replayKey,
      "Returns (key, tensors) of a call with these options around it and these arguments; "
      "calls with equal keys have equal numbers and tensors of equal specifications. The key "
      "is None if an argument is neither a number, a string nor a tensor.");
  module.def("storage_of", &arrayAndType, py::arg("object"),
             "Returns the memory of a numpy array or torch tensor, and its DataType.");
  module.def("launched_values", &launchedValues, py::arg("tensor"),
             "Returns a copy of the elements: integers as they are, others as float32. During a "
             "launch they are those that the kernel sees.");
  module.def("set_unwritten", &Tensor::setUnwritten, py::arg("tensor"),
             "Says that nobody has written the elements of a tensor, for --check=init.");
  module.def("set_partial", &Tensor::setPartial, py::arg("tensor"), py::arg("partial"),
             "Says whether a launch may write a part of the tensor only, for --check=outputs.");
  module.def("round_to", &roundTo, py::arg("values"), py::arg("dtype"),
             "Returns the float32 values rounded to a float DataType (to the nearest, ties to "
             "even), in its host format.");
}

} // namespace ttjit::frontend
