//===- Kernel.cpp - the ttl.kernel under construction -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/Kernel.h"

#include "frontend/tensor/Tensor.h"
#include "frontend/walk/syntax/Ast.h"
#include "ir/Nodes/GridLayout.h"
#include "ir/Nodes/Meshes.h"
#include "ir/TTL/ComputeConfigAttrs.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

static ttcore::DataType dataType(DType dtype) {
  for (uint32_t number = 0; number <= ttcore::getMaxEnumValForDataType(); ++number)
    if (std::optional<ttcore::DataType> type = ttcore::symbolizeDataType(number);
        type && ttcore::getDataFormat(*type) == formatOf(dtype))
      return *type;
  llvm_unreachable("the dialect has a data type for every format of tensors");
}

// Returns the element type of a tensor. A tensor of a block float format has tiles as elements,
// because the format has no scalars.
static Type elementType(MLIRContext *context, DType dtype) {
  Builder builder(context);
  ttcore::DataType wanted = dataType(dtype);
  for (Type scalar :
       {Type(builder.getF32Type()), Type(builder.getBF16Type()), Type(builder.getF16Type()),
        Type(builder.getIntegerType(32, false)), Type(builder.getI32Type()),
        Type(builder.getIntegerType(16, false)), Type(builder.getIntegerType(8, false))})
    if (ttcore::getDataTypeOf(scalar) == wanted)
      return scalar;
  return ttcore::TileType::get(context, 32, 32, wanted);
}

static ttl::LayoutAttr layoutOf(MLIRContext *context, const TensorSpec &spec) {
  SmallVector<int64_t> tile;
  if (spec.layout == TensorLayout::Tile)
    tile = {32, 32};
  auto memory = static_cast<ttcore::TensorMemoryLayout>(spec.memory.layout);
  static_assert(static_cast<int>(MemoryLayout::NdSharded) ==
                static_cast<int>(ttcore::TensorMemoryLayout::Sharded));
  if (!spec.memory.shards)
    return ttl::LayoutAttr::get(context, memory, tile, {}, {});
  return ttl::LayoutAttr::get(context, memory, tile, spec.shardGrid(), spec.shardShape());
}

RankedTensorType tensorType(MLIRContext *context, const TensorSpec &spec) {
  auto space = spec.memory.buffer == hw::BufferType::L1 ? ttcore::MemorySpace::DeviceL1
                                                        : ttcore::MemorySpace::DeviceDRAM;
  return RankedTensorType::get(
      spec.shape, elementType(context, spec.dtype),
      ttl::TensorEncodingAttr::get(context, space, layoutOf(context, spec)));
}

static ttl::CircularBufferType bufferType(MLIRContext *context, py::handle buffer) {
  auto shape = buffer.attr("shape"_py).cast<std::vector<int64_t>>();
  auto dtype = buffer.attr("dtype"_py).cast<DType>();
  Type element = elementType(context, dtype);
  if (buffer.attr("tiled"_py).cast<bool>())
    element = ttcore::TileType::get(context, 32, 32, dataType(dtype));
  return ttl::CircularBufferType::get(context, shape, element,
                                      buffer.attr("block_count"_py).cast<int64_t>());
}

//===--------------------------------------------------------------------------===//
// Construction
//===--------------------------------------------------------------------------===//

Location locationOf(MLIRContext *context, py::handle position) {
  auto [file, line, column, endLine, endColumn] =
      position.cast<std::tuple<std::string, int, int, int, int>>();
  if (line == 0)
    return UnknownLoc::get(context);
  if (endLine == 0)
    return FileLineColLoc::get(context, file, line, column);
  return FileLineColRange::get(StringAttr::get(context, file), line, column, endLine, endColumn);
}

Kernel::Kernel(MLIRContext &context, py::handle call, const std::string &arch)
    : call(py::reinterpret_borrow<py::object>(call)), builder(&context),
      grid(call.attr("grid"_py).cast<std::vector<int64_t>>()),
      devices(call.attr("devices"_py).cast<int64_t>()), reads(call.attr("reads"_py)),
      bufferClass(pythonModule<"ttl._buffers">().attr("DataflowBuffer"_py)),
      computeOptions(call.attr("options"_py).attr("compute"_py)) {
  makeOp(call, arch);
  addTensors(call);
  for (py::handle buffer : call.attr("buffers"_py))
    addBuffer(buffer);
}

void Kernel::makeOp(py::handle call, const std::string &arch) {
  MLIRContext *context = builder.getContext();
  Location loc = locationOf(context, call.attr("location"_py));
  module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  OperationState state(loc, ttl::KernelOp::getOperationName());
  state.addRegion()->emplaceBlock();
  auto name = call.attr("name"_py).cast<std::string>();
  auto properties = &state.getOrAddProperties<ttl::KernelOp::Properties>();
  properties->sym_name = builder.getStringAttr(name);
  properties->function_type = TypeAttr::get(builder.getFunctionType({}, {}));
  SmallVector<int64_t> sideBySide(grid.begin(), grid.end());
  sideBySide.front() *= devices;
  properties->grid = ttcore::GridAttr::get(context, sideBySide);
  properties->arch = builder.getStringAttr(arch);
  op = cast<ttl::KernelOp>(builder.create(state));
  if (devices > 1) {
    auto mesh = call.attr("mesh"_py).cast<std::vector<int64_t>>();
    op->setAttr(kDevicesAttr, builder.getI64IntegerAttr(devices));
    op->setAttr(kMeshAttr, builder.getDenseI64ArrayAttr(mesh));
  }
  builder.setInsertionPointToEnd(&op.getBody().front());
}

int64_t Kernel::nodesOfDevice() const {
  int64_t count = 1;
  for (int64_t extent : grid)
    count *= extent;
  return count;
}

void Kernel::addTensors(py::handle call) {
  SmallVector<Type> types;
  for (py::handle entry : call.attr("tensors"_py)) {
    auto tensor = entry.attr("argument"_py).cast<std::shared_ptr<Tensor>>();
    auto name = entry.attr("name"_py).cast<std::string>();
    types.push_back(tensorType(builder.getContext(), tensor->spec()));
    Location loc = NameLoc::get(builder.getStringAttr(name), op.getLoc());
    BlockArgument value = op.getBody().addArgument(types.back(), loc);
    auto shards = entry.attr("mesh_shards"_py).cast<std::vector<std::vector<int64_t>>>();
    tensors.push_back({entry.attr("value"_py).cast<py::object>(), name, tensor->spec(), value,
                       std::move(shards)});
  }
  op.setFunctionType(builder.getFunctionType(types, {}));
}

// Builds the buffer's op before the ops of the threads.
void Kernel::addBuffer(py::handle buffer) {
  OpBuilder::InsertionGuard guard(builder);
  mlir::Block &body = op.getBody().front();
  builder.setInsertionPoint(&body,
                            llvm::find_if(body, [](Operation &op) { return ttl::isThread(&op); }));
  auto name = buffer.attr("name"_py).cast<std::string>();
  if (name.empty())
    name = "dfb" + std::to_string(buffers.size());
  OperationState state(locationOf(builder.getContext(), buffer.attr("location"_py)),
                       ttl::CreateCBOp::getOperationName());
  state.addTypes(bufferType(builder.getContext(), buffer));
  state.getOrAddProperties<ttl::CreateCBOp::Properties>().name = builder.getStringAttr(name);
  auto create = cast<ttl::CreateCBOp>(builder.create(state));
  if (py::object group = buffer.attr("group"_py); !group.is_none())
    create->setAttr(ttl::kAllocationGroupAttr, builder.getI32IntegerAttr(group.cast<int32_t>()));
  if (py::object backing = buffer.attr("backing"_py); !backing.is_none())
    addBacking(create, backing);
  buffers.push_back({py::reinterpret_borrow<py::object>(buffer), name, create});
  renameBuffer(buffers.size() - 1, name);
}

// Makes the buffer a part of a tensor, which `backing`, a Python object ttl._backing.Backing,
// names.
void Kernel::addBacking(ttl::CreateCBOp create, py::handle backing) {
  const KernelTensor *tensor = findTensor(backing.attr("tensor"_py).attr("value"_py));
  create.getTensorMutable().assign(tensor->value);
  if (auto offset = backing.attr("byte_offset"_py).cast<int64_t>())
    create.setByteOffset(offset);
}

void Kernel::noteWritten(unsigned buffer) {
  if (auto tensor = dyn_cast_if_present<BlockArgument>(buffers[buffer].create.getTensor()))
    tensors[tensor.getArgNumber()].written = true;
}

void Kernel::renameBuffer(unsigned buffer, const std::string &name) {
  StringAttr attribute = builder.getStringAttr(name);
  ttl::CreateCBOp create = buffers[buffer].create;
  buffers[buffer].name = name;
  create.setNameAttr(attribute);
  create->setLoc(NameLoc::get(
      attribute, locationOf(builder.getContext(), buffers[buffer].object.attr("location"_py))));
}

const KernelTensor *Kernel::findTensor(py::handle object) const {
  auto it = llvm::find_if(tensors, [&](const KernelTensor &t) { return t.object.is(object); });
  return it == tensors.end() ? nullptr : &*it;
}

std::optional<unsigned> Kernel::findBuffer(py::handle object) const {
  if (!py::isinstance(object, bufferClass))
    return std::nullopt;
  py::object shared = object.attr("canonical"_py);
  auto it = llvm::find_if(buffers, [&](const KernelBuffer &b) { return b.object.is(shared); });
  if (it == buffers.end())
    return std::nullopt;
  return it - buffers.begin();
}

//===--------------------------------------------------------------------------===//
// Attributes that depend on all threads
//===--------------------------------------------------------------------------===//

ttcore::ComputeConfigAttr Kernel::computeConfig(const std::vector<unsigned> &used) const {
  auto flag = [&](const char *name, bool otherwise) {
    py::object value = computeOptions[name];
    return value.is_none() ? otherwise : py::bool_(value).cast<bool>();
  };
  bool has32Bits = llvm::any_of(used, [&](unsigned index) {
    hw::DataFormat format = buffers[index].type().getFormat();
    return hw::datumBits(format) == 32 || hw::isIntegerFormat(format);
  });
  auto fidelity = ttcore::MathFidelity::HiFi4;
  py::object wanted = computeOptions["math_fidelity"];
  if (!wanted.is_none())
    fidelity = *ttcore::symbolizeMathFidelity(StringRef(wanted.cast<std::string>()).lower());
  return ttcore::ComputeConfigAttr::get(builder.getContext(), flag("fp32_dest_acc_en", has32Bits),
                                        flag("dst_full_sync_en", false),
                                        flag("math_approx_mode", false), fidelity);
}

void Kernel::finish(const std::vector<unsigned> &computeBuffers) {
  op.setComputeConfigAttr(computeConfig(computeBuffers));
  if (computeOptions["fp32_dest_acc_en"].is_none())
    op->setAttr(ttl::kOpenDSTWidthAttr, builder.getUnitAttr());
  for (KernelBuffer &buffer : buffers)
    if (!buffer.acquired)
      buffer.create.erase();
}

} // namespace ttjit::frontend
