"""The wall: the hook's rooms stay cheap, and each heavy library stays in its room (gitmem/ARCHITECTURE.md)."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gitmem.write.index import refresh

ROOT = Path(__file__).parents[2] / "gitmem"
FILES = sorted(ROOT.rglob("*.py"))

CHEAP = {
    "__future__", "_json", "_sha1", "_sqlite3", "collections", "datetime", "hashlib", "json", "math", "os",
    "sqlite3", "sys", "time", "unicodedata",
}  # fmt: skip
EXTRA = {  # built in, and said there what for
    "hook/load.py": {"marshal", "_frozen_importlib_external"},
    "hook/run.py": {"_thread"},
    "hook/start.py": {"gc"},
}
HOT: dict[str, set[str]] = {  # room -> rooms to its left
    "memory": set(),
    "store": {"memory"},
    "index": {"memory", "store"},
    "ledger": {"memory", "store"},
    "recall": {"memory", "store", "index"},
    "prompt": {"memory", "store", "index", "recall"},
    "hook": {"memory", "store", "index", "ledger", "recall", "prompt"},
}
COLD: dict[str, set[str]] = {  # what a cold room may import besides the hot ones
    "merge": set(),
    "audit": set(),
    "history": set(),
    "write": {"merge", "audit", "history"},
    "setup": {"audit", "history", "write"},
    "bench": {"history", "write", "setup"},
    "cli": {"merge", "audit", "history", "write", "setup", "bench", "hook", "__main__"},
}
ONLY = {"dulwich": {"history"}, "merge3": {"merge"}, "click": {"cli", "__main__.py"}, "rich": {"cli", "__main__.py"}}
HEAD = "memory/head.py"  # may import yaml inside the function that parses
DOORS = {"cli", "hook", "bench", "__main__.py", "api.py"}
HEAVY = {
    "argparse", "asyncio", "click", "dataclasses", "dulwich", "enum", "filelock", "frontmatter", "hashlib", "inspect",
    "json", "logging", "pathlib", "re", "rich", "site", "socket", "sqlite3", "subprocess", "tempfile", "threading",
    "typing", "yaml",
}  # fmt: skip
READS = {"os.environ", "os.getenv", "sys.exit", "os._exit", "sys.argv"}


@pytest.fixture
def store(tmp_path: Path, git: Callable[..., str]) -> Path:
    """A store of one memory, committed and indexed."""
    root = tmp_path / "store"
    root.mkdir()
    memory = "---\nname: billing gateway\ndescription: ports\n---\n\nThe billing gateway listens on port 8443.\n"
    (root / "billing.md").write_text(memory)
    git("init", "-q", "-b", "main", cwd=root)
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "one", cwd=root)
    refresh(str(root))
    return root


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def nodes(path: Path) -> Iterator[tuple[ast.AST, bool]]:
    """Every node of the file and whether it stands inside a function; bodies of `if TYPE_CHECKING` left out."""

    def walk(node: ast.AST, inside: bool) -> Iterator[tuple[ast.AST, bool]]:
        yield node, inside
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
                continue
            yield from walk(child, inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))

    yield from walk(ast.parse(path.read_text(encoding="utf-8")), False)


def imported(path: Path) -> Iterator[tuple[str, bool]]:
    """Full names the file imports, and whether inside a function."""
    for node, inside in nodes(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out"
            module = node.module or ""
            plain = module != "gitmem"
            yield from ([(module, inside)] if plain else [(f"gitmem.{alias.name}", inside) for alias in node.names])


def hot_files() -> list[Path]:
    return [path for path in FILES if room(path) in HOT]


@pytest.mark.parametrize("path", hot_files(), ids=name)
def test_hot_rooms_import_only_what_the_table_allows(path: Path) -> None:
    """Promised in gitmem/ARCHITECTURE.md: the hook's import closure is the cheap set."""
    for module, inside in imported(path):
        first, _, rest = module.partition(".")
        if first == "gitmem":
            assert rest.split(".")[0] in HOT[room(path)] | {room(path), "dataclass", "errors", "limits"}, (
                f"{name(path)}: {module}"
            )
        elif name(path) == HEAD and inside:
            continue
        else:
            allowed = first in CHEAP | EXTRA.get(name(path), set()) or (inside and first == "yaml")
            assert allowed, f"{name(path)}: {module} is not on the cheap list"


@pytest.mark.parametrize("path", [path for path in FILES if room(path) in COLD], ids=name)
def test_cold_rooms_look_only_to_their_left(path: Path) -> None:
    """Promised in gitmem/ARCHITECTURE.md: the write stream is a chain, doors are imported by none."""
    for module, _ in imported(path):
        first, _, rest = module.partition(".")
        if first == "gitmem" and rest:
            target = rest.split(".")[0]
            allowed = (
                COLD[room(path)] | (set(HOT) - {"hook"}) | {room(path), "dataclass", "errors", "limits", "__version__"}
            )
            assert target in allowed, f"{name(path)}: {module}"


@pytest.mark.parametrize("library", ONLY)
def test_a_heavy_library_has_one_room(library: str) -> None:
    """Promised in gitmem/ARCHITECTURE.md: only history names dulwich, only the command line click and rich."""
    for path in FILES:
        if room(path) not in ONLY[library]:
            assert library not in {module.split(".")[0] for module, _ in imported(path)}, name(path)


@pytest.mark.parametrize("path", [path for path in FILES if room(path) not in DOORS], ids=name)
def test_behind_the_doors_nobody_reads_the_environment_prints_or_exits(path: Path) -> None:
    """Only doors do."""
    for node, _ in nodes(path):
        if isinstance(node, ast.Attribute):
            shown = ast.unparse(node)
            assert shown not in READS, f"{name(path)}:{node.lineno}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"print", "exit", "quit", "input"}, f"{name(path)}:{node.lineno}"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_file_is_at_most_400_lines_and_a_package_file_holds_a_docstring(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "every module says what it gives"
    if path.name == "__init__.py" and path.parent != ROOT:
        assert len(tree.body) == 1


def test_the_hook_process_loads_no_heavy_module(store: Path) -> None:
    """Promised as J2: on an unchanged store not even yaml, re, json or enum are loaded."""
    probe = (
        "import sys, os\n"
        f"sys.path.append({str(ROOT.parent)!r})\n"
        "def leave(code):\n"
        "    with open(sys.argv[1], 'w') as file: file.write(' '.join(sys.modules))\n"
        "    real(code)\n"
        "real, os._exit = os._exit, leave\n"
        "from gitmem.hook.run import main\n"
        f"main(['prompt', '--host', 'claude-code', '--store', {str(store)!r}])\n"
    )
    seen = store.parent / "modules"
    fields = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "which port has the billing gateway"}
    words = [sys.executable, "-I", "-S", "-c", probe, str(seen)]
    done = subprocess.run(words, input=json.dumps(fields).encode(), capture_output=True, check=True)
    assert b"billing.md" in done.stdout, "the hook did its work"
    loaded = {module.split(".")[0] for module in seen.read_text().split()}
    assert loaded & HEAVY == set()
