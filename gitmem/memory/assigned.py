"""Secrets told by the name in front of them: ``*_token = ...``, ``password: ...``, ``密码：...``, ``Bearer ...``.

A name alone is no secret, and prose speaks of passwords: a value counts when it is long and mixes letters with digits
as no word does.  Not found, on purpose: UUIDs, placeholders, paths, calls, git ids behind a name that is no secret's.
Hot: imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]  # start, end, kind

DIGITS = frozenset("0123456789")
HEX = frozenset("0123456789abcdef")
ALNUM = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
ASSIGNED, PASSWORD, HEADER = "assigned secret", "password", "Authorization header"
NAMED = (ASSIGNED, PASSWORD, HEADER)

# What a secret's name ends in, and the kind of its value.  Letters may stand before it: DEPLOY_TOKEN, clientSecret.
_NAMES = (
    *((name, ASSIGNED) for name in ("token", "secret", "key", "令牌", "权杖", "權杖", "密钥", "密匙", "秘钥", "密鑰")),
    *((name, ASSIGNED) for name in ("トークン", "秘密鍵", "토큰")),
    *((name, PASSWORD) for name in ("password", "passwd", "passphrase", "pwd", "pass", "密码", "密碼", "口令")),
    *((name, PASSWORD) for name in ("パスワード", "비밀번호")),
)
_SHORT = ("pwd", "pass")  # these are the end of other words too: bypass
# Before "key": the first are secrets whatever the value, the second never; others when the value is no git id.
_SECRET_KEYS = (
    "api", "access", "secret", "private", "encryption", "signing", "master", "auth", "client", "service", "storage",
    "account", "app", "session", "webhook", "deploy",
)  # fmt: skip
_OPEN_KEYS = (
    "public", "pub", "primary", "foreign", "cache", "sort", "partition", "row", "object", "routing", "unique", "group",
    "idempotency", "dedupe", "lookup", "index", "map", "hash", "i18n", "translation", "project", "issue",
    "ssh", "host", "gpg",
)  # fmt: skip
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
_SAID = ("is ", "is:", "was ", "是", "为", "為", "は", "：")
_MARKUP = frozenset("\"'`*”’")
_BLANK = frozenset(" \t\u3000")
_LEAD = _BLANK | _MARKUP | frozenset("=>:|：＝｜“‘「『")
_TOKEN_CHARS = ALNUM | frozenset("+/=_-.~")
_NOT_IN_PASSWORDS = frozenset("\"'`<>|,;()[]{}\\，。；、）】」』”’…")
_STRONG = frozenset("!@#$%^")
_APART = str.maketrans("-_./:", "     ")
_GOES_ON = ("(", "[", "{", "<", "@")  # behind a run of letters: a call, a placeholder, an address
_MAX_VALUE = 512
FEWEST = 16  # characters of a random value


def assigned_secrets(text: str) -> Iterator[Span]:
    """Start, end and kind of every value that its name makes a secret."""
    low = text.lower()
    if len(low) != len(text):  # a letter that grows in lower case would shift every place
        low = "".join(each if len(each) == 1 else mark for mark in text for each in (mark.lower(),))
    for name, kind in _NAMES:
        for place in places(low, name):
            at = _named(text, low, place, name)
            if at:
                yield from _value(text, low, at, kind, name)
    for scheme in ("bearer", "basic"):
        for place in places(low, scheme):
            if low[place - 1 : place] not in ALNUM or not place:
                yield from _header(text, place + len(scheme), basic=scheme == "basic")


def _named(text: str, low: str, place: int, name: str) -> int:
    """Where the name ends, 0 when these letters name no secret; negative when a git id is none of its values."""
    end = place + len(name)
    before = low[place - 1 : place] if place else ""
    if name in _SHORT:
        return end if before not in ALNUM or not before or text[place].isupper() > text[place - 1].isupper() else 0
    if name != "key":
        return end
    lead = low[max(0, place - 24) : place]
    word = lead.rstrip("_- ")
    if lead.endswith(("  ", "\n")) or len(lead) - len(word) > 1:
        return 0
    if word.endswith(_SECRET_KEYS):
        return end
    is_open = not word or before not in ("_", "-") or word.endswith(_OPEN_KEYS)
    return 0 if is_open else -end


def _value(text: str, low: str, end: int, kind: str, name: str) -> Iterator[Span]:
    """The secret behind ``name``, which ends at ``end``; negative when a git id is no secret there."""
    at, sign = _behind(low, abs(end))
    if not sign or (sign == "blank" and kind is PASSWORD and name.isascii()):
        return
    start = run(text, at, _LEAD)
    if kind is PASSWORD:
        value = _password_at(text, start)
        found = bool(value) and is_password_like(value, strict=name == "pass")
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
    if len(value) < 8 or not value.isascii() or value[0] in "$%/~&@#-" or "://" in value or is_uuid(value):
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


def _header(text: str, end: int, *, basic: bool) -> Iterator[Span]:
    """``Bearer a1b2...`` and ``Basic dXNlcjpwYXNz``."""
    start = run(text, end, _BLANK | {":"})
    if start == end:
        return
    start = run(text, start, _MARKUP)
    stop = run(text, start, _TOKEN_CHARS)
    value = text[start:stop].rstrip(".")
    if basic:
        user, colon, password = _base64(value).partition(":")
        found = bool(colon and user and len(password) >= 4 and not is_placeholder(password))
        found = found and password.lower() not in ("pass", "password", "secret", user.lower())
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


def places(text: str, needle: str) -> Iterator[int]:
    """Where ``needle`` stands in ``text``, without overlaps."""
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + len(needle))


def run(text: str, at: int, allowed: frozenset[str]) -> int:
    """The first place from ``at`` on whose character is not allowed."""
    while at < len(text) and text[at] in allowed:
        at += 1
    return at
