"""Results as an SVG of bars that reads on a light and on a dark page."""
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, HEIGHT, GAP = 960, 360, 250, 15, 4
SCALE_END = 6.0
NAMES = {"wall": "wall time", "cpu": "CPU"}
STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
.title { font-size: 17px; font-weight: 600 } .row { font-weight: 600 } .small { font-size: 11px; fill: #59636e }
.garland { fill: #1a7f5a } .missed { fill: #bc4c00 } .peer { fill: #b6bfc9 } .grid { stroke: #d1d9e0 } .limit { stroke: #1f2328; stroke-width: 1.5 }
.goal { stroke: #0969da; stroke-width: 2 } .spread { stroke: #1f2328; stroke-width: 1 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .small { fill: #9198a1 } .garland { fill: #3fb984 } .missed { fill: #e3732f } .peer { fill: #4b545f } .grid { stroke: #3d444d }
.limit { stroke: #f0f6fc } .goal { stroke: #58a6ff } .spread { stroke: #f0f6fc }
}
"""


def amount(value):
    """Three digits, or all of a whole number that has more."""
    return f"{value:,.0f}" if value >= 1_000 else f"{value:.3g}"


def position(ratio):
    """Where on the page a ratio stands; what is beyond the scale stands at its end."""
    return LEFT + min(ratio, SCALE_END) / SCALE_END * (WIDTH - LEFT - RIGHT)


def bars(row):
    """(label, ratio, low, high, class, goal, text) of each bar."""
    goals = {(t["name"], t["what"], t["base"]): t for t in row["targets"] if "ratio" in t}
    for ratio in row["ratios"]:
        goal = goals.get((ratio["name"], ratio["what"], ratio["base"]))
        mine = ratio["name"] == "garland" or goal is not None
        # The row's own measure is its goal's; without a goal it is CPU, which drifts least.
        wanted = {what for _, what, _ in goals} or {"cpu"}
        if ratio["what"] not in wanted:
            continue
        style = ("missed" if goal and goal["verdict"] == "missed" else "garland") if mine else "peer"
        text = f"{ratio['ratio']:.2f} ×" + (f" ({ratio['low']:.2f}–{ratio['high']:.2f})" if mine else "")
        if mine and goal:
            text += f", wanted ≤ {goal['limit']:g}"
        yield f"{ratio['name']}, {NAMES[ratio['what']]}", ratio["ratio"], ratio["low"], ratio["high"], style, goal if mine else None, text


def svg(report):
    y = 78
    parts = []
    for row in report["rows"]:
        lines = list(bars(row))
        others = [t for t in row["targets"] if "value" in t]
        if not lines and not others:
            continue
        parts.append(f'<text class="row" x="16" y="{y + 12}">{escape(row["title"])}</text>')
        y += 22
        for label, ratio, low, high, style, goal, text in lines:
            middle = y + HEIGHT / 2
            parts.append(f'<text class="small" x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{escape(label)}</text>')
            parts.append(f'<rect class="{style}" x="{LEFT}" y="{y}" width="{position(ratio) - LEFT:.1f}" height="{HEIGHT}" rx="2"/>')
            if style != "peer" and high < SCALE_END:
                parts.append(f'<path class="spread" d="M{position(low):.1f} {middle}H{position(high):.1f}"/>')
            if goal and goal["limit"] < SCALE_END:
                at = position(goal["limit"])
                parts.append(f'<path class="goal" d="M{at:.1f} {y - 2}v{HEIGHT + 4}"/>')
            beside = max(position(ratio), position(high if style != "peer" else 0), position(goal["limit"]) if goal else 0) + 6
            parts.append(f'<text class="small" x="{beside:.1f}" y="{y + 12}">{escape(text)}</text>')
            y += HEIGHT + GAP
        for t in others:
            unit = {"peak": "MiB of memory at most", "wall": "s", "parse_and_find": "MB/s, all parsed", "find_only": "MB/s, the path alone"}[t["what"]]
            sign = "≥" if t["what"] in ("parse_and_find", "find_only") else "≤"
            mark = "missed: " if t["verdict"] == "missed" else ""
            parts.append(f'<text class="small" x="{LEFT}" y="{y + 11}">{mark}{amount(t["value"])} {unit}, wanted {sign} {t["limit"]:g}</text>')
            y += HEIGHT + GAP
        y += 12
    grid = []
    for tick in range(0, int(SCALE_END) + 1):
        style = "limit" if tick == 1 else "grid"
        grid.append(f'<path class="{style}" d="M{position(tick):.1f} 66V{y}"/>')
        grid.append(f'<text class="small" x="{position(tick):.1f}" y="60" text-anchor="middle">{tick} ×</text>')
    versions = report["versions"]
    note = (f"{report['date']}, {report['machine']['cores']} cores, {report['pairs']} pairs a row; "
            f"{versions['nginx'].split(': ')[-1]}, {' '.join(versions['curl'].split()[:2])}; garland has {report['binary_bytes'] / 1e6:.1f} MB" + (f", {' '.join(versions['hurl'].split()[:2])}" if versions["hurl"] else ""))
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + 30}" viewBox="0 0 {WIDTH} {y + 30}" role="img">',
        "<title>Garland beside the least that libcurl can do</title>", f"<style>{STYLE}</style>",
        '<text class="title" x="16" y="26">How many times the cost of a bare C loop on libcurl (transfers of files: of curl)</text>',
        '<text class="small" x="16" y="44">Black line: the C program. Blue marks: what is wanted. Thin lines: 95 % intervals. Less is better.</text>']
    return "\n".join(head + grid + parts + [f'<text class="small" x="16" y="{y + 18}">{escape(note)}</text>', "</svg>"]) + "\n"
