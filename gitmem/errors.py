"""Every error a person can meet: a sentence, fields for programs, a hint that can be typed.

Hot: imports nothing.  What is wrong with a person's files is not an error but a
``Finding`` (memory/finding.py).
"""

from __future__ import annotations


class GitmemError(Exception):
    """Something was refused; the state of the store is as before.

    exit_code: what the command line ends with
    code:      a stable word for programs
    hint:      the next command to type, or "" when there is none
    """

    exit_code = 1
    code = "refused"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


class NoStore(GitmemError):
    """There is no store at the place that was named or found; nothing was made."""

    code = "no-store"


class NotFound(GitmemError):
    """No memory, section or revision of that name."""

    code = "not-found"


class Usage(GitmemError):
    """The words of the command do not fit together; nothing was tried."""

    exit_code = 2
    code = "usage"


class Refused(GitmemError):
    """A guard said no: a right, a name, a size.  Refused text is kept at ``kept``.

    kept: path of the file that holds the refused text, "" when there was none
    """

    def __init__(self, message: str, *, hint: str = "", kept: str = "") -> None:
        super().__init__(message, hint=hint)
        self.kept = kept


class Stale(GitmemError):
    """The memory is no longer what the writer read; nothing was written, what was wanted is a conflict record.

    path:     the memory
    ref:      the record, ``refs/gitmem/conflicts/<id>``
    is_clean: the change does not touch what moved: repeated with ``--merge`` it is made
    """

    exit_code = 4
    code = "stale"

    def __init__(self, message: str, *, path: str, ref: str, is_clean: bool, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.path, self.ref, self.is_clean = path, ref, is_clean


class InTheWay(GitmemError):
    """An earlier operation cannot be taken back as it is: later ones stand in the way; nothing was written."""

    exit_code = 4
    code = "in-the-way"


class Exists(Refused):
    """Something stands already where the memory would go; nothing is overwritten."""

    code = "exists"


class Locked(Refused):
    """The memory is locked: it is neither archived nor removed."""

    code = "locked"


class BadName(Refused):
    """A path or name that no store may hold."""

    code = "bad-name"


class TooBig(Refused):
    """More bytes than a memory may have."""

    code = "too-big"


class BrokenHead(Refused):
    """The frontmatter cannot be edited without guessing; the file is as it was.

    line: line number in the file, 1-based
    """

    code = "broken-head"

    def __init__(self, message: str, *, line: int, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.line = line


class RepositoryBusy(GitmemError):
    """Another program holds git's locks, or an operation such as a rebase is under way.

    Nothing was written.
    """

    code = "busy"


class RepositoryDamaged(GitmemError):
    """An object or a ref cannot be read; nothing was written."""

    code = "damaged"


class StoreUnwritable(GitmemError):
    """The disk is full, read-only or not ours; what was acknowledged before is safe."""

    code = "unwritable"


class Unprinted(GitmemError):
    """The answer could not be printed; a change it would have told of is made."""

    code = "unprinted"


class FormatTooNew(GitmemError):
    """The store was written by a newer gitmem; this one will not touch it."""

    code = "format"


class IndexUnusable(GitmemError):
    """The search index cannot be opened or built (for example SQLite without FTS5)."""

    code = "index"
