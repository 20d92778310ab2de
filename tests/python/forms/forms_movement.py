# SPDX-License-Identifier: Apache-2.0
"""Forms of data movement threads: copies, slices, handles, single elements, pipes, semaphores."""

import ttnn
from forms_contexts import CONTEXTS, MANY, ONCE
from forms_program import Form


def of(name, body, outer="CTX", **fields):
    """Returns a form of a data movement thread that copies from tensor t to tensor u."""
    fields.setdefault("tensors", "".join(each for each in "tu" if f"{each}[" in body + outer or f", {each})" in body
                                         or f"({each}, " in body))
    return Form(name, body, outer, thread="movement", **fields)


def sharded():
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(3, 0))])
    spec = ttnn.ShardSpec(cores, (32, 128), ttnn.ShardOrientation.ROW_MAJOR)
    return ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, spec)


def nd_sharded():
    """Returns the memory configuration for four shards on three cores."""
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(1, 0), ttnn.CoreCoord(3, 0))])
    return ttnn.MemoryConfig(ttnn.BufferType.L1, ttnn.NdShardSpec((2, 32, 64), cores))


ND_SHARDS = {"shape": (4, 64, 64), "memory_config": nd_sharded, "shard": (2, 32, 64)}
L1 = {"memory_config": ttnn.L1_MEMORY_CONFIG}
DRAM = {"memory_config": ttnn.DRAM_MEMORY_CONFIG}
ROWS = {"layout": ttnn.ROW_MAJOR_LAYOUT, "shape": (16, 64)}
IN = "with s_dfb.reserve() as s:\n    ttl.copy(t[i % 4, 1], s).wait()\n"
OUT = "with s_dfb.wait() as s:\n    ttl.copy(s, u[i % 4, 2]).wait()"
THROUGH = IN + OUT
SHORT = "ttl.copy(t[{}], s_dfb.reserve()).wait()\nttl.copy(s_dfb.wait(), u[{}]).wait()"
# Changes an element of the block `s`, and then copies the block to the tile i of u.
VALUE = "with s_dfb.reserve() as s:\n    ttl.copy(t[0, 0], s).wait()\nwith s_dfb.wait() as s:\n    {}\n    ttl.copy(s, u[i % 4, 0]).wait()"


def value(name, statements, **fields):
    body = VALUE.format(statements.replace("\n", "\n    "))
    return of(name, body, **fields)


COPIES = [
    of("through", THROUGH, strict=True),
    of("in_one", SHORT.format("i % 4, 0", "i % 4, 1")),
    of("bare_copies", "ttl.copy(t[i % 4, 0], s_dfb.reserve())\nttl.copy(s_dfb.wait(), u[i % 4, 1])"),
    of("handles", "s = s_dfb.reserve()\nh = ttl.copy(t[i % 4, 0], s)\nh.wait()\ns.push()\ns = s_dfb.wait()\nh = ttl.copy(s, u[i % 4, 1])\nh.wait()\ns.pop()", strict=True),
    of("handle_waited_under_branch", "with s_dfb.reserve() as s:\n    h = ttl.copy(t[i % 4, 0], s)\n    if i == 1:\n        h.wait()\n" + OUT),
    of("two_in_flight", "with s_dfb.reserve() as s, r_dfb.reserve() as r:\n    h = ttl.copy(t[i % 4, 0], s)\n    k = ttl.copy(t[0, i % 4], r)\n    h.wait()\n    k.wait()\nwith s_dfb.wait() as s, r_dfb.wait() as r:\n    h, k = ttl.copy(s, u[i % 4, 1]), ttl.copy(r, u[i % 4, 3])\n    k.wait()\n    h.wait()"),
    of("two_blocks", "first, second = s_dfb.reserve(), s_dfb.reserve()\nh, k = ttl.copy(t[i % 4, 0], first), ttl.copy(t[i % 4, 1], second)\nh.wait()\nk.wait()\nfirst.push()\nsecond.push()\nfor column in range(2):\n    with s_dfb.wait() as s:\n        ttl.copy(s, u[i % 4, column]).wait()"),
    of("group", "g = ttl.GroupTransfer()\nwith s_dfb.reserve() as s, r_dfb.reserve() as r:\n    g.add(ttl.copy(t[i % 4, 0], s))\n    g.add(ttl.copy(t[i % 4, 3], r))\n    g.wait_all()\nwith s_dfb.wait() as s, r_dfb.wait() as r:\n    ttl.copy(s, u[i % 4, 0]).wait()\n    ttl.copy(r, u[i % 4, 1]).wait()"),
    of("group_of_loop", "g = ttl.GroupTransfer()\nwith s_dfb.reserve() as s:\n    ttl.copy(t[i % 4, 0], s).wait()\nwith s_dfb.wait() as s:\n    for k in range(zero + 4):\n        g.add(ttl.copy(s, u[i % 4, k]))\n    g.wait_all()"),
    of("group_of_list", "g = ttl.GroupTransfer()\nblocks = [s_dfb.reserve() for _ in range(3)]\nfor k, block in enumerate(blocks):\n    g.add(ttl.copy(t[i % 4, k], block))\ng.wait_all()\nfor block in blocks:\n    block.push()\nfor k in range(3):\n    with s_dfb.wait() as s:\n        ttl.copy(s, u[i % 4, k]).wait()"),
    of("handle_in_tuple", "s = s_dfb.reserve()\npair = (s, ttl.copy(t[i % 4, 0], s))\npair[1].wait()\npair[0].push()\n" + OUT),
    of("handle_of_branch", "with s_dfb.reserve() as s:\n    if i == 1:\n        h = ttl.copy(t[3, 3], s)\n    else:\n        h = ttl.copy(t[i % 4, 0], s)\n    h.wait()\n" + OUT),
    of("copies_in_branches", "with s_dfb.reserve() as s:\n    if i == 1:\n        ttl.copy(t[3, 3], s).wait()\n    elif i == 2:\n        ttl.copy(t[2, 3], s).wait()\n    else:\n        ttl.copy(t[i % 4, 0], s).wait()\n" + OUT),
    of("twice_out", IN + "with s_dfb.wait() as s:\n    ttl.copy(s, u[i % 4, 0]).wait()\n    ttl.copy(s, u[i % 4, 1]).wait()"),
    of("waited_and_copied_in", IN + "with s_dfb.wait() as s:\n    assert ttl.raw_element_read(s, 0, 0) < 100\n    ttl.copy(t[i % 4, 3], s).wait()\n    ttl.copy(s, u[i % 4, 0]).wait()"),
    of("helper", "def move(source, target):\n    with s_dfb.reserve() as s:\n        ttl.copy(source, s).wait()\n    with s_dfb.wait() as s:\n        ttl.copy(s, target).wait()\nmove(t[i % 4, 0], u[0, i % 4])"),
    of("helper_of_the_module", "move(t, (i % 4, 0), s_dfb)\nwith s_dfb.wait() as s:\n    copy(s, u[i % 4, 3]).wait()", module="copy = ttl.copy\ndef move(tensor, place, dfb):\n    with dfb.reserve() as block:\n        copy(tensor[place], block).wait()", tensors="tu"),
    of("negative_index", SHORT.format("-1, i % 4", "i % 4, -2")),
    of("ranges", SHORT.format("0:2, i % 4", "2:4, i % 4"), shape={"s": (2, 1)}),
    of("range_at_run_time", SHORT.format("i % 3 : i % 3 + 2, 0", "0:2, i % 4"), shape={"s": (2, 1)}),
    of("range_of_products", "r = i % 2\n" + SHORT.format("r * 2 : (r + 1) * 2, 1:3", "2 * r : 2 * r + 2, 0:2"), shape={"s": (2, 2)}),
    of("open_slices", SHORT.format("i % 4, :", "i % 4, :"), shape={"s": (1, 4)}),
    of("left_out", SHORT.format("i % 4", "3 - i % 4"), shape={"s": (1, 4)}),
    of("slice_object", "place = slice(1, 3)\n" + SHORT.format("place, i % 4", "place, i % 4"), shape={"s": (2, 1)}),
    of("tuple_index", "place = (i % 4, 2)\n" + SHORT.format("place", "place")),
    of("whole_tensor", "ttl.copy(t, s_dfb.reserve()).wait()\nttl.copy(s_dfb.wait(), u).wait()", shape={"s": (4, 4)}, tensors="tu"),
    of("subview", "with s_dfb.reserve() as s:\n    ttl.copy(t[i % 4, 0:2], s).wait()\nwith s_dfb.wait() as s:\n    for k in range(2):\n        ttl.copy(ttl.block.subview(s, (0, k), (1, 1)), u[i % 4, 3 - k]).wait()", shape={"s": (1, 2)}),
    of("bf16", THROUGH, dtype="bfloat16"),
    of("int32", THROUGH, dtype="int32"),
    of("uint16", THROUGH, dtype="uint16"),
    of("uint8", THROUGH, dtype="uint8"),
    of("bfp8", THROUGH, dtype="bfloat8_b"),
    of("in_l1", THROUGH, layout={"t": L1, "u": L1}),
    of("in_dram", THROUGH, layout={"t": DRAM, "u": DRAM}),
    of("shards", SHORT.format("i % 4", "i % 4, :"), shape={"s": (1, 4)}, layout={"t": {"memory_config": sharded, "shard": 32}}),
    of("to_shards", SHORT.format("i % 4, :", "i % 4"), shape={"s": (1, 4)}, layout={"u": {"memory_config": sharded, "shard": 32}}),
    of("nd_shards", SHORT.format("i % 4", "3 - i % 4"), shape={"s": (2, 1, 2)}, layout={"t": ND_SHARDS, "u": ND_SHARDS}),
    of("slices_of_nd_shards", SHORT.format("i % 4, :, 0:2", "i % 4, :, 0:2"), shape={"s": (1, 2, 2)}, layout={"t": ND_SHARDS, "u": ND_SHARDS}),
    of("rank_three", SHORT.format("i % 3, 0, :", "i % 3, 0, :"), shape={"s": (1, 1, 2)}, layout={"t": {"shape": (3, 32, 64)}, "u": {"shape": (3, 32, 64)}}),
    of("rows", "with w_dfb.reserve() as w:\n    ttl.copy(t[i % 16, 0:32], w).wait()\nwith w_dfb.wait() as w:\n    ttl.copy(w, u[i % 16, 32:64]).wait()", setup="w_dfb = ttl.make_dataflow_buffer_like(t, shape=(1, 32))", layout={"t": ROWS, "u": ROWS}),
    of("publishes", "with y_dfb.reserve() as o:\n    ttl.copy(t[i % 4, 0], o).wait()", styles=("threads",), strict=True),
    of("publishes_without_with", "o = y_dfb.reserve()\nttl.copy(t[i % 4, 0], o).wait()\no.push()", styles=("threads",)),
    of("publishes_two", "with y_dfb.reserve() as o, z_dfb.reserve() as p:\n    ttl.copy(t[i % 4, 0], o).wait()\n    ttl.copy(t[0, i % 4], p).wait()", styles=("threads",)),
    of("consumes", "with a_dfb.wait() as x:\n    ttl.copy(x, u[i % 4, 0]).wait()", styles=("threads",)),
    of("consumes_inferred", "ttl.copy(a_dfb.wait(), u[i % 4, 0]).wait()", styles=("threads",)),
    of("consumes_two", "with a_dfb.wait() as x, b_dfb.wait() as z:\n    ttl.copy(x, u[i % 4, 0]).wait()\n    ttl.copy(z, u[i % 4, 1]).wait()", styles=("threads",)),
    of("drops", "a_dfb.wait().pop()\nttl.copy(a_dfb.wait(), u[i % 4, 0]).wait()", styles=("threads",)),
    of("print", IN + "with s_dfb.wait() as s:\n    print('row', i, s.shape)\n    ttl.copy(s, u[i % 4, 0]).wait()", without=MANY),
    of("print_block", IN + "with s_dfb.wait() as s:\n    print(s)\n    print(s_dfb)\n    ttl.copy(s, u[i % 4, 0]).wait()", without=MANY + ("long_nested",)),
    of("print_tensor", IN + "print(t, num_pages=1)\n" + OUT, without=MANY + ("long_nested",)),
    of("signpost", "with ttl.signpost('copy'):\n    " + THROUGH.replace("\n", "\n    "), without=MANY),
]  # fmt: skip

ELEMENTS = [
    value("element_read", "v = ttl.raw_element_read(s, 1, 2)\nif v > 100:\n    print(v)"),
    value("element_write", "ttl.raw_element_write(s, i % 32, 3, value=float(i))"),
    value("element_write_positional", "ttl.raw_element_write(s, 2, i % 32, 1.5)"),
    value("element_from_element", "ttl.raw_element_write(s, 0, 0, value=ttl.raw_element_read(s, 1, i % 32) * 2)"),
    value("element_compared", "if ttl.raw_element_read(s, 0, 0) < 0 or ttl.raw_element_read(s, 0, 1) >= 0.5:\n    ttl.raw_element_write(s, 0, 0, value=7.0)"),
    value("element_unsafe", "ttl.unsafe.element_write(s, 0, 0, value=ttl.unsafe.element_read(s, 0, 1))"),
    value("element_bf16", "ttl.raw_element_write(s, 0, i % 32, value=2.5)", dtype="bfloat16"),
    value("index", "k = ttl.read_index(s, 0, i % 32)\nttl.raw_element_write(s, 1, 1, value=float(k))", data={"t": "naturals"}),
    value("index_as_row", "k = ttl.read_index(s, 0, 0) % 4\nttl.copy(s, u[k, 3]).wait()", data={"t": "naturals"}),
    value("index_of_integers", "k = ttl.read_index(s, 0, i % 32) % 4\nttl.copy(s, u[k, 3]).wait()", dtype="uint32"),
    value("index_as_bound", "n = 0\nfor k in range(ttl.read_index(s, 0, 0)):\n    n += k\nttl.raw_element_write(s, 1, 1, value=float(n))", data={"t": "naturals"}),
    value("write_in_loop", "for k in range(zero + 5):\n    ttl.raw_element_write(s, k, i % 32, value=k / 2)"),
    value("numbers", "n = (i * 7 + 3) // 2 % 5 - (i << 1)\nx = n / 4 + float(i)\nttl.raw_element_write(s, 0, 0, value=x)"),
    value("while_inside", "k = 0\nwhile k * k < i + 10:\n    k += 1\nttl.raw_element_write(s, 0, 0, value=float(k))"),
    value("element_of_helper", "def best(block, n):\n    m = ttl.raw_element_read(block, 0, 0)\n    for k in range(n):\n        v = ttl.raw_element_read(block, 0, k)\n        if v > m:\n            m = v\n    return m\nttl.raw_element_write(s, 1, 1, value=best(s, i % 20 + 3))"),
]  # fmt: skip

SPLIT = [
    of("running_index", "with s_dfb.reserve() as s:\n    ttl.copy(t[n % 4, i % 4], s).wait()\nwith s_dfb.wait() as s:\n    ttl.copy(s, u[n // 4 % 4, n % 4]).wait()\nn += 1", "n = 0\nCTX", names=("n",)),
    of("held_block", "ttl.copy(s, u[i % 4, 1]).wait()", "with s_dfb.reserve() as s:\n    ttl.copy(t[2, 2], s).wait()\nwith s_dfb.wait() as s:\n    CTX"),
    of("block_filled_inside", without=tuple(set(CONTEXTS) - set(ONCE)), body="ttl.copy(t[i % 4, 1], s).wait()", outer="with s_dfb.reserve() as s:\n    CTX\nwith s_dfb.wait() as s:\n    ttl.copy(s, u[0, 0]).wait()"),
    of("group_outside", "g.add(ttl.copy(s, u[i % 4, 1]))", "g = ttl.GroupTransfer()\nwith s_dfb.reserve() as s:\n    ttl.copy(t[2, 2], s).wait()\nwith s_dfb.wait() as s:\n    CTX\n    g.wait_all()"),
    of("handle_handed_on", "following = s_dfb.reserve()\nk = ttl.copy(t[i % 4, 1], following)\nh.wait()\nblock.push()\nblock, h = following, k\nwith s_dfb.wait() as s:\n    ttl.copy(s, u[i % 4, 0]).wait()", "block = s_dfb.reserve()\nh = ttl.copy(t[0, 0], block)\nCTX\nh.wait()\nblock.push()\nwith s_dfb.wait() as s:\n    ttl.copy(s, u[3, 3]).wait()", names=("block", "h"), refused="returns a tuple from inside a loop, .* write 'break'"),
    of("pending_tuple", "following = s_dfb.reserve()\nk = ttl.copy(t[i % 4, 1], following)\nold, h = pending\nh.wait()\nold.push()\npending = (following, k)\nwith s_dfb.wait() as s:\n    ttl.copy(s, u[i % 4, 0]).wait()", "block = s_dfb.reserve()\npending = (block, ttl.copy(t[0, 0], block))\nCTX\npending[1].wait()\npending[0].push()\nwith s_dfb.wait() as s:\n    ttl.copy(s, u[3, 3]).wait()", names=("pending",), refused="returns a tuple from inside a loop, .* write 'break'"),
    of("maximum_of_elements", "v = ttl.raw_element_read(s, 0, i % 32)\nif v > m:\n    m, where = v, i", "with s_dfb.reserve() as s:\n    ttl.copy(t[0, 0], s).wait()\nwith s_dfb.wait() as s:\n    m, where = ttl.raw_element_read(s, 0, 0), 0\n    CTX\n    ttl.raw_element_write(s, 0, 0, value=m + where)\n    ttl.copy(s, u[0, 0]).wait()", names=("m", "where")),
    of("writes_around", "ttl.raw_element_write(s, i % 32, i % 32, value=float(i) + 0.5)", "with s_dfb.reserve() as s:\n    ttl.copy(t[0, 0], s).wait()\nwith s_dfb.wait() as s:\n    CTX\n    ttl.copy(s, u[0, 0]).wait()"),
]  # fmt: skip

# On several nodes: node k works on row k of the tensors.
RING = "net = ttl.PipeNet([ttl.Pipe((k, 0), ((k + 1) % 3, 0)) for k in range(3)])"
SPREAD = "net = ttl.PipeNet([ttl.Pipe((0, 0), (slice(0, 3), 0))])"
GATHER = "net = ttl.PipeNet([ttl.Pipe(1, 0), ttl.Pipe(2, 0)])"
LOAD = "with s_dfb.reserve() as s:\n    ttl.copy(t[zero, i % 4], s).wait()\n"
SAVE = "\nwith r_dfb.wait() as r:\n    ttl.copy(r, u[zero, i % 4]).wait()"


def net(name, setup, body, outer="CTX", **fields):
    """Returns a form with pipes. `zero` is the node's number here; contexts use `nil` as run-time 0."""
    fields.setdefault("tensors", "tu")
    return Form(name, body, outer, thread="movement", setup=setup, grid=(3, 1), **fields)


NETS = [
    net("ring", RING, LOAD + "with s_dfb.wait() as s:\n    net.if_src(lambda pipe: ttl.copy(s, pipe).wait())\nwith r_dfb.reserve() as r:\n    net.if_dst(lambda pipe: ttl.copy(pipe, r).wait())" + SAVE),
    net("ring_of_functions", RING, LOAD + "def send(pipe):\n    with s_dfb.wait() as s:\n        ttl.copy(s, pipe).wait()\ndef receive(pipe):\n    with r_dfb.reserve() as r:\n        ttl.copy(pipe, r).wait()\nnet.if_src(send)\nnet.if_dst(receive)" + SAVE),
    net("ring_posted_first", RING, LOAD + "def exchange(pipe):\n    with s_dfb.wait() as s:\n        ttl.copy(s, pipe).wait()\nwith r_dfb.reserve() as r:\n    net.if_src(exchange)\n    net.if_dst(lambda pipe: ttl.copy(pipe, r).wait())" + SAVE),
    net("multicast", SPREAD, LOAD + "with s_dfb.wait() as s:\n    net.if_src(lambda pipe: ttl.copy(s, pipe).wait())\n    ttl.copy(s, u[zero, 0]).wait()\nnet.if_dst(lambda pipe: ttl.copy(pipe, r_dfb.reserve()).wait())" + SAVE),
    net("gather", GATHER, LOAD + "with s_dfb.wait() as s:\n    net.if_src(lambda pipe: ttl.copy(s, pipe).wait())\n    ttl.copy(s, u[zero, 0]).wait()\ndef receive(pipe):\n    with r_dfb.reserve() as r:\n        ttl.copy(pipe, r).wait()\nnet.if_dst(receive)\nfor k in range(net.destination_count()):\n    with r_dfb.wait() as r:\n        ttl.copy(r, u[3, k + i % 3]).wait()"),
    net("conditions", "pipe = ttl.Pipe(src=(0, 0), dst=(1, 0))\nnet = ttl.PipeNet([pipe])", LOAD + "with s_dfb.wait() as s:\n    if net.is_src():\n        ttl.copy(s, pipe).wait()\n    else:\n        ttl.copy(s, u[zero, 3]).wait()\nif net.is_dst():\n    with r_dfb.reserve() as r:\n        ttl.copy(pipe, r).wait()\n    with r_dfb.wait() as r:\n        ttl.copy(r, u[zero, i % 3]).wait()"),
    net("conditions_on_nodes", "pipe = ttl.Pipe(src=(0, 0), dst=(1, 0))\nnet = ttl.PipeNet([pipe])", LOAD + "with s_dfb.wait() as s:\n    if zero == 0:\n        ttl.copy(s, pipe).wait()\n    else:\n        ttl.copy(s, u[zero, 3]).wait()\nif ttl.node(dims=2)[0] == 1:\n    with r_dfb.reserve() as r:\n        ttl.copy(pipe, r).wait()\n    with r_dfb.wait() as r:\n        ttl.copy(r, u[zero, i % 3]).wait()"),
    net("questions", GATHER, LOAD + "with s_dfb.wait() as s:\n    if net.is_dst():\n        ttl.copy(s, u[3, 0]).wait()\n    elif net.is_src() and net.is_active():\n        ttl.copy(s, u[zero, 1]).wait()"),
    net("semaphore_chain", "turn = ttl.Semaphore()", LOAD + "if zero > 0:\n    turn.wait_ge(1)\n    turn.set(0)\nwith s_dfb.wait() as s:\n    ttl.copy(s, u[3, 3]).wait()\nif zero < 2:\n    turn.get_remote((zero + 1, 0)).inc(1)\nelse:\n    turn.get_remote((0, 0)).inc(1)\nif zero == 0:\n    turn.wait_eq(1)\n    turn.set(0)"),
    net("semaphore_own", "mark = ttl.Semaphore(initial=1)", LOAD + "mark.wait_eq(1)\nmark.set(3)\nmark.wait_ge(2)\nmark.set(1)\nwith s_dfb.wait() as s:\n    ttl.copy(s, u[zero, 0]).wait()"),
    net("semaphore_hand_over", "written, taken = ttl.Semaphore(), ttl.Semaphore()", "n += 1\n" + LOAD + "taken.wait_ge(n - 1)\nwith s_dfb.wait() as s:\n    ttl.copy(s, u[zero, i % 4]).wait()\nwritten.get_remote(((zero + 1) % 3, 0)).inc(1)\nwritten.wait_ge(n)\nwith r_dfb.reserve() as r:\n    ttl.copy(u[(zero + 2) % 3, i % 4], r).wait()\ntaken.get_remote(((zero + 2) % 3, 0)).inc(1)\nwith r_dfb.wait() as r:\n    ttl.copy(r, u[3, zero]).wait()", "n = 0\nCTX\ntaken.wait_ge(n)", names=("n",)),
    net("semaphore_multicast", "go, back = ttl.Semaphore(), ttl.Semaphore()", "n += 1\nif zero == 0:\n    back.wait_ge(3 * (n - 1))\n    with s_dfb.reserve() as s:\n        ttl.copy(t[0, i % 4], s).wait()\n    with s_dfb.wait() as s:\n        ttl.copy(s, u[0, i % 4]).wait()\n    go.get_remote_multicast().set(n)\ngo.wait_ge(n)\nwith r_dfb.reserve() as r:\n    ttl.copy(u[0, i % 4], r).wait()\nback.get_remote((0, 0)).inc(1)\nwith r_dfb.wait() as r:\n    ttl.copy(r, u[3, zero]).wait()", "n = 0\nCTX\nif me == 0:\n    back.wait_ge(3 * n)", names=("n",)),
    net("wait_any", "first, second = ttl.Pipe(1, 0), ttl.Pipe(2, 0)\nnet = ttl.PipeNet([first, second])", LOAD + "with s_dfb.wait() as s:\n    if zero == 1:\n        ttl.copy(s, first).wait()\n    if zero == 2:\n        ttl.copy(s, second).wait()\n    ttl.copy(s, u[zero, 0]).wait()\nif zero == 0:\n    with r_dfb.reserve() as p, q_dfb.reserve() as q:\n        h, k = ttl.copy(first, p), ttl.copy(second, q)\n        ready = ttl.wait_any((h, k), start=i % 2)\n        assert ready.index() < 2\n        h.wait()\n        k.wait()\n    with r_dfb.wait() as p, q_dfb.wait() as q:\n        ttl.copy(p, u[3, 0]).wait()\n        ttl.copy(q, u[3, 1]).wait()"),
]  # fmt: skip

for form in NETS:
    form.body = form.body.replace("zero", "me")
    form.outer = "me = zero\nzero = zero - me\n" + form.outer

FORMS = [form for form in (*COPIES, *ELEMENTS, *SPLIT, *NETS) if form.styles]
