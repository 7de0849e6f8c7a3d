# SPDX-License-Identifier: MIT
"""`install [--user|--prefix DIR]` puts the kernelspec where Jupyter looks; else the kernel runs."""
import json
import sys
import tempfile
from pathlib import Path


def install(arguments):
    from jupyter_client.kernelspec import KernelSpecManager
    spec = {"argv": [sys.executable, "-m", "vapl.kernel", "-f", "{connection_file}"],
            "display_name": "APL (vapl)", "language": "apl", "interrupt_mode": "signal"}
    root = Path(__file__).resolve().parents[2]
    if (root / "setup.py").exists():  # a checkout: nothing was installed
        spec["env"] = {"PYTHONPATH": str(root)}
    where = {"user": "--user" in arguments or "--prefix" not in arguments}
    if "--prefix" in arguments:
        where = {"prefix": arguments[arguments.index("--prefix") + 1]}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "kernel.json").write_text(json.dumps(spec, indent=1), encoding="utf-8")
        to = KernelSpecManager().install_kernel_spec(folder, "vapl", **where)
    print(f"APL (vapl) is in {to}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["install"]:
        install(sys.argv[2:])
    else:
        from ipykernel.kernelapp import IPKernelApp

        from .kernel import AplKernel
        IPKernelApp.launch_instance(kernel_class=AplKernel)
