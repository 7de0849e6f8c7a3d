# SPDX-License-Identifier: MIT
"""Notes where the checkout is that this was installed from: its build/release is looked into."""
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithSource(build_py):
    def run(self):
        super().run()
        root = Path(__file__).resolve().parents[2]
        note = Path(self.build_lib) / "vapl" / "_source.py"
        note.write_text(f"ROOT = {str(root)!r}\n", encoding="utf-8")


setup(cmdclass={"build_py": WithSource})
