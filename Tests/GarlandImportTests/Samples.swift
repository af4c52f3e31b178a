/// Files in the formats of other tools.
enum Samples {
  static let curl = #"""
    #!/bin/sh
    # A tour of the shop.
    BASE=https://shop.example.com/v1

    $ curl https://shop.example.com/v1/health
    curl -sS -X POST https://shop.example.com/v1/login \
      -H 'Content-Type: application/json' -H "Accept: application/json" \
      -d '{"user": "alice", "password": "it'\''s ${HOME}", "remember": true, "limit": 1.50}' | jq .token > token.txt
    curl -H "Authorization: Bearer $TOKEN" "https://shop.example.com/v1/books?tag=new&page=$PAGE"
    curl -u alice:s3cret --digest https://shop.example.com/v1/account
    curl https://shop.example.com/v1/search -G -d q=dune --data-urlencode "title=The Spice & more"
    curl --data 'user=alice+b&tag=a&tag=b&note=50%25' https://shop.example.com/v1/form
    curl -F image=@cover.png\;type=image/png -F 'caption=Front; cover' https://shop.example.com/v1/books/7/cover
    curl -XPUT -T backup.tar https://shop.example.com/v1/backup --max-time 90 --connect-timeout 2.5 -k --http1.1
    curl --json '{"a": [1, 2, {"b": null}]}' https://shop.example.com/v1/json -o out/answer.json
    curl -I -L https://shop.example.com/v1/old -b 'theme=dark; session=abc123' -A 'curl/8'
    curl 'https://shop.example.com/v1/text' --data-binary $'line one\nline two: "quoted"\n' -H 'content-type: text/plain' --compressed
    curl --resolve shop.example.com:443:127.0.0.1 --cacert ca.pem --retry 3 --retry-delay 2 https://shop.example.com/v1/a https://shop.example.com/v1/b --frobnicate
    curl -H 'X-Api-Key: k-123456' https://shop.example.com/v1/key --next -H 'X-Api-Key: k-123456' -X DELETE https://shop.example.com/v1/key/1 2> /dev/null
    curl "https://shop.example.com/v1/now?at=$(date +%s)" && echo done
    wget https://shop.example.com/v1/other
    curl -X PROPFIND ftp://files.example.com/a https://shop.example.com/v1/dav --aws-sigv4 aws:amz
    """#

  static let har = #"""
    {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"},
      "pages": [{"startedDateTime": "2026-11-21T10:00:00.000Z", "id": "page_1", "title": "Shop", "pageTimings": {}}],
      "entries": [
        {"_resourceType": "document", "request": {"method": "GET", "url": "https://shop.example.com/?from=mail#top", "httpVersion": "h3",
          "headers": [{"name": ":authority", "value": "shop.example.com"}, {"name": "accept", "value": "text/html"},
            {"name": "cookie", "value": "session=abc"}, {"name": "user-agent", "value": "Mozilla/5.0"}, {"name": "sec-ch-ua", "value": "x"}],
          "queryString": [{"name": "from", "value": "mail"}], "cookies": [], "headersSize": -1, "bodySize": 0},
          "response": {"status": 200, "content": {"mimeType": "text/html"}}},
        {"_resourceType": "image", "request": {"method": "GET", "url": "https://shop.example.com/logo.png", "headers": []},
          "response": {"status": 200, "content": {"mimeType": "image/png"}}},
        {"request": {"method": "GET", "url": "https://shop.example.com/app.js", "headers": []},
          "response": {"status": 200, "content": {"mimeType": "application/javascript"}}},
        {"_resourceType": "xhr", "request": {"method": "POST", "url": "https://shop.example.com/api/login",
          "headers": [{"name": "content-type", "value": "application/json"}, {"name": "x-requested-with", "value": "fetch"}],
          "postData": {"mimeType": "application/json", "text": "{\"user\":\"alice\",\"n\":1.0,\"note\":\"${x} and {{y}}\"}"}},
          "response": {"status": 201, "content": {"mimeType": "application/json"}}},
        {"_resourceType": "xhr", "request": {"method": "GET", "url": "https://shop.example.com/api/me",
          "headers": [{"name": "authorization", "value": "Bearer eyJhbGciOi"}]}, "response": {"status": 200}},
        {"_resourceType": "xhr", "request": {"method": "GET", "url": "https://shop.example.com/api/orders",
          "headers": [{"name": "authorization", "value": "Bearer eyJhbGciOi"}]}, "response": {"status": 403}},
        {"_resourceType": "xhr", "request": {"method": "POST", "url": "https://shop.example.com/api/form",
          "headers": [{"name": "content-type", "value": "application/x-www-form-urlencoded"}],
          "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "a=1&b=x%20y&a=2"}}, "response": {"status": 302}},
        {"_resourceType": "fetch", "request": {"method": "POST", "url": "https://shop.example.com/api/upload",
          "headers": [{"name": "content-type", "value": "multipart/form-data; boundary=x"}],
          "postData": {"mimeType": "multipart/form-data", "params": [{"name": "caption", "value": "Front"},
            {"name": "image", "fileName": "cover.png", "contentType": "image/png"}]}}, "response": {"status": 204}},
        {"_resourceType": "fetch", "request": {"method": "PUT", "url": "https://shop.example.com/api/note",
          "headers": [], "postData": {"mimeType": "text/plain", "text": "first\nsecond\n"}}, "response": {"status": 0}},
        {"request": {"method": "GET", "url": "data:image/png;base64,AAAA", "headers": []}, "response": {"status": 200}},
        {"response": {}}
      ]}}
    """#

  static let postman = #"""
    {"info": {"name": "Book shop", "description": {"content": "How to buy a book.", "type": "text/plain"},
        "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
      "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}", "type": "string"}]},
      "event": [{"listen": "prerequest", "script": {"exec": ["console.log('start')"]}}],
      "variable": [{"key": "baseUrl", "value": "https://shop.example.com/v1"}, {"key": "unused", "value": "x"}, {"key": "page size", "value": 20},
        {"key": "apiPassword", "value": "hunter2-hunter2"}],
      "item": [
        {"name": "Log in", "event": [{"listen": "test", "script": {"exec": [
            "// what must hold", "pm.test(\"logged in\", function () {", "    pm.response.to.have.status(200);", "});",
            "const body = pm.response.json();", "pm.test('token', () => {", "  pm.expect(body.token).to.be.a('string');",
            "  pm.expect(body.user.roles[0]).to.eql(\"admin\");", "  pm.expect(body.user.age).to.be.above(17);",
            "  pm.expect(body).to.have.property('expires');", "  pm.expect(pm.response.responseTime).to.be.below(500);",
            "  pm.response.to.have.header(\"Content-Type\", \"application/json\");", "});",
            "pm.environment.set(\"token\", body.token);", "if (body.admin) { pm.environment.unset('x'); }"]}}],
          "request": {"auth": {"type": "noauth"}, "method": "POST", "header": [{"key": "Content-Type", "value": "application/json"},
              {"key": "X-Off", "value": "1", "disabled": true}],
            "body": {"mode": "raw", "raw": "{\n  \"user\": \"{{user}}\",\n  \"password\": \"{{apiPassword}}\",\n  \"size\": {{page size}}\n}"},
            "url": {"raw": "{{baseUrl}}/login", "host": ["{{baseUrl}}"], "path": ["login"]}}},
        {"name": "Books", "item": [
          {"name": "List", "request": {"method": "GET", "header": [], "url": {"raw": "{{baseUrl}}/books?page=2&off=1&q=a%20b",
              "query": [{"key": "page", "value": "2"}, {"key": "off", "value": "1", "disabled": true}, {"key": "q", "value": "a%20b"}]}},
            "event": [{"listen": "test", "script": {"exec": ["pm.test('ok', function () {", "pm.expect(pm.response.code).to.be.oneOf([200, 206]);",
              "var json = pm.response.json();", "pm.expect(json.items).to.have.lengthOf(20);", "pm.expect(json.items[0]['odd name']).to.equal('x');",
              "pm.collectionVariables.set('bookId', json.items[0].id);", "})"]}}]},
          {"name": "List", "request": {"method": "DELETE", "url": {"raw": "{{baseUrl}}/books/:id/{{bookId}}", "variable": [{"key": "id", "value": "{{bookId}}"}]}}},
          {"name": "Cover", "request": {"method": "PUT", "url": "{{baseUrl}}/books/{{$guid}}/cover", "body": {"mode": "formdata", "formdata": [
              {"key": "image", "type": "file", "src": "cover.png"}, {"key": "caption", "value": "Front", "type": "text"}, {"key": "lost", "type": "file", "src": null}]},
            "auth": {"type": "basic", "basic": [{"key": "username", "value": "alice"}, {"key": "password", "value": "s3cret"}]}}},
          {"name": "Search", "request": {"method": "POST", "url": {"raw": "{{baseUrl}}/graphql"}, "body": {"mode": "graphql",
              "graphql": {"query": "query Books($n: Int) {\n  books(first: $n) { title }\n}", "variables": "{\"n\": 3}"}}}}
        ]},
        {"name": "Form", "request": {"method": "POST", "url": {"raw": "{{baseUrl}}/form"}, "body": {"mode": "urlencoded", "urlencoded": [
            {"key": "a", "value": "1"}, {"key": "a", "value": "2"}, {"key": "at", "value": "{{$timestamp}}"}]},
          "auth": {"type": "apikey", "apikey": [{"key": "key", "value": "X-Api-Key"}, {"key": "value", "value": "k-1234"}, {"key": "in", "value": "header"}]}}},
        {"name": "OAuth", "request": {"method": "GET", "url": "shop.example.com/plain", "auth": {"type": "oauth2", "oauth2": []}}},
        {"name": "Nothing", "request": {"method": "GET", "url": ""}},
        {"name": "Neither"}
      ]}
    """#
}
