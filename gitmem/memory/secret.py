"""Secrets in a text, found with high precision: a commit keeps what it holds for ever.

Found: cloud access keys, private keys, tokens of forges, chats and model hosts by
their prefixes, JSON web tokens, URLs with a password; by the name in front of them, see assigned.py.
Not found, on purpose: git ids, UUIDs, base64 pictures, placeholders.
Scanned by hand: ``re`` costs more to import than a store's whole check.
Hot: the cheap set only.
"""

from __future__ import annotations

from gitmem.memory.assigned import DIGITS, HEX, NAMED, assigned_secrets, is_placeholder, is_random, places, run
from gitmem.memory.finding import Finding
from gitmem.memory.secret_name import ALNUM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from gitmem.memory.assigned import Span

_UPPER = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_WORD = ALNUM | {"_"}
_URL64 = _WORD | {"-"}
_DOTTED = _URL64 | {"."}
_BASE64 = ALNUM | frozenset("+/=")

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
    ("ghp_", ALNUM, 36, "GitHub token"),
    ("gho_", ALNUM, 36, "GitHub token"),
    ("ghu_", ALNUM, 36, "GitHub token"),
    ("ghs_", ALNUM, 36, "GitHub token"),
    ("ghr_", ALNUM, 36, "GitHub token"),
    ("github_pat_", _WORD, 36, "GitHub token"),
    ("glpat-", _DOTTED, 20, "GitLab token"),
    ("gldt-", _DOTTED, 20, "GitLab token"),
    ("glrt-", _DOTTED, 20, "GitLab token"),
    ("glptt-", _DOTTED, 20, "GitLab token"),
    ("glcbt-", _DOTTED, 20, "GitLab token"),
    ("glsoat-", _DOTTED, 20, "GitLab token"),
    ("ATATT3", _URL64 | {"="}, 40, "Atlassian token"),
    ("ATCTT3", _URL64 | {"="}, 40, "Atlassian token"),
    ("ATBB", ALNUM, 32, "Bitbucket password"),
    ("xoxb-", _URL64, 20, "Slack token"),
    ("xoxp-", _URL64, 20, "Slack token"),
    ("xoxa-", _URL64, 20, "Slack token"),
    ("xoxr-", _URL64, 20, "Slack token"),
    ("xoxs-", _URL64, 20, "Slack token"),
    ("xoxe-", _URL64, 20, "Slack token"),
    ("xoxe.", _DOTTED, 20, "Slack token"),
    ("xapp-", _URL64, 20, "Slack token"),
    ("hooks.slack.com/services/T", ALNUM | {"/"}, 30, "Slack webhook"),
    ("discord.com/api/webhooks/", _URL64 | {"/"}, 60, "Discord webhook"),
    ("discordapp.com/api/webhooks/", _URL64 | {"/"}, 60, "Discord webhook"),
    ("sk_live_", _WORD, 16, "Stripe key"),
    ("rk_live_", _WORD, 16, "Stripe key"),
    ("sk_test_", _WORD, 20, "Stripe key"),
    ("whsec_", _BASE64, 24, "webhook secret"),
    ("sk-ant-", _URL64, 20, "Anthropic key"),
    ("gsk_", ALNUM, 40, "Groq key"),
    ("xai-", ALNUM, 60, "xAI key"),
    ("hf_", ALNUM, 30, "Hugging Face token"),
    ("npm_", ALNUM, 36, "npm token"),
    ("pypi-AgE", _URL64, 40, "PyPI token"),
    ("dckr_pat_", _URL64, 24, "Docker token"),
    ("dop_v1_", HEX, 64, "DigitalOcean token"),
    ("dapi", HEX, 32, "Databricks token"),
    ("shpat_", HEX, 32, "Shopify token"),
    ("lin_api_", ALNUM, 32, "Linear key"),
    ("ntn_", ALNUM, 40, "Notion token"),
    ("hvs.", _URL64, 24, "Vault token"),
    ("AGE-SECRET-KEY-1", _UPPER, 50, "age key"),
    ("SG.", _DOTTED, 60, "SendGrid key"),
)
_SHORTEST = min(len(prefix) + fewest for prefix, _, fewest, _ in _PREFIXES)
_NO_PASSWORD = frozenset(
    ["password", "passwd", "pass", "pwd", "pw", "secret", "token", "key", "apikey", "api_key", "xxx", "changeme"]
)
ALLOW = "gitmem: allow-secret"  # on a line: a person says that what stands there is harmless
WAY_OUT = f"say where the secret is kept instead of what it is, or put `{ALLOW}` on its line if it is harmless"
_PRIVATE_KEY = "-----BEGIN "
MIN_CUT = 8  # characters behind a prefix that are taken for the beginning of a secret at the end of a text
_MAX_KEY = 64 * 1024  # characters in which the end of a private key is looked for


def secret_spans(text: str) -> list[Span]:
    """Start, end and kind of every secret; no two overlap."""
    found: list[Span] = []
    long = " ".join([word for word in text.split() if len(word) >= _SHORTEST])  # a few words are searched sooner
    for prefix, allowed, fewest, kind in _PREFIXES if long else ():
        if prefix in long:
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
    found.extend(assigned_secrets(text))
    return _apart(found)


def barred_spans(text: str) -> list[Span]:
    """As ``secret_spans``, without those whose first line says ``gitmem: allow-secret``."""
    spans = secret_spans(text)
    if not spans or ALLOW not in text:
        return spans
    return [span for span in spans if ALLOW not in text[_line_start(text, span[0]) : _line_end(text, span[0])]]


def added_spans(text: str, before: Iterable[str], harmless: Collection[str] = ()) -> list[Span]:
    """The secrets of ``text`` that no mark allows and that none of the texts ``before`` holds.

    harmless: secrets that a mark allows elsewhere
    """
    spans = barred_spans(text)
    known = list(before) if spans else []
    return [
        (start, end, kind)
        for start, end, kind in spans
        if (word := text[start:end]) not in harmless and not any(word in each for each in known)
    ]


def secret_finding(path: str, line: int, kind: str) -> Finding:
    """What is said of a secret: where it stands and of what kind it is, never what it is."""
    return Finding("secret", path, line, f"this looks like a secret ({kind})")


def masked(text: str, mark: str = "[secret]") -> str:
    """``text`` with every secret replaced by ``mark``; it has as many lines as before."""
    parts, at = [], 0
    for start, end, _ in secret_spans(text):
        parts += [text[at:start], mark + "\n" * text.count("\n", start, end)]
        at = end
    return "".join([*parts, text[at:]])


def without_cut_secret(text: str) -> str:
    """``text`` without a secret at its end of which a cut has left too little to be found."""
    bare = text.rstrip(" …")
    for prefix, allowed in (("eyJ", _DOTTED), *((prefix, allowed) for prefix, allowed, _, _ in _PREFIXES)):
        for start in places(bare, prefix):
            body = bare[start + len(prefix) :]
            if start and bare[start - 1] in _WORD and prefix[0] in _WORD:
                continue  # inside a longer word
            if len(body) >= MIN_CUT and allowed.issuperset(body) and not (body.islower() and body.isalpha()):
                return bare[:start]
    return text


def _prefixed(text: str, prefix: str, allowed: frozenset[str], fewest: int, kind: str) -> Iterator[Span]:
    end = 0
    for start in places(text, prefix):
        if start < end or (start and text[start - 1] in _WORD and prefix[0] in _WORD):
            continue  # inside the run before, or inside a longer word
        end = run(text, start + len(prefix), allowed)
        body = text[start + len(prefix) : end]
        if kind == _AWS:  # of one length, and the one in Amazon's manuals ends in EXAMPLE
            if len(body) == fewest and text[end : end + 1] not in ALNUM:
                yield start, end, kind
        elif len(body) >= fewest and text[end : end + 1] not in ALNUM and not is_placeholder(body):
            yield start, end, kind


def _private_keys(text: str) -> Iterator[Span]:
    for start in places(text, _PRIVATE_KEY):
        end = _line_end(text, start)
        label = text[start + len(_PRIVATE_KEY) : end].split("-----")[0]
        if not label.endswith(("PRIVATE KEY", "PRIVATE KEY BLOCK")) or len(label) > 40:
            continue
        closing = text.find(f"-----END {label}-----", end, end + _MAX_KEY)
        yield start, closing + len(label) + 14 if closing >= 0 else end, "private key"


def _model_keys(text: str) -> Iterator[Span]:
    """``sk-`` keys of several model hosts: one long mixed run, so that CSS classes are none."""
    for start in places(text, "sk-"):
        if start and text[start - 1] in _URL64:
            continue  # inside a longer word
        end = run(text, start + 3, _URL64)
        body = text[start + 3 : end]
        if any(is_random(part, 20, 2) for part in body.replace("_", "-").split("-")) and not is_placeholder(body):
            yield start, end, "model host key"


def _web_tokens(text: str) -> Iterator[Span]:
    for start in places(text, "eyJ"):
        if start and text[start - 1] in _DOTTED:
            continue
        end = run(text, start, _DOTTED)
        parts = text[start:end].rstrip(".").split(".")
        if len(parts) == 3 and parts[1].startswith("eyJ") and min(map(len, parts)) >= 10:
            yield start, end, "JSON web token"


def _bot_tokens(text: str) -> Iterator[Span]:
    """Telegram: 8 to 10 digits, a colon, 35 characters from ``AA`` on."""
    for colon in places(text, ":AA"):
        start = colon
        while start and text[start - 1] in DIGITS:
            start -= 1
        end = run(text, colon + 1, _URL64)
        if 8 <= colon - start <= 10 and end - colon - 1 == 35:
            yield start, end, "Telegram token"


def _url_passwords(text: str) -> Iterator[Span]:
    for place in places(text, "://"):
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
    if password[0] in "<$%*:" or len(set(low)) == 1 or is_placeholder(low):
        return False
    return not (password.isascii() and password.isupper() and "_" in password)  # PGPASSWORD_HERE


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _line_end(text: str, at: int) -> int:
    ends = [end for end in (text.find("\n", at), text.find("\r", at)) if end >= 0]
    return min(ends, default=len(text))


def _apart(found: list[Span]) -> list[Span]:
    """In order, without those that lie inside an earlier one; a kind of key says more than a name before it."""
    kept: list[Span] = []
    for start, end, kind in sorted(found, key=lambda span: (span[0], span[2] in NAMED, -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, kind))
        elif end > kept[-1][1]:
            kept[-1] = (kept[-1][0], end, kept[-1][2])
    return kept
