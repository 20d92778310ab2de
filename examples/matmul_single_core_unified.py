"""y = a @ b in float32 on one core: matmul_single_core.py as one body for all threads."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report


@ttl.operation(grid=(1, 1))
def matmul(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor) -> None:
    m_tiles = a.shape[0] // 32
    k_tiles = a.shape[1] // 32
    n_tiles = b.shape[1] // 32

    a_dfb = ttl.make_dfb(a.dtype, shape=(1, 1))
    b_dfb = ttl.make_dfb(b.dtype, shape=(1, 1))
    y_dfb = ttl.make_dfb(y.dtype, shape=(1, 1))

    for m in range(m_tiles):
        for n in range(n_tiles):
            y_blk = y_dfb.reserve()
            for k in range(k_tiles):
                a_xf = ttl.copy(a[m, k], a_dfb.reserve())
                b_xf = ttl.copy(b[k, n], b_dfb.reserve())
                a_xf.wait()
                b_xf.wait()
                y_blk.store(a_dfb.wait() @ b_dfb.wait(), acc=True)
            ttl.copy(y_dfb.wait(), y[m, n]).wait()


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
    report("matmul_single_core_unified", y, error, allowed, "", times, options.hash, card=(expected, 2.0**-9 * size))
    ttnn.close_device(device)


main()
