/**
 * Named statements of PostgreSQL: they are parsed and planned once for each connection and then only bound. A name is
 * derived from the text of its statement. So a statement that another process left behind in a shared connection is the
 * same statement.
 *
 * Some poolers move transactions between connections without carrying names along. PostgreSQL then reports that a
 * statement is unknown or exists already. From then on this process uses no names, and its transactions run again
 * without them.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { isLostStatement } from './database-error.js'

/** @returns the name of a statement with this text, the same in every process. */
export const statementName = (text: string): string => `pl_${createHash('sha256').update(text).digest('base64url')}`

/** Sends a statement on the client, with its name as long as names work. */
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
