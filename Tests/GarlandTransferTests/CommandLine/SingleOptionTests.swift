import CCurl
import Testing

@testable import GarlandTransfer

/// Tests of the list of settings that libcurl and the command `curl` have as one option each.
@Suite struct SingleOptionTests {
  private struct OptionList: OptionVisitor {
    var options: [UInt32] = []

    mutating func visit(_ option: CURLoption, _ value: OptionValue?, word: String?) { options.append(option.rawValue) }
  }

  /// The settings that are not one option each, so that `CURLCommandBuilder` has to write their words.
  private static let written = [
    "deadline", "connectTimeout", "redirects", "version", "proxy", "resolve", "connectTo", "tls", "decodesContent", "userAgent",
    "expectContinue", "cookies",
  ]
  /// The settings for which the command `curl` has no option.
  private static let unwritten = [
    "idleTimeout", "redirectBoundary", "serverTrust", "recordsSecurity", "maximumBodyBytes", "maximumHeaderBytes", "maximumHeaderFields",
    "cache", "cachePolicy", "priority", "usesFreshConnection",
  ]

  @Test func `each setting of a request that is one option of curl is visited by 'visitOptions'`() {
    let properties = Mirror(reflecting: TransferSettings.Values()).children.compactMap(\.label)
    let options = properties.filter { !Self.written.contains($0) && !Self.unwritten.contains($0) }
    var list = OptionList()
    TransferSettings().visitOptions(&list)
    #expect(list.options.count == options.count, "\(options)")
    #expect(Set(list.options).count == list.options.count)
    #expect(Set(Self.written + Self.unwritten).subtracting(properties) == [])
  }
}
