"""Everything that may happen to a store while it is written to, with counts.

python -m benchmarks.torture                 the whole: 500 kills of each command, about 30 minutes
python -m benchmarks.torture --kills 50 --writes 320
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.torture import beside, kill
from benchmarks.torture.common import Figures, environment


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=500, help="of each command")
    parser.add_argument("--writes", type=int, default=1600, help="of each mode without kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="modes whose name holds this")
    options = parser.parse_args()
    environment()
    folder = Path(tempfile.mkdtemp(prefix="torture-"))
    rows: list[Figures] = []
    kill.KINDS = {name: kind for name, kind in kill.KINDS.items() if options.only in f"kill: {name}"}
    try:
        for rows_of in (kill.run(folder, options.kills, options.seed), beside.run(folder, options.writes)):
            for row in rows_of:
                rows.append(row)
                print(row.line(), flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    acknowledged, lost = sum(row.acknowledged for row in rows), sum(len(row.lost) for row in rows)
    print(f"in all: {acknowledged:,} acknowledged, {lost} lost, {sum(row.kills for row in rows):,} kills and refusals")
    return 1 if lost or any(row.faults for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
