import HTTPTypes

/// Checks whether a response is acceptable.
///
/// ```swift
/// request.validate(.statuses(200..<300), .contentTypes(["application/json"]))
/// ```
/// Validators run in the order in which they were added; the first failure is the request's error.
public struct Validator: Sendable {
  private let check: @Sendable (TransferRequest, TransferResponse) -> NetworkingError.Validation?
  /// Whether this library provides the validator. Such validators are fast enough to run on the
  /// engine's thread.
  let isOwn: Bool

  /// Creates a custom validator, which throws to refuse a response.
  public init(_ check: @escaping @Sendable (_ request: TransferRequest, _ response: TransferResponse) throws -> Void) {
    isOwn = false
    self.check = { request, response in
      do {
        try check(request, response)
        return nil
      } catch {
        return .custom(.init(error))
      }
    }
  }

  private init(rule: @escaping @Sendable (TransferRequest, TransferResponse) -> NetworkingError.Validation?) {
    isOwn = true
    check = rule
  }

  /// Returns the reason why the response is refused; nil if it is accepted.
  public func failure(of response: TransferResponse, to request: TransferRequest) -> NetworkingError.Validation? {
    check(request, response)
  }

  /// Accepts only responses whose status is in `statuses`.
  public static func statuses(_ statuses: some Sequence<Int> & Sendable) -> Validator {
    let accepted = Set(statuses)
    return Validator(rule: { _, response in accepted.contains(response.status.code) ? nil : .unacceptableStatus(response.status.code) })
  }

  /// Accepts statuses from 200 to 299.
  public static let successful = Validator(rule: { _, response in
    (200..<300).contains(response.status.code) ? nil : .unacceptableStatus(response.status.code)
  })

  /// Accepts a response whose media type matches one of `types`, such as `image/*`. A response without content is accepted too.
  ///
  /// Parameters such as `charset` are not compared. To compare them, use ``MediaRange`` in a custom validator. An invalid media range
  /// matches no media type. A response that has content but no content type is accepted only by `*/*`.
  public static func contentTypes(_ types: [String]) -> Validator {
    let ranges = types.compactMap { MediaRange($0)?.withoutParameters }
    return Validator(rule: { _, response in contentTypeFailure(of: response, accepting: ranges, named: types) })
  }

  /// Accepts a status from 200 to 299. If the request has an `Accept` field, the content must also have
  /// a type that the field allows; parameters such as `charset` are not compared.
  public static let automatic = Validator(rule: { request, response in
    if let failure = successful.failure(of: response, to: request) { return failure }
    let accept = request.headerFields[values: .accept].joined(separator: ",")
    if accept.isEmpty { return nil }
    let ranges = MediaRange.list(accept).map(\.withoutParameters)
    return contentTypeFailure(of: response, accepting: ranges, named: ranges.map(\.description))
  })

  private static func contentTypeFailure(
    of response: TransferResponse, accepting ranges: [MediaRange], named names: [String]
  ) -> NetworkingError.Validation? {
    // Skip the check for responses without content: those with status 204 or 205, those to HEAD, and those with an empty body.
    if response.request.method == .head || response.decodedBodyBytes == 0 || [204, 205].contains(response.status.code) { return nil }
    guard let type = response.headerFields[.contentType], !type.isEmpty else {
      return ranges.contains(where: \.isAny) ? nil : .missingContentType(acceptable: names)
    }
    guard let received = MediaRange(type), ranges.contains(where: { $0.contains(received) }) else {
      return .unacceptableContentType(type, acceptable: names)
    }
    return nil
  }
}
