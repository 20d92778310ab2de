# SPDX-License-Identifier: Apache-2.0
"""ttl.SRAMStorage keeps tensors in L1, so that several launches use them."""
# feature: Tensors that launches share

import pytest
import ttl
import ttnn

torch = pytest.importorskip("torch")
ENGINES = ["jit", "interp", "emitted"]
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def device():
    device = ttnn.open_device(device_id=0)
    yield device
    ttnn.close_device(device)


@ttl.operation(grid=(1, 1))
def accumulate(a, state):
    a_dfb = ttl.make_dataflow_buffer_like(a, (1, 1))
    s_dfb = ttl.make_dataflow_buffer_like(a, (1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(a, (1, 1))
    for row in range(a.shape[0] // 32):
        for column in range(a.shape[1] // 32):
            with a_dfb.reserve() as a_blk, s_dfb.reserve() as s_blk:
                ttl.copy(a[row, column], a_blk).wait()
                ttl.copy(state[row, column], s_blk).wait()
            with a_dfb.wait() as a_blk, s_dfb.wait() as s_blk, y_dfb.reserve() as y_blk:
                y_blk.store(a_blk + s_blk)
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, state[row, column]).wait()


LAYOUTS = ttnn.TensorMemoryLayout
SHARDED = [
    ((64, 32), (32, 32), LAYOUTS.HEIGHT_SHARDED),
    ((32, 64), (32, 32), LAYOUTS.WIDTH_SHARDED),
    ((64, 64), (32, 32), LAYOUTS.BLOCK_SHARDED),
]


def declare(storage, shape=(64, 32), shards=(32, 32), **keywords):
    cores = [(x, y) for y in range(shape[1] // 32) for x in range(shape[0] // 32)]
    if shape == (32, 64):
        cores = [(0, 0), (1, 0)]
    keywords.setdefault("cores", cores)
    return storage.tensor(shape=shape, shard_shape=shards, dtype=ttnn.float32,
                          layout=ttnn.TILE_LAYOUT, **keywords)


def on_device(values, device):
    return ttnn.from_torch(values, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)


@pytest.mark.parametrize("shape, shards, layout", SHARDED)
@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("engine", ENGINES)
def test_contents_stay(device, engine, given, shape, shards, layout):
    a = torch.arange(shape[0] * shape[1], dtype=torch.float32).reshape(shape)
    with ttl.SRAMStorage(device=device) as storage, ttl.options(engine=engine):
        keywords = {"sharding": layout} if given else {}
        if layout == LAYOUTS.BLOCK_SHARDED:
            keywords["cores"] = ttnn.CoreRangeSet(
                [ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 1))])
        state = declare(storage, shape, shards, **keywords)
        assert state.memory_config().memory_layout == layout
        storage.prepare_operation(accumulate, on_device(a, device), state)
        storage.allocate()
        for _ in range(2):
            accumulate(on_device(a, device), state)
        assert storage.submit(lambda: accumulate(on_device(a, device), state)) is None
        assert torch.equal(ttnn.to_torch(state), 3 * a)


def test_nodes_is_another_name_of_cores(device):
    with ttl.SRAMStorage(device=device) as storage:
        state = declare(storage, cores=None, nodes=((0, 0), (1, 0)), addressing="per-node",
                        initialize="uninitialized")
        assert state.shape == (64, 32)


def test_mistakes(device):
    with pytest.raises(TypeError, match="device= must be a device of ttnn, found int"):
        ttl.SRAMStorage(device=3)
    storage = ttl.SRAMStorage(device=device)
    with pytest.raises(ValueError, match="addressing= must be one of 'uniform', .* found 'none'"):
        declare(storage, addressing="none")
    with pytest.raises(ValueError, match="initialize= must be one of 'zeros', .* found 'ones'"):
        declare(storage, initialize="ones")
    with pytest.raises(TypeError, match=r"cores= must be pairs \(x, y\), found 3"):
        declare(storage, cores=[3])
    with pytest.raises(TypeError, match="cores= must be pairs .* or a ttnn.CoreRangeSet, found 3"):
        declare(storage, cores=3)
    with pytest.raises(RuntimeError, match=r"submit\(\) must be called after allocate"):
        storage.submit(print)
    storage.allocate()
    with pytest.raises(RuntimeError, match=r"allocate\(\) can be called once"):
        storage.allocate()
    with pytest.raises(RuntimeError, match=r"tensor\(\) must be called before allocate"):
        declare(storage)
    storage.close()
    with pytest.raises(RuntimeError, match="the storage is closed"):
        storage.submit(print)


def test_close_frees_the_memory(device):
    free = ttnn.device.get_max_worker_l1_unreserved_size()
    for _ in range(3):
        with ttl.SRAMStorage(device=device) as storage:
            rows = free * 2 // 3 // (32 * 4) // 32 * 32
            storage.tensor(shape=(rows, 32), shard_shape=(rows, 32), cores=[(0, 0)],
                           dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT)
