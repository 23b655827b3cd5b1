/** The order and the ranges of versions, compared with the library `semver`. */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { compare, Range, satisfies } from 'semver'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqliteStore } from '../../test/support/stores.js'
import type { Store } from '../runtime/store/db.js'
import { pluginTables } from './tables.js'
import { isRelease, versionIs, versionKey } from './version.js'

const number = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 999_999_999 }))
const identifier = fc.oneof(number.map(String), fc.constantFrom('alpha', 'beta', 'rc', 'rc1', 'a-b', 'A', 'x0'))
const version = fc
  .tuple(number, number, number, fc.array(identifier, { maxLength: 3 }), fc.constantFrom('', '', '+build.1'))
  .map(
    ([major, minor, patch, pre, build]) =>
      `${major}.${minor}.${patch}${pre.length === 0 ? '' : `-${pre.join('.')}`}${build}`,
  )

it('keys sort as SemVer does', () => {
  fc.assert(
    fc.property(version, version, (a, b) => {
      const keys = Buffer.compare(Buffer.from(versionKey(a)), Buffer.from(versionKey(b)))
      expect(Math.sign(keys)).toBe(Math.sign(compare(a, b)))
      expect(isRelease(a)).toBe(!(a.split('+')[0] ?? '').includes('-'))
    }),
    { numRuns: 3000 },
  )
})

let store: Store
beforeAll(async () => {
  store = await sqliteStore()
})
afterAll(() => store.close())

it('ranges match the versions that SemVer says', async () => {
  const versions = [...new Set(fc.sample(version, { numRuns: 60, seed: 3 }).map((each) => each.split('+')[0] ?? each))]
  await store.system.write(async (tx) => {
    const { pluginLabels } = pluginTables(tx)
    // Any table with a text column works: the label's key and value stand for the key of a version and the version.
    for (const each of versions) {
      await tx.insert(pluginLabels).values({
        entityId: each,
        orgId: 'o',
        isShared: false,
        isActive: true,
        createdAtMs: 0,
        key: versionKey(each),
        value: each,
      })
    }
  })
  const bound = version.map((each) => each.split('+')[0] ?? each)
  const range = fc.oneof(
    fc.tuple(fc.constantFrom('^', '~', '>=', '<', '<=', '>'), bound).map(([sign, each]) => `${sign}${each}`),
    fc.tuple(bound, bound).map(([a, b]) => `>=${a} <${b}`),
    fc.tuple(bound, bound).map(([a, b]) => `^${a} || ~${b}`),
    fc.constantFrom('*', '1.x', '1 - 3', '>2'),
  )
  await fc.assert(
    fc.asyncProperty(range, async (text) => {
      const found = await store.system.read((db) => {
        const { pluginLabels: t } = pluginTables(db)
        const where = versionIs({ version: t.value, versionKey: t.key }, text)
        return db
          .select({ version: t.value })
          .from(t)
          .where(where ?? eq(t.value, ''))
      })
      const wanted = versions.filter((each) => satisfies(each, new Range(text)))
      expect(found.map((row) => row.version).sort()).toEqual(wanted.sort())
    }),
    { numRuns: 150 },
  )
})
