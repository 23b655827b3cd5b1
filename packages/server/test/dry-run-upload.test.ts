/**
 * Guarantee: a dry run of an upload answers and refuses as the upload, and leaves every table and every stored file
 * as it was. The rules are those of the real compliance domain.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { complianceOperations } from '../src/compliance/operations.js'
import { inProcessCompliance } from '../src/compliance/port/in-process.js'
import { complianceRegistration } from '../src/compliance/registration.js'
import { identityRegistration } from '../src/identity/registration.js'
import { TENANT_OPERATIONS } from '../src/identity/tenant-operations.js'
import { pluginCatalog } from '../src/plugin/entities.js'
import { pluginOperations } from '../src/plugin/operations.js'
import { pluginRegistration } from '../src/plugin/registration.js'
import { fileBlobStore } from '../src/runtime/blobs/file-store.js'
import { memberOf, noLatest, signUp } from './support/compliance.js'
import { describeCompliance } from './support/describe-compliance.js'
import { BOTH_DATABASES } from './support/describe-stores.js'
import { everyRow } from './support/every-row.js'
import { type PluginFiles, pluginZip, uploadZip } from './support/plugins.js'
import type { Answer, SignedIn } from './support/sign-in.js'

const PLACES = 3
const BYTES = 100_000
const folder = mkdtempSync(join(tmpdir(), 'plumbline-dry-run-'))
const setup = {
  stores: BOTH_DATABASES,
  operations: [...TENANT_OPERATIONS, ...complianceOperations, ...pluginOperations],
  domains: [identityRegistration, complianceRegistration, pluginRegistration],
  ports: { compliance: inProcessCompliance, blobs: fileBlobStore(folder), plugins: pluginCatalog },
  settings: {
    BILLING_ENABLED: 'true',
    QUOTA_TIER_DEVELOPER_PLUGINS: String(PLACES),
    QUOTA_TIER_DEVELOPER_STORAGE_BYTES: String(BYTES),
  },
}

/** The stored archives and their bytes. */
const everyFile = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path, readFileSync(path, 'base64')]),
  )

/** What an answer says, without the ids and the address of what was written. */
const said = ({ status, body }: Answer): unknown =>
  JSON.parse(
    JSON.stringify({ status, body }, (key, value) =>
      ['pluginId', 'jobId', 'requestId', 'checkId', 'checkPath'].includes(key) ? undefined : value,
    ),
  )

await describeCompliance('a dry run of an upload', setup, (kit) => {
  let ada: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    await kit.call(ada, 'POST', '/rules', noLatest())
    const described = { name: 'described', field: 'description', operator: 'exists', severity: 'warning' }
    await kit.call(ada, 'POST', '/rules', { target: 'plugin', ...described })
  })
  const stored = async () => ({ rows: await everyRow(kit.store), files: everyFile() })

  async function tried(zip: ReturnType<typeof pluginZip>, fields = {}): Promise<Answer> {
    const before = await stored()
    const headers = { 'x-org-id': ada.orgId, 'idempotency-key': 'one-key' }
    const answer = await uploadZip(kit.app, ada, zip, fields, { query: '?dryRun=true', headers })
    expect(await stored()).toEqual(before)
    expect([answer.headers.get('etag'), answer.headers.get('location')]).toEqual([null, null])
    return answer
  }
  /** Tries an upload, then makes it. */
  async function both(files: PluginFiles, fields = {}): Promise<Answer> {
    const dry = await tried(pluginZip(files), fields)
    const done = await uploadZip(kit.app, ada, pluginZip(files), fields, { headers: { 'x-org-id': ada.orgId } })
    expect(said(dry)).toEqual(said(done))
    return done
  }

  it('says what is created or replaced, with the warnings of the rules', async () => {
    const made = await both({}, { labels: '{"team":"web"}', setDefault: 'true' })
    expect(made).toMatchObject({
      status: 201,
      data: { created: true, complianceWarnings: [{ ruleName: 'described' }] },
    })
    expect(await both({ spec: 'description: Builds the shop.\n' })).toMatchObject({
      status: 200,
      data: { created: false, complianceWarnings: [] },
    })
  })

  it('queues no build, and says that one would be queued', async () => {
    expect(await both({ name: 'built', buildType: 'build_image' })).toMatchObject({ status: 202 })
    // The build that is queued is not cancelled for one that is not stored.
    expect(await tried(pluginZip({ name: 'built', buildType: 'build_image' }))).toMatchObject({ status: 202 })
  })

  it('is refused for its archive, its specification, its rules and its fields as the upload is', async () => {
    expect((await tried(new Uint8Array([1, 2, 3]) as ReturnType<typeof pluginZip>)).code).toBe('VALIDATION_ERROR')
    expect((await both({ spec: 'timeout: never\n' })).code).toBe('VALIDATION_ERROR')
    expect((await both({ spec: 'env:\n  A: "{{ pipeline.nothing }}"\n' })).code).toMatch(/^TEMPLATE_/)
    expect((await both({ version: 'latest' })).status).toBeGreaterThanOrEqual(400)
    await kit.call(ada, 'POST', '/rules', noLatest('no twos', { value: '2.0.0' }))
    expect(await both({ version: '2.0.0' })).toMatchObject({
      code: 'COMPLIANCE_VIOLATION',
      body: { details: { violations: expect.arrayContaining([expect.objectContaining({ ruleName: 'no twos' })]) } },
    })
    expect((await both({ name: 'odd' }, { criticality: 'whatever' })).code).toBe('VALIDATION_ERROR')
    expect((await tried(pluginZip({ name: 'public' }), { accessModifier: 'public' })).status).toBe(201)
  })

  it('needs the rights of the upload', async () => {
    const tries = async (as: SignedIn, fields = {}) =>
      uploadZip(kit.app, as, pluginZip({ name: 'theirs' }), fields, {
        query: '?dryRun=true',
        headers: { 'x-org-id': ada.orgId },
      })
    const member = await memberOf(kit, ada, 'member')
    expect((await tries(member, { accessModifier: 'public' })).code).toBe('INSUFFICIENT_PERMISSIONS')
    expect((await tries(await signUp(kit.app, 'eve'))).status).toBe(403)
    expect((await tries(ada)).status).toBe(201)
  })

  it('takes no place of the account, and is refused when none is left', async () => {
    for (let round = 0; round < PLACES; round++) {
      expect((await tried(pluginZip({ name: `try-${round}` }))).status).toBe(201)
    }
    expect((await both({ name: 'last' })).status).toBe(201)
    expect((await both({ name: 'beyond' })).code).toBe('QUOTA_EXCEEDED')
    expect((await both({ name: 'last', files: [{ name: 'large.txt', content: randomBytes(BYTES) }] })).code).toBe(
      'QUOTA_EXCEEDED',
    )
  })
})
