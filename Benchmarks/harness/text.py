"""Results as text."""


def seconds(value):
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.2f} s"


NAMES = {"wall": "wall", "cpu": "CPU", "peak": "peak memory", "parse_and_find": "parse all, then find", "find_only": "find in the bytes"}
UNITS = {"peak": " MiB", "parse_and_find": " MB/s", "find_only": " MB/s", "wall": " s", "cpu": " s"}


def target(found):
    mark = {"met": "✓", "missed": "✗", "open": "·"}[found["verdict"]]
    name = ("" if found["name"] == "garland" else f"{found['name']}: ") + NAMES[found["what"]]
    sign = "≥" if found["what"] in ("parse_and_find", "find_only") else "≤"
    if "ratio" in found:
        return (f"{mark} {name} {found['ratio']:.2f} × {found['base']} ({found['low']:.2f}–{found['high']:.2f}, {found['pairs']} pairs)"
                f"   wanted {sign} {found['limit']:g} ×")
    unit = UNITS[found["what"]]
    return f"{mark} {name} {found['value']:g}{unit} ({found['low']:g}–{found['high']:g})   wanted {sign} {found['limit']:g}{unit}"


def row(found):
    lines = [f"{found['id']}: {found['title']}"]
    for name, figures in found["contenders"].items():
        each = f"  {figures['cpu_per_request_us']:.1f} µs a request" if found["requests"] > 1 else ""
        lines.append(
            f"  {name:<26} {seconds(figures['wall']):>9}  CPU {seconds(figures['cpu']):>9}{each}  {figures['peak_mib']:.1f} MiB  ({figures['runs']})")
    lines += [f"  {target(t)}" for t in found["targets"]]
    if not found["targets"]:
        lines += [f"    {NAMES[r['what']]} {r['ratio']:.2f} × {r['base']} ({r['low']:.2f}–{r['high']:.2f}, {r['pairs']} pairs)"
                  for r in found["ratios"] if r["name"] == "garland"]
    return "\n".join(lines)
