"""Which operations of a store are there to be taken back, or made again."""

from __future__ import annotations

from gitmem.errors import NotFound, Refused
from gitmem.history.log import shallow
from gitmem.history.message import parse_message, speaks_of, undone
from gitmem.history.revision import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.commit import Commit
    from gitmem.history.repo import Repo
    from gitmem.write.undo_own import Own

PERSONS = ("hand-edit", "relist", "put-back", "merge")  # committed on the way of an operation, never one of their own
BEGINNINGS = ("init", "adopt")
TAKEN_BACK, MADE_AGAIN = "undo", "redo"
FOR_GOOD = "purge"
LIST = "gitmem history --operations"


class Step:
    """One commit with what its trailers say.

    op:     "" for a person's own; also where a person wrote an undo's trailers under a subject of their own
    undoes: commits that it takes back, or as redo the undo that it takes back
    """

    __slots__ = ("agent", "commit", "op", "session", "subject", "undoes")

    def __init__(self, commit: Commit) -> None:
        self.subject, _, trailers = parse_message(commit.message)
        self.commit, self.op = commit, trailers.get("Gitmem-Op", "")
        if self.is_reversing and not speaks_of(self.subject, self.op):
            self.op = ""
        self.agent, self.session = trailers.get("Gitmem-Agent", ""), trailers.get("Gitmem-Session", "")
        self.undoes = undone(self.subject, trailers)

    @property
    def is_reversing(self) -> bool:
        return self.op in (TAKEN_BACK, MADE_AGAIN)

    @property
    def is_ordinary(self) -> bool:
        """Whether it is an operation of its own that can be taken back."""
        others = ("", TAKEN_BACK, MADE_AGAIN, "conflict", FOR_GOOD, *PERSONS, *BEGINNINGS)
        return self.op not in others and bool(self.commit.parents)

    @property
    def is_persons(self) -> bool:
        """Whether it is the person's own work: committed with git, or an edit by hand."""
        return self.op in ("", "hand-edit")


def find_operation(repo: Repo, name: str) -> Commit:
    """The operation a person named.

    raises: NotFound; Refused for one that is taken back already, or is no part of the store's present
    """
    wanted = resolve(repo, name)
    gone: set[str] = set()
    for step in _steps(repo):
        gone.update(_taken_back(step, gone))
        if step.commit.id != wanted:
            continue
        if wanted in gone:
            raise Refused(f"{name} is taken back already", hint="gitmem redo")
        if step.op == "conflict":
            raise Refused(
                f"{name} is a conflict record, which changed nothing; what settled it can be taken back", hint=LIST
            )
        if step.op == FOR_GOOD:
            raise Refused(f"{name} is a purge, which is for good: what it removed is nowhere any more", hint=LIST)
        if step.op == TAKEN_BACK:
            raise Refused(
                f"{name} is itself an undo; what it took back is made again by redo", hint=f"gitmem redo {name}"
            )
        return step.commit
    raise NotFound(f"{name} is no operation of this store's present history", hint=LIST)


def operations_of(repo: Repo, *, session: str, agent: str, since: int | None) -> list[Commit]:
    """Every operation of a session, an agent, or since a time, that is not taken back; newest first.

    raises: Refused when there is none
    """
    found = [
        step.commit
        for step in standing(repo, since)
        if (not session or step.session == session) and (not agent or step.agent == agent)
    ]
    if not found:
        words = [f"of session {session}" if session else "", f"of agent {agent}" if agent else ""]
        words.append("since then" if since is not None else "")
        said = " ".join(word for word in words if word)
        raise Refused(f"there is no operation {said} that is not taken back already", hint=LIST)
    return found


def by_hand(repo: Repo, since: int) -> list[Step]:
    """The person's own commits since a time that are not taken back; newest first."""
    return [step for step in present(repo, since) if step.is_persons and len(step.commit.parents) == 1]


def last_undo(repo: Repo, name: str, own: Own) -> Commit:
    """The undo to make again: the one named, by its own commit or by what it took back, else the last.

    raises: Refused when there is none, it came from elsewhere, or other operations came after it; NotFound
    """
    wanted = resolve(repo, name) if name else ""
    gone: set[str] = set()
    for step in _steps(repo):
        gone.update(_taken_back(step, gone))
        if (
            step.op == TAKEN_BACK
            and step.commit.id not in gone
            and (not wanted or wanted in (step.commit.id, *step.undoes))
        ):
            if not wanted and not own.is_own(step.commit):
                raise Refused(f"{own.told([step])}; nothing was changed", hint=f"gitmem redo {step.commit.id[:10]}")
            return step.commit
        if not wanted and not step.is_reversing and step.op not in PERSONS:
            break
    if wanted:
        raise Refused(f"{name} is no undo, and nothing that is taken back", hint=LIST)
    raise Refused("there is nothing to make again: the last operation is not an undo", hint="gitmem redo OPERATION")


def standing(repo: Repo, since: int | None = None) -> Iterator[Step]:
    """Operations that are neither taken back nor themselves undo or redo; newest first."""
    return (step for step in present(repo, since) if step.is_ordinary)


def present(repo: Repo, since: int | None = None) -> Iterator[Step]:
    """The commits since a time that are not taken back; newest first."""
    gone: set[str] = set()
    for step in _steps(repo):
        gone.update(_taken_back(step, gone))
        if since is not None and step.commit.when < since:
            return
        if step.commit.id not in gone:
            yield step


def _taken_back(step: Step, gone: set[str]) -> tuple[str, ...]:
    """What an undo (or a redo, which takes an undo back) takes away, unless it is taken back itself."""
    return step.undoes if step.commit.id not in gone else ()


def _steps(repo: Repo) -> Iterator[Step]:
    """The commits of the store's present, newest first: those that merges brought included, conflict records not."""
    borders = shallow(repo)
    seen: set[str] = set()
    waiting = [repo.head()[1]] if repo.head()[1] else []
    while waiting:
        waiting.sort(key=lambda name: repo.commit(name).when)
        name = waiting.pop()
        step = Step(repo.commit(name))
        yield step
        parents = () if name in borders else step.commit.parents
        for parent in parents:
            if parent not in seen:
                seen.add(parent)
                waiting.append(parent)
