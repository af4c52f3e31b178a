import GarlandCrypto
import GarlandDiagnostics
import GarlandJSON

/// What the options have come to, once the command line or its part up to `--next` has ended.
extension CurlCommandLine {
  mutating func finish(into collection: inout ImportedCollection) {
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
    if !retry.isEmpty {
      // curl tries again whatever the method is, a step only what does no harm when it is done twice, unless it is told.
      let isRepeated = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.method)
      if !isRepeated { retry.append(("methods", .list([.string(request.method)]))) }
      request.settings.append(("retry", .object(retry)))
    }
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
      for item in data { addToQuery(item, &collection) }
      return
    }
    let type = request.header("Content-Type")?.literal?.lowercased()
    if data.count == 1, case .file(let path) = data[0] {
      if type == nil, !isUpload {
        request.headers.append(("Content-Type", ImportedText(isJSON ? "application/json" : "application/x-www-form-urlencoded")))
        if leavesOutLineBreaks {
          collection.warn(
            "curl leaves out the line breaks of `\(path.source)`, and says that it is a form; here they are sent",
            at: SourceRange(file, program),
            help: "say in `Content-Type` what it is, if it is no form")
        }
      }
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

  /// Of what curl appends to a URL as it is, what can't stand in one is encoded.
  private mutating func addToQuery(_ item: Data, _ collection: inout ImportedCollection) {
    switch item {
    case .pair(let name, let value): request.query.append((name, value))
    case .file(let path):
      collection.warn("the file `\(path.source)` is part of a query, and was left out", at: SourceRange(file, program))
    case .text(let text):
      for part in text.split("&") where !part.isEmpty {
        let sides = part.split("=", limit: 2).map { FormDecoding.text($0) ?? $0 }
        // A name without `=` stays one.
        if sides.count == 2 {
          request.query.append((sides[0], sides[1]))
        } else {
          for index in urls.indices {
            let hasQuery = urls[index].url.split("?", limit: 2).count == 2
            urls[index].url =
              urls[index].url + ImportedText(hasQuery ? "&" : "?")
              + part.mapLiterals { $0.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20") }
          }
        }
      }
    }
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
