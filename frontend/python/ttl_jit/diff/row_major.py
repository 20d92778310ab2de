# SPDX-License-Identifier: Apache-2.0
"""A random operation that moves pieces of rows of row-major tensors."""

import textwrap

DTYPES = ("float32", "bfloat16", "float16", "int32", "uint16", "uint8")

_TEXT = '''\
@ttl.operation(grid=({nodes}, 1))
def {name}(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=({rows}, {width}), block_count={count})

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        for piece in range({pieces}):
            row = node * {rows}
            with dfb.reserve() as block:
                ttl.copy(x[row : row + {rows}, piece * {width} : (piece + 1) * {width}], block).wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        for piece in range({pieces}):
            row, column = node * {rows}, ({pieces} - 1 - piece) * {width}
            with dfb.wait() as block:
                ttl.copy(block, y[row : row + {rows}, column : column + {width}]).wait()
'''


class RowMajorKernel:
    """Reverses the order of pieces of rows."""

    def __init__(self, program, name):
        random = program.random
        self.name = name
        self.nodes, self.rows = random.randint(1, 4), random.randint(1, 3)
        self.width, self.pieces = random.choice((1, 7, 16, 32, 50)), random.randint(1, 3)
        self.count = random.randint(1, 3)
        shape, dtype = (self.nodes * self.rows, self.width * self.pieces), random.choice(DTYPES)
        self.x = program.input(shape, dtype, "ROW_MAJOR_LAYOUT")
        self.y = program.output(shape, dtype, "ROW_MAJOR_LAYOUT")

    def text(self):
        return "\n" + textwrap.dedent(_TEXT).format(**vars(self))

    def call(self):
        return f"{self.name}({self.x.name}, {self.y.name})"
