"""Secrets told by what stands in front of them: ``*_token = ...``, ``password: ...``, ``密码：...``, ``Bearer ...``.

A name alone is no secret, and prose speaks of passwords: a value counts when it is long and mixes letters with digits
as no word does.  Not found, on purpose: UUIDs, placeholders, paths, calls, git ids behind a name that is no secret's.
Hot: the cheap set only.
"""

from __future__ import annotations

from gitmem.memory.secret_name import ALNUM, AMBIGUOUS, ASSIGNED, CJK_PASSWORDS, PASSWORD, name_end, names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]  # start, end, kind

DIGITS = frozenset("0123456789")
HEX = frozenset("0123456789abcdef")
HEADER = "Authorization header"
NAMED = (ASSIGNED, PASSWORD, HEADER)

_PLACEHOLDERS = (
    "xxxxx", "your", "example", "placeholder", "redacted", "replace", "dummy", "hidden", "masked", "mypass",
    "change_me", "changeme", "*****", ".....",
)  # fmt: skip
# In what follows "password:" these are technology or a reference, not the password.
_NO_PASSWORDS = (
    "pass", "pwd", "secret", "token", "sha", "md5", "base64", "bcrypt", "pbkdf", "argon", "scrypt", "hmac", "utf8",
    "oauth", "keychain", "vault",
)  # fmt: skip
_SIGNS = frozenset(":=|：＝｜")
_SAID = (
    "is ", "is:", "was ", "ist ", "lautet ", "est ", "es ", "è ", "é ", "jest ", "är ", "là ", "это ", "هي ", "คือ",
    "是", "为", "為", "は", "는 ", "은 ", "：",
)  # fmt: skip
_MARKUP = frozenset("\"'`*”’")
_BLANK = frozenset(" \t\u3000\xa0\u202f")
_LEAD = _BLANK | _MARKUP | frozenset("=>:|：＝｜“‘「『")
_TOKEN_CHARS = ALNUM | frozenset("+/=_-.~")
_NOT_IN_PASSWORDS = frozenset("\"'`<>|,;()[]{}\\，。；、）】」』”’…")
_NOT_IN_USERS = _NOT_IN_PASSWORDS | frozenset(" \t\r\n")
_STRONG = frozenset("!@#$%^")
_APART = str.maketrans("-_./:", "     ")
_GOES_ON = ("(", "[", "{", "<", "@")  # behind a run of letters: a call, a placeholder, an address
_FENCES = ("```", "~~~")
_PROGRAMS = (  # the option behind which each takes a password, whether a user's name and a colon come first
    ("curl", ("-u", "--user", "--proxy-user"), True),
    ("mysql", ("-p",), False),
    ("mariadb", ("-p",), False),
)
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF21, 0xFF5B)}  # full-width letters
_REACH = 240  # characters before a value in which its name, or its command, is looked for
_MAX_VALUE = 512
FEWEST = 16  # characters of a random value
SHORTEST = 8  # characters of a password


def assigned_secrets(text: str) -> Iterator[Span]:
    """Start, end and kind of every value that its name makes a secret."""
    low = text.lower()
    if len(low) != len(text):  # a letter that grows in lower case would shift every place
        low = "".join(each if len(each) == 1 else mark for mark in text for each in (mark.lower(),))
    if "ｐａｓｓ" in low:
        low = low.translate(_NARROW)
    for place in places(low, "basic"):
        if low[place - 1 : place] not in ALNUM or not place:
            yield from _header(text, low, place + len("basic"), basic=True)
    near = _near_values(text)
    names = names_in(low) if near else ()
    for start, stop in near:  # few texts hold what could be a value at all
        for name, kind in names:
            for place in places(low, name, start, stop):
                at = name_end(text, low, place, name)
                if at:
                    yield from _value(text, low, place, at, kind, name)
        for place in places(low, "bearer", start, stop):
            if low[place - 1 : place] not in ALNUM or not place:
                yield from _header(text, low, place + len("bearer"), basic=False)
        for program, options, has_user in _PROGRAMS:
            for place in places(low, program, start, stop):
                yield from _typed(text, low, place, options, has_user)


def _near_values(text: str) -> list[tuple[int, int]]:
    """The stretches in which a name and its value may stand: what is before each long word with a digit, and it."""
    found: list[tuple[int, int]] = []
    at = 0
    for word in [word for word in text.split() if len(word) >= SHORTEST and not word.isalpha()]:
        at = text.index(word, at)
        if not DIGITS.isdisjoint(word):
            start = max(0, at - _REACH)
            if found and start <= found[-1][1]:
                start = found.pop()[0]
            found.append((start, at + len(word)))
        at += len(word)
    return found


def _value(text: str, low: str, place: int, end: int, kind: str, name: str) -> Iterator[Span]:
    """The secret behind ``name``, which stands from ``place`` to ``end``; negative when a git id is no secret there."""
    at, sign = _behind(low, abs(end))
    is_option = sign == "blank" and kind is PASSWORD and name not in CJK_PASSWORDS
    if not sign or (is_option and not _is_option(low, place)):
        return
    start = run(text, at, _LEAD)
    if sign != "blank" and name != "pass" and text[start : start + 1] in ("\n", "\r"):
        start = _alone_below(text, start)
    if kind is PASSWORD:
        value = _password_at(text, start)
        found = bool(value) and is_password_like(value, strict=is_option or name in AMBIGUOUS)
    else:
        stop = run(text, start, _TOKEN_CHARS)
        if stop - start < FEWEST:  # what prose says behind the word is told at once
            return
        value = text[start:stop].rstrip(".")
        is_git_id = end < 0 and HEX.issuperset(value.lower())
        found = not is_git_id and text[stop : stop + 1] not in _GOES_ON and _is_token(value, sign)
        found = found or _is_aws_secret(low, abs(end), value)
    if found:
        yield start, start + len(value), kind


def _is_option(low: str, place: int) -> bool:
    """Whether the name that ends in what stands at ``place`` is an option's, ``--db-password``."""
    start = place
    while start and (low[start - 1] in ALNUM or low[start - 1] in "-_"):
        start -= 1
    is_first = not start or low[start - 1] in _BLANK or low[start - 1] in _MARKUP or low[start - 1] in "\n(["
    return is_first and low[start] == "-" and not low.startswith("--no-", start)


def _alone_below(text: str, end: int) -> int:
    """Where the value begins that stands alone on the line below, or on the first of a code fence there.

    The text's length for none.
    """
    for _ in range(2):
        start = end + (2 if text.startswith("\r\n", end) else 1)
        lf = text.find("\n", start, start + _MAX_VALUE)
        cr = text.find("\r", start, lf if lf >= 0 else start + _MAX_VALUE)
        end = cr if cr >= 0 else lf if lf >= 0 else len(text)
        line = text[start : min(end, start + _MAX_VALUE)].lstrip(" \t>").rstrip()
        if not line.startswith(_FENCES):
            break
    if not line or " " in line or line[-1] == ":":
        return len(text)
    return run(text, start, _BLANK | _MARKUP | {">"})


def _typed(text: str, low: str, place: int, options: tuple[str, ...], has_user: bool) -> Iterator[Span]:
    """The password that the command at ``place`` is given: ``curl -u ada:PASSWORD``, ``mysql -pPASSWORD``."""
    stop = place + _REACH
    line = low.find("\n", place, stop)
    while line > 0 and low[line - 1] == "\\":
        line = low.find("\n", line + 1, stop)
    stop = line if line > 0 else stop
    for option in options:
        at = low.find(f" {option}", place, stop)
        if at < 0:
            continue
        start = run(text, at + 1 + len(option), _MARKUP | (_BLANK | {"="} if has_user else frozenset()))
        if has_user:
            user, colon, _ = text[start : start + _MAX_VALUE].partition(":")
            if not colon or not _NOT_IN_USERS.isdisjoint(user):
                continue
            start += len(user) + 1
        value = _password_at(text, start)
        if value and is_password_like(value, strict=False):
            yield start, start + len(value), PASSWORD


def _is_token(value: str, sign: str) -> bool:
    """A run of random letters and digits; a longer one where no sign assigns it."""
    if is_uuid(value) or is_placeholder(value) or (sign != "=" and "/" in value):
        return False
    parts = value.replace("-", "_").replace(".", "_").replace("/", "_").split("_")
    return any(is_random(part.strip("=+~"), FEWEST if sign == "=" else 20, 3) for part in parts)


def _behind(low: str, end: int) -> tuple[int, str]:
    """Where the value may begin, and what assigns it: ``=`` for any sign, ``is``, ``blank``; "" for nothing."""
    marked = run(low, end, _MARKUP)
    at = run(low, marked, _BLANK)
    if low[at : at + 1] in _SIGNS and at < len(low):
        return at, "="
    for word in _SAID:
        if low.startswith(word, at) and (at > end or not word.isascii()):
            return at + len(word), "is"
    return at, "blank" if at > marked == end else ""


def _password_at(text: str, start: int) -> str:
    end = start
    while end < len(text) and end - start < _MAX_VALUE and text[end] > " " and text[end] not in _NOT_IN_PASSWORDS:
        end += 1
    if text[end : end + 1] in ("(", "[", "{", "<", "\\"):
        return ""
    return text[start:end].rstrip(".:*")


def is_password_like(value: str, *, strict: bool) -> bool:
    """Eight characters or more that mix letters and digits; words, paths, references and hashes are none.

    strict: the name before it has other meanings too ("pass: ..."), so that the value alone must tell
    """
    low = value.lower()
    if len(value) < SHORTEST or not value.isascii() or value[0] in "$%/~&@#-" or "://" in value or is_uuid(value):
        return False
    if is_placeholder(value) or any(word in low for word in _NO_PASSWORDS):
        return False
    if "." in value and all(part.isidentifier() for part in value.split(".")):
        return False  # settings.db2host
    if not strict and not _STRONG.isdisjoint(value):
        return not DIGITS.isdisjoint(value) and any(mark.isalpha() for mark in value)
    for part in value.translate(_APART).split():
        switches = sum((part[at - 1] in DIGITS) != (part[at] in DIGITS) for at in range(1, len(part)))
        if len(part) >= (10 if strict else 8) and switches >= (2 if strict else 1) and len(set(part)) >= 5:
            return True
    return False


def _header(text: str, low: str, end: int, *, basic: bool) -> Iterator[Span]:
    """``Bearer a1b2...`` and ``Basic dXNlcjpwYXNz``."""
    start = run(text, end, _BLANK | {":"})
    if start == end:
        return
    start = run(text, start, _MARKUP)
    stop = run(text, start, _TOKEN_CHARS)
    value = text[start:stop].rstrip(".")
    if basic and (said := _base64(value)):
        user, colon, password = said.partition(":")
        found = bool(colon and user and len(password) >= 4 and not is_placeholder(password))
        found = found and password.lower() not in ("pass", "password", "secret", "open sesame", user.lower())
    elif basic:  # no text: a password in other letters, or no more than a word
        found = "authorization" in low[max(0, end - 24) : end] and is_random(value.strip("="), FEWEST, 2)
        found = found and not is_placeholder(value)
    else:
        found = not is_uuid(value) and not is_placeholder(value)
        found = found and any(is_random(part.strip("=+~"), FEWEST, 3) for part in value.replace("-", "_").split("_"))
    if found:
        yield start, start + len(value), HEADER


def _base64(text: str) -> str:
    """What ``text`` says in base64, "" when that is no printable ASCII."""
    bits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    bare = text.rstrip("=")
    if len(bare) < 8 or len(bare) > _MAX_VALUE or len(bare) % 4 == 1 or not ALNUM.union("+/").issuperset(bare):
        return ""
    number = 0
    for mark in bare:
        number = number << 6 | bits.index(mark)
    spare = len(bare) * 6 % 8
    said = (number >> spare).to_bytes(len(bare) * 6 // 8, "big").decode("latin-1")
    return said if said.isascii() and said.isprintable() else ""


def _is_aws_secret(low: str, end: int, value: str) -> bool:
    """40 characters behind ``secret_access_key``, the one of Amazon's manuals too."""
    name = low[max(0, end - 17) : end].replace("-", "").replace("_", "").replace(" ", "")
    return name.endswith("secretaccesskey") and len(value) == 40 and not HEX.issuperset(value) and value.isascii()


def is_random(text: str, fewest: int, digits: int) -> bool:
    """Letters and digits mixed as no word is."""
    count = sum(1 for mark in text if mark in DIGITS)
    return len(text) >= fewest and digits <= count < len(text) and len(set(text)) >= 8


def is_placeholder(text: str) -> bool:
    """What manuals write where a secret goes."""
    low = text.lower()
    return any(word in low for word in _PLACEHOLDERS)


def is_uuid(text: str) -> bool:
    parts = text.lower().split("-")
    return [len(part) for part in parts] == [8, 4, 4, 4, 12] and HEX.issuperset("".join(parts))


def places(text: str, needle: str, start: int = 0, stop: int | None = None) -> Iterator[int]:
    """Where ``needle`` stands in ``text`` between ``start`` and ``stop``, without overlaps."""
    at = text.find(needle, start, stop)
    while at >= 0:
        yield at
        at = text.find(needle, at + len(needle), stop)


def run(text: str, at: int, allowed: frozenset[str]) -> int:
    """The first place from ``at`` on whose character is not allowed."""
    while at < len(text) and text[at] in allowed:
        at += 1
    return at
