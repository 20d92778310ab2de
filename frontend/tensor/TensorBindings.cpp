//===- TensorBindings.cpp - tensors in the _ttjit module ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Only what needs C++: constants, the device, storage. Conversions, creation
// functions and operators are in frontend/python/ttnn.
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/TensorBindings.h"

#include "frontend/tensor/Constants.h"
#include "frontend/tensor/HostArray.h"
#include "frontend/tensor/MemoryBindings.h"
#include "frontend/tensor/Tensor.h"

#include <array>
#include <cctype>
#include <functional>
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

/// FLOAT32, BFLOAT16, ...: the types' own names in capitals.
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

/// torch.float32 == ttnn.float32, without importing torch.
bool isTorchDType(DType dtype, py::handle other) {
  return std::string_view(Py_TYPE(other.ptr())->tp_name) == "torch.dtype" &&
         std::string(py::str(other)) == fmt::format("torch.{}", nameOf(dtype));
}

using SharedTensor = std::shared_ptr<Tensor>;
using SharedSession = std::shared_ptr<SessionDevice>;

//===----------------------------------------------------------------------===//
// Reading tensors
//===----------------------------------------------------------------------===//

/// numpy has no bfloat16 and no block floats: arrays hold the bits of the former, and float32
/// values of the latter.
py::dtype storageDType(DType dtype) {
  DType stored = hostTypeOf(dtype);
  return py::dtype(std::string(stored == DType::BFloat16 ? "uint16" : nameOf(stored)));
}

/// The tensor's elements as `as`: a view of a host tensor's memory where no
/// conversion is needed, else a new array.
py::array elements(const py::object &self, DType as) {
  const Tensor &tensor = self.cast<const Tensor &>();
  const TensorSpec &spec = tensor.spec();
  if (!tensor.isOnDevice() && hostTypeOf(spec.dtype) == hostTypeOf(as)) {
    py::array view(storageDType(as), spec.shape, tensor.hostStorage()->data, self);
    if (!tensor.hostStorage()->writable)
      view.attr("flags").attr("writeable") = false;
    return view;
  }
  py::array copy(storageDType(as), spec.shape);
  tensor.read(static_cast<std::byte *>(copy.mutable_data()), as);
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
  throw TensorError("a host tensor has no buffer address; create it with device=");
}

/// Writes a contiguous row-major array in the tensor's host storage.
void writeStorage(Tensor &tensor, const py::array &array) {
  SharedTensor source = tensorOverNumpy(array, tensor.spec().dtype, tensor.spec().layout, {});
  if (source->spec().shape != tensor.spec().shape)
    throw TensorError(fmt::format("an array of shape {} cannot replace a tensor of shape {}",
                                  describe(source->spec().shape), describe(tensor.spec().shape)));
  tensor.write(source->hostStorage()->data);
}

//===----------------------------------------------------------------------===//
// Making tensors
//===----------------------------------------------------------------------===//

SharedTensor makeTensor(std::vector<int64_t> shape, py::object array, DType dtype,
                        TensorLayout layout, MemoryConfig memory, SharedSession session) {
  if (array.is_none()) {
    if (!session)
      throw TensorError("a host tensor needs an array");
    return std::make_shared<Tensor>(TensorSpec{std::move(shape), dtype, layout, memory},
                                    session->device, nullptr);
  }
  SharedTensor host = tensorOverNumpy(std::move(array), dtype, layout, memory);
  if (!session)
    return host;
  return std::make_shared<Tensor>(host->spec(), session->device, host->hostStorage()->data);
}

/// (array, DataType) of a numpy array or torch tensor.
py::tuple storageOf(py::object object) {
  TypedArray typed = typedArray(std::move(object));
  return py::make_tuple(typed.array, objectOf(typed.dtype));
}

/// An array in the host storage of the float type `dtype` with the float32 values, rounded
/// to nearest even.
py::array roundTo(py::array_t<float, py::array::c_style | py::array::forcecast> values,
                  DType dtype) {
  std::vector<int64_t> shape(values.shape(), values.shape() + values.ndim());
  py::array result(storageDType(dtype), shape);
  roundElements(reinterpret_cast<const std::byte *>(values.data()),
                static_cast<std::byte *>(result.mutable_data()), dtype, shape);
  return result;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

void bindEnumerations(py::module_ &module) {
  bindConstants<DType>(module, "DataType", dtypeConstants(), isTorchDType);
  bindConstants<TensorLayout>(module, "Layout", kLayouts);
  module.def("is_integer", &isInteger, "Whether a DataType has integers.");
}

void bindDevice(py::module_ &module) {
  py::class_<SessionDevice, SharedSession>(module, "Device")
      .def("id", [](const SessionDevice &) { return 0; })
      .def("arch", [](const SessionDevice &self) { return std::string(self.device->arch().name); })
      .def("compute_with_storage_grid_size",
           [](const SessionDevice &self) { return Core{self.gridX, self.gridY}; })
      .def("__repr__", [](const SessionDevice &self) {
        return fmt::format("<emulated {}, compute grid {}x{}>", self.device->arch().name,
                           self.gridX, self.gridY);
      });
}

void bindTensor(py::module_ &module, const SharedSession &session) {
  py::class_<Tensor, SharedTensor>(module, "Tensor")
      .def(py::init(&makeTensor), py::arg("shape"), py::arg("array"), py::arg("dtype"),
           py::arg("layout"), py::arg("memory_config"), py::arg("device"))
      .def_property_readonly(
          "shape", [](const Tensor &self) { return py::tuple(py::cast(self.spec().shape)); })
      .def_property_readonly("dtype",
                             [](const Tensor &self) { return objectOf(self.spec().dtype); })
      .def_property_readonly(
          "layout", [](const Tensor &self) { return objectOf(kLayouts, self.spec().layout); })
      .def("memory_config", [](const Tensor &self) { return self.spec().memory; })
      .def("device",
           [session](const Tensor &self) { return self.isOnDevice() ? session : nullptr; })
      .def("buffer_address", &bufferAddress)
      .def(
          "bits",
          [](const py::object &self) {
            return elements(self, self.cast<const Tensor &>().spec().dtype);
          },
          "The elements as they are stored, bfloat16 as uint16, block floats as float32; a host "
          "tensor's own memory.")
      .def(
          "values", [](const py::object &self) { return elements(self, DType::Float32); },
          "The elements as float32; a float32 host tensor's own memory.")
      .def("write_bits", &writeStorage, py::arg("array"),
           "Replaces the elements; the array has the type of bits().")
      .def("deallocate_pages", &Tensor::deallocate, "Frees the pages of a device tensor.")
      .def("is_allocated", &Tensor::isAllocated, "False after deallocate.")
      .def("fingerprint", &fingerprint,
           "FNV-1a hash, 64 bits, of the row-major bytes without padding.");
}

} // namespace

void registerTensorBindings(py::module_ &module, SessionDevice session) {
  auto shared = std::make_shared<SessionDevice>(std::move(session));
  bindEnumerations(module);
  bindMemoryConfig(module);
  bindDevice(module);
  bindTensor(module, shared);
  module.def("storage_of", &storageOf, py::arg("object"),
             "The memory of a numpy array or torch tensor and its DataType.");
  module.def(
      "round_to", &roundTo, py::arg("values"), py::arg("dtype"),
      "The float32 values in the host storage of a float DataType, rounded to nearest even.");
  // One Python object for the session's device, so that `is` compares devices.
  py::object device = py::cast(shared);
  module.def("session_device", [device] { return device; });
}

} // namespace ttjit::frontend
