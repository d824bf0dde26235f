from __future__ import annotations

import re
from pathlib import Path

import pages
import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.md"))  # run when the documentation is built
PAGES = sorted({ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")})
WITH_CODE = [p for p in PAGES if any(b.language in pages.RUN for b in pages.blocks(p))]
# That are only shown, in all pages together: installing, making, the original program; and what
# needs an MPI, which tests/test_mpi.py runs.
SHOWN_ONLY = 6


def name(page):
    return str(page.relative_to(ROOT))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_CODE, ids=name)
@pytest.mark.usefixtures("folder")
def test_the_code_of_a_page_runs_and_prints_what_it_shows(page):
    assert pages.run(page) > 0


def test_code_stands_in_blocks_that_are_run_or_say_why_not():
    known = {"setup", "text", "{toctree}", "{include} ../benchmarks/RESULTS.md",
             "{include} ../CHANGELOG.md", "{eval-rst}", *pages.RUN}  # fmt: skip
    found = {
        f"{name(page)}:{block.line}: {block.language!r}"
        for page in PAGES
        for block in pages.blocks(page)
        if block.language not in known and not (
            page in NOTEBOOKS and block.language == "{code-cell} ipython3"
        )
    }  # fmt: skip
    assert not found


def test_few_blocks_are_only_shown():
    reasons = [b.reason for page in PAGES for b in pages.blocks(page) if b.reason is not None]
    assert len(reasons) == SHOWN_ONLY


def anchors(page):
    """The anchors of a page's headings, as GitHub and MyST make them."""
    text = page.read_text("utf-8")
    included = re.search(r"^```\{include\} (\S+)$", text, re.M)
    if included:
        text = (page.parent / included[1]).read_text("utf-8")
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_to_a_page_and_a_heading(page):
    for path, anchor in pages.links(page):
        target = page if not path else page.parent / path
        assert target.exists(), f"{path} is not there"
        assert anchor is None or anchor in anchors(target), f"{path} has no heading {anchor}"
