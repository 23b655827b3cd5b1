/** Generated plugins: the archive of one passes the whole upload, and replaces no version by accident. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GenerationApp, generationApp, said } from '../../../test/support/ai.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { violating } from '../../../test/support/pipelines.js'
import { PASSES, uploaded } from '../../../test/support/plugins.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { quotaTables } from '../../quota/tables.js'
import type { Store } from '../../runtime/store/db.js'

await describeStores('generated plugins', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: GenerationApp
  let ada: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await generationApp(store)
    ada = await signUp(app, 'ada')
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })
  const deploy = (body: object, query = '') => app.call('POST', `/plugins/deploy-generated${query}`, { as: ada, body })

  it('are drafted, and deployed as the draft is, by the queue of uploads', async () => {
    const drafted = await app.call('POST', '/plugins/generate', {
      as: ada,
      body: { prompt: 'python tool called lint-all' },
    })
    expect(drafted.status, JSON.stringify(drafted.body)).toBe(200)
    expect(drafted.data).toMatchObject({
      config: { name: 'lint-all', version: '1.0.0' },
      action: 'create',
      suspicious: [],
    })
    const body = drafted.data.body
    const made = await deploy(body)
    expect(made.status, JSON.stringify(made.body)).toBe(202)
    expect(made.data).toMatchObject({
      pluginName: 'lint-all',
      buildType: 'build_image',
      created: true,
      jobId: expect.any(String),
    })
    const plugin = await app.call('GET', `/plugins/${made.data.pluginId}`, { as: ada })
    expect(plugin.data.plugin).toMatchObject({ commands: body.commands, dockerfile: body.dockerfile })
    expect(await deploy(body)).toMatchObject({
      status: 409,
      code: 'DUPLICATE_ENTRY',
      body: { details: { field: 'version' } },
    })
    expect((await deploy(body, '?replace=true')).data).toMatchObject({ created: false })
  })

  it('say in the draft that a deploy has no room for their bytes', async () => {
    const eva = await signUp(app, 'eva')
    const { quotaLimits: t } = quotaTables(store)
    await store.system.write((tx) =>
      tx.insert(t).values({ orgId: eva.orgId, type: 'storageBytes', override: 10, granted: 0, updatedAtMs: 0 }),
    )
    const body = { prompt: 'python tool called too-big' }
    const drafted = await app.call('POST', '/plugins/generate', { as: eva, body })
    expect(drafted.data.quota).toMatchObject({ available: false, message: expect.stringContaining('storageBytes') })
    const deployed = await app.call('POST', '/plugins/deploy-generated', { as: eva, body: drafted.data.body })
    expect(deployed.code).toBe('QUOTA_EXCEEDED')
  })

  it('stream to the same draft as the whole answer', async () => {
    const prompt = 'python tool called stream-all'
    const events = await said(app, ada, '/plugins/generate/stream', { prompt })
    const done = events.find(({ event }) => event === 'done')
    const whole = await app.call('POST', '/plugins/generate', { as: ada, body: { prompt } })
    expect(done?.data).toMatchObject({ data: { config: whole.data.config, body: whole.data.body } })
  })

  it('are judged by the rules as an upload, in the draft and at the deploy', async () => {
    app.rules.answer = ({ attributes }) => (attributes['usesRootUser'] === true ? violating('error') : PASSES)
    const drafted = await app.call('POST', '/plugins/generate', {
      as: ada,
      body: { prompt: 'python as root stubborn' },
    })
    const body = { ...drafted.data.body, name: 'as-root', dockerfile: 'FROM python:3.12\n' }
    expect(await deploy(body)).toMatchObject({ status: 403, code: 'COMPLIANCE_VIOLATION' })
    app.rules.answer = () => PASSES
  })

  it('are refused with the place of what is wrong', async () => {
    const body = { name: 'Bad Name', version: '1', commands: [], dockerfile: '' }
    const answer = await deploy(body)
    const paths = answer.body.details.issues.map(({ path }: { path: string }) => path)
    expect(paths).toEqual(expect.arrayContaining(['/body/name', '/body/version', '/body/commands', '/body/dockerfile']))
    const good = {
      name: 'x',
      version: '1.0.0',
      commands: ['{{ pipeline.vars.a }}'],
      dockerfile: 'FROM debian:12\nUSER 1\n',
    }
    expect(await deploy(good)).toMatchObject({ status: 400, code: 'TEMPLATE_CONTRACT_VIOLATION' })
    expect(await deploy({ ...good, commands: ['a'], dockerfile: 'RUN x\n' })).toMatchObject({ status: 400 })
  })

  it('names the nearest of the plugins that are seen, and none of a stranger', async () => {
    const eve = await signUp(app, 'eve')
    await uploaded(app, eve, { name: 'node-tests', version: '1.0.0' })
    await uploaded(app, ada, { name: 'node-testing', version: '1.0.0' })
    const drafted = await app.call('POST', '/pipelines/generate', { as: ada, body: { prompt: 'node tests' } })
    const missing = drafted.data.missingPlugins.find(({ name }: { name: string }) => name === 'node-test')
    expect(missing.nearest).toEqual(['node-testing'])
  })
})
