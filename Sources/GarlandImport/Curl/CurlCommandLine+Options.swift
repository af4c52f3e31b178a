/// Interprets each option of the command line.
extension CurlCommandLine {
  mutating func take(_ option: CurlOption, _ word: ShellWord? = nil, at range: Range<Int>) {
    switch option.meaning {
    case .harmless: return
    case .leftOut:
      // For all of these options except one, `--no-NAME` is curl's default.
      if option.isOn != (option.name == "alpn") { takeLeftOut(option, at: range) }
    case .carriedOver:
      guard let word else { return takeFlag(option, at: range) }
      let isBody = option.name.hasPrefix("data") || option.name == "json"
      guard word.bytes == nil || isBody else {
        return warn("the value of `--\(option.name)` is not UTF-8, and was left out", at: range)
      }
      take(option.name, word, at: range)
    }
  }

  private mutating func takeLeftOut(_ option: CurlOption, at range: Range<Int>) {
    switch option.name {
    case "help", "manual", "version": endingOption = endingOption ?? "--\(option.name)"
    case "alpn": leaveOut("--no-alpn", at: range)
    case "dump-header", "write-out", "trace", "trace-ascii":
      leaveOut(
        "--\(option.name)", at: range, help: "to use the response, write `expect` or `extract`; to show it, run `garland run --verbose`")
    case "time-cond": leaveOut("--time-cond", at: range, help: "write the header `If-Modified-Since`")
    default: leaveOut("--\(option.name)", at: range)
    }
  }

  private mutating func takeFlag(_ option: CurlOption, at range: Range<Int>) {
    switch option.name {
    case "get": putsDataIntoURL = option.isOn
    case "head":
      if isHead, !option.isOn { flags.insert("no-head") }
      isHead = option.isOn
    case "location": followsRedirects = option.isOn
    case "next": startNext()
    case "anyauth", "basic", "digest", "negotiate", "ntlm": credentials.choose(option.name, isOn: option.isOn)
    case "remote-name": outputs.append(.remoteName)
    case "insecure": connection.verifies = !option.isOn
    case "http1.1", "http2": connection.version = option.name == "http2" ? "2" : "1.1"
    case "tlsv1", "tlsv1.0": connection.minimumTLS = "1.0"
    case "tlsv1.1", "tlsv1.2", "tlsv1.3": connection.minimumTLS = String(option.name.dropFirst(4))
    case "sslv2", "sslv3": warn("`--\(option.name)` asks for an obsolete protocol, and is left out", at: range)
    default: if option.isOn { flags.insert(option.name) } else { flags.remove(option.name) }
    }
  }

  private mutating func take(_ name: String, _ word: ShellWord, at range: Range<Int>) {
    let text = word.text
    switch name {
    case "request": method = (text, range)
    case "url": urls.append(CurlURL(text: text, range: range))
    case "url-query": takeQuery(word, at: range)
    case "proto-default": defaultScheme = text.literal ?? defaultScheme
    case "header": takeHeader(text, at: range)
    case "user-agent": headers.userAgent = text
    case "referer": takeReferer(text, at: range)
    case "cookie": takeCookies(text, at: range)
    case "cookie-jar": cookies.written = text
    case "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json": takeData(name, word, at: range)
    case "form", "form-string": takePart(text, isString: name == "form-string", at: range)
    case "upload-file": uploads.append((text, range))
    case "output": outputs.append(.file(text))
    case "output-dir": outputFolder = text
    case "range": headers.range = ImportedText("bytes=") + text
    case "continue-at": takeOffset(text, at: range)
    case "user", "oauth2-bearer", "aws-sigv4": takeCredentials(name, text, at: range)
    case "retry", "retry-delay", "max-redirs", "max-time", "limit-rate", "max-filesize": takeAmount(name, text, at: range)
    case "config": takeConfiguration(text, at: range)
    default: takeConnection(name, text, at: range)
    }
  }

  private mutating func takeOffset(_ text: ImportedText, at range: Range<Int>) {
    if text.literal == "-" {
      isResumed = true
    } else if let offset = text.literal.flatMap({ UInt64($0) }) {
      self.offset = offset
    } else {
      warn("`--continue-at \(text.source)` is not an offset, and was left out", at: range)
    }
  }

  // MARK: Amounts

  private mutating func takeAmount(_ name: String, _ text: ImportedText, at range: Range<Int>) {
    let amount = text.literal ?? ""
    switch name {
    case "retry": if let count = Int(amount), count >= 0 { return retry = (count, nil) }
    case "retry-delay": if let seconds = Int(amount), seconds >= 0 { return retryDelay = "\(seconds)s" }
    case "max-redirs":
      if let count = Int(amount), count >= 0 { return connection.mostRedirects = count }
      if amount == "-1" {
        return leaveOut("--max-redirs -1", at: range, help: "50 redirects are followed; to change the number, write `redirect.max`")
      }
    case "max-time":
      if let seconds = Double(amount), seconds > 0, seconds < 1_000_000 {
        let isWhole = seconds == seconds.rounded()
        return connection.deadline = isWhole ? "\(Int(seconds))s" : "\(max(1, Int((seconds * 1000).rounded())))ms"
      }
      if Double(amount) == 0 { return connection.deadline = nil }
    case "limit-rate": if let bytes = Self.bytes(amount) { return connection.rateLimit = "\(bytes)B" }
    default: if let bytes = Self.bytes(amount) { return connection.largestBody = "\(bytes)B" }
    }
    warn("`--\(name) \(text.source)` is not an amount, and was left out", at: range)
  }

  /// Parses an amount with one of curl's units, which are powers of 1024. Returns the number of bytes; nil if the amount is invalid.
  private static func bytes(_ text: String) -> UInt64? {
    let units: [Character: UInt64] = ["b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
    guard let last = text.last else { return nil }
    let unit = last.isNumber ? 1 : units[Character(last.lowercased())]
    guard let unit, let number = Double(last.isNumber ? text : String(text.dropLast())), number > 0 else { return nil }
    let bytes = number * Double(unit)
    return bytes >= 1 && bytes < 1e15 ? UInt64(bytes) : nil
  }

  // MARK: Files of options

  /// The maximum number of `--config` files that are read for a command line. Without a maximum, a file that contains its own name would be
  /// read forever.
  private static let mostConfigurations = 20

  private mutating func takeConfiguration(_ text: ImportedText, at range: Range<Int>) {
    guard let path = text.literal else { return leaveOut("--config \(text.source)", at: range) }
    configurationCount += 1
    guard configurationCount <= Self.mostConfigurations else {
      return warn("only the first \(Self.mostConfigurations) files of `--config` were read", at: range)
    }
    if path == "-", case .text(let word)? = input, let source = word.text.literal {
      return take(CurlConfigurationFile.words(of: source, range))
    }
    guard let source = reading(path).flatMap({ String(validating: $0, as: UTF8.self) }) else {
      return warn("the options of `--config \(path)` can't be read, and were left out", at: range)
    }
    take(CurlConfigurationFile.words(of: source, range))
  }
}
