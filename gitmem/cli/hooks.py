"""``gitmem hooks``: git's own hooks for a store: install, remove, status; and what they do when git calls them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitmem.audit.changes import audit_changes, new_secrets
from gitmem.audit.registry import RULES, severity
from gitmem.audit.report import MAX_ROWS, sentence
from gitmem.audit.rule import PROBLEM
from gitmem.audit.text import allowed
from gitmem.cli.audit import changes_of
from gitmem.cli.common import Subcommands, shared
from gitmem.cli.door import Door
from gitmem.errors import RepositoryBusy
from gitmem.history.pushed import between, receiving, sent, tips
from gitmem.history.repo import Repo, open_repo
from gitmem.history.staged import Coming, index_path, put_back, staged, staged_names, staged_paths, stale, tree_names
from gitmem.history.tree import file_at, tree_files
from gitmem.memory.document import decode, read_memory
from gitmem.memory.finding import Finding
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import CONFIG_FILE, git_in, typed
from gitmem.store.settings import Settings, load_settings, read_settings

if TYPE_CHECKING:
    from gitmem.setup.githooks import Hook, Place

FOUND = 5  # as setup/githooks.py: what the scripts take for "stop"
NOWHERE = "0" * 40
HOOKS = ("pre-commit", "pre-merge-commit", "post-merge", "post-checkout", "post-rewrite", "pre-push", "pre-receive")
STATES = {
    "installed": "installed",
    "older": "of an older gitmem; type: gitmem hooks install",
    "edited": "installed, and edited since",
    "missing": "not installed",
    "other": "another program's; `gitmem hooks install` keeps it and runs it first",
}


@click.group("hooks", cls=Subcommands)
def command() -> None:
    """Let git itself keep the store sound: hooks for commits, merges, checkouts and pushes.

    Each of the words below takes --store PATH and --json. Hooks that are there already are kept and run first.
    """


SHARED = click.option("--shared", "anyway", is_flag=True, help="Also in a folder of hooks that other repositories use.")


@command.command("install")
@SHARED
@shared
def install_command(door: Door, anyway: bool) -> None:
    """Put git's hooks into the repository of the store, and its merge driver.

    A hook that is there is kept beside as NAME.before-gitmem and run first. Undo with `gitmem hooks remove`.
    """
    from gitmem.setup.githooks import install  # git waits for ``run``, which needs none of it
    from gitmem.setup.merge_driver import INSTALLED, driver_state

    before = driver_state(place_of(door))
    place, hooks, written = install(place_of(door), door.environ, shared=anyway)
    where = door.shown(str(place.folder))
    text = f"all hooks are installed in {where}"
    if written:
        text = f"installed {', '.join(written)} in {where}\nundo with: gitmem hooks remove"
    driver = driver_state(place_of(door))
    if driver == INSTALLED != before:
        text += "\nplain git merge and git pull merge memories as `gitmem sync` does"
    chained = [each.name for each in hooks if each.chained]
    if chained:
        text += f"\nrun first, as before: {', '.join(name + '.before-gitmem' for name in chained)}"
    edited = [each.name for each in hooks if each.state == "edited"]
    if edited:
        text += f"\nleft as you edited them: {', '.join(edited)}"
    shape = shape_of(place, hooks) | {"merge_driver": driver, "written": written}
    door.answer(shape, text, saved="the hooks are installed")


@command.command("remove")
@SHARED
@shared
def remove_command(door: Door, anyway: bool) -> None:
    """Take git's hooks out again; what stood there before is as it was."""
    from gitmem.setup.githooks import remove
    from gitmem.setup.merge_driver import INSTALLED, driver_state

    before = driver_state(place_of(door))
    place, taken, left = remove(place_of(door), door.environ, shared=anyway)
    for said in left:
        door.say(said)
    text = f"removed {', '.join(taken)} from {door.shown(str(place.folder))}" if taken else "no hook of gitmem is there"
    if before == INSTALLED != driver_state(place_of(door)):
        text += "\nplain git merge and git pull merge memories line by line again"
    door.answer({"folder": str(place.folder), "removed": taken, "left": left}, text, saved="the hooks are removed")


@command.command("status")
@shared
def status_command(door: Door) -> None:
    """Say which hooks are installed, and what they run first."""
    from gitmem.setup.githooks import status
    from gitmem.setup.merge_driver import driver_state

    place, hooks = status(place_of(door), door.environ)
    lines = [f"hooks in {door.shown(str(place.folder))}" + (f" (core.hooksPath in {place.told})" if place.told else "")]
    for each in hooks:
        first = f", after {each.name}.before-gitmem" if each.chained and each.state != "missing" else ""
        lines.append(f"  {each.name:<17} {STATES[each.state]}{first}")
    driver = driver_state(place_of(door))
    if driver:
        lines.append(f"  {'merge driver':<17} {STATES[driver]}")
    door.answer(shape_of(place, hooks) | {"merge_driver": driver}, "\n".join(lines))


@command.command("run")
@click.argument("name", type=click.Choice(HOOKS), metavar="HOOK")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@shared
def run_command(door: Door, name: str, words: tuple[str, ...]) -> None:
    """Do what the git hook HOOK is for; the scripts call this in the repository's folder, not people."""
    if not RUN[name](door, door.option or str(Path.cwd()), words):
        raise click.exceptions.Exit(FOUND)


def place_of(door: Door) -> str:
    """The store; with --store also the bare repository of a server."""
    named = door.place() if door.option else ""
    return named if named and Path(named, "HEAD").is_file() else door.store()


def shape_of(place: Place, hooks: Sequence[Hook]) -> dict[str, object]:
    rows = [{"name": each.name, "state": each.state, "chained": each.chained} for each in hooks]
    return {"folder": str(place.folder), "configured_in": place.told, "hooks": rows}


def before_commit(door: Door, root: str, words: Sequence[str]) -> bool:  # noqa: ARG001 - git gives none
    """pre-commit: nothing that another program's stale index would take back, and no new problem."""
    if not is_store(root):
        return True
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
    with open_repo(root) as repo:
        return is_sound(door, repo, staged(repo, door.environ), "merge")


def is_sound(door: Door, repo: Repo, coming: Sequence[Coming], what: str) -> bool:
    changed = changes_of(repo, coming, load_settings(repo.root))
    names = staged_names(repo, door.environ)
    report = audit_changes(changed, names, lambda: staged_paths(repo, door.environ))
    return told(door, [each for each in report.findings if severity(each.rule) == PROBLEM], what)


def told(door: Door, problems: Sequence[Finding], what: str, how: str = "") -> bool:
    """Say what stands in the way; whether nothing does."""
    if not problems:
        return True
    door.say(f"gitmem: this {what} would add {len(problems)} {'problem' if len(problems) == 1 else 'problems'}:")
    for each in problems[:MAX_ROWS]:
        door.say(f"  {sentence(each)}")
    if problems[MAX_ROWS:]:
        door.say(f"  {len(problems) - MAX_ROWS} more")
    for rule in dict.fromkeys(each.rule for each in problems):
        if rule in RULES:
            door.say(f"  {rule}: {RULES[rule].mend}")
    door.say(how or f"Mend it and {what} again, or pass it by with: git {what} --no-verify")
    return False


def turned_back(door: Door, repo: Repo, late: Sequence[Coming]) -> bool:
    """Say that the index is behind, and put it right where that can be done."""
    names = " ".join(typed(each.path) for each in late[:MAX_ROWS])
    more = f" and {len(late) - MAX_ROWS} more" if late[MAX_ROWS:] else ""
    door.say(f"gitmem: this commit would take back what was written meanwhile: {names}{more}")
    again = "if you do mean it (git rm --cached), stage it again and pass this by with: git commit --no-verify"
    if Path(index_path(repo, door.environ)).resolve() != Path(repo.git.path, "index").resolve():
        door.say(f"git's index was older than the files. Type: {git_in(repo.root, f'add -- {names}')}")
        door.say(f"then commit again; {again}")
        return False
    from gitmem.write.apply import until_settled  # the usual commit has nothing to put back
    from gitmem.write.lock import writer_lock

    try:
        with writer_lock(repo.git.common):
            until_settled(repo, door.environ, lambda view: put_back(view, late, door.when))
    except RepositoryBusy as error:
        door.say(f"git's index was older than the files, and cannot be put right now: {error.message}")
        door.say(f"Type: {git_in(repo.root, f'add -- {names}')}, then commit again; {again}")
        return False
    door.say(f"git's index was older than the files; it is put right. Commit again; {again}")
    return False


def before_push(door: Door, root: str, words: Sequence[str]) -> bool:
    """pre-push: no secret in any version of a memory that the remote does not have yet."""
    if not is_store(root):
        return True
    remote = words[0] if words else "origin"
    with open_repo(root) as repo:
        known = tips(repo.git, f"refs/remotes/{remote}/")
        rows = [row for row in rows_told(4) if row[1] != NOWHERE]
        found = [each for row in rows for each in secrets_sent(repo, row[1], [*known, row[3]])]
        if not found:
            return True
        first = found[0][0]
        since = f"{first[:10]}^" if repo.commit(first).parents else "--root"
    how = (
        "Nothing was pushed. Make the secret invalid where it is used, then take it out of the commits that hold it: "
        f"{git_in(root, f'rebase -i {since}')}\n"
        "Is it harmless? Put `gitmem: allow-secret` on its line, commit, and push again; or: git push --no-verify"
    )
    return told(door, [finding for _, finding in found], "push", how)


def before_receive(door: Door, root: str, words: Sequence[str]) -> bool:  # noqa: ARG001
    """pre-receive: neither secrets nor new problems come into a server's repository."""
    git = find_git_dir(root)
    with receiving(git.common if git is not None else root, door.environ) as repo:
        known = tips(repo.git)
        found: list[Finding] = []
        for old, new, ref in rows_told(3):
            if new == NOWHERE:
                continue
            found += [finding for _, finding in secrets_sent(repo, new, known)]
            config = file_at(repo, new, CONFIG_FILE) if ref.startswith("refs/heads/") else None
            if config is not None:
                found += problems_between(repo, old, new, read_settings(config))
    return told(door, found, "push", "Nothing was taken in. Mend it in a new commit, or in the one that has it.")


def problems_between(repo: Repo, old: str, new: str, settings: Settings) -> list[Finding]:
    """What the newest commit of a branch adds to what was wrong before; secrets are found elsewhere."""
    coming = between(repo, "" if old == NOWHERE else old, new)
    changed = changes_of(repo, coming, settings)
    report = audit_changes(changed, lambda folder: tree_names(repo, new, folder), lambda: tree_files(repo, new))
    return [each for each in report.findings if severity(each.rule) == PROBLEM and each.rule != "secret"]


def secrets_sent(repo: Repo, new: str, known: Sequence[str]) -> Iterator[tuple[str, Finding]]:
    """Commit and finding for each secret that a commit of the push adds to a memory."""
    harmless: dict[str, set[str]] = {}
    for each in sent(repo, new, known):
        if not each.path.lower().endswith(".md"):
            continue
        after = read_memory(each.path, repo.objects.read(each.blob, "blob"))
        before = [read_memory(each.path, repo.objects.read(blob, "blob")) for blob in each.before]
        if not any(True for _ in new_secrets(after, before)):
            continue
        if each.path not in harmless:
            last = file_at(repo, new, each.path)
            harmless[each.path] = allowed(decode(last, each.path)[0]) if last is not None else set()
        for finding in new_secrets(after, before, harmless[each.path]):
            finding.message = f"{finding.message}, since commit {each.commit[:10]}"
            yield each.commit, finding


def rows_told(count: int) -> Iterator[list[str]]:
    """What git tells the hook on standard input: ``count`` words on each line."""
    if sys.stdin is None:
        return
    for line in sys.stdin.buffer:
        row = line.decode("utf-8", "surrogateescape").split()
        if len(row) == count:
            yield row


def after_move(door: Door, root: str, words: Sequence[str]) -> bool:  # noqa: ARG001
    """post-merge, post-checkout, post-rewrite: let the search index follow, in a process of its own."""
    from gitmem.hook.refresh import start_refresh

    if is_store(root):
        clean = {key: value for key, value in door.environ.items() if not key.startswith("GIT_")}
        start_refresh(root, "", door.when, clean)
    return True


def is_store(root: str) -> bool:
    """Hooks may be shared by repositories that are no stores; there they do nothing."""
    return Path(root, CONFIG_FILE).is_file()


RUN: dict[str, Callable[[Door, str, Sequence[str]], bool]] = {
    "pre-commit": before_commit,
    "pre-merge-commit": before_merge,
    "post-merge": after_move,
    "post-checkout": after_move,
    "post-rewrite": after_move,
    "pre-push": before_push,
    "pre-receive": before_receive,
}
