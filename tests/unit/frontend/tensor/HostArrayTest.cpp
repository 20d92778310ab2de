//===- HostArrayTest.cpp - tensors over numpy arrays --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/HostArray.h"

#include <cstring>

#include <gtest/gtest.h>
#include <pybind11/embed.h>

namespace py = pybind11;
using namespace ttjit;
using namespace ttjit::frontend;

namespace {

// numpy cannot be loaded again after its Python interpreter has ended. So all tests use one
// interpreter, which ends with the process.
class HostArray : public testing::Test {
protected:
  static void SetUpTestSuite() {
    if (!Py_IsInitialized())
      py::initialize_interpreter();
  }

  static py::object eval(const char *expression) {
    py::dict scope;
    scope["np"] = py::module_::import("numpy");
    return py::eval(expression, scope);
  }

  static std::string refusal(const char *expression) {
    try {
      tensorOf(eval(expression));
    } catch (const TensorError &error) {
      return error.what();
    }
    return "accepted";
  }
};

TEST_F(HostArray, SharesMemory) {
  py::object array = eval("np.zeros((3, 4), np.float32)");
  std::shared_ptr<Tensor> tensor = tensorOf(array);
  EXPECT_EQ(tensor->spec().shape, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(tensor->spec().dtype, DType::Float32);
  float value = 5.0f;
  std::memcpy(tensor->hostStorage()->data + sizeof(float), &value, sizeof(float));
  EXPECT_EQ(array.attr("__getitem__")(py::make_tuple(0, 1)).cast<float>(), 5.0f);
}

TEST_F(HostArray, KeepsTheArrayAlive) {
  py::object array = eval("np.zeros((3, 4), np.float32)");
  Py_ssize_t before = array.ref_count();
  std::shared_ptr<Tensor> tensor = tensorOf(array);
  EXPECT_EQ(array.ref_count(), before + 1);
  tensor.reset();
  EXPECT_EQ(array.ref_count(), before);
}

TEST_F(HostArray, LayoutIsTheCallers) {
  std::shared_ptr<Tensor> tensor =
      tensorOf(eval("np.zeros((3, 4), np.float32)"), TensorLayout::RowMajor);
  EXPECT_EQ(tensor->spec().layout, TensorLayout::RowMajor);
  EXPECT_EQ(tensor->spec().numPages(), 3);
}

TEST_F(HostArray, StridedArraysAreWrittenBack) {
  auto device = std::make_shared<hw::Device>(*hw::lookupArch("wormhole_b0"));
  py::object base = eval("np.arange(12, dtype=np.float32).reshape(3, 4)");
  std::shared_ptr<Tensor> tensor = tensorOf(base.attr("T"));
  EXPECT_EQ(tensor->spec().shape, (std::vector<int64_t>{4, 3}));
  hw::TensorAllocation pages = tensor->placeForLaunch(device, "x");
  float first;
  std::memcpy(&first, device->page(pages, 0) + sizeof(float), sizeof(float));
  EXPECT_EQ(first, 4.0f); // element [0, 1] of the transposed array
  std::memset(device->page(pages, 0), 0, pages.pageBytes);
  tensor->copyBack();
  EXPECT_FALSE(base.attr("any")().cast<bool>());
}

TEST_F(HostArray, ReadOnlyIsKnown) {
  py::object array = eval("np.frombuffer(bytes(8), np.float32)");
  EXPECT_FALSE(tensorOf(array)->hostStorage()->writable);
}

TEST_F(HostArray, RanksZeroAndOne) {
  EXPECT_EQ(tensorOf(eval("np.array(3, np.float32)"))->spec().shape, (std::vector<int64_t>{}));
  EXPECT_EQ(tensorOf(eval("np.zeros(7, np.float32)"))->spec().shape, (std::vector<int64_t>{7}));
}

TEST_F(HostArray, RefusesOtherTypes) {
  EXPECT_NE(refusal("np.zeros(3)").find("no tensor type exists for a numpy array of float64"),
            std::string::npos);
}

TEST_F(HostArray, IntegersAndHalvesKeepTheirTypes) {
  EXPECT_EQ(tensorOf(eval("np.zeros(3, np.int32)"))->spec().dtype, DType::Int32);
  EXPECT_EQ(tensorOf(eval("np.zeros(3, np.uint8)"))->spec().dtype, DType::UInt8);
  EXPECT_EQ(tensorOf(eval("np.zeros(3, np.float16)"))->spec().dtype, DType::Float16);
}

TEST_F(HostArray, KnowsWhatIsATensor) {
  EXPECT_TRUE(isTensorLike(eval("np.zeros(3)")));
  EXPECT_FALSE(isTensorLike(eval("3")));
  EXPECT_FALSE(isTensorLike(eval("[1.0]")));
  EXPECT_FALSE(isTensorLike(py::none()));
}

} // namespace
