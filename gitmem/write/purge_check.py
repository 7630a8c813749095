"""What is asked and looked at before a purge begins: who may, the name again, and words that nobody else has."""

from __future__ import annotations

import unicodedata

from gitmem.errors import Refused
from gitmem.history.convert import stored
from gitmem.history.objects import object_id
from gitmem.history.ownrefs import own_refs
from gitmem.history.pushed import sent
from gitmem.history.rewrite_refs import THEIRS
from gitmem.store.paths import git_in, typed, with_option
from gitmem.write.find import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.history.repo import Repo
    from gitmem.history.rewrite_past import Choice
    from gitmem.history.view import View
    from gitmem.write.change import Actor
    from gitmem.write.purge import Plan


def check_actor(actor: Actor, path: str) -> None:
    if actor.kind != "person":
        raise Refused(
            f"a {actor.kind} may not purge {path}: only a person may remove a memory for ever",
            hint=f"ask the person to run: gitmem purge {typed(path)}",
        )


def check_confirmed(plan: Plan, given: str) -> None:
    names = {unicodedata.normalize("NFC", each) for each in (stem(plan.path), plan.path)}
    if unicodedata.normalize("NFC", given.strip()) not in names:
        raise Refused(
            f"the name given is not {stem(plan.path)}; nothing was changed",
            hint=f"gitmem purge {typed(plan.path)} {with_option('--confirm', stem(plan.path))}",
        )


def check_saved(view: View, choice: Choice, paths: Sequence[str], living: Mapping[str, str]) -> None:
    """Refuse a purge that would take words which stand in no commit: nobody else has them, and nobody named them.

    paths:  those of the memory; living: path -> blob of what the last commit has
    raises: Refused
    """
    for path in paths:
        blob = living.get(path, "")
        if not blob or bytes.fromhex(blob) not in choice.forget.get(path.encode("utf-8", "surrogateescape"), ()):
            continue
        data = view.read(path)
        if data is not None and object_id("blob", stored(view, path, data)) != blob:
            look, drop = (
                git_in(view.repo.root, f"{words} HEAD -- {typed(path)}") for words in ("diff", "checkout")
            )  # fmt: skip
            raise Refused(
                f"{path} has an edit of yours that is not committed, and a purge would take it too; nothing was "
                f"changed. Look at it: {look}",
                hint=f"put what you need of it into another memory, then: {drop} && gitmem purge {typed(path)}",
            )


def unsent(repo: Repo, refs: Mapping[str, str], choice: Choice) -> int:
    """How many of the texts stand in no commit that a remote had when it was last asked; 0 without a remote.

    refs: those that a purge rewrites: name -> id
    """
    there = [*own_refs(repo.git, "refs/remotes/").values(), *own_refs(repo.git, THEIRS).values()]
    if not there:
        return 0
    found = {bytes.fromhex(each.blob) for name in set(refs.values()) for each in sent(repo, name, there)}
    return len(found & choice.blobs)
