/// The keys of `body:`, if its value is a mapping.
enum BodyKey: String, DocumentKey {
  case file, offset, length, base64
  static let table = KeyTable<BodyKey>("`body`")

  var info: KeyInfo {
    switch self {
    case .file: KeyInfo(.path, "A file, streamed; relative to the document.", "order.xml")
    case .offset: SliceKey.offset
    case .length: SliceKey.length
    case .base64: KeyInfo(.text, "Bytes as base64.", "3q2+7w==")
    }
  }
}

/// The descriptions of the keys `offset` and `length`, which select the part of a file that is
/// sent.
enum SliceKey {
  private static let bytes = KeyInfo.Shape.either([.size, .atLeast(0)])
  static let offset = KeyInfo(bytes, "The first byte of the file to send, counted from 0; with `file`. Default: 0.", "5MiB")
  static let length = KeyInfo(
    bytes, "How many bytes of the file to send; with `file`. The slice ends earlier where the file does. Default: up to the end.", "5MiB")
}

/// The keys of `graphql:`, if its value is a mapping.
enum GraphQLKey: String, DocumentKey {
  case query, variables
  case operationName = "operation_name"
  case allowErrors = "allow_errors"
  static let table = KeyTable<GraphQLKey>("`graphql`")

  var info: KeyInfo {
    switch self {
    case .query: KeyInfo(.text, "The document.", "'{ books { title } }'")
    case .variables: KeyInfo(.anything, "Its variables.", "{ first: 10 }")
    case .operationName: KeyInfo(.text, "The operation to run if the query has several.", "Books")
    case .allowErrors: KeyInfo(.flag, "A response with `errors` does not fail the step.", "true")
    }
  }
}

/// The keys of the mapping for a part of `multipart:`.
enum PartKey: String, DocumentKey {
  case name, text, file, offset, length, json, base64, filename, type, headers
  static let table = KeyTable<PartKey>("a part", keys: allCases.filter { $0 != .name })
  static let namedTable = KeyTable<PartKey>("a part")

  var info: KeyInfo {
    switch self {
    case .name: KeyInfo(.text, "The name of the form's field.", "image")
    case .text: KeyInfo(.text, "Text.", "Front cover")
    case .file: KeyInfo(.path, "A file, streamed; relative to the document.", "cover.png")
    case .offset: SliceKey.offset
    case .length: SliceKey.length
    case .json: KeyInfo(.anything, "A JSON value.", "{ width: 64 }")
    case .base64: KeyInfo(.text, "Bytes as base64.", "3q2+7w==")
    case .filename: KeyInfo(.text, "The file name that the server receives. Default: that of the file.", "dune.png")
    case .type: KeyInfo(.pattern("^[^/ ]+/[^/ ]+"), "The media type. Default: that of the file's extension.", "image/png")
    case .headers: KeyInfo(.mapping(.either([.text, .list(.text)])), "More header fields of the part.", "{ Content-Language: en }")
    }
  }
}

/// The keys of `download:`, if its value is a mapping.
enum DownloadKey: String, DocumentKey {
  case to, name, replace, resume
  case createDirs = "create_dirs"
  static let table = KeyTable<DownloadKey>("`download`")

  var info: KeyInfo {
    switch self {
    case .to: KeyInfo(.text, "The file, or with `name: suggested` the folder; relative to the working directory.", "out/cover.png")
    case .name: KeyInfo(.oneOf(["suggested"]), "`suggested` takes the name from the response.", "suggested")
    case .replace:
      KeyInfo(
        .boolean, "Whether an existing file is replaced when the download is complete; otherwise it is an error. Default: true.",
        "false")
    case .createDirs: KeyInfo(.boolean, "Whether missing folders are created. Default: true.", "false")
    case .resume:
      KeyInfo(
        .boolean,
        "Whether an interrupted download is kept beside the file, in `.NAME.garland-partial`, and continued by the next run. It starts "
          + "again if the server's file has changed. Only for GET. Default: false.", "true")
    }
  }
}

/// The keys of `redirect:`, if its value is a mapping.
enum RedirectKey: String, DocumentKey {
  case follow, max
  static let table = KeyTable<RedirectKey>("`redirect`")

  var info: KeyInfo {
    switch self {
    case .follow: KeyInfo(.boolean, "Whether redirects are followed. Default: true, unless `expect.status` admits a 3xx.", "false")
    case .max: KeyInfo(.atLeast(0), "The largest number of redirects. Default: 20.", "5")
    }
  }
}

/// The keys of `cache:`, if its value is a mapping.
enum CacheKey: String, DocumentKey {
  case dir, policy
  static let table = KeyTable<CacheKey>("`cache`")

  var info: KeyInfo {
    switch self {
    case .dir:
      KeyInfo(
        .text, "The folder for stored responses, also for later runs; relative to the working directory. Default: in memory.", ".cache")
    case .policy:
      KeyInfo(
        .choice(CachePolicySetting.allCases.map(\.rawValue)),
        "`protocol`: uses fresh responses, and validates stale ones. `reload`: asks the server. `else_load`: uses a stored "
          + "response of any age, otherwise asks the server. `only`: uses stored responses, and sends nothing. Default: `protocol`.",
        "else_load")
    }
  }
}

extension TLSKey: DocumentKey {
  static let table = KeyTable<TLSKey>("`tls`")

  private static let pin = "^sha256/[A-Za-z0-9+/]{43}=$"

  var info: KeyInfo {
    switch self {
    case .ca: KeyInfo(.path, "Certificates to trust in place of the system's; a PEM file.", "test-ca.pem")
    case .cert:
      KeyInfo(
        .path, "The client's certificate; a PEM file, or PKCS#12 with its key if it ends in `.p12` or `.pfx`.", "client.pem")
    case .key: KeyInfo(.path, "The key of the client's certificate; a PEM file.", "client.key")
    case .password: KeyInfo(.text, "The password of the key, or of the PKCS#12 file; with `cert`.", "'${secrets.KEY_PASSWORD}'")
    case .min: KeyInfo(.choice(TLSVersionSetting.allCases.map(\.rawValue)), "The lowest version of TLS.", "1.3")
    case .pins:
      KeyInfo(
        .either([.pattern(Self.pin), .list(.pattern(Self.pin))]),
        "Public keys, one of which must be in the server's verified chain of certificates: its own, an authority's in between, or the root's. Each is "
          + "`sha256/` and the SHA-256 digest of the key in base64. Applies to each server of a redirect, too.",
        "[sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=]")
    case .verify: KeyInfo(.boolean, "Whether the server's certificate is verified. Default: true.", "false")
    }
  }
}
