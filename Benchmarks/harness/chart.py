"""Results as an SVG of bars that reads on a light and on a dark page."""
from xml.sax.saxutils import escape

WIDTH, LEFT, SCALE_RIGHT, MEMORY, HEIGHT, GAP = 1040, 300, 640, 1024, 15, 4
SCALE_END = 6.3
# The place of the axis break, as a ratio: nothing is measured between it and the end of a cut bar.
BREAK = 5.95
NAMES = {"wall": "wall time", "cpu": "CPU"}
PROGRAMS = {"limit": "C program"}
STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
.title { font-size: 17px; font-weight: 600 } .row { font-weight: 600 } .small { font-size: 11px; fill: #59636e }
.garland { fill: #1a7f5a } .missed { fill: #bc4c00 } .peer { fill: #b6bfc9 } .grid { stroke: #d1d9e0 } .base { stroke: #1f2328; stroke-width: 1.5 }
.limit { stroke: #0969da; stroke-width: 2 } .spread, .break { stroke: #1f2328; stroke-width: 1; fill: none }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .small { fill: #9198a1 } .garland { fill: #3fb984 } .missed { fill: #e3732f } .peer { fill: #4b545f } .grid { stroke: #3d444d }
.base, .spread, .break { stroke: #f0f6fc } .limit { stroke: #58a6ff }
}
"""


def amount(value):
    """Three digits, or all of a whole number that has more."""
    return f"{value:,.0f}" if value >= 1_000 else f"{value:.3g}"


def position(ratio):
    """The place of a ratio on the page; a ratio beyond the scale is at its end."""
    return LEFT + (min(ratio, SCALE_END) if ratio <= BREAK else SCALE_END) / SCALE_END * (SCALE_RIGHT - LEFT)


def bars(row):
    """(label, ratio, low, high, class, limit, text, memory) of each bar."""
    limits = {(t["name"], t["what"], t["base"]): t for t in row["targets"] if "ratio" in t}
    for ratio in row["ratios"]:
        limit = limits.get((ratio["name"], ratio["what"], ratio["base"]))
        mine = ratio["name"] == "garland" or limit is not None
        # The row's own measure is its limit's; without a limit it is CPU, which drifts least.
        shown = {what for _, what, _ in limits} or {"cpu"}
        if ratio["what"] not in shown:
            continue
        style = ("missed" if limit and limit["verdict"] == "missed" else "garland") if mine else "peer"
        text = f"{ratio['ratio']:.2f} ×" + (f" ({ratio['low']:.2f}–{ratio['high']:.2f})" if mine else "")
        peak = row["contenders"].get(ratio["name"], {}).get("peak_mib")
        name = PROGRAMS.get(ratio["name"], ratio["name"])
        yield f"{name}, {NAMES[ratio['what']]}", ratio["ratio"], ratio["low"], ratio["high"], style, limit if mine else None, text, peak


def bar(style, y, ratio):
    """A bar; one that is cut has a gap at the break of the axis."""
    end = position(ratio)
    if ratio <= BREAK:
        return f'<rect class="{style}" x="{LEFT}" y="{y}" width="{end - LEFT:.1f}" height="{HEIGHT}" rx="2"/>'
    at = position(BREAK)
    return (f'<path class="{style}" d="M{LEFT} {y}H{at + 3:.1f}l-6 {HEIGHT}H{LEFT}z'
            f'M{at + 8:.1f} {y}H{end:.1f}v{HEIGHT}H{at + 2:.1f}z"/>')


def legend(y, missed):
    """The legend: the meaning of each mark, on one line."""
    entries = [('<rect class="garland" x="{x}" y="{t}" width="18" height="10" rx="2"/>', "Garland"),
               ('<rect class="peer" x="{x}" y="{t}" width="18" height="10" rx="2"/>', "other programs"),
               ('<path class="base" d="M{m} {t}v11"/>', "the baseline, 1 ×"),
               ('<path class="limit" d="M{m} {t}v11"/>', "the most that Garland may take"),
               ('<path class="spread" d="M{x} {c}h18"/>', "95 % interval")]
    if missed:
        entries.insert(1, ('<rect class="missed" x="{x}" y="{t}" width="18" height="10" rx="2"/>', "Garland, over its limit"))
    x, parts = 16, []
    for mark, words in entries:
        parts.append(mark.format(x=x, t=y - 9, m=x + 9, c=y - 4))
        parts.append(f'<text class="small" x="{x + 24}" y="{y}">{words}</text>')
        x += 24 + 6.2 * len(words) + 22
    return parts


def value(target):
    """A row's figure that is no ratio: its name, and the figure."""
    unit, name = {"peak": ("MiB", "memory"), "wall": ("s", "wall time"), "parse_and_find": ("MB/s", "all parsed"),
                  "find_only": ("MB/s", "the path alone")}[target["what"]]
    bound = "at least" if target["what"] in ("parse_and_find", "find_only") else "at most"
    return f"garland, {name}", f"{amount(target['value'])} {unit} (limit: {bound} {target['limit']:g} {unit})"


def svg(report):
    top = 108
    y = top + 14
    parts, missed = [], False
    for row in report["rows"]:
        lines = list(bars(row))
        others = [t for t in row["targets"] if "value" in t and t["what"] != "peak"]
        peak = next((t for t in row["targets"] if t["what"] == "peak"), None)
        if not lines and not others:
            continue
        compared = row["ratios"][0]["base"] if row["ratios"] else "limit"
        suffix = {"curl": " (baseline: curl)", "garland": " (baseline: 10,000 steps)"}.get(compared, "")
        parts.append(f'<text class="row" x="16" y="{y + 12}">{escape(row["title"] + suffix)}</text>')
        y += 22
        for label, ratio, low, high, style, limit, text, memory in lines:
            middle = y + HEIGHT / 2
            missed = missed or style == "missed"
            parts.append(f'<text class="small" x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{escape(label)}</text>')
            parts.append(bar(style, y, ratio))
            if style != "peer" and high < BREAK:
                parts.append(f'<path class="spread" d="M{position(low):.1f} {middle}H{position(high):.1f}"/>')
            if limit and limit["limit"] < BREAK:
                parts.append(f'<path class="limit" d="M{position(limit["limit"]):.1f} {y - 2}v{HEIGHT + 4}"/>')
            beside = max(position(ratio), position(high if style != "peer" else 0), position(limit["limit"]) if limit else 0) + 6
            parts.append(f'<text class="small" x="{beside:.1f}" y="{y + 12}">{escape(text)}</text>')
            if memory is not None:
                bound = f" (limit: {peak['limit']:g})" if peak and label.startswith("garland") else ""
                parts.append(f'<text class="small" x="{MEMORY}" y="{y + 12}" text-anchor="end">{amount(memory)}{bound}</text>')
            y += HEIGHT + GAP
        for target in others:
            label, figure = value(target)
            mark = "over its limit: " if target["verdict"] == "missed" else ""
            parts.append(f'<text class="small" x="{LEFT - 8}" y="{y + 11}" text-anchor="end">{label}</text>')
            parts.append(f'<text class="small" x="{LEFT}" y="{y + 11}">{mark}{escape(figure)}</text>')
            y += HEIGHT + GAP
        y += 12
    grid = []
    for tick in range(0, int(BREAK) + 1):
        style = "base" if tick == 1 else "grid"
        grid.append(f'<path class="{style}" d="M{position(tick):.1f} {top}V{y}"/>')
        grid.append(f'<text class="small" x="{position(tick):.1f}" y="{top - 6}" text-anchor="middle">{tick} ×</text>')
    at, end = position(BREAK), position(SCALE_END)
    grid.append(f'<path class="grid" d="M{LEFT} {top}H{at - 3:.1f}M{at + 5:.1f} {top}H{end:.1f}"/>')
    grid.append(f'<path class="break" d="M{at - 1:.1f} {top + 5}l4 -10M{at + 4:.1f} {top + 5}l4 -10"/>')
    grid.append(f'<text class="small" x="{end + 4:.1f}" y="{top - 6}" text-anchor="middle">more</text>')
    grid.append(f'<text class="small" x="{MEMORY}" y="{top - 6}" text-anchor="end">peak memory, MiB</text>')
    versions = report["versions"]
    note = (f"{report['date']}, {report['machine']['cores']} cores, {report['pairs']} pairs a row; "
            f"{versions['nginx'].split(': ')[-1]}, {' '.join(versions['curl'].split()[:2])}; garland has {report['binary_bytes'] / 1e6:.1f} MB" + (f", {' '.join(versions['hurl'].split()[:2])}" if versions["hurl"] else ""))
    title = "Time and CPU of Garland, curl and Hurl, as multiples of a bare C program on libcurl"
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + 30}" viewBox="0 0 {WIDTH} {y + 30}" role="img">',
        f"<title>{title}</title>", f"<style>{STYLE}</style>",
        f'<text class="title" x="16" y="26">{title}</text>',
        '<text class="small" x="16" y="46">Shorter bars are better. Rows with another baseline name it. Bars longer than the axis are cut at its break; their figure is beside them.</text>']
    return "\n".join(head + legend(68, missed) + grid + parts + [f'<text class="small" x="16" y="{y + 18}">{escape(note)}</text>', "</svg>"]) + "\n"
