import GarlandJSON
import GarlandText

/// Routes for content codings, character sets and media types.
enum FormatRoutes {
  static let routes = [
    Route("*", "/gzip", "The whole request as JSON, in gzip coding", gzip),
    Route("*", "/deflate", "The same in deflate coding; ?raw=1 leaves out the zlib wrapper", deflate),
    Route("GET", "/encoding/utf8", "Text in many scripts, as UTF-8", utf8),
    Route("GET", "/encoding/latin1", "Text in ISO 8859-1", latin1),
    Route("GET", "/html", "A page with a heading, links and a form", html),
    Route("GET", "/xml", "A small XML document", xml),
    Route("GET", "/json", "A small JSON document", json),
    Route("GET", "/plist", "A property list; ?binary=1", plist),
    Route("GET", "/image/png", "A picture; ?size=PIXELS (32)", png),
    Route("GET", "/uuid", "A random UUID", stateful: uuid),
  ]

  static let gzip: Route.PureHandler = { request throws(Refusal) in
    coded(request, "gzip") { Deflate.gzip($0) }
  }

  static let deflate: Route.PureHandler = { request throws(Refusal) in
    let isRaw = request.flag("raw")
    return coded(request, "deflate") { isRaw ? Deflate.raw($0) : Deflate.zlib($0) }
  }

  static let utf8: Route.PureHandler = { _ throws(Refusal) in
    .text("Grüße, Ωμέγα, привет, שלום, مرحبا, नमस्ते, 你好, こんにちは, 👩🏽‍🚀 e\u{301}\n")
  }

  static let latin1: Route.PureHandler = { _ throws(Refusal) in
    let text = "Grüße aus Köln, à bientôt, mañana, ½ £5 ©\n"
    return SandboxResponse(
      200, headers: [HeaderField("Content-Type", "text/plain; charset=iso-8859-1")],
      body: .bytes(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))
  }

  static let html: Route.PureHandler = { _ throws(Refusal) in
    .text(
      """
      <!DOCTYPE html>
      <html lang="en">
        <head><meta charset="utf-8"><title>The bookshop</title></head>
        <body>
          <h1>Welcome &amp; bienvenue</h1>
          <ul id="books"><li class="book">Dune</li><li class="book">Emma</li></ul>
          <a href="/books">All books</a>
          <form name="order" id="order" action="/post" method="post">
            <input type="hidden" name="csrf" value="c0ffee">
            <input name="title"> <input type="checkbox" name="gift" value="yes" checked>
            <select name="size"><option>small</option><option selected>large</option></select>
            <textarea name="note">By friday</textarea>
            <button type="submit" name="action" value="buy">Buy</button>
          </form>
        </body>
      </html>

      """, type: "text/html; charset=utf-8")
  }

  static let xml: Route.PureHandler = { _ throws(Refusal) in
    .text(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <catalog xmlns:p="urn:example:price">
        <book id="1"><title>Dune</title><p:price currency="EUR">9.50</p:price></book>
        <book id="2"><title>Emma</title><p:price currency="EUR">7.00</p:price></book>
      </catalog>

      """, type: "application/xml")
  }

  static let plist: Route.PureHandler = { request throws(Refusal) in
    guard request.flag("binary") else {
      return .text(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
          <dict>
            <key>CFBundleName</key><string>Bookshop</string>
            <key>CFBundleVersion</key><string>42</string>
            <key>released</key><date>2026-01-31T12:00:00Z</date>
            <key>icon</key><data>iVBORw==</data>
            <key>books</key>
            <array>
              <dict><key>title</key><string>Dune</string><key>price</key><real>9.5</real></dict>
              <dict><key>title</key><string>Emma</string><key>price</key><integer>7</integer></dict>
            </array>
            <key>open</key><true/>
          </dict>
        </plist>

        """, type: "application/x-plist")
    }
    let bytes = (try? Base64.decode(binaryPropertyList)) ?? []
    return SandboxResponse(200, headers: [HeaderField("Content-Type", "application/x-plist")], body: .bytes(bytes))
  }

  /// A binary property list in Base64, with the same content as the XML property list.
  private static let binaryPropertyList =
    "YnBsaXN0MDDWAQIDBAUGBwgJCgsUXENGQnVuZGxlTmFtZV8QD0NGQnVuZGxlVmVyc2lvblhyZWxlYXNlZFRpY29uVWJvb2tzVG9wZW5YQm9va3Nob3BSNDIz"
    + "QceXEyAAAABEiVBOR6IMEdINDg8QVXRpdGxlVXByaWNlVER1bmUjQCMAAAAAAADSDQ4SE1RFbW1hEAcJCBUiND1CSE1WWWJnam91e4CJjpOVAAAAAAAAAQEA"
    + "AAAAAAAAFQAAAAAAAAAAAAAAAAAAAJY="

  static let json: Route.PureHandler = { _ throws(Refusal) in
    let price = JSONNumber("9.50").map { JSONValue.number($0) } ?? .null
    return .json([
      "catalog": [
        "title": "The bookshop", "open": true, "closed_on": .null, "visitors": 12_345_678_901_234_567,
        "books": [
          ["id": 1, "title": "Dune", "price": price, "tags": ["novel", "sand"]], ["id": 2, "title": "Emma", "price": 7, "tags": []],
        ],
      ]
    ])
  }

  static let png: Route.PureHandler = { request throws(Refusal) in
    let size = try request.queryInteger("size", default: 32, in: 1...512)
    return SandboxResponse(200, headers: [HeaderField("Content-Type", "image/png")], body: .bytes(PNG.gradient(size: size)))
  }

  static let uuid: Route.StatefulHandler = { (_, tenant) throws(Refusal) in .json(["uuid": .string(tenant.uuid())]) }

  private static func coded(_ request: SandboxRequest, _ coding: String, _ encode: ([UInt8]) -> [UInt8]) -> SandboxResponse {
    var response = SandboxResponse.json(RequestEcho.json(request), headers: [HeaderField("Vary", "Accept-Encoding")])
    if case .bytes(let bytes) = response.body { response.body = .bytes(encode(bytes)) }
    return response.adding("Content-Encoding", coding)
  }
}
