import CCurl

/// A libcurl easy handle, with the memory that libcurl uses but does not own. Handles are kept and reset between uses, since creating a
/// handle costs more than a request.
final class EasyHandle {
  let handle: OpaquePointer
  private let errorBuffer: UnsafeMutablePointer<CChar>
  private var lists: [UnsafeMutablePointer<curl_slist>] = []
  /// The parsed URL that ``setURLAgain(_:known:)`` passes to libcurl, so that libcurl need not parse it.
  private var parts: OpaquePointer?
  /// The scheme and authority of the URL in ``parts``. If the next request of this handle has the same scheme and authority, only the path
  /// and the query in ``parts`` are replaced. Nil if libcurl does not use ``parts``, or if the URL is not plain (see
  /// ``URLReference/isPlain(_:after:)``).
  private var partsAuthority: LastAuthority?
  /// The settings of the last request if that request was plain (a GET with only a URL and header fields); otherwise nil. If the next
  /// request is also plain and its settings are equal, most options of the handle can stay as they are.
  var plainUse: PlainUse?

  /// The properties that determine the options of the handle for a plain request, that is, for a GET request with only a URL and header
  /// fields. If these properties are equal in the next plain request, the handle can be used again with the same options.
  struct PlainUse {
    let settings: TransferSettings
    let isSecure: Bool
    let waitsForShared: Bool

    func isSame(_ settings: TransferSettings, isSecure: Bool, waitsForShared: Bool) -> Bool {
      self.settings.travelAlike(settings) && self.isSecure == isSecure && self.waitsForShared == waitsForShared
    }
  }

  init?() {
    guard let handle = curl_easy_init() else { return nil }
    self.handle = handle
    errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit { errorBuffer.deallocate() }

  /// Resets all options of the handle, and frees the lists that were set as options. The connections stay open, since they belong to the
  /// multi handle.
  func reset() {
    curl_easy_reset(handle)
    freeLists()
    plainUse = nil
    // libcurl has dropped the parts.
    partsAuthority = nil
  }

  /// Closes the handle. It must not be used afterwards.
  func close() {
    curl_easy_cleanup(handle)
    if let parts { curl_url_cleanup(parts) }
    parts = nil
    freeLists()
  }

  private func freeLists() {
    for list in lists { curl_slist_free_all(list) }
    lists.removeAll(keepingCapacity: true)
  }

  /// libcurl's message about the last error of this handle.
  var errorText: String { String(cString: errorBuffer) }

  func useErrorBuffer() {
    errorBuffer.pointee = 0
    garland_setopt_pointer(handle, CURLOPT_ERRORBUFFER, errorBuffer)
  }

  /// Clears the error message of the last request. Call it before the handle is used again without a reset.
  func forgetError() { errorBuffer.pointee = 0 }

  func set(_ option: CURLoption, _ value: Int) { garland_setopt_long(handle, option, value) }
  func set(_ option: CURLoption, offset value: Int64) { garland_setopt_offset(handle, option, curl_off_t(value)) }

  /// Sets a text option. libcurl copies the text, so the only relevant error is a failed copy.
  func set(_ option: CURLoption, _ value: String) throws(NetworkingError) {
    try check(garland_setopt_string(handle, option, value))
  }

  /// Sets the URL of a plain request (a GET with only a URL and header fields) on a handle that had a URL before.
  ///
  /// The URL is passed to libcurl in parsed form. This saves an eighth of libcurl's work for a request: otherwise, libcurl would parse and
  /// rebuild the URL. If the URL has the same scheme and authority as the last URL, only the path and the query are replaced.
  ///
  /// - Parameter known: The scheme and authority at the start of the URL. Nil if the URL is not plain (see
  ///   ``URLReference/isPlain(_:after:)``).
  func setURLAgain(_ url: String, known: LastAuthority?) throws(NetworkingError) {
    try set(CURLOPT_URL, url)
    if parts == nil { parts = curl_url() }
    guard let parts else { return }
    if let known, known === partsAuthority, url.withCString({ garland_url_set_target(parts, $0 + known.prefix.count) }) { return }
    // libcurl itself parses a URL in the same way with `CURLOPT_PATH_AS_IS`. If this call refuses the URL,
    // libcurl reports the error later.
    let isTaken = curl_url_set(parts, CURLUPART_URL, url, Self.urlFlags) == CURLUE_OK
    partsAuthority = isTaken ? known : nil
    garland_setopt_pointer(handle, CURLOPT_CURLU, isTaken ? UnsafeMutableRawPointer(parts) : nil)
  }

  private static let urlFlags = UInt32(CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS)

  /// Sets an option whose value is bytes, which libcurl copies.
  func set(_ option: CURLoption, bytes: [UInt8]) throws(NetworkingError) {
    try check(bytes.withUnsafeBytes { garland_setopt_blob(handle, option, $0.baseAddress, $0.count) })
  }

  /// Sets an option to a list. The handle keeps the list alive until the handle is reset, or until ``set(_:onlyList:)`` frees all lists.
  func set(_ option: CURLoption, list: UnsafeMutablePointer<curl_slist>) {
    lists.append(list)
    garland_setopt_list(handle, option, list)
  }

  /// Sets an option of the handle to a list, or removes the option's list if `list` is nil. Then frees all other lists of the handle. Call
  /// this method only if no other option of the handle needs a list.
  func set(_ option: CURLoption, onlyList list: UnsafeMutablePointer<curl_slist>?) {
    if list == nil, lists.isEmpty { return }
    garland_setopt_list(handle, option, list)
    freeLists()
    if let list { lists.append(list) }
  }

  func set(_ option: CURLoption, list values: [String]) throws(NetworkingError) {
    var list: UnsafeMutablePointer<curl_slist>?
    for value in values {
      guard let longer = curl_slist_append(list, value) else {
        curl_slist_free_all(list)
        throw NetworkingError(.library(code: Int32(CURLE_OUT_OF_MEMORY.rawValue), detail: "no memory"))
      }
      list = longer
    }
    if let list { set(option, list: list) }
  }

  func check(_ status: CURLcode) throws(NetworkingError) {
    if status == CURLE_OK { return }
    if status == CURLE_UNKNOWN_OPTION || status == CURLE_NOT_BUILT_IN {
      throw NetworkingError(.unsupported("this libcurl lacks a feature that the request needs"))
    }
    throw NetworkingError(.library(code: Int32(status.rawValue), detail: String(cString: curl_easy_strerror(status))))
  }

  func long(_ info: CURLINFO) -> Int {
    var value = 0
    garland_getinfo_long(handle, info, &value)
    return value
  }

  func offset(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    garland_getinfo_offset(handle, info, &value)
    return Int64(value)
  }

  /// The socket of the connection that libcurl opened without sending a request; -1 if there is no such connection.
  var socket: Int32 {
    var socket: curl_socket_t = -1
    garland_getinfo_socket(handle, &socket)
    return socket
  }

  func string(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    garland_getinfo_string(handle, info, &value)
    guard let value, value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}

extension EasyHandle: OptionVisitor {
  func visit(_ option: CURLoption, _ value: OptionValue?, word: String?) throws(NetworkingError) {
    guard let value else { return }
    switch value {
    case .text(let text): try set(option, text)
    case .size(let size): set(option, offset: size)
    case .choice(let number): set(option, number)
    }
  }
}
