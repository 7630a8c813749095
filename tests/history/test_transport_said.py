"""What programs and hosts say of a failure, as a person reads it: one sentence, no password, and what to type."""

from __future__ import annotations

import pytest

from gitmem.history.transport import RemoteRefused, Unreachable
from gitmem.history.transport_said import failure, first_reason

WEB = "https://me:secret@h/x"
LATER = "\nfatal: Could not read from remote repository."
SAID = [
    ("fatal: unable to access 'https://h/x/': Could not resolve host: h", Unreachable, "cannot be reached (Could not"),
    ("ssh: connect to host h port 22: Connection refused" + LATER, Unreachable,
     "cannot be reached (ssh: connect to host h port 22: Connection refused)"),
    ("fatal: unable to access 'https://h/x/': Failed to connect to h port 443 after 0 ms: Couldn't connect to server",
     Unreachable, "cannot be reached (Failed to connect to h port 443: Couldn't connect to server)"),
    ("fatal: the remote end hung up unexpectedly", Unreachable, "cannot be reached"),
    ("fatal: unable to access 'u': The requested URL returned error: 429", Unreachable, "cannot be reached"),
    ("error: RPC failed; curl 52 Empty reply from server", Unreachable, "cannot be reached"),
    ("remote: HTTP Basic: Access denied\nfatal: Authentication failed for 'https://h/x/'", RemoteRefused,
     "did not let you in: the name or the password is not right (HTTP Basic: Access denied)"),
    ("fatal: Authentication failed for 'https://h/x/'", RemoteRefused, "the name or the password is not right"),
    ("fatal: could not read Username for 'https://h': terminal prompts disabled", RemoteRefused,
     "did not let you in: it wants a name and a password"),
    ("fatal: unable to access 'https://h/x/': SSL certificate problem: self-signed certificate", RemoteRefused,
     "does not trust the certificate of https://me@h/x (SSL certificate problem: self-signed certificate)"),
    ("fatal: unable to access 'https://h/x/': The requested URL returned error: 403", RemoteRefused,
     "did not let you in (The requested URL returned error: 403)"),
    ("git@h: Permission denied (publickey)." + LATER, RemoteRefused,
     "did not let you in: it takes none of the keys that ssh has here"),
    ("Host key verification failed." + LATER, RemoteRefused, "is not known yet"),
    ("@@@@@@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nHost key verification failed." + LATER,
     RemoteRefused, "has another key than this machine knows"),
    ("Unable to negotiate with 1.2.3.4 port 22: no matching host key type found. Their offer: ssh-rsa" + LATER,
     RemoteRefused, "no kind of key that ssh here takes"),
    ("error: cannot run ssh: No such file or directory\nfatal: unable to fork", RemoteRefused,
     "cannot be started (cannot run ssh: No such file or directory)"),
    ("ssh -o BatchMode=yes -o ConnectTimeout=20: 1: ssh: not found" + LATER, RemoteRefused, "cannot be started"),
    ("bash: line 1: git-upload-pack: command not found" + LATER, RemoteRefused, "has no git program"),
    ("fatal: detected dubious ownership in repository at '/srv/x'", RemoteRefused, "belongs to another user"),
    ("error: remote unpack failed: no temporary directory\nNo space left on device", RemoteRefused,
     "cannot store what is sent"),
    ("remote: Repository not found.\nfatal: repository 'x' not found", RemoteRefused,
     "no git repository at https://me@h/x, or none that you may see"),
    ("fatal: '/srv/x' does not appear to be a git repository" + LATER, RemoteRefused, "no git repository at"),
    ("fatal: transport 'ext' not allowed", RemoteRefused, "no place gitmem syncs with"),
    ("fatal: repository 'https://me:secret@h/x/' not found", RemoteRefused, "no git repository at https://me@h/x"),
    ("something nobody has seen", RemoteRefused, "something nobody has seen"),
]  # fmt: skip


@pytest.mark.parametrize("has_git", [True, False])
@pytest.mark.parametrize(("said", "kind", "words"), SAID)
def test_what_a_program_says_becomes_a_sentence_with_a_next_step(
    said: str, kind: type, words: str, has_git: bool
) -> None:
    error = failure(WEB, said, has_git=has_git)
    assert type(error) is kind
    assert words in error.message
    assert "secret" not in error.message + error.hint
    assert "\n" not in error.message
    assert kind is Unreachable or error.hint


@pytest.mark.parametrize(
    ("url", "ssh", "known"),
    [
        ("ssh://ada@h:2222/srv/x", "ssh -T -p 2222 ada@h", "'[h]:2222'"),
        ("ssh://h/srv/x", "ssh -T h", "h"),
        ("ssh://ada@[::1]:22/x", "ssh -T -p 22 ada@::1", "'[::1]:22'"),
        ("git@h:me/x", "ssh -T git@h", "h"),
    ],
)
def test_the_command_that_looks_at_a_host_goes_where_the_url_goes(url: str, ssh: str, known: str) -> None:
    """The same person and the same port: another server would say nothing of this one."""
    assert failure(url, "Host key verification failed.").hint == f"look at its key once, and say yes: {ssh}"
    changed = failure(url, "REMOTE HOST IDENTIFICATION HAS CHANGED").hint
    assert changed.endswith(f"if it was set up anew: ssh-keygen -R {known} && {ssh}")


def test_who_has_no_git_program_is_told_of_no_command_of_git() -> None:
    for said in ("could not read Password", "Authentication failed", "something nobody has seen", "not found"):
        assert "git " not in failure(WEB, said, has_git=False).hint.replace("without a git program", "")
    hint = failure(WEB, "Authentication failed", has_git=False).hint
    assert hint == "without a git program both stand in the URL: https://NAME:PASSWORD@h/x"


def test_a_reason_has_no_labels_and_no_control_characters() -> None:
    assert first_reason("remote: error: \x1b[31mno") == " [31mno"
    assert first_reason("remote: error: no") == "no"
    assert first_reason("") == ""
