import GarlandDiagnostics

extension DocumentDecoder {
  /// The names, in lower case, of header fields whose whole value is a credential.
  private static let credentialHeaders: Set<String> = ["authorization", "proxy-authorization", "x-api-key", "x-auth-token"]

  private static func isCredential(_ place: StepReference.Place) -> Bool {
    let key = place.key.hasPrefix("defaults.") ? place.key.dropFirst("defaults.".count) : place.key[...]
    guard key.hasPrefix("headers.") else { return key == "bearer" }
    return credentialHeaders.contains(key.dropFirst("headers.".count).lowercased())
  }

  /// Warns of extracts that are not marked as secret although other steps send them as credentials. Without the mark, reports and curl
  /// commands would show the values of these extracts.
  func warnOfUnmaskedCredentials(_ steps: [Step]) {
    var told: Set<SourceRange> = []
    var credentials: [ObjectIdentifier: Bool] = [:]
    func isCredential(_ reference: StepReference) -> Bool {
      if let known = credentials[reference.placeID] { return known }
      let answer = Self.isCredential(reference.place)
      credentials[reference.placeID] = answer
      return answer
    }
    for step in steps {
      for reference in step.references where isCredential(reference) && reference.target < steps.count {
        let source = steps[reference.target]
        guard case .extract(let index) = reference.member, index < source.extractions.count else { continue }
        let extraction = source.extractions[index]
        let text = extraction.range.text
        // An explicit `secret: false` is intended.
        guard !extraction.isSecret, !text.contains("secret:"), told.insert(extraction.range).inserted else { continue }
        var fix: Diagnostic.Fix?
        if text.hasPrefix("{"), text.hasSuffix("}"), !text.contains("\n") {
          var inner = text.dropLast()
          while inner.last == " " { inner.removeLast() }
          fix = .init(extraction.range, "\(inner), secret: true }")
        } else if case .json = extraction.source, text.hasPrefix("$"), !text.contains("\n") {
          fix = .init(extraction.range, "{ json: \(Self.inFlow(text)), secret: true }")
        }
        diagnostics.report(
          Diagnostic(
            .unmaskedCredential, severity: .warning,
            "`\(source.id).\(reference.name)` is sent as a credential, but is not masked in the output", at: extraction.range
          )
          .note("the credential is sent here", at: reference.range).help("make the value a secret", fix: fix))
      }
    }
  }

  /// Returns a YAML text for use within braces, in a flow mapping. Adds quotes if the text contains brackets, braces or commas.
  private static func inFlow(_ text: String) -> String {
    guard text.utf8.contains(where: { "[]{},".utf8.contains($0) }) else { return text }
    return "'\(text.replacing("'", with: "''"))'"
  }
}
