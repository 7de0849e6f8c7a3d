# SPDX-License-Identifier: MIT
"""`install [--user|--prefix DIR] [--name NAME] [--AplKernel.max_seconds=10 …]` puts the kernelspec where
Jupyter looks, with such limits; else the kernel runs."""
import argparse
import json
import sys
import tempfile
from pathlib import Path


def install(arguments):
    from jupyter_client.kernelspec import KernelSpecManager
    parser = argparse.ArgumentParser("vapl.kernel install", allow_abbrev=False)
    parser.add_argument("--user", action="store_true", help="for this user, as without --prefix")
    parser.add_argument("--prefix", help="below DIR/share/jupyter")
    parser.add_argument("--name", default="vapl", help="another beside it, with other limits")
    asked, limits = parser.parse_known_args(arguments)
    wrong = [a for a in limits if not a.startswith("--AplKernel.")]
    if wrong:
        parser.error(f"there is no option {wrong[0]}")
    shown = "APL (vapl)" if asked.name == "vapl" else f"APL ({asked.name})"
    spec = {"argv": [sys.executable, "-m", "vapl.kernel", "-f", "{connection_file}", *limits],
            "display_name": shown, "language": "apl", "interrupt_mode": "signal"}
    root = Path(__file__).resolve().parents[2]
    if (root / "setup.py").exists():  # a checkout: nothing was installed
        spec["env"] = {"PYTHONPATH": str(root)}
    where = {"prefix": asked.prefix} if asked.prefix and not asked.user else {"user": True}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "kernel.json").write_text(json.dumps(spec, indent=1), encoding="utf-8")
        to = KernelSpecManager().install_kernel_spec(folder, asked.name, **where)
    print(f"{shown} is in {to}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["install"]:
        install(sys.argv[2:])
    else:
        from ipykernel.kernelapp import IPKernelApp

        from .kernel import AplKernel
        IPKernelApp.launch_instance(kernel_class=AplKernel)
