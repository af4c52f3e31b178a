extension TransferSettings {
  /// Returns a copy of these settings in which each protection has the stricter of two values: the value in these settings and the value in
  /// `other`.
  ///
  /// The protections are the deadline, the limits of bodies and headers, the minimum TLS version, certificate verification, server trust,
  /// and the number of redirects. If `other` never uses the network (``CachePolicy/returnCacheOnly``), the result does not use it either.
  /// All other settings are kept.
  public func restricted(by other: TransferSettings) -> TransferSettings {
    func lower<Limit: Comparable>(_ left: Limit?, _ right: Limit?) -> Limit? {
      guard let left, let right else { return left ?? right }
      return min(left, right)
    }
    var result = self
    result.deadline = lower(self.deadline, other.deadline)
    result.maximumBodyBytes = lower(self.maximumBodyBytes, other.maximumBodyBytes)
    result.maximumHeaderBytes = min(self.maximumHeaderBytes, other.maximumHeaderBytes)
    result.maximumHeaderFields = min(self.maximumHeaderFields, other.maximumHeaderFields)
    result.tls.minimumVersion = max(self.tls.minimumVersion, other.tls.minimumVersion)
    result.tls.verifies = self.tls.verifies || other.tls.verifies
    if let own = self.serverTrust {
      result.serverTrust = own.restricted(by: other.serverTrust, verifies: other.tls.verifies)
    } else {
      result.serverTrust = other.serverTrust
    }
    if other.cachePolicy == .returnCacheOnly { result.cachePolicy = .returnCacheOnly }
    if case .follow(let own) = self.redirects {
      switch other.redirects {
      case .follow(let maximum): result.redirects = .follow(maximum: min(own, maximum))
      case .deliver: result.redirects = .deliver
      }
    }
    return result
  }
}
