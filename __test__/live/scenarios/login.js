'use strict'

const { recordMessages } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

/** Logs in and gives the messages of it, without what differs from one login to the next. */
const login = async (/** @type {Context} */ { pg, config }, /** @type {any} */ options) => {
  const client = new pg.Client(config(options))
  const messages = recordMessages(client)
  client.on('error', () => {})
  const outcome = await client.connect().then(
    () => client.query('select session_user as me').then((/** @type {any} */ { rows }) => rows[0].me),
    (/** @type {any} */ error) => error
  )
  await client.end()
  for (const message of messages) {
    if (typeof message.data === 'string') message.data = message.data.replace(/(^|,)([rsv])=[^,]+/g, '$1$2=')
    if (message.salt) message.salt.bytes = message.salt.bytes.length
    if (message.name === 'backendKeyData') {
      message.processID = typeof message.processID
      message.secretKey = typeof message.secretKey
    }
  }
  return { outcome, messages }
}

/** Only our own server lets roles be made and has a rule for each way of logging in. */
const withRoles = async (/** @type {Context} */ context) => {
  if (!context.embedded) return
  const client = await context.connect()
  await client.query(`
    set client_min_messages = error;
    begin;
    select pg_advisory_xact_lock(1);
    do $$ declare role text; begin
      for role in values ('pgn_trust'), ('pgn_password'), ('pgn_md5'), ('pgn_scram') loop
        if not exists (select from pg_roles where rolname = role) then
          execute format('set local password_encryption = %L', case role when 'pgn_md5' then 'md5' else 'scram-sha-256' end);
          execute format('create role %I login password ''sécret''', role);
        end if;
      end loop;
    end $$;
    commit
  `)
}

const URL_FREE = (
  /** @type {Context} */ context,
  /** @type {string} */ user,
  /** @type {string} */ password
) => {
  const { host, port, database } = new context.pg.Client(context.config())
  // a connection string would win over the single settings
  return { connectionString: undefined, host, port, database, user, password }
}

module.exports = {
  async 'the login of the test server itself'(/** @type {Context} */ context) {
    return login(context, {})
  },

  async 'each way to log in'(/** @type {Context} */ context) {
    await withRoles(context)
    const outcomes = []
    if (!context.embedded) outcomes.push(await login(context, {}))
    else {
      for (const user of ['pgn_trust', 'pgn_password', 'pgn_md5', 'pgn_scram']) {
        const { outcome, messages } = await login(context, URL_FREE(context, user, 'sécret'))
        if (outcome !== user) throw outcome
        outcomes.push({ outcome, messages })
      }
    }
    return outcomes
  },

  async 'logins that are refused'(/** @type {Context} */ context) {
    await withRoles(context)
    const { user } = new context.pg.Client(context.config())
    return [
      await login(context, URL_FREE(context, user, 'surely not the password')),
      await login(context, { ...URL_FREE(context, 'pgn_nobody', 'x') }),
      context.embedded && (await login(context, URL_FREE(context, 'pgn_md5', 'wrong'))),
      context.embedded &&
        (await login(context, { ...URL_FREE(context, 'pgn_trust', ''), database: 'pgn_nowhere' })),
    ]
  },

  async 'a connection that breaks off in the middle of the login'(/** @type {Context} */ { pg, config }) {
    const client = new pg.Client(config())
    client.on('error', () => {})
    client.connection.once('message', () => client.connection.stream.destroy())
    return client.connect().then(
      () => 'all of it came in one piece',
      (/** @type {any} */ error) => error
    )
  },
}
