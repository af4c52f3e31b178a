/// The keys at the top level of a project file.
enum ProjectKey: String, DocumentKey {
  case garland, name, vars, secrets, profiles
  case defaultProfile = "default_profile"
  case defaults, auth, use, resources, reachability, run
  case ignoreWarnings = "ignore_warnings"
  case quarantine

  static let table = KeyTable<ProjectKey>("a project")

  /// The key with the same name and meaning at the top level of a document. Nil if documents have no such key, or if the key has another
  /// meaning in documents.
  var root: RootKey? {
    switch self {
    case .garland, .name, .defaultProfile, .run, .ignoreWarnings, .quarantine: nil
    default: RootKey(rawValue: rawValue)
    }
  }

  var info: KeyInfo {
    switch self {
    case .garland: KeyInfo(.oneOf(["1"]), "The version of the format.", "1")
    case .name: KeyInfo(.name, "The name of the project.", "Bookshop")
    case .defaultProfile: KeyInfo(.name, "The profile that is used without `--profile`.", "local")
    case .run: KeyInfo(.table("run"), "Defaults for the options of `garland run`.", "{ paths: tests, concurrency: 8 }")
    case .ignoreWarnings:
      KeyInfo(
        .list(.oneOf(IgnorableWarning.allCases.map(\.rawValue))), "Codes of warnings that are not reported for documents of the project.",
        "[no-expectation]")
    case .quarantine:
      KeyInfo(
        .list(.table("quarantined")),
        "Steps whose failures do not count until a date, beside those of the file quarantine.yaml.",
        "[{ step: shop.yaml#pay, reason: SHOP-123, until: 2026-12-01 }]")
    default: root?.info ?? KeyInfo(.anything, "", "1")
    }
  }
}

/// A warning that a project can switch off.
public enum IgnorableWarning: String, Sendable, CaseIterable {
  case literalCredential = "literal-credential"
  case foreignTemplate = "foreign-template"
  case unusedTemplate = "unused-template"
  case noExpectation = "no-expectation"
  case unusedVariable = "unused-variable"
  case unusedExtract = "unused-extract"
  case likelyRace = "likely-race"
  case secretInURL = "secret-in-url"
  case shortSecret = "short-secret"
  case unmaskedCredential = "unmasked-credential"
  case defaultWithheld = "default-withheld"
  case unheardURL = "unheard-url"
  case literalFile = "literal-file"
  case jsonText = "json-text"
  case idleRetry = "idle-retry"
  case noRows = "no-rows"
  case sharedSnapshot = "shared-snapshot"
  case missingSecret = "missing-secret"
  case missingEnvironment = "missing-environment"
  case readableSecrets = "readable-secrets"
  case trackedSecrets = "tracked-secrets"
  case quarantineEnds = "quarantine-ends"
  case quarantineOver = "quarantine-over"
  case quarantineUnused = "quarantine-unused"
}

/// The keys of an entry in a list of quarantined steps.
enum QuarantineKey: String, DocumentKey {
  case step, reason, until

  static let table = KeyTable<QuarantineKey>("a quarantined step")

  /// The pattern for a quarantined step: the path of a document, then `#`, then the id of a step in the document. The path is relative to
  /// the file that contains the list of quarantined steps.
  static let stepPattern = "^[^#]+#[^#]+$"
  /// The pattern for a date such as `2026-12-01`.
  static let dayPattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"

  var info: KeyInfo {
    switch self {
    case .step: KeyInfo(.word(Self.stepPattern), "The document, relative to the list, and the id of the step.", "tests/shop.yaml#pay")
    case .reason: KeyInfo(.name, "Why its failures do not count, for reports.", "The sandbox of the bank times out, SHOP-123")
    case .until: KeyInfo(.word(Self.dayPattern), "The last day, in UTC, on which its failures do not count.", "2026-12-01")
    }
  }
}

/// The keys of the mapping `run:` in a project file.
enum RunKey: String, DocumentKey {
  case paths, concurrency, reports, deadline

  static let table = KeyTable<RunKey>("`run`")

  var info: KeyInfo {
    switch self {
    case .paths:
      KeyInfo(
        .either([.name, .list(.name)]), "Documents and folders for commands without a path, relative to the project file.",
        "[tests, smoke.yaml]")
    case .concurrency: KeyInfo(.plainCount(1), "The number of transfers at once, as for `--concurrency`.", "8")
    case .reports:
      KeyInfo(
        .either([.name, .list(.name)]),
        "Reports as `--report` names them, `FORMAT=FILE`; files are relative to the project file. An option `--report` replaces the list.",
        "[junit=report.xml, json=report.json]")
    case .deadline: KeyInfo(.duration, "The time limit of the whole run, as for `--deadline`.", "5m")
    }
  }
}

/// The keys of an entry of `secrets:`, if the entry is a mapping.
enum SecretKey: String, DocumentKey {
  case file

  static let table = KeyTable<SecretKey>("a secret")

  var info: KeyInfo {
    KeyInfo(.path, "A file with the value; a line break at its end is ignored.", "/run/secrets/db")
  }
}

/// The keys that only a profile can have. A profile can also have the keys of `defaults`.
enum ProfileKey: String, DocumentKey {
  case vars, secrets, extends, confirm

  /// The table of the keys that only profiles can have; ``StepKey/defaultsTable`` contains the other keys of a profile.
  static let table = KeyTable<ProfileKey>("a profile", page: "projects")

  var info: KeyInfo {
    switch self {
    case .vars: KeyInfo(.mapping(.anything), "Variables that override those of the document.", "{ user: bob }")
    case .secrets:
      KeyInfo(SecretKey.declarations, "Names of secrets that the profile needs, or their files.", "[STAGING_TOKEN]")
    case .extends: KeyInfo(.name, "Another profile that this one extends.", "staging")
    case .confirm:
      KeyInfo(
        .flag, "True: `garland run` asks on a terminal before it sends anything, and needs `--yes` without a terminal. Default: false.",
        "true")
    }
  }
}

extension SecretKey {
  /// The form of the value of `secrets:`: a list of names, or a mapping from names to files.
  static let declarations = KeyInfo.Shape.either([.list(.name), .mapping(.either([.table("secret"), .null]))])
}
