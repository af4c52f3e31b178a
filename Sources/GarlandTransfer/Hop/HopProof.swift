import HTTPTypes

/// The credentials that the engine adds to a request. Header fields with credentials that the caller has set are not included.
struct HopProof {
  var fields: [HTTPField] = []
  /// The URL with a signature in it; nil if the signature is not in the URL.
  var signedURL: URLReference?
  var digest = DigestExchange()
  var digestUse: DigestSpaces.Use?
  /// If the request is sent again because of a Digest challenge, the nonce of this challenge; otherwise nil.
  var pendingNonce: String?
  /// Whether the request is sent again with Basic credentials.
  var answersBasic = false
  /// Whether the request was sent with Basic credentials because of a challenge: a challenge to this request, or an earlier challenge that
  /// the engine remembers.
  var sentBasic = false
  /// Whether libcurl is allowed to answer a 401 by itself.
  var usesLibrary = false
  /// The Kerberos library's reason for a missing ticket; nil if no ticket is missing.
  private(set) var ticketProblem: String?

  /// Whether the request is sent again because of a challenge.
  var isAnswer: Bool { pendingNonce != nil || answersBasic }

  /// Removes the credentials of the previous attempt. Call this method before each attempt to send the request.
  mutating func begin() {
    fields = []
    signedURL = nil
    digestUse = nil
    sentBasic = false
    usesLibrary = false
    ticketProblem = nil
  }

  /// Forgets the challenges of the previous URL, since the URL of the redirect has its own challenges.
  mutating func followRedirect() {
    digest = DigestExchange()
    pendingNonce = nil
    answersBasic = false
  }

  /// Finds the reason for a missing Kerberos ticket in a line of libcurl's debug output, which is the only source of this reason.
  mutating func takeDebugText(_ line: UnsafeRawBufferPointer) {
    let mark = "gss_init_sec_context() failed: "
    guard line.starts(with: mark.utf8) else { return }
    let words = String(decoding: line.dropFirst(mark.utf8.count), as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    ticketProblem = words.last == "." ? String(words.dropLast()) : words
  }
}
