/** Drafts from a prompt over HTTP, in process: a shown draft has passed the checks, no matter what fails. */
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type GenerationApp, generationApp, type Heard, said, scripted } from '../../../test/support/ai.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { enrol, evidenceOf } from '../../../test/support/organizations.js'
import { violating } from '../../../test/support/pipelines.js'
import { PASSES, uploaded } from '../../../test/support/plugins.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { draftFor } from '../fake/brain.js'
import { late, modelPort, refusedBy } from '../provider/model.js'
import { aiTables } from '../tables.js'

const PROMPT = 'node service, tests, deploy to staging'

await describeStores('drafts of pipelines', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: GenerationApp
  let ada: SignedIn
  let eve: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await generationApp(store)
    ada = await signUp(app, 'ada')
    eve = await signUp(app, 'eve')
  })
  afterEach(() => {
    app.rules.answer = () => PASSES
    app.ports.set(modelPort, undefined)
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const rows = () => store.system.read((db) => db.select().from(aiTables(db).aiGenerations))
  const spend = async (orgId: string) => {
    const [row] = await store.system.read((db) => {
      const { aiSpend: t } = aiTables(db)
      return db.select().from(t).where(eq(t.orgId, orgId))
    })
    return row
  }
  const generate = (body: object, as = ada) =>
    app.call('POST', '/pipelines/generate', { as, body: { prompt: PROMPT, ...body } })

  it('stream in their grammar, and end with what a create takes unchanged', async () => {
    const events = await said(app, ada, '/pipelines/generate/stream', { prompt: PROMPT })
    const names = events.map(({ event }) => event)
    expect(names[0]).toBe('start')
    expect(names.slice(-3)).toEqual(['plugins', 'done', '[DONE]'])
    expect(names.slice(1, -3).every((name) => name === 'partial')).toBe(true)
    expect(events.find(({ event }) => event === 'partial')?.data).toMatchObject({ type: 'partial', checked: false })
    const { data } = (events.at(-2) as Heard).data as unknown as {
      data: { body: { props: { stages: { environment?: string }[] } }; usage: { totalTokens: number } }
    }
    expect(data.body.props.stages.map(({ environment }) => environment)).toEqual([undefined, undefined, 'staging'])
    const made = await app.call('POST', '/pipelines', { as: ada, body: data.body })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const verdict = await app.call('POST', '/pipelines/validate', { as: ada, body: data.body })
    expect(verdict.data.compliance).toEqual((data as unknown as { compliance: object }).compliance)
    expect((await spend(ada.orgId))?.spentTokens).toBe(data.usage.totalTokens)
  })

  it('answer at once, and are found again by who asked and by nobody of elsewhere', async () => {
    const answer = await generate({})
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(answer.data).toMatchObject({
      fallbackUsed: false,
      servedBy: { provider: 'fake', model: 'fake-1' },
      rounds: 1,
    })
    expect(answer.data.missingPlugins[0]).toMatchObject({ name: expect.any(String), nearest: expect.any(Array) })
    const id = answer.data.generationId
    const found = await app.call('GET', `/ai/generations/${id}`, { as: ada })
    expect(found.data.generation).toMatchObject({
      id,
      state: 'done',
      verdict: 'passed',
      prompt: null,
      result: { generationId: id },
    })
    expect((await app.call('GET', `/ai/generations/${id}`, { as: eve })).status).toBe(404)
    const bob = await enrol(app, await signUp(app, `bob${Math.random().toString(36).slice(2, 8)}`), ada.orgId)
    const asBob = { as: bob, headers: { 'x-org-id': ada.orgId } }
    expect((await app.call('GET', `/ai/generations/${id}`, asBob)).status).toBe(404)
    expect((await app.call('GET', '/ai/generations', asBob)).data.generations).toEqual([])
    expect((await app.call('GET', '/ai/generations', { as: ada })).data.generations.length).toBeGreaterThan(0)
    expect(await evidenceOf(app, ada.orgId)).toContain('ai.generate')
  })

  it('name a missing plugin with the nearest ones that the person sees', async () => {
    const [own, other] = [await signUp(app, 'near'), await signUp(app, 'far')]
    const missing = async () => (await generate({}, own)).data.missingPlugins
    const [first] = await missing()
    expect(first.nearest).toEqual([])
    await uploaded(app, own, { name: `${first.name}-lts` })
    await uploaded(app, own, { name: 'unlike-anything' })
    await uploaded(app, other, { name: `${first.name}-of-others` })
    expect((await missing()).find(({ name }: { name: string }) => name === first.name)).toMatchObject({
      path: first.path,
      nearest: [`${first.name}-lts`],
    })
  })

  it('of plugins name the rules that wait for the image', async () => {
    const ask = () => app.call('POST', '/plugins/generate', { as: ada, body: { prompt: 'a plugin that runs eslint' } })
    const waiting = [{ ruleId: 'r1', ruleName: 'no-root' }]
    app.rules.answer = () => ({ ...PASSES, deferredRules: waiting })
    const answer = await ask()
    expect(answer.data?.compliance, JSON.stringify(answer.body)).toMatchObject({ passed: true, deferredRules: waiting })
    app.rules.answer = () => PASSES
    expect((await ask()).data.compliance).not.toHaveProperty('deferredRules')
  })

  it('carry the labels that a rule asks for, of the prompt or once it is told', async () => {
    app.rules.answer = ({ attributes }) =>
      (attributes as { labels?: { team?: unknown } }).labels?.team === undefined
        ? {
            ...violating('error'),
            violations: [
              { ruleName: 'a-team', severity: 'error', field: 'labels.team', message: 'set `labels.team`' } as never,
            ],
          }
        : PASSES
    const told = await generate({ prompt: `project: labelled, ${PROMPT}` })
    expect(told.data).toMatchObject({ rounds: 2, labels: { team: 'labelled' }, compliance: { blocked: false } })
    const made = await app.call('POST', '/pipelines', { as: ada, body: told.data.body })
    expect(made.data?.pipeline?.labels, JSON.stringify(made.body)).toEqual({ team: 'labelled' })
    const asked = await generate({ prompt: `team: payments, ${PROMPT}` })
    expect(asked.data).toMatchObject({ rounds: 1, body: { labels: { team: 'payments' } } })
    // Labels are checked like the rest, so they cannot hide a credential.
    const withLabel = (value: string) => {
      const draft = draftFor({ kind: 'pipeline', first: PROMPT, last: '', repairs: 0 })
      return JSON.stringify({ ...draft, labels: [{ name: 'team', value }] })
    }
    const answers = [withLabel(`ghp_${'a1B2'.repeat(9)}`), withLabel('shop')]
    app.ports.set(modelPort, async () => ({
      async *ask() {
        yield { kind: 'text' as const, text: answers.shift() ?? '' }
        yield { kind: 'end' as const, usage: { inputTokens: 10, outputTokens: 20 } }
      },
    }))
    expect((await generate({})).data).toMatchObject({ rounds: 2, labels: { team: 'shop' } })
  })

  it('are told what the rules refuse, and are shown as blocked where it stays', async () => {
    const refuses = (name: string) => {
      app.rules.answer = ({ attributes }) =>
        JSON.stringify(attributes).includes(name)
          ? {
              ...violating('error'),
              violations: [
                {
                  ruleName: 'no-legacy',
                  severity: 'error',
                  field: 'props.stages',
                  message: `${name} is forbidden`,
                } as never,
              ],
            }
          : PASSES
    }
    refuses('legacy-deploy')
    const prompt = `${PROMPT} with plugin legacy-deploy`
    const events = await said(app, ada, '/pipelines/generate/stream', { prompt })
    const repair = events.find(({ event }) => event === 'repair')?.data
    expect(repair).toMatchObject({
      round: 1,
      faults: [{ message: expect.stringContaining('legacy-deploy is forbidden') }],
    })
    const done = events.at(-2)?.data as { data: Record<string, unknown> }
    expect(done.data).toMatchObject({ rounds: 2, compliance: { blocked: false } })
    expect(JSON.stringify(done.data['body'])).not.toContain('legacy-deploy')
    const stubborn = await generate({ prompt: `${prompt} stubborn` })
    expect(stubborn.data).toMatchObject({
      rounds: 3,
      compliance: { blocked: true, violations: [{ ruleName: 'no-legacy' }] },
    })
    // If the organization does not share its rules, the draft is shown after one round, with its violations.
    await app.call('PUT', '/organization/ai-config', { as: ada, body: { shareRules: false } })
    const silent = await generate({ prompt: `${prompt} stubborn` })
    expect(silent.data).toMatchObject({ rounds: 1, compliance: { blocked: true } })
    // Neither do its teams, to which its rules may apply.
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    const headers = { 'x-org-id': made.data.organization.id }
    const body = { prompt: `${prompt} stubborn` }
    const ofTeam = await app.call('POST', '/pipelines/generate', { as: ada, headers, body })
    expect(ofTeam.data).toMatchObject({ rounds: 1, compliance: { blocked: true } })
    await app.call('PUT', '/organization/ai-config', { as: ada, body: { shareRules: true } })
  })

  it('judge each round by its own verdict', async () => {
    const asked: string[] = []
    app.rules.answer = ({ attributes }) => {
      const text = JSON.stringify(attributes)
      asked.push(text)
      if (!text.includes('legacy')) return violating('warning')
      const violation = { ruleName: 'no-legacy', severity: 'error', field: 'props', message: 'no legacy' } as never
      return { ...violating('error'), violations: [violation] }
    }
    const answer = await generate({ prompt: `${PROMPT} with plugin legacy` })
    expect(answer.data.rounds).toBe(1 + asked.filter((text) => text.includes('legacy')).length)
    expect(answer.data.compliance).toMatchObject({ blocked: false, warnings: [{}] })
  })

  it('fall back before the first token, and say so', async () => {
    app.ports.set(modelPort, scripted({ anthropic: [refusedBy('Anthropic', 503)], fake: ['good'] }))
    await app.call('PUT', '/organization/ai-config', { as: ada, body: { anthropic: 'sk-ant-0123456789' } })
    const body = { prompt: PROMPT, provider: 'anthropic', fallbackProviders: ['fake'] }
    const events = await said(app, ada, '/pipelines/generate/stream', body)
    expect(events[1]).toMatchObject({
      event: 'fallback',
      data: { from: { provider: 'anthropic' }, to: { provider: 'fake' } },
    })
    expect(events.at(-2)?.data).toMatchObject({ data: { fallbackUsed: true, servedBy: { provider: 'fake' } } })
    app.ports.set(modelPort, scripted({ anthropic: ['{"project":null,', late('nothing for a while')], fake: ['good'] }))
    const shown = await said(app, ada, '/pipelines/generate/stream', body)
    expect(shown.map(({ event }) => event)).toEqual(['start', 'partial', 'error', '[DONE]'])
    expect(shown.at(-2)?.data).toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
    // A rejected key ends the generation, instead of silently using another account.
    app.ports.set(modelPort, scripted({ anthropic: [refusedBy('Anthropic', 401)], fake: ['good'] }))
    expect(await generate(body)).toMatchObject({ status: 422, code: 'AI_KEY_REJECTED' })
    await app.call('PUT', '/organization/ai-config', { as: ada, body: { anthropic: '' } })
  })

  it('show nothing that did not pass, and say what was wrong', async () => {
    for (const output of [
      'no json',
      '{"project":1}',
      '{"__proto__":{}}',
      '['.repeat(50_000),
      `"${'x'.repeat(300_000)}"`,
    ]) {
      app.ports.set(modelPort, scripted({ fake: [output] }))
      const answer = await generate({})
      expect(answer, output.slice(0, 20)).toMatchObject({ status: 422, code: 'AI_OUTPUT_INVALID' })
      expect(answer.body.details.issues.length).toBeGreaterThan(0)
    }
    const last = (await rows()).filter(({ errorCode }) => errorCode === 'AI_OUTPUT_INVALID')
    expect(last.every(({ state, result }) => state === 'failed' && result === null)).toBe(true)
  })

  it('are refused for what is wrong in the request, before anything is reserved', async () => {
    const before = (await rows()).length
    const cases: [object, number, string, string][] = [
      [{ prompt: '' }, 400, 'VALIDATION_ERROR', 'prompt'],
      [{ prompt: '  ' }, 400, 'VALIDATION_ERROR', 'prompt'],
      [{ prompt: 'x'.repeat(5001) }, 400, 'VALIDATION_ERROR', '5000'],
      [{ provider: 'antropic' }, 400, 'VALIDATION_ERROR', 'anthropic'],
      [{ provider: 'fake', model: 'fake-2' }, 400, 'VALIDATION_ERROR', 'fake-1'],
      [{ provider: 'openai' }, 503, 'AI_NOT_CONFIGURED', 'ai-config'],
      [{ apiKey: 'k', fallbackProviders: ['fake'] }, 400, 'VALIDATION_ERROR', 'combined with `apiKey`'],
      [{ previousConfig: { name: 'x', commands: ['x'] } }, 400, 'VALIDATION_ERROR', '/plugins/generate'],
      [{ previousConfig: { synth: {} } }, 400, 'VALIDATION_ERROR', 'previousConfig'],
    ]
    for (const [body, status, code, says] of cases) {
      const answer = await generate(body)
      expect(answer, JSON.stringify(body).slice(0, 80)).toMatchObject({ status, code })
      expect(JSON.stringify(answer.body)).toContain(says)
    }
    expect((await rows()).length).toBe(before)
  })

  it('change a pipeline without its values leaving the house', async () => {
    let heard = ''
    const open = scripted({ fake: ['good'] })
    app.ports.set(modelPort, async (opening) => {
      const model = await open(opening)
      return {
        ask(question) {
          heard += JSON.stringify(question)
          return model.ask(question)
        },
      }
    })
    const props = {
      synth: {
        source: { type: 'github', options: { repo: 'acme/app' } },
        plugin: { name: 'p' },
        env: { MODE: 'canary-of-env' },
      },
      stages: [{ stageName: 'Build', steps: [{ plugin: { name: 'p' } }] }],
    }
    const answer = await generate({ prompt: 'add tests', previousConfig: props })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(heard).toContain('MODE')
    expect(heard).not.toContain('canary-of-env')
    const beyond = await generate({ previousConfig: { ...props, global: { a: 1 } } })
    expect(beyond.body.details.issues).toMatchObject([{ path: '/body/previousConfig/global', code: 'beyond' }])
  })

  it('end with the budget of the month, to the token, and settle what is absurd at what was held', async () => {
    const config = (body: object) => app.call('PUT', '/organization/ai-config', { as: eve, body })
    const first = await generate({}, eve)
    expect(first.status).toBe(200)
    const used = (await spend(eve.orgId))?.spentTokens ?? 0
    await config({ monthlyTokens: used + 100 })
    const refused = await generate({}, eve)
    expect(refused).toMatchObject({ status: 429, code: 'AI_BUDGET_EXCEEDED' })
    expect(refused.body.details.budget).toMatchObject({ monthlyTokens: used + 100, tokens: { spent: used, held: 0 } })
    expect(refused.body.details.budget.organizationId).toBe(eve.orgId)
    // A team is told whose budget it is, since its own has no limit.
    const body = { name: 'Team of Eve', parentOrgId: eve.orgId }
    const teamId = (await app.call('POST', '/organizations', { as: eve, body })).data.organization.id
    const inTeam = { as: eve, headers: { 'x-org-id': teamId }, body: { prompt: 'node service' } }
    const ofTeam = await app.call('POST', '/pipelines/generate', inTeam)
    expect([ofTeam.code, ofTeam.body.details.budget.organizationId]).toEqual(['AI_BUDGET_EXCEEDED', eve.orgId])
    expect(ofTeam.body.message).toContain('the budget of the account, which its teams share,')
    await config({ monthlyTokens: null })
    app.ports.set(modelPort, scripted({ fake: ['good', { inputTokens: -5, outputTokens: Number.NaN }] }))
    await generate({}, eve)
    const row = await spend(eve.orgId)
    expect(row?.heldTokens).toBe(0)
    expect(row?.spentTokens).toBeGreaterThan(used + 8192)
  })
})
