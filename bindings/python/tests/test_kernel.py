# SPDX-License-Identifier: MIT
"""The kernel as Jupyter speaks to it: installed, started, asked through jupyter_client."""
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
import xml.dom.minidom
from importlib.util import find_spec
from pathlib import Path

try:
    from jupyter_client.manager import KernelManager
    import ipykernel
except ImportError:
    ipykernel = None


def joined(kind, output):
    """What a cell shows as text, the same of a notebook's lists of lines and of a message."""
    if kind == "error":
        return "\n".join(output["traceback"])
    if kind == "stream":
        return "".join(output["text"])
    data = output["data"]
    return "".join(name + "".join(data[name]) for name in sorted(data))


@unittest.skipIf(ipykernel is None, "ipykernel or jupyter_client is missing")
class Kernel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        home = cls.folder.name
        os.environ.update(JUPYTER_PATH=home + "/share/jupyter", IPYTHONDIR=home, HOME=home,
                          JUPYTER_RUNTIME_DIR=home, VAPL_DEVICE="host")
        subprocess.run([sys.executable, "-m", "vapl.kernel", "install", "--prefix", home],
                       check=True, stdout=subprocess.DEVNULL)
        os.environ.pop("PYTHONPATH", None)  # the kernel says itself where its package is
        cls.manager = KernelManager(kernel_name="vapl")
        cls.manager.start_kernel()
        cls.client = cls.manager.client()
        cls.client.start_channels()
        cls.client.wait_for_ready(timeout=60)

    @classmethod
    def tearDownClass(cls):
        cls.client.stop_channels()
        cls.manager.shutdown_kernel(now=True)
        cls.folder.cleanup()

    def run_cell(self, code, client=None, **options):
        """What was shown, and the reply. An error does not abort what is asked next."""
        options.setdefault("stop_on_error", False)
        shown = []
        reply = (client or self.client).execute_interactive(
            code, timeout=60, output_hook=lambda m: shown.append((m["msg_type"], m["content"])),
            **options)["content"]
        return [s for s in shown if s[0] not in ("status", "execute_input")], reply

    def asked(self, name, *args):
        return self.answer_to(getattr(self.client, name)(*args))

    def answer_to(self, request):
        while True:  # wait_for_ready may leave answers to its own requests
            message = self.client.get_shell_msg(timeout=60)
            if message["parent_header"].get("msg_id") == request:
                return message["content"]

    def test_values(self):
        shown, reply = self.run_cell("x←⍳5\n+/x\n'text'")
        self.assertEqual(shown, [("stream", {"name": "stdout", "text": "15\ntext\n"})])
        self.assertEqual(reply["status"], "ok")
        shown, _ = self.run_cell("1 'ab'(2 2⍴⍳4)")
        self.assertEqual(shown[0][0], "display_data")
        self.assertIn("┌", shown[0][1]["data"]["text/plain"])
        self.assertIn("<pre style", shown[0][1]["data"]["text/html"])
        shown, _ = self.run_cell("f←{\n  ⍵+1\n}\nf 2")
        self.assertEqual(shown[0][1]["text"], "3\n")
        self.assertEqual(self.run_cell("⍳5", silent=True)[0], [])
        self.assertEqual(self.run_cell("")[0], [])

    def test_commands(self):
        shown, _ = self.run_cell("y←7\n)vars\ny+1")
        text = "".join(c["text"] for _, c in shown)
        self.assertIn("y", text)
        self.assertIn("8", text)
        shown, reply = self.run_cell("1+1\n\n)nonsense\n2+2")
        self.assertEqual(reply["status"], "error")

    def test_plot(self):
        shown, _ = self.run_cell("z←1 3 2\n]plot -bars z")
        self.assertIn("<svg", shown[0][1]["data"]["image/svg+xml"])
        self.assertEqual(len(shown), 1)
        shown, _ = self.run_cell("1\n(title:'T'⋄format:'svg'⋄yrange:0 2)⎕PLOT 1 2\n2")  # the value of an expression
        self.assertEqual([kind for kind, _ in shown], ["stream", "display_data", "stream"])
        svg = shown[1][1]["data"]["image/svg+xml"]
        self.assertEqual(svg.rstrip("\n").count("</svg>"), 2)
        self.assertEqual(xml.dom.minidom.parseString(svg).documentElement.getAttribute("aria-label"), "T")
        self.assertEqual(self.run_cell("]plot -pie 1 2")[1]["ename"], "SYNTAX ERROR")

    def test_plan(self):
        shown, _ = self.run_cell("]plan +/⍳1000000")
        table = shown[0][1]["data"]["text/html"]
        self.assertIn('white-space:pre"><code style="white-space:inherit">+/⍳1000000</code>', table)
        self.assertEqual(table.count("<tr>"), 3)  # names, the step, in all
        self.assertIn("reduce  +/⍳1000000", shown[0][1]["data"]["text/plain"])
        shown, _ = self.run_cell("]plan ⍳3 4")
        self.assertIn("<table>", shown[0][1]["data"]["text/html"])

    def test_width(self):
        shown, _ = self.run_cell("⍴'⎕PW'\n⎕PW")
        self.assertEqual(shown[0][1]["text"], "3\n100\n")
        self.run_cell("⎕PW←60\n)clear")
        self.assertEqual(self.run_cell("⎕PW")[0][0][1]["text"], "100\n")

    def test_progress(self):
        shown, _ = self.run_cell("⎕DL 4")
        self.assertEqual([kind for kind, _ in shown][:2], ["display_data", "update_display_data"])
        self.assertRegex(shown[0][1]["data"]["text/plain"], "^… 2 s")
        self.assertEqual(shown[0][1]["transient"], shown[-1][1]["transient"])
        self.assertEqual(shown[-1][1]["data"]["text/plain"], "")

    def test_error(self):
        shown, reply = self.run_cell("g←{1+⍵+1 2}\n\n2+g 1 2 3")
        self.assertEqual(shown[-1][0], "error")
        self.assertEqual(reply["ename"], "LENGTH ERROR")
        self.assertEqual(reply["traceback"], [
            "\x1b[1;31mLENGTH ERROR\x1b[0m: shapes 3 and 2", "  g←{1+⍵+1 2}", "\x1b[31m        ^\x1b[0m",
            "\x1b[2mcalled from\x1b[0m", "  2+g 1 2 3", "\x1b[31m    ^\x1b[0m"])
        self.assertEqual(self.run_cell("g 1 2")[1]["status"], "ok")

    def test_input(self):
        def answer(message):
            self.client.input("abc")
        shown, reply = self.run_cell("a←⍞\n⌽a\n⎕←'say' ⋄ 1+⎕", allow_stdin=True, stdin_hook=answer)
        self.assertEqual(shown[0][1]["text"], "cba\nsay\n")
        self.assertIn("abc has no value", reply["evalue"])
        self.assertEqual(self.run_cell("a←⍞", allow_stdin=False)[1]["status"], "error")

    def test_interrupt(self):
        request = self.client.execute("⎕DL 0.5 ⋄ ⎕←'begun' ⋄ {∇⍵+1}0", stop_on_error=False)
        while self.client.get_iopub_msg(timeout=60)["msg_type"] != "stream":
            pass
        self.manager.interrupt_kernel()
        self.assertEqual(self.answer_to(request)["ename"], "INTERRUPT")
        self.assertEqual(self.run_cell("1+1")[0][0][1]["text"], "2\n")

    def test_limits(self):
        """A kernel of its own, whose kernelspec has them."""
        install = [sys.executable, "-m", "vapl.kernel", "install", "--prefix", self.folder.name]
        where = dict(os.environ, PYTHONPATH=str(Path(__file__).resolve().parents[1]))
        limits = ["may=", "max_memory=100M", "max_seconds=0.3", "max_steps=10000"]
        subprocess.run([*install, "--name", "vapl-small", *("--AplKernel." + o for o in limits)],
                       check=True, stdout=subprocess.DEVNULL, env=where)
        self.assertEqual(subprocess.run([*install, "--nonsense"], stderr=subprocess.DEVNULL, env=where).returncode, 2)
        manager = KernelManager(kernel_name="vapl-small")
        manager.start_kernel()
        client = manager.client()
        try:
            client.start_channels()
            client.wait_for_ready(timeout=60)
            for text, name in (("⎕NGET '/etc/passwd'", "FILE ACCESS ERROR"), ("⎕SH 'ls'", "PERMISSION ERROR"),
                               ("x←2E7⍴0.5 ⋄ x[1]←2", "WS FULL"), ("⎕DL 10", "LIMIT ERROR"), ("{∇⍵+1}0", "LIMIT ERROR")):
                self.assertEqual(self.run_cell(text, client)[1].get("ename"), name, text)
            self.assertEqual(self.run_cell("1+1", client)[0][0][1]["text"], "2\n")
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)

    def test_complete(self):
        self.run_cell("counter←1 ⋄ county←2")
        for text, matches in (("1+coun", {"counter", "county"}), ("1+iota", {"⍳"}), ("2`i", {"⍳"}),
                              ("⎕I", {"⎕IO"}), ("]disp", {"]display"})):
            reply = self.asked("complete", text, len(text))
            self.assertTrue(matches <= set(reply["matches"]), (text, reply))
        self.assertEqual(reply["cursor_start"], 0)
        self.assertEqual(self.asked("complete", "2`i", 3)["cursor_start"], 1)
        self.assertEqual(self.asked("complete", "iota", 4)["matches"], ["⍳"])
        self.assertGreater(len(self.asked("complete", "1+`", 3)["matches"]), 60)
        for text, at, end in (("x`[]", 3, 4), ("(x`()", 4, 4), ("(x`())", 4, 5), ("'a'`''", 5, 6)):
            self.assertEqual(self.asked("complete", text, at)["cursor_end"], end, text)

    def test_inspect(self):
        self.run_cell("table←2 3⍴⍳6 ⋄ mean←{(+/⍵)÷≢⍵}")
        time.sleep(0.3)  # nothing of it is shown
        for text, at, expected in (("+/⍳5", 3, "⍳"), ("table", 2, "[2, 3]"), ("mean 5", 3, "÷≢⍵"),
                                   (" :EndIf", 4, ":EndIf"), ("{⍵:mean 3}", 5, "÷≢⍵")):
            reply = self.asked("inspect", text, at)
            self.assertTrue(reply["found"], text)
            self.assertIn(expected, reply["data"]["text/plain"])
        self.assertFalse(self.asked("inspect", "nobody", 3)["found"])

    def test_is_complete(self):
        for text, status in (("1+1", "complete"), ("f←{", "incomplete"), ("'{'", "complete"), ('"{"', "complete"),
                             ("1)", "invalid"), ("x←(1\n⍝ )", "incomplete")):
            self.assertEqual(self.asked("is_complete", text)["status"], status, text)

    def test_notebook(self):
        """examples/notebook.ipynb holds what its cells show. nbformat, if it is there, reads it."""
        path = Path(__file__).resolve().parents[3] / "examples" / "notebook.ipynb"
        book = json.loads(path.read_text(encoding="utf-8"))
        if find_spec("nbformat"):
            import nbformat
            nbformat.validate(nbformat.read(path, 4))
        cells = [c for c in book["cells"] if c["cell_type"] == "code"]
        self.assertGreater(len(cells), 5)
        for cell in cells:
            shown, _ = self.run_cell("".join(cell["source"]))
            kept = [joined(o["output_type"], o) for o in cell["outputs"]]
            got = [joined(kind, content) for kind, content in shown]
            self.assertEqual("".join(got), "".join(kept), "".join(cell["source"]))

    def test_prefix(self):
        shown, _ = self.run_cell("]prefix")
        script = shown[0][1]["data"]["application/javascript"]
        self.assertIn('"i": "\\u2373"', script)


if __name__ == "__main__":
    unittest.main()
