import GarlandCrypto
import GarlandDiagnostics
import GarlandJSON

/// One command line of curl, which has several requests if it has several URLs.
struct CurlCommandLine {
  private let file: SourceFile
  private var arguments: ArraySlice<ShellWord>
  private let program: Range<Int>
  private var request = ImportedRequest()
  private var urls: [(url: ImportedText, range: Range<Int>)] = []
  private var data: [Data] = []
  private var parts: [ImportedRequest.Part] = []
  private var method: String?
  private var putsDataIntoURL = false
  private var user: (name: ImportedText, password: ImportedText)?
  private var isDigest = false
  private var signature: (parts: [String], range: Range<Int>)?
  private var isJSON = false
  private var tls: [(key: String, value: ImportedValue)] = []
  private var retry: [(key: String, value: ImportedValue)] = []
  private var download: ImportedText?

  /// What `-d` and its like give.
  private enum Data {
    case text(ImportedText)
    case file(ImportedText)
    /// A pair whose value is still to be encoded.
    case pair(name: ImportedText, value: ImportedText)
  }

  init(_ arguments: [ShellWord], program: Range<Int>, _ file: SourceFile) {
    self.arguments = arguments[...]
    self.program = program
    self.file = file
  }

  mutating func read(into collection: inout ImportedCollection) {
    var areOptionsOver = false
    while let word = arguments.popFirst() {
      // Of a word that begins with a variable nobody knows whether it is an option.
      guard !areOptionsOver, case .literal(let text)? = word.text.pieces.first, text.hasPrefix("-"), text != "-" else {
        urls.append((word.text, word.range))
        continue
      }
      if text == "--", word.text.pieces.count == 1 {
        areOptionsOver = true
      } else if text == "--next" {
        finish(into: &collection)
        self = CurlCommandLine(Array(arguments), program: program, file)
      } else if text.hasPrefix("--") {
        readLong(word, text, &collection)
      } else {
        readShort(word, &collection)
      }
    }
    finish(into: &collection)
  }

  // MARK: Options

  private mutating func readLong(_ word: ShellWord, _ text: String, _ collection: inout ImportedCollection) {
    let parts = word.text.split("=", limit: 2)
    var name = String((parts[0].literal ?? text).dropFirst(2))
    // curl itself takes no `=`, but people write it.
    if CurlOption.withValue.contains(name), parts.count == 2 { return take(name, parts[1], word.range, &collection) }
    name = String(text.dropFirst(2))
    if CurlOption.withValue.contains(name) {
      guard let value = arguments.popFirst() else {
        return collection.refuse("`--\(name)` needs a value", at: SourceRange(file, word.range))
      }
      take(name, value.text, word.range.lowerBound..<value.range.upperBound, &collection)
    } else {
      take(name, nil, word.range, &collection)
    }
  }

  private mutating func readShort(_ word: ShellWord, _ collection: inout ImportedCollection) {
    guard var rest = word.text.dropping(prefix: "-") else { return }
    while case .literal(let text)? = rest.pieces.first, let letter = text.first, let next = rest.dropping(prefix: String(letter)) {
      rest = next
      guard let name = CurlOption.letters[letter] else {
        return collection.warn("`-\(letter)` is not known", at: SourceRange(file, word.range))
      }
      guard CurlOption.withValue.contains(name) else {
        take(name, nil, word.range, &collection)
        continue
      }
      if !rest.isEmpty { return take(name, rest, word.range, &collection) }
      guard let value = arguments.popFirst() else {
        return collection.refuse("`-\(letter)` needs a value", at: SourceRange(file, word.range))
      }
      return take(name, value.text, word.range.lowerBound..<value.range.upperBound, &collection)
    }
  }

  private mutating func take(_ name: String, _ value: ImportedText?, _ range: Range<Int>, _ collection: inout ImportedCollection) {
    let text = value ?? ImportedText("")
    switch name {
    case "request": method = text.literal ?? text.source
    case "get": putsDataIntoURL = true
    case "head": method = method ?? "HEAD"
    case "url": urls.append((text, range))
    case "header": takeHeader(text, range, &collection)
    case "user-agent": request.headers.append(("User-Agent", text))
    case "referer": request.headers.append(("Referer", text))
    case "cookie": takeCookies(text, range, &collection)
    case "data", "data-ascii", "data-binary":
      data.append(text.dropping(prefix: "@").map { .file($0) } ?? .text(text))
    case "data-raw": data.append(.text(text))
    case "json":
      isJSON = true
      data.append(text.dropping(prefix: "@").map { .file($0) } ?? .text(text))
    case "data-urlencode", "url-query":
      let pair = text.split("=", limit: 2)
      data.append(pair.count == 2 ? .pair(name: pair[0], value: pair[1]) : .pair(name: pair[0], value: ImportedText("")))
      if name == "url-query", let last = data.popLast(), case .pair(let name, let value) = last { request.query.append((name, value)) }
    case "form", "form-string": takePart(text, isString: name == "form-string")
    case "user":
      let pair = text.split(":", limit: 2)
      user = (pair[0], pair.count == 2 ? pair[1] : .expression("secrets.PASSWORD"))
      if pair.count < 2, !collection.secrets.contains("PASSWORD") { collection.secrets.append("PASSWORD") }
    case "digest": isDigest = true
    case "oauth2-bearer": request.credentials = .bearer(text)
    case "insecure": tls.append(("verify", .bool(false)))
    case "cacert": tls.append(("ca", .text(text)))
    case "cert":
      let pair = text.split(":", limit: 2)
      tls.append(("cert", .text(pair[0])))
      if pair.count == 2 {
        collection.warn(
          "the password of the client's certificate was left out", at: SourceRange(file, range),
          help: "take the password off a copy of its key")
      }
    case "aws-sigv4":
      signature = ((text.literal ?? "").split(separator: ":", omittingEmptySubsequences: false).map(String.init), range)
    case "key": tls.append(("key", .text(text)))
    case "proxy": request.settings.append(("proxy", .text(text)))
    case "max-time": takeSeconds("deadline", text, range, &collection)
    case "connect-timeout": takeSeconds("timeout", text, range, &collection)
    case "unix-socket", "interface": request.settings.append((name == "interface" ? name : "unix_socket", .text(text)))
    case "resolve": takeMapping("resolve", text, valueFrom: 2, range, &collection)
    case "connect-to": takeMapping("connect_to", text, valueFrom: 2, range, &collection)
    case "max-redirs":
      if let count = text.literal.flatMap({ Int($0) }), count >= 0 {
        request.settings.append(("redirect", .object([("max", .number(String(count)))])))
      }
    case "retry": if let count = text.literal.flatMap({ Int($0) }), count >= 0 { retry.append(("limit", .number(String(count)))) }
    case "retry-delay": if let count = text.literal.flatMap({ Int($0) }), count >= 0 { retry.append(("delay", .string("\(count)s"))) }
    case "output": download = text
    case "upload-file":
      method = method ?? "PUT"
      data.append(.file(text))
    case "range": request.headers.append(("Range", ImportedText("bytes=") + text))
    case "help", "version": break
    default:
      guard !CurlOption.harmless.contains(name) else { return }
      let isKnown = CurlOption.withValue.contains(name) || CurlOption.letters.values.contains(name)
      collection.warn(
        "`--\(name)` \(isKnown ? "has no counterpart, and was left out" : "is not known, and was left out")", at: SourceRange(file, range))
    }
  }

  private mutating func takeHeader(_ text: ImportedText, _ range: Range<Int>, _ collection: inout ImportedCollection) {
    if let path = text.dropping(prefix: "@") {
      return collection.warn("the headers of the file `\(path.source)` were left out", at: SourceRange(file, range))
    }
    let parts = text.split(":", limit: 2)
    // `Name:` takes one away that curl sends of itself, and `Name;` is one without a value.
    guard parts.count == 2, let name = parts[0].trimmed.literal, !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      if let name = text.literal, name.hasSuffix(";"), name.dropLast().utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3B }),
        name.count > 1
      {
        request.headers.append((String(name.dropLast()), ImportedText("")))
      } else {
        collection.warn("this is no header", at: SourceRange(file, range))
      }
      return
    }
    let value = parts[1].trimmed
    if value.isEmpty { return }
    request.headers.removeAll { $0.name.lowercased() == name.lowercased() }
    switch name.lowercased() {
    case "cookie": takeCookies(value, range, &collection)
    case "content-length", "host": if name.lowercased() == "host" { request.headers.append((name, value)) }
    case "authorization":
      if let token = value.dropping(prefix: "Bearer ", ignoringCase: true) {
        request.credentials = .bearer(token.trimmed)
      } else if let digits = value.dropping(prefix: "Basic ", ignoringCase: true)?.literal,
        let pair = (try? Base64.decode(digits)).flatMap({ String(validating: $0, as: UTF8.self) }),
        let colon = pair.firstIndex(of: ":")
      {
        request.credentials = .basic(
          user: ImportedText(String(pair[..<colon])), password: ImportedText(String(pair[pair.index(after: colon)...])))
      } else {
        request.headers.append((name, value))
      }
    default: request.headers.append((name, value))
    }
  }

  private mutating func takeCookies(_ text: ImportedText, _ range: Range<Int>, _ collection: inout ImportedCollection) {
    guard text.literal.map({ $0.contains("=") }) ?? true else {
      request.settings.append(("cookies", .text(text)))
      return
    }
    for pair in text.split(";") {
      let parts = pair.trimmed.split("=", limit: 2)
      guard parts.count == 2, let name = parts[0].literal, !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { continue }
      request.cookies.removeAll { $0.name == name }
      request.cookies.append((name, parts[1]))
    }
  }

  private mutating func takePart(_ text: ImportedText, isString: Bool) {
    let pair = text.split("=", limit: 2)
    guard pair.count == 2 else { return }
    var part = ImportedRequest.Part(name: pair[0])
    var value = pair[1]
    if !isString {
      var fields = value.split(";")
      value = fields.removeFirst()
      for field in fields {
        let parts = field.trimmed.split("=", limit: 2)
        switch (parts[0].literal, parts.count) {
        case ("type", 2): part.type = parts[1]
        case ("filename", 2): part.filename = parts[1].mapLiterals { $0.split(separator: "\"").joined() }
        default: value = value + ImportedText(";") + field
        }
      }
      if let path = value.dropping(prefix: "@") ?? value.dropping(prefix: "<") {
        part.file = path.mapLiterals { $0.split(separator: "\"").joined() }
        parts.append(part)
        return
      }
    }
    part.text = value
    parts.append(part)
  }

  private mutating func takeSeconds(_ key: String, _ text: ImportedText, _ range: Range<Int>, _ collection: inout ImportedCollection) {
    guard let seconds = text.literal.flatMap({ Double($0) }), seconds > 0, seconds < 1_000_000 else {
      return collection.warn("`\(text.source)` is no number of seconds, and was left out", at: SourceRange(file, range))
    }
    let isWhole = seconds == seconds.rounded()
    request.settings.append((key, .string(isWhole ? "\(Int(seconds))s" : "\(max(1, Int(seconds * 1000)))ms")))
  }

  /// `HOST:PORT:VALUE`.
  private mutating func takeMapping(
    _ key: String, _ text: ImportedText, valueFrom: Int, _ range: Range<Int>, _ collection: inout ImportedCollection
  ) {
    let parts = (text.literal ?? "").split(separator: ":", maxSplits: valueFrom, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, !parts[2].isEmpty, let port = UInt16(parts[1]), port > 0 else {
      return collection.warn("`\(text.source)` was left out", at: SourceRange(file, range))
    }
    request.settings.append((key, .object([("\(parts[0]):\(parts[1])", .string(String(parts[2])))])))
  }

  // MARK: The request

  private mutating func finish(into collection: inout ImportedCollection) {
    guard !urls.isEmpty else {
      return collection.refuse("this command line has no URL", at: SourceRange(file, program))
    }
    if let signature {
      request.credentials = awsSignature(signature.parts).map { .aws($0) }
      if request.credentials == nil {
        collection.warn(
          "who signs, in which region and for which service is not said, and the signature was left out",
          at: SourceRange(file, signature.range), help: "write an entry of `auth:` with `aws`, and name it in the step")
      }
    } else if let user {
      request.credentials = isDigest ? .digest(user: user.name, password: user.password) : .basic(user: user.name, password: user.password)
    }
    let hasBody = !data.isEmpty || !parts.isEmpty
    addBody(&collection)
    request.method = method ?? (putsDataIntoURL || !hasBody ? "GET" : "POST")
    if !isMethod(request.method) {
      collection.warn("`\(request.method)` is no method", at: SourceRange(file, program))
      request.method = "GET"
    }
    if !tls.isEmpty { request.settings.append(("tls", .object(tls))) }
    if let retry = retry.isEmpty ? nil : retry { request.settings.append(("retry", .object(retry))) }
    if let download, download.literal != "/dev/null", download.literal != "-" {
      request.settings.append(("download", .object([("to", .text(download)), ("replace", .bool(true))])))
    }
    request.settings = Self.unique(request.settings)
    for (url, range) in urls {
      guard let absolute = Self.absolute(url) else {
        collection.warn("`\(url.source)` is no URL of http or https, and was left out", at: SourceRange(file, range))
        continue
      }
      var request = request
      request.url = absolute
      collection.requests.append(request)
    }
  }

  /// What `--aws-sigv4 "aws:amz:REGION:SERVICE"` says; the host says what it leaves out.
  private func awsSignature(_ parts: [String]) -> ImportedRequest.AWSSignature? {
    guard let user, !user.name.isEmpty else { return nil }
    let text = urls.first?.url.literal ?? ""
    let host = text.range("://").map { String(text[$0.upperBound...]) } ?? text
    let labels = host.prefix { $0 != "/" && $0 != "?" && $0 != ":" }.split(separator: ".").map(String.init)
    let region = parts.count > 2 && !parts[2].isEmpty ? parts[2] : labels.count > 2 ? labels[1] : ""
    let service = parts.count > 3 && !parts[3].isEmpty ? parts[3] : labels.count > 2 ? labels[0] : ""
    guard !region.isEmpty, !service.isEmpty else { return nil }
    return ImportedRequest.AWSSignature(accessKey: user.name, secretKey: user.password, region: region, service: service)
  }

  /// Of settings that are said twice the last counts, but mappings add up.
  private static func unique(_ settings: [(key: String, value: ImportedValue)]) -> [(key: String, value: ImportedValue)] {
    var result: [(key: String, value: ImportedValue)] = []
    for setting in settings {
      guard let place = result.firstIndex(where: { $0.key == setting.key }) else {
        result.append(setting)
        continue
      }
      if case .object(let known) = result[place].value, case .object(let more) = setting.value {
        result[place].value = .object(known.filter { entry in !more.contains { $0.key == entry.key } } + more)
      } else {
        result[place].value = setting.value
      }
    }
    return result
  }

  private func isMethod(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && !Array("()<>@,;:\\\"/[]?={}".utf8).contains(byte)
      }
  }

  /// As curl takes it: without a scheme it is http.
  private static func absolute(_ url: ImportedText) -> ImportedText? {
    for case .literal(let text) in url.pieces where text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) { return nil }
    guard case .literal(let text)? = url.pieces.first else { return url.isEmpty ? nil : url }
    guard !text.isEmpty else { return nil }
    let trimmed = url.mapLiterals { $0.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init) ?? $0 }
    guard let scheme = text.range("://") else {
      return text.hasPrefix("/") || text.hasPrefix("?") ? nil : ImportedText("http://") + trimmed
    }
    let isWeb = ["http", "https"].contains(text[..<scheme.lowerBound].lowercased())
    return isWeb && scheme.upperBound < text.endIndex || (isWeb && url.pieces.count > 1) ? trimmed : nil
  }

  private mutating func addBody(_ collection: inout ImportedCollection) {
    if !parts.isEmpty {
      request.removeHeader("Content-Type")
      request.body = .multipart(parts)
      return
    }
    guard !data.isEmpty else { return }
    if putsDataIntoURL {
      request.query += pairs(data) ?? []
      return
    }
    let type = request.header("Content-Type")?.literal?.lowercased()
    if data.count == 1, case .file(let path) = data[0] {
      if isJSON, type == nil { request.headers.append(("Content-Type", ImportedText("application/json"))) }
      request.body = .file(path)
      return
    }
    for case .file(let path) in data {
      collection.warn("the file `\(path.source)` is one part of several of a body, and was left out", at: SourceRange(file, program))
    }
    let text = joined(data, by: isJSON ? "" : "&")
    let saysJSON = isJSON || type?.contains("json") == true
    if saysJSON || (type == nil && Self.looksLikeJSON(text)), let value = JSONTemplate.value(of: text) {
      if type == "application/json" || type == nil { request.removeHeader("Content-Type") }
      if isJSON { request.headers.removeAll { $0.name.lowercased() == "accept" && $0.value.literal == "application/json" } }
      if !saysJSON {
        collection.warn(
          "the body looks like JSON and is sent as that; curl would have called it a form", at: SourceRange(file, program))
      }
      request.body = .json(value)
      return
    }
    if type == nil || type?.hasPrefix("application/x-www-form-urlencoded") == true, let pairs = pairs(data) {
      request.removeHeader("Content-Type")
      request.body = .form(pairs)
      return
    }
    if type == nil { request.headers.append(("Content-Type", ImportedText("application/x-www-form-urlencoded"))) }
    request.body = .text(text)
  }

  private static func looksLikeJSON(_ text: ImportedText) -> Bool {
    guard case .literal(let start)? = text.pieces.first else { return false }
    return start.hasPrefix("{") || start.hasPrefix("[")
  }

  private func joined(_ data: [Data], by separator: String) -> ImportedText {
    var result = ImportedText("")
    var isFirst = true
    for item in data {
      let text: ImportedText
      switch item {
      case .text(let literal): text = literal
      case .pair(let name, let value): text = name.isEmpty ? value : name + ImportedText("=") + value
      case .file: continue
      }
      if !isFirst { result = result + ImportedText(separator) }
      result = result + text
      isFirst = false
    }
    return ImportedText.joined(result)
  }

  /// Pairs, if that is what the data is and encoding them again gives the same.
  private func pairs(_ data: [Data]) -> [(name: ImportedText, value: ImportedText)]? {
    var result: [(name: ImportedText, value: ImportedText)] = []
    for item in data {
      switch item {
      case .pair(let name, let value): result.append((name, value))
      case .file: return nil
      case .text(let text):
        for part in text.split("&") where !part.isEmpty {
          let pair = part.split("=", limit: 2)
          guard pair.count == 2, !pair[0].isEmpty else { return nil }
          guard let name = FormDecoding.text(pair[0]), let value = FormDecoding.text(pair[1]) else { return nil }
          result.append((name, value))
        }
      }
    }
    return result
  }
}

extension ImportedText {
  /// The same with literal pieces beside each other made one.
  static func joined(_ text: ImportedText) -> ImportedText {
    var pieces: [Piece] = []
    for piece in text.pieces {
      if case .literal(let more) = piece, case .literal(let known)? = pieces.last {
        pieces[pieces.count - 1] = .literal(known + more)
      } else {
        pieces.append(piece)
      }
    }
    return ImportedText(pieces: pieces)
  }
}
