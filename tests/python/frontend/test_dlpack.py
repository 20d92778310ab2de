"""Arrays of other libraries that export their memory by DLPack can be arguments of kernels."""
# feature: Arguments

import ctypes

import numpy as np
import pytest
import ttl

CPU, CUDA = 1, 2
INT, UINT, FLOAT, BFLOAT, COMPLEX = 0, 1, 2, 4, 5


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32 * 2), ("context", ctypes.c_void_p),
                ("deleter", DELETER), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Lender:
    """An array of another library. It has the methods of DLPack only, and counts its exports."""

    def __init__(self, array, code=FLOAT, bits=None, versioned=False, flags=0, offset=0):
        self.array, self.loans, self.ended = array, 0, 0
        self.type, self.versioned, self.flags = (code, bits, offset), versioned, flags
        self.device, self.kept = (CPU, 0), []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **keywords):
        if not self.versioned and keywords:
            raise TypeError("__dlpack__() got an unexpected keyword argument")
        array, (code, bits, offset) = self.array, self.type
        extents = (ctypes.c_int64 * array.ndim)(*array.shape)
        steps = [step // array.itemsize for step in array.strides]
        strides = (ctypes.c_int64 * array.ndim)(*steps)
        managed = Versioned() if self.versioned else Managed()
        managed.tensor = Tensor(array.ctypes.data - offset, (CPU, 0), array.ndim, code,
                                bits or array.itemsize * 8, 1, extents, strides, offset)
        managed.deleter = DELETER(self._end)
        if self.versioned:
            managed.version[0], managed.flags = 1, self.flags
        self.kept.append((managed, extents, strides))
        self.loans += 1
        name = b"dltensor_versioned" if self.versioned else b"dltensor"
        return new_capsule(ctypes.addressof(managed), name, None)

    def _end(self, pointer):
        self.ended += 1


@ttl.operation(grid=(1, 1))
def double(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as block:
            ttl.copy(a[1, 0], block).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as block, y_dfb.reserve() as out:
            out.store(block + block)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 1]).wait()


def values(dtype=np.float32):
    return np.arange(64 * 64).reshape(64, 64).astype(dtype)


def check(lender, y):
    before = y.array.copy()
    double(lender, y)
    before[:32, 32:] = lender.array[32:, :32] * 2
    assert np.array_equal(y.array, before)
    for each in (lender, y):
        assert each.loans == each.ended > 0, "each exported capsule must be released"


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize("dtype, code", [(np.float32, FLOAT), (np.float16, FLOAT),
                                         (np.int32, INT), (np.uint32, UINT)])
def test_types(dtype, code, versioned):
    check(Lender(values(dtype) % 1000, code, versioned=versioned),
          Lender(np.zeros((64, 64), dtype), code, versioned=versioned))


def test_bfloat16():
    one = np.full((64, 64), 0x3F80, np.uint16)
    y = Lender(np.zeros((64, 64), np.uint16), BFLOAT)
    double(Lender(one, BFLOAT), y)
    assert np.all(y.array[:32, 32:] == 0x4000) and np.all(y.array[32:] == 0)


def test_strides_and_offsets():
    wide = np.zeros((64, 128), np.float32)
    check(Lender(values().T), Lender(wide[:, ::2]))
    assert np.all(wide[:, 1::2] == 0), "the kernel must not write between the elements of the strided array"
    check(Lender(values(), offset=64), Lender(np.zeros((64, 64), np.float32), offset=4))


def test_arrays_of_numpy_and_torch_behind_another_class():
    torch = pytest.importorskip("torch")
    a, y = torch.arange(4096.0).reshape(64, 64), np.zeros((64, 64), np.float32)

    class Wrapper:
        def __init__(self, array):
            self.__class__.__dlpack__ = lambda self, **keywords: array.__dlpack__(**keywords)
            self.__class__.__dlpack_device__ = lambda self: array.__dlpack_device__()

    class Other(Wrapper):
        pass

    double(Wrapper(a), Other(y))
    assert np.array_equal(y[:32, 32:], a.numpy()[32:, :32] * 2)


def test_a_second_launch_compiles_nothing():
    a, y = Lender(values()), Lender(np.zeros((64, 64), np.float32))
    double(a, y)
    before = ttl._cache_info()
    double(a, y)
    double(Lender(values()), y)
    after = ttl._cache_info()
    assert (after.hits - before.hits, after.misses - before.misses) == (2, 0)


def test_compiled_kernels_take_them():
    a, y = Lender(values()), Lender(np.zeros((64, 64), np.float32))
    kernel = double.compile(a, y)
    kernel(a, y)
    assert np.array_equal(y.array[:32, 32:], a.array[32:, :32] * 2)


def refuse(a, message, error=ttl.CompileError):
    y = np.zeros((64, 64), np.float32)
    with pytest.raises(error, match=message):
        double(a, y)
    assert np.all(y == 0)


def test_mistakes():
    far = Lender(values())
    far.device = (CUDA, 0)
    refuse(far, r"class Lender must be in the memory of the CPU, but its DLPack device is \(2, 0\)",
           ValueError)
    refuse(Lender(values(np.float64)), "no tensor type exists for an array of class Lender of "
           "float64: convert it", ValueError)
    refuse(Lender(values(np.complex64), COMPLEX), "of complex64", ValueError)
    refuse(Lender(values(np.uint16), UINT, bits=4), "of uint4", ValueError)

    class NoCapsule:
        def __dlpack_device__(self):
            return (CPU, 0)

        def __dlpack__(self):
            return 7

    refuse(NoCapsule(), r"__dlpack__\(\) of an array of class NoCapsule must return a DLPack "
           "capsule, found int", ValueError)


def test_memory_that_must_not_be_written():
    y = Lender(np.zeros((64, 64), np.float32), versioned=True, flags=1)
    with pytest.raises(Exception, match="read-only"):
        double(values(), y)
    assert np.all(y.array == 0) and y.ended == y.loans


def test_an_error_of_the_lender_is_not_lost():
    class Broken:
        def __dlpack_device__(self):
            return (CPU, 0)

        def __dlpack__(self, **keywords):
            raise RuntimeError("the array was deleted")

    refuse(Broken(), "the array was deleted", RuntimeError)
