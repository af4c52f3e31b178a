import GarlandYAML

extension DocumentDecoder {
  func decodeTLSExpectations(_ node: YAMLNode, _ scope: ExpressionScope, isDefault: Bool) -> [Expectation] {
    guard let reader = reader(node, TLSFact.table, "expectations of the certificate such as `{ days_left: { gte: 14 } }`") else {
      return []
    }
    return reader.entries.compactMap { fact, entry in
      let node = entry.value
      if fact == .expiresIn, node.scalar != nil, let text = node.scalar?.text {
        report(
          .neverHolds, "no certificate expires in exactly this time", at: node.range,
          help: "to set a limit, write `{ gt: \(Words.excerpt(text)) }`",
          replacement: Duration(workflowText: text) == nil ? nil : "{ gt: \(text) }")
        return nil
      }
      if fact == .expiresIn, node.sequence != nil {
        report(.wrongType, "expected a limit such as `{ gt: 14d }`, found a list", at: node.range)
        return nil
      }
      return Expectation(
        check: .tls(fact, decodePredicates(node, subject(of: fact), scope)), keyRange: entry.key.range, range: node.range,
        isDefault: isDefault)
    }
  }

  private func subject(of fact: TLSFact) -> CheckSubject {
    switch fact {
    case .daysLeft: .number("`days_left`", whole: true)
    case .expiresIn: CheckSubject(words: "`expires_in`", kinds: .number, unit: .duration)
    case .subject: .text("`subject`")
    case .issuer: .text("`issuer`")
    case .san: CheckSubject(words: "`san`", kinds: .list)
    case .fingerprint: .text("`fingerprint`")
    case .version: .text("the TLS version")
    case .cipher: .text("the TLS cipher suite")
    }
  }
}
