"""Draws a page of `--report html` as SVG: `pictures.py PAGE FOLDER`. Needs pdftocairo, from poppler-utils."""

import sys

from browser import Browser

PICTURES = [("report-steps", "#price", 700), ("report-timeline", "#/timeline", 620)]

with Browser() as browser:
    for name, address, height in PICTURES:
        browser.size(1180, height)
        browser.media(scheme="light", kind="screen")
        browser.open(sys.argv[1], address)
        browser.run("new Promise((done) => setTimeout(done, 300))")
        browser.drawing(f"{sys.argv[2]}/{name}.svg", 1180, height)
