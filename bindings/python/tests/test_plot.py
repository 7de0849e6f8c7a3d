# SPDX-License-Identifier: MIT
"""Pictures, functions with names, tables of pandas, the share that is done, and %%apl in IPython."""
import contextlib
import io
import os
import re
import tempfile
import threading
import unittest
import xml.dom.minidom

import vapl
from vapl import show

try:
    import numpy as np
except ImportError:
    np = None
try:
    import pandas as pd
except ImportError:
    pd = None
try:
    import IPython
except ImportError:
    IPython = None

COLOURS = ("#0072b2", "#d55e00", "#009e73")


class Case(unittest.TestCase):
    def setUp(self):
        self.apl = vapl.Apl("host")

    def tearDown(self):
        self.apl.close()


class Plots(Case):
    def texts(self, plot):
        """The texts of a picture, and how many paths have the colour of a series."""
        d = xml.dom.minidom.parseString(plot.svg)
        paths = sum(p.getAttribute("stroke") in COLOURS for p in d.getElementsByTagName("path"))
        return [t.firstChild.data for t in d.getElementsByTagName("text")], paths

    def test_forms(self):
        p = self.apl.plot([3, 1, 2], title="<A & B>", xlabel="x", ylabel="y")
        self.assertIn("<A & B>", self.texts(p)[0])
        self.assertEqual(p.png()[:8], b"\x89PNG\r\n\x1a\n")
        self.assertGreater(len(p.png(scale=2)), len(p.png()))
        self.assertIn("┤", str(p))
        self.assertEqual(repr(p), "<vapl.Plot <A & B>>")
        self.assertEqual(p._repr_svg_(), p.svg)
        self.assertEqual(set(p._repr_mimebundle_()), {"image/svg+xml", "text/plain"})

    def test_save(self):
        p = self.apl.plot([3, 1, 2])
        with tempfile.TemporaryDirectory() as folder:
            for kind, head in (("svg", b"<svg"), ("png", b"\x89PNG"), ("txt", b" ")):
                p.save(os.path.join(folder, "a." + kind))
                with open(os.path.join(folder, "a." + kind), "rb") as f:
                    self.assertEqual(f.read(len(head)), head)
            self.assertRaises(ValueError, p.save, os.path.join(folder, "a.pdf"))

    def test_data(self):
        for data, series in (([1, 2, 3], 1), ([[1, 2], [3, 4]], 2), ({"a": [1, 2], "b": ([1, 5], [3, 4])}, 4),
                             ([("a", [1, 2]), ([1, 2], [3, 4])], 3), ([1], 1), ([], 0)):
            self.assertEqual(self.texts(self.apl.plot(data))[1], series, data)
        names, _ = self.texts(self.apl.plot([3, 4], x=["Jan", "Feb"]))
        self.assertIn("Jan", names)
        self.assertNotIn("a", self.texts(self.apl.plot({"a": [1, 2]}, legend=False))[0])
        with self.assertRaisesRegex(vapl.AplError, "knows the kinds"):
            self.apl.plot([1, 2], kind="pie")
        with self.assertRaises(TypeError):
            self.apl.plot([1, 2], titel="T")

    @unittest.skipIf(np is None, "NumPy is missing")
    def test_numpy(self):
        self.assertIn("<rect", self.apl.plot(np.random.rand(5, 5)).svg)
        self.assertEqual(self.texts(self.apl.plot(np.random.rand(50, 2)))[1], 1)
        self.assertEqual(self.texts(self.apl.plot(np.random.rand(5, 3), kind="line"))[1], 3)
        times = np.array(["2024-01-01", "2024-07-01", "2025-01-01"], dtype="datetime64[D]")
        self.assertIn("2024-07", self.texts(self.apl.plot([1, 2, 3], x=times))[0])
        self.assertLess(len(self.apl.plot(np.random.rand(1_000_000)).svg), 100_000)
        line = re.search('stroke="#0072b2"[^>]*>', self.apl.plot([1, 2, float("nan"), 2, 1]).svg).group()
        self.assertEqual(line.count("M"), 2)  # a gap

    @unittest.skipIf(pd is None, "pandas is missing")
    def test_pandas(self):
        index = pd.date_range("2024-01-01", periods=24, freq="MS")
        frame = pd.DataFrame({"north": range(24), "south": [1.5] * 24}, index=index)
        texts, series = self.texts(self.apl.plot(frame))
        self.assertTrue({"north", "south", "2024-07"} <= set(texts), texts)
        self.assertEqual(series, 4)  # two of them in the legend
        texts, _ = self.texts(self.apl.plot(frame["north"]))
        self.assertIn("north", texts)
        texts, _ = self.texts(self.apl.plot(pd.Series([3, 4], index=["x", "yy"])))
        self.assertIn("yy", texts)
        self.apl.plot(pd.Series([1, None, 3], dtype="Int64"))
        self.apl.plot(pd.Series([1, 2, 2]), kind="hist")


class Names(Case):
    def test_names(self):
        f = self.apl.fn("sum×(1+rate)*years")
        self.assertAlmostEqual(f(sum=100, rate=0.5, years=2), 225)
        self.assertEqual(self.apl.fn("{⍵×rate}")([1, 2], rate=2).tolist(), [2, 4])
        self.assertEqual(self.apl.fn("{⍺+⍵×rate}")(10, [1, 2], rate=2).tolist(), [12, 14])
        self.assertEqual(self.apl.fn("{⍺,⍵,t}")("a", "bc", t="zz"), "abczz")
        self.assertEqual(self.apl.fn("{⍺+⍵×r×k}")(1, 2, r=3, k=4), 25)
        self.assertNotIn("rate", self.apl)  # it was local
        self.apl["rate"] = 7
        self.assertEqual(self.apl.fn("{⍵×rate}")(1, rate=2), 2)
        self.assertEqual(self.apl("rate"), 7)
        self.assertEqual(f.__doc__, "sum×(1+rate)*years")
        self.assertRaises(TypeError, f, 1, 2, 3, rate=1)
        self.assertRaises(vapl.AplError, f, sum=1)

    @unittest.skipIf(np is None, "NumPy is missing")
    def test_broadcast(self):
        f = self.apl.fn("sum×(1+rate)*years")
        got = f(sum=100, rate=[[0.01], [0.02]], years=np.arange(3))
        np.testing.assert_allclose(got, 100 * (1 + np.array([[0.01], [0.02]])) ** np.arange(3))
        self.assertEqual(self.apl.fn("a+b")(a=np.ones((2, 1, 3)), b=self.apl.raw("4 3⍴⍳12")).shape, (2, 4, 3))
        self.assertRaises(ValueError, f, sum=[1, 2], rate=[1, 2, 3], years=1)
        self.assertEqual(self.apl.fn("a,b")(a=[1, 2], b="xy").__len__(), 4)


@unittest.skipIf(pd is None, "pandas is missing")
class Tables(Case):
    def test_there_and_back(self):
        frame = pd.DataFrame({
            "big": np.arange(3), "day": pd.to_datetime(["2024-01-01", "2024-02-01 12:00", None]),
            "kind": pd.Categorical(["x", "y", "x"]), "n": pd.array([1, None, 3], dtype="Int64"),
            "price": [1.5, 2, np.nan], "shop": ["a", "bc", None]})
        self.apl["t"] = self.apl.table(frame)
        self.assertEqual(str(self.apl.raw("t.day")).rstrip(), "45291 45322.5  [Null]")
        self.assertEqual(str(self.apl.raw("t.n")).rstrip(), "1  [Null]  3")
        back = self.apl["t"].frame(times=["day"])
        self.assertEqual(list(back.columns), list(frame.columns))
        for name in ("big", "day", "n", "price", "shop"):
            pd.testing.assert_series_equal(back[name], frame[name], check_dtype=name != "big")
        self.assertEqual(back["kind"].tolist(), ["x", "y", "x"])
        self.apl("t.total←t.big×2")
        self.assertEqual(self.apl["t"].frame()["total"].tolist(), [0, 2, 4])

    def test_no_copy(self):
        frame = pd.DataFrame({"x": np.random.rand(100_000)})
        t = self.apl.table(frame)
        self.assertTrue(np.shares_memory(np.asarray(t.raw("x")), frame["x"].to_numpy()))

    def test_group(self):
        self.apl["t"] = self.apl.table(pd.DataFrame({"k": list("abab"), "v": [1, 2, 3, 4]}))
        self.assertEqual(self.apl("t.k{+/⍵}⌸t.v").tolist(), [4, 6])

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "'a b' is no name of APL"):
            self.apl.table(pd.DataFrame({"a b": [1]}))
        self.assertRaises(ValueError, self.apl.table, pd.DataFrame([[1, 2]], columns=["a", "a"]))
        self.assertRaises(ValueError, self.apl("(a:2 2⍴1)").frame)
        self.assertRaises(KeyError, self.apl("(a:1 2)").frame, times=["b"])


class Progress(Case):
    def test_share(self):
        self.assertIsNone(self.apl.progress)
        seen = set()

        def look():
            while not ended.wait(0.01):
                seen.add(self.apl.progress)
        ended = threading.Event()
        watch = threading.Thread(target=look)
        watch.start()
        self.apl("{t←⎕DL 0.004 ⋄ ⍵}¨⍳100")
        ended.set()
        watch.join()
        shares = sorted(x for x in seen if x is not None)
        self.assertGreater(len(shares), 2)
        self.assertTrue(0 <= shares[0] < shares[-1] <= 1, shares)
        self.assertIsNone(self.apl.progress)


class Shown(unittest.TestCase):
    def test_bundles(self):
        svg = "<svg xmlns='x'>\n<svg>\n</svg>\n</svg>\n"
        parts = show.bundles("1 2\n" + svg.replace("xmlns=", "xm\n      lns=").replace("xm\n      lns", "xmlns") + "3\n")
        self.assertEqual([sorted(p) for p in parts], [["text/plain"], ["image/svg+xml", "text/plain"], ["text/plain"]])
        self.assertEqual(parts[1]["image/svg+xml"], svg)
        self.assertEqual(show.bundles("x <svg xmlns= is a word\n"), [{"text/plain": "x <svg xmlns= is a word\n"}])
        self.assertEqual(show.bundles(""), [])
        self.assertIn("&lt;", show.bundles("┌<┐")[0]["text/html"])

    def test_waited(self):
        self.assertEqual(show.waited(10, None), "… 10 s")
        self.assertEqual(show.waited(10, 0.25), "… 10 s, 25 %, about 30 s to go")


@unittest.skipIf(IPython is None, "IPython is missing")
class Magic(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from IPython.core.interactiveshell import InteractiveShell
        cls.home = tempfile.TemporaryDirectory()
        os.environ["IPYTHONDIR"] = cls.home.name
        cls.shell = InteractiveShell.instance()
        cls.shell.run_line_magic("load_ext", "vapl")

    @classmethod
    def tearDownClass(cls):
        cls.shell.history_manager.end_session()
        cls.home.cleanup()

    def run_cell(self, text):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            result = self.shell.run_cell(text)
        return result.success, out.getvalue(), err.getvalue()

    def test_cell(self):
        self.shell.user_ns["x"] = [1, 2, 3]
        ok, out, _ = self.run_cell("%%apl -i x -o r\nr←+\\x\nr\n)vars\n⌽r")
        self.assertTrue(ok)
        self.assertEqual(out, "1 3 6\nr       x\n6 3 1\n")
        self.assertEqual(list(self.shell.user_ns["r"]), [1, 3, 6])

    def test_error(self):
        ok, _, err = self.run_cell("%%apl\n1 2+1 2 3")
        self.assertFalse(ok)
        self.assertIn("LENGTH ERROR", err)
        self.assertNotIn("Traceback", err)
        self.assertFalse(self.run_cell("%%apl -i nothing\n1")[0])

    def test_line(self):
        self.assertTrue(self.run_cell("y = %apl +/⍳10")[0])
        self.assertEqual(self.shell.user_ns["y"], 55)


if __name__ == "__main__":
    unittest.main()
