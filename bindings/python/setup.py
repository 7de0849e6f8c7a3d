# SPDX-License-Identifier: MIT
"""With VAPL_WHEEL_LIBRARY=FILE the package has that library within, and a wheel of it the tag that VAPL_WHEEL_TAG
says (packaging/wheel.sh). Else it notes where the checkout is that it was installed from: its build/release is
looked into."""
import os
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

LIBRARY = os.environ.get("VAPL_WHEEL_LIBRARY")
commands = {}


class Binary(Distribution):
    def has_ext_modules(self):
        return bool(LIBRARY)


class WithLibrary(build_py):
    def run(self):
        super().run()
        package = Path(self.build_lib) / "vapl"
        if LIBRARY:
            shutil.copyfile(LIBRARY, package / "libvapl.so.0")
            return
        root = Path(__file__).resolve().parents[2]
        (package / "_source.py").write_text(f"ROOT = {str(root)!r}\n", encoding="utf-8")


commands["build_py"] = WithLibrary
if LIBRARY:
    from wheel.bdist_wheel import bdist_wheel

    class ForOnePlatform(bdist_wheel):
        def get_tag(self):
            return "py3", "none", os.environ["VAPL_WHEEL_TAG"]

    commands["bdist_wheel"] = ForOnePlatform
setup(cmdclass=commands, distclass=Binary)
