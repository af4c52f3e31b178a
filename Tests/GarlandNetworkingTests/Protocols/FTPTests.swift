import GarlandNetworking
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests FTP downloads from a third-party server, pyftpdlib.
@Suite(.timeLimit(.minutes(15))) struct FTPTests {
  let session = Session(.ephemeral)

  @Test func `a request with an FTP URL returns the file or the folder listing`() async throws {
    let server = try FTPServer.shared()
    let request = session.request("ftp://\(server.address)/hello.txt").validate()
    #expect(try await request.string == "Hello, FTP!\n")
    let response = try #require(request.response)
    #expect(response.status == .ok)
    #expect(response.version == .ftp)
    #expect(response.headerFields[.contentType] == "text/plain")
    #expect(response.headerFields[.contentLength] == "12")
    #expect(response.metrics.transactions.last?.version == .ftp)
    #expect(response.metrics.transactions.last?.remoteAddress == "127.0.0.1")

    #expect(try await session.request("ftp://user:pass%20word@\(server.address)/dir/data.json").validate().json == ["ok": true])
    let named = session.request("ftp://\(server.address)/dir/data.json").authenticate(user: "user", password: "pass word").validate()
    #expect(try await named.json == ["ok": true])
    let empty = await session.request("ftp://\(server.address)/empty.txt").response()
    #expect(empty.error == nil && empty.status == 200 && empty.data.isEmpty)
    let listing = try await session.request("ftp://\(server.address)/dir/").validate().string
    #expect(listing.contains("data.json"))
    let head = await session.request("ftp://\(server.address)/hello.txt", method: .head).response()
    #expect(head.error?.reason == nil)
    #expect(head.data.isEmpty && head.status == 200)
  }

  @Test func `FTP supports downloads, streams and the size limit for response bodies`() async throws {
    let server = try FTPServer.shared()
    let folder = try TemporaryFolder()
    let bytes = [UInt8](repeating: 7, count: 3_000_000)
    let url = "ftp://\(server.address)/big.bin"
    let download = session.download(url, to: DownloadTarget(path: folder.path, name: .suggested, partial: .kept)).validate()
    #expect(try await download.data == bytes)
    #expect(folder.names == ["big.bin"])
    var count = 0
    for try await piece in session.stream(url).validate() {
      count += piece.count
      await Task.yield()
    }
    #expect(count == bytes.count)
    for try await _ in session.stream(url).validate() { break }
    let limited = await session.request(url, modify: { $0.settings.maximumBodyBytes = 1_000_000 }).response()
    #expect(limited.error?.reason == .bodyTooLarge(limit: 1_000_000))
  }

  @Test func `the error of a refused FTP request contains the reply code and text of the server`() async throws {
    let server = try FTPServer.shared()
    let missing = await session.request("ftp://\(server.address)/nothing.txt").response()
    guard case .refusedByServer(let code, let words)? = missing.error?.reason else {
      Issue.record("\(String(describing: missing.error))")
      return
    }
    #expect(code == 550)
    #expect(words.hasPrefix("550 "))
    let stranger = await session.request("ftp://user:wrong@\(server.address)/hello.txt").response()
    guard case .refusedByServer(530, _)? = stranger.error?.reason else {
      Issue.record("\(String(describing: stranger.error))")
      return
    }
    #expect(await session.upload([1], to: "ftp://\(server.address)/x").response().error?.reason.kind == .unsupported)
    let bearer = await session.request("ftp://\(server.address)/hello.txt").authenticate(.bearer("x")).response()
    #expect(bearer.error?.reason.kind == .unsupported)
    #expect(await session.request("ftp://\(server.address)/a%0d%0ab").response().error != nil)
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    #expect(await session.request("ftp://127.0.0.1:\(nobody.number)/x").response().error?.reason.kind == .refused)
  }

  /// libcurl would wait for the reply to QUIT on the engine's thread, for as long as the server does not
  /// respond.
  @Test func `if an FTP server stops responding after a transfer, the transfer ends without waiting for the server`() async throws {
    let data = try RawServer { connection in
      connection.send("content")
      connection.close()
    }
    let control = try RawServer { connection in
      connection.send("220 here\r\n")
      var line = ""
      while true {
        let byte = connection.read(1)
        if byte.isEmpty { return }
        line.unicodeScalars.append(Unicode.Scalar(byte[0]))
        guard byte[0] == 0x0A else { continue }
        let command = String(line.prefix(4))
        line = ""
        switch command {
        case "USER": connection.send("331 password\r\n")
        case "PASS": connection.send("230 in\r\n")
        case "PWD\r\n", "PWD": connection.send("257 \"/\"\r\n")
        case "EPSV": connection.send("229 (|||\(data.port)|)\r\n")
        case "TYPE": connection.send("200 type\r\n")
        case "SIZE": connection.send("213 7\r\n")
        case "RETR": connection.send("150 coming\r\n226 done\r\n")
        case "QUIT":
          connection.readToEnd()
          return
        default: connection.send(command.hasPrefix("PWD") ? "257 \"/\"\r\n" : "500 what\r\n")
        }
      }
    }
    let ftp = session.request("ftp://127.0.0.1:\(control.port)/file.txt").validate()
    #expect(try await ftp.string == "content")
    let web = try PlainServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    #expect(try await session.request(web.url).validate().string == "ok")
  }
}
