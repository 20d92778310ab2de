//===- DLPack.cpp - arrays of other libraries ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The structures are those of DLPack 1.0, whose layout is an interface between libraries:
// https://dmlc.github.io/dlpack/latest/c_api.html
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/DLPack.h"

#include <fmt/format.h>

namespace py = pybind11;

namespace ttjit::frontend {

namespace {

constexpr int kCpu = 1, kCudaHost = 3, kRocmHost = 11; // memories that the CPU can read
constexpr uint64_t kReadOnly = 1;

struct DLDataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct DLTensor {
  void *data;
  int32_t deviceType, deviceId;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape, *strides; // in elements; without strides, the last extent is innermost
  uint64_t byteOffset;
};
struct DLManagedTensor {
  DLTensor tensor;
  void *context;
  void (*deleter)(DLManagedTensor *);
};
struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void *context;
  void (*deleter)(DLManagedTensorVersioned *);
  uint64_t flags;
  DLTensor tensor;
};

// A class of capsules that lend memory. A capsule that was used has another name, so that its own
// destructor does not end the loan.
template <typename Managed> struct Kind;
template <> struct Kind<DLManagedTensor> {
  static constexpr const char *name = "dltensor", *used = "used_dltensor";
};
template <> struct Kind<DLManagedTensorVersioned> {
  static constexpr const char *name = "dltensor_versioned", *used = "used_dltensor_versioned";
};

std::string typeName(py::handle object) { return py::str(py::type::of(object).attr("__name__")); }

bool has(py::handle type, PyObject *name) {
  return _PyType_Lookup(reinterpret_cast<PyTypeObject *>(type.ptr()), name) != nullptr;
}

DType dtypeOf(const DLDataType &type, const std::string &what) {
  struct Known {
    uint8_t code, bits;
    DType dtype;
  };
  constexpr Known kKnown[] = {{2, 32, DType::Float32}, {4, 16, DType::BFloat16},
                              {2, 16, DType::Float16}, {0, 32, DType::Int32},
                              {1, 32, DType::UInt32},  {1, 16, DType::UInt16},
                              {1, 8, DType::UInt8}};
  for (const Known &known : kKnown)
    if (type.code == known.code && type.bits == known.bits && type.lanes == 1)
      return known.dtype;
  constexpr const char *kNames[] = {"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
  std::string name = type.code < std::size(kNames) ? kNames[type.code] : "element";
  throw TensorError(fmt::format("no tensor type exists for {} of {}{}{}: convert it, for example "
                                "to float32",
                                what, name, type.bits,
                                type.lanes == 1 ? "" : fmt::format("x{}", type.lanes)));
}

py::array arrayOver(const DLTensor &tensor, DType dtype, py::capsule loan) {
  std::vector<py::ssize_t> shape(tensor.shape, tensor.shape + tensor.ndim), strides(tensor.ndim);
  py::ssize_t bytes = tensor.dtype.bits / 8, next = bytes;
  for (int i = tensor.ndim - 1; i >= 0; --i) {
    strides[i] = tensor.strides ? tensor.strides[i] * bytes : next;
    next *= shape[i];
  }
  py::dtype stored(std::string(dtype == DType::BFloat16 ? "uint16" : nameOf(dtype)));
  void *data = static_cast<std::byte *>(tensor.data) + tensor.byteOffset;
  return py::array(stored, std::move(shape), std::move(strides), data, std::move(loan));
}

template <typename Managed> TypedArray take(py::handle capsule, const std::string &what) {
  auto *managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule.ptr(), Kind<Managed>::name));
  if (!managed)
    throw py::error_already_set();
  DType dtype = dtypeOf(managed->tensor.dtype, what);
  py::capsule loan(managed, [](void *pointer) {
    auto *managed = static_cast<Managed *>(pointer);
    if (managed->deleter)
      managed->deleter(managed);
  });
  PyCapsule_SetName(capsule.ptr(), Kind<Managed>::used);
  py::array array = arrayOver(managed->tensor, dtype, std::move(loan));
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>)
    if (managed->flags & kReadOnly)
      array.attr("flags").attr("writeable") = false;
  return {array, dtype};
}

// Returns what __dlpack__ returns. Libraries from before DLPack 1.0 know no max_version.
py::object lend(const py::object &object) {
  py::object method = object.attr("__dlpack__");
  try {
    return method(py::arg("max_version") = py::make_tuple(1, 0));
  } catch (py::error_already_set &error) {
    if (!error.matches(PyExc_TypeError))
      throw;
  }
  return method();
}

} // namespace

bool lendsMemory(py::handle object) {
  static PyObject *const name = PyUnicode_InternFromString("__dlpack__");
  return has(py::type::handle_of(object), name);
}

TypedArray borrowedArray(const py::object &object) {
  std::string what = "an array of class " + typeName(object);
  py::tuple device = object.attr("__dlpack_device__")();
  if (int type = device[0].cast<int>(); type != kCpu && type != kCudaHost && type != kRocmHost)
    throw TensorError(fmt::format(
        "{} must be in the memory of the CPU, but its DLPack device is {}: copy it there first",
        what, std::string(py::str(device))));
  py::object capsule = lend(object);
  if (PyCapsule_IsValid(capsule.ptr(), Kind<DLManagedTensorVersioned>::name))
    return take<DLManagedTensorVersioned>(capsule, what);
  if (PyCapsule_IsValid(capsule.ptr(), Kind<DLManagedTensor>::name))
    return take<DLManagedTensor>(capsule, what);
  throw TensorError(fmt::format("__dlpack__() of {} must return a DLPack capsule, found {}", what,
                                typeName(capsule)));
}

} // namespace ttjit::frontend
