# SPDX-License-Identifier: MIT
"""Several processes, by MPI; skipped where mpirun or vapl-mpi.so is missing."""
import os
import shutil
import signal
import subprocess
import sys
import threading
import unittest
from pathlib import Path

import vapl
from vapl import ranks

try:
    import numpy as np
except ImportError:
    np = None
try:
    ranks._engine()
    HAS_ENGINE = shutil.which("mpirun") is not None
except ImportError:
    HAS_ENGINE = False

# What each of three processes runs; {comm} is how it finds the others.
PROGRAM = """
import numpy as np, vapl
{begin}
with vapl.open("host", comm={comm}) as apl:
    shape = 6_000_011, 3
    first, rows = apl.cut(shape)
    assert 0 < rows < shape[0], rows
    mine = np.arange(first * 3, (first + rows) * 3, dtype=np.int32).reshape(rows, 3)
    whole = apl.from_part(shape, mine)
    assert whole.shape == shape
    apl["m"] = whole
    assert apl("∧/,m=(⍴m)⍴(⍳×/⍴m)-⎕IO") == 1
    at, local = apl.part(apl.raw("m+1"))
    assert at == first and (np.asarray(local) == mine + 1).all()
    try:
        apl["part"] = local
        assert False, "a part was taken"
    except vapl.AplError as e:
        assert "part" in e.message
    wrong = mine[:-1] if first else mine
    try:
        apl.from_part(shape, wrong)
        assert False, "another length was taken"
    except vapl.AplError as e:
        assert e.name == "LENGTH ERROR", e
    assert apl.cut((10,)) == (0, 10) and apl("2+2") == 4
    if first == 0:
        print("right")
"""


@unittest.skipUnless(HAS_ENGINE and np, "mpirun, vapl-mpi.so or NumPy is missing")
class Several(unittest.TestCase):
    def program(self, text, n=3):
        env = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none", **os.environ,
               "PYTHONPATH": str(Path(vapl.__file__).parents[1])}
        done = subprocess.run(["mpirun", "-n", str(n), sys.executable, "-c", text], env=env, timeout=100,
                              capture_output=True, text=True)
        self.assertEqual(done.stdout, "right\n", done.stderr)

    def test_world(self):
        self.program(PROGRAM.format(begin="", comm='"world"'))

    def test_mpi4py(self):
        try:
            import mpi4py  # noqa: F401
        except ImportError:
            self.skipTest("mpi4py is missing")
        self.program(PROGRAM.format(begin="from mpi4py import MPI", comm="MPI.COMM_WORLD"))
        self.program(PROGRAM.format(begin="from mpi4py import MPI\n"
                                    "comm = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank == 3)\n"
                                    "if MPI.COMM_WORLD.rank == 3: raise SystemExit", comm="comm"), 4)

    def test_no_communicator(self):
        with self.assertRaises(TypeError):
            vapl.Apl("host", comm=1)


@unittest.skipUnless(HAS_ENGINE and np, "mpirun, vapl-mpi.so or NumPy is missing")
class AJob(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.said = []
        cls.apl = vapl.open("host", ranks=2, write=cls.said.append, read=lambda prompt: "a line")

    @classmethod
    def tearDownClass(cls):
        cls.apl.close()
        cls.apl.close()  # again is fine

    def test_values(self):
        apl = self.apl
        self.assertEqual((apl.ranks, apl("+/⍳10"), apl("⍞")), (2, 55, "a line"))
        x = np.arange(6.0).reshape(2, 3)
        self.assertTrue((apl("⍺+⍵", x, 1) == x + 1).all())
        apl["x"] = x
        self.assertTrue((apl["x"] == x).all() and "x" in apl and "y" not in apl)
        del apl["x"]
        self.assertNotIn("x", apl)
        self.assertEqual(apl("(a:1 ⋄ b:(c:'xyz'))"), {"a": 1, "b": {"c": "xyz"}})
        self.assertEqual(apl.fn("{⍺+2×⍵}")(1, 2), 5)
        self.assertEqual(apl("+/⍳20000000"), 200000010000000)  # it is cut
        self.assertIsNone(apl.ended)
        self.assertIn(("iota", "⍳"), apl.names())
        self.assertGreater(apl.stats()["bytes"], 0)
        with self.assertRaises(TypeError):
            apl["f"] = len

    def test_shown(self):
        self.said.clear()
        self.apl.session("1+1\n⎕←'two'")
        self.assertEqual("".join(self.said), "2\ntwo\n")

    def test_errors(self):
        with self.assertRaises(vapl.AplError) as e:
            self.apl("x←1\n2÷0")
        self.assertEqual((e.exception.name, e.exception.at.line), ("DOMAIN ERROR", 2))
        with self.assertRaises(vapl.AplError):
            self.apl.fn("+/(")
        with self.assertRaises(TypeError):
            self.apl(1)
        self.assertEqual(self.apl("3"), 3)

    def test_interrupt(self):
        threading.Timer(0.5, self.apl.interrupt).start()
        with self.assertRaises(vapl.Interrupted):
            self.apl("{⍵+1}⍣1e12⊢1")
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(vapl.Interrupted):
            self.apl("{⍵+1}⍣1e12⊢1")
        self.assertEqual(self.apl("4"), 4)

    def test_failures(self):
        with self.assertRaises(FileNotFoundError):
            vapl.open("host", ranks=2, mpirun="no-such-mpirun")
        for n in (0, True, "2"):
            with self.assertRaises(ValueError):
                vapl.open("host", ranks=n)
        with self.assertRaises(ValueError):
            vapl.open("host", ranks=2, may=["fly"])
        with self.assertRaises(vapl.AplError):
            vapl.open("no such device", ranks=2)

    def test_a_rank_dies(self):
        with vapl.open("host", ranks=2, may=["run"]) as apl:
            apl._job.kill()
            with self.assertRaises(vapl.AplError) as e:
                apl("1")
            self.assertIn("the job has ended", str(e.exception))
            with self.assertRaises(vapl.AplError):
                apl("1")


if __name__ == "__main__":
    unittest.main()
