"""The settings of a store where its settings file is broken or not on disk: the last commit's count too.

A sparse checkout leaves the file out, a person may remove it or mistype a line: what was locked stays locked, and what
was left out stays out, until a commit says otherwise.
"""

from __future__ import annotations

from gitmem.errors import GitmemError, NoStore
from gitmem.memory.finding import Finding
from gitmem.store.paths import CONFIG_FILE
from gitmem.store.settings import Settings, load_settings, read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.repo import Repo


def settings_of(root: str) -> Settings:
    """What the store at ``root`` asks for; git is asked only where its settings file is not whole."""
    settings = load_settings(root)
    if settings.is_whole:
        return settings
    from gitmem.history.repo import open_repo  # most files are whole

    try:
        with open_repo(root) as repo:
            return with_committed(settings, repo)
    except NoStore:
        return settings
    except (GitmemError, OSError) as error:
        return _unknown(settings, error)


def with_committed(settings: Settings, repo: Repo) -> Settings:
    """``settings``, where they are not whole completed by what the last commit says."""
    if settings.is_whole:
        return settings
    from gitmem.history.tree import file_at

    try:
        head = repo.head()[1]
        data = file_at(repo, head, CONFIG_FILE) if head else None
    except (GitmemError, OSError) as error:
        return _unknown(settings, error)
    return settings if data is None else settings.beside(read_settings(data))


def _unknown(settings: Settings, error: GitmemError | OSError) -> Settings:
    """Where nobody can say what the last commit locks, all is locked."""
    if settings.broken is None:
        why = error.message if isinstance(error, GitmemError) else error.strerror or str(error)
        said = f"it is not on disk, and the last commit cannot be read, so nothing is archived or purged: {why}"
        settings.broken = Finding("config", CONFIG_FILE, 0, said)
        settings.findings.append(settings.broken)
    return settings
