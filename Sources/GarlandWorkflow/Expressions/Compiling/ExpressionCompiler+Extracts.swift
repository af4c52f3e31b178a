extension ExpressionCompiler {
  /// `STEP.EXTRACT}`, which most expressions of a large document are, without a tree of what was written; nil for everything else, and for whatever might be a
  /// mistake.
  func compileExtract(from start: Int) -> (expression: Expression, end: Int)? {
    guard !scope.isBeforeSteps, let dot = nameEnd(from: start), bytes[dot] == UInt8(ascii: "."), let end = nameEnd(from: dot + 1),
      bytes[end] == UInt8(ascii: "}")
    else { return nil }
    let id = text(start..<dot)
    guard let ordinal = names.ordinals[id], !(scope.hasResponse && scope.step == ordinal), !names.hasLoop[ordinal], names.uses[id] == nil,
      !Self.hasMeaning(id), let index = names.extract(text(dot + 1..<end), of: ordinal)
    else { return nil }
    names.useExtract(index, of: ordinal)
    names.neededByOthers[ordinal].insert(.extracts)
    return (Expression(extract: index, step: ordinal, place: start..<end, locator: locator), end + 1)
  }

  /// Where a name ends that begins there, with something behind it; nil if there is no name.
  private func nameEnd(from start: Int) -> Int? {
    guard start < bytes.count, Lexer.isNameStart(bytes[start]) else { return nil }
    var end = start + 1
    while end < bytes.count, Lexer.isNamePart(bytes[end]) { end += 1 }
    return end < bytes.count ? end : nil
  }

  /// Whether a name is no step's, even if a step has it, by mistake.
  private static func hasMeaning(_ name: String) -> Bool { ReservedNames.has(name, in: meanings) }
}
