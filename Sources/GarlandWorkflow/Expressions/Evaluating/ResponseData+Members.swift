import GarlandJSON

extension ResponseData {
  /// Returns a part of the response, such as the status, as the value of an expression.
  func value(of member: ResponseMember, at range: Range<Int>) throws(ExpressionFailure) -> Value {
    switch member {
    case .status: return .plain(JSONValue(status))
    case .url: return .plain(.string(url))
    case .time: return .plain(JSONNumber(time).map { .number($0) } ?? .null)
    case .size: return .plain(JSONValue(size))
    case .version: return .plain(.string(version))
    case .attempts: return .plain(JSONValue(attempts))
    case .redirects: return .plain(.array(redirects))
    case .json:
      do {
        return .plain(try json())
      } catch {
        throw .wrong(error.isLocal ? .file : .responseBody, error.message, at: range)
      }
    case .text:
      do {
        return .plain(.string(try text()))
      } catch {
        throw .wrong(error.isLocal ? .file : .responseBody, error.message, at: range)
      }
    case .headers:
      var fields = JSONObject()
      var seen: Set<String> = []
      for header in allHeaders where seen.insert(header.name.lowercased()).inserted {
        let values = headers(named: header.name)
        fields[header.name] = values.count == 1 ? .string(values[0]) : .array(values.map { .string($0) })
      }
      return .plain(.object(fields))
    case .cookies:
      var cookies = JSONObject()
      for cookie in allCookies { cookies[cookie.name] = .string(cookie.value) }
      return .plain(.object(cookies))
    case .items:
      do {
        return .plain(.array(try items()))
      } catch {
        throw .wrong(error.isLocal ? .file : .responseBody, error.message, at: range)
      }
    case .method: return .plain(.string(method))
    case .query:
      var parameters = JSONObject()
      for (name, value) in query {
        switch parameters[name] {
        case .array(let values)?: parameters[name] = .array(values + [.string(value)])
        case let first?: parameters[name] = .array([first, .string(value)])
        case nil: parameters[name] = .string(value)
        }
      }
      return .plain(.object(parameters))
    }
  }
}
