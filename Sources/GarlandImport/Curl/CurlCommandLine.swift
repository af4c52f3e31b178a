import GarlandCrypto
import GarlandDiagnostics
import GarlandJSON

/// One command line of curl, which has several requests if it has several URLs.
struct CurlCommandLine {
  let file: SourceFile
  var arguments: ArraySlice<ShellWord>
  let program: Range<Int>
  var request = ImportedRequest()
  var urls: [(url: ImportedText, range: Range<Int>)] = []
  var data: [Data] = []
  var parts: [ImportedRequest.Part] = []
  var method: String?
  var putsDataIntoURL = false
  var user: (name: ImportedText, password: ImportedText)?
  var isDigest = false
  var signature: (parts: [String], range: Range<Int>)?
  var isJSON = false
  /// Whether `--upload-file` gives the body, of which curl says no media type.
  var isUpload = false
  /// Whether curl leaves out the line breaks of a file.
  var leavesOutLineBreaks = false
  var tls: [(key: String, value: ImportedValue)] = []
  var retry: [(key: String, value: ImportedValue)] = []
  var download: ImportedText?

  /// What `-d` and its like give.
  enum Data {
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
      leavesOutLineBreaks = name != "data-binary"
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
      isUpload = true
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
    // curl sends each that it is given; of these a request has one.
    if ["content-type", "host"].contains(name.lowercased()) { request.removeHeader(name) }
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
}
