/**
 * Goal: over several pages, an export has each message once that the organization wrote or that was sent to it as a
 * whole.
 */
import { expect, it } from 'vitest'
import { describeMessages } from '../../test/support/describe-messages.js'
import { BOTH_DATABASES } from '../../test/support/describe-stores.js'
import { signUp } from '../../test/support/sign-in.js'
import { messageRegistration } from './registration.js'
import { messageTables } from './tables.js'

/** More than two pages of each side. */
const MESSAGES = 3000

await describeMessages('the export of messages', BOTH_DATABASES, (app) => {
  it('has what it sent and received, each once, and nobody else’s', async () => {
    const ada = await signUp(app, 'ada')
    const body = { recipientOrgId: ada.orgId, subject: 's', content: 'c' }
    expect((await app.at(ada, ada.orgId, 'POST', '/messages', body)).status).toBe(201)
    const { store } = app.runtime
    const [like] = await store.system.read((db) => db.select().from(messageTables(db).messages).limit(1))
    if (like === undefined) throw new Error('no message')
    const rows = Array.from({ length: MESSAGES }, (_, n) => ({
      ...like,
      id: `${String((n * 7919) % MESSAGES).padStart(8, '0')}-0000-7000-8000-000000000000`,
      orgId: ['a', 'b', 'c'][n % 3] ?? '',
      recipientOrgId: ['a', 'b', 'a', '*'][n % 4] ?? '',
      threadRecipientUserId: n % 5 === 0 ? 'u' : null,
    }))
    await store.system.write(async (tx) => {
      for (let at = 0; at < MESSAGES; at += 500)
        await tx.insert(messageTables(tx).messages).values(rows.slice(at, at + 500))
    })
    for (const orgId of ['a', 'b', 'c', 'd']) {
      const seen: string[] = []
      const read = <T>(ask: Parameters<typeof store.system.read<T>>[0]) => store.system.read(ask)
      for await (const { row } of messageRegistration.exportRows(read, orgId, new Set(['messages']))) {
        seen.push((row as { id: string }).id)
      }
      const wanted = rows.filter(
        (row) => row.orgId === orgId || (row.recipientOrgId === orgId && row.threadRecipientUserId === null),
      )
      expect(seen).toEqual(wanted.map(({ id }) => id).sort())
    }
  })
})
