/** The sweep against a plain rule: a blob stays when a row names it, or when it is young. */
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { JobContext } from '../jobs/define.js'
import type { DomainRegistration } from '../operation/registration.js'
import type { BlobBackend } from './backend.js'
import { fileBlobStore } from './file-store.js'
import { sweepBlobsJob, UNNAMED_MS_MAX } from './sweep.js'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-sweep-'))
afterAll(() => rmSync(folder, { recursive: true }))

const domain = (named: ReadonlySet<string>, fails = false) =>
  ({
    async *blobs(_db: unknown, orgId: string) {
      if (fails) throw new Error('the database does not answer')
      for (const key of named) if (key.startsWith(`${orgId}/`)) yield key
    },
  }) as unknown as DomainRegistration

function sweep(blobs: BlobBackend, nowMs: number, domains: readonly DomainRegistration[]): Promise<void> {
  const context = {
    runtime: { domains },
    read: (run: (db: never) => Promise<unknown>) => run(undefined as never),
    nowMs,
    signal: new AbortController().signal,
  }
  return sweepBlobsJob(blobs).run(context as unknown as JobContext<never>, {})
}

const keysOf = async (blobs: BlobBackend) => {
  const keys: string[] = []
  for await (const { key } of blobs.list('')) keys.push(key)
  return keys.sort()
}

it('keeps what a row of any domain names and what is young; of the rest nothing stays', async () => {
  const blob = fc.record({
    org: fc.constantFrom('a', 'ab', 'b', 'gone'),
    kind: fc.constantFrom('attachments', 'archives'),
    name: fc.stringMatching(/^[0-9a-f]{6}$/),
    ageMs: fc.constantFrom(0, UNNAMED_MS_MAX - 1000, UNNAMED_MS_MAX + 1000, 10 * UNNAMED_MS_MAX),
    namedBy: fc.constantFrom(null, 'messages', 'plugins'),
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(blob, { maxLength: 8, selector: ({ name }) => name }), async (made) => {
      const own = join(folder, String(run++))
      const store = fileBlobStore(own)
      const nowMs = Date.now()
      const ages = new Map(made.map(({ org, kind, name, ageMs }) => [`${org}/${kind}/${name}`, ageMs]))
      for (const [key, ageMs] of ages) {
        await store.put(key, Readable.from([Buffer.from(key)]), key.length)
        const at = (nowMs - ageMs) / 1000
        const name = key.split('/').at(-1) ?? ''
        const path = (await readdir(own, { recursive: true })).find((each) => each.endsWith(`/${name}`)) ?? ''
        await utimes(join(own, path), at, at)
      }
      const namedBy = (who: string) =>
        new Set(made.filter((each) => each.namedBy === who).map(({ org, kind, name }) => `${org}/${kind}/${name}`))
      const domains = [domain(namedBy('messages')), domain(namedBy('plugins'))]
      await sweep(store, nowMs, domains)
      const stays = made
        .filter(({ namedBy: by, ageMs }) => by !== null || ageMs < UNNAMED_MS_MAX)
        .map(({ org, kind, name }) => `${org}/${kind}/${name}`)
      expect(await keysOf(store)).toEqual(stays.sort())
    }),
    { numRuns: 40 },
  )
})

it('deletes nothing when it cannot learn what is named', async () => {
  const store = fileBlobStore(join(folder, 'failing'))
  await store.put('a/k/x', Readable.from([Buffer.from('x')]), 1)
  await expect(sweep(store, Date.now() + 2 * UNNAMED_MS_MAX, [domain(new Set(), true)])).rejects.toThrow()
  expect(await keysOf(store)).toEqual(['a/k/x'])
})
