import GarlandDiagnostics

/// A curl command line. It describes several requests if it contains several URLs.
struct CurlCommandLine {
  let file: SourceFile
  let program: Range<Int>
  /// The standard input that a `<` in the shell command sets; nil if the command contains no `<`.
  let input: ShellCommand.Input?
  /// The function that reads the files that curl itself would read, such as a file of options.
  let reading: ImportFileReading
  var arguments: ArraySlice<ShellWord>
  /// The requests that were read, and warnings about features of curl that have no counterpart in
  /// Garland.
  var collection = ImportedCollection()

  var urls: [CurlURL] = []
  /// The values of `--output` and `--remote-name`, in the order of the URLs to which they belong.
  var outputs: [Output] = []
  var uploads: [(path: ImportedText, range: Range<Int>)] = []
  var headers = CurlHeaders()
  var cookies = CurlCookies()
  var body = CurlBody()
  var credentials = CurlCredentials()
  var connection = CurlConnection()
  var queries: [ImportedText] = []
  var method: (text: ImportedText, range: Range<Int>)?
  var isHead = false
  var putsDataIntoURL = false
  var followsRedirects = false
  var retry: (limit: Int, delay: String?)?
  var retryDelay: String?
  /// The names of the switches (options without a value, such as `globoff`) that are on. Switches with their own property are not included.
  ///
  /// If `--no-head` follows `--head` on the command line, the set contains `no-head`.
  var flags: Set<String> = []
  var outputFolder: ImportedText?
  var isResumed = false
  /// The offset in bytes at which `--continue-at` resumes a download; nil if no offset is given.
  var offset: UInt64?
  var defaultScheme = "http"
  /// The number of `--config` files that were read.
  var configurationCount = 0
  /// An option such as `--version` that prevents curl from sending a request; nil if there is no such option.
  var endingOption: String?

  /// The file to which the response to a request is written.
  enum Output {
    case file(ImportedText)
    /// The file name is the last part of the URL.
    case remoteName
  }

  init(
    _ arguments: ArraySlice<ShellWord>, program: Range<Int>, input: ShellCommand.Input?, _ file: SourceFile,
    reading: @escaping ImportFileReading
  ) {
    self.arguments = arguments
    self.program = program
    self.input = input
    self.file = file
    self.reading = reading
  }

  /// Reads the command line and returns its requests.
  mutating func read() -> ImportedCollection {
    readArguments()
    finish()
    return collection
  }

  mutating func warn(_ message: String, at range: Range<Int>, help: String? = nil) {
    // A warning that applies to several URLs is reported only once.
    let place = SourceRange(file, range)
    guard !collection.diagnostics.all.contains(where: { $0.message == message && $0.range == place }) else { return }
    collection.warn(message, at: place, help: help)
  }

  /// Warns that an option is not imported.
  ///
  /// - Parameter option: an option, or a phrase that contains an option.
  mutating func leaveOut(_ option: String, at range: Range<Int>, help: String? = nil) {
    warn("\(option.hasPrefix("-") ? "`\(option)`" : option) has no counterpart in Garland, and was left out", at: range, help: help)
  }

  // MARK: Options

  private mutating func readArguments() {
    var areOptionsOver = false
    while let word = arguments.popFirst() {
      // Only a shell can determine whether a word that begins with a variable is an option.
      guard !areOptionsOver, case .literal(let text)? = word.text.pieces.first, text.hasPrefix("-"), text != "-" else {
        urls.append(CurlURL(text: word.text, range: word.range))
        continue
      }
      if text == "--", word.text.pieces.count == 1 {
        areOptionsOver = true
      } else if text.hasPrefix("--") {
        readLong(word, text)
      } else {
        readShort(word)
      }
    }
  }

  private mutating func readLong(_ word: ShellWord, _ text: String) {
    var name = String(text.dropFirst(2))
    var value: ShellWord?
    // curl does not allow `=` here, but users write it.
    if let sign = name.firstIndex(of: "="), let option = try? CurlOption(long: String(name[..<sign])), option.takesValue {
      value = word.dropping(3 + name.distance(from: name.startIndex, to: sign))
      name = option.name
      warn("curl expects no `=` after `--\(name)`; the text after it was used as the value", at: word.range)
    }
    do throws(CurlOption.Problem) {
      let option = try CurlOption(long: name)
      guard option.takesValue else { return take(option, at: word.range) }
      guard let value = value ?? arguments.popFirst() else {
        return collection.refuse("`--\(name)` needs a value", at: SourceRange(file, word.range))
      }
      take(option, value, at: word.range.lowerBound..<max(word.range.upperBound, value.range.upperBound))
    } catch {
      switch error {
      case .unknown: warn("`--\(name)` is unknown, and was left out", at: word.range)
      case .ambiguous(let names):
        warn(
          "`--\(name)` is ambiguous: it may be \(names.prefix(3).map { "`--\($0)`" }.joined(separator: " or ")); it was left out",
          at: word.range)
      }
    }
  }

  private mutating func readShort(_ word: ShellWord) {
    var rest = word.dropping(1)
    while case .literal(let text)? = rest.text.pieces.first, let letter = text.first {
      rest = rest.dropping(1)
      guard let option = CurlOption(letter: letter) else { return warn("`-\(letter)` is unknown, and was left out", at: word.range) }
      guard option.takesValue else {
        take(option, at: word.range)
        continue
      }
      if !rest.text.isEmpty { return take(option, rest, at: word.range) }
      guard let value = arguments.popFirst() else {
        return collection.refuse("`-\(letter)` needs a value", at: SourceRange(file, word.range))
      }
      return take(option, value, at: word.range.lowerBound..<max(word.range.upperBound, value.range.upperBound))
    }
  }

  /// Processes the options in a `--config` file, as if the command line contained them.
  mutating func take(_ words: [ShellWord]) {
    let rest = arguments
    arguments = words[...]
    readArguments()
    arguments = rest
  }

  /// Adds the requests that the options before `--next` describe, and begins an empty list of options. The options after `--next` do not
  /// inherit the options before it.
  mutating func startNext() {
    finish()
    var next = CurlCommandLine(arguments, program: program, input: input, file, reading: reading)
    next.collection = collection
    next.configurationCount = configurationCount
    self = next
  }
}
