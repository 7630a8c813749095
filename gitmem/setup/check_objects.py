"""The doctor's look at git's object folder: what killed writers left there, and whether what counts is whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gitmem.history.objects import abandoned
from gitmem.history.point import every_point
from gitmem.history.repo import Repo
from gitmem.history.sound import Sound
from gitmem.limits import YOUNG_LOCK_S
from gitmem.setup.check import NOTE, OK, TROUBLE, Check, age_of, counted
from gitmem.store.gitdir import GitDir
from gitmem.store.paths import git_in, state
from gitmem.write.notes import purge_notes


def temps(git: GitDir) -> Iterator[Check]:
    """Temporary files of gitmem's that no writer needs any more, and half-written objects."""
    name, objects = "temporary files", Path(git.common, "objects")
    old = [path for path in Path(state(git.path)).glob("tmp-*") if (age_of(path) or 0) > YOUNG_LOCK_S]
    left = abandoned(str(objects), loose=True)
    for count, folder in ((len(old), state(git.path)), (len(left), str(objects))):
        if count:
            message = f"{counted(count, 'file')} of killed writers in {folder}"
            yield Check(name, TROUBLE, message, "gitmem doctor --fix", mending=True)
    if old or left:
        return
    half = [path for path in objects.glob("??/tmp_obj_*") if (age_of(path) or 0) > YOUNG_LOCK_S]
    if half:
        yield Check(name, NOTE, f"{counted(len(half), 'half-written object')}; git gc removes such in time")
        return
    yield Check(name, OK, "none is left over")


def purges(git: GitDir) -> Iterator[Check]:
    for note in purge_notes(git):
        message, _, command = note.partition("; type: ")
        yield Check("purge", TROUBLE, message, command)


def objects_whole(repo: Repo) -> Check:
    """What the newest commit and the rollback points need: a point that cannot be returned to is none."""
    name, sound, (points, damaged) = "objects", Sound(repo), every_point(repo)
    head = repo.head()[1]
    wrong = [f"the newest commit is damaged: {said}"] if head and (said := sound.trouble(head)) else []
    wrong += [f"rollback point {each} is damaged: its commit cannot be read" for each in damaged]
    wrong += [f"rollback point {each.id} is damaged: {said}" for each in points if (said := sound.trouble(each.commit))]
    if not wrong:
        return Check(name, OK, f"whole in the newest commit and in {counted(len(points), 'rollback point')}")
    more = f" ({len(wrong) - 1} more)" if len(wrong) > 1 else ""
    return Check(name, TROUBLE, wrong[0] + more, git_in(repo.root, "fsck"))
