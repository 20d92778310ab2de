//===- TTIR.h - tt-mlir's tensor operations -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads, checks and prints text of tt-mlir's dialect `ttir`. ir/modules/TTIR/TTIROps.def has one
// row per op. All ops share one C++ class, which is compiled once: its methods ask the row.
//
// Attributes whose names have no dot are properties of the op, whether the text has them in <{ }>
// or in { }. The verifier says which of them a row has.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_TTIR_TTIR_H
#define TTJIT_IR_MODULES_TTIR_TTIR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tt::ttir {

/// How many operands an op has, and which shape its results have.
enum class OpKind {
  Unary,
  Binary,
  Ternary,
  Reduction,
  DotGeneral,
  Linear,
  Matmul,
  Convolution,
  TransposedConvolution,
  Pool,
  GlobalPool,
  Broadcast,
  Concat,
  ConcatenateHeads,
  Index,
  IndexSelect,
  Pad,
  Permute,
  Rearrange,
  Repeat,
  RepeatInterleave,
  Reshape,
  Reverse,
  Slice,
  Squeeze,
  Transpose,
  Unsqueeze,
  Cumulative,
  Embedding,
  Gather,
  Scatter,
  Norm,
  Softmax,
  Sort,
  TopK,
  Arange,
  Constant,
  Empty,
  Full,
  ToLayout,
};

enum class TypeRule { Any, Same, Floats, Integers, Free };

enum class AttributeKind {
  Bool,
  Integer,
  Integers,
  OneOrMore, ///< integers, or one of them for all
  Number,
  Elements,
  Text,
  Type,
  Reduction
};

struct AttributeFacts {
  StringRef name;
  AttributeKind kind;
  bool required = false;
};

/// A row of ir/modules/TTIR/TTIROps.def.
struct OpFacts {
  StringRef name;
  OpKind kind;
  TypeRule types;
  StringRef formula;
  std::vector<AttributeFacts> attributes;

  bool isElementwise() const { return kind <= OpKind::Ternary; }
};

/// All rows, in the order of the table.
ArrayRef<OpFacts> allOps();

/// The names of all ops, without the name of the dialect.
ArrayRef<StringRef> opNames();

class TTIRDialect : public Dialect {
public:
  explicit TTIRDialect(MLIRContext *context);
  static constexpr StringLiteral getDialectNamespace() { return StringLiteral("ttir"); }

  std::optional<ParseOpHook> getParseOperationHook(StringRef opName) const override;
  llvm::unique_function<void(Operation *, OpAsmPrinter &)>
  getOperationPrinter(Operation *op) const override;
  /// Reports the attributes of the dialect, of which none is supported.
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override;
};

/// The attributes of an op whose names have no dot.
struct Properties {
  DictionaryAttr attributes;
  bool operator==(const Properties &other) const { return attributes == other.attributes; }
  bool operator!=(const Properties &other) const { return attributes != other.attributes; }
};

/// The class of all ops of the dialect.
class TTIROp
    : public Op<TTIROp, OpTrait::ZeroRegions, OpTrait::VariadicResults, OpTrait::ZeroSuccessors,
                OpTrait::VariadicOperands, MemoryEffectOpInterface::Trait> {
public:
  using Op::Op;
  using Properties = ttir::Properties;

  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  /// The name of the class; its ops have the names of the rows.
  static constexpr StringLiteral getOperationName() { return StringLiteral("ttir.op"); }

  const OpFacts &facts() const;
  StringRef name() const { return facts().name; }

  /// Creates an op, such as "add".
  static TTIROp create(OpBuilder &builder, Location loc, StringRef name, TypeRange results,
                       ValueRange operands, ArrayRef<NamedAttribute> attributes = {});

  //===------------------------------------------------------------------------===//
  // Operands and results
  //===------------------------------------------------------------------------===//

  /// Returns whether the last operand is only a place for the result, as older text of tt-mlir has
  /// it: a ttir.empty of the result's type.
  bool hasDestination();
  /// Returns the operands without that place.
  OperandRange inputs();
  RankedTensorType inputType(unsigned index);
  RankedTensorType resultType(unsigned index = 0);

  //===------------------------------------------------------------------------===//
  // Attributes; those that are left out have the values that tt-mlir gives them
  //===------------------------------------------------------------------------===//

  Attribute attribute(StringRef name);
  bool getBool(StringRef name, bool otherwise = false);
  int64_t getInteger(StringRef name, int64_t otherwise = 0);
  /// Integers of any of the forms [1 : i32, 2 : i32] and array<i64: 1, 2>.
  SmallVector<int64_t> getIntegers(StringRef name);
  double getNumber(StringRef name, double otherwise = 0);
  /// The dimensions of a reduction, ascending, counted from the front.
  SmallVector<int64_t> getReducedDims();

  //===------------------------------------------------------------------------===//
  // What MLIR calls
  //===------------------------------------------------------------------------===//

  LogicalResult verify();
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &) {}

  static LogicalResult setPropertiesFromAttr(Properties &properties, Attribute attr,
                                             function_ref<InFlightDiagnostic()> emitError);
  static Attribute getPropertiesAsAttr(MLIRContext *context, const Properties &properties);
  static llvm::hash_code computePropertiesHash(const Properties &properties);
  static std::optional<Attribute> getInherentAttr(MLIRContext *context,
                                                  const Properties &properties, StringRef name);
  static void setInherentAttr(Properties &properties, StringRef name, Attribute value);
  static void populateInherentAttrs(MLIRContext *context, const Properties &properties,
                                    NamedAttrList &attributes);
  static LogicalResult verifyInherentAttrs(OperationName name, NamedAttrList &attributes,
                                           function_ref<InFlightDiagnostic()> emitError) {
    return success();
  }
};

/// Returns an integer of an attribute of any width; nothing if it is none.
std::optional<int64_t> integerOf(Attribute attribute);

/// Returns the integers of an attribute such as [1 : i32] or array<i64: 1>.
std::optional<SmallVector<int64_t>> integersOf(Attribute attribute);

/// Returns the elements of an attribute such as dense<1.0>, or of a dense_resource<name>, which the
/// end of the file has as bytes. Null: it has none, or not as many bytes as its type.
DenseElementsAttr elementsOf(Attribute attribute);

/// Returns how a scatter combines elements of one index, for `#ttcore.reduce_type<sum>` "sum": one
/// of sum, prod, min and max; "" for `invalid`, where the last one stays. Nothing for others.
std::optional<StringRef> reductionOf(Attribute attribute);
StringRef scatterRule(TTIROp op);

/// Returns the number of an attribute, a float or an integer.
std::optional<double> numberOf(Attribute attribute);

} // namespace mlir::tt::ttir

MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::tt::ttir::TTIRDialect)
MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::tt::ttir::TTIROp)

#endif // TTJIT_IR_MODULES_TTIR_TTIR_H
