"""Memory text made fit for a prompt: it can neither close nor forge gitmem's frame.

A block is plain lines: ``[gitmem NONCE] ...``, passages under ``### file.md:40-52 ...``,
``[/gitmem NONCE]``.  Memory text loses control characters, bidi marks and hidden
letters; a bracket that would begin a frame line becomes ``(`` and a heading that would
read as a label gets a backslash.  Ordinary text is unchanged (promise F12).
Hot: the cheap set only.
"""

from __future__ import annotations

import unicodedata

OPENING, CLOSING = "[gitmem ", "[/gitmem "  # what a frame's first and last line begin with; the nonce follows

_WORD = "gitmem"
_JOINERS = ("\u200c", "\u200d")  # kept between letters that are not ASCII: Persian, Indic scripts, emoji
_FORMS = ("\ufe0e", "\ufe0f")  # text or emoji form of the letter before; kept once
_BETWEEN = "/\\*_`|"  # may stand between the bracket and the word and still be read past
_NUMBERING = " \t>-+*0123456789.)"  # may stand before a heading inside a quotation or a list
_CLOSING = " \t`*_~\"'>,;"  # may stand between a file's name and its lines
_MAX_BEHIND = 200  # characters behind a file's name in which its lines are looked for
_MAX_BLOCK = 64 * 1024  # characters of a block of ours, with what a host adds: seven times the longest
_MAX_CONTROL = 1024  # characters of a terminal's control string that are looked through for its end
_NONCE = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-")
_MAX_NONCE = 64
_MAX_LEAD = 200  # characters before and after a block in which a wrapper is looked for
_WRAPPERS = (("<hook_context>", "</hook_context>"), ("&lt;hook_context&gt;", "&lt;/hook_context&gt;"))


def _table() -> dict[int, str | None]:
    gone = [*range(0x20), 0x7F, *range(0x80, 0xA0), 0xAD, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0]
    gone += [*range(0x180B, 0x1810), 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x2070)]
    gone += [*range(0xFE00, 0xFE0E), 0xFEFF, *range(0xFFF9, 0xFFFC), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE0200)]
    table: dict[int, str | None] = dict.fromkeys(gone)
    # what Python, terminals and models may take for the end of a line is one
    table.update(dict.fromkeys((0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029), "\n"))
    del table[0x09]
    return table


_TABLE = _table()
_HIDDEN = frozenset(map(chr, _TABLE)) - {"\n"}
_UNSEEN = _HIDDEN.union(_JOINERS, _FORMS)
# How a reader sees a letter: accents and joiners gone, look-alikes of "gitmem" as what they look like.
_LOOKS = (
    *((mark, "[") for mark in "\u2045\u2772\u298b\u298d\u298f\u2997\u27e6\u27ec\u3010\u3014\u3016\u3018\u301a"),
    ("\u2044", "/"), ("\u2215", "/"), ("\u29f8", "/"), ("\u2571", "/"),
    ("\u0261", "g"), ("\u0131", "i"), ("\u0456", "i"), ("\u0435", "e"), ("\u043c", "m"), ("\u0442", "t"),
    *zip("\u0262\u026a\u1d1b\u1d0d\u1d07", "gitme", strict=True),  # small capitals
    *zip("\u0581\u03b9\u03c4\u03bc\u03b5", "gitme", strict=True),  # Armenian, and Greek as its capitals look
    ("\u266f", "#"), ("\u22d5", "#"), ("\u0501", "d"), ("\u1d05", "d"),
    *((mark, ":") for mark in "\u2236\ua789\u02d0\u05c3\u0589"),
)  # fmt: skip
_NUMBER_SIGNS = "#\uff03\ufe5f\u266f\u22d5"


def frame_safe(text: str) -> str:
    """``text`` as it may stand inside a frame; doing it twice changes nothing more."""
    if "\x1b" in text or "\x9b" in text:
        text = _without_control_strings(text)
    if not _HIDDEN.isdisjoint(text):  # five times faster than to translate what needs none
        text = text.replace("\r\n", "\n").translate(_TABLE)
    if not text.isascii():
        text = _without_hidden(text.encode("utf-8", "replace").decode())
    text = _without_frames(text)
    if any(mark in text for mark in _NUMBER_SIGNS):
        text = "\n".join([_without_label(line) for line in text.split("\n")])
    return text


def one_line(text: str, max_chars: int) -> str:
    """``text`` frame-safe on one line, blanks run together, at most ``max_chars`` with a ``…`` where it was cut."""
    line = " ".join(frame_safe(" ".join(text.split())).split())
    return line if len(line) <= max_chars else line[: max_chars - 1].rstrip() + "…"


def is_blank(text: str) -> bool:
    """Whether there is nothing to be seen in ``text``."""
    return all(mark in _UNSEEN or mark.isspace() for mark in text)


def is_own_text(prompt: str) -> bool:
    """Whether a host handed gitmem its own words as the prompt: there is no question in it."""
    return OPENING in prompt and not strip_own_blocks(prompt).strip("\"' \t\r\n")


def strip_own_blocks(text: str) -> str:
    """``text`` without gitmem's blocks and the wrapper a host put around them; the person's words are left.

    A block whose end a host cut off is taken up to the end of its wrapper, or of a text that begins with it.
    """
    at = 0
    while (at := text.find(OPENING, at)) >= 0:
        nonce = _nonce(text, at + len(OPENING))
        end = _block_end(text, at, nonce) if nonce else -1
        if end < 0:
            at += len(OPENING)
            continue
        at, end = _with_wrapper(text, at, end)
        text = text[:at] + text[end:].lstrip("\r\n")
    return text


def _nonce(text: str, at: int) -> str:
    """The nonce that stands at ``at`` with its bracket, "" when none does."""
    end = at
    while end < len(text) and end - at <= _MAX_NONCE and text[end] in _NONCE:
        end += 1
    return text[at:end] if text[end : end + 1] == "]" else ""


def _block_end(text: str, start: int, nonce: str) -> int:
    """Where the block that begins at ``start`` ends, -1 when none begins there."""
    before = text[max(0, start - _MAX_LEAD) : start].rstrip(" \t\"'")
    wrapper = next((pair for pair in _WRAPPERS if before.rstrip().endswith(pair[0])), None)
    if wrapper is None and any(map(str.isalnum, text[_line_start(text, start) : start])):
        return -1  # quoted inside a sentence
    closing = f"{CLOSING}{nonce}]"
    end = text.find(closing, start, start + _MAX_BLOCK)
    if end >= 0:
        return end + len(closing)
    end = text.find(wrapper[1], start, start + _MAX_BLOCK) if wrapper else -1
    at_top = start < _MAX_LEAD and not before.strip()
    return len(text) if end < 0 and (wrapper or at_top) else end


def _with_wrapper(text: str, start: int, end: int) -> tuple[int, int]:
    """The same stretch with a host's wrapper, when nothing else is in it, or with a person's ``> `` before it."""
    before, after = text[max(0, start - _MAX_LEAD) : start], text[end : end + _MAX_LEAD]
    for opening, closing in _WRAPPERS:
        if before.rstrip().endswith(opening) and after.lstrip().startswith(closing):
            return start - len(before) + before.rindex(opening), end + after.index(closing) + len(closing)
    line = _line_start(text, start)
    is_quoted = text[line:start].strip(" \t\"'") and not any(map(str.isalnum, text[line:start]))
    return (line if is_quoted else start), end


def _line_start(text: str, at: int) -> int:
    """Where the line of ``at`` starts, looked for no farther than a mark of quotation may reach."""
    low = max(0, at - _MAX_LEAD)
    return max(low, text.rfind("\n", low, at) + 1, text.rfind("\r", low, at) + 1)


def _without_control_strings(text: str) -> str:
    """Colour codes, titles and links for terminals, with their parameters; a lone escape goes with the controls."""
    text = text.replace("\x9b", "\x1b[")  # one letter for the same two
    parts: list[str] = []
    at = 0
    while (start := text.find("\x1b", at)) >= 0:
        parts.append(text[at:start])
        at = _control_end(text, start)
    return "".join([*parts, text[at:]])


def _control_end(text: str, start: int) -> int:
    """Where the control string ends that begins at ``start``."""
    mark, at = text[start + 1 : start + 2], start + 2
    if mark == "[":
        while at < len(text) and at - start < _MAX_CONTROL and " " <= text[at] <= "?":
            at += 1
        return at + 1 if at < len(text) and "@" <= text[at] <= "~" else at
    if mark and mark in "]PX^_":
        ends = [(text.find(end, at, at + _MAX_CONTROL), len(end)) for end in ("\x07", "\x1b\\", "\x9c")]
        reached = [place + length for place, length in ends if place >= 0]
        if reached:
            return min(reached)
    return start + 1


def _without_hidden(text: str) -> str:
    """Joiners and letter forms only where writing needs them, so that they spell no hidden message."""
    if not any(mark in text for mark in _JOINERS + _FORMS):
        return text
    kept: list[str] = []
    base = ""  # the last letter that shows
    for at, mark in enumerate(text):
        last = kept[-1] if kept else ""
        if mark in _JOINERS:
            following = text[at + 1 : at + 8].lstrip("".join(_JOINERS + _FORMS))[:1]
            if _joins(base) and following and not following.isascii() and last not in _JOINERS:
                kept.append(mark)
        elif mark in _FORMS:
            if last and not last.isspace() and last not in _JOINERS + _FORMS:
                kept.append(mark)
        else:
            base = mark
            kept.append(mark)
    return "".join(kept)


def _joins(base: str) -> bool:
    """A letter, an accent or a picture, not ASCII: what a joiner may follow; a bracket is none."""
    return bool(base) and not base.isascii() and unicodedata.category(base)[0] in "LMS"


def _without_frames(text: str) -> str:
    """Brackets before our first word made round, however the word is disguised."""
    if text.isascii():
        seen, origin = text.lower(), None
        if _WORD not in seen:
            return text
    elif _WORD not in _as_seen(text):
        return text
    else:
        seen, origin = _letters_seen(text)
    marks = list(text)
    at = seen.find(_WORD)
    while at >= 0:
        start = at - 1
        while start >= 0 and (seen[start] in _BETWEEN or (seen[start].isspace() and seen[start] != "\n")):
            start -= 1
        is_link = start == at - 1 and seen.startswith("](", at + len(_WORD))
        if start >= 0 and seen[start] == "[" and not is_link:
            marks[origin[start] if origin else start] = "("
        at = seen.find(_WORD, at + 1)
    return "".join(marks)


def _without_label(line: str) -> str:
    """A heading that reads as a passage's label, with a backslash before it."""
    seen = line.lower() if line.isascii() else _as_seen(line)
    if ".md" not in seen or not _is_heading(seen):
        return line
    if not line.isascii():  # digits of other scripts are lines too
        seen = _as_seen("".join([f"{unicodedata.decimal(mark, mark)}" for mark in line]))
    at = seen.find(".md")
    while at >= 0:
        opened = seen.rfind("](", 0, at)
        if not (opened >= 0 and ")" not in seen[opened:at]) and _names_lines(seen[at + 3 : at + _MAX_BEHIND]):
            first = min(place for place in map(line.find, _NUMBER_SIGNS) if place >= 0)
            return line[:first] + "\\" + line[first:]
        at = seen.find(".md", at + 1)
    return line


def _is_heading(seen: str) -> bool:
    """Whether a number sign comes before any word, behind marks of quotation or of a list."""
    for mark in seen.lstrip(_NUMBERING):
        if mark == "#":
            return True
        if mark == "\\" or mark.isalnum():
            return False
    return False


def _names_lines(rest: str) -> bool:
    """Whether what stands behind a file's name reads as a label does: as lines, ``:4`` or ``#L4``, or notes, ``(``."""
    rest = rest.lstrip(_CLOSING)
    if rest[:2] == "](":
        rest = rest.partition(")")[2]
    rest = rest.lstrip(_CLOSING + "]")
    if rest[:1] == "(":
        return True
    lines = rest.lstrip(":#@ \t")
    word = next((word for word in ("lines", "line", "l") if lines.startswith(word)), "")
    return (lines != rest or bool(word)) and lines[len(word) :].lstrip()[:1].isdigit()


def _as_seen(text: str) -> str:
    """``text`` as ASCII letters that look like it; other letters, accents and joiners are gone."""
    seen = unicodedata.normalize("NFKD", text).casefold()
    for letter, look in _LOOKS:
        if letter in seen:
            seen = seen.replace(letter, look)
    return seen.encode("ascii", "ignore").decode()


def _letters_seen(text: str) -> tuple[str, list[int]]:
    """``_as_seen`` letter by letter, and for each the place in ``text`` it came from."""
    seen: list[str] = []
    origin: list[int] = []
    for at, mark in enumerate(text):
        for each in mark.lower() if mark.isascii() else _as_seen(mark):
            seen.append(each)
            origin.append(at)
    return "".join(seen), origin
