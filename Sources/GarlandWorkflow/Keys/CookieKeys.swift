extension CookieFact: DocumentKey {
  static let table = KeyTable<CookieFact>("an expected cookie")

  var info: KeyInfo {
    switch self {
    case .value: KeyInfo(.check, "Its value.", "{ length: 32 }")
    case .path: KeyInfo(.check, "`Path`, as the server sends it.", "/")
    case .domain: KeyInfo(.check, "`Domain`, as the server sends it, without a leading dot.", "example.com")
    case .expires: KeyInfo(.check, "`Expires`, as RFC 3339.", "{ date: { after: 2030-01-01 } }")
    case .maxAge: KeyInfo(.check, "`Max-Age`, in seconds.", "{ gte: 3600 }")
    case .secure: KeyInfo(.check, "Whether the cookie is sent over TLS only.", "true")
    case .httpOnly: KeyInfo(.check, "Whether the cookie is hidden from scripts.", "true")
    case .sameSite: KeyInfo(.check, "`SameSite`: `Strict`, `Lax` or `None`.", "Lax")
    }
  }
}

/// The keys of the mapping of the predicate `date`.
enum DateKey: String, DocumentKey {
  case before, after, at, within, format
  static let table = KeyTable<DateKey>("`date`")

  var info: KeyInfo {
    switch self {
    case .before: KeyInfo(.text, "Earlier than this time.", "2030-01-01T00:00:00Z")
    case .after: KeyInfo(.text, "Later than this time.", "${now() | add('-1h')}")
    case .at: KeyInfo(.text, "Exactly this time, in any format.", "2026-01-31T12:00:00+01:00")
    case .within: KeyInfo(.duration, "At most this far from now, in the past or the future.", "5m")
    case .format:
      KeyInfo(.name, "The format of the time, as for `parse_date`, if it is not a usual one.", "'%d.%m.%Y %H:%M'")
    }
  }
}
