/**
 * Requests for a draft that cannot be served, row by row: each answer has a code, the field and a way out, and nothing
 * is reserved or built.
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GenerationApp, generationApp, said } from '../../test/support/ai.js'
import { describeStores, WITH_POSTGRESQL } from '../../test/support/describe-stores.js'
import { type SignedIn, signUp } from '../../test/support/sign-in.js'
import type { Store } from '../runtime/store/db.js'
import { type FakeAi, startFakeAi } from './fake/server.js'
import { aiTables } from './tables.js'

const PROMPT = 'node service'
const FROM_URL = '/pipelines/generate/from-url/stream'
const PLUGIN = { name: 'lint-all', version: '1.0.0', commands: ['lint'], dockerfile: 'FROM scratch\n' }

interface Row {
  readonly path?: string
  readonly body: object
  readonly status?: number
  readonly code?: string
  readonly field?: string
  readonly says: RegExp
}

await describeStores('bad input of generation', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: GenerationApp
  let fake: FakeAi
  let ada: SignedIn
  beforeAll(async () => {
    store = await open()
    fake = await startFakeAi()
    const origin = `http://127.0.0.1:${fake.port}`
    app = await generationApp(store, {
      settings: { GIT_HOSTS: `github:github.com=${origin},gitlab:git.acme.test=${origin}`, AI_RATE_MAX: '0' },
    })
    ada = await signUp(app, 'ada')
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await fake.close()
    await store.close()
  })

  const rowsOf = () =>
    store.system.read((db) => {
      const { aiGenerations: t } = aiTables(db)
      return db.select().from(t).where(eq(t.orgId, ada.orgId))
    })
  const url = (gitUrl: string, says: RegExp): Row => ({ path: FROM_URL, body: { gitUrl }, field: '/body/gitUrl', says })

  const ROWS: Readonly<Record<string, Row>> = {
    'no prompt': { body: {}, field: '/body/prompt', says: /required/ },
    'an empty prompt': { body: { prompt: '' }, field: '/body/prompt', says: /1/ },
    'a prompt of blanks': { body: { prompt: ' \n' }, field: '/body/prompt', says: /says nothing/ },
    'a prompt of invisible characters': {
      body: { prompt: '\u200b\u2060\u{e0041}' },
      field: '/body/prompt',
      says: /says nothing: describe what is wanted/,
    },
    'a prompt of 5,001 characters': {
      body: { prompt: 'x'.repeat(5001) },
      field: '/body/prompt',
      says: /5001 characters, at most 5000/,
    },
    'an unknown provider': {
      body: { prompt: PROMPT, provider: 'antropic' },
      field: '/body/provider',
      says: /did you mean anthropic/,
    },
    'an unknown model': {
      body: { prompt: PROMPT, provider: 'fake', model: 'fake-2' },
      field: '/body/model',
      says: /did you mean fake-1/,
    },
    'a provider that nobody has a key for': {
      body: { prompt: PROMPT, provider: 'openai' },
      status: 503,
      code: 'AI_NOT_CONFIGURED',
      says: /PUT \/organization\/ai-config/,
    },
    'a key of the request with a fallback': {
      body: { prompt: PROMPT, apiKey: 'k', fallbackProviders: ['fake'] },
      field: '/body/fallbackProviders',
      says: /leave one of them out/,
    },
    'a fallback to the provider of the request': {
      body: { prompt: PROMPT, provider: 'openai', fallbackProviders: ['fake', { provider: 'openai' }] },
      field: '/body/fallbackProviders/1',
      says: /`openai` is the provider that is asked first: leave it out/,
    },
    'a fallback to the default provider': {
      body: { prompt: PROMPT, fallbackProviders: ['fake'] },
      field: '/body/fallbackProviders/0',
      says: /`fake` is the provider that is asked first: leave it out/,
    },
    'a key that no header can have': {
      body: { prompt: PROMPT, provider: 'openai', apiKey: 'sk-1\nsk-2' },
      field: '/body/apiKey',
      says: /without spaces/,
    },
    'a plugin to change into a pipeline': {
      body: { prompt: PROMPT, previousConfig: { name: 'x', commands: ['x'] } },
      field: '/body/previousConfig',
      says: /\/plugins\/generate/,
    },
    'a pipeline to change into a plugin': {
      path: '/plugins/generate',
      body: { prompt: PROMPT, previousConfig: { synth: { plugin: { name: 'p' } } } },
      field: '/body/previousConfig',
      says: /\/pipelines\/generate/,
    },
    'a whole pipeline to change into a plugin': {
      path: '/plugins/generate',
      body: { prompt: PROMPT, previousConfig: { project: 'p', organization: 'o', props: { synth: {} } } },
      field: '/body/previousConfig',
      says: /\/pipelines\/generate/,
    },
    'an address with a user': url('https://me:secret@github.com/a/b', /user|credentials/),
    'an address with a port': url('https://github.com:8443/a/b', /port/),
    'an address by number': url('https://127.0.0.1/a/b', /contains an IP address/),
    'an address in short': url('https://127.1/a/b', /contains an IP address/),
    'an address as one number': url('https://2130706433/a/b', /contains an IP address/),
    'an address in hexadecimal': url('https://0x7f000001/a/b', /contains an IP address/),
    'an address of IPv6': url('https://[::1]/a/b', /contains an IP address/),
    'a look-alike of a host': url('https://githuḅ.com/a/b', /host|github/),
    'a host that is not read': url('https://evil.example/a/b', /github\.com/),
    'plain HTTP': url('http://github.com/a/b', /https/),
    'a path out of the repository': url('https://github.com/a/..%2f..%2fuser', /./),
    'a name without an owner': url('https://github.com/a', /owner|\//),
    'a version that is taken': {
      path: '/plugins/deploy-generated',
      body: PLUGIN,
      status: 409,
      code: 'DUPLICATE_ENTRY',
      says: /version/,
    },
  }

  it('is answered with a code, the field and a way out, before anything is reserved', async () => {
    const first = await app.call('POST', '/plugins/deploy-generated', { as: ada, body: PLUGIN })
    expect(first.status, JSON.stringify(first.body)).toBeLessThan(300)
    const before = [fake.requests.length, (await rowsOf()).length]
    for (const [name, row] of Object.entries(ROWS)) {
      const { path = '/pipelines/generate', body, status = 400, code = 'VALIDATION_ERROR', field, says } = row
      const answer = await app.call('POST', path, { as: ada, body })
      expect([name, answer.status, answer.code], JSON.stringify(answer.body)).toEqual([name, status, code])
      if (field !== undefined) expect(answer.body.details.issues[0].path, name).toContain(field)
      expect(JSON.stringify(answer.body), name).toMatch(says)
      expect(JSON.stringify(answer.body), name).not.toContain('me:secret')
    }
    expect([fake.requests.length, (await rowsOf()).length]).toEqual(before)
  })

  it.each([
    ['missing', 'acme/nothing', 'NOT_FOUND', 'repository_missing', /no such repository/],
    ['private', 'acme/private', 'NOT_FOUND', 'repository_missing', /send `repoToken`/],
    ['empty', 'acme/empty', 'VALIDATION_ERROR', 'repository_empty', /./],
    ['moved', 'acme/moved', 'VALIDATION_ERROR', 'repository_moved', /send its new address/],
    ['too large', 'acme/huge', 'VALIDATION_ERROR', 'repository_too_large', /more than the limit of 5000/],
  ])(
    'of a repository that is %s ends the stream with the reason, and holds nothing',
    async (_, name, code, why, says) => {
      const heard = await said(app, ada, FROM_URL, { gitUrl: `https://github.com/${name}` })
      const error = heard.at(-2)
      expect([error?.event, error?.data['code']]).toEqual(['error', code])
      expect(error?.data).toMatchObject({ details: { issues: [{ path: '/body/gitUrl', code: why }] } })
      expect(JSON.stringify(error?.data)).toMatch(says)
      expect((await rowsOf()).at(-1)).toMatchObject({ state: 'released', heldTokens: 0 })
    },
  )
})
