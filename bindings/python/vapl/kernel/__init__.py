# SPDX-License-Identifier: MIT
"""A Jupyter kernel for APL: python3 -m vapl.kernel install, then `APL (vapl)` in a notebook."""
