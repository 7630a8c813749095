"""Load gitmem's own modules by the shortest way: a quarter of a bare interpreter's time, saved at each prompt.

Python's finder lists every folder and tries five endings before it opens the compiled file that was
there the last time.  This one goes to that file at once, holds it against its source by size and
time as Python does, and leaves to Python whatever is not exactly as expected.
"""

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

PACKAGE = "gitmem"
HEAD = 16  # bytes before the code: magic number, flags, time and size of the source (PEP 552)
MOST = 1 << 20  # bytes of a compiled file


class Near:
    """Finder and loader of the package's modules; for ``sys.meta_path``.

    home:  folder that holds the package
    start: first 8 bytes of a compiled file that is kept by time
    """

    __slots__ = ("home", "make_spec", "start", "suffix")

    def __init__(self, home: str, make_spec: type[ModuleSpec], magic: bytes, tag: str) -> None:
        self.home, self.make_spec = home, make_spec
        self.start, self.suffix = magic + bytes(4), f".{tag}.pyc"

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """Where ``name`` is loaded from; None for Python to look itself."""
        if name.partition(".")[0] != PACKAGE:
            return None
        path = f"{self.home}/{name.replace('.', '/')}"
        folder, _, last = path.rpartition("/")
        code = self._compiled(folder, last)
        is_package = code is None
        if is_package:
            path, code = f"{path}/__init__", self._compiled(path, "__init__")
            if code is None:
                return None
        spec = self.make_spec(name, None, origin=f"{path}.py", loader_state=code, is_package=is_package)
        spec.loader = self  # type: ignore[assignment]
        if is_package:
            spec.submodule_search_locations = [path.rpartition("/")[0]]
        return spec

    def create_module(self, _spec: ModuleSpec) -> None:
        """None: Python makes the module."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the code that ``find_spec`` read."""
        spec = module.__spec__
        assert spec is not None
        module.__file__ = spec.origin
        exec(marshal.loads(spec.loader_state), module.__dict__)  # noqa: S102, S302 - what Python's own loader does

    def _compiled(self, folder: str, name: str) -> memoryview | None:
        """The code of ``folder/name.py`` as Python kept it, None when it kept none or the source is another."""
        try:
            source = os.stat(f"{folder}/{name}.py")
            file = os.open(f"{folder}/__pycache__/{name}{self.suffix}", os.O_RDONLY | getattr(os, "O_BINARY", 0))
            try:
                data = os.read(file, MOST)
            finally:
                os.close(file)
        except OSError:
            return None
        kept = data[:HEAD]
        wanted = (int(source.st_mtime) & 0xFFFFFFFF, source.st_size & 0xFFFFFFFF)
        if kept != self.start + wanted[0].to_bytes(4, "little") + wanted[1].to_bytes(4, "little") or len(data) == MOST:
            return None
        return memoryview(data)[HEAD:]


def quicken(home: str) -> None:
    """Load what stands in ``home/gitmem`` that way from now on; does nothing where Python keeps no such files."""
    try:
        from _frozen_importlib_external import MAGIC_NUMBER
    except ImportError:
        return
    spec, tag = sys.modules[PACKAGE].__spec__, sys.implementation.cache_tag
    if spec is not None and tag and not sys.flags.optimize and sys.pycache_prefix is None:
        sys.meta_path.insert(0, Near(home, type(spec), MAGIC_NUMBER, tag))
