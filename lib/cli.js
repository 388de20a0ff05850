#!/usr/bin/env node
'use strict'

// `npx pg-protocol-native doctor`. Exit code: 0 the native parser is live, 1 it is not, 2 wrong usage.

const { parseArgs } = require('node:util')
const { version } = require('../package.json')

const USAGE = `Usage: pg-protocol-native doctor [--json]

Says whether the native parser works here, and under which copies of pg it would. Run it in the app's folder.

  --json      print the report as JSON
  --help      print this text
  --version   print the version of this package

Exit code: 0 if the native parser is live, 1 if it is not, 2 on wrong usage.
`

process.exitCode = main(process.argv.slice(2))

/**
 * @param {string[]} args
 * @returns {number}
 */
function main(args) {
  let parsed
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    })
  } catch (err) {
    return wrongUsage(/** @type {Error} */ (err).message)
  }
  const { values, positionals } = parsed
  if (values.help) return print(USAGE)
  if (values.version) return print(`${version}\n`)
  if (positionals.length === 0) return wrongUsage('a command is missing')
  if (positionals.length > 1 || positionals[0] !== 'doctor') {
    return wrongUsage(`unknown command: ${positionals.join(' ')}`)
  }
  const report = require('./doctor').examine(process.cwd())
  print(values.json ? `${JSON.stringify(report, null, 2)}\n` : format(report))
  return report.native ? 0 : 1
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text)
  return 0
}

/** @param {string} message */
function wrongUsage(message) {
  process.stderr.write(`pg-protocol-native: ${message}\n\n${USAGE}`)
  return 2
}

/**
 * @param {import('./doctor').Report} report
 * @returns {string}
 */
function format(report) {
  const { libc, pg, protocol, direct } = report
  const lines = [
    report.native ? 'The native parser is live.' : `The native parser is not live: ${report.reason}.`,
    '',
    row('binary', report.binary ?? 'none'),
    row('platform', report.platform + (libc ? ` (${libc.name} ${libc.version})` : '')),
    row('version', report.version + (report.addonVersion ? `, addon ${report.addonVersion}` : '')),
    row('node', report.node),
    row('PG_PROTOCOL_NATIVE', report.setting ?? 'not set'),
    row('PG_PROTOCOL_NATIVE_ROWS', report.rowsSetting ?? 'not set'),
    '',
  ]
  if (pg.length === 0) lines.push('No pg can be loaded from this folder or by its dependencies.')
  for (const copy of pg) {
    const from = copy.foundFrom[0] === '.' ? 'from this folder' : `by ${copy.foundFrom.join(', ')}`
    lines.push(
      `pg ${copy.pg.version}, loaded ${from}`,
      row('path', copy.pg.path),
      row('pg-protocol', copy.protocol ? describe(copy.protocol) : 'none'),
      row('register', describeWay(copy.register)),
      row('rows', describeWay(copy.rows)),
      row('override', describeWay(copy.override))
    )
  }
  lines.push('', `pg-protocol, loaded from this folder: ${protocol ? describe(protocol) : 'none'}`)
  lines.push(`Direct use: ${describeWay(direct)}`)
  return `${lines.join('\n')}\n`
}

/**
 * @param {string} label
 * @param {string} text
 */
function row(label, text) {
  return `  ${label.padEnd(25)}${text}`
}

/** @param {import('./doctor').Copy} copy */
function describe(copy) {
  return `${copy.name} ${copy.version} in ${copy.path}`
}

/** @param {{ active: boolean, reason: string }} way */
function describeWay({ active, reason }) {
  return `${active ? 'active' : 'not active'} (${reason})`
}
