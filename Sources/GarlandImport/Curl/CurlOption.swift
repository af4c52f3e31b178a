/// An option of curl, as written on a command line.
struct CurlOption {
  /// The effect of an option on a workflow.
  enum Meaning {
    /// The option becomes a part of the step.
    case carriedOver
    /// The option does not affect the request, for example because it concerns progress, colours or other protocols.
    case harmless
    /// Garland has no counterpart of the option. The option is not imported, and a warning says so.
    case leftOut
  }

  let name: String
  let takesValue: Bool
  /// Whether the option is switched on; false for `--no-NAME`.
  var isOn = true

  var meaning: Meaning {
    if Self.carriedOver.contains(name) { return .carriedOver }
    return Self.harmless.contains(name) ? .harmless : .leftOut
  }

  /// The reason why a long option name, such as `--foo`, is not valid.
  enum Problem: Error {
    case unknown
    /// The names of several options begin with the given text. The associated value lists these options.
    case ambiguous([String])
  }

  /// Creates the option with a one-letter name; nil if there is no such option.
  init?(letter: Character) {
    guard let name = Self.letters[letter] else { return nil }
    self.name = name
    takesValue = Self.withValue.contains(name)
  }

  /// Creates the option with a long name, ignoring case. `text` is the whole name of an option, or the beginning of only one option's name.
  /// `no-` before the name switches the option off.
  init(long text: String) throws(Problem) {
    let text = text.lowercased()
    let isOn = !text.hasPrefix("no-")
    let wanted = isOn ? text : String(text.dropFirst(3))
    let matches = Self.all.filter { $0.hasPrefix(wanted) }
    guard let name = Self.all.contains(wanted) ? wanted : matches.first, !wanted.isEmpty else { throw .unknown }
    guard name == wanted || matches.count == 1 else { throw .ambiguous(matches.sorted()) }
    self.name = name
    self.isOn = isOn
    takesValue = Self.withValue.contains(name)
    if !isOn, takesValue { throw .unknown }
  }

  /// The long name of each option that also has a one-letter name.
  private static let letters: [Character: String] = [
    "0": "http1.0", "1": "tlsv1", "2": "sslv2", "3": "sslv3", "4": "ipv4", "6": "ipv6", "a": "append", "A": "user-agent", "b": "cookie",
    "B": "use-ascii", "c": "cookie-jar", "C": "continue-at", "d": "data", "D": "dump-header", "e": "referer", "E": "cert", "f": "fail",
    "F": "form", "g": "globoff", "G": "get", "h": "help", "H": "header", "i": "include", "I": "head", "j": "junk-session-cookies",
    "J": "remote-header-name", "k": "insecure", "K": "config", "l": "list-only", "L": "location", "m": "max-time", "M": "manual",
    "n": "netrc", "N": "buffer", "o": "output", "O": "remote-name", "p": "proxytunnel", "P": "ftp-port", "q": "disable", "Q": "quote",
    "r": "range", "R": "remote-time", "s": "silent", "S": "show-error", "t": "telnet-option", "T": "upload-file", "u": "user",
    "U": "proxy-user", "v": "verbose", "V": "version", "w": "write-out", "x": "proxy", "X": "request", "y": "speed-time",
    "Y": "speed-limit", "z": "time-cond", "Z": "parallel", "#": "progress-bar", ":": "next",
  ]

  /// The options of curl that take a value and that the import converts to a part of the step.
  private static let carriedOverWithValue = words(
    """
    aws-sigv4 cacert cert cert-type config connect-to continue-at cookie cookie-jar data data-ascii data-binary data-raw data-urlencode form
    form-string header interface json key limit-rate max-filesize max-redirs max-time noproxy oauth2-bearer output output-dir pass pinnedpubkey
    proto-default proxy proxy-user range referer request resolve retry retry-delay socks4 socks4a socks5 socks5-hostname 
    unix-socket upload-file url url-query user user-agent
    """)

  /// The options of curl that take no value and that the import converts to a part of the step.
  private static let carriedOverFlags = words(
    """
    anyauth basic clobber compressed digest get globoff head http1.1 http2 insecure location negotiate next ntlm path-as-is remote-header-name
    remote-name remote-name-all sslv2 sslv3 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3
    """)

  private static let carriedOver = carriedOverWithValue.union(carriedOverFlags)

  /// The options that take a value and do not affect an HTTP request.
  private static let harmlessWithValue = words(
    """
    create-file-mode delegation ftp-account ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms
    hostpubmd5 hostpubsha256 keepalive-time krb login-options mail-auth mail-from mail-rcpt parallel-max pubkey quote sasl-authzid
    telnet-option tftp-blksize
    """)

  /// The options that take no value and have no effect on a step. Examples are `--fail`, since an error status fails a step anyway, and
  /// `--retry-connrefused`, since a step retries a refused connection anyway.
  private static let harmlessFlags = words(
    """
    append buffer compressed-ssh create-dirs disable disable-eprt disable-epsv fail fail-early fail-with-body ftp-create-dirs
    ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl ftp-ssl-ccc ftp-ssl-control ftp-ssl-reqd include keepalive list-only mail-rcpt-allowfails
    npn parallel parallel-immediate progress-bar progress-meter proxy-basic remove-on-error retry-connrefused sasl-ir sessionid
    show-error silent ssl ssl-reqd styled-output suppress-connect-headers tcp-fastopen tcp-nodelay tftp-no-options trace-time use-ascii
    verbose
    """)

  private static let harmless = harmlessWithValue.union(harmlessFlags)

  private static let leftOutWithValue = words(
    """
    abstract-unix-socket alt-svc capath ciphers connect-timeout crlfile curves dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url
    dump-header egd-file engine etag-compare etag-save expand-data expand-header expand-url expect100-timeout haproxy-clientip hsts
    ip-tos ipfs-gateway key-type libcurl local-port netrc-file preproxy proto proto-redir proxy-cacert proxy-capath proxy-cert
    proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name
    proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy1.0 random-file rate request-target retry-max-time
    service-name socks5-gssapi-service speed-limit speed-time stderr time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii
    trace-config variable vlan-priority write-out
    """)

  private static let leftOutFlags = words(
    """
    alpn ca-native cert-status crlf disallow-username-in-url doh-cert-status doh-insecure false-start form-escape haproxy-protocol http0.9
    http1.0 http2-prior-knowledge http3 http3-only ignore-content-length ipv4 ipv6 help junk-session-cookies location-trusted metalink
    manual netrc netrc-optional ntlm-wb post301 post302 post303 proxy-anyauth proxy-ca-native proxy-digest proxy-http2 proxy-insecure
    proxy-negotiate proxy-ntlm proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1 proxytunnel raw remote-time retry-all-errors
    socks5-basic socks5-gssapi socks5-gssapi-nec ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-revoke-best-effort tr-encoding
    version xattr
    """)

  private static let withValue = carriedOverWithValue.union(harmlessWithValue).union(leftOutWithValue)
  private static let all = withValue.union(carriedOverFlags).union(harmlessFlags).union(leftOutFlags)

  private static func words(_ text: String) -> Set<String> { Set(text.split { $0 == " " || $0 == "\n" }.map(String.init)) }
}
