"""Makes visits.csv: daily visits to ten pages whose true updates are recorded.

    python data/sample/make_visits.py DATA_DIR > data/sample/visits.csv

DATA_DIR/terms holds update histories of legal documents (pages.parquet,
updates.parquet). A visit sees a change if the page was updated since the visit
before; half of the pages tell when; two visits in a hundred fail. Needs pyarrow.
"""

import csv
import random
import sys

import pyarrow.parquet as parquet

DAY = 86_400
DAYS = 120

folder = sys.argv[1]
pages = parquet.read_table(f"{folder}/terms/pages.parquet").to_pylist()
updates = {}
for row in parquet.read_table(f"{folder}/terms/updates.parquet").to_pylist():
    updates.setdefault(row["page_id"], []).append(row["t"])

end = max(max(times) for times in updates.values()) // DAY * DAY
start = end - DAYS * DAY
alive = [page for page in pages if page["born"] < start and page["died"] is None]
recent = {page["page_id"]: sum(t > start for t in updates.get(page["page_id"], [])) for page in alive}
# From lively to still, and one that did not change at all.
lively = sorted((page for page in alive if recent[page["page_id"]]), key=lambda p: -recent[p["page_id"]])
still = next(page for page in alive if not recent[page["page_id"]])
chosen = [lively[rank] for rank in (3, 6, 12, 22, 40, 70, 120, 200, 330)] + [still]

rng = random.Random(2026)
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["page", "time", "changed", "last_modified", "site"])
for index, page in enumerate(chosen):
    times = updates.get(page["page_id"], [])
    before = None
    for day in range(DAYS + 1):
        at = start + day * DAY + rng.randrange(-3_600, 3_600)
        if before is not None and rng.random() < 0.02:
            out.writerow([page["path"].removesuffix(".md"), at, "", "", page["site"].rsplit("/", 1)[-1]])
            continue
        seen = [t for t in times if t <= at]
        changed = "" if before is None else int(bool(seen) and seen[-1] > before)
        told = seen[-1] if seen and index % 2 == 0 else ""
        out.writerow([page["path"].removesuffix(".md"), at, changed, told, page["site"].rsplit("/", 1)[-1]])
        before = at
