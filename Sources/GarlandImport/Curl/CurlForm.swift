import GarlandText

/// The fields in a value of `--form`: `name=content;type=…;filename=…;headers=…`, with curl's quotes.
struct CurlFormFields {
  let name: ImportedText
  /// The content of the form field: the text from the `=` to the first `;`, without its quotes.
  var content: ImportedText
  var fields: [(name: String, value: ImportedText)] = []
  /// The parts of a value of `--form` that begin with `;` but are not attributes of curl. curl ignores these parts.
  private(set) var ignored: [ImportedText] = []
  /// Whether a `,` follows the name of a file, so that another file follows.
  var hasSeveralFiles = false

  /// Parses a value of `--form`. Returns nil if the value has no name.
  init?(_ text: ImportedText) {
    let pair = text.split("=", limit: 2)
    guard pair.count == 2 else { return nil }
    name = pair[0]
    content = ImportedText("")
    var scanner = Scanner(pair[1])
    let isFile = scanner.peek == "@" || scanner.peek == "<"
    let prefix = isFile ? String(scanner.next() ?? "@") : ""
    // curl ignores spaces before the content. After spaces, `@` and `<` are part of the text, so those spaces are kept.
    var behindSpaces = scanner
    behindSpaces.skipSpaces()
    if isFile || behindSpaces.peek != "@" && behindSpaces.peek != "<" { scanner = behindSpaces }
    let word = scanner.word(endingAt: isFile ? ";," : ";")
    content = ImportedText.joined(ImportedText(prefix) + word)
    hasSeveralFiles = prefix == "@" && scanner.peek == ","
    while scanner.peek == ";" {
      _ = scanner.next()
      scanner.skipSpaces()
      guard let name = scanner.fieldName() else {
        ignored.append(ImportedText.joined(scanner.word(endingAt: ";")))
        continue
      }
      // A media type may have its own parameters, and quotes are part of it.
      var value = scanner.word(endingAt: ";,", isQuoted: name != "type")
      while name == "type", scanner.peek == ";", !scanner.isField {
        _ = scanner.next()
        value = value + ImportedText(";") + scanner.word(endingAt: ";,", isQuoted: false)
      }
      fields.append((name, ImportedText.joined(value)))
    }
  }

  /// Reads a text character by character; an expression counts as one unit.
  private struct Scanner {
    private enum Unit {
      case character(Character)
      case expression(String)
    }

    private static let names = ["type", "filename", "headers", "encoder"]
    private var units: ArraySlice<Unit>

    init(_ text: ImportedText) {
      units =
        text.pieces.flatMap { piece -> [Unit] in
          switch piece {
          case .literal(let text): text.map { .character($0) }
          case .expression(let expression): [.expression(expression)]
          }
        }[...]
    }

    var peek: Character? { if case .character(let character)? = units.first { character } else { nil } }

    mutating func next() -> Character? {
      guard case .character(let character)? = units.popFirst() else { return nil }
      return character
    }

    mutating func skipSpaces() { while peek == " " || peek == "\t" { units.removeFirst() } }

    private var name: String? {
      let text = String(
        units.drop { if case .character(" ") = $0 { true } else { false } }.prefix(9).compactMap { unit -> Character? in
          if case .character(let character) = unit { character } else { nil }
        })
      return Self.names.first { text.hasPrefix($0 + "=") }
    }

    /// Whether the `;` at the current position is followed by the name of an attribute and `=`, such as `type=`.
    var isField: Bool {
      var rest = self
      rest.units.removeFirst()
      return rest.name != nil
    }

    mutating func fieldName() -> String? {
      guard let name else { return nil }
      skipSpaces()
      units.removeFirst(name.count + 1)
      return name
    }

    /// Reads a word up to one of the characters in `ends`. If `isQuoted` is true, the word may be in double quotes, in
    /// which a backslash escapes a quote or a backslash.
    mutating func word(endingAt ends: String, isQuoted: Bool = true) -> ImportedText {
      if isQuoted, peek == "\"", let quoted = quoted() { return quoted }
      var pieces: [ImportedText.Piece] = []
      while let unit = units.first {
        if case .character(let character) = unit, ends.contains(character) { break }
        units.removeFirst()
        Self.append(unit, to: &pieces)
      }
      var text = ImportedText(pieces: pieces)
      if case .literal(let last)? = pieces.last {
        text = ImportedText(
          pieces: Array(pieces.dropLast()) + [.literal(String(last.reversed().drop { $0 == " " || $0 == "\t" }.reversed()))])
      }
      return ImportedText(pieces: text.pieces.filter { $0 != .literal("") })
    }

    private mutating func quoted() -> ImportedText? {
      let start = units
      units.removeFirst()
      var pieces: [ImportedText.Piece] = []
      while let unit = units.popFirst() {
        switch unit {
        case .character("\""):
          skipSpaces()
          while let peek, peek != ";", peek != "," { units.removeFirst() }
          return ImportedText(pieces: pieces)
        case .character("\\") where peek == "\\" || peek == "\"": if let next = units.popFirst() { Self.append(next, to: &pieces) }
        default: Self.append(unit, to: &pieces)
        }
      }
      units = start
      return nil
    }

    private static func append(_ unit: Unit, to pieces: inout [ImportedText.Piece]) {
      switch unit {
      case .expression(let expression): pieces.append(.expression(expression))
      case .character(let character):
        if case .literal(let text)? = pieces.last {
          pieces[pieces.count - 1] = .literal(text + String(character))
        } else {
          pieces.append(.literal(String(character)))
        }
      }
    }
  }
}

extension CurlCommandLine {
  mutating func takePart(_ text: ImportedText, isString: Bool, at range: Range<Int>) {
    let option = isString ? "--form-string" : "--form"
    if isString {
      let pair = text.split("=", limit: 2)
      guard pair.count == 2 else { return warn("`\(option) \(text.source)` has no `=`, and was left out", at: range) }
      var part = ImportedRequest.Part(name: pair[0])
      part.text = pair[1]
      return body.parts.append(part)
    }
    guard let fields = CurlFormFields(text) else { return warn("`\(option) \(text.source)` has no `=`, and was left out", at: range) }
    guard !fields.hasSeveralFiles, !(fields.name.isEmpty && ["(", ")"].contains(fields.content.literal.map { String($0.prefix(1)) } ?? ""))
    else {
      return leaveOut("a form within `\(option)`", at: range)
    }
    for text in fields.ignored {
      warn(
        "curl ignores `;\(text.source)` in a value of `--form`", at: range,
        help: "to keep it, put double quotes around the value inside the argument")
    }
    if fields.name.isEmpty { warn("a part of `--form` without a name gets an empty name", at: range) }
    var part = ImportedRequest.Part(name: fields.name)
    guard addContent(fields.content, to: &part, at: range) else { return }
    for field in fields.fields {
      switch field.name {
      case "type": part.type = field.value
      case "filename" where fields.content.dropping(prefix: "<") != nil:
        warn("curl ignores `filename=` of a part whose text comes from a file", at: range)
      case "filename": part.filename = field.value
      case "headers": addHeader(field.value, to: &part, at: range)
      default: leaveOut("`encoder=` of `\(option)`", at: range)
      }
    }
    if part.type == nil { part.type = Self.usualType(of: part, fields.content).map { ImportedText($0) } }
    body.parts.append(part)
  }

  /// Sets the content of a part. If the content can't be imported, for example because it comes from an unknown standard input, warns and
  /// returns false.
  private mutating func addContent(_ content: ImportedText, to part: inout ImportedRequest.Part, at range: Range<Int>) -> Bool {
    if let path = content.dropping(prefix: "@") {
      if path.literal != "-" {
        part.file = path
      } else if case .file(let file)? = input {
        part.file = file
        part.filename = ImportedText("-")
        warn("the part of `--form @-` has a type; curl sends none", at: range)
      } else {
        return standardInput(&part)
      }
    } else if let path = content.dropping(prefix: "<") {
      if path.literal == "-" { return standardInput(&part) }
      if let bytes = foreignBytes(of: path) {
        warnOfForeign(path, bytes, at: range)
        part.bytes = bytes
        return true
      }
      guard let file = path.fileExpression else {
        leaveOut("--form <\(path.source)", at: range)
        return false
      }
      part.text = .expression(file)
    } else {
      part.text = content
    }
    return true

    func standardInput(_ part: inout ImportedRequest.Part) -> Bool {
      if case .text(let word)? = input, word.bytes == nil, content.dropping(prefix: "<") != nil {
        part.text = word.text
        return true
      }
      warn("`--form` reads standard input, and the part was left out", at: range)
      return false
    }
  }

  private mutating func addHeader(_ text: ImportedText, to part: inout ImportedRequest.Part, at range: Range<Int>) {
    guard text.dropping(prefix: "@") == nil else { return leaveOut("`headers=@` of `--form`", at: range) }
    let pair = text.split(":", limit: 2)
    guard pair.count == 2, let name = pair[0].literal, HTTPToken.isToken(name) else {
      return leaveOut("`headers=\(text.source)` of `--form`", at: range)
    }
    part.headers.append((name, pair[1].trimmed))
  }

  /// Returns the type that curl sends for a part without `type=`; nil if curl sends none. The type depends on the extension of the file
  /// name that the server receives, or else on the extension of the local file's name.
  private static func usualType(of part: ImportedRequest.Part, _ content: ImportedText) -> String? {
    let name = part.filename.flatMap { mediaType($0) }
    if let file = part.file { return name ?? mediaType(file) ?? "application/octet-stream" }
    if part.filename != nil { return name ?? "application/octet-stream" }
    // Text of a form has no type, even if it comes from a file.
    return content.dropping(prefix: "<").flatMap { mediaType($0) }.flatMap { $0 == "text/plain" ? nil : $0 }
  }

  /// Returns the media type that curl uses for the extension of a file name; nil if curl does not know the extension.
  private static func mediaType(_ name: ImportedText) -> String? {
    let types = [
      ".gif": "image/gif", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".svg": "image/svg+xml", ".txt": "text/plain",
      ".htm": "text/html", ".html": "text/html", ".pdf": "application/pdf", ".xml": "application/xml",
    ]
    let name = name.source.lowercased()
    return types.first { name.hasSuffix($0.key) }?.value
  }
}
