"""Programs in MLIR of stage ttkernel that make the same calls as measured kernels. Functions whose first parameter is
`function` add operations to a thread function."""
# SPDX-License-Identifier: Apache-2.0

ARCHES = {"WH": "wormhole_b0", "BH": "blackhole"}
L1_BASE = 111360  # buffers may begin at this address of L1 on both chips
BYTES = {"bf16": 2, "f32": 4}
BLOCK_FLOATS = {"bfp_bf8": 1088, "bfp_bf4": 576}  # bytes of a tile of a block float format


def tile_bytes(format):
    return BLOCK_FLOATS.get(format) or 1024 * BYTES[format]


class Function:
    """The text of one thread function. constant() adds a constant when it is first used."""

    def __init__(self, name, kind):
        self.name, self.kind = name, kind
        self.constants, self.lines, self.count = {}, [], 0

    def constant(self, value, type="i32"):
        key = (value, type)
        if key not in self.constants:
            self.constants[key] = f"%k{len(self.constants)}"
        return self.constants[key]

    def value(self, text):
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"{name} = {text}")
        return name

    def add(self, text):
        self.lines.append(text)

    def call(self, name, *arguments, attributes=""):
        """Adds a call; an argument is a pair of value and type, or a number."""
        pairs = [each if isinstance(each, tuple) else (self.constant(each), "i32") for each in arguments]
        values = ", ".join(value for value, _ in pairs)
        types = ", ".join(type for _, type in pairs)
        self.add(f"ttkernel.{name}({values}){attributes} : ({types}) -> ()")

    def loop(self, count):
        """Begins a loop. Returns its index as an i32; end() ends the loop."""
        self.count += 1
        index = f"%i{self.count}"
        zero, one, end = (self.constant(value, "index") for value in (0, 1, count))
        self.add(f"scf.for {index} = {zero} to {end} step {one} {{")
        return self.value(f"arith.index_cast {index} : index to i32"), "i32"

    def end(self):
        self.add("}")

    def text(self):
        constants = [f"{name} = arith.constant {value} : {type}"
                     for (value, type), name in self.constants.items()]
        body = "\n    ".join([*constants, *self.lines, "return"])
        return (f"  func.func @{self.name}() attributes {{ttl.kernel_thread = "
                f"#ttkernel.thread<{self.kind}>}} {{\n    {body}\n  }}\n")


class Program:
    """A ttl.program with buffers, threads, and tensors of tiles in DRAM."""

    def __init__(self, arch, grid=(1, 1), fp32=False, full_sync=False, fidelity="hifi4"):
        self.arch, self.grid = ARCHES[arch], grid
        config = [f"math_fidelity = {fidelity}"]
        config += ["fp32_dest_acc_en = true"] * fp32 + ["dst_full_sync_en = true"] * full_sync
        self.config = ", ".join(config)
        self.buffers, self.threads, self.tensors, self.semaphores = [], [], [], 0
        self.page_bytes, self.shapes, self.encodings = [], [], []
        self.address = L1_BASE

    def buffer(self, pages, format="bf16", page_bytes=None):
        """Adds a buffer of tiles. Returns its index."""
        size = page_bytes or tile_bytes(format)
        self.buffers.append((pages, format, size, self.address, False))
        self.address += pages * size
        return len(self.buffers) - 1

    def tensor(self, rows, columns, format="bf16"):
        """Adds a tensor of tiles. Returns its index."""
        element = f"!ttcore.tile<32x32, {format}>" if format in BLOCK_FLOATS else format
        self.tensors.append(f"tensor<{32 * rows}x{32 * columns}x{element}, #dram_tiled>")
        self.page_bytes.append(tile_bytes(format))
        self.shapes.append((32 * rows, 32 * columns, format, True, None))
        return len(self.tensors) - 1

    def sharded(self, rows, columns, format="bf16"):
        """Adds a tensor of tiles in L1, of which each core has one block, its shard. Returns the index of the
        buffer that contains the shard."""
        height, width = 32 * rows // self.grid[1], 32 * columns // self.grid[0]
        self.encodings.append(f"#shards{len(self.tensors)} = #ttl.tensor_encoding<l1, <block_sharded, tile = 32x32, "
                              f"grid = {self.grid[0]}x{self.grid[1]}, shard = {height}x{width}>>")
        tensor = self.tensor(rows, columns, format)
        self.tensors[tensor] = self.tensors[tensor].replace("#dram_tiled", f"#shards{tensor}")
        self.shapes[tensor] = (*self.shapes[tensor][:4], (self.grid, (height, width)))
        self.buffers.append((height * width // 1024, format, tile_bytes(format), tensor, True))
        return len(self.buffers) - 1

    def semaphore(self):
        """Adds a semaphore. Returns its number."""
        self.semaphores += 1
        return self.semaphores - 1

    def rows(self, count, page_bytes):
        """Adds a tensor whose pages are rows of this many bytes."""
        self.tensors.append(f"tensor<{count}x{page_bytes // 2}xbf16, #dram_rows>")
        self.page_bytes.append(page_bytes)
        self.shapes.append((count, page_bytes // 2, "bf16", False, None))
        return len(self.tensors) - 1

    def buffer_type(self, index):
        pages, format, *_ = self.buffers[index]
        return f"!ttkernel.cb<{pages}, !ttcore.tile<32x32, {format}>>"

    def thread(self, name, processor, buffers=(), tensors=()):
        function = Function(name, "compute" if processor == "compute" else "noc")
        self.threads.append((function, processor, buffers, tensors))
        function.buffers = {}
        for index in buffers:
            type = self.buffer_type(index)
            value = function.value(f"ttkernel.get_compile_time_arg_val({index}) : () -> {type}")
            function.buffers[index] = (value, type)
        function.accessors = [self._accessor(function, number, each) for number, each in enumerate(tensors)]
        return function

    def _accessor(self, function, number, tensor):
        arguments = function.value(
            f"ttkernel.TensorAccessorArgs {{crta_offset = {number} : i32, cta_offset = {8 + number} : i32, "
            f"tensor_type = {self.tensors[tensor]}}} : () -> !ttkernel.TensorAccessorArgs")
        base = function.value(f"ttkernel.get_common_arg_val({function.constant(number)}) : (i32) -> i32")
        size = function.constant(self.page_bytes[tensor])
        value = function.value(f"ttkernel.TensorAccessor({arguments}, {base}, {size}) : "
                               "(!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor")
        return value, "!ttkernel.TensorAccessor"

    def text(self):
        names = [f"%arg{i}" for i in range(len(self.tensors))]
        parameters = ", ".join(f"{name}: {type}" for name, type in zip(names, self.tensors))
        lines = ["#dram_tiled = #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>",
                 "#dram_rows = #ttl.tensor_encoding<dram, <interleaved>>", *self.encodings, "module {",
                 f"  ttl.program @measured({parameters}) attributes {{arch = \"{self.arch}\", "
                 f"compute_config = #ttcore.compute_config<{self.config}>, "
                 f"grid = #ttcore.grid<{self.grid[0]}x{self.grid[1]}>}} {{"]
        types = []
        for index, (pages, format, size, place, is_shard) in enumerate(self.buffers):
            types.append(f"!ttl.cb<[1, {pages}], !ttcore.tile<32x32, {format}>, 1>")
            of_tensor = f" in({names[place]} : {self.tensors[place]})" if is_shard else ""
            address = "" if is_shard else f"address = {place} : i64, "
            lines.append(f"    %{index} = ttl.create_cb \"dfb{index}\"{of_tensor} {{{address}"
                         f"buffer_index = {index} : i32, page_size = {size} : i64}} : {types[-1]}")
        for number in range(self.semaphores):
            lines.append(f"    %s{number} = ttl.create_semaphore \"s{number}\" {{semaphore_id = {number} : i32}} "
                         ": !ttl.semaphore")
        for function, processor, buffers, tensors in self.threads:
            values = [f"%{index}" for index in buffers] + [names[index] for index in tensors]
            bound = [types[index] for index in buffers] + [self.tensors[index] for index in tensors]
            colon = " : " if bound else ""
            lines.append(f"    ttl.thread @{function.name} on {processor} ({', '.join(values)})"
                         f"{colon}{', '.join(bound)}")
        lines.append("  }")
        return "\n".join(lines) + "\n" + "".join(each[0].text() for each in self.threads) + "}\n"


def fill(function, buffer, pages, section):
    """Adds calls by which a compute thread fills a buffer with zeros, so that it may read them."""
    zero = function.value("arith.constant 0.0 : f32")
    function.call("cb_reserve_back", buffer, pages)
    for first in range(0, pages, section):
        function.call("tile_regs_acquire")
        function.call("fill_tile_init")
        function.call("fill_tile", 0, (zero, "f32"))
        function.call("tile_regs_commit")
        function.call("tile_regs_wait")
        for tile in range(first, min(first + section, pages)):
            function.call("pack_tile", 0, buffer, tile)
        function.call("tile_regs_release")
    function.call("cb_push_back", buffer, pages)
    function.call("cb_wait_front", buffer, pages)


def zone(function, kind, name="zone"):
    function.add(f"ttkernel.signpost {kind} \"{name}\"")


def section(function, first, count, operate, target):
    """Adds a DST section that packs `count` tiles from tile `first` on. `operate(tile, register)` adds what
    computes one."""
    function.call("tile_regs_acquire")
    for each in range(count):
        operate(sum_of(function, first, each), each)
    function.call("tile_regs_commit")
    function.call("tile_regs_wait")
    for each in range(count):
        function.call("pack_tile", each, target, sum_of(function, first, each))
    function.call("tile_regs_release")


def sum_of(function, first, offset):
    if offset == 0 or not isinstance(first, tuple):
        return first if isinstance(first, tuple) else first + offset
    return function.value(f"arith.addi {first[0]}, {function.constant(offset)} : i32"), "i32"


def product_of(function, value, factor):
    return function.value(f"arith.muli {value[0]}, {function.constant(factor)} : i32"), "i32"


def total(function, *values):
    """Returns the sum of values."""
    first, *others = (each[0] for each in values)
    for each in others:
        first = function.value(f"arith.addi {first}, {each} : i32")
    return first, "i32"


def is_node(function, x=0, y=0):
    """Returns a condition that is true on node (x, y) only."""
    both = []
    for axis, place in zip("xy", (x, y)):
        coordinate = function.value(f"ttkernel.my_logical_{axis}_ : () -> index")
        both.append(function.value(f"arith.cmpi eq, {coordinate}, {function.constant(place, 'index')} : index"))
    return function.value(f"arith.andi {both[0]}, {both[1]} : i1")


def translated(function, x, y):
    """Returns the translated coordinates of a logical node. Each coordinate is a number, or a value and its type."""
    names = [each[0] if isinstance(each, tuple) else function.constant(each) for each in (x, y)]
    return [function.value(f"ttkernel.convert_logical_{axis}_to_translated({name}) : (i32) -> i32")
            for axis, name in zip("xy", names)]


def noc_address(function, x, y, address):
    column, row = translated(function, x, y)
    return function.value(f"ttkernel.get_noc_addr({column}, {row}, {address}) : (i32, i32, i32) -> "
                          "!ttkernel.noc_addr"), "!ttkernel.noc_addr"


def multicast_address(function, first, last, address):
    corners = translated(function, *first) + translated(function, *last)
    types = ", ".join(["i32"] * 5)
    return function.value(f"ttkernel.get_noc_multicast_addr({', '.join(corners)}, {address}) : ({types}) "
                          "-> !ttkernel.noc_addr"), "!ttkernel.noc_addr"


def mover(program, size, processor="riscv_1"):
    """Adds a thread with a buffer for transfers of `size` bytes. Returns the thread's function and the buffer's
    address."""
    buffer = program.buffer(max(1, -(-size // 2048)))
    function = program.thread("mover", processor, (buffer,))
    function.call("cb_reserve_back", function.buffers[buffer], program.buffers[buffer][0])
    value, type = function.buffers[buffer]
    return function, function.value(f"ttkernel.get_write_ptr({value}) : ({type}) -> i32")


def prepare(function, address, size, other=(0, 1)):
    """Fills the mover's buffer with data of another core, so that the buffer is not uninitialised when it is sent."""
    function.call("noc_async_read", noc_address(function, *other, address), (address, "i32"), size)
    function.add("ttkernel.noc_async_read_barrier() : () -> ()")


def unicasts(arch, grid, peers, rounds, size, reads, everybody=False, processor="riscv_1"):
    """Node (0, 0), or every node, reads from (or writes to) each of the peers, `rounds` times. The program has no
    loop over the peers, only its body for each of them; a signpost states the cost of the loop's scalar
    operations."""
    program = Program(arch, grid)
    function, address = mover(program, size, processor)
    if not everybody:
        function.add(f"scf.if {is_node(function)} {{")
    if not reads:
        prepare(function, address, size, (0, 1) if grid[1] > 1 else (1, 0))
    zone(function, "begin")
    targets = [noc_address(function, *peer, address) for peer in peers]
    function.loop(rounds)
    for number, target in enumerate(targets):
        if number:
            function.add('ttkernel.signpost cost "scalar*3"')
        if reads:
            function.call("noc_async_read", target, (address, "i32"), size)
        else:
            function.call("noc_async_write", (address, "i32"), target, size)
    function.end()
    function.add(f"ttkernel.noc_async_{'read' if reads else 'write'}_barrier() : () -> ()")
    zone(function, "end")
    if not everybody:
        function.end()
    return program


def multicasts(arch, grid, sender, last, rounds, size, loopback):
    """A node multicasts to the rectangle from (0, 0) to `last`, `rounds` times."""
    program = Program(arch, grid)
    function, address = mover(program, size)
    function.add(f"scf.if {is_node(function, *sender)} {{")
    prepare(function, address, size, (sender[0], (sender[1] + 1) % grid[1]))
    zone(function, "begin")
    target = multicast_address(function, (0, 0), last, address)
    count = (last[0] + 1) * (last[1] + 1)
    function.loop(rounds)
    name = "noc_async_write_multicast" + "_loopback_src" * loopback
    function.call(name, (address, "i32"), target, size, count)
    function.end()
    function.add("ttkernel.noc_async_write_barrier() : () -> ()")
    zone(function, "end")
    function.end()
    return program


def pages_in_turn(arch, grid, pages, size, reads, stride, banks=0, processor="riscv_1"):
    """Each node moves `pages` pages of a tensor, whose numbers differ by `stride`; with stride 0, it moves one page
    again and again. The first page is 0, or, with `banks`, the number of the node modulo `banks`."""
    program = Program(arch, grid)
    tensor = program.rows(max(1, pages * stride), size)
    buffer = program.buffer(max(1, -(-size // 2048)))
    function = program.thread("mover", processor, (buffer,), (tensor,))
    function.call("cb_reserve_back", function.buffers[buffer], program.buffers[buffer][0])
    value, type = function.buffers[buffer]
    address = function.value(f"ttkernel.get_write_ptr({value}) : ({type}) -> i32")
    if not reads:
        function.call("noc_async_read_page", 0, function.accessors[0], (address, "i32"))
        function.add("ttkernel.noc_async_read_barrier() : () -> ()")
    first = number_of_node(function, grid, banks) if banks else None
    zone(function, "begin")
    index = function.loop(pages)
    page = product_of(function, index, stride) if stride else 0
    if banks:
        page = function.value(f"arith.addi {page[0]}, {first} : i32"), "i32"
    function.call(f"noc_async_{'read' if reads else 'write'}_page", page, function.accessors[0], (address, "i32"))
    function.end()
    function.add(f"ttkernel.noc_async_{'read' if reads else 'write'}_barrier() : () -> ()")
    zone(function, "end")
    return program


def number_of_node(function, grid, modulus):
    x, y = (function.value(f"ttkernel.my_logical_{axis}_ : () -> index") for axis in "xy")
    before = function.value(f"arith.muli {y}, {function.constant(grid[0], 'index')} : index")
    number = function.value(f"arith.addi {before}, {x} : index")
    rest = function.value(f"arith.remui {number}, {function.constant(modulus, 'index')} : index")
    return function.value(f"arith.index_cast {rest} : index to i32")


def page_transfers(arch, pages, size, reads, stride=1, processor="riscv_1"):
    """Returns the program of pages_in_turn() for one node."""
    return pages_in_turn(arch, (1, 1), pages, size, reads, stride, processor=processor)


def flows(arch, grid, paths, rounds, size, reads):
    """Each path is a pair of nodes: the first one writes to the second, or reads from it, `rounds` times. The
    address is computed again for each transfer. All paths from one node are one flow, in a zone of its own: flow0,
    flow1, ..."""
    program = Program(arch, grid)
    function, address = mover(program, size)
    for number, node in enumerate(dict(paths)):
        function.add(f"scf.if {is_node(function, *node)} {{")
        if not reads:
            prepare(function, address, size, (node[0], (node[1] + 1) % grid[1]))
        zone(function, "begin", f"flow{number}")
        index = function.loop(rounds)
        for _, peer in (each for each in paths if each[0] == node):
            here = moved(function, address, index)
            target = noc_address(function, *peer, moved(function, address, index)[0])
            if reads:
                function.call("noc_async_read", target, here, size)
            else:
                function.call("noc_async_write", here, target, size)
        function.end()
        function.add(f"ttkernel.noc_async_{'read' if reads else 'write'}_barrier() : () -> ()")
        zone(function, "end", f"flow{number}")
        function.end()
    return program


def moved(function, address, index, stride=0):
    """Returns address + index * stride. With stride 0 this is `address`, but the program computes it in each
    iteration."""
    offset = product_of(function, index, stride)
    return function.value(f"arith.addi {address}, {offset[0]} : i32"), "i32"


def semaphore_words(program, function):
    """Makes two semaphores and returns their addresses: by one the receiver allows transfers, by the other the
    sender says that data has arrived."""
    return [function.value(f"ttkernel.get_semaphore({function.constant(program.semaphore())}) : (i32) -> i32")
            for _ in range(2)]


def rings(arch, groups, group, size):
    """Node (0, 0) sends blocks to node (1, 0), which allows `group` of them at once. After each block the sender
    increments a semaphore of the receiver. Each node has a zone."""
    program = Program(arch, (2, 1))
    function, address = mover(program, size)
    allowed, arrived = semaphore_words(program, function)
    function.add(f"scf.if {is_node(function)} {{")
    prepare(function, address, size, (1, 0))
    zone(function, "begin")
    turn = function.loop(groups)
    function.call("noc_semaphore_wait_min", (allowed, "i32"), sum_of(function, turn, 1))
    function.loop(group)
    function.call("noc_async_write", (address, "i32"), noc_address(function, 1, 0, address), size)
    function.call("noc_semaphore_inc", noc_address(function, 1, 0, arrived), 1)
    function.end()
    function.end()
    function.add("ttkernel.noc_async_write_barrier() : () -> ()")
    function.add("ttkernel.noc_async_atomic_barrier() : () -> ()")
    zone(function, "end")
    function.add("} else {")
    zone(function, "begin")
    turn = function.loop(groups)
    function.call("noc_semaphore_inc", noc_address(function, 0, 0, allowed), 1)
    before = product_of(function, turn, group)
    block = function.loop(group)
    count = function.value(f"arith.addi {before[0]}, {block[0]} : i32"), "i32"
    function.call("noc_semaphore_wait_min", (arrived, "i32"), sum_of(function, count, 1))
    function.end()
    function.end()
    function.add("ttkernel.noc_async_atomic_barrier() : () -> ()")
    zone(function, "end")
    function.end()
    return program


def waited_transfers(arch, count):
    """Node (0, 0) sends tiles to node (1, 0), from a buffer of two tiles to a buffer of one. The receiver allows
    each tile when it has room. The sender waits for the end of every transfer and every increment of a
    semaphore."""
    program = Program(arch, (2, 1))
    out, into = program.buffer(2), program.buffer(1)
    compute_tiles(program, out, into, count)
    function = program.thread("mover", "riscv_1", (out, into))
    source, target = function.buffers[out], function.buffers[into]
    there = function.value(f"ttkernel.get_write_ptr({target[0]}) : ({target[1]}) -> i32")
    allowed, arrived = semaphore_words(program, function)
    function.add(f"scf.if {is_node(function)} {{")
    zone(function, "begin")
    turn = function.loop(count)
    function.call("cb_wait_front", source, 1)
    here = function.value(f"ttkernel.get_read_ptr({source[0]}) : ({source[1]}) -> i32")
    function.call("noc_semaphore_wait_min", (allowed, "i32"), sum_of(function, turn, 1))
    function.call("noc_async_write", (here, "i32"), noc_address(function, 1, 0, there), 2048)
    function.add("ttkernel.noc_async_write_barrier() : () -> ()")
    function.call("noc_semaphore_inc", noc_address(function, 1, 0, arrived), 1)
    function.add("ttkernel.noc_async_atomic_barrier() : () -> ()")
    function.call("cb_pop_front", source, 1)
    function.end()
    zone(function, "end")
    function.add("} else {")
    zone(function, "begin")
    turn = function.loop(count)
    function.call("cb_reserve_back", target, 1)
    function.call("noc_semaphore_inc", noc_address(function, 0, 0, allowed), 1)
    function.add("ttkernel.noc_async_atomic_barrier() : () -> ()")
    function.call("noc_semaphore_wait_min", (arrived, "i32"), sum_of(function, turn, 1))
    function.call("cb_push_back", target, 1)
    function.end()
    zone(function, "end")
    function.end()
    return program


def compute_tiles(program, out, into, count):
    """Adds a compute thread: on node (0, 0) it fills tiles, on node (1, 0) it pops them."""
    function = program.thread("compute", "compute", (out, into))
    source, target = function.buffers[out], function.buffers[into]
    zero = function.value("arith.constant 0.0 : f32")
    function.call("init_sfpu", source, source)
    function.add(f"scf.if {is_node(function)} {{")
    function.call("fill_tile_init")
    function.loop(count)
    function.call("cb_reserve_back", source, 1)
    section(function, 0, 1, lambda tile, register: function.call("fill_tile", register, (zero, "f32")), source)
    function.call("cb_push_back", source, 1)
    function.end()
    function.add("} else {")
    function.loop(count)
    function.call("cb_wait_front", target, 1)
    function.call("cb_pop_front", target, 1)
    function.end()
    function.end()
