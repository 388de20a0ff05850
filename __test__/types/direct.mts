// Compiled, never run: the same from an ES module.

import pg from 'pg'
import * as named from 'pg'
import protocol, { native, parse, Parser } from 'pg-protocol-native'
import { accelerate, type Acceleration } from 'pg-protocol-native/pg'
import registration from 'pg-protocol-native/register'

const acceleration: Acceleration = accelerate(pg)
accelerate(named, { rows: true }).restore()
const rows: number = acceleration.stats.rows + registration.stats.rows
new protocol.Parser() satisfies Parser
parse(process.stdin, (message) => message.name.concat(String(native && rows > 0))).then(() => {})
