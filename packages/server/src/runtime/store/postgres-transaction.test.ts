import { describe, expect, it } from 'vitest'
import { type Last, type PgPool, type PgSession, TransactionError, transaction } from './postgres-transaction.js'

/** A session that notes what leaves together: the statements of a packet, and the packets in their order. */
function fakeSession(options: { fails?: (text: string) => Error | undefined; isPipelined?: boolean } = {}) {
  const packets: string[][] = []
  let open: string[] | null = null
  let count = 0
  const exec = async (text: string) => {
    if (open === null) packets.push([text])
    else open.push(text)
    await Promise.resolve()
    const error = options.fails?.(text)
    if (error !== undefined) throw error
  }
  const pipeline = {
    inOnePacket<T>(send: () => T): T {
      open = []
      try {
        return send()
      } finally {
        packets.push(open)
        open = null
      }
    },
    sentCount: () => count,
  }
  const session: PgSession = options.isPipelined === false ? { builders: {}, exec } : { builders: {}, exec, pipeline }
  const pool: PgPool = { use: (run) => run(session), ping: async () => undefined, close: async () => undefined }
  /** As drizzle's builders do: the statement is sent at once, and counted. */
  const statement = (text: string) => {
    const answer = exec(text)
    count += 1
    return answer
  }
  return { pool, packets, statement, exec }
}

const failing = (text: string, message: string) => (sent: string) => (sent === text ? new Error(message) : undefined)

describe('transaction', () => {
  it('takes three round trips for a row and its evidence', async () => {
    const { pool, packets, statement } = fakeSession()
    const last: Last[] = []
    const run = async () => {
      await statement('row')
      last.push(() => statement('evidence'))
      return 'value'
    }
    expect(await transaction(pool, 'BEGIN', run, last)).toBe('value')
    expect(packets).toEqual([['BEGIN'], ['row'], ['evidence', 'COMMIT']])
  })

  it('sends one after another where the driver waits for each answer', async () => {
    const { pool, packets, statement } = fakeSession({ isPipelined: false })
    await transaction(pool, 'BEGIN', () => statement('row'), [() => statement('evidence')])
    expect(packets.flat()).toEqual(['BEGIN', 'row', 'evidence', 'COMMIT'])
  })

  it.each([true, false])('commits nothing when a last statement fails (pipelined: %s)', async (isPipelined) => {
    const { pool, packets, statement } = fakeSession({ isPipelined, fails: failing('evidence', 'no room') })
    const outcome = transaction(pool, 'BEGIN', () => statement('row'), [() => statement('evidence')])
    await expect(outcome).rejects.toThrow('no room')
    // A COMMIT behind a failed statement is a rollback of PostgreSQL.
    expect(packets.flat()).toEqual(['BEGIN', 'row', 'evidence', isPipelined ? 'COMMIT' : 'ROLLBACK'])
  })

  it('waits with COMMIT for a last statement that was not sent at once, and rolls back when it cannot be sent', async () => {
    const late = fakeSession()
    const afterOneTurn = async () => {
      await Promise.resolve()
      await late.statement('evidence')
    }
    await transaction(late.pool, 'BEGIN', () => late.statement('row'), [afterOneTurn])
    expect(late.packets.flat()).toEqual(['BEGIN', 'row', 'evidence', 'COMMIT'])

    const never = fakeSession()
    const unsendable = () => {
      throw new Error('the value has no text')
    }
    const outcome = transaction(never.pool, 'BEGIN', () => never.statement('row'), [unsendable])
    await expect(outcome).rejects.toThrow('the value has no text')
    expect(never.packets.flat()).toEqual(['BEGIN', 'row', 'ROLLBACK'])
  })

  it('sends nothing behind a BEGIN that failed', async () => {
    const { pool, packets, statement } = fakeSession({ fails: failing('BEGIN', 'BEGIN failed') })
    const outcome = transaction(pool, 'BEGIN', () => statement('row'), [() => statement('evidence')])
    await expect(outcome).rejects.toThrow('BEGIN failed')
    expect(packets).toEqual([['BEGIN']])
  })

  it('says that it is uncertain when the connection is lost at COMMIT', async () => {
    const lost = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
    const { pool, statement } = fakeSession({
      fails: (text) => (text === 'COMMIT' || text === 'evidence' ? lost : undefined),
    })
    const outcome = transaction(pool, 'BEGIN', () => statement('row'), [() => statement('evidence')])
    const error = await outcome.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TransactionError)
    expect((error as TransactionError).isUncertain).toBe(true)
  })
})
