/// The options of curl that mean something here, and those that take a value and don't, so that the value is not taken for a URL.
enum CurlOption {
  /// Long names by their letters.
  static let letters: [Character: String] = [
    "X": "request", "H": "header", "d": "data", "F": "form", "u": "user", "G": "get", "I": "head", "L": "location", "k": "insecure",
    "A": "user-agent", "e": "referer", "b": "cookie", "c": "cookie-jar", "o": "output", "O": "remote-name", "x": "proxy", "m": "max-time",
    "s": "silent", "S": "show-error", "v": "verbose", "i": "include", "f": "fail", "T": "upload-file", "E": "cert", "r": "range",
    "w": "write-out", "K": "config", "g": "globoff", "n": "netrc", "N": "no-buffer", "j": "junk-session-cookies", "4": "ipv4", "6": "ipv6",
    "0": "http1.0", "1": "tlsv1", "2": "sslv2", "3": "sslv3", "#": "progress-bar", "J": "remote-header-name", "R": "remote-time",
    "C": "continue-at", "D": "dump-header", "y": "speed-time", "Y": "speed-limit", "z": "time-cond", "q": "disable", "a": "append",
    "t": "telnet-option", "U": "proxy-user", "P": "ftp-port", "Q": "quote", "Z": "parallel", "h": "help", "V": "version", "l": "list-only",
    "p": "proxytunnel", "B": "use-ascii",
  ]

  /// Those with a value.
  static let withValue: Set<String> = [
    "request", "header", "data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json", "form", "form-string", "user",
    "user-agent",
    "referer", "cookie", "cookie-jar", "output", "proxy", "max-time", "connect-timeout", "upload-file", "url", "url-query", "resolve",
    "connect-to", "unix-socket", "interface", "cacert", "capath", "cert", "key", "cert-type", "key-type", "pass", "max-redirs", "retry",
    "retry-delay", "retry-max-time", "limit-rate", "oauth2-bearer", "aws-sigv4", "write-out", "config", "range", "continue-at",
    "dump-header",
    "speed-time", "speed-limit", "time-cond", "proxy-user", "ciphers", "tls-max", "max-filesize", "keepalive-time", "netrc-file", "noproxy",
    "output-dir", "parallel-max", "pinnedpubkey", "proto", "proto-default", "quote", "rate", "request-target", "socks5", "socks5-hostname",
    "stderr", "trace", "trace-ascii", "expect100-timeout", "dns-servers", "doh-url", "abstract-unix-socket", "happy-eyeballs-timeout-ms",
    "proxy-header", "ftp-port", "telnet-option", "preproxy", "local-port", "engine", "egd-file", "random-file", "crlfile", "curves",
    "delegation",
    "haproxy-clientip", "service-name", "tls13-ciphers", "variable", "expand-url", "expand-data", "expand-header",
  ]

  /// Those that change nothing about what is sent, or that Garland does by itself.
  static let harmless: Set<String> = [
    "silent", "show-error", "verbose", "include", "fail", "fail-with-body", "fail-early", "location", "location-trusted", "compressed",
    "globoff",
    "no-buffer", "progress-bar", "no-progress-meter", "http1.1", "http2", "http2-prior-knowledge", "ipv4", "ipv6", "tlsv1", "tlsv1.0",
    "tlsv1.1",
    "tlsv1.2", "tlsv1.3", "basic", "anyauth", "tcp-nodelay", "write-out", "cookie-jar", "parallel", "parallel-max", "output-dir",
    "create-dirs",
    "remote-time", "remote-header-name", "trace", "trace-ascii", "trace-time", "stderr", "dump-header", "retry-connrefused",
    "retry-all-errors",
    "disable", "styled-output", "no-styled-output", "no-keepalive", "keepalive-time", "path-as-is", "raw", "http1.0",
    "junk-session-cookies", "use-ascii",
    "retry-max-time", "data-ascii",
  ]
}
