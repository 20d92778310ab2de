"""Kernels and tensors of the package d2m_jit, compared with torch on every engine."""

import inspect

import pytest

torch = pytest.importorskip("torch")

import d2m_jit as d2m  # noqa: E402
import ttl  # noqa: E402

ENGINES = pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
SCALE = 3


def layout(shape=(64, 64), block=(1, 1), grid=(2, 2), dtype=d2m.float32, **others):
    return d2m.Layout(shape, dtype, block, grid, **others)


def launch(kernel, arguments, result, *numbers, grid=(2, 2), engine="jit"):
    """Runs a kernel on inputs, which are pairs (tensor, layout), and returns its output with the layout `result`."""
    out = d2m.full(result, 77.0)
    placed = [d2m.to_layout(tensor, its) for tensor, its in arguments]
    with ttl.options(engine=engine):
        kernel(*placed, out, *numbers, grid=grid)
    return out.to_host()


@d2m.kernel
def everybody_stores(x, out):
    remote_store(out, [0, 0], remote_load(x, [core_index(0), core_index(1)]))


@ENGINES
def test_nodes_that_store_to_one_block(engine):
    """All nodes store to the same block: no rule says which value stays, so the launch reports a race."""
    with pytest.raises(ttl.RuntimeFault, match="race") as caught:
        launch(everybody_stores, [(torch.arange(4096.0).reshape(64, 64), layout())], layout(), engine=engine)
    lines, first = inspect.getsourcelines(everybody_stores.function)
    assert caught.value.line == first + len(lines) - 1


# ===--------------------------------------------------------------------------=== #
# Kernels
# ===--------------------------------------------------------------------------=== #


@d2m.kernel
def combine(a, b, out, rows):
    first = core_index(0) * rows
    for r in range(rows):
        x = remote_load(a, [first + r, core_index(1)])
        y = remote_load(b, [first + r, core_index(1)])
        remote_store(out, [first + r, core_index(1)], exp(x) * y - (-y) / x.square() + x.add(y).sigmoid())


@ENGINES
@pytest.mark.parametrize("shape, block, rows", [((64, 64), (1, 1), 1), ((256, 128), (2, 2), 2)])
def test_arithmetic_on_a_grid(engine, shape, block, rows):
    a, b = torch.rand(shape) + 0.5, torch.randn(shape)
    its = layout(shape, block)
    found = launch(combine, [(a, its), (b, its)], its, rows, engine=engine)
    assert torch.allclose(found, a.exp() * b + b / a.square() + (a + b).sigmoid(), rtol=1e-4, atol=1e-4)


@d2m.kernel
def product(a, b, out, steps):
    for m in range(2):
        total = zeros([1, 2])
        for k in range(steps):
            left = remote_load(a, [m, k])
            right = remote_load(b, [k, 0])
            total += left @ right
        remote_store(out, [m, 0], total)


@d2m.kernel
def transposed_product(a, b, out):
    remote_store(out, [0, 0], remote_load(a, [0, 0]).matmul(remote_load(b, [0, 0]), transpose_b=True))


@ENGINES
def test_products(engine):
    a, b = torch.randn(64, 96), torch.randn(96, 64)
    found = launch(product, [(a, layout((64, 96))), (b, layout((96, 64), (1, 2)))], layout((64, 64), (1, 2)), 3,
                   grid=(1, 1), engine=engine)
    assert torch.allclose(found, a @ b, rtol=1e-4, atol=1e-3)
    b = torch.randn(32, 96)
    found = launch(transposed_product, [(a, layout((64, 96), (2, 3))), (b, layout((32, 96), (1, 3)))],
                   layout((64, 32), (2, 1)), grid=(1, 1), engine=engine)
    assert torch.allclose(found, a @ b.T, rtol=1e-4, atol=1e-3)


@d2m.kernel
def centered(x, out):
    block = remote_load(x, [core_index(0), 0])
    remote_store(out, [core_index(0), 0], (block - reduce_mean(block, 1)) / block.reduce_max(-2))


@d2m.kernel
def sums(x, out):
    remote_store(out, [0, 0], reduce_sum(remote_load(x, [0, 0]), -1))


@ENGINES
def test_reductions(engine):
    x = torch.rand(128, 96) + 1
    its = layout((128, 96), (2, 3), (2, 1))
    found = launch(centered, [(x, its)], its, grid=(2, 1), engine=engine)
    parts = x.reshape(2, 64, 96)
    expected = (parts - parts.mean(2, keepdim=True)) / parts.amax(1, keepdim=True)
    assert torch.allclose(found, expected.reshape(128, 96), atol=1e-5)
    its = layout((64, 96), (2, 3), (1, 1))
    found = launch(sums, [(x[:64], its)], d2m.reduction_layout(its, 1).replace(block_shape=[2, 1]), grid=(1, 1),
                   engine=engine)
    assert found.shape == (64, 1) and torch.allclose(found, x[:64].sum(1, keepdim=True), rtol=1e-5)


@d2m.kernel
def choices(a, b, out):
    first = remote_load(a, [core_index(0), core_index(1)])
    second = remote_load(b, [core_index(0), core_index(1)])
    chosen = where(gt(first, second), clamp_scalar(first, -0.5, 1), negative(second.ltz()))
    remote_store(out, [core_index(0), core_index(1)], tile_transpose(chosen))


@d2m.kernel
def broadcasts(x, out, form):
    block = remote_load(x, [0, 0])
    if form == 0:
        remote_store(out, [0, 0], tile_bcast(block, "row"))
    if form == 1:
        remote_store(out, [0, 0], block.tile_bcast_col())
    if form == 2:
        remote_store(out, [0, 0], tile_bcast(block, d2m.TileBcastType.Scalar))


@d2m.kernel
def rounded(x, out):
    remote_store(out, [0, 0], typecast(remote_load(x, [0, 0]), "bf16"))


def by_tiles(x, function):
    return torch.cat([torch.cat([function(tile) for tile in row.split(32, 1)], 1) for row in x.split(32)])


@ENGINES
def test_functions_of_one_tile(engine):
    a, b = torch.randn(64, 64), torch.randn(64, 64)
    found = launch(choices, [(a, layout()), (b, layout())], layout(), engine=engine)
    chosen = torch.where(a > b, a.clamp(-0.5, 1), -(b < 0).float())
    assert torch.equal(found, by_tiles(chosen, lambda tile: tile.T))
    x, its = a[:32, :32], layout((32, 32), grid=(1, 1))
    for form, part in enumerate((x[:1], x[:, :1], x[:1, :1])):
        assert torch.equal(launch(broadcasts, [(x, its)], its, form, grid=(1, 1), engine=engine), part.expand(32, 32))


@pytest.mark.parametrize("engine", ["jit", "interp"])  # Metalium C++ has no typecast of this kind
def test_a_typecast(engine):
    x, its = torch.randn(32, 32), layout((32, 32), grid=(1, 1))
    found = launch(rounded, [(x, its)], its.replace(dtype=d2m.bfloat16), grid=(1, 1), engine=engine)
    assert torch.equal(found, x.to(torch.bfloat16))


@d2m.kernel
async def waiting(x, out):
    block = await remote_load(x, [core_index(0), core_index(1)], mcast_start_index=[0, 0], mcast_shape=[1, 1])
    scaled = zeros([1, 1])
    for i in range(SCALE):
        if i != 1 and i >= 0:
            scaled += block
    remote_store(out, [core_index(0), core_index(1)], scaled)


def test_a_kernel_that_awaits_and_reads_integers_outside():
    x = torch.randn(64, 64)
    assert torch.allclose(launch(waiting, [(x, layout())], layout()), 2 * x)


def test_one_translation_for_equal_calls():
    x = torch.randn(64, 64)
    launch(waiting, [(x, layout())], layout())
    before = len(waiting.made), ttl._cache_info().misses
    launch(waiting, [(-x, layout())], layout())
    assert (len(waiting.made), ttl._cache_info().misses) == before


# ===--------------------------------------------------------------------------=== #
# Tensors
# ===--------------------------------------------------------------------------=== #


def test_constructors():
    assert torch.equal(d2m.arange(layout((32, 64)), 5, 2).to_host(), torch.arange(5, 4101, 2.0).reshape(32, 64))
    assert torch.equal(d2m.full(layout(), 2.5).to_host(), torch.full((64, 64), 2.5))
    first, second = d2m.to_host(d2m.zeros(layout()), d2m.empty(layout(dtype="bf16")))
    assert not first.any() and second.dtype == torch.bfloat16


def test_forms_and_shapes():
    x = torch.randn(64, 64)
    placed = d2m.to_layout(x, layout())
    rows = d2m.untilize(placed, dtype=d2m.bfloat16)
    assert (rows.layout.tiled, rows.layout.dtype) == (False, d2m.bfloat16)
    wide = d2m.reshape(placed, 32, -1)
    assert wide.layout.logical_shape == [32, 128]
    found = d2m.to_host(d2m.tilize(rows, d2m.float32), wide)
    assert torch.equal(found[0], x.to(torch.bfloat16).float()) and torch.equal(found[1], x.reshape(32, 128))


@d2m.kernel
def difference(a, b, out):
    remote_store(out, [core_index(0), core_index(1)], remote_load(a, [core_index(0), core_index(1)])
                 - remote_load(b, [core_index(0), core_index(1)]))


def test_views():
    x = torch.randn(64, 64)
    placed = d2m.to_layout(x, layout())
    turned = d2m.permute(placed, 1, 0)
    rolled = d2m.view_layout(placed, lambda g, h, r, c: (g, (h + 1) % 2, r, c))
    same = d2m.view(placed, lambda r, c: (r, c))
    assert turned.is_view and rolled.is_view and same.is_view
    values = [d2m.to_layout(each, each.layout) for each in (turned, rolled, same)]
    found = d2m.to_host(*values)
    assert torch.equal(found[0], x.T) and torch.equal(found[1], x.roll(32, 1)) and torch.equal(found[2], x)
    with pytest.raises(ValueError, match="cannot return a view"):
        d2m.to_host(d2m.view(d2m.zeros(layout()), lambda r, c: (r, c)))


@ENGINES
def test_a_kernel_reads_a_view(engine):
    x, out = torch.randn(64, 64), d2m.empty(layout())
    placed = d2m.to_layout(x, layout())
    rolled = d2m.view_layout(placed, lambda g, h, r, c: ((g + 1) % 2, h, r, c))
    with ttl.options(engine=engine):
        difference(placed, rolled, out, grid=(2, 2))
    assert torch.equal(out.to_host(), x - x.roll(32, 0))


def test_programs_side_by_side():
    x, y = torch.randn(32, 32), torch.randn(32, 32)
    its = layout((32, 32), grid=(1, 1))
    a, b, first, second = d2m.to_layout(x, its), d2m.to_layout(y, its), d2m.empty(its), d2m.empty(its)
    regions = [lambda: difference(a, b, first, grid=(1, 1)), lambda: difference(b, a, second, grid=(1, 1))]
    d2m.spatial([a, b], [first, second], [((0, 0), (0, 0)), ((1, 0), (1, 0))], regions)
    found = d2m.to_host(first, second)
    assert torch.equal(found[0], x - y) and torch.equal(found[1], y - x)
    with pytest.raises(ValueError, match=r"must be apart, found \[\(1, 1\)\]"):
        d2m.spatial([], [d2m.empty(its)], [((0, 0), (1, 1)), ((1, 1), (2, 2))], regions)


def test_a_tensor_of_an_older_module_is_stale():
    a, b = d2m.zeros(layout()), d2m.zeros(layout())
    a.to_host()
    a.to_host()
    with pytest.raises(RuntimeError, match="Stale tensor"):
        b.to_host()


@pytest.mark.parametrize("make, kind, message", [
    (lambda: d2m.to_layout(torch.zeros(32, 32), layout()), ValueError, r"has shape \[32, 32\], and the layout"),
    (lambda: d2m.to_layout([1], layout()), TypeError, "takes a torch tensor"),
    (lambda: d2m.tilize(torch.zeros(64, 64)), TypeError, "takes a tensor that to_layout"),
    (lambda: d2m.reshape(d2m.zeros(layout()), 32, 64), ValueError, "element count"),
    (lambda: d2m.reshape(d2m.zeros(layout()), -1, -1), ValueError, "only one dimension"),
    (lambda: d2m.permute(d2m.zeros(layout()), 0, 0), ValueError, "in some order"),
    (lambda: d2m.view(d2m.zeros(layout()), lambda r, c: (r, 0)), ValueError, "in some order"),
    (lambda: d2m.view_layout(d2m.zeros(layout()), lambda a, b, c, d: (a + 2, b, c, d)), ValueError, "outside of"),
    (lambda: layout(block=(1, 3)), ValueError, r"must divide the tensor's \[2, 2\] tiles"),
    (lambda: layout(dtype="f64"), TypeError, "unsupported dtype f64"),
    (lambda: layout(mem_space="l3"), TypeError, "unsupported mem_space"),
    (lambda: d2m.reduction_layout(layout(), 1), ValueError, "fits on one core"),
    (lambda: d2m.mesh((1, 2)), AttributeError, "one device is emulated"),
    (lambda: setattr(d2m.config, "enable_perf_trace", True), AttributeError, "config has no enable_perf_trace"),
])
def test_mistakes_of_the_host(make, kind, message):
    with pytest.raises(kind, match=message):
        make()


# ===--------------------------------------------------------------------------=== #
# Mistakes in kernels
# ===--------------------------------------------------------------------------=== #


def error_of(function, *arguments, grid=(2, 2), **keywords):
    with pytest.raises(d2m.D2mJitError) as caught:
        d2m.kernel(function)(*arguments, grid=grid, **keywords)
    return caught.value


def unknown_function(x, out):
    remote_store(out, [0, 0], remote_loud(x, [0, 0]))  # here


def unknown_method(x, out):
    remote_store(out, [0, 0], remote_load(x, [0, 0]).sigmoidd())  # here


def unknown_variable(x, out):
    block = remote_load(x, [0, 0])
    remote_store(out, [0, 0], blok)  # here


def a_while(x, out):
    while 1:  # here
        pass


def a_string(x, out):
    name = "row"  # here


def no_tensor(x, out):
    remote_store(out, [0, 0], remote_load(2, [0, 0]))  # here


def one_index(x, out):
    remote_store(out, [0, 0], remote_load(x, [0]))  # here


def shapes(x, out):
    remote_store(out, [0, 0], zeros([2, 1]))  # here


def mixed(x, out):
    remote_store(out, [0, 0], remote_load(x, [0, 0]) + 1)  # here


def dimension(x, out):
    remote_store(out, [0, 0], reduce_sum(remote_load(x, [0, 0]), 2))  # here


def truth(x, out):
    remote_store(out, [0, 0], reduce_sum(remote_load(x, [0, 0]), True))  # here


def bits(x, out):
    remote_store(out, [0, 0], bitwise_not(remote_load(x, [0, 0])))  # here


def in_place(x, out):
    block = remote_load(out, [0, 0])
    remote_store(out, [0, 0], block + remote_load(x, [0, 0]))  # here


def outside(x, out):
    remote_store(out, [0, 0], remote_load(x, [0, 5]))  # here


def result(x, out):
    return x  # here


@pytest.mark.parametrize("function, kind, message, hint", [
    (unknown_function, NameError, "unknown function 'remote_loud'", "did you mean 'remote_load'?"),
    (unknown_method, AttributeError, "unknown method 'sigmoidd'", "did you mean 'sigmoid'?"),
    (unknown_variable, NameError, "unknown variable 'blok'", "did you mean 'block'?"),
    (a_while, NotImplementedError, "unsupported Python syntax While", None),
    (a_string, NotImplementedError, "a constant of type str is not supported", None),
    (no_tensor, TypeError, "'2' is no tensor parameter", None),
    (one_index, ValueError, "a block of 'x' has two indices", None),
    (shapes, ValueError, "blocks of 2x1 and 1x1 tiles do not fit", None),
    (mixed, TypeError, "combines a block and an integer", None),
    (dimension, ValueError, "reduce dim must be 0/1 or -2/-1, found 2", None),
    (truth, TypeError, "expected integer literal", None),
    (bits, NotImplementedError, "blocks have no bitwise functions", None),
    (in_place, ValueError, "the kernel loads and stores 'out'", "store into another tensor"),
    (result, ValueError, "a kernel returns nothing", None),
    (outside, ttl.CompileError, "", None),
])
def test_mistakes_are_at_their_lines(function, kind, message, hint):
    error = error_of(function, d2m.zeros(layout()), d2m.empty(layout()))
    lines, first = inspect.getsourcelines(function)
    wanted = next(number for number, line in enumerate(lines) if "# here" in line)
    assert (error.file, error.line) == (__file__, first + wanted), error
    assert message in error.msg and isinstance(error.cause, kind) and error.hint == hint
    assert error.source_lines[error.snippet_line - 1] == lines[wanted].rstrip()
    assert f"d2m_jit error at {__file__}:{error.line}:" in str(error) and "-->" in str(error)


def plain(x, out, count):
    remote_store(out, [0, 0], remote_load(x, [0, 0]))


@pytest.mark.parametrize("make, message", [
    (lambda x: (x, torch.zeros(64, 64), 1), "must be a tensor on the device or an integer, found Tensor"),
    (lambda x: (x, 1, x), "tensors must precede scalars"),
    (lambda x: (x, x), r"takes 3 arguments \(x, out, count\), found 2"),
    (lambda x: (x, x, 1), "are one tensor, which the kernel loads and stores"),
    (lambda x: (x, d2m.empty(layout(dtype="f16")), 1), "elements other than f16"),
    (lambda x: (x, d2m.empty(layout(tiled=False)), 1), "tiled=False"),
    (lambda x: (x, d2m.permute(x, 0, 1), 1), "output 1 of plain() is a view"),
])
def test_wrong_arguments(make, message):
    error = error_of(plain, *make(d2m.zeros(layout())))
    assert message.replace("\\", "") in error.msg.replace("\\", ""), error
    assert error.line == inspect.getsourcelines(plain)[1]


@pytest.mark.parametrize("keywords, message", [
    ({"grid": (1, 2, 3)}, "grid must be (rows, columns)"), ({"num_outs": 0}, "num_outs must be from 1"),
    ({"block_factors": [1, 1]}, "are not supported"),
])
def test_wrong_keywords(keywords, message):
    error = error_of(plain, d2m.zeros(layout()), d2m.empty(layout()), 1, **keywords)
    assert message in error.msg


# ===--------------------------------------------------------------------------=== #
# Semaphores
# ===--------------------------------------------------------------------------=== #


@d2m.kernel
async def own_semaphore(a, b, out):
    sem = Semaphore(0)
    x = remote_load(a, [core_index(0), core_index(1)])
    y = remote_load(b, [core_index(0), core_index(1)])
    x = await x
    sem.inc(1)
    sem.wait(1, reset=0)
    remote_store(out, [core_index(0), core_index(1)], x + y)


@d2m.kernel
def in_turns(x, out, columns):
    turn = Semaphore(0)
    column = core_index(1)
    if column > 0:
        turn.wait(1, reset=0)
    remote_store(out, [0, 0], remote_load(x, [0, column]))
    if column < columns - 1:
        turn.inc(1, core=[0, column + 1])


@ENGINES
def test_signals_of_a_node_to_itself(engine):
    a, b = torch.randn(64, 64), torch.randn(64, 64)
    assert torch.equal(launch(own_semaphore, [(a, layout()), (b, layout())], layout(), engine=engine), a + b)


@ENGINES
def test_turns(engine):
    x = torch.randn(32, 96)
    wide, one = layout((32, 96), grid=(1, 3)), layout((32, 32), grid=(1, 1))
    assert torch.equal(launch(in_turns, [(x, wide)], one, 3, grid=(1, 3), engine=engine), x[:, 64:])


@ENGINES
def test_signals_to_a_rectangle(engine):
    @d2m.kernel
    def together(x, out, rows, columns):
        ready = Semaphore(0)
        go = Semaphore(1)
        if core_index(0) + core_index(1) == 0:
            ready.wait(3)
            go.set(2, core=(0, 0), mcast=[rows, columns])
        else:
            ready.inc(1, core=[0, 0])
        go.wait(2)
        remote_store(out, [core_index(0), core_index(1)], remote_load(x, [core_index(0), core_index(1)]))

    x = torch.randn(64, 64)
    assert torch.equal(launch(together, [(x, layout())], layout(), 2, 2, engine=engine), x)


def semaphore_of_other_line(x, out, count):
    s = Semaphore(0)
    BODY  # noqa: B018, F821
    remote_store(out, [0, 0], remote_load(x, [0, 0]))


@pytest.mark.parametrize("line, message", [
    ("s.increase(1)", "unknown method of a semaphore 'increase'"),
    ("s.set()", "set() of a semaphore takes a value, and core=[row, column] and with it mcast=[rows, columns]"),
    ("s.inc(1, mcast=[1, 1])", "inc() of a semaphore takes a value, and core=[row, column]"),
    ("s.wait(1, core=[0, 0])", "wait() of a semaphore takes a value, and reset="),
    ("s.set(1, core=0)", "core= of a semaphore has two integers, rows first"),
    ("s.set(s)", "'s' is a semaphore: it has set(), inc() and wait(), which are statements"),
    ("s = Semaphore(1)", "a semaphore is made once, outside of loops and branches: s = Semaphore(0)"),
    ("t = Semaphore(core_index(0))", "Semaphore() takes its initial value, an integer that is known"),
    ("t = Semaphore(0) + 1", "a semaphore is made in a statement of its own: s = Semaphore(0)"),
    ("for i in range(2): t = Semaphore(0)", "a semaphore is made once, outside of loops and branches"),
])
def test_mistakes_with_semaphores(line, message, tmp_path):
    text = inspect.getsource(semaphore_of_other_line).replace("BODY  # noqa: B018, F821", line)
    file = tmp_path / "kernel.py"
    file.write_text(text)
    scope = {"__name__": "kernel"}
    exec(compile(text, str(file), "exec"), scope)
    error = error_of(scope["semaphore_of_other_line"], d2m.zeros(layout()), d2m.empty(layout()), 1)
    assert message in error.msg and error.line == 3


def test_a_signal_that_nobody_sends_is_a_deadlock():
    @d2m.kernel
    def waits(x, out):
        s = Semaphore(0)
        s.wait(1)
        remote_store(out, [0, 0], remote_load(x, [0, 0]))

    with pytest.raises(ttl.RuntimeFault, match="deadlock: nobody will set semaphore 's'"):
        waits(d2m.zeros(layout()), d2m.empty(layout()), grid=(1, 1))


def test_the_name_of_the_simulator():
    import d2m_jit.sim

    assert d2m_jit.sim.kernel is d2m.kernel and d2m_jit.sim.Layout is d2m.Layout


# ===--------------------------------------------------------------------------=== #
# Printing
# ===--------------------------------------------------------------------------=== #


def printed(monkeypatch, capsys, *settings):
    """Returns what to_host() prints after a launch with these settings on."""
    for setting in settings:
        monkeypatch.setattr(d2m.config, setting, True)
    x = d2m.to_layout(torch.randn(64, 64), layout())
    out = d2m.empty(layout())
    d2m.kernel(plain)(x, out, 1, grid=(1, 1))
    out.to_host()
    text = capsys.readouterr().out
    out = d2m.zeros(layout())
    out.to_host()
    assert "ttl.kernel" not in capsys.readouterr().out, "a module must be printed once only"
    return text


def test_the_ir_of_kernels_is_printed(monkeypatch, capsys):
    text = printed(monkeypatch, capsys, "print_pipeline", "print_ir_before_pipeline", "print_ir_after_pipeline")
    assert text.startswith("[d2m-jit] pipeline: ttl-microcores-to-threads, ")
    before, after = text.split("[d2m-jit] IR before pipeline:\n")[1].split("[d2m-jit] IR after pipeline:\n")
    assert "ttl.unified_thread" in before and "ttkernel." in after and "ttl.unified_thread" not in after


def test_the_ir_after_each_pass_is_printed(monkeypatch, capsys):
    text = printed(monkeypatch, capsys, "print_ir_after_each_pass")
    assert "[d2m-jit] IR after ttl-split-unified-threads:\n" in text and "[d2m-jit] IR after ttl-assign-dst:\n" in text


def test_nothing_is_printed_otherwise(monkeypatch, capsys):
    assert printed(monkeypatch, capsys) == ""


# ===--------------------------------------------------------------------------=== #
# Kernels whose text is in no file, and names of memory spaces
# ===--------------------------------------------------------------------------=== #

TEXT = """
@d2m.kernel
def wrong(x, out):
    remote_stor(out, [0, 0], remote_load(x, [0, 0]))
"""


def test_a_kernel_of_a_text_that_is_in_no_file():
    import linecache

    linecache.cache["<text>"] = (len(TEXT), None, TEXT.splitlines(keepends=True), "<text>")
    scope = {"d2m": d2m, "__name__": "text"}
    exec(compile(TEXT, "<text>", "exec"), scope)
    with pytest.raises(d2m.D2mJitError) as caught:
        scope["wrong"](d2m.zeros(layout()), d2m.empty(layout()), grid=(1, 1))
    assert "d2m_jit error at <text>:4:4" in str(caught.value) and "--> 4 |     remote_stor(" in str(caught.value)


def test_memory_by_its_name():
    from d2m_jit._src import tensor_layout

    assert layout(mem_space=tensor_layout._to_mem_space("dram")).mem_space == layout(mem_space="dram").mem_space
