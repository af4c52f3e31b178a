import GarlandAuth
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FileTokenCacheTests {
  static func tokens(_ name: String) -> TokenSet {
    var tokens = TokenSet(accessToken: name, obtainedAt: 1_700_000_000.5)
    tokens.refreshToken = "r"
    tokens.idToken = "i"
    tokens.scope = ["a", "b"]
    tokens.expiresAt = 1_700_003_600.5
    tokens.claims = ["sub": "alice", "n": 1.50]
    return tokens
  }

  static func mode(_ path: String) -> UInt32 {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  static func files(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  @Test func whatIsKeptIsFoundAndNobodyElseReadsIt() async throws {
    let folder = try TemporaryFolder()
    let directory = "\(folder.path)/a/b"
    let cache = FileTokenCache(directory: directory)
    #expect(try await cache.tokens(for: "one") == nil)
    let kept = try await cache.update("one") { old in
      #expect(old == nil)
      return Self.tokens("first")
    }
    #expect(kept == Self.tokens("first"))
    #expect(try await FileTokenCache(directory: directory).tokens(for: "one") == Self.tokens("first"))
    #expect(try await cache.tokens(for: "two") == nil)
    #expect(Self.mode(directory) == 0o700)
    let files = Self.files(in: directory)
    #expect(files.count == 2)
    for file in files { #expect(Self.mode("\(directory)/\(file)") == 0o600) }
  }

  @Test func updatesComeOneAfterAnother() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/t"
    await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask {
          _ = try? await FileTokenCache(directory: path).update("k") { old in
            let count = (old.flatMap { Int($0.accessToken) } ?? 0) + 1
            await Task.yield()
            return Self.tokens("\(count)")
          }
        }
      }
    }
    #expect(try await FileTokenCache(directory: path).tokens(for: "k")?.accessToken == "20")
  }

  @Test func aFailureKeepsWhatWasThere() async throws {
    let folder = try TemporaryFolder()
    let cache = FileTokenCache(directory: "\(folder.path)/t")
    _ = try await cache.update("k") { _ in Self.tokens("1") }
    await #expect(throws: OAuthError.cancelled) {
      try await cache.update("k") { (_: TokenSet?) async throws(OAuthError) -> TokenSet in throw .cancelled }
    }
    #expect(try await cache.tokens(for: "k") == Self.tokens("1"))
    let file = try #require(Self.files(in: cache.directory).first { $0.hasSuffix(".json") })
    let path = "\(cache.directory)/\(file)"
    chmod(path, 0o644)
    await #expect { try await cache.tokens(for: "k") } throws: { "\($0)".contains("can be read by others: chmod go=") }
    chmod(path, 0o600)
    let handle = try #require(fopen(path, "w"))
    fputs("{\"tok", handle)
    fclose(handle)
    #expect(try await cache.tokens(for: "k") == nil, "what cannot be read is as good as none")
    await #expect(throws: OAuthError.self) { try await FileTokenCache(directory: "/proc/none/t").update("k") { _ in Self.tokens("1") } }
  }

  @Test func whoDoesNotLetGoIsNamed() async throws {
    let folder = try TemporaryFolder()
    let cache = FileTokenCache(directory: "\(folder.path)/t")
    let impatient = FileTokenCache(directory: "\(folder.path)/t", patience: .zero)
    _ = try await cache.update("k") { (_: TokenSet?) async throws(OAuthError) -> TokenSet in
      do throws(OAuthError) {
        _ = try await impatient.update("k") { _ in Self.tokens("2") }
        Issue.record("two at once")
      } catch {
        #expect("\(error)".contains("another process holds"))
      }
      return Self.tokens("1")
    }
  }

  @Test func theUsualPlace() {
    #expect(FileTokenCache.defaultDirectory(environment: ["HOME": "/home/a"]) == "/home/a/.local/state/garland/tokens")
    #expect(FileTokenCache.defaultDirectory(environment: ["HOME": "/home/a", "XDG_STATE_HOME": "/s"]) == "/s/garland/tokens")
    #expect(FileTokenCache.defaultDirectory(environment: [:]) == nil)
  }
}
