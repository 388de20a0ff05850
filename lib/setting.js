'use strict'

/**
 * Reads a setting from the environment: one of a few words, the first of which also serves where it is not set.
 *
 * @param {string} name
 * @param {string[]} words
 * @param {boolean} [open] whether there are words besides, which the caller knows
 * @returns {string}
 */
function readSetting(name, words, open = false) {
  let value
  try {
    value = process.env[name]
  } catch {
    // Deno without --allow-env
  }
  const setting = (value ?? '').trim().toLowerCase() || words[0]
  if (open || words.includes(setting)) return setting
  const quoted = words.map((word) => JSON.stringify(word))
  const list = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
  throw new Error(`${name} must be ${list}, not ${JSON.stringify(value)}`)
}

/** Whether register builds rows: 'auto' or 'off'. */
function readRowsSetting() {
  return readSetting('PG_PROTOCOL_NATIVE_ROWS', ['auto', 'off'])
}

exports.readRowsSetting = readRowsSetting
exports.readSetting = readSetting
