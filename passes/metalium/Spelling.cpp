//===- Spelling.cpp - calls as a generation of the API spells them ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// ttkernel's ops have the names of generation mid, with two exceptions that every generation
// rewrites: the argument order of copy_dest_values, and matmul_tiles, which has five arguments.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/Spelling.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tometalium;

namespace {

class CallSpeller {
public:
  CallSpeller(emitc::CallOpaqueOp op, const hw::MetaliumVersion &version, bool fp32Dest)
      : op(op), version(version), fp32Dest(fp32Dest), builder(op) {}

  void run() {
    if (op.getCallee() == "copy_dest_values")
      return copyDestValues();
    if (version.isOld())
      return spellOld();
    if (version.isNew())
      spellNew();
  }

private:
  Attribute opaque(StringRef text) { return emitc::OpaqueAttr::get(op.getContext(), text); }
  Value arg(unsigned i) { return op.getOperand(i); }

  void insert(StringRef callee, ValueRange operands, ArrayRef<Attribute> templateArgs = {}) {
    emitc::CallOpaqueOp::create(builder, op.getLoc(), TypeRange(), callee, operands, ArrayAttr(),
                                templateArgs.empty() ? ArrayAttr()
                                                     : builder.getArrayAttr(templateArgs));
  }
  void replace(StringRef callee, ValueRange operands, ArrayRef<Attribute> templateArgs = {}) {
    insert(callee, operands, templateArgs);
    op.erase();
  }

  // Exchanges two arguments of one type: in the wrong order a kernel compiles and computes garbage.
  void copyDestValues() {
    if (version.isOld())
      return;
    StringRef format = fp32Dest ? "DataFormat::Float32" : "DataFormat::Float16_b";
    replace("copy_dest_values", {arg(1), arg(0)}, opaque(format));
  }

  void spellOld();
  void spellNew();
  bool spellConfiguration();

  emitc::CallOpaqueOp op;
  const hw::MetaliumVersion &version;
  bool fp32Dest;
  OpBuilder builder;
};

} // namespace

void CallSpeller::spellOld() {
  StringRef callee = op.getCallee();
  if (callee == "matmul_tiles") {
    SmallVector<Value> operands(op.getOperands());
    operands.push_back(emitc::ConstantOp::create(builder, op.getLoc(), builder.getI32Type(),
                                                 builder.getI32IntegerAttr(0)));
    replace(callee, operands);
  } else if (callee == "typecast_tile_init") {
    replace(callee, {});
  } else if (callee == "binary_logical_right_shift_tile") {
    replace("binary_logical_right_shift_uint32_tile", op.getOperands());
  } else if (callee == "noc_async_read_page" || callee == "noc_async_write_page") {
    op.setCallee(callee == "noc_async_read_page" ? "noc_async_read_tile" : "noc_async_write_tile");
  }
}

// Spells the configuration, which the new generation separates from the init of an operation.
bool CallSpeller::spellConfiguration() {
  StringRef callee = op.getCallee(), startup = "compute_kernel_hw_startup";
  if (callee == "mm_init") {
    insert(startup, op.getOperands(), opaque("SrcOrder::Reverse"));
    replace("matmul_init", {arg(0), arg(1)});
  } else if (callee == "mm_block_init") {
    SmallVector<Value> sizes(op.getOperands().drop_front(3));
    insert(startup, op.getOperands().take_front(3), opaque("SrcOrder::Reverse"));
    sizes.insert(sizes.begin(), {arg(0), arg(1)});
    replace("matmul_block_init", sizes);
  } else if (callee == "init_sfpu" || callee == "transpose_wh_init") {
    insert(startup, op.getOperands());
    replace(callee == "init_sfpu" ? "copy_init" : "transpose_init", arg(0));
  } else if (callee == "binary_op_init_common") {
    replace(startup, op.getOperands());
  } else if (callee == "unary_bcast_init") {
    replace(callee, arg(0), llvm::to_vector(op.getTemplateArgsAttr()));
  } else {
    return false;
  }
  return true;
}

void CallSpeller::spellNew() {
  if (spellConfiguration())
    return;
  if (llvm::is_contained({"bitwise_xor_tile", "bitwise_xor_binary_tile", "left_shift_tile"},
                         op.getCallee()))
    return replace(op.getCallee(), op.getOperands(), opaque("DataFormat::UInt32"));
  StringRef name = llvm::StringSwitch<StringRef>(op.getCallee())
                       .Case("mm_init_short", "matmul_init")
                       .Case("mm_block_init_short", "matmul_block_init")
                       .Case("add_tiles_init", "add_init")
                       .Case("sub_tiles_init", "sub_init")
                       .Case("mul_tiles_init", "mul_init")
                       .Case("copy_tile_init", "copy_init")
                       .Case("transpose_wh_init_short", "transpose_init")
                       .Case("transpose_wh_tile", "transpose_tile")
                       .Case("transpose_wh_dest_init_short", "transpose_dest_init")
                       .Case("transpose_wh_dest", "transpose_dest")
                       .Case("pack_tile_block", "pack_block")
                       .Default(op.getCallee());
  op.setCallee(name);
}

void tometalium::spellCalls(emitc::FuncOp function, const hw::MetaliumVersion &version,
                            bool fp32Dest) {
  SmallVector<emitc::CallOpaqueOp> calls;
  function.walk([&](emitc::CallOpaqueOp op) { calls.push_back(op); });
  for (emitc::CallOpaqueOp op : calls)
    CallSpeller(op, version, fp32Dest).run();
}
