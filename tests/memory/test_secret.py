"""Secrets are found, and what only looks like one is not.

The keys below are put together from parts, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.secret import masked
from gitmem.memory.secret_name import names_in
from gitmem.prompt.quote import may_hold_secret
from tests.strategies import CHECK, find_secrets

MIXED = "a1B2c3D4e5F6g7H8i9J0"
HEX40 = "9fceb02d0ae598e95dc970b74767f19372d61af8"
SECRETS = {
    "AKIA" + "IOSFODNN7" + "EXAMPLE": "AWS access key",
    "ASIA" + "ABCDEFGH12345678": "AWS access key",
    "AIza" + "SyA-" + MIXED + "kLmNoPqRsTu": "Google API key",
    "GOCSPX-" + MIXED + "abcdEFGH": "Google client secret",
    "ghp_" + "a" * 36: "GitHub token",
    "gho_" + MIXED + "k1L2m3N4o5P6q7R8": "GitHub token",
    "github_pat_" + MIXED + "_" + MIXED + MIXED: "GitHub token",
    "glpat-" + MIXED: "GitLab token",
    "xoxb-" + "123456789012-123456789012-" + MIXED: "Slack token",
    "https://hooks.slack.com/services/T" + "0123ABCD/B0123ABCD/" + MIXED: "Slack webhook",
    "sk_live_" + MIXED: "Stripe key",
    "sk-ant-" + "api03-" + MIXED: "Anthropic key",
    "sk-" + "proj-" + MIXED + MIXED: "model host key",
    "sk-" + "0123456789abcdef0123456789abcdef": "model host key",
    "hf_" + MIXED + "abcdefghijklmn": "Hugging Face token",
    "npm_" + MIXED + "abcdefghijklmnop": "npm token",
    "pypi-AgE" + "IcHlwaS5vcmcC" + MIXED + MIXED: "PyPI token",
    "123456789:AA" + "H" + MIXED + "abcdefghijkl": "Telegram token",
    "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0In0" + "." + MIXED: "JSON web token",
    "-----BEGIN " + "RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----": "private key",
    "-----BEGIN " + "OPENSSH PRIVATE KEY-----": "private key",
    "-----BEGIN " + "PGP PRIVATE KEY BLOCK-----": "private key",
    "postgres://ada:" + "s3cr3t-word" + "@db.example.org/prod": "URL with a password",
    "https://ada:" + "hunter2" + "@localhost:8080/x": "URL with a password",
    "redis://:" + "s3cr3tword" + "@cache": "URL with a password",
    "token = " + HEX40: "assigned secret",
    'API_KEY: "' + MIXED + '"': "assigned secret",
    "export DEPLOY_TOKEN=" + MIXED: "assigned secret",
    "AccountKey=" + "Ab1/" * 21 + "Ab==": "Azure storage key",
}
HARMLESS = [
    "commit " + HEX40,
    HEX40,
    "id: 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "token: 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "metadata:\n  id: 01KB9V6Q3M4X1T0Z8H2N5R7C9D\n  originSessionId: 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "![logo](data:image/png;base64," + base64.b64encode(bytes(range(256)) * 8).decode() + ")",
    "sha256:" + "9fceb02d0ae598e95dc970b74767f193" * 2,
    "postgres://user:password@host/db",
    "https://user:pass@example.org",
    "https://<user>:<password>@host",
    "https://<token>@github.com/a/b",
    "https://${USER}:${PASS}@host",
    "https://$USER:$PASS@host",
    "https://{user}:{pass}@host",
    "https://user:****@host",
    "https://user:xxxx@host",
    "https://user:YOUR_PASSWORD@host",
    "https://user:DB_PASSWORD_HERE@host",
    "postgres://postgres:postgres@localhost",
    "http://localhost:8080/a@b",
    "https://example.org/a:b@c",
    "ssh://git@github.com:22/x",
    "ghp_" + "x" * 36,
    "ghp_your_token_here",
    "ghp_...",
    "glpat-<token>",
    "sk-loading-spinner-container-fluid",
    "task-" + MIXED,
    "api_key: YOUR_API_KEY_1234567890",
    "token = <your token 123456>",
    "password: see 1Password, vault Engineering",
    "token: projects/staging/secrets/deploy/versions/12",
    "token = getAccessTokenFromStore2()",
    "max_tokens: 12345678901234567890",
    "tokenizer: meta-llama/Llama-3.1-8B-Instruct",
    "secret: $(vault read -field=value a1b2c3d4e5f6a7b8)",
    "AKIAIOSFODNN7EXAMPLE1",
    "XAKIAIOSFODNN7EXAMPLE",
    "-----BEGIN CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----",
    "eyJhbGciOiJIUzI1NiJ9 is how a JSON web token begins",
    "a.eyJhbGciOiJIUzI1NiJ9.eyJ",
    "10:30:AAA",
    "hf_hub_download_with_some_very_long_function_name",
    "密码: 在保险箱里",
    "İ token = x",
    "Passwort: steht im Tresor, Abteilung2024",
    "Das Passwort muss 12Zeichen haben",
    "mot de passe : voir le coffre n°12 du service2024",
    "contraseña: pregunta a Ada en la sala2024b",
    "senha: fila A12 do banco",
    "resenha: produto2024x bom",
    "parola: utf8mb4_general_ci",
    "hasło: encyklopedia2024",
    "heslo: republika1918",
    "şifre: AES256-GCM",
    "암호: ChaCha20-Poly1305",
    "암호화: AES256-GCM-SIV2",
    "пароль: спроси у Ады, комната2024",
    "пароль Ubuntu22server нигде не хранится",
    "κωδικός: ABC12345",
    "كلمة المرور: اسأل آدا",
    "รหัสผ่าน: ถามแอดมิน2024",
    "mật khẩu: hỏi Ada ở phòng2024",
    "Authorization: Basic <credentials>",
    "Authorization: Basic " + base64.b64encode(b"user:password").decode(),
    "Authorization: Basic " + base64.b64encode(b"Aladdin:open sesame").decode(),
    "Authorization: Basic authenticationScheme",
    "basic understanding2024and12more",
    "use --password to set it, or --password-file /run/secrets/db2024",
    "--no-password db2024shop",
    "the --password option12 was removed",
    "--password $DB_PASS2024",
    "--password <your-password-1>",
    "curl -u user:pass https://x",
    "curl -u elastic:changeme https://x",
    "curl -u $USER:$PASS2024x https://x",
    "curl -u ada https://x:8080/abc12345x",
    "docker run -u 1000:1000 app2024x",
    "docker run --user app2024:group2024 x",
    "journalctl -u gitmem2024:unit2024x",
    "mysql -p shop2024db < dump2024.sql",
    "mysql -P3306 -p",
    "mkdir -pbuild2024x",
    "password:\n- at least 12characters",
    "password:\n  secretKeyRef:\n    name: db2024credentials",
    "password:\n  postgres15host:\n    port: 1",
    "password:\n\nserver2024x",
    "Tests that pass:\n  test_oauth2_login3",
    "the token:\nsee projects/staging/secrets/deploy2024/versions/12",
    "password:\n```\nkeepassxc-cli show db2024\n```",
]


@pytest.mark.parametrize(("secret", "kind"), SECRETS.items())
def test_a_secret_is_found_with_its_line(secret: str, kind: str) -> None:
    """L2."""
    for before, after in (("", ""), ("first\n\r\nuse `", "` now\n"), ("a\rb\r(", ")"), ("密钥是 ", "。")):
        text = before + secret + after
        line = 1 + before.replace("\r\n", "\n").replace("\r", "\n").count("\n")
        assert find_secrets(text) == [(line, kind)]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_is_none(text: str) -> None:
    """Git ids, UUIDs, pictures and placeholders stand in every second memory."""
    assert find_secrets(text) == []
    assert masked(text) == text


@pytest.mark.parametrize("secret", SECRETS)
def test_a_masked_text_holds_no_secret_and_all_the_rest(secret: str) -> None:
    text = f"before {secret}\nafter"
    clean = masked(text)
    assert find_secrets(clean) == []
    assert clean.startswith("before ")
    assert clean.endswith("\nafter")
    assert "[secret]" in clean


def test_two_secrets_on_two_lines_are_two() -> None:
    text = "AKIA" + "ABCDEFGH12345678\nx\nghp_" + "b2" * 18 + "\n"
    assert find_secrets(text) == [(1, "AWS access key"), (3, "GitHub token")]


@given(st.text(max_size=120))
def test_no_text_breaks_the_search_and_masking_ends_it(text: str) -> None:
    """Masking twice is masking once."""
    assert masked(masked(text)) == masked(text)


@given(st.binary(min_size=20, max_size=400))
def test_base64_and_hex_of_anything_is_no_secret(data: bytes) -> None:
    """A picture or a checksum never blocks a write."""
    assert find_secrets("data:image/png;base64," + base64.b64encode(data).decode()) == []
    assert find_secrets(data.hex()) == []


AWS = "wJalrXUtnFEMI/" + "K7MDENG/bPxRfiCY" + "EXAMPLEKEY"
WEAK = "hunter2" + "hunter2"
NAMED = [
    f"aws_secret_access_key = {AWS}", f'AWS_SECRET_ACCESS_KEY="{AWS}"', f"secret_key: {HEX40}",
    f"private_key = {HEX40}", f"api key: {HEX40}", f"x-api-key: {HEX40}", f"my_key: {MIXED}",
    f"clientSecret: '{HEX40}'",
    f"Authorization: Bearer {HEX40}", "Authorization: Basic " + base64.b64encode(b"ada:" + WEAK.encode()).decode(),
    f"token {HEX40}", f"--token {HEX40}", f"my token is {HEX40}", f"token is: {HEX40}",
    f"- **token**: {HEX40}", f"- **token:** `{HEX40}`", f"| token | {HEX40} |",
    f"token：{HEX40}", f"令牌：{HEX40}", f"令牌 {HEX40}", f"密码：{WEAK}", f"口令={WEAK}", f"密码是 {WEAK}",
    f"パスワード：{WEAK}",
    f"password: {WEAK}", f'"password": "{WEAK}",', f"pwd={WEAK}", f"pass: {WEAK}", f"DB_PASSWORD=P@ss{WEAK[:7]}!",
    f"the password is {WEAK}.",
    f"Passwort: {WEAK}", f"das Datenbankpasswort lautet {WEAK}", f"Kennwort = {WEAK}", f"mot de passe : {WEAK}",
    f"mot de passe\u202f: {WEAK}", f"contraseña: {WEAK}", f"contrasen\u0303a: {WEAK}", f"la contraseña es {WEAK}",
    f"senha: {WEAK}", f"a palavra-passe é {WEAK}", f"wachtwoord: {WEAK}", f"lösenord: {WEAK}", f"passord: {WEAK}",
    f"salasana: {WEAK}", f"hasło: {WEAK}", f"heslo: {WEAK}", f"jelszó: {WEAK}", f"parola: {WEAK}", f"şifre: {WEAK}",
    f"mật khẩu: {WEAK}", f"mật khẩu là {WEAK}", f"kata sandi: {WEAK}", f"пароль: {WEAK}", f"Пароль это {WEAK}",
    f"κωδικός: {WEAK}", f"كلمة المرور: {WEAK}", f"كلمة السر هي {WEAK}", f"סיסמה: {WEAK}", f"पासवर्ड: {WEAK}",
    f"รหัสผ่าน: {WEAK}", f"รหัสผ่านคือ {WEAK}", f"암호: {WEAK}", f"비밀번호는 {WEAK}", f"ｐａｓｓｗｏｒｄ：{WEAK}",
    f"passcode: {WEAK}",
    "Authorization: Basic " + MIXED + "XyZ=", f"-H 'authorization: basic {MIXED}'",
    f"mysqldump --password {WEAK} -u root", f"--db-password '{WEAK}'", f"run (--passwd {WEAK})", f"x --pass {MIXED}",
    f"curl -u ada:{WEAK} https://x", f"curl -sS --user 'ada:{WEAK}' https://x", f"curl -uada:{WEAK} https://x",
    f"mysql -p{WEAK} -u root", f"mariadb -u root -p'{WEAK}' shop",
]  # fmt: skip
BELOW = [  # the name's line, what stands between, and the secret on a line of its own
    ("password:", ""), ("**Password:**", ""), ("the token is:", ""), ("API key:", "```\n"), ("Passwort:", "~~~text\n"),
    ("DB_PASSWORD =", "  "), ("pwd:", "> "), ("密码：", "`"),
]  # fmt: skip
UNNAMED = [
    "commit " + HEX40, f"cache_key: {HEX40}", f"release_key: {HEX40}", f"the key {HEX40}", f"key: {MIXED}",
    f"public_key = {HEX40}", f"monkey: {MIXED}", "deploy key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIabc",
    "token <token>", "token: $TOKEN", "token: xxx", "token: your-token", "token: ***",
    "Bearer <your-token-1234567890ab>",
    "the token is in the vault", "token id 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "| token | count |\n|---|---|",
    "token count 123456789012345678901", "bearer token", "Basic understanding12", "secret santa 2024",
    "password: ask Ada", "pass: the tests", "pass: 12/12 tests", "pass: ubuntu2204", "pass: test_login_v2",
    "password is sha256-hashed", "password: 1Password, vault", "password: ${DB_PASS2word}",
    "password: settings.db2hostname",
    "password: os.environ['PW12345678']", "pwd: /home/ada/work2024x", "password length: 12characters",
    f"bypass: {WEAK}", "password: 至少8位，含数字", "密码：问 Ada", "口令在保险箱",
]  # fmt: skip


@pytest.mark.parametrize("text", NAMED)
def test_a_name_in_front_tells_a_secret(text: str) -> None:
    """In code, in tables, in prose and in Chinese; the name itself stays readable."""
    assert [line for line, _ in find_secrets(f"first\n{text}\nlast")] == [2]
    clean = masked(text)
    assert "[secret]" in clean
    assert find_secrets(clean) == []


@pytest.mark.parametrize(("name", "between"), BELOW)
@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_a_secret_alone_on_the_line_below_its_name_is_found(name: str, between: str, eol: str) -> None:
    text = f"first\n{name}\n{between}{MIXED}\nlast\n".replace("\n", eol)
    assert [line for line, _ in find_secrets(text)] == [3 + between.count("\n")]
    assert masked(text) == text.replace(MIXED, "[secret]")


@pytest.mark.parametrize("text", [*SECRETS, *NAMED, *(f"{name}\n{between}{MIXED}" for name, between in BELOW)])
def test_whatever_is_found_is_given_a_closer_look_and_found_in_a_long_text(text: str) -> None:
    """The cheap looks before the search spare it nothing that it would find."""
    assert may_hold_secret(text) or "a" * 36 in text  # no token that a host gave out has one letter only
    prose = "Nothing is deleted before the copy is proven, on 2026-11-30 at the latest. " * 20
    assert len(find_secrets(f"{prose}\n{text}\n\n{prose}")) == len(find_secrets(text)) > 0


@pytest.mark.parametrize("name", [name for name, _ in names_in("pass\u0301")])
def test_each_name_of_a_password_is_worth_a_closer_look(name: str) -> None:
    """A short password has nothing else by which a prompt's text would be looked at."""
    text = f"{name}: a1b2c3d4e5"
    assert not find_secrets(text) or may_hold_secret(text)


@pytest.mark.parametrize("text", UNNAMED)
def test_a_name_in_front_of_words_ids_and_placeholders_tells_none(text: str) -> None:
    """Precision first, a refused write costs more trust than it saves."""
    assert find_secrets(text) == []


@CHECK
@given(
    st.lists(st.sampled_from(["token", "password", "pass", "_key", "密码", "is", "Bearer", "Basic", "secret", "api",
                              "Passwort", "contrasen\u0303a", "ｐａｓｓｗｏｒｄ", "--", "curl -u ", "mysql -p", "a:",
                              ":", "=", " ", "**", "`", "|", "\n", HEX40, WEAK, MIXED, "[secret]", "İ"]), max_size=9)
)  # fmt: skip
def test_masking_names_and_values_ends_it(parts: list[str]) -> None:
    text = "".join(parts)
    assert masked(masked(text)) == masked(text)
    assert masked(text).count("\n") == text.count("\n")
