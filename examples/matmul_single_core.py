"""y = a @ b in float32 on one core, in the older spelling of the language."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report


@ttl.kernel(grid=(1, 1))
def matmul(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor) -> None:
    m_tiles = a.shape[0] // 32
    k_tiles = a.shape[1] // 32
    n_tiles = b.shape[1] // 32

    a_cb = ttl.make_circular_buffer_like(a, shape=(1, 1), buffer_factor=2)
    b_cb = ttl.make_circular_buffer_like(b, shape=(1, 1), buffer_factor=2)
    y_cb = ttl.make_circular_buffer_like(y, shape=(1, 1), buffer_factor=2)

    @ttl.compute()
    def compute():
        for _ in range(m_tiles * n_tiles):
            y_blk = y_cb.reserve()
            for _ in range(k_tiles):
                a_blk = a_cb.wait()
                b_blk = b_cb.wait()
                y_blk.store(a_blk @ b_blk, acc=True)
                a_cb.pop()
                b_cb.pop()
            y_cb.push()

    @ttl.datamovement()
    def reader():
        for m in range(m_tiles):
            for n in range(n_tiles):
                for k in range(k_tiles):
                    a_blk = a_cb.reserve()
                    b_blk = b_cb.reserve()
                    a_xf = ttl.copy(a[m, k], a_blk)
                    b_xf = ttl.copy(b[k, n], b_blk)
                    a_xf.wait()
                    b_xf.wait()
                    a_cb.push()
                    b_cb.push()

    @ttl.datamovement()
    def writer():
        for m in range(m_tiles):
            for n in range(n_tiles):
                y_blk = y_cb.wait()
                y_xf = ttl.copy(y_blk, y[m, n])
                y_xf.wait()
                y_cb.pop()


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    a_host = rng.standard_normal((128, 256), dtype=np.float32)
    b_host = rng.standard_normal((256, 64), dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    a = ttnn.from_numpy(a_host, device=device)
    b = ttnn.from_numpy(b_host, device=device)
    y = ttnn.empty((128, 64), dtype=ttnn.float32, device=device)
    times = launch(matmul, a, b, y)

    # A float32 sum of K products is off by at most about K roundings of the sum of magnitudes.
    a64, b64 = a_host.astype(np.float64), b_host.astype(np.float64)
    expected, size = a64 @ b64, np.abs(a64) @ np.abs(b64)
    error = np.abs(ttnn.to_numpy(y) - expected)
    allowed = (a64.shape[1] + 8) * 2.0**-24 * size
    # On the card the factors are cut to 10 bits of fraction (TF32).
    report("matmul_single_core", y, error, allowed, "", times, options.hash, card=(expected, 2.0**-9 * size))
    ttnn.close_device(device)


main()
