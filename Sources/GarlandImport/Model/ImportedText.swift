import GarlandWorkflow

/// Text that may contain values which are only known when the workflow runs.
package struct ImportedText: Sendable, Equatable {
  package typealias Piece = ExpressionScanner.Piece

  package var pieces: [Piece]

  package init(_ text: String) { pieces = text.isEmpty ? [] : [.literal(text)] }
  package init(pieces: [Piece]) { self.pieces = pieces }
  /// Returns a text that consists of a single expression.
  package static func expression(_ text: String) -> ImportedText { ImportedText(pieces: [.expression(text)]) }

  /// The text as a string; nil if it contains an expression.
  package var literal: String? {
    var text = ""
    for piece in pieces {
      guard case .literal(let part) = piece else { return nil }
      text += part
    }
    return text
  }

  package var isEmpty: Bool { pieces.isEmpty }

  /// The text as it is written in a workflow document, before YAML's own quoting.
  package var source: String {
    pieces.map { piece in
      switch piece {
      case .literal(let text): text.split(separator: "${", omittingEmptySubsequences: false).joined(separator: "$${")
      case .expression(let expression): "${\(expression)}"
      }
    }.joined()
  }

  static func + (left: ImportedText, right: ImportedText) -> ImportedText { ImportedText(pieces: left.pieces + right.pieces) }

  /// Returns the text with neighbouring literal pieces joined.
  static func joined(_ text: ImportedText) -> ImportedText {
    var pieces: [Piece] = []
    for piece in text.pieces {
      if case .literal(let more) = piece, case .literal(let known)? = pieces.last {
        pieces[pieces.count - 1] = .literal(known + more)
      } else {
        pieces.append(piece)
      }
    }
    return ImportedText(pieces: pieces)
  }

  /// Splits the text at each separator in its literal pieces, into at most `limit` texts. Expressions are never split.
  func split(_ separator: Unicode.Scalar, limit: Int = .max) -> [ImportedText] {
    var parts: [[Piece]] = [[]]
    for piece in pieces {
      guard case .literal(let text) = piece else {
        parts[parts.count - 1].append(piece)
        continue
      }
      var rest = text[...]
      while parts.count < limit, let place = rest.unicodeScalars.firstIndex(of: separator) {
        if place > rest.startIndex { parts[parts.count - 1].append(.literal(String(rest[..<place]))) }
        parts.append([])
        rest = rest[rest.unicodeScalars.index(after: place)...]
      }
      if !rest.isEmpty { parts[parts.count - 1].append(.literal(String(rest))) }
    }
    return parts.map { ImportedText(pieces: $0) }
  }

  /// The text with a placeholder for each expression, and the list of the expressions. Code that processes single characters uses this
  /// form.
  var flattened: (text: String, expressions: [String]) {
    var text = ""
    var expressions: [String] = []
    for piece in pieces {
      switch piece {
      case .literal(let literal): text += literal
      case .expression(let expression):
        text += "\u{F8FF}\(expressions.count)\u{F8FF}"
        expressions.append(expression)
      }
    }
    return (text, expressions)
  }

  /// Creates a text from its ``flattened`` form. The placeholders are replaced with the given expressions.
  init(flattened text: String, _ expressions: [String]) {
    pieces = []
    for (index, part) in text.split(separator: "\u{F8FF}", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1, let number = Int(part), expressions.indices.contains(number) {
        pieces.append(.expression(expressions[number]))
      } else if !part.isEmpty {
        pieces.append(.literal(String(part)))
      }
    }
  }

  /// Returns the text with a change applied to each literal piece.
  func mapLiterals(_ change: (String) -> String) -> ImportedText {
    ImportedText(pieces: pieces.map { if case .literal(let text) = $0 { .literal(change(text)) } else { $0 } })
  }

  /// Returns this text with an expression in place of each occurrence of `worth`, the value of a credential. Only the literal pieces are
  /// searched.
  func replacing(_ worth: String, by expression: String) -> ImportedText {
    ImportedText(
      pieces: pieces.flatMap { piece -> [Piece] in
        guard case .literal(let text) = piece, !worth.isEmpty else { return [piece] }
        var parts: [Piece] = []
        for (index, part) in text.split(separator: worth, omittingEmptySubsequences: false).enumerated() {
          if index > 0 { parts.append(.expression(expression)) }
          if !part.isEmpty { parts.append(.literal(String(part))) }
        }
        return parts
      })
  }

  /// Returns the text without a prefix; nil if the text does not begin with the prefix.
  func dropping(prefix: String, ignoringCase: Bool = false) -> ImportedText? {
    guard case .literal(let text)? = pieces.first else { return nil }
    let start = text.prefix(prefix.count)
    guard ignoringCase ? start.lowercased() == prefix.lowercased() : start == prefix else { return nil }
    let rest = String(text.dropFirst(prefix.count))
    return ImportedText(pieces: (rest.isEmpty ? [] : [.literal(rest)]) + pieces.dropFirst())
  }

  /// The text without white space at its ends.
  var trimmed: ImportedText {
    var pieces = pieces
    if case .literal(let text)? = pieces.first {
      let rest = String(text.drop(while: \.isWhitespace))
      pieces[0] = .literal(rest)
    }
    if case .literal(let text)? = pieces.last {
      pieces[pieces.count - 1] = .literal(String(text.reversed().drop(while: \.isWhitespace).reversed()))
    }
    return ImportedText(pieces: pieces.filter { $0 != .literal("") })
  }
}
