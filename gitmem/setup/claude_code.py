"""Wire the hook into Claude Code's user settings, and take it out again.

The settings are the person's: everything but our entries keeps its bytes, what cannot be edited
without guessing is left alone and named, and ``uninstall`` gives the original bytes back.  User
settings only: other programs read a project's ``.claude`` folder too and would call the hook twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gitmem.dataclass import dataclass
from gitmem.errors import NoStore, Refused
from gitmem.setup.host import EVENT
from gitmem.setup.json_splice import BadJson, Node, append, parse, remove
from gitmem.setup.original import Before, before, delete, digest, forget, keep, read, write
from gitmem.store.paths import typed
from gitmem.store.place import home_folder

EVENTS = {
    "UserPromptSubmit": ("prompt", ""),
    "SessionStart": ("session-start", "startup|clear|compact"),
    "Stop": ("turn-end", ""),
}
TIMEOUT_S = 10  # Claude Code counts seconds; the hook ends itself long before
LAUNCHERS = ("gitmem.hook.start", "gitmem/hook/start.py")  # an entry that names one is ours; the second is earlier
BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Report:
    """What was done to the settings.

    path:    the settings file
    changed: False when it was already as asked
    notes:   sentences for the person, the next step last
    """

    path: Path
    changed: bool
    notes: tuple[str, ...]


def settings_path(environ: Mapping[str, str]) -> Path:
    """The user settings Claude Code reads: in $CLAUDE_CONFIG_DIR, else in ~/.claude."""
    if folder := environ.get("CLAUDE_CONFIG_DIR"):
        return Path(folder) / "settings.json"
    try:
        return Path(home_folder(environ)) / ".claude" / "settings.json"
    except NoStore as error:
        hint = "export HOME=/home/you"
        raise Refused("no home folder is known, so Claude Code's settings cannot be found", hint=hint) from error


def entries(command: Sequence[str]) -> dict[str, dict[str, object]]:
    """What goes under ``hooks``, by event; ``command`` as ``host.hook_command`` gives it.

    ``command`` and ``args`` apart is Claude Code's form without a shell: nothing is quoted, on any system.
    """
    made: dict[str, dict[str, object]] = {}
    for event, (word, matcher) in EVENTS.items():
        program, *args = (word if part == EVENT else part for part in command)
        handler = {"type": "command", "command": program, "args": args, "timeout": TIMEOUT_S}
        made[event] = {**({"matcher": matcher} if matcher else {}), "hooks": [handler]}
    return made


def install(settings: Path, state: Path, command: Sequence[str]) -> Report:
    """Add the hook to ``settings``; a second time changes nothing, another command replaces the first.

    settings: the file, which need not exist; a link is kept and its target written
    state:    folder of this machine's gitmem, where the original bytes are kept for ``uninstall``
    raises:   Refused (not JSON, or not of Claude Code's form: path, line and column), StoreUnwritable
    """
    target, data = read(settings)
    text, bom = _text(settings, data)
    root = _tree(settings, text)
    wanted = entries(command)
    if _ours(root) == wanted:
        return Report(settings, False, (f"{settings} already calls gitmem.", *_notes(root)))
    known = before(state, target)
    bare = _without_ours(settings, text, None)
    if known is None or known.written != digest(data):
        original = data if bare == text else (bom + bare).encode()
        known = Before(original, target.parent.is_dir(), "")
    made = (bom + _with(settings, bare, wanted) + ("" if data is not None else "\n")).encode()
    keep(state, target, Before(known.original, known.folder, digest(made)))
    write(settings, target, data, made)
    step = "Start a new Claude Code session; in an untrusted folder accept its trust question first."
    undo = "Undo: gitmem uninstall claude-code"
    return Report(
        settings, True, (f"{settings} now calls gitmem at {' and '.join(wanted)}.", *_notes(root), step, undo)
    )


def uninstall(settings: Path, state: Path) -> Report:
    """Take the hook out: the original bytes, or, when the person edited the file since, all but our entries.

    raises: as ``install``
    """
    target, data = read(settings)
    known = before(state, target)
    if data is None:
        forget(state, target)
        return Report(settings, False, (f"{settings} does not exist; nothing to take out.",))
    if known is not None and known.written == digest(data):
        made = known.original
    else:
        text, bom = _text(settings, data)
        original = known.original if known is not None else None
        bare = _without_ours(settings, text, original)
        made = data if bare == text else (bom + bare).encode()
        if known is not None and original is None and not _tree(settings, bare).order:
            made = None
    if made == data:
        forget(state, target)
        return Report(settings, False, (f"{settings} does not call gitmem; nothing to take out.",))
    if made is None:
        delete(settings, target, folder=known is not None and not known.folder)
        note = f"{settings} existed only for gitmem and is removed."
    else:
        write(settings, target, data, made)
        note = f"{settings} no longer calls gitmem."
    forget(state, target)
    return Report(settings, True, (note,))


def _text(settings: Path, data: bytes | None) -> tuple[str, str]:
    """The JSON text, "{}" for no file or an empty one, and the byte order mark before it or ""."""
    try:
        text = (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(f"{settings} is not UTF-8 (byte {error.start}); nothing was changed") from error
    bom = BOM if text.startswith(BOM) else ""
    text = text.removeprefix(BOM)
    return (text if text.strip() else "{\n}"), bom


def _refuse(settings: Path, line: int, column: int, message: str) -> Refused:
    return Refused(
        f"{settings}:{line}:{column}: {message}; nothing was changed",
        hint=f"mend {typed(str(settings))}, then try again",
    )


def _tree(settings: Path, text: str) -> Node:
    """The settings, checked as far as we edit them."""
    try:
        root = parse(text)
    except BadJson as error:
        raise _refuse(settings, error.line, error.column, error.message) from error
    wrong: list[tuple[Node, type, str]] = [(root, dict, "the settings must be an object")]
    hooks = root.children.get("hooks") if isinstance(root.value, dict) else None
    if hooks is not None:
        wrong.append((hooks, dict, '"hooks" must be an object'))
        if isinstance(hooks.value, dict):
            wrong += [(group, list, f'"{event}" must be a list') for event, group in hooks.children.items()]
    for node, form, message in wrong:
        if not isinstance(node.value, form):
            place = BadJson(message, text, node.start)
            raise _refuse(settings, place.line, place.column, message)
    return root


def _is_ours(handler: object) -> bool:
    if not isinstance(handler, dict):
        return False
    args = handler.get("args")
    words = [handler.get("command"), *(args if isinstance(args, list) else [])]
    said = [word.replace("\\", "/") for word in words if isinstance(word, str)]
    return any(launcher in word for word in said for launcher in LAUNCHERS)


def _groups(root: Node) -> list[tuple[str, Node, Node]]:
    """Every (event, list of groups, group) that has handlers."""
    hooks = root.children.get("hooks")
    found = []
    for event, groups in hooks.children.items() if hooks is not None else ():
        for group in groups.order:
            if "hooks" in group.children and isinstance(group.children["hooks"].value, list):
                found.append((str(event), groups, group))
    return found


def _ours(root: Node) -> dict[str, object]:
    """Our groups by event; an event that has two of them gives both, so that it equals nothing wanted."""
    found: dict[str, object] = {}
    for event, _, group in _groups(root):
        if any(_is_ours(handler.value) for handler in group.children["hooks"].order):
            found[event] = [found[event], group.value] if event in found else group.value
    return found


def _without_ours(settings: Path, text: str, original: bytes | None) -> str:
    """``text`` without our handlers, and without what they leave empty unless ``original`` had it."""
    root = _tree(settings, text)
    for _, groups, group in _groups(root):
        handlers = group.children["hooks"]
        for handler in handlers.order:
            if _is_ours(handler.value):
                alone = len(handlers.order) == 1
                text = remove(text, groups, group) if alone else remove(text, handlers, handler)
                return _without_ours(settings, _tidy(settings, text, original), original)
    return text


def _tidy(settings: Path, text: str, original: bytes | None) -> str:
    had = _tree(settings, _text(settings, original)[0]).children.get("hooks")
    root = _tree(settings, text)
    hooks = root.children["hooks"]
    for event, groups in hooks.children.items():
        if event in EVENTS and not groups.order and (had is None or event not in had.children):
            return _tidy(settings, remove(text, hooks, groups), original)
    return remove(text, root, hooks) if not hooks.order and had is None else text


def _with(settings: Path, text: str, wanted: Mapping[str, object]) -> str:
    for event, entry in wanted.items():
        root = _tree(settings, text)
        hooks = root.children.get("hooks")
        if hooks is None:
            text = append(text, root, "hooks", {event: [entry]})
        elif event not in hooks.children:
            text = append(text, hooks, event, [entry])
        else:
            text = append(text, hooks.children[event], None, entry)
    return text


def _notes(root: Node) -> tuple[str, ...]:
    switch = root.children.get("disableAllHooks")
    if switch is not None and switch.value is True:
        return ('The settings say "disableAllHooks": true, so Claude Code will not call it.',)
    return ()
