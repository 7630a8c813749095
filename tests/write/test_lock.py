"""One writer at a time, waiters in turn, no lock survives its holder."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gitmem.errors import RepositoryBusy
from gitmem.write.lock import _filelocks, writer_lock


def holder(folder: Path) -> subprocess.Popen[str]:
    """A process that holds the lock until it is killed or its input ends."""
    program = (
        "import sys\nfrom gitmem.write.lock import writer_lock\n"
        "with writer_lock(sys.argv[1]):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    words = [sys.executable, "-c", program, str(folder)]
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return child


def end(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.communicate()


def test_a_second_writer_is_told_who_is_waited_for(tmp_path: Path) -> None:
    """A wait has an end, and then a sentence."""
    child = holder(tmp_path)
    try:
        with (
            pytest.raises(RepositoryBusy, match="other writers have held this store") as busy,
            writer_lock(str(tmp_path), timeout_s=0.05),
        ):
            pass
        assert str(tmp_path) in busy.value.message
    finally:
        end(child)


def test_the_lock_ends_with_its_holder(tmp_path: Path) -> None:
    """Released by death, not by a pid that may live on in another process."""
    end(holder(tmp_path))
    with writer_lock(str(tmp_path), timeout_s=5):
        pass


def test_a_waiter_that_gave_up_does_not_keep_the_lock(tmp_path: Path) -> None:
    """The thread left behind by a timeout lets go as soon as it gets the lock."""
    child = holder(tmp_path)
    for _ in range(3):
        with pytest.raises(RepositoryBusy), writer_lock(str(tmp_path), timeout_s=0.02):
            pass
    end(child)
    for _ in range(3):
        with writer_lock(str(tmp_path), timeout_s=5):
            pass


def test_threads_of_one_process_exclude_each_other(tmp_path: Path) -> None:
    """The lock belongs to an open file, so two threads are two writers."""
    inside, most, done = [0], [0], []

    def work() -> None:
        for _ in range(20):
            with writer_lock(str(tmp_path)):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                os.sched_yield()
                inside[0] -= 1
        done.append(True)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most[0] == 1
    assert len(done) == 6


def test_an_error_inside_lets_go(tmp_path: Path) -> None:
    with pytest.raises(ValueError), writer_lock(str(tmp_path)):
        raise ValueError
    with writer_lock(str(tmp_path), timeout_s=0.5):
        pass


def test_where_there_is_no_blocking_lock_a_file_lock_serves(tmp_path: Path) -> None:
    """filelock elsewhere; the same two locks, the same sentence."""
    (tmp_path / "gitmem").mkdir()
    held = _filelocks(str(tmp_path), 1.0)
    child = subprocess.run(
        [sys.executable, "-c", "import sys\nfrom gitmem.write.lock import _filelocks\n_filelocks(sys.argv[1], 0.05)",
         str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "RepositoryBusy: other writers have held this store" in child.stderr
    held.release()
    _filelocks(str(tmp_path), 1.0).release()
