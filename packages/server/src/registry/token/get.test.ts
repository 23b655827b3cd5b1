/** Tokens for the registry: who gets them, what they grant, for how long; and that a real registry accepts them. */
import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { forgedRegistryTokens } from '../../../test/support/forged-registry-tokens.js'
import { stepUp as confirm, enrol, organizationApp } from '../../../test/support/organizations.js'
import { type PluginApp, pluginApp, uploaded } from '../../../test/support/plugins.js'
import { freePort, registryMissing, startRegistry } from '../../../test/support/registry.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import { pluginNames } from '../../plugin/entities.js'
import { quotaTables } from '../../quota/tables.js'
import type { Limiter } from '../../runtime/operation/buckets.js'
import { pluginNamesPort } from '../../runtime/records/plugin-names.js'
import type { Store } from '../../runtime/store/db.js'
import { bundleOf } from '../keys.js'
import { newTokenKey } from '../new-key.js'
import { getToken } from './get.js'

const SERVICE = 'plumbline-registry'
const KEYS = newTokenKey(Date.parse('2026-11-20T00:00:00Z'))

await describeStores('tokens for the registry', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: PluginApp
  let ann: SignedIn
  let ben: SignedIn
  const counted: string[] = []
  const limiter: Limiter = {
    take(bucket, key) {
      counted.push(`${bucket} ${key}`)
      const used = counted.filter((each) => each === `${bucket} ${key}`).length
      return bucket === 'registry-refused' && used > 20
        ? { allowed: false, limit: 20, remaining: 0, resetMs: 1000 }
        : null
    },
  }
  beforeAll(async () => {
    store = await open()
    app = await pluginApp(store, {
      operations: [getToken, ...TENANT_OPERATIONS],
      limiter,
      settings: { REGISTRY_URL: 'http://127.0.0.1:5000', REGISTRY_TOKEN_KEYS: KEYS },
    })
    app.ports.set(pluginNamesPort, pluginNames)
    ann = await signUp(app, 'ann')
    ben = await signUp(app, 'ben')
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await app.identity.settle()
    await store.close()
  })

  const basic = (name: string, secret: string) => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
  async function ask(authorization: string | null, scopes: readonly string[] = [], service = SERVICE) {
    const query = new URLSearchParams({ service })
    for (const scope of scopes) query.append('scope', scope)
    const response = await app.http.request(`/api/registry/token?${query}`, {
      headers: authorization === null ? {} : { authorization },
    })
    const body = (await response.json()) as { token: string; access_token: string } & {
      expires_in: number
      issued_at: string
      code?: string
    }
    return { status: response.status, headers: response.headers, ...body }
  }
  const accessOf = async (authorization: string, ...scopes: string[]) => {
    const answer = await ask(authorization, scopes)
    expect(answer.status).toBe(200)
    return accessIn(answer.token)
  }
  const accessIn = (token: string) =>
    decodeJwt<{ access: { name: string; actions: string[] }[] }>(token).access.map(
      ({ name, actions }) => `${name}:${actions.join(',')}`,
    )
  async function personal(as: SignedIn, body: object = {}): Promise<{ token: string; id: string }> {
    const headers = await confirm(app, as)
    const made = await app.call('POST', '/auth/pats', { as, body: { name: `t${Math.random()}`, ...body }, headers })
    return { token: made.data.token, id: made.data.pat.id }
  }

  it('are given to personal access tokens under any name, and to no password and nobody', async () => {
    const { token } = await personal(ann)
    const answer = await ask(basic('anyone', token))
    expect([answer.status, answer.expires_in, answer.token === answer.access_token]).toEqual([200, 120, true])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const claims = decodeJwt(answer.token)
    expect(claims).toMatchObject({ iss: 'plumbline', aud: SERVICE, sub: ann.userId, access: [] })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(120)
    for (const wrong of [
      null,
      basic('ann', 'Correct-Horse-7'),
      basic('ann', `${token}x`),
      `Bearer ${token}`,
      'Basic !',
      basic('ann', `${token}€`),
      basic('ann', 'plp_\0'),
      basic('a\0', 'plk_wrong'),
    ]) {
      const refused = await ask(wrong)
      expect([refused.status, refused.headers.get('www-authenticate')?.startsWith('Basic ')]).toEqual([401, true])
    }
    expect((await ask(basic('x', token), [], 'another')).status).toBe(400)
    const posted = await app.http.request(`/api/registry/token?service=${SERVICE}`, { method: 'POST' })
    expect(posted.status).toBe(404)
    const alias = await app.http.request(`/api/token?service=${SERVICE}`, {
      headers: { authorization: basic('x', token) },
    })
    expect(alias.status).toBe(200)
  })

  it('give nothing for what is not asked as clients ask', async () => {
    const by = basic('ann', (await personal(ann)).token)
    for (const query of ['', '?scope=repository:system/a:pull', '?service=another', '?service=']) {
      const answer = await app.http.request(`/api/registry/token${query}`, { headers: { authorization: by } })
      const body = (await answer.json()) as { code: string; details: unknown }
      expect([query, answer.status, body.code]).toEqual([query, 400, 'VALIDATION_ERROR'])
      expect(JSON.stringify(body.details)).toMatch(/\/query\/service.*must be `plumbline-registry`/)
    }
    const own = `org-${ann.orgId}`
    const good = `repository:${own}/mine:pull`
    const many = Array.from({ length: 1000 }, (_, n) => `repository:${own}/r${n}:pull`)
    expect(await accessOf(by, ...many)).toHaveLength(20)
    const bad = [
      ...['*', 'repository:*:pull', `repository:${own}/*:pull`, `repository:${own}:pull`, 'registry:catalog:*'],
      ...[`repository:${own}/mine%00:pull`, `repository:${own}/../x:pull`],
      ...[`repository:${own}/MINE:pull`, `repository:org-${ben.orgId}/x:pull`, `repository:${own}/mine:delete,*`],
      ...['repository::pull', `repository:${own}/${'a'.repeat(300)}:pull`, 'repository:system/a:push'],
    ]
    // A NUL character is refused before any look-up.
    expect((await ask(by, [`repository:${own}/mi\0ne:pull`])).status).toBe(400)
    bad.push(':', 'pull', 'Repository:system/a:pull', `REPOSITORY:${own}/mine:pull`)
    for (const scope of bad) {
      expect([scope, await accessOf(by, scope, good)]).toEqual([scope, [`${own}/mine:pull`]])
      expect([scope, await accessOf(by, good, scope)]).toEqual([scope, [`${own}/mine:pull`]])
      expect([scope, await accessOf(by, `${good} ${scope}`)]).toEqual([scope, [`${own}/mine:pull`]])
    }
  })

  it('name what the caller may use now', async () => {
    await uploaded(app, ann, { name: 'web' })
    const own = `org-${ann.orgId}`
    const anns = basic('ann', (await personal(ann)).token)
    const reads = basic('ann', (await personal(ann, { permissions: ['plugins:read'] })).token)
    const bens = basic('ben', (await personal(ben)).token)
    const all = [
      `repository:${own}/mine:pull,push`,
      `repository:${own}/web:pull,push`,
      'repository:system/base:pull,push',
    ]
    expect(await accessOf(anns, ...all)).toEqual([`${own}/mine:pull,push`, `${own}/web:pull`, 'system/base:pull'])
    expect(await accessOf(anns, all.join(' '))).toEqual(await accessOf(anns, ...all))
    expect(await accessOf(reads, ...all)).toEqual([`${own}/mine:pull`, `${own}/web:pull`, 'system/base:pull'])
    expect(await accessOf(bens, ...all)).toEqual(['system/base:pull'])
    expect(await accessOf(anns, `repository:org-${ben.orgId}/x:pull`, 'registry:catalog:*')).toEqual([])
    // A token bound to one organization grants nothing in another organization of its owner.
    await enrol(app, ann, ben.orgId, ['Admin'])
    expect(await accessOf(anns, `repository:org-${ben.orgId}/x:pull`)).toEqual([])
  })

  it('are the same for equal requests of a few seconds, and hold what is granted at each of them', async () => {
    const own = `org-${ann.orgId}`
    const made = await personal(ann)
    const by = basic('ann', made.token)
    const pull = `repository:${own}/mine:pull`
    const first = await ask(by, [pull])
    app.clock.advance(4000)
    const second = await ask(by, [pull])
    expect([second.token === first.token, second.expires_in, second.issued_at]).toEqual([true, 116, first.issued_at])
    const exp = (token: string) => decodeJwt(token).exp ?? 0
    expect(exp(second.token)).toBe(Math.floor(app.clock.now() / 1000) + second.expires_in)
    // Other access, another person, another age: another token.
    expect(accessIn((await ask(by, [`${pull},push`])).token)).toEqual([`${own}/mine:pull,push`])
    expect(accessIn((await ask(by, [`repository:${own}/other:pull`])).token)).toEqual([`${own}/other:pull`])
    const bens = await ask(basic('ben', (await personal(ben)).token), [])
    const anns = await ask(by, [])
    expect([decodeJwt(bens.token).sub, decodeJwt(anns.token).sub]).toEqual([ben.userId, ann.userId])
    app.clock.advance(1000)
    const third = await ask(by, [pull])
    expect([third.token === first.token, third.expires_in]).toEqual([false, 120])
    // Set back by an hour, the clock does not keep a token alive.
    app.clock.advance(-3_600_000)
    expect((await ask(by, [pull])).token).not.toBe(third.token)
    app.clock.advance(3_600_000)
    await app.call('DELETE', `/auth/pats/${made.id}`, { as: ann })
    expect((await ask(by, [pull])).status).toBe(401)
  })

  it('give no push while the storage of the account is full', async () => {
    const by = basic('ann', (await personal(ann)).token)
    await uploaded(app, ann, { name: 'stored' })
    const limits = (override: number | null) =>
      store.system.write(async (tx) => {
        const { quotaLimits: t } = quotaTables(tx)
        await tx.delete(t)
        const own = { orgId: ann.orgId, type: 'storageBytes', granted: 0, updatedAtMs: 0 }
        if (override !== null) await tx.insert(t).values({ ...own, override })
      })
    const name = `org-${ann.orgId}/mine`
    await limits(1)
    expect(await accessOf(by, `repository:${name}:pull,push`, `repository:${name}2:push`)).toEqual([`${name}:pull`])
    await limits(1024 ** 3)
    expect(await accessOf(by, `repository:${name}:pull,push`)).toEqual([`${name}:pull,push`])
    await limits(null)
    expect(await accessOf(by, `repository:${name}:pull,push`)).toEqual([`${name}:pull,push`])
  })

  it('end with the credential', async () => {
    const made = await personal(ann)
    const by = basic('ann', made.token)
    expect((await ask(by)).status).toBe(200)
    const gone = await app.call('DELETE', `/auth/pats/${made.id}`, { as: ann })
    expect(gone.status).toBeLessThan(300)
    expect((await ask(by)).status).toBe(401)
    const principal = await app.call('POST', `/organization/${ann.orgId}/service-principals`, {
      as: ann,
      body: { name: 'ci', scopes: ['images:pull'] },
      headers: await confirm(app, ann),
    })
    expect(principal.status).toBe(201)
    const { clientId, clientSecret, servicePrincipal } = principal.data
    const service = basic(clientId ?? servicePrincipal.clientId, clientSecret ?? principal.data.secret)
    expect(await accessOf(service, `repository:org-${ann.orgId}/mine:pull,push`)).toEqual([
      `org-${ann.orgId}/mine:pull`,
    ])
  })

  it('are limited by caller, and wrong credentials by address', async () => {
    counted.length = 0
    const by = basic('ann', (await personal(ann)).token)
    await ask(by)
    expect(counted.filter((each) => each.startsWith('registry-token'))).toEqual([`registry-token user:${ann.userId}`])
    expect(counted.filter((each) => each.startsWith('anonymous'))).toEqual([])
    const answers: number[] = []
    for (let n = 0; n < 22; n++) answers.push((await ask(basic('x', `plp_${n}`))).status)
    expect([answers.slice(0, 20).every((status) => status === 401), ...answers.slice(20)]).toEqual([true, 429, 429])
  })

  it('follow caller, repository, action and state, beside the table of the specification', async () => {
    const expires = 3600
    const callers = {
      reads: { pull: true, push: false, pat: ['plugins:read'] },
      writes: { pull: true, push: true, pat: ['plugins:read', 'plugins:write'] },
      pulls: { pull: true, push: false, scopes: ['images:pull'] },
      pushes: { pull: false, push: true, scopes: ['images:push'] },
    } as const
    const states = ['active', 'revoked', 'organization deleted', 'expired'] as const
    const other = `org-${ben.orgId}`
    let cases = 0
    for (const state of states) {
      // Wrong credentials of an address are limited, so the test clears their count.
      counted.length = 0
      const owner = await signUp(app, `of-${state.replaceAll(' ', '-')}`)
      const own = `org-${owner.orgId}`
      await uploaded(app, owner, { name: 'web' })
      const made: { authorization: string; revoke: string; may: { pull: boolean; push: boolean } }[] = []
      for (const [name, caller] of Object.entries(callers)) {
        const headers = await confirm(app, owner)
        if ('pat' in caller) {
          const { token, id } = await personal(owner, { permissions: caller.pat, expiresIn: expires })
          made.push({ authorization: basic('x', token), revoke: `/auth/pats/${id}`, may: caller })
          continue
        }
        const body = { name, scopes: caller.scopes, expiresIn: expires }
        const path = `/organization/${owner.orgId}/service-principals`
        const answer = await app.call('POST', path, { as: owner, body, headers })
        expect(answer.status, JSON.stringify(answer.body)).toBe(201)
        const { servicePrincipal, clientSecret } = answer.data
        const authorization = basic(servicePrincipal.clientId, clientSecret)
        made.push({ authorization, revoke: `${path}/${servicePrincipal.id}`, may: caller })
      }
      if (state === 'revoked') {
        for (const { revoke } of made) {
          const gone = await app.call('DELETE', revoke, { as: owner, headers: await confirm(app, owner) })
          expect([revoke, gone.status < 300]).toEqual([revoke, true])
        }
      } else if (state === 'organization deleted') {
        const headers = await confirm(app, owner)
        expect((await app.call('DELETE', `/organization/${owner.orgId}`, { as: owner, headers })).status).toBe(202)
      } else if (state === 'expired') app.clock.advance((expires + 1) * 1000)
      const rows: [string, (may: { pull: boolean; push: boolean }, action: string) => boolean][] = [
        [`${own}/mine`, ({ pull, push }, action) => (action === 'pull' && pull) || (action === 'push' && push)],
        [`${own}/web`, ({ pull }, action) => action === 'pull' && pull],
        [`${own}/web/extra`, ({ pull }, action) => action === 'pull' && pull],
        [`${own}/public/web`, ({ pull }, action) => action === 'pull' && pull],
        ['system/base', ({ pull }, action) => action === 'pull' && pull],
        ...[`${other}/mine`, `${other}/public/web`, 'staging/job', 'library/debian', own].map(
          (name): [string, () => boolean] => [name, () => false],
        ),
      ]
      for (const { authorization, may } of made) {
        for (const some of [rows.slice(0, 5), rows.slice(5)]) {
          const asked = some.flatMap(([name]) => ['pull', 'push', 'delete', '*'].map((action) => ({ name, action })))
          const answer = await ask(
            authorization,
            asked.map(({ name, action }) => `repository:${name}:${action}`),
          )
          const access = answer.status === 200 ? accessIn(answer.token) : []
          if (answer.status !== 200) expect([state, answer.status]).toEqual([state, 401])
          const wanted = some.flatMap(([name, isGranted]) =>
            ['pull', 'push', 'delete', '*']
              .filter((action) => state === 'active' && isGranted(may, action))
              .map((action) => `${name}:${action}`),
          )
          expect([state, may, access]).toEqual([state, may, wanted])
          cases += asked.length
        }
      }
    }
    expect(cases).toBe(states.length * Object.keys(callers).length * 40)
  })

  const missing = registryMissing()
  describe.skipIf(missing !== null)(`are taken by a real registry${missing === null ? '' : ` (${missing})`}`, () => {
    it('for what they name, and forged ones for nothing', async () => {
      const port = await freePort()
      const bundle = bundleOf(app.runtime.settings.REGISTRY_TOKEN_KEYS ?? [])
      // The clock of the test is fixed; the registry's is not.
      app.clock.advance(Date.now() - app.clock.now())
      const real = await startRegistry(bundle, 'http://127.0.0.1:1/api/registry/token', port)
      try {
        const name = `org-${ann.orgId}/pushed`
        const fresh = await signInOf(ann)
        const by = basic('x', (await personal(fresh)).token)
        const { token } = await ask(by, [`repository:${name}:pull,push`])
        const send = (bearer: string, method: string, path: string, body?: Uint8Array<ArrayBuffer>) =>
          fetch(path.startsWith('http') ? path : `${real.url}/v2/${path}`, {
            method,
            headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/octet-stream' },
            ...(body === undefined ? {} : { body }),
          })
        const blob = new Uint8Array(Buffer.from('{}'))
        const digest = `sha256:${createHash('sha256').update(blob).digest('hex')}`
        const upload = await send(token, 'POST', `${name}/blobs/uploads/`)
        expect(upload.status).toBe(202)
        const at = new URL(upload.headers.get('location') ?? '', real.url)
        at.searchParams.set('digest', digest)
        expect((await send(token, 'PUT', at.href, blob)).status).toBe(201)
        expect((await send(token, 'GET', `${name}/blobs/${digest}`)).status).toBe(200)
        expect((await send(token, 'POST', `org-${ben.orgId}/x/blobs/uploads/`)).status).toBe(401)
        expect((await send(token, 'DELETE', `${name}/blobs/${digest}`)).status).toBe(401)
        for (const [what, forged] of Object.entries(forgedRegistryTokens(token))) {
          expect([what, (await send(forged, 'GET', `${name}/blobs/${digest}`)).status]).toEqual([what, 401])
        }
      } finally {
        await real.stop()
      }
    })
  })

  const signInOf = async (as: SignedIn): Promise<SignedIn> => {
    const answer = await app.call('POST', '/auth/login', {
      body: { identifier: as.username, password: 'Correct-Horse-7' },
    })
    return { ...as, accessToken: answer.data.accessToken }
  }
})

it('are not given where there is no registry', async () => {
  const store = await sqliteStore()
  const app = await organizationApp(store, { operations: [getToken] })
  const answer = await app.call('GET', `/registry/token?service=${SERVICE}`)
  expect([answer.status, answer.code]).toEqual([503, 'REGISTRY_NOT_CONFIGURED'])
  await store.close()
})
