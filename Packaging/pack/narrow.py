"""Markdown for a terminal of 80 columns: tables become lists, and long lines of examples are broken."""
import re

# 80 columns without the indentation of a manual page, and one to spare.
COLUMNS = 72


def narrowed(markdown):
    """Returns the same page with lists in place of tables, and with examples that fit."""
    lines, page = markdown.split("\n"), []
    while lines:
        line = lines.pop(0)
        if line.startswith("```"):
            page.append(line)
            while lines and not lines[0].startswith("```"):
                page += broken(lines.pop(0), shell=line != "```yaml")
            page += lines[:1]
            del lines[:1]
        elif line.startswith("|") and lines and re.fullmatch(r"\|[-:| ]+\|", lines[0]):
            headings = cells(line)
            lines.pop(0)
            while lines and lines[0].startswith("|"):
                page += entry(headings, cells(lines.pop(0)))
        else:
            page.append(line)
    return "\n".join(page)


def cells(row):
    """Returns the texts between the bars of a row. A bar that belongs to a text has a backslash before it."""
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]]


def entry(headings, row):
    """Returns a row as an entry of a definition list: first its name and type, below them the meaning and all else."""
    named = dict(zip(headings, row))
    name = row[0] + (f" ({named['type']})" if named.get("type") else "")
    sentences = []
    for heading, cell in list(named.items())[1:]:
        if not cell or heading == "type":
            continue
        # A meaning is a sentence of its own; everything else is introduced by the heading of its column.
        plain = heading.lower() in ("meaning", "what", "what it means", "what it is") or len(row) == 2
        sentences.append(finished(cell if plain else f"{heading[0].upper()}{heading[1:]}: {cell}"))
    return [name, "", f":   {' '.join(sentences)}", ""]


def finished(sentence):
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def broken(line, shell):
    """Returns the lines of an example's line: its comment goes before it, and the rest is broken between words, with the same meaning."""
    if len(line) <= COLUMNS:
        return [line]
    indentation = line[:len(line) - len(line.lstrip())]
    code, comment = without_comment(line)
    found = wrapped(f"{indentation}# {comment}", f"{indentation}# ", "") if comment else []
    if code.strip():
        found += wrapped(code, f"{indentation}    ", " \\" if shell else "")
    return found


def example(line):
    """Returns the lines of a command in `--help`: its explanation, which is beside it, goes below it where both don't fit."""
    if len(line) <= COLUMNS - 2:
        return [line]
    command, *explanation = re.split(r" {2,}", line.strip(), maxsplit=1)
    return [command, *(f"    {each}" for each in explanation)] if explanation else wrapped(command, "    ", " \\")


def without_comment(line):
    """Returns a line's code and its comment, which begins at a `#` that is outside quotes and after a space."""
    quote = ""
    for place, character in enumerate(line):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'" and (place == 0 or line[place - 1] in " [{(=:,"):
            quote = character
        elif character == "#" and (place == 0 or line[place - 1] == " "):
            return line[:place].rstrip(), line[place + 1:].strip()
    return line.rstrip(), ""


def wrapped(line, indentation, end):
    """Returns a line as several: broken after a comma or a brace where one is, otherwise between two words."""
    found = []
    while len(line) > COLUMNS:
        first = len(line) - len(line.lstrip()) + 1
        places = [place for place in range(first, COLUMNS - len(end) + 1) if line[place] == " "]
        better = [place for place in places if line[place - 1] in ",{[" and place > COLUMNS // 2]
        if not places:
            break
        place = (better or places)[-1]
        found.append(line[:place] + end)
        line = indentation + line[place + 1:].lstrip()
    return [*found, line]
