"""Draws a moment of a run on a terminal: `console_picture.py OUTPUT.svg SHARE COMMAND…`.

The command runs on a terminal of 100 columns. SHARE says which moment is drawn: 0 is the first output, 0.5 the middle between the first and
the last output, 1 the last.
"""

import fcntl
import html
import os
import pty
import struct
import sys
import termios
import time

import pyte

COLUMNS, ROWS = 100, 28
CELL, LINE, MARGIN = 8.0, 18, 16
BACKGROUND, TEXT = "#0d1117", "#e6edf3"
COLOURS = {"red": "#ff7b72", "green": "#56d364", "brown": "#e3b341", "blue": "#79c0ff", "magenta": "#d2a8ff", "cyan": "#56d4dd",
           "brightblack": "#8b949e", "black": "#8b949e", "white": TEXT, "default": TEXT}


def recorded(command):
    """Yields the output of the command, piece by piece as it comes."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", LANG="C.UTF-8")
        for name in ("CI", "NO_COLOR", "GITHUB_ACTIONS"):
            os.environ.pop(name, None)
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    pieces, start = [], time.monotonic()
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            piece = b""
        if not piece:
            os.waitpid(child, 0)
            return pieces
        pieces.append((time.monotonic() - start, piece))


def screen_at(pieces, share):
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    start = pieces[0][0]
    end = start + (pieces[-1][0] - start) * share
    for moment, piece in pieces:
        if moment <= end:
            stream.feed(piece)
    return screen


def runs(row):
    """The words of a row, joined where they look the same and one space is between them."""
    parts = []
    for column in range(COLUMNS):
        cell = row[column]
        look = (COLOURS.get(cell.fg, "#" + cell.fg), cell.bold)
        if cell.data == " ":
            continue
        if parts and parts[-1][1] == look and column - parts[-1][0] - len(parts[-1][2]) <= 1:
            start, look, text = parts.pop()
            parts.append((start, look, text.ljust(column - start) + cell.data))
        else:
            parts.append((column, look, cell.data))
    return parts


def drawing(screen):
    rows = [screen.buffer[row] for row in range(ROWS)]
    while rows and not runs(rows[-1]):
        rows.pop()
    width, height = COLUMNS * CELL + 2 * MARGIN, len(rows) * LINE + 2 * MARGIN
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}" role="img" aria-label="A run of Garland on a terminal">',
             f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
             '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="13">']
    for index, row in enumerate(rows):
        baseline = MARGIN + index * LINE + 13
        for column, (colour, bold), text in runs(row):
            weight = ' font-weight="600"' if bold else ""
            lines.append(f'<text x="{MARGIN + column * CELL:g}" y="{baseline}" fill="{colour}"{weight} textLength="{len(text) * CELL:g}">{html.escape(text)}</text>')
    return "\n".join(lines + ["</g>", "</svg>", ""])


target, share, *command = sys.argv[1:]
with open(target, "w", encoding="utf-8") as file:
    file.write(drawing(screen_at(recorded(command), float(share))))
