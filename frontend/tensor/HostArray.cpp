//===- HostArray.cpp - tensors over arrays of the host ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/HostArray.h"

#include "frontend/tensor/DLPack.h"

#include <fmt/format.h>

namespace py = pybind11;

namespace ttjit::frontend {

namespace {

// Returns torch's class Tensor if the program imported torch; otherwise nothing.
py::object torchTensorClass() {
  py::dict modules = py::module_::import("sys").attr("modules");
  if (!modules.contains("torch"))
    return py::none();
  return py::getattr(modules["torch"], "Tensor", py::none());
}

bool isTorchTensor(py::handle object) {
  py::object type = torchTensorClass();
  // This does not use isinstance(), which would ask the object for its __class__ and so might run
  // the program's code.
  return PyType_Check(type.ptr()) &&
         PyType_IsSubtype(Py_TYPE(object.ptr()), reinterpret_cast<PyTypeObject *>(type.ptr()));
}

// Keeps a Python object alive. Dropping it takes the GIL; if the interpreter is gone, the object
// is never dropped.
std::shared_ptr<void> keepAlive(py::object object) {
  return {object.release().ptr(), [](void *pointer) {
            if (!Py_IsInitialized())
              return;
            py::gil_scoped_acquire gil;
            Py_DECREF(static_cast<PyObject *>(pointer));
          }};
}

DType dtypeNamed(const std::string &name, const std::string &what) {
  for (int i = 0; i < kNumDTypes; ++i)
    if (nameOf(static_cast<DType>(i)) == name)
      return static_cast<DType>(i);
  throw TensorError(fmt::format("no tensor type exists for {} of {}: convert it, for example to "
                                "float32, or pass dtype= to ttnn.from_numpy or ttnn.from_torch",
                                what, name));
}

bool isContiguous(const py::array &array) {
  py::object flags = array.attr("flags");
  return flags.attr("c_contiguous").cast<bool>() && flags.attr("aligned").cast<bool>() &&
         array.dtype().attr("isnative").cast<bool>();
}

HostStorage storageOf(py::array array) {
  HostStorage storage;
  storage.writable = array.writeable();
  if (!isContiguous(array)) {
    py::object native = array.dtype().attr("newbyteorder")("=");
    py::array copy(array.attr("astype")(native, py::arg("order") = "C", py::arg("copy") = true));
    std::shared_ptr<void> original = keepAlive(array);
    storage.afterWrite = [original, pointer = copy.ptr()] {
      py::module_::import("numpy").attr("copyto")(
          py::handle(static_cast<PyObject *>(original.get())), py::handle(pointer));
    };
    array = copy;
  }
  storage.data = const_cast<std::byte *>(static_cast<const std::byte *>(array.data()));
  storage.owner = keepAlive(array);
  return storage;
}

} // namespace

static TypedArray arrayOfNumpy(py::object object) {
  DType dtype = dtypeNamed(py::str(object.attr("dtype").attr("name")), "a numpy array");
  if (dtype == DType::BFloat16)
    object = object.attr("view")("uint16");
  return {py::array(object), dtype};
}

static TypedArray arrayOfTorch(py::object object) {
  std::string name = py::str(object.attr("dtype"));
  DType dtype = dtypeNamed(name.substr(name.find('.') + 1), "a torch tensor");
  if (std::string where = py::str(object.attr("device").attr("type")); where != "cpu")
    throw TensorError(fmt::format(
        "a torch tensor must be on the CPU, but this one is on '{}': move it with .cpu() first",
        where));
  object = object.attr("detach")();
  if (dtype == DType::BFloat16)
    object = object.attr("view")(py::module_::import("torch").attr("int16"));
  return {py::array(object.attr("numpy")()), dtype};
}

TypedArray typedArray(py::object object) {
  if (isTorchTensor(object))
    return arrayOfTorch(std::move(object));
  if (py::isinstance<py::array>(object) || !lendsMemory(object))
    return arrayOfNumpy(std::move(object));
  return borrowedArray(object);
}

bool isTensorLike(py::handle object) {
  return py::isinstance<Tensor>(object) || py::isinstance<py::array>(object) ||
         isTorchTensor(object) || lendsMemory(object);
}

std::shared_ptr<Tensor> tensorOf(py::handle object, TensorLayout layout, MemoryConfig memory) {
  if (py::isinstance<Tensor>(object))
    return object.cast<std::shared_ptr<Tensor>>();
  TypedArray typed = typedArray(py::reinterpret_borrow<py::object>(object));
  return tensorOverNumpy(typed.array, typed.dtype, layout, memory);
}

std::shared_ptr<Tensor> tensorOverNumpy(py::object object, DType dtype, TensorLayout layout,
                                        MemoryConfig memory) {
  py::array array(std::move(object));
  TensorSpec spec{{array.shape(), array.shape() + array.ndim()}, dtype, layout, memory};
  spec.check();
  if (array.itemsize() != elementBytes(dtype))
    throw TensorError(fmt::format("an array of {} cannot hold elements of {}",
                                  std::string(py::str(array.dtype())), nameOf(dtype)));
  return std::make_shared<Tensor>(std::move(spec), storageOf(std::move(array)));
}

} // namespace ttjit::frontend
