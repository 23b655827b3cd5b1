/**
 * Named statements of PostgreSQL: parsed and planned once for each connection, then only bound. A name says what the
 * statement is, so that one that another process left behind in a shared connection is the same statement.
 *
 * A pooler that moves transactions between connections, and does not carry names along, answers that a statement is unknown
 * or is there already. From then on this process names none: its transactions run again without.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { isLostStatement } from './database-error.js'

/** @returns the name of a statement with this text, the same in every process. */
export const statementName = (text: string): string => `pl_${createHash('sha256').update(text).digest('base64url')}`

/** Sends a statement on the client, under its name as long as names work. */
export type Send = (
  client: Pick<pg.PoolClient, 'query'>,
  config: pg.QueryConfig,
  values: unknown[],
) => Promise<pg.QueryResult>

export function namedStatements(): Send {
  let isOn = true
  return async (client, config, values) => {
    try {
      return await client.query(isOn ? config : { ...config, name: undefined }, values)
    } catch (error) {
      if (isLostStatement(error)) isOn = false
      throw error
    }
  }
}
