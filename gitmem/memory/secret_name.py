"""What secrets are called in front of their values, in the languages people write notes in.

Hot: the cheap set only.
"""

from __future__ import annotations

import unicodedata

ALNUM = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
ASSIGNED, PASSWORD = "assigned secret", "password"

# What a secret's name ends in.  Letters may stand before it: DEPLOY_TOKEN, clientSecret, Datenbankpasswort.
_TOKENS = ("token", "secret", "key")
_PASSWORDS = (  # each holds "pass", so that most texts are looked through for that alone
    "password", "passwd", "passphrase", "passcode", "passwort", "passord", "pass", "mot de passe", "palavra-passe",
)  # fmt: skip
_MORE_PASSWORDS = (
    "pwd", "kennwort", "contrasena", "contrasenya", "senha", "wachtwoord", "haslo", "heslo", "salasana", "parola",
    "losenord", "adgangskode", "sifre", "jelszo", "kata sandi", "kata laluan", "mat khau", "lozinka",
)  # fmt: skip
_WIDE_TOKENS = ("令牌", "权杖", "權杖", "密钥", "密匙", "秘钥", "密鑰", "トークン", "秘密鍵", "토큰")
CJK_PASSWORDS = ("密码", "密碼", "口令", "パスワード", "비밀번호")  # a blank alone may assign these
_WIDE_PASSWORDS = (
    "암호", "contraseña", "hasło", "lösenord", "şifre", "jelszó", "parolă", "mật khẩu", "пароль", "парола", "лозинка",
    "κωδικός", "συνθηματικό", "كلمة المرور", "كلمة مرور", "كلمة السر", "رمز عبور", "گذرواژه", "پاس ورڈ", "סיסמה",
    "סיסמא", "पासवर्ड", "পাসওয়ার্ড", "கடவுச்சொல்", "รหัสผ่าน", "ລະຫັດຜ່ານ", "ពាក្យសម្ងាត់", "စကားဝှက်", "პაროლი",
    "գաղտնաբառ",
)  # fmt: skip
_SHORT = ("pwd", "pass", "senha", "parola", "haslo", "hasło", "heslo", "sifre", "şifre")  # ends of other words: bypass
# These have other meanings too ("pass: 12 tests", a cipher, a code, a motto): the value alone must tell.
AMBIGUOUS = ("pass", "parola", "parolă", "haslo", "hasło", "heslo", "sifre", "şifre", "senha", "암호", "κωδικός")
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


def _kinds(tokens: tuple[str, ...], passwords: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return (*((name, ASSIGNED) for name in tokens), *((name, PASSWORD) for name in passwords))


_PLAIN = _kinds(_TOKENS, _MORE_PASSWORDS)
_PASS = _kinds((), _PASSWORDS)
_WIDE = _kinds(_WIDE_TOKENS, (*CJK_PASSWORDS, *_WIDE_PASSWORDS))


def names_in(low: str) -> tuple[tuple[str, str], ...]:
    """The names that may stand in ``low``, each with the kind of its values; where accents stand apart, also so."""
    names = _PLAIN + _PASS if "pass" in low else _PLAIN
    if low.isascii():
        return names
    if unicodedata.is_normalized("NFC", low):
        return names + _WIDE
    loose = [(unicodedata.normalize("NFD", name), kind) for name, kind in _WIDE]
    return tuple(dict.fromkeys([*names, *_WIDE, *loose]))


def name_end(text: str, low: str, place: int, name: str) -> int:
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
