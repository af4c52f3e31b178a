import GarlandText

/// The service messages that TeamCity finds in a build's output. Mistakes in documents are reported as inspections, and failed steps as
/// build problems.
///
/// See [Service messages](https://www.jetbrains.com/help/teamcity/service-messages.html).
enum TeamCity {
  /// The maximum length of a build problem's description. The server cuts longer descriptions.
  private static let longestDescription = 4_000
  private static let escaped = Escapes(["|": "||", "'": "|'", "[": "|[", "]": "|]", "\n": "|n", "\r": "|r"], unitPrefix: "|0x")

  static func command(_ annotation: Annotation) -> String {
    switch annotation.origin {
    case .document(let code): inspection(annotation, code)
    case .step where annotation.level == .warning: message("message", ["text": sentence(annotation), "status": "WARNING"])
    case .step:
      message("buildProblem", ["description": String(sentence(annotation).prefix(longestDescription)), "identity": identity(annotation)])
    }
  }

  /// Returns the declarations of the kinds of inspections that the annotations use. TeamCity requires a declaration before the first
  /// inspection of each kind.
  static func inspectionTypes(for annotations: [Annotation]) -> [String] {
    var seen: Set<String> = []
    return annotations.compactMap { annotation in
      guard case .document(let code) = annotation.origin, seen.insert(code).inserted else { return nil }
      let name = code.split(separator: "-").joined(separator: " ")
      return message("inspectionType", ["id": code, "name": name, "description": name, "category": "Garland"])
    }
  }

  private static func inspection(_ annotation: Annotation, _ code: String) -> String {
    message(
      "inspection",
      [
        "typeId": code, "message": annotation.message, "file": annotation.place?.file ?? "", "line": "\(annotation.place?.line ?? 0)",
        "SEVERITY": annotation.level == .error ? "ERROR" : "WARNING",
      ])
  }

  private static func sentence(_ annotation: Annotation) -> String {
    let place = annotation.place.map { " (\($0.file):\($0.line))" } ?? ""
    return "\(annotation.title): \(annotation.message)\(place)"
  }

  /// Returns an identifier of the annotation's failure, so that TeamCity recognises the same failure of the same step in a later build. It
  /// is a Java identifier of at most 60 characters.
  private static func identity(_ annotation: Annotation) -> String {
    "garland_" + Fingerprint.of([annotation.place?.file ?? "", annotation.title, annotation.message])
  }

  private static func message(_ name: String, _ attributes: KeyValuePairs<String, String>) -> String {
    "##teamcity[\(name)" + attributes.map { " \($0)='\(escaped($1))'" }.joined() + "]"
  }
}

/// Computes the identifier of a finding. It stays the same if the finding moves to another line, so that another system can distinguish old
/// findings from new ones.
enum Fingerprint {
  /// Returns a fingerprint of the given texts, as 32 hexadecimal digits.
  static func of(_ parts: [String]) -> String {
    // The algorithm is FNV-1a with 128 bits. It needs no cryptographic strength, and cannot fail.
    var hash = UInt128(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
      hash = (hash ^ 0xff) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
    return Hex.padded(hash)
  }
}
