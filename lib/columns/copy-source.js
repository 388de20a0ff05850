'use strict'

/**
 * The query whose columns a COPY has: a COPY itself is not described by the server.
 */

/** What counts as one thing: nothing in it is looked at. */
const OPAQUE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)?\$[^]*?\$\1\$|--[^\n]*|\/\*[^]*?\*\//y

/**
 * @param {string} text of a COPY
 * @returns {string | null} null where it is not seen what is copied
 */
function sourceOf(text) {
  const head = /^\s*copy\s+/i.exec(text)
  if (head === null) return null
  let at = head[0].length
  let depth = 0
  let open = -1
  for (; at < text.length; at++) {
    OPAQUE.lastIndex = at
    const opaque = OPAQUE.exec(text)
    if (opaque !== null) {
      at += opaque[0].length - 1
      continue
    }
    const char = text[at]
    if (char === '(' && depth++ === 0) open = at
    else if (char === ')') depth--
    else if (depth === 0 && /^\s+to\s+stdout\b/i.test(text.slice(at))) break
    else if (depth === 0 && text[at - 1] === ')' && /^to\s+stdout\b/i.test(text.slice(at))) break
  }
  if (at >= text.length || depth !== 0) return null
  const source = text.slice(head[0].length, at).trim()
  if (source.startsWith('(')) return source.endsWith(')') ? source.slice(1, -1) : null
  if (open < 0) return `select * from ${source}`
  if (!source.endsWith(')')) return null
  return `select ${text.slice(open + 1, text.lastIndexOf(')', at))} from ${text.slice(head[0].length, open).trim()}`
}

module.exports = { sourceOf }
