//===- Kernel.h - the ttl.kernel under construction -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Holds the tensors and buffers of one operation call, with the values that represent them in the
// module. Python objects are looked up by identity.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTEXT_KERNEL_H
#define TTJIT_FRONTEND_WALK_CONTEXT_KERNEL_H

#include "frontend/tensor/TensorSpec.h"
#include "hw/device/Program.h"
#include "ir/TTL/TTL.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <optional>

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

namespace py = pybind11;

struct KernelTensor {
  py::object object;
  std::string name; ///< the name of the operation's parameter
  TensorSpec spec;
  mlir::BlockArgument value;
  /// In a mesh grid: each dimension that is cut over devices, as [dimension, axis of the grid,
  /// extent of a part]. The dimension and the extent are those of the tensor as stored.
  std::vector<std::vector<int64_t>> meshShards;
  bool written = false;

  mlir::RankedTensorType type() const {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }
};

struct KernelBuffer {
  py::object object;
  std::string name;
  mlir::tt::ttl::CreateCBOp create;
  bool acquired = false;

  mlir::tt::ttl::CircularBufferType type() const {
    return llvm::cast<mlir::tt::ttl::CircularBufferType>(value().getType());
  }
  mlir::Value value() const { return create->getResult(0); }
};

class Kernel {
public:
  Kernel(mlir::MLIRContext &context, py::handle call, const std::string &arch);

  /// Adds a buffer that the walk of a unified operation made. Its name is preliminary:
  /// Resources::name replaces it.
  void addBuffer(py::handle buffer);
  void renameBuffer(unsigned buffer, const std::string &name);

  const KernelTensor *findTensor(py::handle object) const;
  std::optional<unsigned> findBuffer(py::handle object) const;

  int64_t nodesOfDevice() const;

  /// Notes that a thread writes blocks of the buffer, and so into the tensor that backs it, if
  /// there is one.
  void noteWritten(unsigned buffer);

  /// Sets compute_config and erases unused buffers. Call it after all threads are walked.
  /// `computeBuffers` are the buffers that the compute thread acquires.
  void finish(const std::vector<unsigned> &computeBuffers);

  const py::object call; ///< the Python object ttl._capture.OperationCall
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::tt::ttl::KernelOp op;
  std::vector<int64_t> grid; ///< of one device
  int64_t devices = 1;       ///< the number of devices that run the kernel
  std::vector<KernelTensor> tensors;
  std::vector<KernelBuffer> buffers;
  /// The ops' results for the pipes and semaphores that threads have used so far, and for nets by
  /// their pipes.
  std::map<void *, mlir::Value> resources;
  std::map<std::vector<void *>, mlir::Value> nets;
  /// Functions of the host that the threads call, by their names in the IR.
  hw::HostFunctions hostFunctions;
  /// Tables that hold one number per node; the key is the list of these numbers.
  std::map<std::vector<int32_t>, mlir::Value> nodeTables;
  /// Tables that each launch fills, by their indices in the list of tables that it passes.
  std::map<unsigned, mlir::Value> launchTables;
  /// The ttl._nodes.Group whose nodes run the code that is being walked, or None.
  py::object group = py::none();
  /// The ttl._reads.Recorder. It records which Python values the walk reads. A later launch reuses
  /// this program only if these values are unchanged.
  py::object reads;
  const py::object bufferClass; ///< the Python class ttl._buffers.DataflowBuffer
  /// Keeps alive an object whose address is a key of `resources` or `nets`.
  void keep(py::handle object) { kept.push_back(py::reinterpret_borrow<py::object>(object)); }

private:
  void makeOp(py::handle call, const std::string &arch);
  void addBacking(mlir::tt::ttl::CreateCBOp create, py::handle backing);
  void addTensors(py::handle call);
  mlir::tt::ttcore::ComputeConfigAttr computeConfig(const std::vector<unsigned> &used) const;

  py::dict computeOptions;
  std::vector<py::object> kept;
};

/// Converts a position given as the Python tuple (file, line, column, end line, end column) to a
/// location.
mlir::Location locationOf(mlir::MLIRContext *context, py::handle position);

/// Returns the tensor type of the kernel's argument that `spec` describes.
mlir::RankedTensorType tensorType(mlir::MLIRContext *context, const TensorSpec &spec);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTEXT_KERNEL_H
