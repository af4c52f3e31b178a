import HTTPTypes

/// A hop's credentials besides the caller's own fields.
struct HopProof {
  var fields: [HTTPField] = []
  /// The URL that contains a signature.
  var signedURL: URLReference?
  var digest = DigestExchange()
  var digestUse: DigestSpaces.Use?
  /// The nonce of the challenge for which the hop is sent again.
  var pendingNonce: String?
  /// Whether the hop is sent again with Basic credentials.
  var answersBasic = false
  /// Whether the hop was sent with Basic credentials because the server required them, now or
  /// earlier.
  var sentBasic = false
  /// Whether libcurl may answer a 401 by itself.
  var usesLibrary = false
  /// The Kerberos library's reason for a missing ticket.
  private(set) var ticketProblem: String?

  /// Whether the hop is sent again because of a challenge.
  var isAnswer: Bool { pendingNonce != nil || answersBasic }

  /// Resets the state before a hop is sent.
  mutating func begin() {
    fields = []
    signedURL = nil
    digestUse = nil
    sentBasic = false
    usesLibrary = false
    ticketProblem = nil
  }

  /// Resets the state for a redirect, which has its own challenges.
  mutating func followRedirect() {
    digest = DigestExchange()
    pendingNonce = nil
    answersBasic = false
  }

  /// Takes a line of libcurl's debug output, the only place that names the reason for a missing
  /// ticket.
  mutating func takeDebugText(_ line: UnsafeRawBufferPointer) {
    let mark = "gss_init_sec_context() failed: "
    guard line.starts(with: mark.utf8) else { return }
    let words = String(decoding: line.dropFirst(mark.utf8.count), as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    ticketProblem = words.last == "." ? String(words.dropLast()) : words
  }
}
