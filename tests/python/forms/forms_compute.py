# SPDX-License-Identifier: Apache-2.0
"""Forms of compute threads: expressions of blocks, stores, sums, acquisitions and releases of blocks."""

import re

from forms_contexts import MANY
from forms_program import Form

WITH_X = "with a_dfb.wait() as x, y_dfb.reserve() as o:\n    o.store({})"
WITH_XZ = "with a_dfb.wait() as x, b_dfb.wait() as z, y_dfb.reserve() as o:\n    o.store({})"
WITH_XZW = """with a_dfb.wait() as x, b_dfb.wait() as z, c_dfb.wait() as w, y_dfb.reserve() as o:
    o.store({})"""


def of(name, expression, **fields):
    """Returns the form that stores an expression; the expression may use the blocks x, z and w."""
    wide = WITH_XZW if "w" in _words(expression) else WITH_XZ if "z" in _words(expression) else WITH_X
    return Form(name, wide.format(expression), **fields)


def _words(text):
    return set(re.findall(r"\w+", text))


CLOSE = {"rtol": 3e-6}
UNARY = {
    "exp": "small", "exp2": "small", "expm1": "small", "log": "positive", "log1p": "positive",
    "logp1": "positive", "sqrt": "positive", "rsqrt": "positive", "recip": "positive", "sin": "small",
    "cos": "small", "tan": "small", "asin": "small", "acos": "small", "atan": "normal", "sinh": "small",
    "cosh": "small", "tanh": "normal", "asinh": "normal", "atanh": "small", "sigmoid": "normal",
    "hardsigmoid": "normal", "softsign": "normal", "gelu": "normal", "silu": "normal", "erf": "normal",
    "erfc": "small", "square": "normal", "abs": "normal", "neg": "normal", "sign": "normal",
    "signbit": "normal", "floor": "normal", "ceil": "normal", "trunc": "normal", "frac": "normal",
    "round": "normal", "relu": "normal", "isnan": "normal", "isinf": "normal", "logical_not": "bits",
}  # fmt: skip
PLAIN = ("square abs neg sign signbit floor ceil trunc frac round relu isnan isinf logical_not").split()
SPELLINGS = ("ttl.math.{}(x)", "ttl.block.{}(x)", "ttl.{}(x)", "x.{}()")


def unary_forms():
    for index, (name, data) in enumerate(UNARY.items()):
        text = SPELLINGS[index % len(SPELLINGS)].format(name)
        yield of(f"unary_{name}", text, data={"a": data}, rtol=0 if name in PLAIN else 3e-6)


EXPRESSIONS = [
    of("copy", "x"),
    of("add", "x + z"),
    of("sub", "x - z"),
    of("mul", "x * z"),
    of("div", "x / z", data={"b": "positive"}),
    of("floordiv", "x // z", data={"a": "integers", "b": "counts"}),
    of("mod", "x % z", data={"a": "integers", "b": "counts"}),
    of("power_number", "x ** 2"),
    of("neg", "-x"),
    of("abs", "abs(x - z)"),
    of("number_left", "2.5 - x * 3"),
    of("number_at_run_time", "x * (i + 1) + float(i)"),
    of("half_at_run_time", "x * (i / 2)"),
    of("chain", "(x + z) * (x - z) + x * z - 1"),
    of("long_chain", "((x + 1) * z + (x - 2)) * ((z + 3) - x) + (x * x + z * z)"),
    of("min_max_builtin", "max(min(x, z), -0.5)"),
    of("sum_builtin", "sum([x, z, w])"),
    of("compare_operator", "(x < z) * 2 + (x >= z)"),
    of("compare_equal", "(x == z) + (x != z) * 3", data={"a": "bits", "b": "bits"}),
    of("compare_number", "(x > 0) - (x <= 0.25)"),
    of("compare_functions", "ttl.eq(x, z) + ttl.ne(x, z) * 2 + ttl.lt(x, z) * 4 + ttl.le(x, z) * 8", data={"a": "bits", "b": "bits"}),
    of("compare_methods", "x.gt(z) + x.ge(z) * 2"),
    of("binary_functions", "ttl.add(ttl.sub(x, z), ttl.mul(x, z))"),
    of("div_function", "ttl.math.div(x, z)", data={"b": "positive"}),
    of("max_functions", "ttl.maximum(x, z) * 2 + ttl.math.minimum(x, 0.5)"),
    of("power", "ttl.power(x, z)", data={"a": "positive", "b": "small"}, **CLOSE),
    of("pow", "ttl.pow(x, 3)", **CLOSE),
    of("where", "ttl.where(x, z, w)", data={"a": "bits"}),
    of("where_number", "ttl.where(ttl.gt(x, 0), x, -1)"),
    of("mask", "ttl.mask(z, x)", data={"a": "bits"}),
    of("mask_posinf", "ttl.mask_posinf(z, x)", data={"a": "bits"}),
    of("rsub", "ttl.rsub(x, z)"),
    of("relu_limits", "ttl.relu_max(x, 0.5) + ttl.relu_min(x, -0.25)"),
    of("slopes", "ttl.leaky_relu(x, 0.5) + ttl.prelu(x, 0.25)"),
    of("elu_celu_selu", "ttl.elu(x, 0.5) + ttl.celu(x, 0.5, 2.0) + ttl.selu(x, 1.5, 0.5)", rtol=1e-5),
    of("softplus", "ttl.softplus(x, 1.0)", rtol=1e-5),
    of("clamp", "ttl.clamp(x, -0.5, 0.5) + ttl.hardtanh(x, -0.25, 0.75)"),
    of("threshold", "ttl.threshold(x, 0, 7)"),
    of("round_decimals", "ttl.round(x, 1)", **CLOSE),
    of("exp_options", "ttl.exp(x, scale=0.5)", data={"a": "small"}, **CLOSE),
    of("typecast_bf16", "ttl.typecast(x, ttnn.bfloat16) + z", emits=False),
    of("fill", "x + ttl.fill(2.5, shape=(1, 1))"),
    of("fill_like", "ttl.fill(x, 1.5) + ttl.zeros(x) + ttl.ones(x)"),
    of("fill_at_run_time", "ttl.fill(i, shape=(1, 1)) * x"),
    of("fill_alone", "ttl.math.fill(0.5, shape=x.shape)"),
    of("constants", "x * ttl.ones(shape=(1, 1)) + ttl.zeros(shape=(1, 1))"),
    of("conditional", "x if i == 1 else x * 2"),
    of("conditional_of_two", "x + 1 if i < 2 else z"),
    of("lambda", "(lambda e: e * 2 + z)(x)"),
    of("walrus", "(e := x * 2) + e"),
    of("bf16", "x + z * 2", dtype="bfloat16", strict=True),
    of("bf16_exp", "ttl.exp(x)", dtype="bfloat16", data={"a": "small"}, rtol=8e-3),
    of("float16", "x - z", dtype="float16"),
    of("mixed_types", "x + z", dtype={"a": "bfloat16"}),
    of("to_bf16", "x * z", dtype={"y": "bfloat16"}),
    of("bfp8", "x * 2", dtype={"a": "bfloat8_b"}),
    of("int32", "x * z + 3", dtype="int32"),
    of("int32_division", "x // z - x % z", dtype="int32", data={"b": "counts"}),
    of("int32_compare", "ttl.where(ttl.lt(x, z), x, -z)", dtype="int32"),
    of("int32_functions", "ttl.max(x, z) + abs(x) * ttl.relu(z)", dtype="int32"),
    of("int32_number_at_run_time", "x * (i + 1) + i", dtype="int32"),
    of("uint32", "x * z + 1", dtype="uint32"),
    of("uint16", "x + z", dtype="uint16"),
    of("uint8", "x + z", dtype="uint8"),
    of("typecast_int", "ttl.typecast(x, ttnn.float32) * z", dtype={"a": "int32"}),
    of("typecast_float", "ttl.typecast(x, ttnn.int32) + 1", dtype={"y": "int32"}, data={"a": "integers"}),
]

WIDE = {"a": (2, 3), "b": (2, 3), "y": (2, 3)}
SHAPED = [
    of("reduce_rows", "ttl.reduce_sum(x, dims=[-1])", shape={**WIDE, "y": (2, 1)}, data={"a": "integers"}),
    of("reduce_columns", "x.reduce_max(dims=[0])", shape={**WIDE, "y": (1, 3)}),
    of("reduce_both", "ttl.reduce_sum(x, dims=[0, 1])", shape={**WIDE, "y": (1, 1)}, data={"a": "integers"}),
    of("reduce_mean", "ttl.reduce_mean(x, dims=[-1])", shape={**WIDE, "y": (2, 1)}, data={"a": "integers"}, **CLOSE),
    of("reduce_scaled", "ttl.reduce_sum(x, z, dims=[-1])", shape={"a": (2, 3), "y": (2, 1)}, data={"a": "integers", "b": "bits"}),
    of("row_functions", "ttl.rowsum(x) + ttl.rowmax(x)", shape={**WIDE, "y": (2, 1)}, data={"a": "integers"}),
    of("broadcast_rows", "z * ttl.broadcast(x, dims=[-2])", shape={**WIDE, "a": (1, 3)}),
    of("broadcast_columns", "z - ttl.bcast(x, dims=[-1])", shape={**WIDE, "a": (2, 1)}),
    of("broadcast_both", "ttl.broadcast(x, dims=[0, 1], shape=(2, 3))", shape={"y": (2, 3)}),
    of("broadcast_like", "ttl.broadcast(x, z, dims=[-1]) + z", shape={**WIDE, "a": (2, 1)}),
    of("broadcast_alone", "ttl.broadcast(x, dims=[-1])", shape={"a": (2, 1), "y": (2, 3)}),
    of("softmax", "ttl.exp(x - ttl.broadcast(ttl.reduce_max(x, dims=[-1]), dims=[-1]))", shape=WIDE, rtol=3e-6),
    of("normalised", "x * ttl.broadcast(ttl.recip(ttl.reduce_sum(x, dims=[-1])), dims=[-1])", shape=WIDE, data={"a": "counts"}, rtol=3e-6),
    of("matmul", "x @ z", shape={"a": (2, 3), "b": (3, 2), "y": (2, 2)}, data={"a": "integers", "b": "integers"}),
    of("matmul_bias", "ttl.relu(x @ z + w)", shape={"a": (2, 3), "b": (3, 2), "c": (2, 2), "y": (2, 2)}, data=dict.fromkeys("abc", "integers")),
    of("matmul_function", "ttl.matmul(x, z, transpose_rhs=True)", shape={"a": (2, 3), "b": (1, 3), "y": (2, 1)}, data={"a": "integers", "b": "integers"}),
    of("matmul_of_sums", "(x + 1) @ (z * 2)", shape={"a": (1, 2), "b": (2, 1)}, data={"a": "integers", "b": "integers"}),
    of("matmul_twice", "x @ z @ w", data=dict.fromkeys("abc", "bits")),
    of("matmul_batch", "x @ z", shape={"a": (3, 1, 2), "b": (2, 1), "y": (3, 1, 1)}, data={"a": "integers", "b": "integers"}),
    of("transpose", "ttl.transpose(x)", shape={"a": (2, 3), "y": (3, 2)}),
    of("transpose_product", "x @ z.transpose()", shape={"a": (1, 2), "b": (1, 2)}, data={"a": "integers", "b": "integers"}),
    of("rank_three", "x * 2 + z", shape=dict.fromkeys("aby", (2, 1, 2))),
    of("rank_three_sum", "ttl.reduce_sum(x, dims=[0]).squeeze(dims=[0])", shape={"a": (3, 1, 1)}, data={"a": "integers"}),
    of("unsqueeze", "ttl.squeeze(ttl.unsqueeze(x + 1, dim=0), dim=0)"),
    of("many_tiles", "x * z + x", shape=dict.fromkeys("aby", (4, 4))),
    of("int32_matmul", "x @ z", dtype="int32"),
    of("int32_reduce", "ttl.reduce_sum(x, dims=[-1])", dtype="int32", shape={"a": (1, 2)}),
]  # fmt: skip

X = "with a_dfb.wait() as x:\n    "
XO = "with a_dfb.wait() as x, y_dfb.reserve() as o:\n    "
STATEMENTS = [
    Form("push_pop", """
x = a_dfb.wait()
o = y_dfb.reserve()
o.store(x + 1)
x.pop()
o.push()
""", strict=True),
    Form("push_pop_of_buffers", """
x, o = a_dfb.wait(), y_dfb.reserve()
o.store(x * 2)
a_dfb.pop()
y_dfb.push()
""", strict=True),
    Form("inferred_release", "x = a_dfb.wait()\no = y_dfb.reserve()\no.store(x - 1)"),
    Form("all_in_one", "y_dfb.reserve().store(a_dfb.wait() + 1)"),
    Form("two_waits_in_one", "y_dfb.reserve().store(a_dfb.wait() - a_dfb.wait())"),
    Form("nested_with", "with a_dfb.wait() as x:\n    with b_dfb.wait() as z:\n        with y_dfb.reserve() as o:\n            o.store(x + z)", strict=True),
    Form("released_in_with", XO + "o.store(x)\n    x.pop()\n    o.push()"),
    Form("released_in_branch", XO + "o.store(x)\n    if i == 1:\n        x.pop()", styles=("threads",)),
    Form("store_twice", XO + "o.store(x)\n    o.store(x * 2)"),
    Form("store_then_add", XO + "o.store(x)\n    o += x * 2", strict=True),
    Form("add_only", XO + "o += x"),
    Form("add_twice", XO + "o += x\n    o += x * x"),
    Form("add_then_store", XO + "o += x\n    o.store(x * 3)"),
    Form("add_store_add", XO + "o += x\n    o.store(x * 3)\n    o += 1 - x"),
    Form("store_acc", XO + "o.store(x)\n    o.store(x + 1, acc=True)"),
    Form("add_under_branch", XO + "o.store(x)\n    if i == 1:\n        o += x"),
    Form("store_under_branch", XO + "if i == 1:\n        o.store(x)\n    else:\n        o.store(-x)"),
    Form("read_back", XO + "o.store(x)\n    o.store(o + x)"),
    Form("read_back_elsewhere", "with a_dfb.wait() as x, y_dfb.reserve() as o, z_dfb.reserve() as p:\n    o.store(x * 2)\n    p.store(o + x)"),
    Form("add_itself", XO + "o.store(x)\n    o += o"),
    Form("two_outputs", "with a_dfb.wait() as x, y_dfb.reserve() as o, z_dfb.reserve() as p:\n    e = x * x\n    o.store(e + 1)\n    p.store(e - x)"),
    Form("two_blocks", "first, second = a_dfb.wait(), a_dfb.wait()\nwith y_dfb.reserve() as o:\n    o.store(first - second)\nfirst.pop()\nsecond.pop()"),
    Form("list_of_blocks", "xs = [a_dfb.wait() for _ in range(3)]\nwith y_dfb.reserve() as o:\n    o.store(xs[0] + xs[1] * xs[2])\nfor x in xs:\n    x.pop()"),
    Form("inner_wait", "with a_dfb.wait() as first:\n    with a_dfb.wait() as second:\n        with y_dfb.reserve() as o:\n            o.store(first - second)"),
    Form("released_in_other_order", "first = a_dfb.wait()\nsecond = a_dfb.wait()\nwith y_dfb.reserve() as o:\n    o.store(first - second)\nsecond.pop()\nfirst.pop()"),
    Form("stored_after_pop", "with a_dfb.wait() as x:\n    e = x * 2 + 1\nwith y_dfb.reserve() as o:\n    o.store(e)"),
    Form("own_buffer", "with a_dfb.wait() as x, s_dfb.reserve() as s:\n    s.store(x * 2)\nwith s_dfb.wait() as s, y_dfb.reserve() as o:\n    o.store(s + 1)", styles=("threads", "unified")),
    Form("own_buffer_without_with", "s_dfb.reserve().store(a_dfb.wait() * 2)\ny_dfb.reserve().store(s_dfb.wait() + 1)"),
    Form("replaced", XO + "old = x * 3\n    x.store(x + 1)\n    o.store(x * 2 + old)"),
    Form("replaced_by_add", XO + "x += x * 2\n    o.store(x)"),
    Form("name_of_sum", XO + "e = x + 1\n    e = e * e\n    o.store(e - x)"),
    Form("augmented", XO + "e = x + 1\n    e += x\n    e -= 2\n    e *= x\n    e /= 2\n    e **= 2\n    o.store(e)"),
    Form("augmented_division", XO + "e = x + 0\n    e //= 2\n    e %= 3\n    o.store(e)", data={"a": "integers"}),
    Form("local_sum", "total = ttl.zeros(shape=(1, 1))\nfor _ in range(zero + 3):\n    with a_dfb.wait() as x:\n        total += x\nwith y_dfb.reserve() as o:\n    o.store(total)"),
    Form("local_block_sum", "with y_dfb.reserve() as o:\n    for _ in range(zero + 3):\n        with a_dfb.wait() as x:\n            o += x", strict=True),
    Form("local_block_sum_with_bias", "with y_dfb.reserve() as o:\n    o.store(a_dfb.wait())\n    for _ in range(zero + 3):\n        with a_dfb.wait() as x:\n            o += x * x"),
    Form("local_product_sum", "with y_dfb.reserve() as o:\n    for _ in range(3):\n        with a_dfb.wait() as x, b_dfb.wait() as z:\n            o += x @ z", data={"a": "integers", "b": "integers"}, strict=True),
    Form("local_product_variable", "total = ttl.fill(1, shape=(1, 1))\nfor _ in range(zero + 3):\n    with a_dfb.wait() as x, b_dfb.wait() as z:\n        total += x @ z\nwith y_dfb.reserve() as o:\n    o.store(total)", data={"a": "integers", "b": "integers"}),
    Form("local_bf16_sum", "with y_dfb.reserve() as o:\n    for _ in range(zero + 4):\n        with a_dfb.wait() as x:\n            o += x", dtype="bfloat16"),
    Form("local_maximum", "m = ttl.fill(-100, shape=(1, 1))\nfor _ in range(zero + 3):\n    with a_dfb.wait() as x:\n        m = ttl.max(m, x)\nwith y_dfb.reserve() as o:\n    o.store(m)"),
    Form("local_swap", "m, p = ttl.zeros(shape=(1, 1)), ttl.ones(shape=(1, 1))\nfor _ in range(zero + 3):\n    with a_dfb.wait() as x:\n        m, p = p + x, m\nwith y_dfb.reserve() as o:\n    o.store(m - p)"),
    Form("local_branch_value", XO + "if i == 1:\n        e = x * 2\n    else:\n        e = x - 1\n    o.store(e + 1)"),
    Form("local_helper", "def twice(e):\n    return e * 2\nwith a_dfb.wait() as x, y_dfb.reserve() as o:\n    o.store(twice(x) + twice(x + 1))"),
    Form("helper_that_stores", "def fill(block, e):\n    block.store(e)\nwith a_dfb.wait() as x, y_dfb.reserve() as o:\n    fill(o, x + 1)"),
    Form("helper_that_adds", "def add(block, e):\n    block += e\nwith a_dfb.wait() as x, y_dfb.reserve() as o:\n    o.store(x)\n    add(o, x)"),
    Form("helper_that_waits", "def take():\n    return a_dfb.wait()\nx = take()\nwith y_dfb.reserve() as o:\n    o.store(x)\nx.pop()"),
    Form("helper_of_the_module", "with y_dfb.reserve() as o:\n    scaled(a_dfb, o, 3)", module="def scaled(dfb, o, factor):\n    with dfb.wait() as x:\n        o.store(x * factor)"),
    Form("tuple_of_blocks", "pair = (a_dfb.wait(), y_dfb.reserve())\npair[1].store(pair[0] * 2)\npair[0].pop()\npair[1].push()"),
    Form("dict_of_expressions", XO + "e = {'left': x + 1, 'right': x * 2}\n    o.store(e['left'] * e['right'])"),
    Form("print_text", XO + "print('i is', i, f'{i / 2:.1f}')\n    o.store(x)"),
    Form("print_block", XO + "print(x)\n    o.store(x)", without=MANY + ("long_nested",)),
    Form("print_buffer", XO + "print(a_dfb)\n    o.store(x)"),
    Form("assert", XO + "assert i >= 0 and x.shape == (1, 1), f'i is {i}'\n    o.store(x)"),
    Form("raise_not_reached", XO + "if i > 1000:\n        raise ValueError(f'{i}')\n    o.store(x)"),
    Form("signpost", XO + "ttl.signpost('start')\n    with ttl.signpost('store'):\n        o.store(x + i)", without=MANY),
    Form("host_function", XO + "v = double(i)\n    o.store(x * v)", module="double = ttl.host_function(lambda v: v * 2, restype=int)", emits=False),
    Form("identity", XO + "assert x is x and x is not o\n    o.store(x)"),
    Form("integers", XO + "v = (i * 7 + 3) // 2 % 5 - (i << 1) + (i & 3) + (i ^ 1) - ~i\n    o.store(x * v)"),
    Form("floats", XO + "v = (i + 1) / 4 + float(i) * 0.5\n    o.store(x * v)"),
    Form("conditions", XO + "v = 1 if 0 <= i < 2 and not i == 1 or i in (5, 6) else 3\n    o.store(x + v)"),
    Form("min_max_numbers", XO + "v = min(i, 2) + max(i, 1, zero) + abs(i - 3)\n    o.store(x + v)"),
    Form("tuples", XO + "p, *rest = (i, i + 1, 3)\n    q = (p,) + tuple(rest)\n    o.store(x + sum(q))"),
    Form("comprehension", XO + "v = [i + k for k in range(4) if k % 2]\n    o.store(x + v[0] * v[1])"),
    Form("dict_of_numbers", XO + "v = {'p': i, 'q': i + 1}\n    v = {**v, 'r': 2}\n    o.store(x + (v['p'] + v['q']) * v.get('r'))"),
    Form("zip_enumerate", XO + "v = 0\n    for k, (p, q) in enumerate(zip((i, 2), (3, i))):\n        v += k * p + q\n    o.store(x + v)"),
    Form("inner_loop_number", XO + "v = 0\n    for k in range(i + 2):\n        if k == 3:\n            break\n        v += k + 1\n    o.store(x + v)"),
    Form("divmod_pow", XO + "p, q = divmod(i + 7, 3)\n    o.store(x + p * 10 + q + pow(i, 2))"),
    Form("lambda_of_numbers", XO + "f = lambda k, m=i: k * 2 + m\n    o.store(x + f(3))"),
    Form("starred_call", XO + "def f(k, *more, scale=2):\n        return (k + sum(more)) * scale\n    o.store(x + f(*(i, 2, 3), scale=i + 1))"),
    Form("bools", XO + "b = i > 0\n    v = int(b) + (b is True)\n    o.store(x + v)"),
    Form("unused_block", "a_dfb.wait().pop()\nwith a_dfb.wait() as x, y_dfb.reserve() as o:\n    o.store(x)"),
]  # fmt: skip

Y = "with y_dfb.reserve() as out:\n    "
SPLIT = [  # outer statements acquire or release a block around the context
    Form("sum_in_block", X + "out += x", outer=Y + "CTX", names=("out",)),
    Form("sum_in_block_after_store", X + "out += x", outer=Y + "out.store(ttl.fill(2, shape=(1, 1)))\n    CTX", names=("out",), strict=True),
    Form("sum_in_block_after_store_of_block", X + "out += x * 2", outer=Y + "out.store(a_dfb.wait())\n    CTX", names=("out",)),
    Form("sum_in_block_of_outer_block", "out += x", outer="with a_dfb.wait() as x, y_dfb.reserve() as out:\n    CTX", names=("out",)),
    Form("sum_in_block_of_number", "out += ttl.fill(i + 1, shape=(1, 1))", outer=Y + "CTX", names=("out",)),
    Form("sum_in_block_acc", X + "out.store(x, acc=True)", outer=Y + "CTX"),
    Form("sum_then_use", X + "out += x", outer=Y + "CTX\n    out += ttl.ones(shape=(1, 1))", names=("out",)),
    Form("sum_then_read_back", X + "out += x", outer="with y_dfb.reserve() as out, z_dfb.reserve() as p:\n    out.store(ttl.zeros(shape=(1, 1)))\n    CTX\n    p.store(out * 2)", names=("out",), refused="cannot read back a block"),
    Form("sum_without_with", X + "out += x", outer="out = y_dfb.reserve()\nCTX\nout.push()", names=("out",)),
    Form("sum_inferred", X + "out += x", outer="out = y_dfb.reserve()\nCTX", names=("out",)),
    Form("sum_of_two_blocks", X + "out += x\n    p += x * 2", outer="with y_dfb.reserve() as out, z_dfb.reserve() as p:\n    CTX", names=("out", "p")),
    Form("sum_of_products", "with a_dfb.wait() as x, b_dfb.wait() as z:\n    out += x @ z", outer=Y + "CTX", names=("out",), shape={"a": (2, 1), "b": (1, 2), "y": (2, 2)}, data={"a": "integers", "b": "integers"}),
    Form("sum_of_products_after_bias", "with a_dfb.wait() as x, b_dfb.wait() as z:\n    out += x @ z", outer=Y + "out.store(c_dfb.wait())\n    CTX", names=("out",), data=dict.fromkeys("abc", "integers")),
    Form("sum_bf16", X + "out += x", outer=Y + "CTX", names=("out",), dtype="bfloat16"),
    Form("sum_int32", X + "out += x", outer=Y + "CTX", names=("out",), dtype="int32"),
    Form("sum_many_tiles", X + "out += x", outer=Y + "CTX", names=("out",), shape={"a": (3, 3), "y": (3, 3)}),
    Form("sum_in_block_inner_loop", "for _ in range(zero + 2):\n    with a_dfb.wait() as x:\n        out += x", outer=Y + "CTX", names=("out",)),
    Form("sum_in_block_inner_branch", X + "if i == 1:\n        out += x\n    else:\n        out += x * 2", outer=Y + "CTX", names=("out",)),
    Form("sum_starts_again", X + "if i == 1:\n        out.store(x)\n    else:\n        out += x", outer=Y + "CTX", names=("out",)),
    Form("last_store_counts", X + "out.store(x + i)", outer=Y + "CTX"),
    Form("store_of_itself", X + "out.store(out * 0.5 + x)", outer=Y + "out.store(ttl.ones(shape=(1, 1)))\n    CTX"),
    Form("outer_block", "with y_dfb.reserve() as o:\n    o.store(x + i)", outer=X + "CTX"),
    Form("outer_block_held", "with a_dfb.wait() as x, y_dfb.reserve() as o:\n    o.store(first - x)", outer="with a_dfb.wait() as first:\n    CTX", count=16, without=(*MANY, "long_nested"), refused="cannot pop block 'x' of 'a_dfb' before block 'first'"),
    Form("outer_blocks", "with y_dfb.reserve() as o:\n    o.store(x @ z + i)", outer="with a_dfb.wait() as x, b_dfb.wait() as z:\n    CTX", data={"a": "integers", "b": "integers"}),
    Form("outer_list_of_blocks", "with y_dfb.reserve() as o:\n    o.store(xs[0] + xs[1] * i)", outer="xs = [a_dfb.wait() for _ in range(2)]\nCTX\nfor x in xs:\n    x.pop()"),
    Form("variable", X + "total += x", outer="total = ttl.fill(0, shape=(1, 1))\nCTX\nwith y_dfb.reserve() as o:\n    o.store(total)", names=("total",), strict=True),
    Form("variable_of_products", "with a_dfb.wait() as x, b_dfb.wait() as z:\n    total += x @ z", outer="total = ttl.zeros(shape=(2, 2))\nCTX\nwith y_dfb.reserve() as o:\n    o.store(total / 2)", names=("total",), shape={"a": (2, 1), "b": (1, 2), "y": (2, 2)}, data={"a": "integers", "b": "integers"}),
    Form("variable_of_many_tiles", X + "total += x", outer="total = ttl.zeros(shape=(4, 4))\nCTX\nwith y_dfb.reserve() as o:\n    o.store(total)", names=("total",), shape={"a": (4, 4), "y": (4, 4)}),
    Form("variable_started_by_block", X + "total = total + x", outer="with a_dfb.wait() as first:\n    total = first * 2\nCTX\nwith y_dfb.reserve() as o:\n    o.store(total)", names=("total",)),
    Form("variable_that_is_a_block", "with b_dfb.wait() as z:\n    total = total + z", outer="with a_dfb.wait() as x:\n    total = x\n    CTX\n    with y_dfb.reserve() as o:\n        o.store(total)", names=("total",)),
    Form("variable_used_inside", "with a_dfb.wait() as x, y_dfb.reserve() as o:\n    total += x\n    o.store(total)", outer="total = ttl.zeros(shape=(1, 1))\nCTX", names=("total",)),
    Form("variable_maximum", X + "m = ttl.max(m, x)", outer="m = ttl.fill(-1000, shape=(1, 1))\nCTX\nwith y_dfb.reserve() as o:\n    o.store(m)", names=("m",)),
    Form("variables_swapped", X + "m, p = p + x, m", outer="m, p = ttl.zeros(shape=(1, 1)), ttl.ones(shape=(1, 1))\nCTX\nwith y_dfb.reserve() as o:\n    o.store(m - p)", names=("m", "p")),
    Form("online_softmax", X + "n = ttl.max(m, x)\n    d = d * ttl.exp(m - n) + ttl.exp(x - n)\n    m = n", outer="m, d = ttl.fill(-100, shape=(1, 1)), ttl.zeros(shape=(1, 1))\nCTX\nwith y_dfb.reserve() as o:\n    o.store(m + ttl.log(d))", names=("m", "d"), rtol=2e-5),
    Form("variable_in_tuple", X + "s = (s[0] + x, s[1] + 1)", outer="s = (ttl.zeros(shape=(1, 1)), 0)\nCTX\nwith y_dfb.reserve() as o:\n    o.store(s[0] * s[1])", names=("s",)),
    Form("variable_in_dict", X + "s = {'e': s['e'] - x, 'n': i}", outer="s = {'e': ttl.zeros(shape=(1, 1)), 'n': 5}\nCTX\nwith y_dfb.reserve() as o:\n    o.store(s['e'] * s['n'])", names=("s",)),
    Form("counter", X + "n += 1\n    f = f * 0.5 + n", outer="n, f = 0, 1.0\nCTX\nwith y_dfb.reserve() as o:\n    o.store(ttl.fill(f, shape=(1, 1)) + n)", names=("n", "f"), data={"a": "bits"}),
    Form("flag", X + "seen = seen or i == 1\n    last = (i, last[0])", outer="seen, last = False, (zero, 7)\nCTX\nwith y_dfb.reserve() as o:\n    o.store(ttl.fill(last[0] * 10 + last[1] if seen else -1, shape=(1, 1)))", names=("seen", "last")),
    Form("block_handed_on", "following = a_dfb.wait()\nwith y_dfb.reserve() as o:\n    o.store(following - block)\nblock.pop()\nblock = following", outer="block = a_dfb.wait()\nCTX\nblock.pop()", names=("block",), styles=("threads",)),
    Form("acquired_before_released_after", "a_dfb.pop()\nx = a_dfb.wait()\nwith y_dfb.reserve() as o:\n    o.store(x)", outer="x = a_dfb.wait()\nCTX\na_dfb.pop()", names=("x",), styles=("threads",)),
    Form("read_before_and_after", "with y_dfb.reserve() as o:\n    o.store(x + i)", outer="x = a_dfb.wait()\nwith y_dfb.reserve() as o:\n    o.store(x)\nCTX\nwith y_dfb.reserve() as o:\n    o.store(x * 2)\nx.pop()"),
    Form("two_contexts", X + "out += x", outer=Y + "CTX\n    out += ttl.fill(1, shape=(1, 1))\n    CTX", names=("out",)),
    Form("sum_in_inner_acquisition", "with y_dfb.reserve() as o:\n    for k in range(zero + 2):\n        with a_dfb.wait() as x:\n            o += x\n    total = total + ttl.fill(1, shape=(1, 1))", outer="total = ttl.zeros(shape=(1, 1))\nCTX\nwith y_dfb.reserve() as o:\n    o.store(total)", names=("total",)),
    Form("carried_block_expression", "with b_dfb.wait() as z:\n    e = x * e + z", outer="with a_dfb.wait() as x:\n    e = x\n    CTX\n    with y_dfb.reserve() as o:\n        o.store(e)", names=("e",), data={"a": "small", "b": "small"}, rtol=1e-6),
]  # fmt: skip

FORMS = [form for form in (*unary_forms(), *EXPRESSIONS, *SHAPED, *STATEMENTS, *SPLIT) if form.styles]
