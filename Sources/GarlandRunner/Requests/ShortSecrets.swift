import GarlandDiagnostics
import GarlandTransfer
import GarlandResults
import GarlandWorkflow

/// The short secrets of a step. The letters of a short secret can occur in other text by chance, so short secrets are masked only in the
/// parts of the request where the step uses them.
struct ShortSecrets: Sendable {
  private let values: [String]

  /// Creates an empty list of short secrets.
  init() { values = [] }

  /// Creates a list of the secrets with fewer than ``Redactor/minimumLength`` characters that a step uses, directly or through a variable.
  init(of step: Step, _ document: DocumentValues) {
    guard document.hasShortSecrets else {
      values = []
      return
    }
    values = step.inputs.compactMap { input in
      switch input.target {
      case .secret(let index): document.secret(index)
      case .variable(let index): (try? document.variable(index)).flatMap { $0.isTainted ? $0.json.stringValue : nil }
      default: nil
      }
    }.filter { !$0.isEmpty && $0.count < Redactor.minimumLength }
  }

  var isEmpty: Bool { values.isEmpty }

  /// Returns a copy of the exchange for reports. In the copy, short secrets (shorter than ``Redactor/minimumLength``) are masked.
  func masked(_ exchange: Exchange, of request: TransferRequest) -> Exchange {
    guard !isEmpty else { return exchange }
    var exchange = exchange
    for index in exchange.hops.indices {
      exchange.hops[index].url = masked(exchange.hops[index].url)
      exchange.hops[index].requestFields = exchange.hops[index].requestFields.map { Exchange.Field($0.name, value(of: $0, request)) }
    }
    if let body = exchange.requestBody, let text = String(validating: body.bytes, as: UTF8.self) {
      exchange.requestBody?.bytes = Array(masked(text).utf8)
    }
    return exchange
  }

  private func value(of field: Exchange.Field, _ request: TransferRequest) -> String {
    // Within Base64, the beginning and end of the password cannot be recognised.
    if field.name.lowercased() == "authorization", case .basic(_, let password)? = request.credential, values.contains(password) {
      return "Basic \(Redactor.mask)"
    }
    return masked(field.value)
  }

  /// Returns a text in which each short secret is masked if it is a separate word: no letter or digit is directly before or after it.
  func masked(_ text: String) -> String {
    values.reduce(text) { text, secret in
      var result = ""
      var rest = text[...]
      while let range = rest.firstRange(of: secret) {
        result += rest[..<range.lowerBound]
        let isOpen = !Self.isWord(result.last)
        let after = range.upperBound < rest.endIndex ? rest[range.upperBound] : nil
        result += isOpen && !Self.isWord(after) ? Redactor.mask : secret
        rest = rest[range.upperBound...]
      }
      return result + rest
    }
  }

  private static func isWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
}
