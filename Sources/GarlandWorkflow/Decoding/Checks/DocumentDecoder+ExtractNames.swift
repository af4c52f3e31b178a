import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

/// Decodes extracts whose names contain expressions.
extension DocumentDecoder {
  /// An extract whose name contains an expression: its index among all extracts of the document, the ordinal of its step, and its key in
  /// the document.
  struct ComputedExtractName {
    let place: Int
    let step: Int
    let key: YAMLNode
  }

  /// The extracts whose names contain expressions.
  struct ComputedExtractNames {
    var written: [ComputedExtractName] = []
    /// The evaluated names of the extracts. The key of each name is the source range in the document where the name is written.
    var values: [SourceRange: String] = [:]
  }

  /// Evaluates the extract names that contain expressions, and renames these extracts. Must be called when the values of the variables are
  /// known, but before any other expression is compiled.
  func resolveExtractNames() {
    for computed in computedNames.written {
      guard let name = extractName(computed.key, .step(computed.step).inLoop(.unknown)) else { continue }
      computedNames.values[computed.key.range] = name
      names.renameExtract(at: computed.place, to: name)
    }
  }

  /// Evaluates the name of an extract before the run, since other expressions refer to the extract by this name. If the name depends on the
  /// run, reports an error and returns nil.
  private func extractName(_ key: YAMLNode, _ scope: ExpressionScope) -> String? {
    let reported = diagnostics.all.count
    guard let template = template(key, scope, "the name of an extract"), diagnostics.all.count == reported else { return nil }
    let pieces: [Template.Piece]
    switch template.content {
    case .constant(let value): pieces = [.literal(value.stringValue ?? value.jsonText())]
    case .expression(let expression): pieces = [.expression(expression)]
    case .text(let parts): pieces = parts
    }
    var name = ""
    for piece in pieces {
      switch piece {
      case .literal(let text): name += text
      case .expression(let expression):
        guard let text = names.constantText(of: expression.root) else {
          report(
            .badName, "the name of an extract has to be known before the run", at: expression.range,
            help: "use a variable whose value is written out: `${vars.NAME}`")
          return nil
        }
        name += text
      }
    }
    guard ReservedNames.isName(name), !ReservedNames.extracts.contains(name) else {
      report(
        .badName, "`\(Words.excerpt(name))` can't be the name of an extract", at: key.range,
        help: ReservedNames.isName(name)
          ? "every response has a member of this name"
          : "a name has the letters a to z, digits, `_` and `-`, and begins with a letter or `_`")
      return nil
    }
    return name
  }
}
