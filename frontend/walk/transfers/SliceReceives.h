//===- SliceReceives.h - receives into slices of tensors ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// ttl.copy(pipe, tensor[...], shape=(rows, columns)).wait() receives a block into a tensor. The
// wait receives it into a block of a buffer that the compiler adds, and copies it from there. The
// net gets room for any number of transfers, because on a card the sender writes into the tensor
// itself. ReusedSlices.h has the exception.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_TRANSFERS_SLICERECEIVES_H
#define TTJIT_FRONTEND_WALK_TRANSFERS_SLICERECEIVES_H

#include "frontend/walk/values/Arguments.h"
#include "frontend/walk/values/Values.h"

#include <map>
#include <vector>

namespace ttjit::frontend {

class Walker;

class SliceReceives {
public:
  explicit SliceReceives(Walker &walker) : walker(walker) {}

  /// Evaluates ttl.copy(pipe, destination, shape=...).
  Value receive(py::handle node, const Value &pipe, const Value &destination,
                const Arguments::Item *shape);
  /// Builds the receive of that number.
  void wait(unsigned number);
  /// Fails at the first receive of the thread for which no wait was built.
  void requireWaits() const;

  /// The number of receives so far, and a way back to it if the walk of what followed is undone.
  size_t count() const { return receives.size(); }
  void rollBackTo(size_t count) { receives.erase(receives.begin() + count, receives.end()); }

private:
  struct Receive {
    py::object node;
    PipeEnd pipe;
    TensorSlice slice;
    unsigned buffer;
    bool isAwaited = false;
  };

  std::vector<int64_t> shapeOf(const Arguments::Item &shape, const TensorSlice &slice);
  void checkNet(py::handle node, const PipeEnd &pipe);
  void checkOverlap(py::handle node, const PipeEnd &pipe, const TensorSlice &slice);
  void checkTensor(py::handle node, const TensorSlice &slice);
  /// Returns the number of the buffer for blocks of a tensor's elements.
  unsigned bufferFor(py::handle node, const TensorSlice &slice, std::vector<int64_t> shape);

  Walker &walker;
  std::vector<Receive> receives;
  std::map<std::pair<unsigned, std::vector<int64_t>>, unsigned> buffers; ///< by tensor and shape
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_TRANSFERS_SLICERECEIVES_H
