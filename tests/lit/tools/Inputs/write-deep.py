# write-deep.py - writes modules nested deeper than any program.
# SPDX-License-Identifier: Apache-2.0

import json
import sys

folder = sys.argv[1]
DEPTH = 5000


def write(name, text):
    with open(f"{folder}/{name}", "w") as file:
        file.write(text)


ifs = (
    "func.func @main() {\n  %c = arith.constant true\n"
    + "scf.if %c {\n" * DEPTH
    + "}\n" * DEPTH
    + "  return\n}\n"
)
write("ifs.mlir", ifs)
write("types.mlir", "func.func @main(%a: " + "!ttl.accessor<" * 1000 + ">" * 1000 + ")\n")
chain = [f'#loc{i} = loc("x"(#loc{i - 1}))\n' for i in range(1, 100000)]
write("locations.mlir", '#loc0 = loc("a")\n' + "".join(chain) + "module {}\n")

messages = [
    {"id": 0, "method": "initialize", "params": {"processId": 1, "rootPath": "mlir",
                                                 "capabilities": {}, "trace": "off"}},
    {"method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": "test:///ifs.mlir", "languageId": "mlir", "version": 1, "text": ifs + "}"}}},
    {"id": 1, "method": "shutdown"},
    {"method": "exit"},
]
write("lsp.test", "\n// -----\n".join(json.dumps({"jsonrpc": "2.0", **m}) for m in messages) + "\n")
