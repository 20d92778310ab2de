//===- CppPrinter.h - EmitC functions as readable C++ ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Prints the EmitC ops that ThreadConverter makes. Names come from NameLocs, expressions are
// written where they are used, and a comment shows the user's source line where it changes. A
// statement whose line is quoted around it already, such as the end of a `with`, gets no
// comment.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_CPPPRINTER_H
#define TTJIT_PASSES_METALIUM_CPPPRINTER_H

#include "passes/metalium/InlineExpressions.h"
#include "passes/metalium/Names.h"
#include "passes/metalium/SourceLines.h"

#include "ir/Locations/Locations.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace ttjit::tometalium {

class CppPrinter {
public:
  /// `sourceLine` may be null. Statements begin `indentation` levels deep. With `lineDirectives`,
  /// each statement follows a #line directive to the user's program; else comments quote its lines.
  CppPrinter(llvm::raw_ostream &stream, const SourceLineReader &sourceLine, int indentation,
             bool lineDirectives = false)
      : stream(stream), sourceLine(sourceLine), indentation(indentation),
        lineDirectives(lineDirectives) {}

  /// Prints the statements of the function's body.
  mlir::LogicalResult printBody(mlir::emitc::FuncOp function);

private:
  mlir::LogicalResult printBlock(mlir::Block &block);
  mlir::LogicalResult printNested(mlir::Region &region);
  mlir::LogicalResult printStatement(mlir::Operation &op);
  mlir::LogicalResult printFor(mlir::emitc::ForOp op);
  mlir::LogicalResult printIf(mlir::emitc::IfOp op, llvm::StringRef prefix);
  mlir::LogicalResult printElse(mlir::Region &region);
  mlir::LogicalResult printEndless(mlir::emitc::DoOp op);
  void printVariable(mlir::emitc::VariableOp op);
  void printDeclaration(mlir::Operation &op);
  void printComment(mlir::Location location);
  void printDirective(const SourceRange &range);

  llvm::raw_ostream &line();
  std::string declare(mlir::Value value, llvm::StringRef otherwise);

  llvm::raw_ostream &stream;
  const SourceLineReader &sourceLine;
  int indentation;
  bool lineDirectives;
  int loopDepth = 0;
  bool inCompileTimePart = false;
  ExpressionWriter expressions;
  NameScopes names;
  std::string commentedFile;
  int commentedLine = 0;
  /// Lines that a comment quotes, by open scope.
  std::vector<std::set<std::pair<std::string, int>>> quoted{1};
  llvm::SmallPtrSet<mlir::Operation *, 8>
      printedAlready; ///< assignments that were printed with their variables
};

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_CPPPRINTER_H
