"""File names: one made from a title, and whether a path may be one.

A name gitmem makes holds on every system: NFC, bounded bytes, no device names,
nothing a shell or a file system reads as something else.  What is on disk
already is read under any name that stays inside the store.
Hot: the cheap set only.
"""

from __future__ import annotations

import unicodedata

from gitmem.errors import BadName
from gitmem.limits import MAX_COMPONENT_BYTES, MAX_DEPTH, MAX_NAME_BYTES, MAX_PATH_BYTES
from gitmem.memory.document import blob_id

# Never memories in any folder, whatever they hold; lower case.
RESERVED_FILES = ("memory.md", "session-log.md")

_ARCHIVE = "archive"
_SUFFIX = ".md"
_HASH_DIGITS = 8
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"]
)
_NOT_ON_WINDOWS = frozenset('<>"|?*')
_UNSEEN_KEPT = ("\u200c", "\u200d")  # Persian and Indic words and emoji need them
_ENCODED = ("%2e", "%2f", "%5c", "%00", "%25", "%3a", "%7e")


def slug(text: str) -> str:
    """A file stem from a title, in any language: NFC, lower case, at most MAX_NAME_BYTES with ``.md``.

    A long title is cut at a character border and gets a hash, so that two long titles with the
    same beginning stay apart.  Secrets are left out; what leaves no word (a lone number,
    an emoji) is named ``note-<hash>``.
    """
    from gitmem.memory.secret import masked, without_cut_secret  # who only checks a name is spared it

    kept = without_cut_secret(masked(unicodedata.normalize("NFC", text), " "))
    words: list[str] = []
    letter = False
    for mark in unicodedata.normalize("NFC", kept.lower()):
        if mark.isalnum() or mark == "_" or (words and words[-1] != "-" and _is_part(mark)):
            words.append(mark)
            letter = letter or mark.isalpha()
        elif mark not in "'’" and words and words[-1] != "-":
            words.append("-")
    stem = "".join(words).strip("-_").rstrip("\u200c\u200d")
    digest = blob_id(kept.encode("utf-8", "replace"))[:_HASH_DIGITS]
    if not letter or not stem:
        return f"note-{digest}"
    room = MAX_NAME_BYTES - len(_SUFFIX)
    if len(stem.encode()) > room:
        head = stem.encode()[: room - _HASH_DIGITS - 1].decode("utf-8", "ignore").rstrip("-_\u200c\u200d")
        stem = f"{head}-{digest}"
    if stem in _DEVICES or f"{stem}{_SUFFIX}" in RESERVED_FILES:
        stem = f"{stem}-note"
    return stem


def check_path(path: str) -> None:
    """Raise BadName unless a new memory may be written at ``path``: inside the store, good on every system.

    The message says what is wrong and what to type instead.
    """
    complaint = _leads_out(path) or _not_portable(path) or _not_a_memory(path)
    if complaint:
        raise BadName(_unless_secret(path, complaint))


def check_inside(path: str) -> None:
    """Raise BadName unless ``path`` is a plain path that stays in the store and out of git's own folder.

    Enough for reading and for editing what is there; a new name must pass ``check_path``.
    """
    complaint = _leads_out(path)
    if complaint:
        raise BadName(_unless_secret(path, complaint))


def check_arriving(path: str) -> None:
    """Raise BadName for a path of git's that leads out of the store or into git's own folder, on any system.

    Less than ``check_inside``, which is for what somebody types: a drive's letter, a backslash or a ``~`` in a tree
    of git's is a file of that name wherever a file can have it.
    """
    parts = path.split("/")
    for part in (piece for whole in parts for piece in whole.split("\\")):
        if _is_git(part) or part == "..":
            raise BadName(_unless_secret(path, f"'{_shown(path)}' leads into git's own folder, or out of the store"))
    held = (_windows_part(part).replace("~", "_") if part.strip(" .") else part for part in parts)
    complaint = _leads_out("/".join(held))
    if complaint:
        raise BadName(_unless_secret(path, complaint))


def unread_name(path: str) -> str:
    """Why the file that is there by this name is not read as a memory, and what to call it; "" for nearly all.

    Some system, or program, would follow such a name out of the store.
    """
    complaint = _leads_out(path)
    if not complaint:
        return ""
    what, _, better = complaint.removeprefix(f"'{_shown(path)}' ").partition("; ")
    better = better.rpartition(": ")[2].removeprefix("type ") if "type " in better else ""
    if path[1:2] == ":" and path[0].isalpha():
        what, better = "begins with a drive's letter", windows_name(path)
    elif "\\" in path:
        what, better = "holds a backslash, which Windows reads as a folder's end", windows_name(path)
    way_out = f"rename it to {better}" if better else "rename it"
    return _unless_secret(path, f"{what}, so it is not read as a memory; {way_out}")


def windows_name(path: str) -> str:
    """``path`` as Windows can hold it, too; itself for nearly all."""
    return "/".join(map(_windows_part, path.split("/")))


def is_reserved(path: str) -> bool:
    """Whether the file's name is one of the index and log files, in any case and any folder."""
    return twin_key(path).rpartition("/")[2] in RESERVED_FILES


def twin_key(path: str) -> str:
    """The same for two paths that one file system may hold as one file (case, NFC against NFD)."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _unless_secret(path: str, complaint: str) -> str:
    """``complaint``, or one that does not repeat a path that holds a secret."""
    from gitmem.memory.secret import secret_spans

    return "the path looks like a secret; type another name" if secret_spans(path) else complaint


def _leads_out(path: str) -> str:
    """What is wrong with a path that another program, or this one, could follow out of the store; "" for none."""
    shown = f"'{_shown(path)}'"
    if not path.strip():
        return "the path is empty; type a name such as notes.md"
    if "\0" in path:
        return f"{shown} holds a NUL character, where file systems end a name; type it without"
    if path.startswith("~"):
        return f"{shown} begins with ~, which is read as a home folder; type {_instead(path.lstrip('~/'))}"
    if path[1:2] == ":" and path[0].isalpha():
        rest = path[2:].replace("\\", "/").lstrip("/")
        return f"{shown} names a drive, but paths count from the store's folder; type {_instead(rest)}"
    if "\\" in path:
        return f"{shown} holds a backslash; type {_instead(path.replace(chr(92), '/'))}"
    if path.startswith("/"):
        return f"{shown} is absolute, but paths count from the store's folder; type {_instead(path.lstrip('/'))}"
    for part in path.split("/"):
        if not part:
            return f"{shown} has an empty folder name; type {_instead('/'.join(filter(None, path.split('/'))))}"
        if not part.strip(" ."):
            rest = "/".join(each for each in path.split("/") if each.strip(" ."))
            return f"{shown} could leave its folder by '{part}'; type the whole path: {_instead(rest)}"
        if _is_git(part):
            return f"{shown} leads into git's own folder; choose another than '{_shown(part)}'"
    return ""


def _not_portable(path: str) -> str:
    """What another system could not hold, show or find in ``path``; "" for nothing."""
    try:
        if len(path.encode()) > MAX_PATH_BYTES:
            return f"the path has {len(path.encode())} bytes, {MAX_PATH_BYTES} are the most; use shorter names"
    except UnicodeEncodeError:
        return f"'{_shown(path)}' is not valid Unicode; type the name anew"
    parts = path.split("/")
    if len(parts) - 1 > MAX_DEPTH:
        return f"'{_shown(path)}' lies {len(parts) - 1} folders deep, {MAX_DEPTH} are the most; use fewer folders"
    for at, part in enumerate(parts):
        complaint, better = _component(part)
        if complaint:
            return f"'{_shown(path)}' {complaint}; type {_instead('/'.join([*parts[:at], better, *parts[at + 1 :]]))}"
    return ""


def _component(part: str) -> tuple[str, str]:
    """What is wrong with one name of a path, and a better one; ``("", part)`` for nothing."""
    low = part.lower()
    if any(code in low for code in _ENCODED):
        better = "".join("-" if mark == "%" else mark for mark in part)
        return "holds a percent code, which some programs read as '.', '/', ':' or '%'", better
    if ":" in part:
        return "holds a colon, which Windows reads as a hidden stream of another file", part.replace(":", "-")
    bad = next((mark for mark in part if mark in _NOT_ON_WINDOWS), "")
    if bad:
        return f"holds {bad}, which Windows keeps in no name", "".join("-" if m in _NOT_ON_WINDOWS else m for m in part)
    unseen = next((mark for mark in part if _is_unseen(mark)), "")
    if unseen:
        better = "".join(mark for mark in part if not _is_unseen(mark))
        return f"holds U+{ord(unseen):04X}, a character that is not seen", better
    if part != part.strip() or part.endswith("."):
        return f"has a blank at an end of '{part}', or a dot after it, which Windows drops", part.rstrip(" .").strip()
    if part.startswith("."):
        return "has a name that begins with a dot, and those are hidden and never read as memories", part.lstrip(".")
    if low.partition(".")[0].rstrip() in _DEVICES:
        return f"holds '{part}', the name of a device on Windows", f"note-{part}"
    if part != unicodedata.normalize("NFC", part):
        return "is spelled with loose accents (NFD), a second name for the same file", unicodedata.normalize(
            "NFC", part
        )
    if len(part.encode()) > MAX_COMPONENT_BYTES:
        better = part.encode()[:MAX_NAME_BYTES].decode("utf-8", "ignore").rstrip(" .") + _SUFFIX
        return f"has a name of {len(part.encode())} bytes, and file systems hold {MAX_COMPONENT_BYTES}", better
    return "", part


def _windows_part(part: str) -> str:
    """One name of a path with a hyphen for each mark that Windows keeps in no name."""
    kept = "".join("-" if mark in _NOT_ON_WINDOWS or mark in ":\\" or mark < " " else mark for mark in part)
    kept = kept.rstrip(" .")
    return f"note-{kept}" if not kept or kept.lower().partition(".")[0].rstrip() in _DEVICES else kept


def _not_a_memory(path: str) -> str:
    """Why what is written at ``path`` would never be recalled; "" when it would."""
    if not path.lower().endswith(_SUFFIX):
        return f"'{path}' does not end in {_SUFFIX}; type {_instead(path + _SUFFIX)}"
    if is_reserved(path):
        stem = path[: -len(_SUFFIX)]
        return f"'{path}' is reserved and never a memory; type another name, such as {stem}-note{_SUFFIX}"
    if twin_key(path).startswith(_ARCHIVE + "/"):  # a file system that is blind to case has one folder for both
        return f"'{path}' lies in the archive, which is never recalled; type {_instead(path[len(_ARCHIVE) + 1 :])}"
    return ""


def _instead(path: str) -> str:
    """What to type instead, when the mended path is worth showing."""
    mended = path.strip("/ ")
    return _shown(mended) if mended and not _leads_out(mended) else "a name such as notes.md"


def _is_git(part: str) -> bool:
    """Whether a file system may take ``part`` for ``.git``: any case, 8.3 form, streams, unseen letters."""
    if part.isascii() and "git" not in part.lower():
        return False
    plain = "".join(mark for mark in part if unicodedata.category(mark) != "Cf")
    plain = unicodedata.normalize("NFKC", plain).casefold().partition(":")[0].rstrip(" .")
    return plain == ".git" or (plain.startswith("git~") and plain[4:].isdigit())


def _is_part(mark: str) -> bool:
    """A vowel sign, an accent, a joiner: no letter, but the word is wrong without it."""
    return mark in _UNSEEN_KEPT or unicodedata.category(mark)[0] == "M"


def _is_unseen(mark: str) -> bool:
    return mark not in _UNSEEN_KEPT and unicodedata.category(mark) in ("Cc", "Cf", "Zl", "Zp")


def _shown(path: str) -> str:
    """``path`` short and printable, for a sentence."""
    short = path if len(path) <= 120 else path[:119] + "…"
    return short if short.isprintable() else ascii(short)[1:-1]
