'use strict'

const { Client } = require('pg')

/**
 * How clients that know nothing of pg's settings reach the same server.
 * @param {import('pg').ClientConfig} config
 */
const urlOf = (config) => {
  if (config.connectionString) return config.connectionString
  const { user, password, host, port, database } = new Client(config)
  const url = new URL('postgres://localhost')
  url.pathname = `/${database ?? user}`
  url.username = encodeURIComponent(user ?? '')
  if (typeof password === 'string') url.password = encodeURIComponent(password)
  if (host.startsWith('/')) url.searchParams.set('host', host)
  else url.hostname = host
  url.port = String(port)
  return url.href
}

module.exports = { urlOf }
