"""Where the words of a purged text were repeated: texts that were refused, and commit messages that stay."""

from __future__ import annotations

import os

from gitmem.errors import RepositoryDamaged
from gitmem.history.rewrite_marks import Marks
from gitmem.history.rewrite_past import bytes_of
from gitmem.history.rewrite_refs import worktrees
from gitmem.history.tree import FILES, tree_files
from gitmem.memory.document import decode
from gitmem.store.paths import git_in, refused, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.history.repo import Repo
    from gitmem.history.rewrite_past import Choice

HEADS = "refs/heads/"
SHOWN = 10  # digits of a commit


class Said:
    """A message: the object it stands in, that commit's first parent ("" for none or a tag), a ref that leads to it."""

    __slots__ = ("kind", "name", "parent", "ref", "text")

    def __init__(self, kind: str, name: str, parent: str, ref: str, text: str) -> None:
        self.kind, self.name, self.parent, self.ref, self.text = kind, name, parent, ref, text


def repeats(repo: Repo, choice: Choice, refs: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Every place that repeats distinctive lines or words of the memory: where, what, the command that settles it.

    refs: the refs whose messages count, as they are now: name -> id
    """
    marks = Marks([decode(bytes_of(repo, blob), "")[0] for blob in sorted(choice.blobs)], choice.paths)
    places = {place: text for place, text in _refused_texts(repo) if marks.in_text(text)}
    said = [each for each in _messages(repo, refs) if marks.in_text(each.text)]
    texts = [*places.values(), *(each.text for each in said)]
    if texts:
        marks.forget_shared(set().union(*map(marks.in_text, texts)), _others(repo, choice))
    for place, text in places.items():
        if marks.in_text(text):
            yield place, "a text that was refused, and repeats words of it", f"rm {typed(place)}"
    for each in said:
        if marks.in_text(each.text):
            yield f"{each.kind} {each.name[:SHOWN]} of {each.ref}", *_reworded(repo, each)


def _refused_texts(repo: Repo) -> Iterator[tuple[str, str]]:
    for tree in worktrees(repo):
        folder = refused(tree.git_dir)
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            place = os.path.join(folder, name)
            with open(place, "rb") as file:
                yield place, decode(file.read(), name)[0]


def _messages(repo: Repo, refs: Mapping[str, str]) -> Iterator[Said]:
    """Every message that ``refs`` lead to, each once, by HEAD's branch where that leads to it."""
    branch, seen = repo.head()[0], set()
    for ref in sorted(refs, key=lambda ref: (ref != branch, not ref.startswith(HEADS), ref)):
        todo = [refs[ref]]
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            try:
                kind, raw = repo.objects.read_any(name)
            except RepositoryDamaged:
                continue
            head, _, message = raw.partition(b"\n\n")
            lines = head.decode("latin-1").split("\n")
            below = [line.partition(" ")[2] for line in lines if line.startswith(("parent ", "object "))]
            if kind in ("commit", "tag"):
                todo += below
                parent = below[0] if below and kind == "commit" else ""
                yield Said(kind, name, parent, ref, message.decode("utf-8", "replace"))


def _others(repo: Repo, choice: Choice) -> Iterator[str]:
    """The memories of the newest commit, but for the one that goes."""
    for path, (mode, blob) in tree_files(repo, repo.head()[1]).items():
        raw = bytes.fromhex(blob)
        if mode in FILES and path.lower().endswith(".md") and raw not in choice.blobs:
            yield decode(bytes_of(repo, raw), path)[0]


def _reworded(repo: Repo, said: Said) -> tuple[str, str]:
    """What a message holds, and how the person can put another one in its place."""
    what, (now, tip) = "its message repeats words of it", repo.head()
    if said.name == tip:
        return what, git_in(repo.root, "commit --amend --only")
    if said.kind == "commit" and said.ref.startswith(HEADS):
        start = said.parent[:SHOWN] or "--root"
        branch = "" if said.ref == now else f" {typed(said.ref.removeprefix(HEADS))}"
        what = f"{what}; write `reword` instead of `pick` before {said.name[:7]}"
        return what, git_in(repo.root, f"rebase -i --rebase-merges {start}{branch}")
    return f"{what}, and goes with the ref", git_in(repo.root, f"update-ref -d {typed(said.ref)}")
