"""Makes the small update histories in data/sample/docs, terms and periodic.

    python data/sample/make_histories.py [DATA_DIR]

DATA_DIR, or the folder named by RECRAWL_DATA, holds docs, terms and periodic, each with
pages.parquet, updates.parquet and sites.parquet. Sites are drawn in the order of a hash
of their names, then pages of each in the order of a hash of theirs, so that the sample
is the same whoever makes it. Needs pyarrow.
"""

import hashlib
import os
import pathlib
import sys

import pyarrow
import pyarrow.parquet as parquet

# Sites, pages a site, and most updates a page of each kind.
SIZES = {"docs": (12, 200, 400), "terms": (100, 6, 500), "periodic": (20, 15, 700)}

# Sites whose history ends within this of the last one are worth having: their
# pages live through the last cycles.
RECENT = 60 * 86_400


def order(text):
    return hashlib.sha256(text.encode()).hexdigest()


def take(folder, sites_wanted, pages_wanted, most_updates):
    read = lambda name: parquet.read_table(folder / f"{name}.parquet").to_pylist()
    sites, pages = read("sites"), read("pages")
    updates = {}
    for row in read("updates"):
        updates.setdefault(row["page_id"], []).append(row["t"])
    last = max(site["end"] for site in sites)
    recent = [site for site in sites if site["end"] >= last - RECENT]
    chosen = sorted(recent, key=lambda site: order(site["site"]))[:sites_wanted]
    kept = []
    for site in sorted(chosen, key=lambda site: site["site"]):
        own = [
            page
            for page in pages
            if page["site"] == site["site"] and len(updates.get(page["page_id"], [])) <= most_updates
        ]
        own.sort(key=lambda page: order(f'{page["site"]} {page["path"]} {page["born"]}'))
        kept += own[:pages_wanted]
    return chosen, kept, updates


def write(folder, sites, pages, updates):
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        (number, t) for number, page in enumerate(pages) for t in updates.get(page["page_id"], [])
    ]
    kinds = {
        "pages": pyarrow.table(
            {
                "page_id": pyarrow.array(range(len(pages)), pyarrow.uint32()),
                "site": [page["site"] for page in pages],
                "path": [page["path"] for page in pages],
                "born": pyarrow.array([page["born"] for page in pages], pyarrow.int64()),
                "died": pyarrow.array([page["died"] for page in pages], pyarrow.int64()),
            }
        ),
        "updates": pyarrow.table(
            {
                "page_id": pyarrow.array([row[0] for row in rows], pyarrow.uint32()),
                "t": pyarrow.array([row[1] for row in rows], pyarrow.int64()),
            }
        ),
        "sites": pyarrow.table(
            {
                "site": [site["site"] for site in sites],
                "end": pyarrow.array([site["end"] for site in sites], pyarrow.int64()),
            }
        ),
    }
    for name, table in kinds.items():
        whole = [field.name for field in table.schema if pyarrow.types.is_integer(field.type)]
        parquet.write_table(
            table,
            folder / f"{name}.parquet",
            compression="zstd",
            compression_level=19,
            use_dictionary=False,
            column_encoding={column: "DELTA_BINARY_PACKED" for column in whole},
            write_statistics=False,
            store_schema=False,
        )
    return len(rows)


def main():
    data = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("RECRAWL_DATA")
    if not data:
        sys.exit("name the folder of the histories, or set RECRAWL_DATA")
    here = pathlib.Path(__file__).resolve().parent
    for name, size in SIZES.items():
        sites, pages, updates = take(pathlib.Path(data) / name, *size)
        count = write(here / name, sites, pages, updates)
        print(f"{name}: {len(sites)} sites, {len(pages)} pages, {count} updates")


if __name__ == "__main__":
    main()
