"""What git's hooks do when git calls them: ``gitmem hooks run NAME``, without the command-line library.

Every commit a person makes waits for pre-commit, so what a clean one does not need is imported by the function that
needs it.
"""
# ruff: noqa: PTH109, PTH113, PTH118

from __future__ import annotations

import os
import sys

from gitmem.cli.door import Door
from gitmem.cli.tell import ready_streams, tell
from gitmem.history.repo import open_repo
from gitmem.store.paths import CONFIG_FILE, git_in, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gitmem.history.repo import Repo
    from gitmem.history.staged import Coming
    from gitmem.memory.finding import Finding
    from gitmem.store.settings import Settings
    from gitmem.write.sent import Unfit

    Run = Callable[[Door, str, Sequence[str]], bool]

FOUND = 5  # as setup/githooks.py: what the scripts take for "stop"
NOWHERE = "0" * 40
BRANCHES = "refs/heads/"


def run(words: list[str]) -> int | None:
    """Run ``gitmem hooks run WORDS``; the exit code, or None when the command-line library should look at it.

    words: a hook's name, and what git tells the hook
    """
    if not words or words[0] not in RUN or any(word.startswith("-") for word in words):
        return None
    ready_streams()
    try:
        return 0 if RUN[words[0]](Door(os.getcwd(), False), os.getcwd(), words[1:]) else FOUND
    except (Exception, KeyboardInterrupt) as error:
        return tell(error, ["--store", os.getcwd()])


# -- what is committed


def before_commit(door: Door, root: str, words: Sequence[str]) -> bool:  # noqa: ARG001 - git gives none
    """pre-commit: nothing that another program's stale index would take back, and no new problem."""
    if not is_store(root):
        return True
    from gitmem.history.staged import staged, stale

    with open_repo(root) as repo:
        coming = staged(repo, door.environ)
        late = [each for each in stale(repo, coming) if each.path.lower().endswith(".md") or each.path == CONFIG_FILE]
        if late:
            return turned_back(door, repo, late)
        return is_sound(door, repo, coming, "commit")


def before_merge(door: Door, root: str, words: Sequence[str]) -> bool:  # noqa: ARG001
    """pre-merge-commit: no new problem."""
    if not is_store(root):
        return True
    from gitmem.history.staged import staged

    with open_repo(root) as repo:
        return is_sound(door, repo, staged(repo, door.environ), "merge")


def is_sound(door: Door, repo: Repo, coming: Sequence[Coming], what: str) -> bool:
    from gitmem.audit.changes import findings_of
    from gitmem.cli.coming import changes_of
    from gitmem.history.settings import settings_of
    from gitmem.history.staged import staged_names, staged_paths

    changed = changes_of(repo, coming, settings_of(repo.root))
    names = staged_names(repo, door.environ)
    return told(door, problems(findings_of(changed, names, lambda: staged_paths(repo, door.environ))), what)


def problems(found: Sequence[Finding]) -> Sequence[Finding]:
    """Those of ``found`` that are no hints, in the order of a report."""
    if not found:
        return ()
    from gitmem.audit.registry import severity
    from gitmem.audit.report import ordered
    from gitmem.audit.rule import PROBLEM

    return [each for each in ordered(found) if severity(each.rule) == PROBLEM]


def told(door: Door, found: Sequence[Finding], what: str, how: str = "") -> bool:
    """Say what stands in the way; whether nothing does."""
    if not found:
        return True
    from gitmem.audit.registry import RULES
    from gitmem.audit.report import MAX_ROWS, sentence

    door.say(f"gitmem: this {what} would add {len(found)} {'problem' if len(found) == 1 else 'problems'}:")
    for each in found[:MAX_ROWS]:
        door.say(f"  {sentence(each)}")
    if found[MAX_ROWS:]:
        door.say(f"  {len(found) - MAX_ROWS} more")
    for rule in dict.fromkeys(each.rule for each in found):
        if rule in RULES:
            door.say(f"  {rule}: {RULES[rule].mend}")
    door.say(how or f"Mend it and {what} again, or pass it by with: git {what} --no-verify")
    return False


def turned_back(door: Door, repo: Repo, late: Sequence[Coming]) -> bool:
    """Say that the index is behind, and put it right where that can be done."""
    from gitmem.audit.report import MAX_ROWS
    from gitmem.errors import RepositoryBusy
    from gitmem.history.staged import index_path, put_back
    from gitmem.write.apply import until_settled
    from gitmem.write.lock import writer_lock

    names = " ".join(typed(each.path) for each in late[:MAX_ROWS])
    more = f" and {len(late) - MAX_ROWS} more" if late[MAX_ROWS:] else ""
    door.say(f"gitmem: this commit would take back what was written meanwhile: {names}{more}")
    again = "if you do mean it (git rm --cached), stage it again and pass this by with: git commit --no-verify"
    if os.path.realpath(index_path(repo, door.environ)) != os.path.realpath(os.path.join(repo.git.path, "index")):
        door.say(f"git's index was older than the files. Type: {git_in(repo.root, f'add -- {names}')}")
        door.say(f"then commit again; {again}")
        return False
    try:
        with writer_lock(repo.git.common):
            until_settled(repo, door.environ, lambda view: put_back(view, late, door.when))
    except RepositoryBusy as error:
        door.say(f"git's index was older than the files, and cannot be put right now: {error.message}")
        door.say(f"Type: {git_in(repo.root, f'add -- {names}')}, then commit again; {again}")
        return False
    door.say(f"git's index was older than the files; it is put right. Commit again; {again}")
    return False


# -- what is sent


def before_push(door: Door, root: str, words: Sequence[str]) -> bool:
    """pre-push: no secret in any version of a memory the remote does not have yet, and no unfinished merge in one."""
    if not is_store(root):
        return True
    from gitmem.history.pushed import tips
    from gitmem.write.sent import unfit_sent

    remote = words[0] if words else "origin"
    found: list[Unfit] = []
    with open_repo(root) as repo:
        known = tips(repo.git, f"refs/remotes/{remote}/")
        for _, new, ref, old in rows_told(4):
            if new != NOWHERE:
                found += meant_for(ref, unfit_sent(repo, new, [*known, old]))
        how = how_to_send(repo, found) if found else ""
    return told(door, [finding for _, finding in found], "push", how)


def meant_for(ref: str, found: Sequence[Unfit]) -> list[Unfit]:
    """What counts for a ref: secrets anywhere, an unfinished merge in branches, since records may tell of one."""
    from gitmem.memory.marker import MARKER

    return [each for each in found if each[1].rule != MARKER or ref.startswith(BRANCHES)]


def how_to_send(repo: Repo, found: Sequence[Unfit]) -> str:
    """What to type so that the push goes through."""
    from gitmem.memory.marker import MARKER

    lines = ["Nothing was pushed."]
    leaks = [commit for commit, each in found if each.rule != MARKER]
    if leaks:
        since = f"{leaks[0][:10]}^" if repo.commit(leaks[0]).parents else "--root"
        lines[0] += (
            " Make the secret invalid where it is used, then take it out of the commits that hold it: "
            f"{git_in(repo.root, f'rebase -i {since}')}"
        )
        lines.append("Is it harmless? Put `gitmem: allow-secret` on its line, commit, and push again")
    marked = list(dict.fromkeys(each.path for _, each in found if each.rule == MARKER))
    if marked:
        commit = git_in(repo.root, f"commit -m settled -- {' '.join(map(typed, marked))}")
        lines.append(f"Choose the text that stays and take the marker lines out, then: {commit}, and push again")
    return "\n".join(lines) + "; or: git push --no-verify"


def before_receive(door: Door, root: str, words: Sequence[str]) -> bool:  # noqa: ARG001
    """pre-receive: neither secrets nor new problems come into a server's repository."""
    from gitmem.history.pushed import receiving, tips
    from gitmem.history.tree import file_at
    from gitmem.store.gitdir import find_git_dir
    from gitmem.store.settings import read_settings
    from gitmem.write.sent import unfit_sent

    git = find_git_dir(root)
    with receiving(git.common if git is not None else root, door.environ) as repo:
        known = tips(repo.git)
        found: list[Finding] = []
        for old, new, ref in rows_told(3):
            if new == NOWHERE:
                continue
            unfit = [finding for _, finding in meant_for(ref, unfit_sent(repo, new, known))]
            config = file_at(repo, new, CONFIG_FILE) if ref.startswith(BRANCHES) else None
            more = problems_between(repo, old, new, read_settings(config)) if config is not None else []
            told_already = {(each.rule, each.path) for each in unfit}
            found += [*unfit, *(each for each in more if (each.rule, each.path) not in told_already)]
    return told(door, found, "push", "Nothing was taken in. Mend it in a new commit, or in the one that has it.")


def problems_between(repo: Repo, old: str, new: str, settings: Settings) -> list[Finding]:
    """What the newest commit of a branch adds to what was wrong before; secrets are found elsewhere."""
    from gitmem.audit.changes import findings_of
    from gitmem.cli.coming import changes_of
    from gitmem.history.pushed import between
    from gitmem.history.staged import tree_names
    from gitmem.history.tree import tree_files

    changed = changes_of(repo, between(repo, "" if old == NOWHERE else old, new), settings)
    found = findings_of(changed, lambda folder: tree_names(repo, new, folder), lambda: tree_files(repo, new))
    return [each for each in problems(found) if each.rule != "secret"]


def rows_told(count: int) -> Iterator[list[str]]:
    """What git tells the hook on standard input: ``count`` words on each line."""
    if sys.stdin is None:
        return
    for line in sys.stdin.buffer:
        row = line.decode("utf-8", "surrogateescape").split()
        if len(row) == count:
            yield row


# -- what has moved


def after_move(door: Door, root: str, words: Sequence[str]) -> bool:  # noqa: ARG001
    """post-merge, post-checkout, post-rewrite: let the search index follow, in a process of its own."""
    if is_store(root):
        from gitmem.hook.refresh import start_refresh

        clean = {key: value for key, value in door.environ.items() if not key.startswith("GIT_")}
        start_refresh(root, "", door.when, clean)
    return True


def is_store(root: str) -> bool:
    """Hooks may be shared by repositories that are no stores; there they do nothing."""
    return os.path.isfile(os.path.join(root, CONFIG_FILE))


RUN: dict[str, Run] = {
    "pre-commit": before_commit,
    "pre-merge-commit": before_merge,
    "post-merge": after_move,
    "post-checkout": after_move,
    "post-rewrite": after_move,
    "pre-push": before_push,
    "pre-receive": before_receive,
}
