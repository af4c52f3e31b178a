"""Reads a page of `--report html` in Chromium, and prints what it found as one JSON object: `report_page.py SCENARIO PAGE…`."""

import importlib.resources
import json
import os
import sys
import time

from browser import Browser

TEXT = "document.getElementById('detail').innerText"


def shown(browser):
    """The titles of the rows that the list has, in order."""
    return browser.run("[...document.querySelectorAll('#list .row')].sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top)).map((row) => row.querySelector('.name').firstChild.textContent)")


def outcomes(browser, page):
    """The texts of each step's page."""
    browser.open(page)
    found = {"chips": browser.run("[...document.querySelectorAll('.chip')].map((chip) => chip.innerText.replace(/\\s+/g, ' ').trim())"),
             "heading": browser.run("document.querySelector('h1').innerText"), "title": browser.run("document.title"), "rows": shown(browser), "steps": {}}
    browser.run("document.getElementById('list').focus()")
    browser.press("Home")
    for index in range(browser.run("Number(document.querySelector('#list [role=option]').getAttribute('aria-setsize'))")):
        if index:
            browser.press("ArrowDown")
        name = browser.run("document.querySelector('#list [aria-selected=true] .name').firstChild.textContent")
        browser.wait(f"document.getElementById('detail').getAttribute('aria-label') == 'Step ' + {json.dumps(name)}")
        browser.run("document.querySelectorAll('#detail details').forEach((box) => { box.open = true; })")
        browser.run("new Promise((done) => setTimeout(done))")
        found["steps"].setdefault(name, browser.run(TEXT))
        images = browser.run("Promise.all([...document.querySelectorAll('#detail img')].map((image) => image.decode().then(() => image.naturalWidth, () => 0)))")
        if images:
            found.setdefault("images", {})[name] = images
    return found


def filters(browser, page):
    browser.open(page)
    found = {"all": shown(browser)}
    browser.run("document.querySelector('.chip[data-outcome=failed]').click()")
    found["failed"] = shown(browser)
    browser.run("document.querySelector('.chip[data-outcome=failed]').click()")

    def choose(name, value):
        browser.run(f"(() => {{ const select = document.getElementById('{name}'); select.value = {json.dumps(value)}; select.dispatchEvent(new Event('change')); }})()")
        return shown(browser)
    if browser.run("!!document.getElementById('tag')"):
        found["tag"] = choose("tag", "smoke")
        choose("tag", "")
    found["slow"] = choose("sort", "slow")
    choose("sort", "plan")
    browser.run("document.getElementById('search').focus()")
    for letter in "cover":
        browser.press(letter)
    found["text"] = shown(browser)
    found["words"] = browser.run("document.getElementById('found').innerText")
    browser.press("Escape")
    found["after"] = shown(browser)
    return found


def flaky(browser, page):
    """The rows that the filter for flaky steps leaves."""
    browser.open(page)
    browser.run("document.querySelector('.chip[data-outcome=flaky]').click()")
    return {"shown": shown(browser)}


def keyboard(browser, page):
    browser.open(page, "#/steps")
    browser.wait("document.getElementById('detail').innerText")
    found = {}
    browser.run("document.getElementById('list').focus()")
    browser.press("Home")
    found["home"] = browser.run("decodeURIComponent(location.hash)")
    browser.press("ArrowDown")
    found["down"] = browser.run("decodeURIComponent(location.hash)")
    found["selected"] = browser.run("document.querySelector('[aria-selected=true] .name').firstChild.textContent")
    found["active"] = browser.run("document.getElementById(document.getElementById('list').getAttribute('aria-activedescendant'))?.getAttribute('aria-selected')")
    browser.press("End")
    found["end"] = browser.run("decodeURIComponent(location.hash)")
    browser.press("f")
    browser.wait("document.getElementById('detail').innerText.includes('failed')")
    found["failure"] = browser.run("decodeURIComponent(location.hash)")
    browser.press("/")
    found["focus"] = browser.run("document.activeElement.id")
    browser.press("Escape")
    browser.press("2")
    browser.wait("!document.getElementById('timeline').hidden")
    browser.run("document.getElementById('lanes')?.focus()")
    browser.press("ArrowDown")
    found["lane"] = browser.run("document.querySelector('#lanes [aria-selected=true]')?.getAttribute('aria-label') ?? ''")
    browser.press("+")
    found["zoomed"] = browser.run("!document.getElementById('brush').hidden")
    browser.press("3")
    browser.wait("!document.getElementById('graph').hidden")
    browser.run("document.querySelector('.node').focus()")
    browser.press("Enter")
    browser.wait("!document.getElementById('steps').hidden")
    found["node"] = browser.run("decodeURIComponent(location.hash)")
    return found


def views(browser, page):
    browser.open(page, "#/timeline")
    found = {"lanes": browser.run("[...document.querySelectorAll('#lanes [role=option]')].map((lane) => lane.getAttribute('aria-label'))"),
             "ticks": browser.run("[...document.querySelectorAll('#ticks span')].map((tick) => { const [box, all] = [tick, tick.parentElement].map((it) => it.getBoundingClientRect()); return box.width > 0 && box.left >= all.left - 1 && box.right <= all.right + 1; })"),
             "advice": browser.run("document.querySelector('.advice')?.innerText ?? ''"),
             "phases": browser.run("[...new Set([...document.querySelectorAll('#lanes .track i')].map((bar) => bar.className))]")}
    browser.run("location.hash = '#/graph'")
    browser.wait("document.querySelector('.node')")
    found["nodes"] = browser.run("[...document.querySelectorAll('.node')].map((node) => node.getAttribute('aria-label'))")
    found["links"] = browser.run("document.querySelectorAll('.link').length")
    browser.run("document.getElementById('all-edges').click()")
    found["allLinks"] = browser.run("document.querySelectorAll('.link').length")
    browser.call("Emulation.setEmulatedMedia", media="print")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    browser.wait("document.querySelector('#paper table')")
    found["paper"] = browser.run("document.body.innerText")
    browser.call("Emulation.setEmulatedMedia", media="")
    return found


def narrow(browser, page):
    """The page on A4 paper while a step is open, and on a phone."""
    found = {}
    browser.size(718, 1000)
    browser.open(page, "#create")
    browser.call("Emulation.setEmulatedMedia", media="print")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    browser.wait("document.querySelector('#paper table')")
    found["facts"] = browser.run("document.querySelector('.facts').offsetHeight > 0")
    found["brokenCells"] = browser.run("[...document.querySelectorAll('#paper td, #paper th')].filter((cell) => cell.cellIndex > 2 && cell.innerText.length < 20 && cell.getClientRects()[0].height > 2.5 * parseFloat(getComputedStyle(cell).fontSize)).map((cell) => cell.innerText)")
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.size(390, 844)
    browser.open(page, "#/graph")
    found["graph"] = browser.run("(() => { const [box, all] = ['#canvas svg', '#canvas'].map((place) => document.querySelector(place).getBoundingClientRect()); const text = document.querySelector('.node text:nth-of-type(2)').getBoundingClientRect(); return box.height >= all.height - 2 && text.height >= 9; })()")
    browser.size(375, 800)
    browser.open(page, "#create")
    browser.wait("document.querySelector('#detail em.says')")
    carets = "[...document.querySelectorAll('#detail .failure pre.code em.says')].map((mark) => { const [box, lines] = [mark, mark.closest('pre')].map((it) => it.getBoundingClientRect()); return box.left >= lines.left && box.left < lines.right; })"
    found["carets"] = browser.run(carets)
    browser.size(1280, 800)
    browser.open(page, "#create")
    browser.wait("document.querySelector('#detail em.says')")
    found["carets"] += browser.run(carets)
    found["small"] = []
    for width, height in ((390, 600), (844, 390), (320, 568)):
        browser.size(width, height)
        for address, box in (("#/steps", "list"), ("#/timeline", "lanes"), ("#/graph", "canvas")):
            browser.open(page, address)
            found["small"].append(browser.run(f"(() => {{ const box = document.getElementById('{box}'); box.scrollIntoView(); return box.clientHeight >= 200 && box.getBoundingClientRect().top < innerHeight - 100; }})()"))
    browser.size(375, 800)
    browser.open(page, "#create")
    found["oneRowOfTabs"] = browser.run("document.getElementById('theme').getBoundingClientRect().top < document.querySelector('.tabs a').getBoundingClientRect().bottom")
    browser.size(1280, 800)
    return found


def phone(browser, page):
    """Whether each view fits the width of a phone."""
    browser.size(390, 844)
    found = []
    for address in ("#/steps", "#create", "#/timeline", "#/graph"):
        browser.open(page, address)
        found.append(browser.run("document.documentElement.scrollWidth <= 390"))
    browser.size(1280, 800)
    return found


def ticks(browser, page):
    """At which widths of the window labels of the timeline's axis overlap."""
    browser.open(page, "#/timeline")
    found = []
    for width in range(860, 1300, 10):
        browser.size(width, 800)
        browser.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if browser.run("(() => { const boxes = [...document.querySelectorAll('#ticks span')].map((tick) => tick.getBoundingClientRect()); return boxes.some((box, index) => index > 0 && box.left < boxes[index - 1].right - 1); })()"):
            found.append(width)
    browser.size(1280, 800)
    return found


def hidden(browser, page):
    """Of a run without notices, whether the address of the notices shows them, and whether it shows the steps."""
    browser.open(page, "#/notices")
    return browser.run("['notices', 'steps'].map((name) => !document.getElementById(name).hidden)")


def labels(browser, page):
    """Of the items of a loop, the part of the label that the list and the timeline show whole."""
    found = []
    for address, place in (("#/steps", "list"), ("#/timeline", "lanes")):
        browser.open(page, address)
        found += browser.run(f"[...document.querySelectorAll('#{place} .item')].map((item) => {{ const [, , core] = item.children; const [box, all] = [core, item.parentElement].map((it) => it.getBoundingClientRect()); return core.scrollWidth <= core.clientWidth && box.right <= all.right ? core.textContent : ''; }})")
    return found


def marks(browser, page):
    """Of a step with a long message at a long line, whether the source begins at its start and shows the whole message, and the place is in sight."""
    found = []
    for width in (1280, 390):
        browser.size(width, 800)
        browser.open(page, "#create")
        browser.wait("document.querySelector('#detail .hit .says')")
        found.append(browser.run("""[...document.querySelectorAll('#detail .hit .says, #detail .place')].every((text) => {
            const [own, lines] = [text, text.closest('pre')].map((element) => element.getBoundingClientRect());
            return own.left >= lines.left && own.right <= lines.right;
        }) && [...document.querySelectorAll('#detail pre:not(.quote)')].every((lines) => lines.scrollLeft === 0)"""))
    browser.size(1280, 800)
    return found


def addresses(browser, page):
    """The target of a link to a step if two files have a step of that id."""
    found = {}
    for address in ("#create", "#b/shop.yaml#create", "#nothing"):
        browser.open(page, address)
        browser.wait("document.getElementById('detail').innerText")
        found[address] = browser.run("document.getElementById('detail').innerText")
    found["names"] = browser.run("[...document.querySelectorAll('#list .row .name')].map((name) => name.innerText)")
    return found


def accessibility(browser, page):
    """The findings of axe-core in each view, light on a wide and dark on a narrow window; `make test-deep` has all four."""
    axe = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    found = []
    every = [(scheme, width) for scheme in ("light", "dark") for width in (1280, 390)]
    for scheme, width in every if "GARLAND_DEEP" in os.environ else (every[0], every[-1]):
        browser.size(width, 800)
        browser.media(scheme=scheme)
        for address in ("#/steps", "#create", "#/timeline", "#/graph", "#/notices"):
            browser.open(page, address)
            browser.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            browser.run(axe + "; 0")
            for violation in browser.run("axe.run(document, {resultTypes: ['violations']}).then((results) => results.violations.map((violation) => `${violation.id}: ${violation.help}: ${violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`))"):
                found.append(f"{scheme} {width} {address}: {violation}")
    browser.size(1280, 800)
    browser.media()
    return found


def speed(browser, page):
    """Seconds until the list is there, until a step, until the timeline."""
    begin = time.monotonic()
    browser.open(page)
    opened = time.monotonic() - begin
    rows = browser.run("document.querySelector('#list .tall').style.height")
    browser.run("document.getElementById('list').focus()")
    browser.press("End")
    browser.wait("document.getElementById('detail').querySelector('h2')")
    detail = time.monotonic() - begin - opened
    browser.run("location.hash = '#/timeline'")
    browser.wait("document.querySelector('#lanes [role=option]')")
    return {"opened": opened, "detail": detail, "timeline": time.monotonic() - begin - opened - detail, "rows": rows}


def main():
    scenarios = sys.argv[1].split(",")
    result = {}
    with Browser() as browser:
        for scenario in scenarios:
            result[scenario] = globals()[scenario](browser, sys.argv[2])
            result.setdefault("messages", []).extend(browser.messages)
            result.setdefault("requests", []).extend(url for url in browser.requests if not url.startswith(("file:", "data:", "blob:", "about:")))
    print(json.dumps(result))


main()
