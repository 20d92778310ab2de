//===- TTCoreMeshes.cpp - arrangements of chips -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTCore/TTCoreLayouts.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::tt::ttcore;

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::string name;
  SmallVector<int64_t> shape;
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalString(&name))) {
    parser.emitError(loc) << "expected the name of the mesh: #ttcore.mesh<\"mesh\" = 1x2>";
    return {};
  }
  if (parser.parseEqual() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/false) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<MeshAttr>(loc, parser.getContext(),
                                     StringAttr::get(parser.getContext(), name),
                                     ArrayRef<int64_t>(shape));
}

void MeshAttr::print(AsmPrinter &printer) const {
  printer << "<" << getName() << " = ";
  printer.printDimensionList(getShape());
  printer << ">";
}

LogicalResult MeshAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr name,
                               ArrayRef<int64_t> shape) {
  constexpr int64_t kMaxChips = 1 << 20;
  if (shape.empty())
    return emitError() << "the mesh " << name << " must have at least one dimension";
  for (int64_t extent : shape)
    if (extent < 1)
      return emitError() << "the extents of a mesh must be at least 1, found " << extent;
  std::optional<int64_t> chips = ttjit::layouts::volumeOf(shape);
  if (!chips || *chips > kMaxChips)
    return emitError() << "a mesh can have at most " << kMaxChips << " chips";
  return success();
}

LogicalResult MeshesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<MeshAttr> meshes) {
  llvm::StringSet<> names;
  for (MeshAttr mesh : meshes)
    if (!names.insert(mesh.getName().getValue()).second)
      return emitError() << "two meshes have the name " << mesh.getName();
  return success();
}
