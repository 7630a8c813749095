"""Let git's own program change an index gitmem cannot patch: version 4, split, sparse.

No hook, no monitor and no filter of the repository runs: entries are given by id, and git is told so.
"""

from __future__ import annotations

import os
import subprocess
import time

from gitmem.errors import RepositoryBusy
from gitmem.history.objects import NO_ID, remove
from gitmem.history.repo import Repo
from gitmem.history.tree import encode
from gitmem.store.paths import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LATER_S = 10.0  # an index no file is as young as: else git compares contents, through the repository's filters
HARMLESS = ("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false", "-c", "core.untrackedCache=keep")


def index_by_git(
    repo: Repo, entries: Mapping[str, tuple[int, str] | None], kind: str, environ: Mapping[str, str]
) -> bytes:
    """The bytes of the changed index, made on a copy by ``git update-index``.

    kind:   what the index is, for the sentence
    raises: RepositoryBusy when there is no git program, or it refuses
    """
    advice = (
        "git update-index --index-version 2 --no-split-index   (and: git sparse-checkout reapply --no-sparse-index)"
    )
    copy = os.path.join(state(repo.git.path), "tmp-index")
    rows = [
        b"%06o %s\t%s\0" % (entry[0], entry[1].encode(), encode(path)) if entry else b"0 %s\t%s\0" % (
            NO_ID.encode(), encode(path)
        )
        for path, entry in entries.items()
    ]  # fmt: skip
    try:
        with open(os.path.join(repo.git.path, "index"), "rb") as file, open(copy, "wb") as out:
            out.write(file.read())
        later = time.time() + LATER_S
        os.utime(copy, (later, later))
        place = {"GIT_DIR": repo.git.path, "GIT_WORK_TREE": repo.root, "GIT_INDEX_FILE": copy, "LC_ALL": "C"}
        clean = {key: value for key, value in environ.items() if not key.startswith("GIT_") or "CONFIG" in key}

        def run(*words: str, stdin: bytes = b"") -> bytes:
            done = subprocess.run(
                ["git", *HARMLESS, *words],
                input=stdin, capture_output=True, env={**clean, **place}, cwd=repo.root, check=False,
            )  # fmt: skip
            if done.returncode:
                said = done.stderr.decode("utf-8", "replace").strip().splitlines()
                raise RepositoryBusy(
                    f"git would not change its index ({kind}): {said[0] if said else 'no reason given'}", hint=advice
                )
            return done.stdout

        marked = _marked(run("ls-files", "-v", "-z"), {encode(path) for path, entry in entries.items() if entry})
        run("update-index", "-z", "--index-info", stdin=b"".join(rows))
        for mark, paths in marked.items():  # --index-info gives every entry without the person's marks
            if paths:
                run("update-index", mark, "-z", "--stdin", stdin=b"".join(path + b"\0" for path in paths))
        with open(copy, "rb") as file:
            return file.read()
    except FileNotFoundError as error:
        raise RepositoryBusy(
            f"git's index in {repo.root} is of a kind only git itself can change ({kind}), and there is no git program",
            hint=f"on a machine with git: {advice}",
        ) from error
    finally:
        remove(copy)
        remove(copy + ".lock")


def _marked(listed: bytes, among: set[bytes]) -> dict[str, list[bytes]]:
    """The marks that a person set on entries, as ``git ls-files -v`` tells them: option that sets it -> paths."""
    rows = [(row[:1], row[2:]) for row in listed.split(b"\0") if row[2:] in among]
    return {
        "--skip-worktree": [path for sign, path in rows if sign in b"Ss"],
        "--assume-unchanged": [path for sign, path in rows if sign.islower()],
    }
