"""Take operations back, and make them again: always by a new commit, never by rewriting history (B8, B12).

A file that nobody touched since gets its earlier bytes.  One that was changed since is merged, as if the operation had
never been; where that cannot be done without guessing, nothing is written and what stands in the way is named.
"""

from __future__ import annotations

from gitmem.errors import InTheWay, Refused
from gitmem.history.message import parse_message
from gitmem.history.repo import open_repo
from gitmem.memory.clean import one_line
from gitmem.write.apply import apply
from gitmem.write.change import Change
from gitmem.write.memory import Kept
from gitmem.write.notes import notes_of
from gitmem.write.operations import LIST, Step, by_hand, find_operation, last_undo, operations_of, present
from gitmem.write.undo_obstacle import TITLE_CHARS, named
from gitmem.write.undo_own import Own, whose
from gitmem.write.undo_plan import Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gitmem.history.commit import Commit, FileChange
    from gitmem.history.repo import Repo
    from gitmem.write.change import Actor, Reader

    Choices = Callable[[Repo], Iterable[Sequence[Commit]]]  # the first of which anything is left is taken back

MAX_NAMED = 8  # obstacles, paths and commits in one sentence
TAKE_BACK = "to take it back: gitmem undo"
BULK = 20  # files above which a rollback point is made first


class Undone:
    """What was taken back.

    operations: ids of the commits; subjects: what they were; paths: files that changed
    commit:     of the undo; notes: sentences for the person
    """

    __slots__ = ("commit", "notes", "operations", "paths", "subjects")

    def __init__(self, operations: Sequence[str], subjects: Sequence[str], kept: Kept, paths: Sequence[str]) -> None:
        self.operations, self.subjects, self.paths = tuple(operations), tuple(subjects), tuple(paths)
        self.commit, self.notes = kept.commit, kept.notes


def undo(
    root: str,
    operation: str = "",
    *,
    session: str = "",
    agent: str = "",
    since: int | None = None,
    when: int,
    actor: Actor,
    environ: Mapping[str, str],
    reason: str = "",
) -> Undone:
    """Take back one operation, or every one of a session, an agent or a time; else the person's own last one here.

    operation: a commit, however shortened
    since:     UTC unix seconds
    raises:    NotFound; Refused when there is nothing to take back, and for anyone but a person;
               InTheWay naming the files and the operations that were made on them since
    """
    _check_person(actor, "take back operations")
    said: list[str] = []
    if not (operation or session or agent or since is not None):
        return _take_back(root, "undo", lambda repo: _last(repo, environ, said), said, actor, when, environ, reason)
    with open_repo(root) as repo:
        if operation:
            commits = [find_operation(repo, operation)]
        else:
            commits = operations_of(repo, session=session, agent=agent, since=since)
        if since is not None:
            said = _own_work(by_hand(repo, since))
    return _take_back(root, "undo", lambda _: [commits], said, actor, when, environ, reason)


def redo(
    root: str, operation: str = "", *, when: int, actor: Actor, environ: Mapping[str, str], reason: str = ""
) -> Undone:
    """Make again what an undo took back: the last one, or the undo that is named.

    raises: as ``undo``
    """
    _check_person(actor, "make operations again")
    with open_repo(root) as repo:
        commit = last_undo(repo, operation, Own(repo, environ))
    return _take_back(root, "redo", lambda _: [[commit]], [], actor, when, environ, reason)


def _check_person(actor: Actor, what: str) -> None:
    if actor.kind != "person":
        raise Refused(f"a {actor.kind} may not {what}; a person does", hint="gitmem undo")


def _last(repo: Repo, environ: Mapping[str, str], said: list[str]) -> Iterable[Sequence[Commit]]:
    """The person's own operations on this machine, newest first.

    said:   gets what to say of what is newer and stays
    raises: Refused when there are only operations from elsewhere
    """
    own = Own(repo, environ)
    newer: list[Step] = []
    is_any = False
    said.clear()
    for step in present(repo):
        if step.is_ordinary and own.is_own(step.commit):
            said[:] = [f"{own.told(newer)}; it stays, {TAKE_BACK} {newer[0].commit.id[:10]}"] if newer else []
            is_any = True
            yield [step.commit]
        elif not is_any and (step.is_ordinary or (step.is_persons and len(step.commit.parents) == 1)):
            newer.append(step)
    others = [step for step in newer if step.is_ordinary]
    if others and not is_any:
        raise Refused(
            f"no operation made on this machine is left to take back; {own.told(others)}; nothing was changed",
            hint=f"gitmem undo {others[0].commit.id[:10]}",
        )


def _own_work(steps: Sequence[Step]) -> list[str]:
    """What to say of the person's own commits in a time of which all is taken back."""
    if not steps:
        return []
    more = f" and {len(steps) - MAX_NAMED} more" if steps[MAX_NAMED:] else ""
    return [f"what you did yourself since then stays: {', '.join(map(named, steps[:MAX_NAMED]))}{more}"]


def _take_back(
    root: str,
    word: str,
    choices: Choices,
    said: Sequence[str],
    actor: Actor,
    when: int,
    environ: Mapping[str, str],
    reason: str,
) -> Undone:
    done: list[Commit] = []
    subjects: list[str] = []

    def make(reader: Reader) -> list[FileChange]:
        plan, passed = _chosen(reader, choices, word)
        done[:], subjects[:] = plan.done, [_subject(commit, word) for commit in plan.done]
        change.memory = subjects[0] if len(done) == 1 else f"{len(done)} operations"
        change.trailers = {"Undoes": " ".join(commit.id for commit in done)}
        change.refs, change.restores = plan.refs, {each.path for each in plan.files}
        is_bulk = len(plan.files) > BULK or len(done) > 1 or any(len(Step(commit).undoes) > 1 for commit in done)
        change.point = f"before {word} of {change.memory}" if is_bulk else ""
        change.notes = [
            *(
                f"passed over {named(Step(commit))}: the files are as before it already"
                for commit in passed[:MAX_NAMED]
            ),
            *(f"conflict {name} is closed" for name in plan.closed[:MAX_NAMED]),
            *(_opened(name, plan.settled.get(name)) for name in plan.opened[:MAX_NAMED]),
        ]
        return plan.files

    change = Change(word, "", reason, actor, make)
    change.always = True  # a settled conflict may have changed no file
    applied = apply(root, change, when, environ)
    paths = list(applied.paths)
    notes = (*change.notes, *said, *notes_of(root, applied, environ))
    kept = Kept(paths[0] if paths else "", "", applied.commit, notes)
    return Undone([commit.id for commit in done], subjects, kept, paths)


def _opened(name: str, other: Commit | None) -> str:
    """other: a commit that settles the conflict too, and stands"""
    if other is None:
        return f"conflict {name} is open again"
    return (
        f"conflict {name} is open again, until the next sync: {whose(other)}{named(Step(other))} settled it too; "
        f"take that back as well: gitmem undo {other.id[:10]}"
    )


def _subject(commit: Commit, word: str) -> str:
    subject = parse_message(commit.message)[0]
    return subject.removeprefix("undo: ") if word == "redo" else subject


def _chosen(reader: Reader, choices: Choices, word: str) -> tuple[Plan, list[Commit]]:
    """The first choice of which anything is left, and the operations that were passed over for that.

    raises: Refused when nothing is left of any; InTheWay
    """
    done = "taken back" if word == "undo" else "made again"
    passed: list[Commit] = []
    for commits in choices(reader.repo):
        first = next((commit for commit in commits if not commit.parents), None)
        if first is not None:
            said = f"{first.id[:10]} began this store; nothing lies before it to go back to"
            raise Refused(said, hint=LIST)
        title = one_line(_title(commits, word), TITLE_CHARS)
        plan = Plan(reader, commits)
        if plan.obstacles:
            raise _in_the_way(plan, title, done)
        if plan.files or plan.refs:
            return plan, passed
        passed += commits
    if not passed:
        raise Refused("there is no operation to take back", hint=LIST)
    title = one_line(_title(passed, word), TITLE_CHARS)
    raise Refused(f"nothing of {title} is left to be {done}: the files are so already", hint=LIST)


def _title(commits: Sequence[Commit], word: str) -> str:
    return _subject(commits[0], word) if len(commits) == 1 else f"{len(commits)} operations"


def _in_the_way(plan: Plan, title: str, done: str) -> InTheWay:
    said = list(plan.obstacles)
    more = f"; and {len(said) - MAX_NAMED} more" if said[MAX_NAMED:] else ""
    hints = [hint for hint in plan.obstacles.values() if hint]
    return InTheWay(
        f"{title} cannot be {done}: {'; '.join(said[:MAX_NAMED])}{more}; nothing was written",
        hint=hints[0] if hints else f"edit by hand; what was done: {LIST}",
    )
