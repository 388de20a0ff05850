'use strict'

// One page with all of it, which needs nothing but itself: it can be mailed, attached to a release, or opened from disk.

/** @param {string} text */
const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const STYLE = `
body { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; color: #24292f; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
figure { margin: 1rem 0; border: 1px solid #d0d7de; border-radius: 6px; max-width: 54rem; }
figure svg { display: block; width: 100%; height: auto; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; margin: 1rem 0; }
th, td { border-bottom: 1px solid #d0d7de; padding: 0.2rem 0.6rem; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
code { font-size: 0.9em; background: #f0f2f4; border-radius: 3px; padding: 0 0.2em; }
`

/**
 * Charts carry ids (clip paths), which must not meet on one page.
 * @param {string} svg
 * @param {string} prefix
 */
const withOwnIds = (svg, prefix) =>
  svg
    .replace(/\bid="([^"]+)"/g, `id="${prefix}$1"`)
    .replace(/url\(#([^)]+)\)/g, `url(#${prefix}$1)`)
    .replace(/\bhref="#([^"]+)"/g, `href="#${prefix}$1"`)

/** The little of Markdown that results are written in: tables, paragraphs, code. @param {string} markdown */
const toHtml = (markdown) =>
  markdown
    .split('\n\n')
    .map((block) => block.split('\n'))
    .map((lines) => (lines[0].startsWith('|') ? tableOf(lines) : `<p>${inline(lines.join(' '))}</p>`))
    .join('\n')

/** @param {string[]} lines */
const tableOf = ([head, , ...rows]) => {
  const cells = (/** @type {string} */ line, /** @type {string} */ tag) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
      .join('')
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
  return `<div class="table"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>\n${body}\n</tbody></table></div>`
}

/** @param {string} text */
const inline = (text) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/**
 * @param {{file: string, view: import('./views').View}[]} entries
 * @returns {string} HTML
 */
const pageOf = (entries) => {
  const sections = entries.map(({ file, view }, at) => {
    const figures = view.charts.map(
      ({ name, svg }) => `<figure>${withOwnIds(svg, `r${at}-${name}-`)}</figure>`
    )
    return `<section>\n<h2>${escape(view.title)}</h2>\n<p><code>${escape(file)}</code></p>\n${figures.join('\n')}\n${toHtml(view.markdown)}\n</section>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Benchmarks of pg-protocol-native</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Benchmarks of pg-protocol-native</h1>
<p>How it was measured stands in <code>benchmark/NOTES.md</code>; the figures of every round are in the files named below.</p>
${sections.join('\n')}
</body>
</html>
`
}

module.exports = { pageOf }
