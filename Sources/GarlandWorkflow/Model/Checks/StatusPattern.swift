/// What `expect.status` admits: `200`, `2xx` or `200..299`.
public struct StatusPattern: Sendable, Hashable {
  /// The codes, both ends included.
  public let codes: ClosedRange<Int>

  init(_ codes: ClosedRange<Int>) { self.codes = codes }

  /// Whether it admits a code.
  public func matches(_ status: Int) -> Bool { codes.contains(status) }
  /// Whether it admits any redirect.
  public var admitsRedirects: Bool { codes.overlaps(300...399) }
}
