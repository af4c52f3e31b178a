/// The keys of a project file.
enum ProjectKey: String, DocumentKey {
  case garland, name, vars, secrets, profiles
  case defaultProfile = "default_profile"
  case defaults, auth, use, resources, reachability, run

  static let table = KeyTable<ProjectKey>("a project")

  /// The key of a document that says the same; nil for a key that only projects have.
  var root: RootKey? {
    switch self {
    case .garland, .name, .defaultProfile, .run: nil
    default: RootKey(rawValue: rawValue)
    }
  }

  var info: KeyInfo {
    switch self {
    case .garland: KeyInfo(.oneOf(["1"]), "The version of the format.", "1")
    case .name: KeyInfo(.name, "What the project is called.", "Bookshop")
    case .defaultProfile: KeyInfo(.name, "The profile that is used where `--profile` names none.", "local")
    case .run: KeyInfo(.table("run"), "What `garland run` does unless its options say otherwise.", "{ paths: tests, concurrency: 8 }")
    default: root?.info ?? KeyInfo(.anything, "", "1")
    }
  }
}

/// The keys of a project's `run`.
enum RunKey: String, DocumentKey {
  case paths, concurrency, reports, deadline

  static let table = KeyTable<RunKey>("`run`")

  var info: KeyInfo {
    switch self {
    case .paths:
      KeyInfo(
        .either([.name, .list(.name)]), "Documents and folders, relative to the project file, for commands that are given none.",
        "[tests, smoke.yaml]")
    case .concurrency: KeyInfo(.plainCount(1), "Transfers at once, as `--concurrency` says it.", "8")
    case .reports:
      KeyInfo(
        .either([.name, .list(.name)]),
        "Reports as `--report` names them, `FORMAT=FILE`; files are relative to the project file. An option `--report` replaces the list.",
        "[junit=report.xml, json=report.json]")
    case .deadline: KeyInfo(.duration, "The time for the whole run, as `--deadline` says it.", "5m")
    }
  }
}

/// The keys of a secret that `secrets` declares with its source.
enum SecretKey: String, DocumentKey {
  case file

  static let table = KeyTable<SecretKey>("a secret")

  var info: KeyInfo {
    KeyInfo(.path, "A file that holds the value; one line break at its end is no part of it.", "/run/secrets/db")
  }
}

/// The keys of a profile, beside those of `defaults`.
enum ProfileKey: String, DocumentKey {
  case vars, secrets, extends, confirm

  /// Without the settings, which are keys of ``StepKey/defaultsTable``.
  static let table = KeyTable<ProfileKey>("a profile")

  var info: KeyInfo {
    switch self {
    case .vars: KeyInfo(.mapping(.anything), "Variables that override those of the document.", "{ user: bob }")
    case .secrets:
      KeyInfo(SecretKey.declarations, "Names of secrets that the profile needs, or their files.", "[STAGING_TOKEN]")
    case .extends: KeyInfo(.name, "Another profile that this one starts from.", "staging")
    case .confirm:
      KeyInfo(
        .flag, "True: `garland run` asks on a terminal before it sends anything, and needs `--yes` elsewhere. Default: false.", "true")
    }
  }
}

extension SecretKey {
  /// What `secrets:` may be.
  static let declarations = KeyInfo.Shape.either([.list(.name), .mapping(.either([.table("secret"), .null]))])
}
