# SPDX-License-Identifier: MIT
"""Arrays shared with CUDA: by a libcuda of the tests' own, whose device is lavapipe; where CUDA is, by that, with
PyTorch and CuPy if they are there."""
import ctypes
import gc
import os
import re
import subprocess
import sys
import threading
import unittest
from pathlib import Path

import vapl
from vapl import cuda, dlpack

try:
    import numpy as np
except ImportError:
    np = None

FAKE = Path(vapl._lib.lib._name).parent / "device" / "fake_cuda.so"
N = 5000


def has_library(name):
    try:
        ctypes.CDLL(name)
        return True
    except OSError:
        return False


def load_fake():
    """The library, and an interpreter on lavapipe that takes it for CUDA; None where either is missing."""
    if not FAKE.exists() or np is None:
        return None
    fake = ctypes.CDLL(str(FAKE))
    try:
        apl = vapl.Apl("llvmpipe")
        apl.raw(f"⍳{N}").cuda()
    except vapl.AplError as why:  # "CUDA shows no llvmpipe … with the UUID …"
        found = re.search("UUID ([0-9a-f]{32})", why.message)
        if not found:
            return None
        os.environ["FAKE_CUDA_UUID"] = found[1]
        return fake
    return None


class Cuda:
    """An object of a CUDA library's: a NumPy array by one of the protocols."""

    def __init__(self, x, strides=None):
        self.x = x
        self.__cuda_array_interface__ = {**x.__array_interface__, "stream": None, "strides": strides or x.strides}

    def copy(self):
        return Cuda(self.x.copy())


class Tensor:
    """The same by DLPack."""

    def __init__(self, x):
        self.x = x

    def __dlpack_device__(self):
        return (2, 1)

    def __dlpack__(self, stream=None):
        assert stream == 1
        return self.x.__dlpack__()

    def contiguous(self):
        return Tensor(np.ascontiguousarray(self.x))


def seen(x):
    """What CUDA sees: its device is this process."""
    it = x.__cuda_array_interface__
    n = int(np.prod(it["shape"]))
    raw = (ctypes.c_char * (n * int(it["typestr"][2:]))).from_address(it["data"][0])
    return np.frombuffer(raw, dtype=it["typestr"]).reshape(it["shape"])


class TestWithout(unittest.TestCase):
    @unittest.skipIf(has_library("libcuda.so.1"), "there is a libcuda")
    def test_there_is_none(self):
        script = """
import vapl
for device in "host", "llvmpipe":
    try: apl = vapl.Apl(device)
    except vapl.AplError: continue
    a = apl.raw("⍳5000")
    try: a.cuda()
    except vapl.AplError as e: assert e.name == "DEVICE ERROR", e
    else: assert False
    assert apl("+/⍵", a) == 12502500
    assert a.__dlpack_device__() == (1, 0)
"""
        subprocess.run([sys.executable, "-c", script], check=True)


class TestFake(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fake = load_fake()
        if cls.fake is None:
            raise unittest.SkipTest("it takes lavapipe and make build/release/device/fake_cuda.so")

    def setUp(self):
        self.apl = vapl.Apl("llvmpipe")

    def tearDown(self):
        self.apl.close()

    def live(self):
        """Mappings, events, contexts, and contexts that were made current."""
        live = (ctypes.c_int * 4)()
        self.fake.fake_cuda_live(live)
        return list(live)

    def end(self):
        """Nothing is left when all is closed."""
        gc.collect()
        self.apl.close()
        self.assertEqual(self.live(), [0, 0, 0, 0])

    def test_out(self):
        a = self.apl.raw(f"0.5×⍳{N}")
        x = a.cuda()
        self.assertEqual(x.device, 1)
        self.assertEqual(x.__dlpack_device__(), (2, 1))
        self.assertEqual(x.shape, (N,))
        self.assertEqual(x.__cuda_array_interface__["typestr"], "<f8")
        np.testing.assert_array_equal(seen(x), 0.5 * np.arange(1, N + 1))
        y = a.cuda()
        self.assertEqual(x.__cuda_array_interface__, y.__cuda_array_interface__)  # the same place
        del x, y
        self.apl("1")
        self.assertEqual(self.live()[1], 0)
        del a
        self.end()

    def test_types(self):
        for text, kind, narrow in ((f"⍳{N}", "<i8", False), (f"⍳{N}", "<i2", True), (f"100|⍳{N}", "|i1", True),
                                   (f"70000+⍳{N}", "<i4", True), (f"2|⍳{N}", "|b1", True), (f"2|⍳{N}", "<i8", False),
                                   (f"⎕F32 ⍳{N}", "<f4", False), (f"0.5+⍳{N}", "<f8", False),
                                   (f"0J1×⍳{N}", "<c16", False), ("3 4⍴⍳12", "<i8", False), ("⍬", "<i8", False),
                                   ("5", "<i8", False), (f"0 {N}⍴0.5", "<f8", False)):
            with self.subTest(text=text, narrow=narrow):
                a = self.apl.raw(text, narrow=narrow)
                x = a.cuda()
                self.assertEqual(x.__cuda_array_interface__["typestr"], kind)
                self.assertEqual(x.shape, a.shape)
                if np.prod(a.shape):
                    np.testing.assert_array_equal(seen(x), np.asarray(a))
                x.__dlpack__()
                del x
        for text in "'abc'", "1 'ab'":
            self.assertRaises(BufferError, self.apl.raw(text).cuda)
        self.assertRaises(vapl.AplError, self.apl.raw("#").cuda)
        del a
        self.end()

    def test_before(self):
        """What was there before CUDA was asked for moves once; what shares its memory does not."""
        self.apl(f"x←0.5×⍳{N} ⋄ y←10 {N // 10}⍴x ⋄ ⊃y+0")
        a, b = self.apl.raw("x"), self.apl.raw("y")
        x = a.cuda()
        np.testing.assert_array_equal(seen(x), 0.5 * np.arange(1, N + 1))
        np.testing.assert_array_equal(seen(b.cuda()).ravel(), seen(x))
        self.assertEqual(self.apl("+/,x-⍥,y"), 0)

    def test_life(self):
        a = self.apl.raw(f"0.5×⍳{N}")
        capsule = a.cuda().__dlpack__(stream=None)
        x = a.cuda()
        where = seen(x)
        del a, x
        gc.collect()
        for _ in range(5):  # others are not put there
            self.apl(f"+/0.25×⍳{N}")
        np.testing.assert_array_equal(where, 0.5 * np.arange(1, N + 1))
        self.apl.close()  # nor is it gone with the interpreter
        np.testing.assert_array_equal(where, 0.5 * np.arange(1, N + 1))
        self.assertEqual(self.live()[0], 1)
        del capsule
        gc.collect()
        self.assertEqual(self.live(), [0, 0, 0, 0])

    def test_what_cuda_reads(self):
        """Memory that CUDA may still read is not used again."""
        self.fake.fake_cuda_busy(1)
        where = seen(self.apl.raw(f"0.5×⍳{N}").cuda())
        gc.collect()
        for _ in range(5):
            self.apl(f"+/0.25×⍳{N}")
        self.assertEqual(self.live()[1], 1)
        np.testing.assert_array_equal(where, 0.5 * np.arange(1, N + 1))
        self.fake.fake_cuda_busy(0)
        self.apl("1")
        self.assertEqual(self.live()[1], 0)
        self.end()

    def test_never_written(self):
        """Assignments to elements make a new array."""
        self.apl(f"x←0.5×⍳{N}")
        x = self.apl.raw("x").cuda()
        gc.collect()
        self.apl("x[1]←7 ⋄ x[2]+←1 ⋄ x×←2")
        np.testing.assert_array_equal(seen(x), 0.5 * np.arange(1, N + 1))
        self.assertEqual(self.apl("x[1]"), 14)

    def test_protocols(self):
        x = self.apl.raw(f"⍳{N}").cuda()
        self.assertEqual(len(x), N)
        capsule = x.__dlpack__(max_version=(1, 3))
        record = dlpack.Versioned.from_address(dlpack._pointer(capsule, b"dltensor_versioned"))
        self.assertEqual((record.major, record.flags, record.tensor.device_type), (1, 1, 2))  # read-only
        held = len(dlpack._held)
        record.deleter(ctypes.addressof(record))  # as who has taken it does
        self.assertEqual(len(dlpack._held), held - 1)
        self.assertRaises(BufferError, x.__dlpack__, dl_device=(1, 0))
        self.assertRaises(BufferError, x.__dlpack__, copy=True)
        x.__dlpack__(stream=7, max_version=(1, 1), dl_device=(2, 1), copy=False)
        self.apl.raw("⍳3").__dlpack__(dl_device=(1, 0))
        self.apl.raw("⍳3").__dlpack__(dl_device=(2, 1))
        self.assertRaises(BufferError, self.apl.raw("⍳3").__dlpack__, dl_device=(2, 0))
        self.assertEqual(cuda.number(self.apl), 1)

    def test_in(self):
        for apl in self.apl, vapl.Apl("host"), vapl.Apl():
            for n in 0, 3, N:
                for x in (np.arange(n) / 4, np.arange(n), np.arange(n, dtype="i4") - 9, np.arange(n, dtype="f4"),
                          (np.arange(n) % 100).astype("i1"), np.arange(n, dtype="i2"), np.arange(n) * 1j,
                          (np.arange(n) * 77).astype("u1"), (np.arange(n) * 77777).astype("u4"),
                          (np.arange(n) * 777).astype("u2"), np.arange(n, dtype="u8"), np.arange(n) % 3 == 1,
                          np.arange(6 * n).reshape(2, 3, n)):
                    with self.subTest(type=x.dtype, n=n):
                        np.testing.assert_array_equal(np.asarray(apl.array(Cuda(x))), x)
                        if x.dtype != bool:  # older NumPy has none in DLPack
                            np.testing.assert_array_equal(np.asarray(apl.array(Tensor(x))), x)
        del apl
        self.assertEqual(self.apl("+/⍵", Tensor(np.arange(N))), N * (N - 1) // 2)
        self.apl["x"] = Cuda(np.float64(7))
        self.assertEqual(self.apl("x"), 7)
        m = np.arange(6000.0).reshape(60, 100)
        for y in Tensor(m.T), Cuda(m.T), Cuda(m[::2]), Tensor(m[:, 3:9]):
            np.testing.assert_array_equal(self.apl("⍵", y), y.x)
        self.assertRaises(OverflowError, self.apl.array, Cuda(np.array([2**63], dtype="u8")))
        self.assertRaises(TypeError, self.apl.array, Cuda(np.array(["a"])))
        bad = Cuda(np.arange(N))
        bad.__cuda_array_interface__["data"] = (0, False)
        self.assertRaises(vapl.AplError, self.apl.array, bad)
        self.end()

    def test_there_and_back(self):
        x = self.apl.raw(f"0.5×⍳{N}").cuda()
        np.testing.assert_array_equal(self.apl("2×⍵", x), np.arange(1.0, N + 1))
        del x
        self.end()

    def test_child(self):
        """CUDA is the parent's."""
        script = f"""
import os, ctypes, vapl
ctypes.CDLL({str(FAKE)!r})
apl = vapl.Apl("llvmpipe")
x = apl.raw("⍳{N}").cuda()
child = os.fork()
if not child:
    try: apl.raw("⍳{N}").cuda()
    except vapl.AplError: pass
    else: os._exit(1)
    del x
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
del x
assert apl("+/⍳{N}") == {N * (N + 1) // 2}
"""
        subprocess.run([sys.executable, "-c", script], check=True)


def torch_there():
    """PyTorch with a device of CUDA's, or None."""
    if not has_library("libcuda.so.1") or np is None:
        return None
    try:
        import torch
        return torch if torch.cuda.is_available() else None
    except ImportError:
        return None


torch = torch_there()
M = 1 << 22


@unittest.skipIf(torch is None, "it takes an NVIDIA GPU and PyTorch")
class TestTorch(unittest.TestCase):
    def setUp(self):
        self.apl = vapl.Apl("nvidia")
        self.device = torch.device("cuda", cuda.number(self.apl))

    def tearDown(self):
        self.apl.close()

    def test_out(self):
        for text, narrow in (("⍳M", False), ("⍳M", True), ("100|⍳M", True), ("1000|⍳M", True), ("2|⍳M", True),
                             ("2|⍳M", False), ("⎕F32 ÷⍳M", False), ("÷⍳M", False), ("0J1×⍳1000", False),
                             ("2048 2048⍴⍳M", False), ("5", False), ("⍬", False), ("7↓⍳M", True), ("⌽⍳M", True)):
            with self.subTest(text=text, narrow=narrow):
                a = self.apl.raw(text.replace("M", str(M)), narrow=narrow)
                x, y = torch.from_dlpack(a.cuda()), torch.from_dlpack(a.cuda())
                self.assertEqual(x.device, self.device)
                want = np.asarray(a)
                got = x.cpu().numpy()
                self.assertEqual((got.dtype, got.shape), (want.dtype, want.shape))
                self.assertEqual(got.tobytes(), want.tobytes())
                if want.dtype == np.float64 or narrow and want.dtype != bool:
                    self.assertEqual(x.data_ptr(), y.data_ptr())

    def test_in(self):
        t = torch.arange(M, device=self.device)
        for x in (t, t.double() / 7, t.float() / 7, t.int(), t.short(), t.char(), t.byte(), t % 3 == 0,
                  t[:1000] * (1 + 2j), (t[:1000] * (1 + 2j)).to(torch.complex64), t.half()[:1000],
                  t.bfloat16()[:1000], t.view(2048, 2048).T, t[::3], t[:5], t[:0], t[0]):
            with self.subTest(dtype=x.dtype, shape=x.shape):
                got = np.asarray(self.apl.array(x))
                want = (x.float() if x.dtype in (torch.half, torch.bfloat16) else x).cpu().numpy()
                np.testing.assert_array_equal(got, want)
        self.assertEqual(self.apl("+/⍵", t), M * (M - 1) // 2)
        host = vapl.Apl("host")
        self.assertEqual(host("+/⍵", t), M * (M - 1) // 2)
        self.assertRaises(Exception, self.apl.array, torch.ones(3, device=self.device, requires_grad=True))

    def test_life(self):
        a = self.apl.raw(f"÷⍳{M}")
        x = torch.from_dlpack(a.cuda())
        want = x.clone()
        del a
        gc.collect()
        for k in range(5):
            self.apl(f"+/{k}+÷⍳{M}")
        self.assertTrue(torch.equal(x, want))
        self.apl.close()
        self.assertTrue(torch.equal(x, want))
        more = torch.zeros(1 << 28, device=self.device)  # the memory is not CUDA's either
        self.assertTrue(torch.equal(x, want))
        del x, more

    def test_memory(self):
        """What is given back is free for others."""
        def free():
            gc.collect()
            self.apl("1")
            torch.cuda.synchronize()
            return torch.cuda.mem_get_info(self.device)[0]
        torch.from_dlpack(self.apl.raw("÷⍳1000").cuda())
        before = free()
        x = [torch.from_dlpack(self.apl.raw("÷⍳2*27").cuda()) for _ in range(8)]  # 8 GB
        held = before - free()
        self.assertGreater(held, 7 << 30)
        del x
        self.apl.close()
        gc.collect()
        self.apl = vapl.Apl("nvidia")
        self.assertLess(before - free(), 2 << 30)

    def test_streams(self):
        """What CUDA still reads is not written, and what it still writes is not read, whatever the stream."""
        streams = [torch.cuda.Stream(self.device) for _ in range(3)]
        weight = torch.eye(2048, device=self.device, dtype=torch.double)
        for k in range(12):
            want = self.apl(f"+/{k}+÷⍳{M}")
            x = torch.from_dlpack(self.apl.raw(f"2048 2048⍴{k}+÷⍳{M}").cuda())
            with torch.cuda.stream(streams[k % 3]):
                y = x
                for _ in range(20):
                    y = weight @ y  # takes a while, and changes nothing
                total = (weight @ x).sum()  # reads x late
            del x
            for j in range(3):  # takes the memory, if it may
                self.apl(f"+/,2048 2048⍴{j}+÷⍳{M}")
            with torch.cuda.stream(streams[k % 3]):
                back = self.apl("+/,⍵", y)
            self.assertAlmostEqual(float(total) / want, 1, places=9)
            self.assertAlmostEqual(back / want, 1, places=9)

    @unittest.skipIf(torch is None or torch.cuda.device_count() < 2, "it takes two GPUs")
    def test_other_device(self):
        """What is on another GPU comes through the host, and each interpreter shows its own."""
        t = torch.arange(M, device=torch.device("cuda", 1 - self.device.index)).double() / 7
        self.assertEqual(np.asarray(self.apl.array(t)).tobytes(), t.cpu().numpy().tobytes())
        with torch.cuda.device(t.device):
            self.assertEqual(self.apl("+/⍵", t), self.apl("+/⍵", t.cpu().numpy()))
            for name in "0", "1":
                apl = vapl.Apl(name)
                x = torch.from_dlpack(apl.raw(f"÷⍳{M}").cuda())
                self.assertEqual(x.device.index, cuda.number(apl))
                self.assertEqual(float(x[-1]), 1 / M)
                self.assertEqual(torch.cuda.current_device(), t.device.index)  # left as it was

    def test_threads(self):
        """Tensors end on other threads."""
        def use(x):
            self.assertEqual(float(x[3]), 0.25)
        for _ in range(20):
            work = [threading.Thread(target=use, args=(torch.from_dlpack(self.apl.raw(f"÷⍳{M}").cuda()),))
                    for _ in range(4)]
            for t in work:
                t.start()
            self.apl(f"+/÷⍳{M}")
            for t in work:
                t.join()

    def test_asked(self):
        """The array itself goes where PyTorch asks for it."""
        a = self.apl.raw(f"÷⍳{M}")
        self.assertEqual(torch.from_dlpack(a).device.type, "cpu")
        try:
            x = torch.from_dlpack(a, device=self.device)
        except TypeError:
            self.skipTest("PyTorch's from_dlpack takes no device yet")
        self.assertEqual(x.device, self.device)
        self.assertEqual(x.cpu().numpy().tobytes(), np.asarray(a).tobytes())

    def test_cupy(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("CuPy is missing")
        a = self.apl.raw(f"÷⍳{M}")
        for x in cupy.from_dlpack(a.cuda()), cupy.asarray(a.cuda()):
            self.assertEqual(x.data.ptr, a.cuda().__cuda_array_interface__["data"][0])
            np.testing.assert_array_equal(x.get(), np.asarray(a))
            self.assertEqual(self.apl("⍺≡⍵", a, x), 1)
            self.assertEqual(self.apl("+/⍵", x[::2]), self.apl("+/⍵", x.get()[::2]))
        b = self.apl.raw(f"2|⍳{M}", narrow=True)
        self.assertEqual(int(cupy.asarray(b.cuda()).sum()), M // 2)
        self.assertEqual(int(cupy.from_dlpack(b.cuda()).sum()), M // 2)
        self.assertEqual(self.apl("+/⍵", cupy.arange(M, dtype="u4")), M * (M - 1) // 2)

    def test_jax(self):
        try:
            import jax
            x = jax.dlpack.from_dlpack(self.apl.raw(f"⎕F32 ⍳{M}").cuda())
        except ImportError:
            self.skipTest("JAX is missing")
        self.assertEqual(float(x[-1]), M)
        self.assertEqual(self.apl("⊃⌽⍵", x), M)


if __name__ == "__main__":
    unittest.main()
