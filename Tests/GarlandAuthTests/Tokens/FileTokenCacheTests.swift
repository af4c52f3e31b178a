import FoundationEssentials
import GarlandAuth
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct FileTokenCacheTests {
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

  @Test func `OAuth tokens are cached in files that only the owner of the files can read`() async throws {
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

  @Test func `concurrent updates of the same tokens in the token cache run one after another`() async throws {
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

  @Test func `a failed update of the token cache keeps the stored tokens`() async throws {
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

  @Test func `if another process holds the lock of the token cache for too long, an update fails and the error mentions the process`()
    async throws
  {
    let folder = try TemporaryFolder()
    let cache = FileTokenCache(directory: "\(folder.path)/t")
    let impatient = FileTokenCache(directory: "\(folder.path)/t", patience: .zero)
    _ = try await cache.update("k") { (_: TokenSet?) async throws(OAuthError) -> TokenSet in
      do throws(OAuthError) {
        _ = try await impatient.update("k") { _ in Self.tokens("2") }
        Issue.record("two at once")
      } catch {
        #expect("\(error)".contains("another process has locked"))
      }
      return Self.tokens("1")
    }
  }

  @Test func `the default directory of the token cache depends on XDG_STATE_HOME and HOME`() {
    #expect(FileTokenCache.defaultDirectory(environment: ["HOME": "/home/a"]) == "/home/a/.local/state/garland/tokens")
    #expect(FileTokenCache.defaultDirectory(environment: ["HOME": "/home/a", "XDG_STATE_HOME": "/s"]) == "/s/garland/tokens")
    #expect(FileTokenCache.defaultDirectory(environment: [:]) == nil)
  }

  /// A refresh token can be used once, so the provider is not contacted if the result could not be stored.
  @Test func `if the token cache cannot be written, a token update fails before it contacts the OAuth provider`() async throws {
    let folder = try TemporaryFolder()
    let cache = FileTokenCache(directory: "\(folder.path)/t")
    _ = try await cache.update("k") { _ in Self.tokens("1") }
    let file = try #require(Self.files(in: cache.directory).first { $0.hasSuffix(".json") })
    // A folder has the name of the file to write: root ignores missing permissions.
    mkdir("\(cache.directory)/\(file).new", 0o700)
    await #expect {
      try await cache.update("k") { (_: TokenSet?) async throws(OAuthError) -> TokenSet in
        Issue.record("asked")
        return Self.tokens("2")
      }
    } throws: {
      "\($0)".contains("the token cache cannot be used: could not create")
    }
    #expect(try await cache.tokens(for: "k") == Self.tokens("1"))
  }

  @Test func `if a crash leaves a half-written file in the token cache, the next update replaces the file`() async throws {
    let folder = try TemporaryFolder()
    let cache = FileTokenCache(directory: "\(folder.path)/t")
    _ = try await cache.update("k") { _ in Self.tokens("1") }
    let file = try #require(Self.files(in: cache.directory).first { $0.hasSuffix(".json") })
    try folder.write("t/\(file).new", "{\"half\":")
    _ = try await cache.update("k") { _ in Self.tokens("2") }
    #expect(try await cache.tokens(for: "k") == Self.tokens("2"))
    #expect(Self.files(in: cache.directory) == [file, "\(file).lock"])
  }

  /// A lock ends with the process that holds it, even if the process is killed.
  @Test func `if a process that holds the lock of the token cache is killed, the lock is released`() async throws {
    let folder = try TemporaryFolder()
    let cache = FileTokenCache(directory: "\(folder.path)/t")
    _ = try await cache.update("k") { _ in Self.tokens("1") }
    let file = try #require(Self.files(in: cache.directory).first { $0.hasSuffix(".lock") })
    let result = try await ChildProcess.run("/bin/bash", ["-c", "exec 9<>\"$1\"; flock 9; kill -9 $$", "-", "\(cache.directory)/\(file)"])
    #expect(result.status != 0)
    _ = try await cache.update("k") { _ in Self.tokens("2") }
    #expect(try await cache.tokens(for: "k") == Self.tokens("2"))
  }

  @Test func `symbolic links in the folder of the token cache are not followed`() async throws {
    let folder = try TemporaryFolder()
    let cache = FileTokenCache(directory: "\(folder.path)/t")
    _ = try await cache.update("k") { _ in Self.tokens("1") }
    let file = try #require(Self.files(in: cache.directory).first { $0.hasSuffix(".json") })
    let path = "\(cache.directory)/\(file)"
    try folder.write("victim", "mine")
    unlink(path)
    symlink("\(folder.path)/victim", path)
    await #expect { try await cache.tokens(for: "k") } throws: { "\($0)".contains("could not open") }
    await #expect(throws: OAuthError.self) { try await cache.update("k") { _ in Self.tokens("2") } }
    unlink(path)
    symlink("\(folder.path)/victim", "\(path).new")
    _ = try await cache.update("k") { _ in Self.tokens("3") }
    #expect(try String(contentsOfFile: "\(folder.path)/victim", encoding: .utf8) == "mine")
    unlink("\(path).lock")
    symlink("\(folder.path)/victim", "\(path).lock")
    await #expect(throws: OAuthError.self) { try await cache.update("k") { _ in Self.tokens("4") } }
    #expect(try String(contentsOfFile: "\(folder.path)/victim", encoding: .utf8) == "mine")
    chmod(cache.directory, 0o755)
    await #expect { try await cache.update("other") { _ in Self.tokens("5") } } throws: {
      "\($0)".contains("can be read by others: chmod go=")
    }
  }

  /// Every property that distinguishes two identities also distinguishes their keys, and no key contains a
  /// secret.
  @Test func `different OAuth configurations have different keys in the token cache, and no key contains a secret`() {
    var base = OAuthConfiguration(grant: .password(user: "alice", password: "secret-password"), clientID: "c")
    base.issuer = "https://id.example"
    base.authentication = .basic(secret: "client-secret")
    base.extra = [("key", "extra-secret")]
    var all: [OAuthConfiguration] = [base]
    func add(_ change: (inout OAuthConfiguration) -> Void) {
      var other = base
      change(&other)
      all.append(other)
    }
    add { $0.issuer = "https://other.example" }
    add { $0.clientID = "d" }
    add { $0.grant = .password(user: "bob", password: "secret-password") }
    add { $0.grant = .clientCredentials }
    add { $0.grant = .refreshToken("refresh-secret") }
    add { $0.grant = .refreshToken("another-secret") }
    add { $0.user = "carol" }
    add { $0.scope = ["read"] }
    add { $0.scope = ["read", "write"] }
    add { $0.audience = ["read"] }
    add { $0.resource = ["read"] }
    add { $0.extra = [("key", "another")] }
    add { $0.extra = [] }
    add { $0.endpoints.token = "https://id.example/token" }
    // A line break in a name must not create another line.
    add { $0.clientID = "c\nalice" }
    add { $0.clientID = "c\\nalice" }
    let keys = all.map(\.identity)
    #expect(Set(keys).count == all.count)
    for secret in ["secret-password", "client-secret", "extra-secret", "refresh-secret"] {
      #expect(!keys.contains { $0.contains(secret) }, "\(secret)")
    }
    var turned = base
    turned.scope = ["b", "a"]
    base.scope = ["a", "b"]
    #expect(turned.identity == base.identity, "a scope has no order (RFC 6749 section 3.3)")
  }
}
