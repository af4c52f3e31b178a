/// A curl command that sends a given request when it is pasted into a POSIX shell.
///
/// ```swift
/// let command = CURLCommand(request, secrets: [.init(value: token, variable: "TOKEN")])
/// print(command.text)   // curl --header "Authorization: Bearer ${TOKEN}" https://example.com/
/// ```
/// The command sends the same method, URL, header fields and content as the engine. Where curl behaves differently from the engine, the
/// command compensates:
/// - If a field other than `Authorization` and `Cookie` contains credentials, the command does not follow redirects. curl would send this
///   field to another host, which the engine never does.
/// - If curl's `--form` would encode a form differently, shell commands such as `printf` write the encoded form, and curl sends their
///   output as the body.
/// - The command contains the current cookies of the request's cookie jar.
///
/// The command omits features for which curl has no option:
/// - evaluators of a ``ServerTrustManager``, since curl's `--pinnedpubkey` checks only the server's own key;
/// - a client certificate that is not in a file.
public struct CURLCommand: Sendable {
  /// A value that must not appear in the command, and the shell variable that replaces it.
  ///
  /// A value of fewer than four bytes is replaced only if there is no letter or digit directly before or
  /// after it.
  public struct Secret: Sendable, Hashable {
    static let shortLength = 4

    /// The value of the secret. A secret with an empty value is ignored.
    public var value: String
    /// The name of the shell variable that replaces the secret.
    public var variable: String

    /// Creates a secret that a shell variable replaces in the curl command.
    public init(value: String, variable: String) {
      self.value = value
      self.variable = variable
    }
  }

  /// The curl command, on several lines if it is long.
  public let text: String

  /// Creates the curl command that sends a request.
  public init(_ request: TransferRequest, secrets: [Secret] = []) {
    var builder = CURLCommandBuilder(request, VariableFinder(secrets))
    text = builder.build()
  }
}

extension TransferRequest {
  /// A curl command that sends this request; see ``CURLCommand``. The command contains the request's secrets.
  public var cURLDescription: String { CURLCommand(self).text }
}
