import GarlandText

/// The cookies that a command line sends, and the files in which it stores cookies.
struct CurlCookies {
  /// The values of `--cookie` in the form `NAME=VALUE`.
  var sent: [ImportedText] = []
  /// The files from which `--cookie` reads cookies. An empty name means an empty cookie jar.
  var read: [ImportedText] = []
  /// The file to which `--cookie-jar` writes the cookies; nil without this option.
  var written: ImportedText?
}

extension CurlCommandLine {
  mutating func takeCookies(_ text: ImportedText, at range: Range<Int>) {
    if let file = text.dropping(prefix: "@") { return takeCookieFile(file, at: range) }
    if text.pieces.contains(where: { if case .literal(let part) = $0 { part.contains("=") } else { false } }) {
      cookies.sent.append(text)
    } else {
      takeCookieFile(text, at: range)
    }
  }

  private mutating func takeCookieFile(_ file: ImportedText, at range: Range<Int>) {
    if cookies.read.contains(where: { !$0.isEmpty }), !file.isEmpty {
      return leaveOut("--cookie \(file.source)", at: range, help: "a step can have only one cookie file")
    }
    cookies.read.append(file)
  }

  mutating func addCookies(to request: inout ImportedRequest) {
    let given = headers.lines.filter { $0.name.lowercased() == "cookie" }.map(\.value)
    if given.count > 1 || headers.isRemoved("Cookie") && !cookies.sent.isEmpty {
      request.headers += given.map { ("Cookie", $0) }
    } else if let header = given.first ?? Self.joined(cookies.sent) {
      addCookies(header, to: &request)
    }
    let jar = cookieJar()
    if !cookies.sent.isEmpty, case .text(let name) = jar, !["none", "shared"].contains(name.literal) {
      warn("the cookies of `--cookie` are sent before those of `\(name.source)`; curl sends them after", at: program)
    }
    request.baseline.append(("cookies", jar))
  }

  /// Adds the cookies of a `Cookie` header to the step, each as a separate cookie. If the step would then send a different `Cookie` header
  /// than curl, adds the unchanged header instead.
  private func addCookies(_ header: ImportedText, to request: inout ImportedRequest) {
    var pairs: [(name: String, value: ImportedText)] = []
    for (index, pair) in header.split(";").enumerated() {
      let sides = (index == 0 ? pair : pair.dropping(prefix: " ") ?? pair).split("=", limit: 2)
      guard sides.count == 2, let name = sides[0].literal, HTTPToken.isToken(name), sides[1] == sides[1].trimmed,
        index == 0 || pair.dropping(prefix: " ") != nil, !pairs.contains(where: { $0.name == name })
      else {
        return request.headers.append(("Cookie", header.trimmed))
      }
      pairs.append((name, sides[1]))
    }
    request.cookies = pairs
  }

  private static func joined(_ texts: [ImportedText]) -> ImportedText? {
    guard let first = texts.first else { return nil }
    return ImportedText.joined(texts.dropFirst().reduce(first) { $0 + ImportedText(";") + $1 })
  }

  /// Returns the value of the step's key `cookies`. If an option gives curl a cookie file, the value is the path of this file. If an option
  /// only enables cookies, the value is `shared`. Without such an option, the value is `none`.
  ///
  /// A step both reads and writes its cookie file. If curl only reads or only writes the file, warns of the difference.
  private mutating func cookieJar() -> ImportedValue {
    let read = cookies.read.first { !$0.isEmpty }
    if let written = cookies.written, written.literal != "-" {
      if read == nil {
        warn("the file of `--cookie-jar` is also read if it exists; curl only writes it", at: program)
      } else if read != written {
        leaveOut("--cookie-jar \(written.source)", at: program, help: "a step can have only one cookie file, which is read and written")
      }
      return .text(Self.path(read ?? written))
    }
    if cookies.written != nil { leaveOut("--cookie-jar -", at: program) }
    guard let read else { return .string(cookies.read.isEmpty && cookies.written == nil ? "none" : "shared") }
    if read.literal == "-" {
      leaveOut("--cookie -", at: program)
      return .string("shared")
    }
    warn("the file of `--cookie \(read.source)` is also written when a cookie changes; curl only reads it", at: program)
    return .text(Self.path(read))
  }

  /// Returns a file name in a form that is not mistaken for a keyword of Garland, such as `./none` for a file called `none`.
  private static func path(_ name: ImportedText) -> ImportedText {
    ["none", "shared"].contains(name.literal) ? ImportedText("./") + name : name
  }
}
