import GarlandText

/// The credentials in the options of a curl command line.
struct CurlCredentials {
  var user: (name: ImportedText, password: ImportedText)?
  /// The authentication schemes that curl may use with the user and password.
  var schemes: Set<String> = []
  var token: ImportedText?
  var signature: (parts: [String], range: Range<Int>)?

  mutating func choose(_ scheme: String, isOn: Bool) {
    switch (scheme, isOn) {
    case ("anyauth", _): schemes = ["basic", "digest", "ntlm", "negotiate"]
    case (_, true): schemes.insert(scheme)
    case (_, false): schemes.remove(scheme)
    }
  }
}

extension CurlCommandLine {
  mutating func takeCredentials(_ name: String, _ text: ImportedText, at range: Range<Int>) {
    switch name {
    case "oauth2-bearer": credentials.token = text
    case "aws-sigv4":
      credentials.signature = ((text.literal ?? "").split(separator: ":", omittingEmptySubsequences: false).map(String.init), range)
    default:
      let pair = text.split(":", limit: 2)
      credentials.user = (pair[0], pair.count == 2 ? pair[1] : .expression("secrets.PASSWORD"))
      if pair.count < 2, !collection.secrets.contains("PASSWORD") { collection.secrets.append("PASSWORD") }
      if pair.count < 2, text.literal == nil {
        warn(
          "`--user \(text.source)` is taken as a user without a password; the step uses the secret `PASSWORD`", at: range,
          help: "if the variable holds user and password, write `basic: \(text.source)`")
      }
    }
  }

  /// Adds the credentials of a request. A header that the user sets takes precedence over every option.
  mutating func addCredentials(to request: inout ImportedRequest, of url: ImportedText) {
    let given = headers.lines.filter { $0.name.lowercased() == "authorization" }.map(\.value)
    if !given.isEmpty {
      if credentials.user?.name.isEmpty == false || credentials.token != nil {
        warn(
          "the header `Authorization` is sent in place of `--\(credentials.token == nil ? "user" : "oauth2-bearer")`, as curl does",
          at: program)
      }
      request.credentials = given.count == 1 ? Self.credentials(ofHeader: given[0]) : nil
      return
    }
    if headers.isRemoved("Authorization") { return }
    if let signature = credentials.signature {
      request.credentials = awsSignature(signature.parts, of: url).map { .aws($0) }
      warn(
        request.credentials == nil
          ? "the AWS signature was left out, because the curl command lacks the access key (`--user`), the region or the service"
          : "unlike curl, the step of `--aws-sigv4` also signs the digest of the body, in the field `X-Amz-Content-SHA256`",
        at: signature.range,
        help: request.credentials == nil
          ? "define `NAME: { aws: { access_key: …, secret_key: …, region: …, service: … } }` under `auth:`, and write `auth: NAME` in the step"
          : nil)
    } else if let token = credentials.token {
      request.credentials = .bearer(token)
    } else if let user = credentials.user {
      addUser(user.name, user.password, to: &request)
    }
  }

  private mutating func addUser(_ name: ImportedText, _ password: ImportedText, to request: inout ImportedRequest) {
    switch credentials.schemes {
    case [], ["basic"]: request.credentials = .basic(user: name, password: password)
    case ["digest"]: request.credentials = .digest(user: name, password: password)
    case ["ntlm"]: request.credentials = .ntlm(user: name, password: password)
    case ["negotiate"]: request.credentials = .negotiate
    default:
      request.credentials = .digest(user: name, password: password)
      warn(
        "of several authentication schemes, such as those of `--anyauth`, only `digest` was imported", at: program,
        help: "if the server asks for Basic authentication, write `basic:`")
    }
    if case .digest? = request.credentials, request.body != nil, credentials.schemes == ["digest"] {
      warn("with `--digest` curl sends the body only after the server's challenge; the step sends the body at once", at: program)
    }
  }

  /// Returns the credentials in the value of an `Authorization` field. Returns nil if a step with these credentials would not send exactly
  /// this value.
  private static func credentials(ofHeader value: ImportedText) -> ImportedRequest.Credentials? {
    if let token = value.dropping(prefix: "Bearer "), !token.isEmpty, token == token.trimmed { return .bearer(token) }
    guard let digits = value.dropping(prefix: "Basic ")?.literal,
      let pair = (try? Base64.decode(digits)).flatMap({ String(validating: $0, as: UTF8.self) }), let colon = pair.firstIndex(of: ":"),
      Base64.encode(Array(pair.utf8)) == digits
    else { return nil }
    return .basic(user: ImportedText(String(pair[..<colon])), password: ImportedText(String(pair[pair.index(after: colon)...])))
  }

  /// Parses the value of `--aws-sigv4`, `aws:amz:REGION:SERVICE`. Missing parts are taken from the host name.
  private func awsSignature(_ parts: [String], of url: ImportedText) -> ImportedRequest.AWSSignature? {
    guard let user = credentials.user, !user.name.isEmpty else { return nil }
    let text = url.literal ?? ""
    let host = text.range("://").map { String(text[$0.upperBound...]) } ?? text
    let labels = host.prefix { $0 != "/" && $0 != "?" && $0 != ":" }.split(separator: ".").map(String.init)
    let isNamed = labels.count > 2 && labels.last?.allSatisfy(\.isNumber) == false
    let region = parts.count > 2 && !parts[2].isEmpty ? parts[2] : isNamed ? labels[1] : ""
    let service = parts.count > 3 && !parts[3].isEmpty ? parts[3] : isNamed ? labels[0] : ""
    guard !region.isEmpty, !service.isEmpty else { return nil }
    return ImportedRequest.AWSSignature(accessKey: user.name, secretKey: user.password, region: region, service: service)
  }
}
