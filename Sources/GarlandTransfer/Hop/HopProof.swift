import HTTPTypes

/// What a hop proves who is asking with, beside what the caller wrote.
struct HopProof {
  var fields: [HTTPField] = []
  /// The URL with a signature in it.
  var signedURL: URLReference?
  var digest = DigestExchange()
  var digestUse: DigestSpaces.Use?
  /// The nonce of the challenge that the hop is sent again for.
  var pendingNonce: String?
  /// Whether the server asked for Basic, and the hop is sent again for it.
  var answersBasic = false
  /// Whether user and password went with the hop because Basic was asked for, now or before.
  var sentBasic = false
  /// Whether libcurl may answer a 401 by itself.
  var usesLibrary = false
  /// Why there is no ticket of Kerberos for the hop, in that library's words.
  private(set) var ticketProblem: String?

  /// Whether the hop is sent again because of a challenge.
  var isAnswer: Bool { pendingNonce != nil || answersBasic }

  /// Forgets what was sent, before a hop is sent, or sent again.
  mutating func begin() {
    fields = []
    signedURL = nil
    digestUse = nil
    sentBasic = false
    usesLibrary = false
    ticketProblem = nil
  }

  /// A redirect leads elsewhere, where other challenges come.
  mutating func followRedirect() {
    digest = DigestExchange()
    pendingNonce = nil
    answersBasic = false
  }

  /// Takes a line that libcurl writes for those who debug it: it says there only why it has no ticket.
  mutating func takeDebugText(_ line: UnsafeRawBufferPointer) {
    let mark = "gss_init_sec_context() failed: "
    guard line.starts(with: mark.utf8) else { return }
    let words = String(decoding: line.dropFirst(mark.utf8.count), as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    ticketProblem = words.last == "." ? String(words.dropLast()) : words
  }
}
