// swift-format-ignore-file
// Written by .ci/embed-page from the folder Page: change the files there.

/// The template of the HTML report: its markup, style sheet and script, without the data of a run.
enum PageText {
  static let scriptHash = "sha256-12/Zzvy8DXXfYzHl+UFQ/EZxhYfBtdH+JS+A1JI6INs="
  static let styleHash = "sha256-O2jjPmTE8BFOpsr0XV0YZRpTk00Mvfibgq57JtBuewQ="
  static let template = #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="{{generator}}">
<title>{{title}}</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='7' fill='%23{{colour}}'/%3E%3C/svg%3E">
<style>{{style}}</style>
</head>
<body>
<a class="skip" href="#list">Skip to the list of steps</a>
<header class="top">
  <div class="verdict {{verdict}}">
    <p class="brand">garland</p>
    <h1>{{heading}}</h1>
    <p class="facts">{{facts}}</p>{{load}}
  </div>
</header>
<nav class="tabs" aria-label="Views">
  <a href="#/steps" id="tab-steps">Steps</a>
  <a href="#/timeline" id="tab-timeline">Timeline</a>
  <a href="#/graph" id="tab-graph">Graph</a>
  <a href="#/notices" id="tab-notices" hidden>Notices</a>
  <div class="chips" id="chips" role="group" aria-label="Filter by outcome"></div>
  <button type="button" id="theme" class="quiet" aria-label="Switch between light and dark">◐</button>
</nav>
<main id="main" tabindex="-1">
  <noscript><p class="message">This page needs JavaScript to show its steps. It loads nothing from anywhere.</p></noscript>
  <p class="message" id="loading" role="status">Unpacking the run …</p>
  <section id="steps" class="view" aria-label="Steps" hidden></section>
  <section id="timeline" class="view" aria-label="Timeline" hidden></section>
  <section id="graph" class="view" aria-label="Graph" hidden></section>
  <section id="notices" class="view" aria-label="Notices" hidden></section>
</main>
<section id="paper" aria-hidden="true"></section>
<div id="live" class="unseen" role="status" aria-live="polite"></div>
"""#
  static let style = #"""
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f5f7, #0e1116);
  --panel: light-dark(#ffffff, #161b22);
  --raised: light-dark(#f8f9fb, #1b212a);
  --ink: light-dark(#171b21, #e4e9f0);
  --dim: light-dark(#566070, #9aa6b5);
  --line: light-dark(#dde1e7, #2b333f);
  --accent: light-dark(#1f57c8, #79a8ff);
  --accent-soft: light-dark(#e6eefc, #1c2b47);
  --passed: light-dark(#13713f, #56c98a);
  --failed: light-dark(#c0232c, #ff7b7b);
  --error: light-dark(#a8400a, #f5a05c);
  --unreachable: light-dark(#7d3fb0, #c79bf0);
  --skipped: light-dark(#566070, #9aa6b5);
  --blocked: light-dark(#7a5a00, #dcb455);
  --critical: light-dark(#0f7b6c, #4fd1b8);
  --notrun: light-dark(#566070, #9aa6b5);
  --passed-soft: light-dark(#e2f4ea, #15301f);
  --failed-soft: light-dark(#fdeaea, #3a191c);
  --warn-soft: light-dark(#fff4dc, #33280f);
  --code: light-dark(#f6f7f9, #11161d);
  --mark: light-dark(#fff0c2, #4a3a08);
  --dns: light-dark(#0f8a83, #35b3ab);
  --connect: light-dark(#d9822b, #e8a05a);
  --tls: light-dark(#9457c9, #b98be6);
  --send: light-dark(#4b6cb7, #8aa4e6);
  --wait: light-dark(#2f9e62, #4bbd80);
  --receive: light-dark(#2d7ff0, #5b9bff);
  --slot: light-dark(#9aa5b4, #667384);
  --queue: light-dark(#c3b28a, #8c7d58);
  --key: light-dark(#1e4fa8, #8fb8ff);
  --string: light-dark(#1a6b3c, #7fd6a2);
  --number: light-dark(#8a3d00, #f0a878);
  --literal: light-dark(#7d2f9e, #d6a5f2);
  --shadow: 0 1px 2px light-dark(rgb(20 30 50 / 8%), rgb(0 0 0 / 40%));
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif;
}
:root.light { color-scheme: light; }
:root.dark { color-scheme: dark; }
* { box-sizing: border-box; }
html { font: 15px/1.5 var(--sans); background: var(--ground); color: var(--ink); -webkit-text-size-adjust: 100%; }
body { margin: 0; height: 100vh; height: 100dvh; display: flex; flex-direction: column; overflow: hidden; }
h1, h2, h3, h4, p { margin: 0; }
a { color: var(--accent); }
button, input, select { font: inherit; color: inherit; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 8px; top: -60px; background: var(--panel); padding: 8px 12px; z-index: 10; border-radius: 6px; }
.skip:focus { top: 8px; }
code, pre, .mono { font-family: var(--mono); font-size: 12.5px; }
.dim { color: var(--dim); }
.message { padding: 48px 24px; text-align: center; color: var(--dim); }
#paper { display: none; }

.top { padding: 14px 20px 10px; background: var(--panel); }
.verdict { border-left: 4px solid var(--dim); padding-left: 14px; min-width: 0; }
.verdict.good { border-color: var(--passed); } .verdict.bad { border-color: var(--failed); }
.brand { font: 600 11px/1 var(--sans); letter-spacing: .14em; text-transform: uppercase; color: var(--dim); }
h1 { font-size: 22px; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; margin: 4px 0 2px; overflow-wrap: anywhere; }
.good h1 { color: var(--passed); } .bad h1 { color: var(--failed); }
.facts { color: var(--dim); font-size: 13px; overflow-wrap: anywhere; }
table.load { border-collapse: collapse; font-size: 13px; margin: 8px 0; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; max-width: 100%; }
table.load th, table.load td { white-space: nowrap; text-align: right; padding: 2px 14px 2px 0; } table.load th { color: var(--dim); font-weight: 500; }
table.load th:first-child, table.load td:first-child { text-align: left; }
.facts > span:last-child { white-space: nowrap; }
.facts > span:not(:last-child)::after { content: "·"; margin: 0 7px; }
.chips { display: flex; flex-wrap: wrap; gap: 5px; margin-left: 14px; padding: 5px 0; }
.chip { display: inline-flex; gap: 6px; align-items: center; padding: 2px 10px; border: 1px solid var(--line); border-radius: 99px; background: var(--panel); cursor: pointer; font-size: 13px; white-space: nowrap; }
.chip b { font-variant-numeric: tabular-nums; }
.chip:hover { border-color: var(--dim); }
.chip[aria-pressed="true"] { background: var(--accent-soft); border-color: var(--accent); }
.sign { font-weight: 700; width: 1.1em; text-align: center; flex: none; display: inline-block; }
.o-passed { color: var(--passed); } .o-failed { color: var(--failed); } .o-error { color: var(--error); } .o-unreachable { color: var(--unreachable); }
.o-skipped { color: var(--skipped); } .o-blocked { color: var(--blocked); } .o-notrun, .o-planned { color: var(--notrun); } .o-allowed, .o-quarantined, .o-flaky { color: var(--blocked); } .on-critical { color: var(--critical); }

.tabs { display: flex; gap: 4px; align-items: center; padding: 0 16px; background: var(--panel); border-bottom: 1px solid var(--line); }
.tabs a { padding: 9px 12px 8px; color: var(--dim); text-decoration: none; border-bottom: 2px solid transparent; font-weight: 550; font-size: 14px; }
.tabs a:hover { color: var(--ink); }
.tabs a[aria-current] { color: var(--ink); border-color: var(--accent); }
.tabs .count { background: var(--warn-soft); border-radius: 9px; padding: 0 7px; font-size: 12px; margin-left: 5px; color: var(--ink); }
button.linkish { border: 0; background: none; padding: 0; color: var(--accent); cursor: pointer; font-size: 13px; }
button.quiet { border: 1px solid transparent; background: none; border-radius: 6px; padding: 4px 9px; cursor: pointer; color: var(--dim); }
button.quiet:hover { background: var(--raised); border-color: var(--line); color: var(--ink); }
#theme { margin-left: auto; font-size: 17px; line-height: 1; }
main { flex: 1; min-height: 0; display: flex; flex-direction: column; outline: none; }
.view { flex: 1; min-height: 0; display: flex; flex-direction: column; }

.split { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(300px, 38%) 1fr; }
.side { display: flex; flex-direction: column; min-height: 0; border-right: 1px solid var(--line); background: var(--panel); }
.bar { display: flex; gap: 8px; flex-wrap: wrap; padding: 10px 12px; border-bottom: 1px solid var(--line); align-items: center; }
.bar input[type=search] { flex: 1 1 100%; min-width: 0; }
.bar input[type=search], .bar select { padding: 6px 9px; border: 1px solid var(--line); border-radius: 7px; background: var(--ground); max-width: 100%; font-size: 13.5px; }
.bar select { flex: 0 1 auto; min-width: 0; }
.bar .found { margin-left: auto; font-size: 12.5px; color: var(--dim); }
.rows { flex: 1; overflow: auto; position: relative; min-height: 0; outline-offset: -3px; contain: strict; }
.rows > .tall { position: relative; }
.row { position: absolute; left: 0; right: 0; height: 52px; padding: 6px 14px 6px 12px; display: grid; grid-template-columns: 1.3em minmax(0, 1fr) auto; column-gap: 8px; cursor: pointer; border-bottom: 1px solid var(--line); align-content: center; }
.row:hover { background: var(--raised); }
.row[aria-selected="true"] { background: var(--accent-soft); box-shadow: inset 3px 0 var(--accent); }
.row .name { font-weight: 600; font-size: 14px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.item { display: inline-flex; min-width: 0; max-width: 100%; vertical-align: bottom; white-space: pre; } .item > * { flex: none; max-width: 60%; overflow: hidden; text-overflow: ellipsis; } .item > .alike { flex: 0 1 auto; min-width: 0; max-width: none; }
.row .name:has(.item) { display: flex; } .row .name:has(.item) small { flex: none; } .tl .who:has(.item) { display: flex; }
.row .name small { font-weight: 400; color: var(--dim); margin-left: 5px; }
.row .what { grid-column: 2; font-size: 12.5px; color: var(--dim); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.row .what.wrong { color: var(--failed); }
.row .took { text-align: right; font-size: 12.5px; font-variant-numeric: tabular-nums; color: var(--dim); }
.row .mini { position: relative; width: 84px; height: 4px; border-radius: 2px; background: var(--line); align-self: center; overflow: hidden; }
.row .mini i { position: absolute; top: 0; bottom: 0; min-width: 2px; background: currentColor; border-radius: 2px; }
.rows:focus-visible .row[aria-selected="true"] { outline: 2px solid var(--accent); outline-offset: -2px; }

.detail { position: relative; overflow: auto; min-height: 0; padding: 20px 26px 60px; outline: none; }
.detail > * { max-width: 1040px; }
.detail h2 { font-size: 20px; line-height: 1.3; font-weight: 650; overflow-wrap: anywhere; }
.detail h2 small { font-weight: 400; color: var(--dim); font-size: 15px; }
.detail h3 { font-size: 13px; text-transform: uppercase; letter-spacing: .06em; color: var(--dim); margin: 26px 0 8px; font-weight: 650; }
.detail h4 { font-size: 13px; font-weight: 600; margin: 14px 0 6px; }
.badge { display: inline-block; padding: 1px 9px; border-radius: 99px; font-size: 12.5px; font-weight: 650; border: 1px solid currentColor; }
.action { margin: 6px 0; overflow-wrap: anywhere; }
.action b { font-weight: 700; }
.meta { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 13px; color: var(--dim); margin-top: 6px; }
.meta a { text-decoration: none; } .meta a:hover { text-decoration: underline; }
.tag { background: var(--accent-soft); border-radius: 5px; padding: 0 7px; font-size: 12px; color: var(--ink); border: 0; cursor: pointer; }
.back { display: none; margin-bottom: 12px; }
.card { background: var(--panel); border: 1px solid var(--line); border-radius: 9px; box-shadow: var(--shadow); margin: 10px 0; overflow: hidden; }
.card > header { padding: 9px 14px; display: flex; gap: 10px; align-items: baseline; flex-wrap: wrap; border-bottom: 1px solid var(--line); background: var(--raised); }
.card > .in { padding: 10px 14px; }
.failure { border-left: 3px solid var(--failed); }
.failure.allowed { border-left-color: var(--blocked); }
.failure > header { flex-wrap: nowrap; background: var(--failed-soft); font-weight: 600; overflow-wrap: anywhere; }
.failure.allowed > header { background: var(--warn-soft); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 10px; margin: 4px 0 8px; }
.pair div { min-width: 0; } .pair .label { font-size: 12px; color: var(--dim); }
.pair pre { margin: 2px 0 0; padding: 6px 9px; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--code); border-left: 3px solid var(--line); }
.pair .want pre { border-color: var(--passed); } .pair .got pre { border-color: var(--failed); }
pre.code { margin: 6px 0; padding: 8px 0; border-radius: 7px; background: var(--code); overflow: auto; border: 1px solid var(--line); line-height: 1.55; max-height: 560px; }
pre.code > span { display: block; padding: 0 12px; min-width: max-content; }
pre.code .n { display: inline-block; min-width: 3.2em; padding-right: 1.1em; text-align: right; color: var(--dim); user-select: none; }
pre.code .del { background: var(--failed-soft); } pre.code .add { background: var(--passed-soft); }
pre.code .hit { background: var(--mark); box-shadow: inset 3px 0 var(--failed); }
pre.code .hit.ok { background: none; box-shadow: inset 3px 0 var(--passed); }
pre.code .says { color: var(--failed); font-style: normal; }
pre.code { container-type: inline-size; }
pre.code .place { position: sticky; left: 0; width: max-content; min-width: 0; max-width: 100cqw; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.code .hit .says { display: block; position: sticky; left: 0; width: calc(100cqw - 24px); padding-left: 4.3em; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.wrap > span { white-space: pre-wrap; overflow-wrap: anywhere; min-width: 0; }
.k { color: var(--key); } .s { color: var(--string); } .d { color: var(--number); } .l { color: var(--literal); }
.help { margin: 8px 0 2px; font-size: 13.5px; } .help::before { content: "help: "; color: var(--accent); font-weight: 650; }
.plain { list-style: none; padding: 0; margin: 0; }
.checks li { padding: 4px 0; display: grid; grid-template-columns: 1.3em minmax(90px, max-content) 1fr; gap: 8px; font-size: 13.5px; align-items: baseline; }
.checks code { overflow-wrap: anywhere; }
.hop { border-top: 1px solid var(--line); padding: 12px 14px; } .hop:first-of-type { border-top: 0; }
.line { overflow-wrap: anywhere; display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: baseline; }
.status { font-weight: 700; } .s2 { color: var(--passed); } .s3 { color: var(--accent); } .s4, .s5 { color: var(--failed); }
details { margin: 6px 0; } .line > details { flex: 1 1 300px; min-width: 0; } .line > .copy { align-self: flex-start; } summary { cursor: pointer; font-size: 13.5px; padding: 2px 0; border-radius: 4px; } summary .dim { font-size: 12.5px; }
table.fields { border-collapse: collapse; width: 100%; margin: 4px 0; font-size: 12.5px; font-family: var(--mono); table-layout: fixed; }
table.fields th, table.fields td { text-align: left; vertical-align: top; padding: 3px 10px 3px 0; overflow-wrap: anywhere; border-bottom: 1px solid var(--line); }
table.fields th { color: var(--key); font-weight: 500; width: 32%; }
.phases { display: flex; height: 10px; border-radius: 5px; overflow: hidden; background: var(--line); margin: 8px 0 5px; }
.phases i { min-width: 1px; }
.key { display: flex; flex-wrap: wrap; gap: 3px 14px; font-size: 12.5px; color: var(--dim); font-variant-numeric: tabular-nums; }
.key span::before { content: ""; display: inline-block; width: 9px; height: 9px; border-radius: 2px; margin-right: 5px; background: var(--c, var(--line)); }
.key b { color: var(--ink); font-weight: 550; }
.p-dns { --c: var(--dns); } .p-connect { --c: var(--connect); } .p-tls { --c: var(--tls); } .p-send { --c: var(--send); } .p-wait { --c: var(--wait); } .p-receive { --c: var(--receive); }
.p-slot { --c: var(--slot); } .p-queue { --c: var(--queue); } .p-listen { --c: var(--blocked); } .p-deps { --c: var(--line); } .p-pause { --c: repeating-linear-gradient(90deg, var(--dim) 0 2px, transparent 2px 4px); } .p-judge { --c: var(--dim); } .p-talk { --c: var(--receive); } .p-run { --c: var(--accent); } .p-before { --c: color-mix(in srgb, var(--accent) 45%, transparent); }
.phases i, .tl i { background: var(--c); }
.copy { margin-left: auto; font-size: 12.5px; padding: 2px 9px; border: 1px solid var(--line); background: var(--panel); border-radius: 6px; cursor: pointer; }
.copy:hover { border-color: var(--dim); }
.note { background: var(--warn-soft); border-radius: 6px; padding: 5px 10px; font-size: 13px; margin: 6px 0; }
img.shown { max-width: 100%; max-height: 420px; border: 1px solid var(--line); border-radius: 6px; margin: 6px 0; display: block; background: repeating-conic-gradient(#8883 0 25%, transparent 0 50%) 0 0 / 16px 16px; }
.refs { display: flex; flex-wrap: wrap; gap: 6px; } .refs a { border: 1px solid var(--line); border-radius: 6px; padding: 1px 9px; text-decoration: none; background: var(--panel); font-size: 13.5px; }
.refs a:hover { border-color: var(--accent); }
.seg { display: inline-flex; border: 1px solid var(--line); border-radius: 7px; overflow: hidden; } .seg button { border: 0; background: none; padding: 2px 10px; font-size: 12.5px; cursor: pointer; } .seg button[aria-pressed="true"] { background: var(--accent-soft); }

.advice { padding: 12px 20px; border-bottom: 1px solid var(--line); background: var(--panel); max-height: 34vh; overflow: auto; flex: none; }
.advice h2 { font-size: 15px; margin-bottom: 4px; } .advice ul { margin: 0; padding-left: 20px; font-size: 13.5px; } .advice li { margin: 3px 0; max-width: 110ch; }
.tools { display: flex; gap: 8px 14px; align-items: center; flex-wrap: wrap; padding: 8px 20px; border-bottom: 1px solid var(--line); background: var(--panel); font-size: 13px; flex: none; }
.tools label { display: inline-flex; gap: 6px; align-items: center; cursor: pointer; } .tools select { padding: 3px 6px; border: 1px solid var(--line); border-radius: 6px; background: var(--ground); max-width: 260px; }
.btn { border: 1px solid var(--line); background: var(--panel); border-radius: 6px; padding: 3px 10px; cursor: pointer; min-width: 30px; } .btn:hover { border-color: var(--dim); }
.overview { position: relative; height: 46px; margin-left: var(--gutter); cursor: crosshair; flex: none; touch-action: none; border-bottom: 1px solid var(--line); }
.overview canvas { width: 100%; height: 100%; display: block; }
.overview .brush { position: absolute; top: 0; bottom: 0; background: color-mix(in srgb, var(--accent) 16%, transparent); border: 1px solid var(--accent); border-width: 0 1px; pointer-events: none; }
.ticks { position: relative; height: 22px; margin-left: var(--gutter); flex: none; font-size: 11.5px; color: var(--dim); overflow: hidden; border-bottom: 1px solid var(--line); }
.ticks span { position: absolute; padding-left: 4px; border-left: 1px solid var(--line); height: 100%; white-space: nowrap; }
.ticks .leftward { transform: translateX(-100%); padding: 0 4px 0 0; border-left: 0; border-right: 1px solid var(--line); }
#timeline { --gutter: clamp(110px, 24vw, 260px); background: var(--panel); }
.tl { position: absolute; left: 0; right: 0; height: 24px; display: grid; grid-template-columns: var(--gutter) 1fr; border-bottom: 1px solid color-mix(in srgb, var(--line) 55%, transparent); }
.tl:hover { background: var(--raised); } .tl.current { background: var(--accent-soft); }
.tl .who { padding: 2px 8px 0 14px; font-size: 12.5px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; text-decoration: none; color: var(--ink); }
.tl.head { background: var(--raised); font-weight: 600; } .tl.head .who { grid-column: 1 / -1; padding-left: 10px; color: var(--dim); }
.tl .track { position: relative; overflow: hidden; }
.tl i { position: absolute; top: 6px; height: 12px; min-width: 1px; }
.tl i.p-deps { top: 11px; height: 2px; opacity: .9; } .tl i.p-slot { top: 9px; height: 6px; background: repeating-linear-gradient(135deg, var(--slot) 0 3px, transparent 3px 6px); }
.tl i.p-pause { top: 11px; height: 2px; background: repeating-linear-gradient(90deg, var(--dim) 0 2px, transparent 2px 5px); } .tl i.p-judge { top: 11px; height: 2px; }
.tl .sign { margin-right: 4px; }
.tl i.end { top: 4px; height: 16px; width: 3px; background: currentColor; }
.tl.critical .who::before { content: "◆ "; color: var(--critical); } .tl.critical .track::after { content: ""; position: absolute; left: var(--from); width: var(--span); top: 3px; height: 18px; border: 1.5px solid var(--critical); border-radius: 4px; pointer-events: none; }
.tip { position: fixed; z-index: 20; max-width: min(360px, 92vw); background: var(--panel); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 6px 24px rgb(0 0 0 / 22%); padding: 9px 12px; font-size: 12.5px; pointer-events: none; }
.tip b { display: block; overflow-wrap: anywhere; } .tip table { border-spacing: 8px 0; margin-left: -8px; font-variant-numeric: tabular-nums; }

.canvas { flex: 1; min-height: 0; overflow: hidden; position: relative; background: var(--ground); touch-action: none; cursor: grab; }
.canvas svg { position: absolute; inset: 0; width: 100%; height: 100%; display: block; font-family: var(--sans); }
.canvas.drag { cursor: grabbing; }
.node rect { fill: var(--panel); stroke: var(--line); stroke-width: 1.4; } .node text { fill: var(--ink); font-size: 13px; } .node .sub { fill: var(--dim); font-size: 11px; }
.node { cursor: pointer; } .node:hover rect.box, .node:focus rect.box { stroke: var(--accent); stroke-width: 2.4; } .node:focus { outline: none; }
.node .edge-of { fill: currentColor; stroke: none; } .node .sig { fill: currentColor; font-weight: 700; }
.node.critical rect.box { stroke: var(--critical); stroke-width: 2; } .node.faded { opacity: .32; }
.link { fill: none; stroke: color-mix(in srgb, var(--dim) 60%, transparent); stroke-width: 1.3; } .link.critical { stroke: var(--critical); stroke-width: 2.2; } .link.near { stroke: var(--accent); stroke-width: 2.2; } .link.faded { opacity: .18; }
.group rect { fill: color-mix(in srgb, var(--raised) 70%, transparent); stroke: var(--line); stroke-dasharray: 4 3; } .group text { fill: var(--dim); font-size: 12.5px; font-weight: 600; }
.legend { position: absolute; left: 12px; bottom: 10px; background: color-mix(in srgb, var(--panel) 92%, transparent); border: 1px solid var(--line); border-radius: 8px; padding: 6px 12px; }

#notices { overflow: auto; padding: 16px 22px; } .notice { border-left: 3px solid var(--blocked); } .notice.error { border-left-color: var(--failed); }

@media screen and (max-width: 820px), screen and (max-height: 500px) {
    body:not(.reading) { height: auto; min-height: 100vh; min-height: 100dvh; overflow: auto; }
  #lanes, #list, .canvas { min-height: 300px; }
  .top { padding: 10px 14px; gap: 10px; } h1 { font-size: 19px; }
  .split { grid-template-columns: minmax(0, 1fr); } .split:not(.open) .detail { display: none; } .split.open .side { display: none; }
  .side { border-right: 0; } .detail { padding: 14px 14px 60px; } .back { display: inline-block; }
  .chips { order: 9; flex: 1 1 100%; flex-wrap: nowrap; overflow-x: auto; margin: 0; padding: 4px 6px 8px; } .chip { flex: none; }
  .tabs { padding: 0 6px; flex-wrap: wrap; } .tabs a { padding: 9px 10px 8px; } .facts { font-size: 12px; }
  body.reading .facts, body.reading .brand, body.reading .chips { display: none; } body.reading h1 { font-size: 16px; margin: 0; } body.reading .top { padding-bottom: 4px; }
  .tools, .advice { padding-left: 12px; padding-right: 12px; } .checks li { grid-template-columns: 1.3em 1fr; } .checks li > :nth-child(3) { grid-column: 2; }
  .legend { display: none; }
}
@media screen and (max-width: 420px) { .tabs a { padding: 9px 7px 8px; font-size: 13px; } #theme { padding: 4px 6px; } }
@media (prefers-reduced-motion: no-preference) { .row, .chip, .btn { transition: background-color .12s, border-color .12s; } }
@media print {
    :root, :root.dark, :root.light { color-scheme: light; --ground: #fff; --panel: #fff; --raised: #fff; --ink: #000; --dim: #444; --line: #bbb; --passed: #13713f; --failed: #b00; --blocked: #7a5a00; --critical: #0f7b6c; --failed-soft: #fff; --code: #fff; }
  html { font-size: 10.5pt; } body { height: auto; overflow: visible; display: block; }
  .tabs, main, .skip, .chips { display: none !important; } #paper { display: block; padding: 0 4pt; }
  #paper table { border-collapse: collapse; width: 100%; font-size: 9pt; } #paper td, #paper th { text-align: left; padding: 2pt 6pt 2pt 0; border-bottom: .5pt solid #ccc; vertical-align: top; }
  #paper td:nth-child(-n + 3) { overflow-wrap: anywhere; } #paper :is(td, th):is(:nth-child(4), :nth-child(5)) { white-space: nowrap; } #paper td:last-child { overflow-wrap: break-word; }
  #paper .card { break-inside: avoid; box-shadow: none; } pre.code { max-height: none; } #paper h2 { font-size: 13pt; margin: 12pt 0 4pt; }
}
"""#
  static let script = #"""
(() => {
'use strict';
// Small helpers: elements, quantities and words.

const OUTCOMES = ['passed', 'failed', 'error', 'unreachable', 'skipped', 'blocked', 'not run', 'planned'];
const SIGNS = ['✓', '✗', '!', '?', '○', '⊘', '·', '·'];
const FLAKY = '↻';
const PHASES = [
  ['queue', 'for a connection'], ['dns', 'DNS'], ['connect', 'connect'], ['tls', 'TLS'], ['send', 'send'], ['wait', 'first byte'], ['receive', 'receive'],
];

const $ = (id) => document.getElementById(id);

/** Makes an element: `h('a.name', {href: '#x'}, 'text', child)`. Text never becomes markup. */
function h(kind, attributes, ...children) {
  const [tag, ...classes] = kind.split('.');
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(' ');
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') for (const [key, part] of Object.entries(value)) element.style.setProperty(key, part);
    else element.setAttribute(name, value === true ? '' : value);
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children) {
    if (child === undefined || child === null || child === false || child === '') continue;
    if (Array.isArray(child)) add(element, child);
    else element.append(child);
  }
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  for (const child of children) if (child !== undefined && child !== null && child !== false) element.append(child);
  return element;
}

/** Microseconds as people read them, as on Garland's console: `0.3 ms`, `12 ms`, `1.21 s`, `2 m 03 s`. */
function time(us) {
  us = Math.max(0, us);
  if (us < 9950) return (us / 1000).toFixed(1) + ' ms';
  if (us < 999500) return Math.round(us / 1000) + ' ms';
  if (us < 9995000) return (us / 1e6).toFixed(2) + ' s';
  if (us < 59950000) return (us / 1e6).toFixed(1) + ' s';
  const s = Math.round(us / 1e6);
  if (s < 3600) return `${Math.floor(s / 60)} m ${String(s % 60).padStart(2, '0')} s`;
  const m = Math.round(s / 60);
  return `${Math.floor(m / 60)} h ${String(m % 60).padStart(2, '0')} m`;
}

function size(bytes) {
  if (bytes < 1024) return bytes + ' B';
  let value = bytes / 1024, unit = 0;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  while (value >= 1023.5 && unit < 3) { value /= 1024; unit += 1; }
  return (value < 99.95 ? value.toFixed(1) : Math.round(value)) + ' ' + units[unit];
}

const count = (number, one, many = one + 's') => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
/** Whether the list and a step fit side by side; the page's style has the same condition. */
const isWide = () => matchMedia('(min-width: 821px) and (min-height: 501px)').matches;
const percent = (part, whole) => whole > 0 ? Math.round(100 * part / whole) + ' %' : '0 %';
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const say = (text) => { $('live').textContent = text; };

function copyButton(text, what) {
  const button = h('button.copy', {type: 'button', 'aria-label': `Copy ${what}`, onclick: async () => {
    let done = false;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch {
      // Without a secure context there is no clipboard but this.
      const area = h('textarea', {style: {position: 'fixed', opacity: '0'}});
      area.value = text;
      document.body.append(area);
      area.select();
      done = document.execCommand('copy');
      area.remove();
      button.focus();
    }
    button.textContent = done ? 'Copied' : 'Select the text and copy it';
    say(button.textContent);
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  }}, 'Copy');
  return button;
}

/**
 * A list of which only the visible rows are elements.
 * `height` is that of all rows; `render(index)` gives an element, whose place is set here.
 */
class VirtualList {
  constructor(box, height, render) {
    this.box = box;
    this.height = height;
    this.render = render;
    this.length = 0;
    this.tall = h('div.tall', {role: 'presentation'});
    this.shown = new Map();
    box.append(this.tall);
    box.addEventListener('scroll', () => this.update(), {passive: true});
    new ResizeObserver(() => this.update()).observe(box);
  }

  reset(length) {
    this.length = length;
    // Chromium and Firefox lay out no element that is taller than some 17 million pixels.
    this.tall.style.height = Math.min(length * this.height, 16e6) + 'px';
    this.redraw();
  }

  redraw() {
    for (const element of this.shown.values()) element.remove();
    this.shown.clear();
    this.update();
  }

  update() {
    const view = this.box.clientHeight || 600;
    const total = this.length * this.height;
    const scale = total > 16e6 ? (total - view) / (16e6 - view) : 1;
    const top = this.box.scrollTop * scale;
    const first = Math.max(0, Math.floor(top / this.height) - 4);
    const last = Math.min(this.length, Math.ceil((top + view) / this.height) + 4);
    for (const [index, element] of this.shown) {
      if (index < first || index >= last || scale !== 1) { element.remove(); this.shown.delete(index); }
    }
    for (let index = first; index < last; index += 1) {
      if (this.shown.has(index)) continue;
      const element = this.render(index);
      element.style.top = index * this.height - top + this.box.scrollTop + 'px';
      this.tall.append(element);
      this.shown.set(index, element);
    }
  }

  reveal(index) {
    const total = this.length * this.height;
    const view = this.box.clientHeight;
    const scale = total > 16e6 ? (total - view) / (16e6 - view) : 1;
    const top = this.box.scrollTop * scale;
    const at = index * this.height;
    if (at < top) this.box.scrollTop = at / scale;
    else if (at + this.height > top + view) this.box.scrollTop = (at + this.height - view) / scale;
    this.update();
  }
}
// The run: what is packed into the page, and what follows from it.

/** Unpacks an element whose text is JSON, compressed by gzip, in base64. */
async function unpack(element) {
  const text = atob(element.textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

const run = {steps: [], rows: [], files: [], names: []};
const blocks = new Map();

/** One entry of the blocks `kind`, the first entries of which are in `starts`. */
async function entry(kind, starts, index) {
  let low = 0, high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= index) low = middle; else high = middle;
  }
  const id = kind + low;
  if (!blocks.has(id)) {
    if (blocks.size > 40) blocks.delete(blocks.keys().next().value);
    if (!$(id) && document.readyState === 'loading') await new Promise((done) => document.addEventListener('DOMContentLoaded', done));
    blocks.set(id, unpack($(id)));
  }
  return (await blocks.get(id))[index - starts[low]];
}

const resultOf = (row) => row.place < 0 ? Promise.resolve(undefined) : entry('r', run.resultBlocks, row.place);
const definitionOf = (step) => entry('s', run.stepBlocks, step.index);

/** Takes in the index: a line for each step and each result. */
function takeIn(index) {
  Object.assign(run, index);
  run.steps = index.steps.map(([id, file, line, action, tags, description, isCleanup, deps, loopLimit, quarantine], number) => ({
    index: number, id, file, line, action, tags: tags || [], description: description || '', isCleanup: !!isCleanup, deps, loopLimit, quarantine: quarantine || '', listens: action.startsWith('listen '), talks: action.startsWith('websocket '), users: [], rows: [],
  }));
  for (const step of run.steps) for (const dep of step.deps) run.steps[dep]?.users.push(step.index);
  run.rows = index.results.map((r, place) => {
    const [step, iteration, iterationIndex, outcome, allowed, items, ready, start, duration, status, requests, checks, message, action, blockedBy, bars, delay, origin, before] = r;
    const row = {
      place, step: run.steps[step], iteration: iteration === 0 ? '' : iteration, iterationIndex, outcome, allowed: !!allowed, items, ready, start, duration,
      end: start + duration, status, requests, checks, message: message || '', action: action || run.steps[step].action, blockedBy, bars, delay, origin, before, earlier: before.length, flaky: outcome === 0 && before.length > 0,
    };
    row.step.rows.push(row);
    return row;
  });
  if (run.isPlan) {
    const past = index.past || {};
    run.rows = run.steps.map((step) => {
      const [outcome, duration, allowed, flaky] = past[step.index] || [7, 0];
      const row = {
        place: -1, step, iteration: '', iterationIndex: -1, outcome, allowed: !!allowed, items: 1, ready: 0, start: 0, duration, end: duration, status: 0,
        requests: 0, checks: 0, message: '', action: step.action, blockedBy: [], bars: [], delay: 0, origin: -1, before: [], earlier: 0, flaky: !!flaky,
      };
      step.rows.push(row);
      return row;
    });
  }
  delete run.results;
  for (const row of run.rows) for (const blocker of row.blockedBy) run.steps[blocker].blocks = (run.steps[blocker].blocks || []).concat(row);
  nameAll();
  // The rows of a plan have no times, or those of an earlier run. The rows of a load have the median times of all its repetitions.
  run.isTimed = !run.isPlan && !document.querySelector('table.load');
  run.end = run.rows.reduce((end, row) => Math.max(end, row.end), run.wall || 0) || 1;
}

/** Gives each row its address: the step's id, with its file where the id occurs twice, and the item of a loop. */
function nameAll() {
  const files = new Map();
  for (const step of run.steps) files.set(step.id, (files.get(step.id) || 0) + 1);
  run.byAddress = new Map();
  for (const step of run.steps) {
    const name = files.get(step.id) > 1 ? `${run.files[step.file]}#${step.id}` : step.id;
    step.name = name;
    for (const row of step.rows) {
      const isItem = row.iterationIndex >= 0;
      row.address = isItem ? `${name}[${row.iterationIndex}]` : name;
      row.title = row.step.id + (row.iteration ? ` [${row.iteration}]` : '');
      run.byAddress.set(row.address, row);
      run.byAddress.set(`${run.files[step.file]}#${step.id}` + (isItem ? `[${row.iterationIndex}]` : ''), row);
    }
    // The step alone leads to its first item that went wrong.
    if (step.rows.length && !run.byAddress.has(name)) run.byAddress.set(name, step.rows.find(isProblem) || step.rows[0]);
  }
}

/** The part of the labels of a step's items in which they differ: how much they have in common at the start, and at the end. */
function commonParts(step) {
  if (step.common) return step.common;
  const labels = step.rows.map((row) => row.iteration).filter(Boolean);
  const [first] = labels;
  let start = labels.length > 1 ? first.length : 0, end = start;
  for (const label of labels) {
    let at = 0;
    while (at < start && label[at] === first[at]) at += 1;
    start = at;
    at = 0;
    while (at < end && label[label.length - 1 - at] === first[first.length - 1 - at]) at += 1;
    end = at;
  }
  step.common = [start, end];
  return step.common;
}

/** The title of a row as elements, of which the page's style cuts the parts that all items of the loop have in common first. */
function titleOf(row) {
  const label = row.iteration;
  const [start, end] = label ? commonParts(row.step) : [0, 0];
  if (start + end < 12) return [row.title];
  const isWord = (character) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  let from = Math.min(start, label.length), to = Math.max(from, label.length - end);
  for (let most = 12; most > 0 && from > 0 && isWord(label[from - 1]); most -= 1) from -= 1;
  for (let most = 12; most > 0 && to < label.length && isWord(label[to]); most -= 1) to += 1;
  return [h('span.item', null, h('span', null, row.step.id + ' ['), h('span.alike', null, label.slice(0, from)), h('span', null, label.slice(from, to)), h('span.alike', null, label.slice(to)), h('span', null, ']'))];
}

/** A document by its `name` and its file. */
const fileTitle = (index) => run.names[index] ? `${run.names[index]} (${run.files[index]})` : run.files[index];

const isProblem = (row) => row.outcome >= 1 && row.outcome <= 3 && !row.allowed;
/** Whether a row failed, and it does not count. */
const isPermitted = (row) => row.outcome >= 1 && row.outcome <= 3 && row.allowed;
const outcomeKey = (row) => isPermitted(row) ? (row.step.quarantine ? 'quarantined' : 'allowed') : row.flaky ? 'flaky' : OUTCOMES[row.outcome];
const outcomeClass = (row) => 'o-' + outcomeKey(row).replace(' ', '');
const outcomeWord = (row) => row.flaky ? 'flaky' : OUTCOMES[row.outcome] + (isPermitted(row) ? ` (${outcomeKey(row)})` : '');
const signOf = (row) => row.flaky ? FLAKY : SIGNS[row.outcome];
const link = (row) => '#' + encodeURIComponent(row.address).replace(/%5B/g, '[').replace(/%5D/g, ']');
const sign = (row) => h(`span.sign.${outcomeClass(row)}`, {'aria-hidden': 'true'}, signOf(row));

/** Whether a row waited for other steps until it was ready. A step that ran again waited for the end of the run before. */
const waitedForSteps = (row) => row.step.deps.length > 0 && row.ready > 0 && !row.earlier;

/** How long a row that was ready waited for a slot. What it waited by itself, such as its `delay`, is no part of that. */
const slotWait = (row) => Math.max(0, row.start - row.ready - row.delay);

/** When a step was done: after its last item. */
const doneAt = (step) => step.rows.reduce((end, row) => Math.max(end, row.end), 0);

/** The chain of steps that decided how long the run took, first to last: from the last that ended, each time the dependency that ended last. */
function criticalPath() {
  if (run.critical) return run.critical;
  const path = [];
  let row = run.rows.reduce((last, row) => row.duration > 0 && (!last || row.end > last.end) ? row : last, undefined);
  const seen = new Set();
  while (row && !seen.has(row.step.index)) {
    seen.add(row.step.index);
    path.unshift(row);
    row = lastBefore(row.step, seen);
  }
  run.critical = path;
  return path;
}

/** The row that ended last of the steps that a step waits for. In place of a step that took no time, such as one that did not run, those that it waits for count. */
function lastBefore(step, seen) {
  let last;
  const open = [...step.deps];
  while (open.length) {
    const other = run.steps[open.pop()];
    const rows = other.rows.filter((row) => row.duration > 0);
    for (const row of rows) if (!last || row.end > last.end) last = row;
    if (rows.length || seen.has(other.index)) continue;
    seen.add(other.index);
    for (const dep of other.deps) open.push(dep);
  }
  return last;
}

/** The steps that did not pass, and because of which a row is blocked at the end of the chain of blocked steps. */
function causesOf(row) {
  const found = new Set(), seen = new Set();
  const open = [...row.blockedBy];
  while (open.length) {
    const step = run.steps[open.pop()];
    if (seen.has(step)) continue;
    seen.add(step);
    const next = step.rows.flatMap((other) => other.blockedBy);
    if (!next.length) found.add(step);
    for (const blocker of next) open.push(blocker);
  }
  return [...found];
}
// "What would make this run faster", from what was measured.

/** How long the chain of dependencies takes if `faster` takes `duration`, as long as no step waits for a slot. */
function longestChain(faster, duration) {
  const ends = new Float64Array(run.steps.length);
  let longest = 0;
  for (const step of order()) {
    let begin = 0;
    for (const dep of step.deps) begin = Math.max(begin, ends[dep]);
    ends[step.index] = begin + (step === faster ? duration : span(step));
    longest = Math.max(longest, ends[step.index]);
  }
  return longest;
}

/** From when a step began, its `delay` included, to its end: less what it waited for a slot. An item of a loop that ran again counts with its first run; an earlier failure of the whole loop is not a run of the item. */
function span(step) {
  if (step.span !== undefined) return step.span;
  let first = Infinity, last = 0;
  for (const row of step.rows) {
    const firstRun = step.rows.length > 1 && row.before.find((earlier) => !earlier[3]);
    const [start, took] = firstRun || [row.start, row.duration];
    if (took > 0) { first = Math.min(first, start - row.delay); last = Math.max(last, start + took); }
  }
  step.span = last > 0 ? last - first : 0;
  return step.span;
}

/** The steps, each behind those that it waits for. */
function order() {
  if (run.order) return run.order;
  const waits = run.steps.map((step) => step.deps.length);
  const done = run.steps.filter((step) => !waits[step.index]);
  for (let index = 0; index < done.length; index += 1) for (const user of done[index].users) if (--waits[user] === 0) done.push(run.steps[user]);
  run.order = done;
  return done;
}

/** How long each phase took in rows; `pause` is the `delay` of a step and the time between its requests. */
function phaseSums(rows) {
  const sums = {slot: 0, listen: 0, queue: 0, dns: 0, connect: 0, tls: 0, send: 0, wait: 0, receive: 0, pause: 0, connections: 0, requests: 0};
  for (const row of rows) {
    sums.slot += slotWait(row);
    if (row.step.listens) { sums.pause += row.delay; sums.listen += row.duration; continue; }
    // What was sent before the step began, such as requests for a token, was sent during its `delay`.
    let busy = 0, before = 0;
    for (const [, ...hops] of row.bars) {
      for (const hop of hops) {
        const took = PHASES.reduce((sum, _, index) => sum + hop[index + 1], 0);
        PHASES.forEach(([name], index) => { sums[name] += hop[index + 1]; });
        if (hop[0] >= 0 && hop[0] < row.start) before += took; else busy += took;
        sums.requests += 1;
        if (!hop[9] && hop[3] + hop[2] > 0) sums.connections += 1;
      }
    }
    sums.pause += Math.max(0, row.delay - before);
    if (row.bars.length > 1) sums.pause += Math.max(0, row.duration - busy);
  }
  return sums;
}

/** How long at least `limit` of some spans, each `[from, to]`, were under way at once, and how many were at most. */
function fullTime(spans, limit) {
  const events = [];
  for (const [from, to] of spans) if (to > from) events.push([from, 1], [to, -1]);
  events.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let running = 0, last = 0, full = 0, most = 0;
  for (const [at, change] of events) {
    if (running >= limit) full += at - last;
    running += change;
    most = Math.max(most, running);
    last = at;
  }
  return {full, most};
}

/** When a row held a slot: for each of its requests from the first hop to the last. */
function transfers(row) {
  if (row.step.listens || row.origin < 0) return [];
  if (!row.bars.length) return [[row.start, row.end]];
  return row.bars.filter(([, hop]) => hop).map(([, ...hops]) => {
    const from = hops[0][0] >= 0 ? hops[0][0] : row.start;
    return [from, hops.reduce((at, hop) => Math.max(at, hop[0]) + PHASES.reduce((sum, _, index) => sum + hop[index + 1], 0), from)];
  });
}

const waited = (rows) => rows.reduce((sum, row) => sum + slotWait(row), 0);

/** Rows by what `key` says of them. */
function grouped(rows, key) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row); else groups.set(key(row), [row]);
  }
  return groups;
}

/** What kept ready steps and items of loops from being sent, as sentences like those of `advice`. */
function limits(path, whole) {
  const {wall} = run;
  const more = 'A higher limit may help if the server can handle it.';
  const total = waited(run.rows);
  if (run.isSerial) {
    return total > wall * 0.1 ? [[`\`--serial\` runs one step after another. Without it, the run would take about ${time(whole)}.`]] : [];
  }
  const found = [];
  for (const step of run.steps) {
    if (!step.loopLimit || step.rows.length <= step.loopLimit) continue;
    const {full} = fullTime(step.rows.map((row) => [row.ready, row.end]), step.loopLimit);
    if (full > wall * 0.1) found.push([`The loop ${step.id} had as many items at work as its \`limit\` allows (${step.loopLimit}) for ${percent(full, wall)} of the time. ${more}`]);
  }
  const {full} = fullTime(run.rows.flatMap(transfers), run.concurrency);
  if (full > wall * 0.1 && total > wall * 0.1) {
    found.push([`All ${run.concurrency} transfers at once (\`--concurrency\`) were in use for ${percent(full, wall)} of the time, and steps waited ${time(total)} in total for one. A higher limit may help if the servers can handle it.`]);
  }
  for (const [origin, rows] of grouped(run.rows, (row) => row.origin)) {
    const wait = waited(rows);
    if (origin < 0 || !run.perOrigin || run.perOrigin >= run.concurrency || wait < wall * 0.1) continue;
    const {full} = fullTime(rows.flatMap(transfers), run.perOrigin);
    if (full > wall * 0.1) found.push([`${run.origins[origin]} got as many transfers at once as \`--per-origin\` allows (${run.perOrigin}) for ${percent(full, wall)} of the time, and steps waited ${time(wait)} in total for one. ${more}`]);
  }
  const onPath = waited(path);
  if (!found.length && onPath > wall * 0.1) found.push([`Steps of the critical path waited ${time(onPath)} for a slot: of their host (\`--per-origin\`) or of a resource (\`uses\`).`]);
  if (whole < wall * 0.6 && total > wall * 0.2) found.push([`With a slot for every step, the run would take about ${time(whole)}.`]);
  return found;
}

/** Sentences, each as a list of texts and rows. */
function advice() {
  const path = criticalPath();
  if (!path.length || !run.wall) return [];
  const found = [];
  const own = path.reduce((sum, row) => sum + row.delay + row.duration, 0);
  const wall = run.wall;
  const names = path.length > 6 ? [...path.slice(0, 3), '…', ...path.slice(-2)] : path;
  found.push(['Critical path: ', ...names.flatMap((row, index) => index ? [' → ', row] : [row]),
    `. ${path.length === 1 ? 'This step takes' : `These ${path.length} steps take`} ${time(own)} of ${time(wall)} (${percent(own, wall)}). ${own > wall * 0.6 ? 'Making any other step faster hardly makes the run faster.' : run.rows.some((row) => row.earlier) ? 'Steps that failed ran again after the others.' : 'Its dependencies do not explain the rest: what may run at once limits this run.'}`]);
  const slowest = [...path].sort((a, b) => b.duration - a.duration).slice(0, 2).filter((row) => row.duration > wall * 0.1);
  const whole = longestChain();
  for (const row of slowest) {
    if (row.step.listens) { found.push([row, ` waited ${time(row.duration)} for a request: the step that causes this request decides when it arrives.`]); continue; }
    const saved = Math.min(whole - longestChain(row.step, span(row.step) / 2), row.duration / 2);
    if (saved > wall * 0.03) found.push([row, ` takes ${time(row.duration)}. At half of that, the run takes about ${time(wall - saved)}.`]);
  }
  const sums = phaseSums(path);
  const setup = sums.dns + sums.connect + sums.tls;
  // Of a path that takes a small part of the time, the phases do not matter.
  const matters = own > wall * 0.3;
  if (matters && sums.wait > own * 0.5) found.push([`${percent(sums.wait, own)} of the critical path is waiting for the first byte of a response: the time is spent by the server.`]);
  if (matters && setup > own * 0.15) found.push([`${percent(setup, own)} of the critical path (${time(setup)}) is DNS, connecting and TLS. Steps on one host share connections when they run after each other.`]);
  if (matters && sums.receive > own * 0.3) found.push([`${percent(sums.receive, own)} of the critical path is receiving bodies: ask for less, or compressed.`]);
  if (matters && sums.pause > own * 0.15) found.push([`${time(sums.pause)} of the critical path are pauses before a step, or between its attempts, polls or pages: look at \`delay\` and \`every\`.`]);
  found.push(...limits(path, whole));
  const {most} = fullTime(run.rows.map((row) => [row.start, row.end]), Infinity);
  if (most <= 1 && run.rows.length > 3 && !run.isSerial) found.push(['One step ran after another all the time: each depends on the one before. Steps that do not use each other’s values run side by side.']);
  return found;
}
// Bodies: pretty-printed, with the places marked that expectations are about.

/** The names and indexes that a JSONPath begins with; undefined for text that is no such path. */
function pathSegments(path) {
  const segments = [];
  let rest = path.trim();
  if (rest[0] !== '$') return undefined;
  rest = rest.slice(1);
  while (rest) {
    const match = /^(?:\.([\p{L}_$][\p{L}\p{N}_$-]*)|\[\s*(-?\d+)\s*\]|\[\s*'((?:[^'\\]|\\.)*)'\s*\]|\[\s*"((?:[^"\\]|\\.)*)"\s*\])/u.exec(rest);
    if (!match) return segments.length ? segments : undefined;
    segments.push(match[2] !== undefined ? Number(match[2]) : match[1] ?? (match[3] ?? match[4]).replace(/\\(.)/g, '$1'));
    rest = rest.slice(match[0].length);
  }
  return segments;
}

/** The address of the node that a path selects, or of the last one on the way that is there. */
function nodeAt(value, segments) {
  const way = [];
  for (const segment of segments) {
    const key = Array.isArray(value) && segment < 0 ? value.length + segment : segment;
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return {way, isThere: false};
    value = value[key];
    way.push(String(key));
  }
  return {way, isThere: true};
}

/** Subject and message of a failure as one sentence; the console has the same rule. */
function sentence({subject, message}) {
  if (!subject || /^-?\d+$/.test(subject)) return message;
  const isContinued = /^(?:is|are|was|were|has|have|does|did|can't|cannot|contains|differs|exists|lacks|needs?|selects|sends|to)(?=[ ,]|$)/.test(message);
  if (isContinued) return subject + ' ' + message;
  return message.includes('`' + subject + '`') ? message : subject + ': ' + message;
}

/** The failures about nodes of a JSON body, by the address of the node. */
function marksIn(value, failures) {
  const marks = new Map();
  for (const failure of failures) {
    const path = /^(?:json|plist)\s+(\$.*)$/.exec(failure.subject) ?? /(?:^|\s)(\$[.[].*?)(?:\s|$)/.exec(failure.subject);
    const begun = path && pathSegments(path[1]);
    if (!begun) continue;
    const {way, isThere} = nodeAt(value, begun);
    const key = JSON.stringify(way);
    const text = sentence(failure);
    marks.set(key, [...(marks.get(key) ?? []), isThere ? text : `${text} (not here)`]);
  }
  return marks;
}

/** JSON text as tokens with line breaks, by its own digits and in its own order: numbers are not parsed. */
function jsonLines(text, marks) {
  const lines = [];
  let line = [], depth = 0, at = 0;
  const way = [];
  const stack = [];
  let key;
  const token = /\s*(?:("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|(true|false|null)|([{}[\],:]))/y;
  const put = (kind, word) => line.push([kind, word]);
  const feed = () => { lines.push({depth, parts: line, hits: undefined}); line = []; };
  const mark = () => {
    const hits = marks.get(JSON.stringify(way));
    if (hits) line.hits = [...(line.hits ?? []), ...hits];
  };
  const feedMarked = () => { const hits = line.hits; feed(); lines[lines.length - 1].hits = hits; };
  const enter = () => {
    const top = stack[stack.length - 1];
    if (!top) return mark();
    if (top.isList) way.push(String(top.index)); else if (key !== undefined) way.push(key);
    mark();
  };
  const leave = () => { if (stack.length) way.pop(); key = undefined; };
  while (at < text.length) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (!match) break;
    at = token.lastIndex;
    const [, string, number, literal, sign] = match;
    const top = stack[stack.length - 1];
    if (string !== undefined && top && !top.isList && key === undefined && !top.value) {
      try { key = JSON.parse(string); } catch { key = string; }
      put('k', string);
    } else if (string !== undefined || number !== undefined || literal !== undefined) {
      enter();
      put(string !== undefined ? 's' : number !== undefined ? 'd' : 'l', string ?? number ?? literal);
      leave();
      if (top) top.value = true;
    } else if (sign === '{' || sign === '[') {
      enter();
      const close = sign === '{' ? '}' : ']';
      put('', sign);
      const empty = /\s*[}\]]/y;
      empty.lastIndex = at;
      stack.push({isList: sign === '[', index: 0, close, saved: key, isEmpty: empty.test(text)});
      key = undefined;
      if (!stack[stack.length - 1].isEmpty) { feedMarked(); depth += 1; }
    } else if (sign === '}' || sign === ']') {
      const ended = stack.pop();
      if (!ended || ended.close !== sign) return undefined;
      if (!ended.isEmpty) { feedMarked(); depth -= 1; }
      put('', sign);
      leave();
      const outer = stack[stack.length - 1];
      if (outer) outer.value = true;
    } else if (sign === ',') {
      put('', ',');
      feedMarked();
      if (top) { top.index += 1; top.value = false; key = undefined; }
    } else if (sign === ':') {
      put('', ': ');
    }
  }
  if (line.length) feedMarked();
  return /\S/.test(text.slice(at)) ? undefined : lines;
}

const LINES_AT_FIRST = 400;

/** Numbered lines, of which a long text shows only the first until it is asked for more. */
function lined(lines, kind, isWrapped) {
  const box = h('pre.code' + (isWrapped ? '.wrap' : ''), {tabindex: '0', role: 'group', 'aria-label': kind});
  const show = (from, to) => {
    for (let index = from; index < Math.min(to, lines.length); index += 1) {
      const {depth = 0, parts, hits} = lines[index];
      box.append(h('span' + (hits ? '.hit' : ''), null, h('span.n', {'aria-hidden': 'true'}, String(index + 1)), '  '.repeat(depth),
        parts.map(([kind, word]) => kind ? h('span.' + kind, null, word) : word), '\n', hits && h('em.says', null, '✗ ' + hits.join('; '))));
    }
  };
  const firstHit = lines.findIndex((line) => line.hits);
  const shown = Math.max(LINES_AT_FIRST, firstHit + 40);
  show(0, shown);
  if (lines.length <= shown) return box;
  const more = h('button.btn', {type: 'button', onclick: () => { more.remove(); show(shown, lines.length); }},
    `Show ${count(lines.length - shown, 'more line')}`);
  return h('div', null, box, more);
}

const textLines = (text) => text.split(/\r\n|\n|\r/).map((line) => ({parts: [['', line]]}));

/** XML with a line for each element. */
function xmlLines(text) {
  const parsed = new DOMParser().parseFromString(text, 'application/xml');
  if (parsed.querySelector('parsererror')) return undefined;
  const lines = [];
  let depth = 0;
  for (const piece of text.match(/<!\[CDATA\[[\s\S]*?\]\]>|<!-{2}[\s\S]*?-->|<[^>]*>|[^<]+/g) ?? []) {
    const words = piece.trim();
    if (!words) continue;
    if (words.startsWith('</')) depth = Math.max(0, depth - 1);
    const last = lines[lines.length - 1];
    // <name>text</name> stays on one line.
    const isText = !words.startsWith('<');
    if (isText && last?.isOpen) { last.parts.push(['s', words]); last.hasText = true; }
    else if (words.startsWith('</') && last && (last.hasText || last.isOpen) && last.depth === depth) { last.parts.push(['k', words]); last.isOpen = last.hasText = false; }
    else lines.push({depth, parts: [[isText ? 's' : 'k', words]], isOpen: /^<[^/!?][^]*[^/]>$|^<[^/!?]>$/.test(words)});
    if (/^<[^/!?]/.test(words) && !words.endsWith('/>')) depth += 1;
  }
  return lines;
}

function hexLines(binary) {
  const lines = [];
  for (let at = 0; at < Math.min(binary.length, 512); at += 16) {
    const bytes = [...binary.slice(at, at + 16)].map((character) => character.charCodeAt(0));
    lines.push({parts: [['d', bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' ').padEnd(49)],
      ['', bytes.map((byte) => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.').join('')]]});
  }
  return lines;
}

/** A body as `report.schema.json` describes it. */
function showBody(body, title, failures) {
  const type = (body.type ?? '').split(';')[0].trim().toLowerCase();
  const facts = h('span.dim', null, [size(body.size), body.type].filter(Boolean).join(' · '));
  const box = h('div', null, h('h4', null, title + ' ', facts));
  if (body.file) box.append(h('p.dim', null, `The body is in the file ${body.file}.`));
  if (body.text === undefined && body.base64 === undefined) {
    if (!body.file && body.size > 0) box.append(h('p.note', null, body.cut ? 'The body was left out to keep this page small.' : 'The report of this run has no bytes of this body.'));
    return box;
  }
  if (body.truncated) {
    const kept = body.text !== undefined ? new TextEncoder().encode(body.text).length : Math.floor(body.base64.length * 3 / 4);
    box.append(h('p.note', null, `Cut: the first ${size(kept)} of ${size(body.size)}.`));
  }
  if (body.brokenOff) box.append(h('p.note', null, `Broken off: the transfer failed after ${size(body.size)}.`));
  if (body.base64 !== undefined) {
    if (/^image\/(png|jpeg|gif|webp|avif|bmp|x-icon)$/.test(type) && !body.truncated) {
      box.append(h('img.shown', {src: `data:${type};base64,${body.base64}`, alt: `${title}, an image of ${size(body.size)}`}));
    } else box.append(h('p.dim', null, `Binary, of which these are the first bytes:`), lined(hexLines(atob(body.base64.slice(0, 700 & ~3))), `${title} in hexadecimal`));
    return box;
  }
  const text = body.text;
  if (type === 'image/svg+xml' && !body.truncated) box.append(h('img.shown', {src: 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text), alt: `${title}, a drawing`}));
  let pretty;
  if (/[/+]json$|^text\/json/.test(type) || /^\s*[[{]/.test(text)) {
    let value;
    try { value = JSON.parse(text); } catch { /* What is cut is shown as far as it goes. */ }
    pretty = jsonLines(text, value === undefined ? new Map() : marksIn(value, failures));
    if (value === undefined && !body.truncated) pretty = undefined;
  } else if (/[/+](xml|html)$/.test(type) && !body.truncated) pretty = type.endsWith('html') ? undefined : xmlLines(text);
  else if (type === 'application/x-www-form-urlencoded') {
    box.append(table([...new URLSearchParams(text)]));
    return box;
  }
  // Of a form that was sent, the report has a list of the parts; one that came in is as it was sent.
  if (type.startsWith('multipart/') && title === 'Request body' && !text.startsWith('--')) box.append(h('p.dim', null, 'Its parts:'));
  const raw = () => lined(textLines(text), title, true);
  if (!pretty) { box.append(raw()); return box; }
  const place = h('div', null, lined(pretty, title));
  const buttons = ['Pretty', 'Raw'].map((name, index) => h('button', {type: 'button', 'aria-pressed': String(!index), onclick: () => {
    buttons.forEach((button, other) => button.setAttribute('aria-pressed', String(other === index)));
    place.replaceChildren(index ? raw() : lined(pretty, title));
  }}, name));
  box.firstChild.append(' ', h('span.seg', {role: 'group', 'aria-label': 'How the body is shown'}, buttons));
  box.append(place);
  return box;
}

const table = (pairs) => h('table.fields', null, h('tbody', null, pairs.map(([name, value]) => h('tr', null, h('th', {scope: 'row'}, name), h('td', null, value)))));
// The list of steps: filters, order, keyboard.

const filter = {outcomes: new Set(), text: '', file: '', tag: '', sort: 'plan'};
let listed = [];
let current;
let list;

const ORDERS = {
  plan: ['Order of the plan', (a, b) => a.step.index - b.step.index || a.iterationIndex - b.iterationIndex],
  wrong: ['Failures first', (a, b) => rank(a) - rank(b) || a.step.index - b.step.index || a.iterationIndex - b.iterationIndex],
  slow: ['Slowest first', (a, b) => b.duration - a.duration || a.step.index - b.step.index],
  start: ['By start', (a, b) => a.start - b.start || a.step.index - b.step.index],
  name: ['By name', (a, b) => a.title < b.title ? -1 : a.title > b.title ? 1 : 0],
};

const rank = (row) => isProblem(row) ? row.outcome : isPermitted(row) || row.flaky ? 4 : [9, 9, 9, 9, 7, 5, 6, 8][row.outcome];

/** All that a row can be found by, in lower case. Made when somebody searches. */
function searchable(row) {
  row.text ??= [row.title, row.action, row.message, row.step.description, row.step.tags.join(' '), row.status || '', run.files[row.step.file]].join('\n').toLowerCase();
  return row.text;
}

function applyFilter() {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  listed = run.rows.filter((row) => (!filter.outcomes.size || filter.outcomes.has(outcomeKey(row)))
    && (filter.file === '' || row.step.file === Number(filter.file)) && (!filter.tag || row.step.tags.includes(filter.tag))
    && words.every((word) => searchable(row).includes(word)));
  listed.sort(ORDERS[filter.sort][1]);
  listed.forEach((row, index) => { row.at = index; row.generation = applyFilter.generation; });
  list.reset(listed.length);
  $('found').textContent = listed.length === run.rows.length ? count(run.rows.length, run.isPlan ? 'step' : 'result') : `${listed.length.toLocaleString('en')} of ${count(run.rows.length, run.isPlan ? 'step' : 'result')}`;
  $('none').hidden = listed.length > 0;
  if (current && isListed(current)) list.reveal(current.at);
  noteActive();
}

const isListed = (row) => listed[row.at] === row;

function chips() {
  const counts = new Map();
  for (const row of run.rows) counts.set(outcomeKey(row), (counts.get(outcomeKey(row)) ?? 0) + row.items);
  // As in the summary of the console: what decides about the run first.
  const keys = ['failed', 'error', 'unreachable', 'blocked', 'allowed', 'quarantined', 'flaky', 'not run', 'skipped', 'passed', 'planned'].filter((key) => counts.has(key));
  for (const key of keys) {
    const mark = key === 'flaky' ? FLAKY : SIGNS[OUTCOMES.indexOf(key)] ?? SIGNS[1];
    $('chips').append(h('button.chip', {type: 'button', 'aria-pressed': 'false', 'data-outcome': key, onclick: (event) => {
      const button = event.currentTarget;
      if (!filter.outcomes.delete(key)) filter.outcomes.add(key);
      button.setAttribute('aria-pressed', String(filter.outcomes.has(key)));
      if (!location.hash.startsWith('#/steps') && location.hash.startsWith('#/')) location.hash = '#/steps';
      applyFilter();
      say($('found').textContent);
    }}, h(`span.sign.o-${key.replace(' ', '')}`, {'aria-hidden': 'true'}, mark), h('b', null, counts.get(key).toLocaleString('en')), ' ', key === 'allowed' ? 'failed as allowed' : key === 'error' && counts.get(key) !== 1 ? 'errors' : key));
  }
}

function buildSteps() {
  const search = h('input', {type: 'search', id: 'search', placeholder: 'Filter by text  ( / )', 'aria-label': 'Filter by text', oninput: () => { filter.text = search.value; applyFilter(); }});
  const choice = (id, label, options, change) => {
    const select = h('select', {id, 'aria-label': label, onchange: () => { change(select.value); applyFilter(); }}, options.map(([value, text]) => h('option', {value}, text)));
    return select;
  };
  const tags = [...new Set(run.steps.flatMap((step) => step.tags))].sort();
  const side = h('div.side', null,
    h('div.bar', {role: 'search'}, search,
      run.files.length > 1 && choice('file', 'Filter by file', [['', 'All files'], ...run.files.map((file, index) => [index, fileTitle(index)])], (value) => { filter.file = value; }),
      tags.length > 0 && choice('tag', 'Filter by tag', [['', 'All tags'], ...tags.map((tag) => [tag, tag])], (value) => { filter.tag = value; }),
      choice('sort', 'Order', Object.entries(ORDERS).map(([value, [text]]) => [value, text]), (value) => { filter.sort = value; }),
      h('span.found', {id: 'found'})),
    h('p.message', {id: 'none', hidden: true}, 'No step matches.'),
    h('div.rows', {id: 'list', role: 'listbox', tabindex: '0', 'aria-label': 'Steps', onkeydown: listKeys}));
  const detail = h('article.detail', {id: 'detail', tabindex: '-1', 'aria-label': 'Step'});
  $('steps').append(h('div.split', {id: 'split'}, side, detail));
  list = new VirtualList($('list'), 52, (index) => listRow(listed[index], index));
  if (run.rows.some(isProblem)) { filter.sort = 'wrong'; $('sort').value = 'wrong'; }
  applyFilter();
}

/** The name of a step's file; with its folders where another file has a step of that id. */
const fileName = (step) => step.name === step.id ? run.files[step.file].split('/').pop() : run.files[step.file];

function listRow(row, index) {
  const whole = run.end;
  const what = row.message && (row.outcome !== 0 || row.flaky) ? h('span.what' + (isProblem(row) ? '.wrong' : ''), null, row.message) : h('span.what', null, row.action, row.status ? ` · ${row.status}` : '');
  const file = run.files.length > 1 ? fileName(row.step) : '';
  return h('div.row', {role: 'option', id: 'o' + index, 'aria-selected': String(row === current), 'aria-setsize': listed.length, 'aria-posinset': index + 1,
    'aria-label': `${outcomeWord(row)}: ${row.title}${file ? ', ' + file : ''}, ${row.message || row.action}${row.duration ? ', ' + time(row.duration) : ''}`,
    onclick: () => go(row)},
  sign(row), h('span.name', {title: row.title}, titleOf(row), row.items > 1 && h('small', null, `${row.items} items`), file && h('small', null, file)),
  h('span.took', null, row.duration ? time(row.duration) : ''), what,
  row.duration > 0 && run.isTimed && h(`span.mini.${outcomeClass(row)}`, {'aria-hidden': 'true'}, h('i', {style: {left: `${100 * row.start / whole}%`, width: `${Math.max(1, 100 * row.duration / whole)}%`}})));
}

function noteActive() {
  const box = $('list');
  if (current && isListed(current) && document.getElementById('o' + current.at)) box.setAttribute('aria-activedescendant', 'o' + current.at);
  else box.removeAttribute('aria-activedescendant');
}

function listKeys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = current && isListed(current) ? current.at : -1;
  const page = Math.max(1, Math.floor($('list').clientHeight / 52) - 1);
  const target = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: listed.length - 1, PageDown: at + page, PageUp: at - page, Enter: at, ' ': at}[event.key];
  if (target === undefined || !listed.length) return;
  event.preventDefault();
  if (event.key === 'Enter' || event.key === ' ') { if (at >= 0) { go(listed[at]); $('detail').focus(); } return; }
  select(listed[clamp(target, 0, listed.length - 1)]);
}

/** Selects a row and shows it, with its address in the address bar but no further entry in the history. */
function select(row) {
  history.replaceState(null, '', link(row));
  show(row, true);
}

function go(row) {
  if (location.hash === link(row)) show(row); else location.hash = link(row);
}

/** The next or previous step that went wrong, in the order of the list. */
function nextFailure(step) {
  const wrong = listed.filter(isProblem);
  if (!wrong.length) return say('No step failed.');
  const at = wrong.indexOf(current);
  go(wrong[(at + step + wrong.length) % wrong.length]);
}
// The page of one step.

let showing = 0;

/** On a narrow screen either the list is there or the step. */
function openDetail(isOpen) {
  $('split').classList.toggle('open', isOpen);
  document.body.classList.toggle('reading', isOpen);
}

async function show(row, fromList = false) {
  current = row;
  for (const element of $('list').querySelectorAll('[aria-selected="true"]')) element.setAttribute('aria-selected', 'false');
  if (isListed(row)) {
    list.reveal(row.at);
    document.getElementById('o' + row.at)?.setAttribute('aria-selected', 'true');
  }
  noteActive();
  openDetail(!fromList || isWide());
  document.title = `${signOf(row)} ${row.title} · Garland`;
  const ticket = ++showing;
  let result, definition;
  try {
    [result, definition] = await Promise.all([resultOf(row), definitionOf(row.step)]);
  } catch (error) {
    $('detail').replaceChildren(h('p.message', null, `The data of this step can’t be read: ${error.message}`));
    return;
  }
  if (ticket !== showing) return;
  const box = $('detail');
  box.setAttribute('aria-label', `Step ${row.title}`);
  box.replaceChildren(...detail(row, result ?? {}, definition ?? {}).filter(Boolean));
  revealCarets(box);
  box.scrollTop = 0;
}

function detail(row, result, definition) {
  const step = row.step;
  const failures = result.failures ?? [];
  const exchanges = result.exchanges ?? [];
  const at = listed.indexOf(row);
  // The result of a step in a load test represents all repetitions, or is the failure of a single one.
  const isMedian = !run.isTimed && !run.isPlan && !exchanges.length && !failures.length && !result.reason;
  return [
    h('button.btn.back', {type: 'button', onclick: () => { openDetail(false); $('list').focus(); }}, '← All steps'),
    h('h2', null, h(`span.badge.${outcomeClass(row)}`, null, `${signOf(row)} ${outcomeWord(row)}`), ' ', step.id, row.iteration && h('small', null, ` ${row.iteration}`)),
    h('p.action.mono', null, row.action, row.status ? [' → ', statusText(row.status)] : ''),
    step.description && h('p', null, step.description),
    h('div.meta', null,
      run.names[step.file] && h('span', null, run.names[step.file]),
      h('span', null, `${run.files[step.file]}:${step.line}`),
      row.duration > 0 && h('span', null, `${isMedian ? 'median' : 'took'} ${time(row.duration)}`, run.wall && run.isTimed ? `, from ${time(row.start)} to ${time(row.end)}` : ''),
      row.requests > 1 && h('span', null, count(row.requests, 'request')),
      row.items > 1 && h('span', null, `stands for ${row.items} items of its loop`),
      step.quarantine && h('span.o-quarantined', null, step.quarantine),
      step.isCleanup && h('span', null, 'cleanup: runs despite failures'),
      step.tags.map((tag) => h('span.tag', null, tag)),
      h('a', {href: link(row)}, 'link'),
      at > 0 && h('a', {href: link(listed[at - 1]), rel: 'prev'}, '← previous'), at >= 0 && at + 1 < listed.length && h('a', {href: link(listed[at + 1]), rel: 'next'}, 'next →'),
      listed.filter(isProblem).length > 1 && h('button.linkish', {type: 'button', onclick: () => nextFailure(1)}, 'next failure')),
    waits(row),
    ...whyNot(row, result),
    ...failures.map((failure) => failureCard(row, failure, definition)),
    ...earlierRuns(row, result, definition),
    ...expectations(row, result, definition),
    ...extracted(result),
    ...exchangeCards(exchanges, failures, result),
    ...neighbours(row),
    ...source(step, definition, failures),
  ];
}

const statusText = (status) => h(`span.status.s${Math.floor(status / 100)}`, null, String(status));

/** The bar of a step: what it waited for, and the phases of all its requests. */
function waits(row) {
  if (run.isPlan || !(row.duration > 0)) return null;
  const sums = phaseSums([row]);
  const parts = [['slot', 'waiting for a slot', sums.slot], ['listen', 'listening', sums.listen], ...PHASES.map(([name, words]) => [name, words, sums[name]]), ['pause', 'pauses', sums.pause]].filter(([, , us]) => us >= 50);
  // What was too short to show, and preparing the request and checking the response.
  const rest = row.bars.length && !row.step.listens ? row.duration + row.delay + sums.slot - parts.reduce((sum, [, , us]) => sum + us, 0) : 0;
  if (rest >= 50) parts.push(row.step.talks ? ['talk', 'messages', rest] : ['judge', 'preparing and checking', rest]);
  const whole = parts.reduce((sum, [, , us]) => sum + us, 0);
  if (!whole) return null;
  return h('div', null,
    h('div.phases', {'aria-hidden': 'true'}, parts.map(([name, , us]) => h('i.p-' + name, {style: {flex: `${us / whole} 0 0`}}))),
    h('div.key', null, waitedForSteps(row) && h('span.p-deps', null, 'dependencies ', h('b', null, time(row.ready))), parts.map(([name, words, us]) => h('span.p-' + name, null, words + ' ', h('b', null, time(us))))));
}

/** Why a step did not run, or did not get a response. */
function whyNot(row, result) {
  const found = [];
  if (result.reason && !(result.failures ?? []).length) {
    found.push(h(`div.card.failure${isProblem(row) ? '' : '.allowed'}`, null, h('header', null, result.reason)));
  }
  const causes = causesOf(row);
  if (row.blockedBy.length) found.push(h('h3', null, 'Blocked by'), refs(row.blockedBy.map((index) => run.steps[index])));
  if (causes.some((step) => !row.blockedBy.includes(step.index))) found.push(h('h3', null, 'Because of'), refs(causes));
  return found;
}

/** What failed, in one sentence. */

function failureCard(row, failure, definition) {
  const pair = failure.expected !== undefined || failure.actual !== undefined;
  return h(`div.card.failure${row.allowed ? '.allowed' : ''}`, null,
    h('header', null, h('span.sign.' + outcomeClass(row), {'aria-hidden': 'true'}, signOf(row)), h('span', null, sentence(failure))),
    h('div.in', null,
      pair && h('div.pair', null,
        failure.expected !== undefined && h('div.want', null, h('span.label', null, 'expected'), h('pre', null, failure.expected)),
        h('div.got', null, h('span.label', null, 'actual'), h('pre', null, failure.actual ?? '(nothing)'))),
      failure.difference && h('pre.code', {tabindex: '0', role: 'group', 'aria-label': 'Difference: − expected, + actual'}, failure.difference.map((line) =>
        h('span' + (line[0] === '-' ? '.del' : line[0] === '+' ? '.add' : ''), null, line + '\n'))),
      failure.source !== undefined && quote(failure),
      failure.excerpt && h('details', null, h('summary', null, 'The part of the response that matters'), lined(textLines(failure.excerpt), 'Excerpt', true)),
      (failure.help ?? '').split('\n').filter(Boolean).map((line) => h('p.help', null, line))));
}

/** The failed results that the step had before `--rerun-failed` ran it again. */
function earlierRuns(row, result, definition) {
  const earlier = result.earlier ?? [];
  if (!earlier.length) return [];
  return [h('h3', null, count(earlier.length, 'earlier run') + ' of this step, which did not pass'), ...earlier.map((before, index) => {
    const outcome = OUTCOMES.indexOf(before.outcome);
    const failures = before.failures ?? [];
    const past = {...row, outcome, flaky: false, allowed: true};
    const first = failures[0];
    const words = first ? sentence(first) : before.reason ?? before.outcome;
    // Made when it is opened.
    const box = h('details.card', {ontoggle: () => {
      if (box.open && !box.querySelector('.in')) box.append(h('div.in', null, ...whyNot({...past, blockedBy: []}, before), ...failures.map((failure) => failureCard(past, failure, definition)), ...exchangeCards(before.exchanges ?? [], failures, before)));
      revealCarets(box);
    }}, h('summary', {style: {padding: '8px 14px'}}, h('b', null, `earlier run ${index + 1} `), h('span.sign.o-flaky', {'aria-hidden': 'true'}, SIGNS[outcome]), ` ${words} `, h('span.dim', null, time((before.seconds ?? 0) * 1e6))));
    return box;
  })];
}

/** The line of a document with a caret below what is meant. */
function quote(failure) {
  const before = [...failure.source].slice(0, failure.column - 1).join('').replace(/[^\t]/g, ' ');
  return h('pre.code.quote', {tabindex: '0', role: 'group', 'aria-label': `${failure.file}, line ${failure.line}`},
    h('span.dim.place', null, `${failure.file}:${failure.line}:${failure.column}\n`),
    h('span', null, h('span.n', {'aria-hidden': 'true'}, String(failure.line)), failure.source + '\n'),
    h('span', {'aria-hidden': 'true'}, h('span.n', null, ''), before, h('em.says', null, '^'.repeat(Math.max(1, failure.length ?? 1))), '\n'));
}

/** Scrolls the quoted lines of a document until the first of their carets are in sight. */
function revealCarets(place) {
  for (const mark of place.querySelectorAll('pre.quote em.says')) {
    const lines = mark.closest('pre');
    const left = mark.getBoundingClientRect().left - lines.getBoundingClientRect().left + lines.scrollLeft;
    if (left + Math.min(mark.offsetWidth, lines.clientWidth / 3) > lines.clientWidth) lines.scrollLeft = left - lines.clientWidth / 2;
  }
}

/** What a step expects that its document does not say: this many expectations. */
function implicitWords(result, checks, number) {
  const exchange = (result.exchanges ?? []).at(-1);
  if (!exchange) return '';
  if (exchange.incoming) return 'a request that comes in time';
  const says = (subject) => checks.some((check) => check.subject === subject);
  const words = [];
  const isTalk = exchange.stream?.items === 'messages';
  if (!says('status')) words.push(isTalk ? 'the status 101' : 'a status from 200 to 299');
  if (words.length < number) words.push(isTalk ? 'the messages that the talk waits for' : says('type') ? 'no errors' : 'a type that the request accepts');
  return (words.length < number ? 'such as ' : '') + words.join(', and ');
}

/** The subject of a failure as the document has it: `events.each json $.id` for `events[2] json $.id`. */
const subjectOf = (failure) => failure.subject.replace(/^(events|lines|parts)\[\d+\] /, '$1.each ');

/** The position of an expectation in `talk`; undefined for other expectations. */
const moveOf = (subject) => /^talk\[(\d+)\]/.exec(subject)?.[1];

/** The sign of an expectation that is `good`, `bad` or, if empty, not judged. */
const holds = (state) => h('span.sign.' + ({good: 'o-passed', bad: 'o-failed'}[state] ?? 'o-notrun'), null, {good: '✓', bad: '✗'}[state] ?? '·', h('span.unseen', null, {good: 'met', bad: 'not met'}[state] ?? 'not checked'));

function expectations(row, result, definition) {
  const failures = result.failures ?? [];
  const checks = definition.checks ?? [];
  if (!checks.length && (run.isPlan || !row.checks)) return [];
  const judged = row.checks > 0;
  const isWrong = (check) => failures.some((failure) => failure.file === check.file && subjectOf(failure) === check.subject
    && (failure.line === check.line || checks.filter((other) => other.subject === check.subject).length === 1));
  // A talk ends with the first move that fails.
  const end = failures.map((failure) => moveOf(failure.subject)).find((move) => move !== undefined);
  // A stream ends with the first item that fails.
  const hasBadItem = failures.some((failure) => /^(events|lines|parts)\[/.test(failure.subject));
  const isOpen = (check) => hasBadItem && /^(events|lines|parts)\.(until|count)$/.test(check.subject) || moveOf(check.subject) !== undefined && end !== undefined && +moveOf(check.subject) >= +end && !isWrong(check);
  const lines = (definition.source ?? '').split('\n');
  // Each item of a stream has been judged by the expectations of `each`.
  const items = result.exchanges?.at(-1)?.stream?.count ?? 0;
  const times = (check) => isOpen(check) ? 0 : /^(events|lines|parts)\.each /.test(check.subject) ? items : 1;
  const implicit = Math.max(0, row.checks - checks.reduce((sum, check) => sum + times(check), 0));
  const unmet = failures.filter((failure) => failure.kind === 'expectation');
  const wrong = unmet.length;
  // A failure that belongs to no expectation of the document belongs to one by default.
  const implicitWrong = unmet.filter((failure) => !checks.some((check) => check.file === failure.file && check.subject === subjectOf(failure))).length;
  const howMany = implicitWrong > 0 && implicit > 1 ? `; ${implicitWrong} of them ${implicitWrong === 1 ? 'is' : 'are'} not met` : '';
  return [
    h('h3', null, run.isPlan || !judged ? 'Expectations' : `Expectations: ${row.checks - Math.min(wrong, row.checks)} of ${row.checks} met`),
    h('ul.plain.checks', null, checks.map((check, index) => {
      const judged = row.checks > 0 && !isOpen(check);
      const line = check.file === run.files[row.step.file] ? lines[check.line - definition.sourceLine] : undefined;
      const text = line === undefined ? `${check.file}:${check.line}` : [...line].slice(check.column - 1, check.column - 1 + check.length).join('');
      const bad = judged && isWrong(check);
      const found = judged && !bad ? result.found?.[index] ?? undefined : undefined;
      return h('li', null, holds(!judged ? '' : bad ? 'bad' : 'good'),
        h('span', null, check.subject), h('span', null, h('code', null, text), found !== undefined && found !== text && h('span.dim', null, ' found ', h('code', null, found))));
    }), judged && implicit > 0 && h('li', null, holds(implicitWrong ? 'bad' : 'good'), h('span.dim', null, `${implicit} by default`), h('span.dim', null, implicitWords(result, checks, implicit) + howMany))),
  ];
}

function extracted(result) {
  const values = Object.entries(result.extracted ?? {});
  if (!values.length) return [];
  return [h('h3', null, 'Extracted'), h('div.card', null, h('div.in', null, table(values.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))))];
}

function exchangeCards(exchanges, failures, result) {
  if (!exchanges.length) return [];
  const nodes = [h('h3', null, exchanges.length === 1 ? 'Request and response' : `${exchanges.length} exchanges`)];
  if (result.omittedRequests) nodes.push(h('p.note', null, `${count(result.omittedRequests, 'further request')} between the first and the last are not kept.`));
  const last = exchanges.length - 1;
  exchanges.forEach((exchange, index) => {
    const body = () => exchangeBody(exchange, index === last ? failures : []);
    const name = nameOf(exchanges, index);
    if (index === last || exchanges.length <= 2) nodes.push(h('div.card', {role: 'group', 'aria-label': name}, exchangeHead(exchange, name), body()));
    else {
      // Made when it is opened: a step may have a thousand.
      const box = h('details.card', {ontoggle: () => { if (box.open && !box.querySelector('.hop')) box.append(...body()); }}, h('summary', {style: {padding: '8px 14px'}}, ...exchangeHead(exchange, name).childNodes));
      nodes.push(box);
    }
  });
  return nodes;
}

/** What an exchange is called. The first attempt and the last connection of a step have no label of their own: their neighbour tells what they are. */
function nameOf(exchanges, index) {
  const {label, incoming} = exchanges[index];
  if (label) return label;
  if (incoming) return 'received request';
  const [, kind, number] = /^(attempt|connection) (\d+)$/.exec(exchanges[index + 1]?.label ?? '') ?? [];
  if (number === '2') return `${kind} 1`;
  const [, before, last] = /^(connection) (\d+)$/.exec(exchanges[index - 1]?.label ?? '') ?? [];
  return before ? `${before} ${+last + 1}` : exchanges.length > 1 ? `request ${index + 1}` : 'request';
}

function exchangeHead(exchange, name) {
  const hop = exchange.hops[exchange.hops.length - 1];
  const total = exchange.hops.reduce((sum, hop) => sum + hop.timing.total, 0);
  return h('header', null, h('b', null, name), ' ', hop.status ? statusText(hop.status) : h('span.status.s5', null, 'no response'),
    ' ', h('span.dim', null, time(total * 1e6)), exchange.stream && h('span.dim', null, ' · ' + streamText(exchange.stream)), exchange.error && [' ', h('span.o-error', null, exchange.error)]);
}

/** How many items a response was read as. */
function streamText(stream) {
  return count(stream.count, stream.items.replace(/s$/, '')) + (stream.timeToFirst === undefined ? '' : `, the first after ${time(stream.timeToFirst * 1e6)}`);
}

function exchangeBody(exchange, failures) {
  const nodes = exchange.hops.map((hop, index) => {
    const isLast = index === exchange.hops.length - 1;
    return h('div.hop', null,
      h('div.line.mono', null, h('b', null, hop.method), hop.url),
      fields('Request headers', hop.requestHeaders),
      index === 0 && exchange.requestBody && showBody(exchange.requestBody, 'Request body', exchange.incoming ? failures : []),
      hop.status && h('div.line.mono', null, h('span', null, 'HTTP' + (hop.httpVersion ? '/' + hop.httpVersion : '')), statusText(hop.status), !isLast && h('span.dim', null, 'redirect')),
      fields('Response headers', hop.responseHeaders),
      isLast && exchange.responseBody && showBody(exchange.responseBody, 'Response body', failures),
      connection(hop));
  });
  const {messages, omittedMessages} = exchange.stream ?? {};
  if (messages) {
    nodes.push(h('div.hop', null, h('h4', null, 'Messages'), omittedMessages && h('p.note', null, `${count(omittedMessages, 'earlier message')} not kept.`),
      h('pre.code', {tabindex: '0', role: 'group', 'aria-label': 'Messages'}, messages.map((message) => h('span', null, h('span.dim', null, message.sent ? 'sent      ' : 'received  '), message.text + '\n')))));
  }
  const curl = exchange.curl ?? curlOf(exchange);
  if (curl) {
    const show = () => lined(textLines(curl), 'curl command', true);
    const box = h('details', {open: exchange.curl !== undefined, ontoggle: () => { if (box.open && !box.querySelector('pre')) box.append(show()); }}, h('summary', null, 'As a curl command'));
    nodes.push(h('div.hop', null, h('div.line', null, box, copyButton(curl, 'the curl command'))));
  }
  return nodes;
}

/** A curl command for a request that Garland made none for, from what was sent. Secrets are masked in it. */
function curlOf(exchange) {
  const hop = exchange.hops[0];
  if (exchange.incoming || !hop.requestHeaders.length) return undefined;
  // The text of a form is a list of its parts, not what was sent.
  const isWhole = exchange.requestBody?.text !== undefined && !exchange.requestBody.truncated && !/^multipart\//i.test(exchange.requestBody.type ?? '');
  const quoted = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
  const opensSocket = hop.requestHeaders.some(({name, value}) => /^upgrade$/i.test(name) && /^websocket$/i.test(value));
  const parts = [opensSocket ? '# curl opens the connection and shows what the server sends; it does not send messages\ncurl' : 'curl'];
  const body = exchange.requestBody;
  if (body && !body.file && !isWhole) parts[0] = `# BODY is a file with the body of the request, which this page does not have\n${parts[0]}`;
  if (hop.method === 'HEAD') parts.push('--head');
  else if (hop.method !== (body ? 'POST' : 'GET')) parts.push(`--request ${hop.method}`);
  if (exchange.hops.length > 1) parts.push('--location');
  if (opensSocket) parts.push('--http1.1', '--no-buffer');
  for (const {name, value} of hop.requestHeaders) {
    if (/^(host|content-length|transfer-encoding|expect)$/i.test(name) || !opensSocket && /^connection$/i.test(name)) continue;
    // curl could not show compressed messages.
    if (/^sec-websocket-extensions$/i.test(name)) continue;
    parts.push(/^accept-encoding$/i.test(name) ? '--compressed' : `--header ${quoted(`${name}: ${value}`)}`);
  }
  if (body?.file) parts.push(`--data-binary ${quoted('@' + body.file)}`);
  else if (isWhole) parts.push(`--data-raw ${quoted(body.text)}`);
  else if (body) parts.push('--data-binary @BODY');
  parts.push(quoted(hop.url));
  return parts.join(' \\\n  ');
}

function fields(title, list) {
  if (!list.length) return null;
  return h('details', null, h('summary', null, title + ' ', h('span.dim', null, String(list.length))), table(list.map((field) => [field.name, field.value])));
}

/** Addresses, TLS, sizes and phases of a hop. */
function connection(hop) {
  const t = hop.timing;
  const facts = [];
  if (hop.cache) facts.push(['cache', {hit: 'from the cache', validated: 'from the cache, unchanged on the server', stale: 'from the cache, stale'}[hop.cache]]);
  if (hop.remoteAddress) facts.push(['connection', `${hop.remoteAddress}${hop.localPort ? `, from port ${hop.localPort}` : ''}, ${hop.reusedConnection ? 'used before' : 'new'}`]);
  if (hop.sentAgain) facts.push(['sent again', 'the kept connection was lost']);
  if (hop.tls) {
    facts.push(['TLS', `${hop.tls.version}, ${hop.tls.cipher}`]);
    if (hop.tls.subject !== undefined) facts.push(['certificate', [hop.tls.subject, hop.tls.issuer && `issued by ${hop.tls.issuer}`, hop.tls.expiresAt && `expires ${hop.tls.expiresAt.slice(0, 10)}`].filter(Boolean).join(', ')]);
  }
  if (hop.wireBytes) {
    const w = hop.wireBytes;
    facts.push(['bytes on the wire', `sent ${size(w.requestHead)} of header, ${size(w.requestBody)} of body; received ${size(w.responseHead)} of header, ${size(w.responseBody)} of body`]);
  }
  const ends = [['DNS', t.nameLookup], ['TCP', t.connect], ['TLS', t.tls], ['ready to send', t.requestStart], ['sent', t.requestSent], ['first byte', t.firstByte], ['last byte', t.total]];
  facts.push(['after', ends.filter(([, at]) => at !== undefined).map(([name, at]) => `${name} ${time(at * 1e6)}`).join(' · ')]);
  return h('details', null, h('summary', null, 'Connection and timing ', h('span.dim', null, time(t.total * 1e6))), table(facts));
}

const refs = (steps) => h('div.refs', null, steps.slice(0, 200).map((step) => {
  const row = step.rows.find(isProblem) ?? step.rows[0];
  return row && h('a', {href: link(row)}, sign(row), ' ' + step.id);
}), steps.length > 200 && h('span.dim', null, `and ${steps.length - 200} more`));

function neighbours(row) {
  const {step} = row;
  const nodes = [];
  // Also those that are blocked by a blocked step, as on the console. A set that grows is walked to its end.
  const blocked = new Set((step.blocks ?? []).map((other) => other.step));
  for (const other of blocked) for (const row of other.blocks ?? []) blocked.add(row.step);
  if (blocked.size) nodes.push(h('h3', null, 'Blocked because of this step'), refs([...blocked].sort((a, b) => a.index - b.index)));
  if (step.deps.length) nodes.push(h('h3', null, 'Waits for'), refs(step.deps.map((index) => run.steps[index])));
  if (step.users.length) nodes.push(h('h3', null, 'Steps that wait for it'), refs(step.users.map((index) => run.steps[index])));
  const items = step.rows.length;
  if (items > 1) {
    const wrong = step.rows.filter((other) => other.outcome !== 0 && other !== row);
    nodes.push(h('h3', null, `Items of the loop: ${items}`), h('div.refs', null, (wrong.length ? wrong : step.rows).slice(0, 100).map((other) => h('a', {href: link(other)}, sign(other), ' ' + (other.iteration || other.iterationIndex))),
      h('span.dim', null, wrong.length ? 'those that did not pass' : items > 100 ? `and ${items - 100} more` : '')));
  }
  return nodes;
}

function source(step, definition, failures) {
  if (definition.source === undefined) return [];
  const first = definition.sourceLine;
  const file = run.files[step.file];
  const lines = definition.source.split('\n');
  const hits = new Map();
  for (const failure of failures) if (failure.file === file) hits.set(failure.line, [...(hits.get(failure.line) ?? []), failure.message]);
  return [h('h3', null, 'Source'), h('div.line', null, h('span.dim.mono', null, `${file}:${first}`), copyButton(definition.source, 'the source of the step')),
    h('pre.code', {tabindex: '0', role: 'group', 'aria-label': `Source, ${file}`}, lines.map((line, index) => {
      const says = hits.get(first + index);
      return h('span' + (says ? '.hit' : ''), null, h('span.n', {'aria-hidden': 'true'}, String(first + index)), line, '\n', says && h('em.says', null, '✗ ' + says.join('; ')));
    }))];
}
// The timeline: a row for each result, a bar for each request, divided into phases.

const lane = {items: [], from: 0, to: 1, at: -1, isBuilt: false, file: '', order: 'plan', criticalOnly: false};
const ROW = 24;

function buildTimeline() {
  lane.isBuilt = true;
  lane.to = run.end;
  lane.critical = new Set(criticalPath());
  const view = $('timeline');
  if (!run.rows.some((row) => row.duration > 0)) { view.append(h('p.message', null, 'Nothing was sent in this run.')); return; }
  const sentences = advice();
  const box = h('div.rows', {id: 'lanes', role: 'listbox', tabindex: '0', 'aria-label': 'Timeline of steps', onkeydown: laneKeys});
  const canvas = h('canvas', {role: 'img', 'aria-label': 'How many steps ran at once. Drag to zoom into a part of the run.'});
  view.append(
    sentences.length > 0 && h('section.advice', {'aria-label': 'What would make this run faster?', tabindex: '0'}, h('h2', null, 'What would make this run faster?'),
      h('ul', null, sentences.map((parts) => h('li', null, parts.map((part) => typeof part === 'string' ? part : h('a', {href: link(part)}, part.title)))))) || '',
    h('div.tools', null,
      h('button.btn', {type: 'button', 'aria-label': 'Zoom in', onclick: () => zoom(0.5)}, '+'), h('button.btn', {type: 'button', 'aria-label': 'Zoom out', onclick: () => zoom(2)}, '−'),
      h('button.btn', {type: 'button', onclick: () => { lane.from = 0; lane.to = run.end; drawLanes(); }}, 'Whole run'),
      h('label', null, h('input', {type: 'checkbox', onchange: (event) => { lane.criticalOnly = event.target.checked; fillLanes(); }}), 'Critical path only'),
      h('label', null, 'Order ', h('select', {onchange: (event) => { lane.order = event.target.value; fillLanes(); }}, h('option', {value: 'plan'}, 'of the plan'), h('option', {value: 'start'}, 'by start'), h('option', {value: 'slow'}, 'slowest first'))),
      h('span.key', null, [['deps', 'waiting for dependencies'], ['slot', 'for a slot'], ['listen', 'listening'], ...PHASES.map(([name, words]) => [name, words]), ['pause', 'pause'], ...(run.steps.some((step) => step.talks) ? [['talk', 'messages']] : []), ['judge', 'preparing and checking'], ...(run.rows.some((row) => row.earlier) ? [['before', 'earlier run']] : [])].map(([name, words]) => h('span.p-' + name, null, words)))),
    h('div.overview', {id: 'overview'}, canvas, h('div.brush', {id: 'brush'})),
    h('div.ticks', {id: 'ticks', 'aria-hidden': 'true'}), box);
  lane.canvas = canvas;
  lane.list = new VirtualList(box, ROW, laneRow);
  box.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.clientX));
  }, {passive: false});
  box.addEventListener('mousemove', laneTip);
  box.addEventListener('mouseleave', hideTip);
  brushing($('overview'));
  new ResizeObserver(() => drawLanes()).observe($('overview'));
  fillLanes();
}

function fillLanes() {
  const orders = {plan: ORDERS.plan[1], start: ORDERS.start[1], slow: ORDERS.slow[1]};
  const rows = (lane.criticalOnly ? [...lane.critical] : run.rows.filter((row) => row.duration > 0)).sort(orders[lane.order]);
  lane.items = [];
  let file = -1;
  for (const row of rows) {
    if (lane.order === 'plan' && run.files.length > 1 && row.step.file !== file) { file = row.step.file; lane.items.push({head: fileTitle(file)}); }
    lane.items.push({row});
  }
  lane.at = -1;
  lane.list.reset(lane.items.length);
  drawLanes();
}

function gutter() { return parseFloat(getComputedStyle($('overview')).marginLeft) || 0; }

function timeAt(x) {
  const box = $('overview').getBoundingClientRect();
  return lane.from + (lane.to - lane.from) * clamp((x - box.left) / box.width, 0, 1);
}

function zoom(factor, around = (lane.from + lane.to) / 2) {
  const width = clamp((lane.to - lane.from) * factor, Math.min(50, run.end), run.end);
  const share = (around - lane.from) / (lane.to - lane.from);
  lane.from = clamp(around - width * share, 0, run.end - width);
  lane.to = lane.from + width;
  drawLanes();
}

function drawLanes() {
  const whole = run.end;
  $('brush').style.left = `${100 * lane.from / whole}%`;
  $('brush').style.width = `${100 * (lane.to - lane.from) / whole}%`;
  $('brush').hidden = lane.from === 0 && lane.to >= whole;
  drawTicks();
  drawOverview();
  lane.list.redraw();
}

function drawTicks() {
  const width = $('ticks').clientWidth || 600;
  const span = lane.to - lane.from;
  // Two labels have room between two ticks, since the last label may be to the left of its tick.
  const least = span / Math.max(2, width / 120);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least);
  const ticks = [];
  for (let at = Math.ceil(lane.from / step) * step; at <= lane.to; at += step) {
    const place = (at - lane.from) / span;
    // A label that does not fit to the right of its tick is to its left.
    ticks.push(h('span' + (width * (1 - place) < 60 ? '.leftward' : ''), {style: {left: `${100 * place}%`}}, at === 0 ? '0' : tick(at, step)));
  }
  $('ticks').replaceChildren(...ticks);
}

function tick(us, step) {
  if (step >= 1e6) return us < 6e7 ? us / 1e6 + ' s' : time(us);
  if (step >= 1e3) return us >= 1e6 ? (us / 1e6).toFixed(step >= 1e5 ? 1 : step >= 1e4 ? 2 : 3) + ' s' : us / 1e3 + ' ms';
  return (us / 1e3).toFixed(3) + ' ms';
}

/** How many steps ran at once, over the whole run. */
function drawOverview() {
  const {canvas} = lane;
  const width = Math.round(canvas.clientWidth * devicePixelRatio), height = Math.round(canvas.clientHeight * devicePixelRatio);
  if (!width || !height) return;
  canvas.width = width; canvas.height = height;
  const changes = new Float64Array(width + 2), problems = new Uint8Array(width + 1);
  for (const row of run.rows) {
    if (!(row.duration > 0)) continue;
    for (const [start, took, isWrong] of [...row.before.map(([start, took]) => [start, took, true]), [row.start, row.duration, isProblem(row)]]) {
      const from = start / run.end * width, to = Math.max(from + 0.5, (start + took) / run.end * width);
      changes[Math.floor(from)] += 1;
      changes[Math.min(width, Math.ceil(to))] -= 1;
      if (isWrong) problems[Math.min(width - 1, Math.floor(to))] = 1;
    }
  }
  const colour = (name) => { canvas.style.color = `var(--${name})`; return getComputedStyle(canvas).color; };
  const context = canvas.getContext('2d');
  let running = 0, most = 1;
  const heights = new Float64Array(width);
  for (let x = 0; x < width; x += 1) { running += changes[x]; heights[x] = running; most = Math.max(most, running); }
  context.fillStyle = colour('accent');
  context.globalAlpha = 0.45;
  for (let x = 0; x < width; x += 1) { const tall = heights[x] / most * (height - 4); context.fillRect(x, height - tall, 1, tall); }
  context.globalAlpha = 1;
  context.fillStyle = colour('failed');
  for (let x = 0; x < width; x += 1) if (problems[x]) context.fillRect(x, 0, Math.max(1, devicePixelRatio), height);
}

function brushing(box) {
  let begin;
  const at = (event) => { const place = box.getBoundingClientRect(); return clamp((event.clientX - place.left) / place.width, 0, 1) * run.end; };
  box.addEventListener('pointerdown', (event) => { begin = at(event); box.setPointerCapture(event.pointerId); });
  box.addEventListener('pointermove', (event) => {
    if (begin === undefined) return;
    const end = at(event);
    if (Math.abs(end - begin) < run.end / 400) return;
    lane.from = Math.min(begin, end); lane.to = Math.max(begin, end);
    drawLanes();
  });
  box.addEventListener('pointerup', () => { begin = undefined; });
  box.addEventListener('dblclick', () => { lane.from = 0; lane.to = run.end; drawLanes(); });
}

/** The bars of a row as `[phase, from, to]`. */
function barsOf(row) {
  const bars = [];
  if (waitedForSteps(row)) bars.push(['deps', 0, row.ready]);
  if (row.delay > 0) bars.push(['pause', row.ready, Math.min(row.start, row.ready + row.delay)]);
  if (slotWait(row) > 0) bars.push(['slot', row.ready + row.delay, row.start]);
  if (row.step.listens) return [...bars, ['listen', row.start, row.end]];
  let end = row.start;
  for (const [, ...hops] of row.bars) {
    for (const hop of hops) {
      const begin = hop[0] >= 0 ? hop[0] : end;
      if (begin > end) bars.push([end > row.start ? 'pause' : 'queue', end, begin]);
      let at = begin;
      PHASES.forEach(([name], index) => { if (hop[index + 1] > 0) bars.push([name, at, at += hop[index + 1]]); });
      end = Math.max(end, at);
    }
  }
  if (!row.bars.length) bars.push(['run', row.start, row.end]);
  else if (row.end > end) bars.push([row.step.talks ? 'talk' : 'judge', end, row.end]);
  return bars;
}

function laneRow(index) {
  const item = lane.items[index];
  if (item.head) return h('div.tl.head', {role: 'presentation'}, h('span.who', null, item.head));
  const {row} = item;
  const span = lane.to - lane.from;
  const place = (at) => 100 * (at - lane.from) / span;
  const pixel = span / Math.max(200, ($('overview').clientWidth || 800));
  const track = h('span.track', {'aria-hidden': 'true'});
  let covered = -Infinity, made = 0;
  for (const [phase, from, to] of barsOf(row)) {
    if (to < lane.from || from > lane.to) continue;
    // Bars narrower than a pixel are drawn once.
    if (to - covered < pixel / 2 || made > 600) continue;
    covered = to; made += 1;
    track.append(h('i.p-' + phase, {style: {left: `${Math.max(-1, place(from))}%`, width: `${Math.min(102, place(to)) - Math.max(-1, place(from))}%`}}));
  }
  for (const [start, took, outcome] of row.before) {
    if (start + took < lane.from || start > lane.to) continue;
    const [left, right] = [Math.max(-1, place(start)), Math.min(102, place(start + took))];
    track.append(h('i.p-before', {style: {left: `${left}%`, width: `${right - left}%`}}), h('i.end.o-' + OUTCOMES[outcome], {style: {left: `${place(start + took)}%`}}));
  }
  if (isProblem(row)) track.append(h('i.end.' + outcomeClass(row), {style: {left: `${place(row.end)}%`}}));
  const isCritical = lane.critical.has(row);
  return h('div.tl' + (isCritical ? '.critical' : '') + (index === lane.at ? '.current' : ''), {
    role: 'option', id: 'l' + index, 'aria-selected': String(index === lane.at), 'data-at': index, onclick: () => go(row), style: {'--from': `${place(row.start)}%`, '--span': `${100 * row.duration / span}%`},
    'aria-label': `${row.title}, ${outcomeWord(row)}${isCritical ? ', on the critical path' : ''}, from ${time(row.start)}, ${time(row.duration)}${row.earlier ? ', after ' + count(row.earlier, 'earlier run') : ''}${row.delay > 0 ? ', paused ' + time(row.delay) : ''}${slotWait(row) > 0 ? ', waited ' + time(slotWait(row)) + ' for a slot' : ''}`,
  }, h('span.who', {title: row.title}, sign(row), titleOf(row)), track);
}

function laneKeys(event) {
  const keys = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9};
  if (event.key === '+' || event.key === '=') return zoom(0.5);
  if (event.key === '-') return zoom(2);
  if (event.key === '0') { lane.from = 0; lane.to = run.end; return drawLanes(); }
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    const width = lane.to - lane.from;
    lane.from = clamp(lane.from + width * (event.key === 'ArrowLeft' ? -0.2 : 0.2), 0, run.end - width);
    lane.to = lane.from + width;
    event.preventDefault();
    return drawLanes();
  }
  if (event.key === 'Enter' && lane.items[lane.at]?.row) return go(lane.items[lane.at].row);
  if (!keys[event.key]) return;
  event.preventDefault();
  let at = clamp(lane.at + keys[event.key], 0, lane.items.length - 1);
  if (lane.items[at].head) at = clamp(at + Math.sign(keys[event.key]), 0, lane.items.length - 1);
  lane.at = at;
  lane.list.reveal(at);
  lane.list.redraw();
  $('lanes').setAttribute('aria-activedescendant', 'l' + at);
}

let tip;
function hideTip() { tip?.remove(); tip = undefined; }

function laneTip(event) {
  const element = event.target.closest('.tl');
  const row = element && lane.items[Number(element.dataset.at)]?.row;
  if (!row || event.clientX < $('overview').getBoundingClientRect().left) return hideTip();
  if (tip?.row !== row) {
    hideTip();
    const sums = phaseSums([row]);
    const lines = [['start', row.start], ['took', row.duration], ['for a slot', sums.slot], ['listening', sums.listen], ...PHASES.map(([name, words]) => [words, sums[name]]), ['pauses', sums.pause]].filter(([, us], index) => index < 2 || us > 0);
    tip = h('div.tip', {'aria-hidden': 'true'}, h('b', null, `${signOf(row)} ${row.title}`), h('span.dim', null, row.message || row.action), h('table', null, lines.map(([name, us]) => h('tr', null, h('td', null, name), h('td', null, time(us))))));
    tip.row = row;
    document.body.append(tip);
  }
  tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
  tip.style.top = (event.clientY + 18 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : event.clientY + 18) + 'px';
}
// The graph: what waits for what, from left to right.

const drawing = {isBuilt: false, choice: '', all: false, x: 0, y: 0, scale: 1};
const BOX = {height: 42, gapX: 64, gapY: 14, char: 7.6};
const MOST = 1500;
/** The smallest scale at which the names of steps can be read. */
const READABLE = 0.65;

function buildGraph() {
  drawing.isBuilt = true;
  const few = run.steps.length <= 400;
  const options = [];
  if (run.steps.length <= MOST) options.push(['', 'All steps']);
  if (run.files.length > 1) run.files.forEach((file, index) => options.push(['f' + index, file]));
  options.push(['near', 'Around the selected step']);
  if (run.isTimed) options.push(['critical', 'Critical path']);
  drawing.choice = few ? '' : current ? 'near' : run.steps.length <= MOST ? '' : options[0][0];
  const select = h('select', {id: 'part', 'aria-label': 'Part of the graph', onchange: () => { drawing.choice = select.value; drawGraph(); }}, options.map(([value, text]) => h('option', {value}, text)));
  select.value = drawing.choice;
  const canvas = h('div.canvas', {id: 'canvas'});
  $('graph').append(
    h('div.tools', null,
      h('button.btn', {type: 'button', 'aria-label': 'Zoom in', onclick: () => zoomGraph(1.3)}, '+'), h('button.btn', {type: 'button', 'aria-label': 'Zoom out', onclick: () => zoomGraph(1 / 1.3)}, '−'),
      h('button.btn', {type: 'button', onclick: () => fitGraph()}, 'Fit'), h('label', null, 'Show ', select),
      h('label', null, h('input', {type: 'checkbox', id: 'all-edges', onchange: (event) => { drawing.all = event.target.checked; drawGraph(); }}), 'All edges'),
      h('span.dim', {id: 'graph-note'})),
    canvas);
  moving(canvas);
  new ResizeObserver(() => { if (!drawing.touched) fitGraph(READABLE); }).observe(canvas);
  drawGraph();
}

function chosenSteps() {
  const {choice} = drawing;
  if (choice === 'critical') return criticalPath().map((row) => row.step);
  if (choice === 'near') {
    const middle = current?.step ?? run.steps[0];
    const found = new Set([middle]);
    for (const side of ['deps', 'users']) {
      let edge = [middle];
      for (let depth = 0; depth < 3; depth += 1) {
        edge = edge.flatMap((step) => step[side].map((index) => run.steps[index])).filter((step) => !found.has(step)).slice(0, 150);
        edge.forEach((step) => found.add(step));
      }
    }
    return [...found];
  }
  const steps = choice === '' ? run.steps : run.steps.filter((step) => step.file === Number(choice.slice(1)));
  return steps.slice(0, MOST);
}

/** Edges `[from, to]` among steps; without `all` those are left out that follow from others. */
function edgesAmong(steps, all) {
  const place = new Map(steps.map((step, index) => [step, index]));
  const words = Math.ceil(steps.length / 32);
  const above = new Map();
  const edges = [];
  for (const step of order()) {
    if (!place.has(step)) continue;
    const bits = new Uint32Array(words);
    const deps = step.deps.map((index) => run.steps[index]).filter((dep) => place.has(dep));
    for (const dep of deps) { const other = above.get(dep); if (other) for (let word = 0; word < words; word += 1) bits[word] |= other[word]; }
    for (const dep of deps) { const at = place.get(dep); if (all || !(bits[at >> 5] & (1 << (at & 31)))) edges.push([dep, step]); }
    for (const dep of deps) { const at = place.get(dep); bits[at >> 5] |= 1 << (at & 31); }
    above.set(step, bits);
  }
  return edges;
}

const short = (text, most = 26) => { const letters = [...text]; return letters.length <= most ? text : letters.slice(0, most - 11).join('') + '…' + letters.slice(-10).join(''); };

/** The width that the two lines of a step's box need. */
const boxWidth = (step) => Math.max(116, short(step.id).length * BOX.char + 46, short(secondLine(step), 30).length * 6.4 + 46);

/** What is below a step's id: its request in a plan, else its time and its items. */
function secondLine(step) {
  const took = span(step);
  if (run.isPlan && !took) return step.action;
  const row = step.rows[0];
  return `${took > 0 ? time(took) : row ? outcomeWord(row) : ''}${step.rows.length > 1 ? ` · ${step.rows.length.toLocaleString('en')} items` : ''}`;
}

/** Places: layers from left to right, a block for each file from top to bottom. */
function layOut(steps, edges) {
  const layer = new Map();
  for (const step of order()) layer.set(step, 0);
  const inside = new Set(steps);
  const before = new Map(steps.map((step) => [step, []])), after = new Map(steps.map((step) => [step, []]));
  for (const [from, to] of edges) { before.get(to).push(from); after.get(from).push(to); }
  for (const step of order()) if (inside.has(step)) for (const from of before.get(step)) layer.set(step, Math.max(layer.get(step), layer.get(from) + 1));
  const widths = [];
  for (const step of steps) {
    const width = boxWidth(step);
    const at = layer.get(step);
    widths[at] = Math.max(widths[at] ?? 0, width);
  }
  const lefts = [];
  let x = 0;
  for (let at = 0; at < widths.length; at += 1) { lefts[at] = x; x += (widths[at] ?? 0) + BOX.gapX; }
  const places = new Map(), groups = [];
  let top = 0;
  const files = [...new Set(steps.map((step) => step.file))].sort((a, b) => a - b);
  for (const file of files) {
    const own = steps.filter((step) => step.file === file);
    const isNamed = files.length > 1;
    const y = top + (isNamed ? 34 : 0);
    const tied = own.filter((step) => before.get(step).length || after.get(step).length);
    const bottom = placeLayers(tied, layer, before, after, lefts, widths, places, y);
    const end = placeGrid(own.filter((step) => !tied.includes(step)), Math.max(x, 900), places, tied.length ? bottom + 26 : y);
    if (isNamed) {
      const boxes = own.map((step) => places.get(step));
      const left = Math.min(...boxes.map((box) => box.x)), right = Math.max(...boxes.map((box) => box.x + box.width));
      groups.push({name: run.files[file], x: left - 14, y: top, width: Math.max(right - left, run.files[file].length * 7) + 28, height: end - top + 14});
    }
    top = end + 40;
  }
  return {places, groups};
}

function placeLayers(steps, layer, before, after, lefts, widths, places, top) {
  const layers = [];
  for (const step of steps) (layers[layer.get(step)] ??= []).push(step);
  const rank = new Map(steps.map((step) => [step, step.index]));
  const middle = (list) => { const known = list.filter((step) => rank.has(step)); return known.length ? known.reduce((sum, step) => sum + rank.get(step), 0) / known.length : undefined; };
  layers.forEach((list) => list.forEach((step, index) => rank.set(step, index)));
  for (let sweep = 0; sweep < 6; sweep += 1) {
    const down = sweep % 2 === 0;
    for (const list of down ? layers : [...layers].reverse()) {
      if (!list) continue;
      const wish = new Map(list.map((step, index) => [step, middle((down ? before : after).get(step)) ?? index]));
      list.sort((a, b) => wish.get(a) - wish.get(b) || a.index - b.index);
      list.forEach((step, index) => rank.set(step, index));
    }
  }
  let bottom = top;
  for (const list of layers) {
    let next = top;
    for (const step of list ?? []) {
      const known = before.get(step).map((other) => places.get(other)?.y).filter((y) => y !== undefined && y >= top);
      const wish = known.length ? known.reduce((sum, y) => sum + y, 0) / known.length : next;
      const y = Math.max(next, wish);
      places.set(step, {x: lefts[layer.get(step)], y, width: widths[layer.get(step)]});
      next = y + BOX.height + BOX.gapY;
      bottom = Math.max(bottom, y + BOX.height);
    }
  }
  return bottom;
}

/** Steps that nothing is tied to, side by side. */
function placeGrid(steps, width, places, top) {
  if (!steps.length) return top - 26 > 0 && !steps.length ? Math.max(top - 26, 0) : top;
  const widest = Math.max(...steps.map(boxWidth));
  const columns = Math.max(1, Math.min(Math.floor(width / (widest + 18)), Math.ceil(Math.sqrt(steps.length * 2))));
  steps.forEach((step, index) => places.set(step, {x: index % columns * (widest + 18), y: top + Math.floor(index / columns) * (BOX.height + BOX.gapY), width: widest}));
  return top + Math.ceil(steps.length / columns) * (BOX.height + BOX.gapY) - BOX.gapY;
}

function drawGraph() {
  const steps = chosenSteps();
  const edges = edgesAmong(steps, drawing.all);
  const {places, groups} = layOut(steps, edges);
  const critical = new Set(run.isTimed ? criticalPath().map((row) => row.step) : []);
  const longest = steps.reduce((most, step) => Math.max(most, span(step)), 0) || 1;
  const scene = svg('g', {id: 'scene'});
  for (const group of groups) scene.append(svg('g', {class: 'group'}, svg('rect', {x: group.x, y: group.y, width: group.width, height: group.height, rx: 10}), svg('text', {x: group.x + 12, y: group.y + 20}, group.name)));
  for (const [from, to] of edges) {
    const a = places.get(from), b = places.get(to);
    const [x1, y1, x2, y2] = [a.x + a.width, a.y + BOX.height / 2, b.x, b.y + BOX.height / 2];
    const bend = Math.max(28, (x2 - x1) / 2);
    scene.append(svg('path', {class: 'link' + (critical.has(from) && critical.has(to) ? ' critical' : ''), d: `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2 - 5},${y2} m-5,-4 l6,4 l-6,4`, 'data-from': from.index, 'data-to': to.index}));
  }
  for (const step of steps) scene.append(graphNode(step, places.get(step), critical.has(step), longest));
  const picture = svg('svg', {role: 'group', 'aria-label': `Graph of ${count(steps.length, 'step')}`}, scene);
  $('canvas').replaceChildren(picture, legend(steps));
  drawing.box = {width: Math.max(...[...places.values()].map((place) => place.x + place.width), 100), height: Math.max(...[...places.values()].map((place) => place.y + BOX.height), 60)};
  const left = edgesAmong(steps, true).length - edges.length;
  $('graph-note').textContent = `${count(steps.length, 'step')}, ${count(edges.length, 'edge')}${left > 0 ? ` (${left} that follow from them are left out)` : ''}${steps.length < run.steps.length ? ` of ${count(run.steps.length, 'step')}` : ''}`;
  drawing.touched = false;
  fitGraph(READABLE);
}

function graphNode(step, place, isCritical, longest) {
  const row = step.rows.find(isProblem) ?? step.rows.find((other) => other.outcome !== 0) ?? step.rows[0];
  const kind = row ? outcomeClass(row) : 'o-planned';
  const took = span(step);
  const near = (isNear) => {
    for (const path of $('scene').querySelectorAll(`[data-from="${step.index}"],[data-to="${step.index}"]`)) path.classList.toggle('near', isNear);
  };
  return svg('a', {class: `node ${kind}` + (isCritical ? ' critical' : ''), href: row ? link(row) : '#', transform: `translate(${place.x},${place.y})`,
    'aria-label': `${step.id}, ${row ? outcomeWord(row) : 'no result'}${took ? ', ' + time(took) : ''}${isCritical ? ', on the critical path' : ''}`,
    onmouseenter: () => near(true), onmouseleave: () => near(false), onfocus: () => near(true), onblur: () => near(false)},
  svg('title', null, `${step.id}\n${step.action}${row?.message ? '\n' + row.message : ''}`),
  svg('rect', {class: 'box', width: place.width, height: BOX.height, rx: 7}), svg('rect', {class: 'edge-of', width: 4, height: BOX.height - 10, x: 5, y: 5, rx: 2}),
  svg('text', {class: 'sig', x: 16, y: 18}, row ? signOf(row) : '·'), svg('text', {x: 32, y: 18}, short(step.id)),
  svg('text', {class: 'sub', x: 32, y: 33}, short(secondLine(step), 30)),
  took > 0 && svg('rect', {class: 'edge-of', x: 10, y: BOX.height - 4, height: 2.5, width: Math.max(2, (place.width - 20) * took / longest), rx: 1}));
}

function legend(steps) {
  const kinds = new Map();
  for (const step of steps) for (const row of step.rows) kinds.set(outcomeWord(row), row);
  return h('div.legend.key', {'aria-hidden': 'true'}, [...kinds].map(([word, row]) => h('i.' + outcomeClass(row), {style: {'font-style': 'normal'}}, `${signOf(row)} ${word}`)),
    run.isTimed && h('i.on-critical', {style: {'font-style': 'normal'}}, '▭ critical path'), steps.some((step) => span(step) > 0) && h('i', {style: {'font-style': 'normal'}}, '▬ duration'));
}

/** Fits the drawing into its place, but at the beginning no smaller than it can be read. */
function fitGraph(least = 0.25) {
  const canvas = $('canvas');
  if (!drawing.box || !canvas.clientWidth) return;
  const {width, height} = drawing.box;
  drawing.scale = clamp(Math.min((canvas.clientWidth - 60) / width, (canvas.clientHeight - 100) / height), least, 1.25);
  drawing.x = Math.max(30, (canvas.clientWidth - width * drawing.scale) / 2);
  drawing.y = Math.max(26, (canvas.clientHeight - 60 - height * drawing.scale) / 2);
  placeScene();
}

function zoomGraph(factor, x = $('canvas').clientWidth / 2, y = $('canvas').clientHeight / 2) {
  const scale = clamp(drawing.scale * factor, 0.05, 4);
  drawing.x = x - (x - drawing.x) * scale / drawing.scale;
  drawing.y = y - (y - drawing.y) * scale / drawing.scale;
  drawing.scale = scale;
  drawing.touched = true;
  placeScene();
}

const placeScene = () => $('scene')?.setAttribute('transform', `translate(${drawing.x},${drawing.y}) scale(${drawing.scale})`);

function moving(canvas) {
  let last, moved = 0;
  canvas.addEventListener('pointerdown', (event) => { last = [event.clientX, event.clientY]; moved = 0; });
  canvas.addEventListener('pointermove', (event) => {
    if (!last) return;
    const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved > 4) canvas.classList.add('drag');
    drawing.x += dx; drawing.y += dy; last = [event.clientX, event.clientY];
    drawing.touched = true;
    placeScene();
  });
  const stop = () => { last = undefined; canvas.classList.remove('drag'); };
  addEventListener('pointerup', stop);
  addEventListener('pointercancel', stop);
  canvas.addEventListener('click', (event) => { if (moved > 4) { event.preventDefault(); event.stopPropagation(); } }, true);
  canvas.addEventListener('dragstart', (event) => event.preventDefault());
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoomGraph(event.deltaY > 0 ? 0.87 : 1.15, event.clientX - box.left, event.clientY - box.top);
  }, {passive: false});
  // A node that gets the focus by the keyboard comes into view.
  canvas.addEventListener('focusin', (event) => {
    const box = event.target.getBoundingClientRect(), place = canvas.getBoundingClientRect();
    canvas.scrollTo(0, 0);
    if (box.left >= place.left && box.right <= place.right && box.top >= place.top && box.bottom <= place.bottom) return;
    drawing.x += place.left + place.width / 2 - (box.left + box.right) / 2;
    drawing.y += place.top + place.height / 2 - (box.top + box.bottom) / 2;
    drawing.touched = true;
    placeScene();
  });
}
// What the address says is shown; keys; paper.

const VIEWS = ['steps', 'timeline', 'graph', 'notices'];

function openView(name) {
  for (const view of VIEWS) {
    $(view).hidden = view !== name;
    const tab = $('tab-' + view);
    if (view === name) tab.setAttribute('aria-current', 'page'); else tab.removeAttribute('aria-current');
  }
  hideTip();
  if (name !== 'steps') document.body.classList.remove('reading');
  if (name === 'timeline' && !lane.isBuilt) buildTimeline();
  if (name === 'graph') {
    if (!drawing.isBuilt) buildGraph();
    else if (drawing.choice === 'near') drawGraph();
  }
  if (name === 'steps') list.update();
}

/** The rows that an address leads to: one by its whole address, else those whose address ends with it, since a file may be named without its folder. */
function rowsAt(address) {
  const row = run.byAddress.get(address);
  if (row) return [row];
  const ends = ['/' + address, '#' + address];
  return address ? [...new Set([...run.byAddress].filter(([key]) => ends.some((end) => key.endsWith(end))).map(([, other]) => other))] : [];
}

function follow() {
  let address = location.hash.slice(1);
  try { address = decodeURIComponent(address); } catch { /* It is taken as it is. */ }
  if (address.startsWith('/')) {
    const name = VIEWS.includes(address.slice(1)) && !$('tab-' + address.slice(1)).hidden ? address.slice(1) : 'steps';
    openView(name);
    if (name === 'steps' && !isWide()) openDetail(false);
    if (name !== 'steps') document.title = `${document.querySelector('h1').textContent} · Garland`;
    if (name === 'steps' && !current && run.rows.length && isWide()) show(listed[0] ?? run.rows[0], true);
    return;
  }
  const meant = rowsAt(address);
  const row = meant.length === 1 ? meant[0] : undefined;
  openView(address === '' && run.isPlan ? 'graph' : 'steps');
  if (row) {
    // A filter that hides what a link leads to would be in the way.
    if (!isListed(row)) { filter.outcomes.clear(); filter.text = filter.file = filter.tag = ''; for (const id of ['search', 'file', 'tag']) if ($(id)) $(id).value = ''; for (const chip of $('chips').children) chip.setAttribute('aria-pressed', 'false'); applyFilter(); }
    show(row);
  } else if (address) {
    const words = meant.length ? `${count(meant.length, 'step')} of this run have the address “${address}”:` : `There is no step “${address}” in this run.`;
    say(words);
    $('detail').replaceChildren(h('p.message', null, words), h('ul.plain', null, meant.map((other) => h('li', null, h('a', {href: link(other)}, sign(other), ' ' + other.address)))));
    openDetail(true);
  } else if (run.rows.length && isWide()) show(listed[0] ?? run.rows[0], true);
}

function buildNotices() {
  const notices = run.notices ?? [];
  if (!notices.length) return;
  const tab = $('tab-notices');
  tab.hidden = false;
  tab.append(h('span.count', null, String(notices.length)));
  for (const notice of notices) {
    $('notices').append(h('div.card.notice.' + notice.severity, null, h('header', null, h('b', null, notice.severity), h('code', null, notice.code)),
      h('div.in', null, h('p', null, notice.message), notice.file && h('p.dim.mono', null, `${notice.file}:${notice.line}:${notice.column}`), (notice.notes ?? []).map((note) => h('p.dim', null, note)), (notice.help ?? []).map((help) => h('p.help', null, help)))));
  }
  if (run.omittedNotices) $('notices').append(h('p.note', null, `${count(run.omittedNotices, 'further notice')} left out.`));
}

/** The whole run on paper: what went wrong, then a table. */
async function fillPaper() {
  const wrong = run.rows.filter(isProblem);
  const shown = wrong.slice(0, 100);
  const cards = [];
  for (const row of shown) {
    const result = await resultOf(row);
    const placeOf = (failure) => h('span.dim', null, ` ${failure?.file ?? run.files[row.step.file]}:${failure?.file ? failure.line : row.step.line}`);
    cards.push(h('div.card', null, h('header', null, h('b', null, `${signOf(row)} ${row.title}`), ' ', row.action, row.status ? ` → ${row.status}` : ''),
      h('div.in', null, (result?.failures ?? []).map((failure) => h('div', null, h('p', null, sentence(failure), placeOf(failure)),
        failure.difference && h('pre.code', null, failure.difference.slice(0, 30).map((line) => h('span', null, line + '\n'))))), !(result?.failures ?? []).length && [row.message, placeOf()])));
  }
  const most = 2000;
  $('paper').replaceChildren(
    h('p', null, [...$('chips').children].map((chip) => [...chip.childNodes].map((part) => part.textContent.trim()).filter(Boolean).join(' ')).join(' · ')),
    wrong.length ? h('h2', null, 'What went wrong') : '', ...cards, wrong.length > shown.length ? h('p', null, `and ${wrong.length - shown.length} more`) : '',
    h('h2', null, 'Steps'), h('table', null, h('thead', null, h('tr', null, ['', 'Step', 'Request', 'Status', 'Took', 'File'].map((name) => h('th', {scope: 'col'}, name)))),
      h('tbody', null, run.rows.slice(0, most).map((row) => h('tr', null, h('td', null, signOf(row)), h('td', null, row.title), h('td', null, row.action), h('td', null, row.status ? String(row.status) : ''), h('td', null, row.duration ? time(row.duration) : outcomeWord(row), row.duration > 0 && (isPermitted(row) || row.flaky) && ` (${row.flaky ? 'flaky' : outcomeKey(row)})`), h('td', null, run.files[row.step.file]))))),
    run.rows.length > most ? h('p', null, `and ${(run.rows.length - most).toLocaleString('en')} more`) : '');
}

function keys(event) {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === 'Escape') {
    if (isTyping && event.target.id === 'search') { event.target.value = ''; filter.text = ''; applyFilter(); }
    openDetail(false);
    if (!$('steps').hidden) $('list').focus();
    return;
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = {j: 1, k: -1}[event.key];
  if (event.key === '/') {
    if ($('steps').hidden) location.hash = '#/steps';
    openView('steps');
    $('search').focus();
    event.preventDefault();
  }
  else if (event.key === 'f' || event.key === 'F') nextFailure(event.key === 'f' ? 1 : -1);
  else if (event.key >= '1' && event.key <= '3') location.hash = '#/' + VIEWS[event.key - 1];
  else if (step && !$('steps').hidden) {
    const at = current && isListed(current) ? current.at + step : 0;
    if (listed[at]) select(listed[at]);
  }
}

function theme() {
  const {classList} = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => { if (lane.canvas) drawOverview(); };
  system.addEventListener('change', redraw);
  $('theme').addEventListener('click', () => {
    const isDark = classList.contains('dark') || (system.matches && !classList.contains('light'));
    classList.toggle('dark', !isDark);
    classList.toggle('light', isDark);
    redraw();
  });
}

async function begin() {
  theme();
  document.querySelector('.skip').addEventListener('click', (event) => { event.preventDefault(); ($('list') ?? $('main')).focus(); });
  try {
    if (typeof DecompressionStream === 'undefined') throw new Error('this browser has no DecompressionStream; use one of 2023 or later');
    takeIn(await unpack($('index')));
  } catch (error) {
    $('loading').textContent = `The run can’t be unpacked: ${error.message}`;
    return;
  }
  $('loading').remove();
  chips();
  buildSteps();
  buildNotices();
  if (!run.isTimed || !run.steps.length) $('tab-timeline').hidden = true;
  if (!run.steps.length) $('tab-graph').hidden = true;
  addEventListener('hashchange', follow);
  addEventListener('keydown', keys);
  if (!run.rows.length && run.notices?.length && !location.hash) location.replace('#/notices');
  follow();
  document.documentElement.dataset.ready = 'true';
  addEventListener('beforeprint', fillPaper);
  setTimeout(fillPaper, 1000);
}

begin();
})();
"""#
}
