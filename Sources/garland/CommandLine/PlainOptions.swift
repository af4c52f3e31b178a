import ArgumentParser

/// Options that a plain command line is read into.
protocol PlainOptions: ParsableArguments {
  /// What stands when nothing is said.
  static var unset: Self { get }
  /// Takes what is said with an option.
  ///
  /// - Returns: whether there is such an option here.
  mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) -> Bool
}

/// A command that a plain command line is read into.
protocol PlainCommand: PlainOptions, ParsableCommand {
  var paths: PathArguments { get set }
  var output: OutputOptions { get }
}

extension PlainCommand {
  init(plain words: ArraySlice<String>) throws(NotPlain) {
    self = Self.unset
    var words = PlainWords(words)
    var arguments: [String] = []
    while let word = try words.next() {
      switch word {
      case .argument(let argument): arguments.append(argument)
      case .option(let option): guard try take(option, &words) else { throw NotPlain() }
      }
    }
    paths.arguments = arguments
    do {
      try output.validate()
      try validate()
    } catch {
      throw NotPlain()
    }
  }
}

extension PathArguments: PlainOptions {
  static var unset: PathArguments {
    var options = PathArguments()
    options.arguments = []
    options.steps = []
    options.allowedPaths = []
    return options
  }

  mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) -> Bool {
    switch option {
    case "--step": steps.append(try words.value())
    case "--allow-path": allowedPaths.append(try words.value())
    default: return false
    }
    return true
  }
}

extension SelectionOptions: PlainOptions {
  static var unset: SelectionOptions {
    var options = SelectionOptions()
    options.tags = []
    options.only = []
    options.skip = []
    options.changedSince = nil
    return options
  }

  mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) -> Bool {
    switch option {
    case "--tag": tags.append(try words.value())
    case "--only": only.append(try words.value())
    case "--skip": skip.append(try words.value())
    case "--changed-since": changedSince = try words.value()
    default: return false
    }
    return true
  }
}

extension ValueOptions: PlainOptions {
  static var unset: ValueOptions {
    var options = ValueOptions()
    options.variables = []
    options.textVariables = []
    options.variableFiles = []
    options.secrets = []
    options.secretFiles = []
    options.profile = nil
    return options
  }

  mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) -> Bool {
    switch option {
    case "--var": variables.append(try words.value())
    case "--var-string": textVariables.append(try words.value())
    case "--vars-file": variableFiles.append(try words.value())
    case "--secret": secrets.append(try words.value())
    case "--secrets-file": secretFiles.append(try words.value())
    case "--profile": profile = try words.value()
    default: return false
    }
    return true
  }
}

extension OutputOptions: PlainOptions {
  static var unset: OutputOptions {
    var options = OutputOptions()
    options.color = .auto
    options.quiet = false
    options.verbose = false
    return options
  }

  mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) -> Bool {
    switch option {
    case "--color": color = try words.value(ColorChoice.init(rawValue:))
    case "--quiet", "-q": quiet = try words.flag()
    case "--verbose", "-v": verbose = try words.flag()
    default: return false
    }
    return true
  }
}

extension TokenOptions: PlainOptions {
  static var unset: TokenOptions {
    var options = TokenOptions()
    options.tokenCache = nil
    return options
  }

  mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain) -> Bool {
    guard option == "--token-cache" else { return false }
    tokenCache = try words.value(TokenCacheChoice.init(rawValue:))
    return true
  }
}
