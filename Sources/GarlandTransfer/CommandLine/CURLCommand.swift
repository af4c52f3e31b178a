import HTTPTypes

/// A curl command that makes the same request when it is pasted into a POSIX shell.
///
/// ```swift
/// let command = CURLCommand(request, secrets: [.init(value: token, variable: "TOKEN")])
/// print(command.text)   // curl --header "Authorization: Bearer ${TOKEN}" https://example.com/
/// ```
/// The same means: method, URL, header fields, content. What curl does differently is avoided:
/// - Redirects are followed only where curl would not send credentials in fields of other names to another host, which the engine never does.
/// - A form whose names curl's `--form` can't write the same way is written out byte by byte.
/// - Cookies of a jar are those it has now.
/// - What curl has no option for is left out: evaluators of a ``ServerTrustManager`` (curl's `--pinnedpubkey` knows the server's own key only), and a client
///   certificate that is in no file.
public struct CURLCommand: Sendable {
  /// A value that must not stand in the command, and the shell variable that stands for it.
  ///
  /// One of fewer than four bytes is replaced only where it stands by itself, between what is neither a letter nor a digit.
  public struct Secret: Sendable, Hashable {
    static let shortLength = 4

    /// The value. An empty one is ignored.
    public var value: String
    /// The variable's name.
    public var variable: String

    /// Both.
    public init(value: String, variable: String) {
      self.value = value
      self.variable = variable
    }
  }

  /// The command, over several lines if it is long.
  public let text: String

  /// The command for a request.
  public init(_ request: TransferRequest, secrets: [Secret] = []) {
    var builder = CURLCommandBuilder(request, VariableFinder(secrets))
    text = builder.build()
  }
}

extension TransferRequest {
  /// A curl command that makes the same request, secrets and all: see ``CURLCommand``.
  public var cURLDescription: String { CURLCommand(self).text }
}
