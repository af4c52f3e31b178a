/// Determines media types by file name extension.
public enum MediaTypes {
  /// Returns the media type for a file's name or path; `application/octet-stream` for an unknown
  /// extension.
  public static func type(forPath path: String) -> String {
    let name = FilePath.split(path).name
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return unknown }
    return table[name[name.utf8.index(after: dot)...].lowercased()] ?? unknown
  }

  static let unknown = "application/octet-stream"

  private static let table: [String: String] = [
    "aac": "audio/aac", "avif": "image/avif", "bin": "application/octet-stream", "bmp": "image/bmp", "bz2": "application/x-bzip2",
    "cbor": "application/cbor", "crt": "application/x-x509-ca-cert", "css": "text/css", "csv": "text/csv",
    "der": "application/x-x509-ca-cert", "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "epub": "application/epub+zip",
    "flac": "audio/flac", "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic", "htm": "text/html", "html": "text/html",
    "ico": "image/vnd.microsoft.icon", "ics": "text/calendar", "jar": "application/java-archive", "jpeg": "image/jpeg", "jpg": "image/jpeg",
    "js": "text/javascript", "json": "application/json", "jsonld": "application/ld+json", "jsonl": "application/jsonl",
    "m4a": "audio/mp4", "md": "text/markdown", "mid": "audio/midi", "mjs": "text/javascript", "mov": "video/quicktime", "mp3": "audio/mpeg",
    "mp4": "video/mp4", "mpeg": "video/mpeg", "odp": "application/vnd.oasis.opendocument.presentation",
    "ods": "application/vnd.oasis.opendocument.spreadsheet", "odt": "application/vnd.oasis.opendocument.text", "oga": "audio/ogg",
    "ogg": "audio/ogg", "ogv": "video/ogg", "otf": "font/otf", "pdf": "application/pdf", "pem": "application/x-pem-file",
    "plist": "application/x-plist", "png": "image/png", "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation", "rtf": "application/rtf",
    "sh": "application/x-sh", "svg": "image/svg+xml", "tar": "application/x-tar", "tif": "image/tiff", "tiff": "image/tiff",
    "toml": "application/toml", "ts": "video/mp2t", "ttf": "font/ttf", "txt": "text/plain", "wasm": "application/wasm",
    "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm", "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2",
    "xhtml": "application/xhtml+xml", "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml", "xz": "application/x-xz",
    "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip", "zst": "application/zstd",
  ]
}
