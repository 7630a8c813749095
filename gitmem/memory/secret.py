"""Secrets in a text, found with high precision: a commit keeps what it holds for ever.

Found: cloud access keys, private keys, tokens of forges, chats and model hosts by
their prefixes, JSON web tokens, URLs with a password, ``token = <random text>``.
Not found, on purpose: git ids, UUIDs, base64 pictures, placeholders.
Scanned by hand: ``re`` costs more to import than a store's whole check.
Hot: the cheap set only.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]  # start, end, kind

_DIGITS = frozenset("0123456789")
_HEX = frozenset("0123456789abcdef")
_UPPER = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_ALNUM = _UPPER | frozenset("abcdefghijklmnopqrstuvwxyz")
_WORD = _ALNUM | {"_"}
_URL64 = _WORD | {"-"}
_DOTTED = _URL64 | {"."}
_BASE64 = _ALNUM | frozenset("+/=")

_AWS = "AWS access key"
# prefix, characters that may follow, fewest of them, kind
_PREFIXES = (
    ("AKIA", _UPPER, 16, _AWS),
    ("ASIA", _UPPER, 16, _AWS),
    ("ABIA", _UPPER, 16, _AWS),
    ("ACCA", _UPPER, 16, _AWS),
    ("AIza", _URL64, 35, "Google API key"),
    ("ya29.", _DOTTED, 30, "Google access token"),
    ("GOCSPX-", _URL64, 24, "Google client secret"),
    ("AccountKey=", _BASE64, 80, "Azure storage key"),
    ("ghp_", _ALNUM, 36, "GitHub token"),
    ("gho_", _ALNUM, 36, "GitHub token"),
    ("ghu_", _ALNUM, 36, "GitHub token"),
    ("ghs_", _ALNUM, 36, "GitHub token"),
    ("ghr_", _ALNUM, 36, "GitHub token"),
    ("github_pat_", _WORD, 36, "GitHub token"),
    ("glpat-", _DOTTED, 20, "GitLab token"),
    ("gldt-", _DOTTED, 20, "GitLab token"),
    ("glrt-", _DOTTED, 20, "GitLab token"),
    ("glptt-", _DOTTED, 20, "GitLab token"),
    ("glcbt-", _DOTTED, 20, "GitLab token"),
    ("glsoat-", _DOTTED, 20, "GitLab token"),
    ("ATATT3", _URL64 | {"="}, 40, "Atlassian token"),
    ("ATCTT3", _URL64 | {"="}, 40, "Atlassian token"),
    ("ATBB", _ALNUM, 32, "Bitbucket password"),
    ("xoxb-", _URL64, 20, "Slack token"),
    ("xoxp-", _URL64, 20, "Slack token"),
    ("xoxa-", _URL64, 20, "Slack token"),
    ("xoxr-", _URL64, 20, "Slack token"),
    ("xoxs-", _URL64, 20, "Slack token"),
    ("xoxe-", _URL64, 20, "Slack token"),
    ("xoxe.", _DOTTED, 20, "Slack token"),
    ("xapp-", _URL64, 20, "Slack token"),
    ("hooks.slack.com/services/T", _ALNUM | {"/"}, 30, "Slack webhook"),
    ("discord.com/api/webhooks/", _URL64 | {"/"}, 60, "Discord webhook"),
    ("discordapp.com/api/webhooks/", _URL64 | {"/"}, 60, "Discord webhook"),
    ("sk_live_", _WORD, 16, "Stripe key"),
    ("rk_live_", _WORD, 16, "Stripe key"),
    ("sk_test_", _WORD, 20, "Stripe key"),
    ("whsec_", _BASE64, 24, "webhook secret"),
    ("sk-ant-", _URL64, 20, "Anthropic key"),
    ("gsk_", _ALNUM, 40, "Groq key"),
    ("xai-", _ALNUM, 60, "xAI key"),
    ("hf_", _ALNUM, 30, "Hugging Face token"),
    ("npm_", _ALNUM, 36, "npm token"),
    ("pypi-AgE", _URL64, 40, "PyPI token"),
    ("dckr_pat_", _URL64, 24, "Docker token"),
    ("dop_v1_", _HEX, 64, "DigitalOcean token"),
    ("dapi", _HEX, 32, "Databricks token"),
    ("shpat_", _HEX, 32, "Shopify token"),
    ("lin_api_", _ALNUM, 32, "Linear key"),
    ("ntn_", _ALNUM, 40, "Notion token"),
    ("hvs.", _URL64, 24, "Vault token"),
    ("AGE-SECRET-KEY-1", _UPPER, 50, "age key"),
    ("SG.", _DOTTED, 60, "SendGrid key"),
)
_PLACEHOLDERS = (
    "xxxxx",
    "your",
    "example",
    "placeholder",
    "redacted",
    "replace",
    "dummy",
    "hidden",
    "masked",
    "mypass",
    "change_me",
    "*****",
    ".....",
)
_ASSIGNED = ("token", "secret", "password", "passwd", "api_key", "apikey", "api-key", "access_key", "accesskey")
_SECRET_CHARS = _ALNUM | frozenset("+/=_-.~")
_NO_PASSWORD = frozenset(
    ["password", "passwd", "pass", "pwd", "pw", "secret", "token", "key", "apikey", "api_key", "xxx", "changeme"]
)
_PRIVATE_KEY = "-----BEGIN "
_MAX_KEY = 64 * 1024  # characters in which the end of a private key is looked for


def find_secrets(text: str) -> list[tuple[int, str]]:
    """Line (1-based) and kind of every secret in ``text``, in order; the secret itself is never returned."""
    found: list[tuple[int, str]] = []
    line, at = 1, 0
    for start, _, kind in secret_spans(text):
        line += text.count("\n", at, start) + text.count("\r", at, start) - text.count("\r\n", at, start)
        at = start
        found.append((line, kind))
    return found


def secret_spans(text: str) -> list[Span]:
    """Start, end and kind of every secret; no two overlap."""
    found: list[Span] = []
    for prefix, allowed, fewest, kind in _PREFIXES:
        if prefix in text:
            found.extend(_prefixed(text, prefix, allowed, fewest, kind))
    if _PRIVATE_KEY in text:
        found.extend(_private_keys(text))
    if "PuTTY-User-Key-File-" in text:
        start = text.index("PuTTY-User-Key-File-")
        found.append((start, _line_end(text, start), "private key"))
    if "sk-" in text:
        found.extend(_model_keys(text))
    if "eyJ" in text:
        found.extend(_web_tokens(text))
    if ":AA" in text:
        found.extend(_bot_tokens(text))
    if "://" in text:
        found.extend(_url_passwords(text))
    low = text.lower()
    if len(low) == len(text):  # a letter that grows in lower case would shift every place
        for name in _ASSIGNED:
            if name in low:
                found.extend(_assigned(text, low, name))
    return _apart(found)


def masked(text: str, mark: str = "[secret]") -> str:
    """``text`` with every secret replaced by ``mark``."""
    parts, at = [], 0
    for start, end, _ in secret_spans(text):
        parts += [text[at:start], mark]
        at = end
    return "".join([*parts, text[at:]])


def _prefixed(text: str, prefix: str, allowed: frozenset[str], fewest: int, kind: str) -> Iterator[Span]:
    end = 0
    for start in _places(text, prefix):
        if start < end or (start and text[start - 1] in _WORD and prefix[0] in _WORD):
            continue  # inside the run before, or inside a longer word
        end = _run(text, start + len(prefix), allowed)
        body = text[start + len(prefix) : end]
        if kind == _AWS:  # of one length, and the one in Amazon's manuals ends in EXAMPLE
            if len(body) == fewest and text[end : end + 1] not in _ALNUM:
                yield start, end, kind
        elif len(body) >= fewest and text[end : end + 1] not in _ALNUM and not _is_placeholder(body):
            yield start, end, kind


def _private_keys(text: str) -> Iterator[Span]:
    for start in _places(text, _PRIVATE_KEY):
        end = _line_end(text, start)
        label = text[start + len(_PRIVATE_KEY) : end].split("-----")[0]
        if not label.endswith(("PRIVATE KEY", "PRIVATE KEY BLOCK")) or len(label) > 40:
            continue
        closing = text.find(f"-----END {label}-----", end, end + _MAX_KEY)
        yield start, closing + len(label) + 14 if closing >= 0 else end, "private key"


def _model_keys(text: str) -> Iterator[Span]:
    """``sk-`` keys of several model hosts: one long mixed run, so that CSS classes are none."""
    for start in _places(text, "sk-"):
        if start and text[start - 1] in _URL64:
            continue  # inside a longer word
        end = _run(text, start + 3, _URL64)
        body = text[start + 3 : end]
        if any(_is_random(part, 20, 2) for part in body.replace("_", "-").split("-")) and not _is_placeholder(body):
            yield start, end, "model host key"


def _web_tokens(text: str) -> Iterator[Span]:
    for start in _places(text, "eyJ"):
        if start and text[start - 1] in _DOTTED:
            continue
        end = _run(text, start, _DOTTED)
        parts = text[start:end].rstrip(".").split(".")
        if len(parts) == 3 and parts[1].startswith("eyJ") and min(map(len, parts)) >= 10:
            yield start, end, "JSON web token"


def _bot_tokens(text: str) -> Iterator[Span]:
    """Telegram: 8 to 10 digits, a colon, 35 characters from ``AA`` on."""
    for colon in _places(text, ":AA"):
        start = colon
        while start and text[start - 1] in _DIGITS:
            start -= 1
        end = _run(text, colon + 1, _URL64)
        if 8 <= colon - start <= 10 and end - colon - 1 == 35:
            yield start, end, "Telegram token"


def _url_passwords(text: str) -> Iterator[Span]:
    for place in _places(text, "://"):
        start = place + 3
        end = start
        while end < len(text) and end - start < 512 and text[end] > " " and text[end] not in "/?#\"'`()[]{}|\\^,;":
            end += 1
        user, colon, password = text[start:end].rpartition("@")[0].partition(":")
        if colon and _is_password(user, password):
            yield start + len(user) + 1, start + len(user) + 1 + len(password), "URL with a password"


def _is_password(user: str, password: str) -> bool:
    """False for what manuals write where a password goes."""
    low = password.lower()
    if len(password) < 3 or low == user.lower() or low in _NO_PASSWORD:
        return False
    if password[0] in "<$%*:" or len(set(low)) == 1 or any(word in low for word in _PLACEHOLDERS):
        return False
    return not (password.isascii() and password.isupper() and "_" in password)  # PGPASSWORD_HERE


def _assigned(text: str, low: str, name: str) -> Iterator[Span]:
    """``token = <random text>``, also quoted, also after a colon."""
    end = 0
    for place in _places(low, name):
        at = place + len(name)
        if low[at : at + 1] in ('"', "'", "`", "*"):
            at += 1
        at = _run(low, at, _BLANK)
        if at < end or low[at : at + 1] not in (":", "="):
            continue
        at = _run(low, at + 1, _BLANK_OR_QUOTE)
        end = _run(text, at, _SECRET_CHARS)
        value = text[at:end].rstrip(".")
        if text[end : end + 1] in ("(", "[", "{", "<", "@") or _is_uuid(value) or _is_placeholder(value):
            continue
        parts = value.replace("-", "_").replace(".", "_").replace("/", "_").split("_")
        if any(_is_random(part.strip("=+~"), 16, 3) for part in parts):
            yield at, at + len(value), "assigned secret"


_BLANK = frozenset(" \t")
_BLANK_OR_QUOTE = frozenset(" \t\"'`*=>")


def _is_random(text: str, fewest: int, digits: int) -> bool:
    """Letters and digits mixed as no word is."""
    count = sum(1 for mark in text if mark in _DIGITS)
    return len(text) >= fewest and digits <= count < len(text) and len(set(text)) >= 8


def _is_placeholder(text: str) -> bool:
    low = text.lower()
    return any(word in low for word in _PLACEHOLDERS)


def _is_uuid(text: str) -> bool:
    parts = text.lower().split("-")
    return [len(part) for part in parts] == [8, 4, 4, 4, 12] and _HEX.issuperset("".join(parts))


def _places(text: str, needle: str) -> Iterator[int]:
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + len(needle))


def _run(text: str, at: int, allowed: frozenset[str]) -> int:
    """The first place from ``at`` on whose character is not allowed."""
    while at < len(text) and text[at] in allowed:
        at += 1
    return at


def _line_end(text: str, at: int) -> int:
    ends = [end for end in (text.find("\n", at), text.find("\r", at)) if end >= 0]
    return min(ends, default=len(text))


def _apart(found: list[Span]) -> list[Span]:
    """In order, without those that lie inside an earlier one."""
    kept: list[Span] = []
    for start, end, kind in sorted(found, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, kind))
        elif end > kept[-1][1]:
            kept[-1] = (kept[-1][0], end, kept[-1][2])
    return kept
