# SPDX-License-Identifier: MIT
"""python3 -m unittest, in bindings/python; NumPy's part is skipped where it is missing."""
import array
import ctypes
import gc
import os
import pickle
import signal
import tempfile
import threading
import time
import unittest
from collections.abc import Mapping

import vapl
import vapl.arrow

try:
    import numpy as np
except ImportError:
    np = None


class Column:
    """An object of another library, which knows Arrow alone."""

    def __init__(self, x):
        self.x = x

    def __arrow_c_array__(self, requested_schema=None):
        return self.x.__arrow_c_array__(requested_schema)


class Frame:
    """A table of another library, which gives a stream alone."""

    def __init__(self, x):
        self.x = x

    def __arrow_c_stream__(self, requested_schema=None):
        return self.x.__arrow_c_stream__(requested_schema)


class Capsule:
    """A stream that was given out before."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __arrow_c_stream__(self, requested_schema=None):
        return self.capsule


class Case(unittest.TestCase):
    def setUp(self):
        self.said = []
        self.apl = vapl.Apl("host", write=self.said.append)

    def tearDown(self):
        self.apl.close()


class Values(Case):
    def test_both_ways(self):
        for x in (0, -7, 2**62, 1.5, float("inf"), 2 + 3j, "", "aß⍳😀", ["ab", ["d", "ef"], 1]):
            self.assertEqual(self.apl("⍵", x), x, x)
        self.assertEqual(self.apl("⍵", True), 1)
        self.assertEqual(len(self.apl("⍵", [])), 0)
        self.assertEqual(list(self.apl("⍵", [1, 2, 3])), [1, 2, 3])
        self.assertEqual(list(self.apl("⍵", (1, 2.5))), [1, 2.5])
        self.assertEqual(self.apl("⊂1 'ab'"), [[1, "ab"]])
        self.assertIsNone(self.apl("{}0 ⋄ f←+"))
        for wrong in (2**70, [2**63, 1]):
            self.assertRaises(OverflowError, self.apl, "⍵", wrong)
        for wrong in (None, {1}, object(), (i for i in "ab"), {1: 2}, {"a": None}):
            self.assertRaises(TypeError, self.apl, "⍵", wrong)
        self.assertRaises(ValueError, self.apl, "⍵", "\ud800")
        self.assertEqual(list(self.apl("⍵", range(3))), [0, 1, 2])
        deep = []
        for _ in range(5000):
            deep = [deep, 1]
        self.assertRaises(RecursionError, self.apl, "⍵", deep)
        self.assertRaises(RecursionError, self.apl, "{⊂⍵,1}⍣5000⊢1")

    def test_texts(self):
        for text in (3, b"1", None):
            for use in (self.apl, self.apl.fn, self.apl.session, self.apl.__getitem__,
                        lambda t: self.apl.define(t, abs), lambda t: t in self.apl):
                self.assertRaises(TypeError, use, text)
        for use in (self.apl.__getitem__, self.apl.fn):
            self.assertRaises(ValueError, use, "a\0b")
        for text in ("{⍵", "+/(", "'a"):
            with self.assertRaises(vapl.AplError) as got:
                self.apl.fn(text)
            self.assertEqual((got.exception.name, got.exception.at.source), ("SYNTAX ERROR", text))
        later = self.apl.fn("later")
        self.apl("later←{⍵+1} ⍝ 2")
        self.assertEqual(later(1), 2)
        self.assertRaises(TypeError, self.apl.define, "f", 3)

    def test_single(self):
        raw = self.apl.raw
        self.assertEqual((int(raw("42")), float(raw(",42")), complex(raw("4J2"))), (42, 42.0, 4 + 2j))
        self.assertEqual([10, 20, 30][raw("2")], 30)
        self.assertEqual([bool(raw(t)) for t in ("0", ",1", "''", "'a'")], [False, True, False, True])
        self.assertRaises(ValueError, bool, raw("1 2"))
        for use in (int, float, complex):
            self.assertRaises(TypeError, use, raw("1 2"))
        self.assertTrue(raw("2+3") == 5 and raw("'ab'") == "ab" and raw("2") != raw("3"))
        self.assertEqual((list(raw("1 2")), list(raw("'ab'"))), ([1, 2], ["a", "b"]))
        for x in (raw("5"), self.apl):
            self.assertRaises(TypeError, pickle.dumps, x)

    def test_running(self):
        self.assertEqual(self.apl("(+/⍵)÷≢⍵", [1, 2, 3, 6]), 3)
        self.assertEqual(self.apl("⍺-⍵", 9, 2), 7)
        self.assertEqual(self.apl("x←3\ny←4\nx×y"), 12)
        self.assertEqual(self.apl.fn("+/")([1, 2, 3]), 6)
        self.assertEqual(self.apl.fn("-")(9, 2), 7)
        self.assertRaises(TypeError, self.apl.fn("-"))
        self.assertRaises(TypeError, self.apl, "⍵", 1, 2, 3)
        self.apl("⎕←'abc' ⋄ 7")
        self.assertEqual("".join(self.said), "abc\n")
        self.assertEqual(str(self.apl.raw("2 2⍴⍳4")), "1 2\n3 4")
        self.assertIn("┌", self.apl.raw("'ab' 1").boxed())
        self.assertTrue(self.apl.raw("z←1").shy)

    def test_namespaces(self):
        space = self.apl("(a:1 ⋄ b:2)")
        self.assertIsInstance(space, vapl.Array)
        self.assertIsInstance(space, Mapping)
        self.assertEqual((dict(space), len(space), list(space)), ({"a": 1, "b": 2}, 2, ["a", "b"]))
        space["c"] = {"d": [1, 2], "e": {}}
        self.assertEqual(list(space["c"]["d"]), [1, 2])
        self.assertEqual(self.apl("+/⍵.c.d", space), 3)
        del space["c"]
        self.assertTrue("b" in space and "c" not in space and space.get("c", 7) == 7)
        self.assertRaises(KeyError, space.__getitem__, "c")
        self.assertRaises(TypeError, space.__setitem__, 1, 1)
        self.assertEqual((repr(space), bool(self.apl("()"))), ("<vapl.Namespace of a, b>", False))
        self.assertEqual(repr(self.apl("1 ⎕NULL ()")), "[1, <vapl ⎕NULL>, <vapl.Namespace of nothing>]")
        self.assertEqual(self.apl("⍵≡⎕NULL", self.apl("⎕NULL")), 1)
        self.apl["n"] = {"x": 1, "long": {"y": "text"}}
        self.assertEqual(self.apl("n.x n.long.y"), [1, "text"])
        for name in ("a b", "", "1a", "a.b", "+"):
            self.assertRaises(vapl.AplError, self.apl, "⍵", {name: 1})
        self.assertEqual(len(self.apl("⍵", {})), 0)
        self.assertEqual(self.apl("a←() ⋄ a.a←a ⋄ a.b←3 ⋄ a")["a"]["a"]["b"], 3)
        self.assertEqual(list(self.apl("#")), ["a", "n"])
        self.assertEqual(self.apl("⍵.a+⍵.b", space), 3)
        self.assertIsInstance(self.apl("1 (a:1)")[1], vapl.Array)

    def test_names(self):
        self.apl["n"] = "text"
        self.assertEqual(self.apl["n"], "text")
        self.assertEqual(self.apl["⎕IO"], 1)
        self.assertRaises(vapl.AplError, lambda: self.apl["nobody"])
        self.assertRaises(vapl.AplError, self.apl.__setitem__, "a b", 1)
        self.assertTrue("n" in self.apl and "nobody" not in self.apl)
        del self.apl["n"]
        self.assertRaises(KeyError, self.apl.__delitem__, "n")
        self.assertRaises(TypeError, iter, self.apl)

    def test_input(self):
        lines = ["3×4", None]
        with vapl.Apl("host", read=lambda prompt: lines.pop(0)) as apl:
            self.assertEqual(apl("1+⎕"), 13)
            self.assertRaises(vapl.AplError, apl, "⍞")

    def test_callbacks_fail(self):
        def fails(text):
            raise OSError("full")
        with vapl.Apl("host", write=fails, read=fails) as apl:
            for text in ("⎕←1", "⎕←1 ⋄ {∇⍵}0", "⍞"):
                self.assertRaisesRegex(OSError, "full", apl, text)
                self.assertEqual(apl("1+1"), 2)

    def test_buffers(self):
        for code in "bhiqfdBHILQ":
            x = array.array(code, range(3))
            self.assertEqual(list(self.apl("⍵", x)), list(x))
        big = array.array("d", range(5000))
        self.assertEqual(self.apl("+/⍵", big), sum(big))
        self.apl["x"] = big
        big[0] = 7  # it was copied
        self.assertEqual(self.apl("⊃x"), 0)
        del self.apl["x"], big[0]
        self.assertRaises(OverflowError, self.apl, "⍵", array.array("Q", [2**64 - 1]))
        table = ((ctypes.c_uint16 * 3) * 2)()
        self.assertEqual(list(self.apl("⍴⍵", table)), [2, 3])
        self.assertEqual(list(self.apl("⍵", (ctypes.c_long * 2)(1, 2))), [1, 2])
        self.assertEqual(self.apl("+/⍵", b"\x01\xff"), 256)
        self.assertEqual(self.apl.raw("2 3⍴⍳6").memoryview().tolist(), [[1, 2, 3], [4, 5, 6]])
        self.assertTrue(self.apl.raw("⍳3").memoryview().readonly)
        self.assertEqual(self.apl.raw("⍬").memoryview().tolist(), [])
        self.assertRaises(TypeError, self.apl.raw("'abc'").memoryview)


class Errors(Case):
    def test_place_and_calls(self):
        with self.assertRaises(vapl.AplError) as got:
            self.apl.raw("f←{1+⍵+1 2}\n\n2+f 1 2 3", name="script")
        e = got.exception
        self.assertEqual((e.status, e.name), (5, "LENGTH ERROR"))
        self.assertEqual((e.at.file, e.at.line, e.at.column), ("script", 1, 7))
        self.assertEqual([(f.line, f.column) for f in e.frames], [(3, 3)])
        self.assertIn("called from script:3:3", str(e))
        self.assertEqual(self.apl("f 1 2").tolist() if np else list(self.apl("f 1 2")), [3, 5])

    def test_sandbox_and_limits(self):
        for text in ("⎕NGET'/etc/passwd'", "⎕SH'ls'", "⎕ENV'HOME'", "'x'⎕NPUT'/tmp/x'"):
            self.assertRaises(vapl.AplError, self.apl, text)
        with vapl.Apl("host", max_depth=20, max_host_bytes=8 << 20) as apl:
            for text, name in (("{1+∇⍵}0", "LIMIT ERROR"), ("⍳1E7 ⋄ x←⍕2×⍳1E7", "WS FULL")):
                with self.assertRaises(vapl.AplError) as got:
                    apl(text)
                self.assertEqual(got.exception.name, name)
        with vapl.Apl("host", may=["read"]) as apl:
            with tempfile.NamedTemporaryFile() as f:
                self.assertEqual(apl("⊃⎕NGET ⍵", f.name), "")
        with vapl.Apl("host", max_seconds=0.2, max_steps=1000000) as apl:
            self.assertRaises(vapl.AplError, apl, "{∇⍵}0")
            self.assertEqual(apl("1+1"), 2)
        self.assertRaises(TypeError, vapl.Apl, max_nothing=1)
        self.assertRaises(vapl.AplError, vapl.Apl, "no such device")

    def test_closed(self):
        with vapl.Apl("host") as apl:
            kept = apl.raw("2 3⍴⍳6")
        self.assertEqual(kept.shape, (2, 3))
        self.assertEqual(kept.memoryview().tolist()[1], [4, 5, 6])
        self.assertRaises(vapl.AplError, apl, "1")
        apl.close()

    def test_other_interpreter(self):
        with vapl.Apl("host") as apl:
            self.assertRaises(vapl.AplError, self.apl, "⍵", apl.raw("1 2"))


    def test_pickled(self):
        with self.assertRaises(vapl.AplError) as got:
            self.apl("f←{1 2+⍵}\nf 1 2 3")
        e = pickle.loads(pickle.dumps(got.exception))
        self.assertEqual((str(e), e.at, e.frames), (str(got.exception), got.exception.at, got.exception.frames))

    def test_memory(self):
        """Half of what the machine has or its container is allowed, or more, but never all."""
        most = self.apl.stats()["bytes_max"]
        self.assertLess(most, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        with self.assertRaises(vapl.AplError) as got:
            self.apl(f"⍳{most}")
        self.assertEqual(got.exception.name, "WS FULL")

    def test_options(self):
        for wrong in ({"max_steps": -1}, {"max_depth": 2**32}, {"max_seconds": float("nan")}, {"may": "reed"}):
            self.assertRaises(ValueError, vapl.Apl, "host", **wrong)
        self.assertRaises(TypeError, vapl.Apl, 3)


class Functions(Case):
    def test_define(self):
        self.apl["twice"] = lambda y: y * 2
        self.apl.define("minus", lambda x, y: x - y)
        self.assertEqual(self.apl("twice 21"), 42)
        self.assertEqual(list(self.apl("10 minus¨1 2 3")), [9, 8, 7])
        self.apl["again"] = lambda text: self.apl(text)
        self.assertEqual(self.apl("1+again'2×3'"), 7)
        self.apl["nothing"] = lambda y: None
        self.assertIsNone(self.apl("nothing 1"))

    def test_raises(self):
        def fails(y):
            raise KeyError("what")
        self.apl["fails"] = fails
        with self.assertRaises(vapl.AplError) as got:
            self.apl("2+fails 1")
        self.assertIsInstance(got.exception.__cause__, KeyError)
        self.assertIn("KeyError", got.exception.message)
        self.assertEqual(got.exception.at.column, 3)
        self.assertEqual(self.apl("{11::'caught' ⋄ fails ⍵}1"), "caught")
        self.apl["wrong"] = lambda y: {1}
        self.assertRaises(vapl.AplError, self.apl, "wrong 1")
        self.apl["lengths"] = lambda y: self.apl("1 2+1 2 3")
        with self.assertRaises(vapl.AplError) as got:
            self.apl("lengths 1")
        self.assertEqual(got.exception.name, "LENGTH ERROR")

    def test_closes(self):
        self.apl["closes"] = lambda y: self.apl.close()
        self.assertRaises(vapl.AplError, self.apl, "closes 1")
        self.assertEqual(self.apl("1+1"), 2)

    def test_dropped(self):
        from vapl import apl as module
        before = len(module._defined)
        self.apl["f"] = lambda y: y
        self.apl["f"] = lambda y: y
        self.assertEqual(len(module._defined), before + 1)
        self.apl.close()
        self.assertEqual(len(module._defined), before)


class Threads(Case):
    def test_interrupt(self):
        threading.Timer(0.2, self.apl.interrupt).start()
        self.assertRaises(vapl.Interrupted, self.apl, "{∇⍵+1}0")
        self.assertEqual(self.apl("1+1"), 2)

    def test_ctrl_c(self):
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        begun = time.monotonic()
        with self.assertRaises(vapl.Interrupted):
            self.apl("{∇⍵+1}0")
        self.assertLess(time.monotonic() - begun, 10)
        self.assertEqual(self.apl("1+1"), 2)

    def test_ctrl_c_elsewhere(self):
        """Wherever it comes, the call ends and the next one is not stopped."""
        with vapl.Apl("host") as other:
            def forever(y):
                while True:
                    pass
            self.apl["forever"] = forever
            self.apl["other"] = lambda y: other("{∇⍵+1}0")
            self.apl["same"] = lambda y: self.apl("{∇⍵+1}0")
            for text in ("forever 1", "other 1", "same 1", "+/○⍳3E10", "(⍳2000000)∘.,⍳2"):
                threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
                begun = time.monotonic()
                self.assertRaises(KeyboardInterrupt, self.apl, text)
                self.assertLess(time.monotonic() - begun, 5)
                self.assertEqual((self.apl("1+1"), other("1+1")), (2, 2), text)

    def test_closed_meanwhile(self):
        for _ in range(20):
            apl = vapl.Apl("host")
            thread = threading.Thread(target=lambda: [apl.interrupt() for _ in range(200)])
            thread.start()
            apl.close()
            thread.join()

    def test_many(self):
        """Others wait; arrays that die meanwhile, on any thread, are released later."""
        got = []

        def work(k):
            for _ in range(30):
                a = self.apl.raw(f"+/{k}+⍳2000")
                got.append(a.python() - 2000 * k)
                del a
        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(set(got), {2001000})
        gc.collect()
        self.apl("1")
        self.assertEqual(self.apl.stats()["arrays"], 0)

    def test_fork(self):
        work = "+/⌊0.5×(⍳2000000)*2"
        expected = self.apl(work)
        child = os.fork()
        if not child:
            signal.alarm(60)
            os._exit(0 if self.apl(work) == expected else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


@unittest.skipIf(np is None, "NumPy is missing")
class NumPy(Case):
    def test_types(self):
        for t in "?bhilqfdDBHIFe":
            for shape in ((), (0,), (3,), (2, 3), (1, 0, 2), (40, 50)):
                x = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(t)
                y = np.asarray(self.apl.raw("⍵", x))
                self.assertEqual(y.shape, x.shape)
                self.assertTrue((x == y).all(), (t, shape))
        for wrong in (np.array(["2020-01-01"], "M8[D]"), np.array([1], "m8[s]"), np.array([b"ab"]),
                      np.zeros(2, "g"), np.zeros(2, "G"), np.zeros(2, [("a", "i4"), ("b", "f8")]),
                      np.array([1, None]), np.datetime64("2020-01-01"), np.longdouble(1),
                      np.ma.array([1, 2], mask=[0, 1]), np.ma.array([1, 2]), [1, np.ma.masked]):
            self.assertRaises(TypeError, self.apl, "⍵", wrong)
        for wrong in (np.array([2**64 - 1], "u8"), np.uint64(2**63)):
            self.assertRaises(OverflowError, self.apl, "⍵", wrong)
        self.assertRaises(vapl.AplError, self.apl, "⍵", np.zeros((1,) * 16))
        self.assertEqual(self.apl("⍵", np.array(["a", "b", ""])), ["a", "b", ""])
        self.assertEqual(self.apl("⍵", np.array(["ab", "c"])), ["ab", "c"])
        self.assertEqual(self.apl("⍵", np.array(["a", "b"])), "ab")
        self.assertEqual(self.apl("2 2⍴'abcd'").tolist(), [["a", "b"], ["c", "d"]])
        self.assertEqual(self.apl("⍵", np.float32(0.5)), 0.5)
        self.assertEqual(self.apl("2 2⍴'ab' 1").shape, (2, 2))
        self.assertEqual(np.asarray(self.apl.raw("1 'ab'")).tolist(), [1, "ab"])
        self.assertEqual(self.apl("2 2⍴⊂1 2 3")[1, 1].tolist(), [1, 2, 3])

    def test_integers(self):
        """Arithmetic of what APL stores in a byte does not wrap."""
        apl, shape = self.apl, self.apl("⍴⍵", np.zeros((100, 100)))
        self.assertEqual((apl("⍳10") * 20).tolist(), list(range(20, 220, 20)))
        self.assertEqual(((apl("⍳20")**2).mean(), shape[0] * shape[1]), (143.5, 10000))
        apl["i"] = np.arange(100, dtype="i1")
        apl["square"] = lambda y: y * y
        for x in (apl("1 0 1=1"), apl("⍳3"), apl("300+⍳3"), apl("100000+⍳3"), apl("2 2⍴1"), apl("(⍳3)'a'")[0],
                  apl["i"], apl.fn("⍳")(3), apl("⍵", np.ones(3, "?")), np.asarray(apl.raw("⍳3")),
                  np.from_dlpack(apl.raw("⍳3")), np.asarray(apl.raw("⍳3").memoryview())):
            self.assertEqual(x.dtype, np.int64)
        self.assertEqual(apl("⌈/square i"), 99 * 99)
        narrow = [np.int8, bool]
        self.assertEqual([apl(t, narrow=True).dtype for t in ("⍳3", "1 0=1")], narrow)
        self.assertEqual([apl.fn(t, narrow=True)(3).dtype for t in ("⍳", "1 2 3=⊢")], narrow)
        self.assertEqual([np.asarray(apl.raw(t, narrow=True)).dtype for t in ("⍳3", "1 0=1")], narrow)
        with vapl.Apl("host", narrow=True) as apl:
            self.assertEqual([apl("⍳3").dtype, apl("(1 0=1)'a'")[0].dtype], narrow)
            self.assertEqual(apl("⍳3", narrow=False).dtype, np.int64)

    def test_others(self):
        class Frame:
            def __init__(self, x):
                self.x = x

            def __array__(self, *args, **options):
                return self.x
        frame = Frame(np.arange(5000.0))
        held = self.apl.array(frame)
        frame.x[0] = 7  # nobody could have frozen it
        self.assertEqual(held.memoryview()[0], 0)
        self.assertRaises(TypeError, self.apl, "⍵", Frame(np.ma.array([1, 2], mask=[1, 0])))
        for t in (">i4", "e", "D", "H"):
            self.assertEqual(self.apl("⍵", memoryview(np.arange(3).astype(t))).tolist(), [0, 1, 2])

    def test_orders(self):
        x = np.arange(60.0).reshape(3, 4, 5)
        for y in (x.T, x[::2], x[:, ::-1], x.astype(">f8"), np.asfortranarray(x)):
            self.assertTrue((self.apl("⍵", y) == y).all())

    def test_no_copy(self):
        x = np.random.rand(100, 100)
        held = self.apl.array(x)
        self.assertTrue(np.shares_memory(np.asarray(held), x))
        self.assertFalse(x.flags.writeable)
        also = self.apl.array(x)
        del held
        gc.collect()
        self.assertFalse(x.flags.writeable)
        del also
        gc.collect()
        self.assertTrue(x.flags.writeable)
        view = x[:50]
        for first, second in ((x, view), (view, x)):
            held, also = self.apl.array(first), self.apl.array(second)
            del held
            del also
            gc.collect()
            self.assertTrue(x.flags.writeable and view.flags.writeable)
        self.apl["x"] = x
        self.assertTrue(np.shares_memory(self.apl["x"], x))
        self.assertAlmostEqual(self.apl("+/,x"), x.sum())
        y = self.apl("1+x")
        self.assertFalse(y.flags.writeable)
        self.apl("x←0")
        self.assertTrue(x.flags.writeable)
        self.apl.close()
        self.assertTrue((y == x + 1).all())

    def test_arrow(self):
        a = self.apl.raw("0.5×⍳1000")
        b = self.apl.array(Column(a))
        self.assertEqual(np.asarray(a).ctypes.data, np.asarray(b).ctypes.data)
        del a
        gc.collect()
        self.assertEqual(np.asarray(b).sum(), 250250)
        self.apl.raw("⍳5").__arrow_c_array__()  # that nobody takes
        self.assertRaises(vapl.AplError, self.apl.raw("2 2⍴⍳4").__arrow_c_array__)
        self.assertEqual(str(self.apl.array(Column(self.apl.raw("1 ⎕NULL 3")))), "1  [Null]  3")
        self.assertEqual(self.apl.array(Column(self.apl.raw("'a' 'grüß'"))).python(), ["a", "grüß"])
        table = vapl.arrow.Table(self.apl, {"day": [1, 2, 3], "what": self.apl.raw("'x' ⎕NULL 'zz'")})
        self.assertEqual(str(self.apl.array(table)), " 1 2 3   x  [Null]  zz  ")
        self.assertRaises(vapl.AplError, vapl.arrow.Table(self.apl, {"a": [1], "b": [1, 2]}).__arrow_c_array__)

    def test_arrow_stream(self):
        a = self.apl.raw("0.5×⍳1000")
        b = self.apl.array(Frame(a))
        self.assertEqual(np.asarray(a).ctypes.data, np.asarray(b).ctypes.data)
        table = vapl.arrow.Table(self.apl, {"day": [1, 2, 3], "what": self.apl.raw("'x' ⎕NULL 'zz'")})
        table.__arrow_c_stream__()  # that nobody takes
        self.assertEqual(str(self.apl.array(Frame(table))), " 1 2 3   x  [Null]  zz  ")
        columns = vapl.arrow.columns(self.apl, Frame(table))
        self.assertEqual(list(columns), ["day", "what"])
        self.assertEqual(str(columns["day"]), "1 2 3")
        self.assertEqual(str(columns["what"]), " x  [Null]  zz ")
        self.assertRaises(TypeError, vapl.arrow.columns, self.apl, Frame(a))
        capsule = table.__arrow_c_stream__()
        del table
        gc.collect()
        self.assertEqual(str(self.apl.array(Frame(Capsule(capsule)))), " 1 2 3   x  [Null]  zz  ")
        self.assertEqual(str(self.apl.array(Frame(Capsule(capsule)))).strip(), "")  # it was read
        self.assertRaises(vapl.AplError, vapl.arrow.Table(self.apl, {"a": [1], "b": [1, 2]}).__arrow_c_stream__)

    def test_dlpack(self):
        a = self.apl.raw("3 4⍴⍳12")
        x = np.from_dlpack(a)
        self.assertTrue(np.shares_memory(x, np.asarray(a)))
        del a
        gc.collect()
        self.assertEqual(x.sum(), 78)
        self.apl.raw("⍳5").__dlpack__()  # that nobody takes
        self.apl.raw("⍳5").__dlpack__(max_version=(1, 0))
        if np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # which knows DLPack's version 1
            self.assertFalse(x.flags.writeable)
        self.assertRaises(BufferError, self.apl.raw("'abc'").__dlpack__)

        class Foreign:
            def __init__(self, x):
                self.x = x

            def __dlpack__(self, **options):
                return self.x.__dlpack__()

            def __dlpack_device__(self):
                return (1, 0)
        self.assertEqual(self.apl("+/⍵", Foreign(np.arange(10.0))), 45)


if __name__ == "__main__":
    unittest.main()
