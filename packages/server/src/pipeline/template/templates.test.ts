/** Templates over HTTP: the catalog, authors, the contract, and pipelines from the shipped ones. */
import { inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { confirmed } from '../../../test/support/organizations.js'
import { pipelineApp } from '../../../test/support/pipelines.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { loadStarters } from '../starter/load.js'
import { STARTERS } from '../starter/starters.js'
import { pipelineTables } from '../tables.js'

const NOTE = {
  name: 'Note',
  inputs: [
    { name: 'repo', type: 'string', required: true },
    { name: 'size', type: 'number', default: 2 },
    { name: 'loud', type: 'boolean' },
    { name: 'env', type: 'string', default: 'dev', options: ['dev', 'prod'] },
  ],
  props: {
    vars: { fixed: 'yes' },
    synth: {
      source: { type: 'github', options: { repo: '{{ vars.repo }}' } },
      plugin: { name: 'node-build', version: '1.0.0' },
    },
    stages: [
      {
        stageName: 'Build',
        steps: [{ plugin: { name: 'p' }, env: { E: '{{ vars.env }}', L: '{{ vars.loud | default: false }}' } }],
      },
    ],
  },
}

await describeStores('templates', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let eve: SignedIn
  beforeAll(async () => {
    store = await open()
    ;({ app } = await pipelineApp(store))
    ada = await signUp(app, 'ada')
    eve = await signUp(app, 'eve')
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  it('ship with the server, once, and become pipelines that are stored', async () => {
    expect(await loadStarters(app.runtime)).toEqual({ created: STARTERS.length, updated: 0 })
    expect(await loadStarters(app.runtime)).toEqual({ created: 0, updated: 0 })
    const list = await app.call('GET', '/pipeline-templates?limit=50&scope=shared&sortBy=name&sortOrder=asc', {
      as: ada,
    })
    expect(list.data.templates.map(({ name }: { name: string }) => name)).toEqual(
      STARTERS.map(({ name }) => name).sort(),
    )
    for (const [n, { id, inputs }] of list.data.templates.entries()) {
      const needed = (inputs as { name: string; required?: boolean }[]).filter(({ required }) => required)
      const project = `made-${n}`
      const made = await app.call('POST', `/pipeline-templates/${id}/instantiate`, {
        as: ada,
        body: {
          project,
          organization: 'Acme',
          inputs: Object.fromEntries(needed.map(({ name }) => [name, 'acme/app'])),
        },
      })
      expect(made.status, JSON.stringify(made.body)).toBe(200)
      const { props, description, keywords, templateId, templateVersion } = made.data
      const stored = await app.call('POST', '/pipelines', {
        as: ada,
        body: { project, organization: 'Acme', props, description, keywords, templateId, templateVersion },
      })
      expect(stored.status, JSON.stringify(stored.body)).toBe(201)
      expect(stored.data.pipeline.origin).toEqual({ templateId: id, templateVersion: 1 })
      const resolved = await app.call('GET', `/pipelines/${stored.data.pipeline.id}?resolve=true`, { as: ada })
      expect(resolved.data.pipeline.props.synth.source.options.repo).toBe('acme/app')
    }
    const edited = await app.call('PUT', `/pipeline-templates/${list.data.templates[0].id}`, { as: ada, body: {} })
    expect(edited.status).toBe(404)
  })

  it('take what their inputs say, and say what they take', async () => {
    const authored = await app.call('POST', '/pipeline-templates', { as: ada, body: NOTE })
    expect(authored).toMatchObject({ status: 201, data: { template: { version: 1, category: 'general' } } })
    const { id } = authored.data.template
    const use = (inputs: object, as = ada) =>
      app.call('POST', `/pipeline-templates/${id}/instantiate`, {
        as,
        body: { project: 'a', organization: 'b', inputs },
      })
    const made = await use({ repo: 'a/b', size: '7', loud: '1', env: 'prod' })
    expect(made.data.props.vars).toEqual({ fixed: 'yes', repo: 'a/b', size: 7, loud: true, env: 'prod' })
    const wrong = await use({ size: 'many', loud: 'maybe', env: 'test', other: 1 })
    expect(wrong).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    expect(wrong.body.details.issues.map(({ path, code }: Record<string, string>) => `${path} ${code}`).sort()).toEqual(
      [
        '/body/inputs/env options',
        '/body/inputs/loud type',
        '/body/inputs/other unknown_input',
        '/body/inputs/repo required',
        '/body/inputs/size type',
      ],
    )
    expect((await use({ repo: 'a/b' }, eve)).status).toBe(404)
  })

  it('keep their contract and a name of their own', async () => {
    const author = (more: object) => app.call('POST', '/pipeline-templates', { as: ada, body: { ...NOTE, ...more } })
    expect(await author({ name: 'NOTE ' })).toMatchObject({ status: 409, code: 'DUPLICATE_ENTRY' })
    const broken = (vars: object, inputs: object[] = []) =>
      author({ name: 'Broken', inputs, props: { ...NOTE.props, stages: [], vars } })
    expect((await broken({})).code).toBe('TEMPLATE_CONTRACT_VIOLATION')
    expect((await broken({}, [{ name: 'repo', type: 'string' }])).code).toBe('TEMPLATE_UNKNOWN_PATH')
    expect((await broken({ repo: '{{ vars.repo }}' })).code).toBe('TEMPLATE_VALIDATION_FAILED')
    const inputs = [
      { name: 'repo', type: 'string', default: 'x', options: ['y'] },
      { name: 'constructor', type: 'number', default: 'n' },
    ]
    const refused = await broken({}, inputs)
    expect(refused.body.details.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/body/inputs/0/default',
      '/body/inputs/1/default',
      '/body/inputs/1/name',
    ])
  })

  it('have a version that grows with what they make, and leave and come back', async () => {
    const { id } = (await app.call('POST', '/pipeline-templates', { as: ada, body: { ...NOTE, name: 'Grows' } })).data
      .template
    const put = (more: object, headers = {}) =>
      app.call('PUT', `/pipeline-templates/${id}`, { as: ada, body: more, headers })
    expect((await put({ description: 'x' })).data.template).toMatchObject({ version: 1, revision: 2 })
    expect((await put({ props: { ...NOTE.props, role: 'r' } })).data.template).toMatchObject({
      version: 2,
      revision: 3,
    })
    expect((await put({ name: 'note' })).code).toBe('DUPLICATE_ENTRY')
    expect((await put({ category: 'x' }, { 'if-match': '"1"' })).status).toBe(412)
    expect((await app.call('PUT', `/pipeline-templates/${id}`, { as: eve, body: {} })).status).toBe(404)
    expect((await app.call('DELETE', `/pipeline-templates/${id}`, { as: ada })).status).toBe(200)
    expect((await app.call('GET', `/pipeline-templates/${id}`, { as: ada })).status).toBe(404)
    const deleted = await app.call('GET', '/pipeline-templates/deleted', { as: ada })
    expect(deleted.data.templates.map((each: { id: string }) => each.id)).toEqual([id])
    expect((await confirmed(app, 'POST', `/pipeline-templates/${id}/restore`, { as: ada })).status).toBe(200)
    await app.call('DELETE', `/pipeline-templates/${id}`, { as: ada })
    expect((await confirmed(app, 'POST', `/pipeline-templates/${id}/purge`, { as: ada })).data.purged).toBe(true)
  })

  it('are found by every filter, alone and two at a time, and by nothing that was deleted', async () => {
    const author = async (name: string, more: object) => {
      const body = { ...NOTE, name, description: `about ${name}`, ...more }
      const made = await app.call('POST', '/pipeline-templates', { as: ada, body })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      return made.data.template as { id: string; name: string }
    }
    const red = { keywords: ['Red', 'hot'], category: 'fruit', labels: { tier: 'gold', size: 3 }, criticality: 'high' }
    const blue = { keywords: ['blue'], category: 'fruit', labels: { tier: 'gold' }, lifecycle: 'experimental' }
    const stored = new Map<string, string[]>()
    const facts = (...all: string[]) => all
    for (const [name, more, found] of [
      [
        'Cherry',
        red,
        facts(
          'keyword=RED',
          'keyword=hot',
          'category=fruit',
          'label.tier=gold',
          'label.size=3',
          'criticality=high',
          'isActive=true',
          'q=HOT',
          'name=cherr',
          'lifecycle=production',
          'accessModifier=private',
        ),
      ],
      [
        'Plum',
        { ...blue, accessModifier: 'public' },
        facts(
          'keyword=blue',
          'category=fruit',
          'label.tier=gold',
          'lifecycle=experimental',
          'isActive=true',
          'q=blue',
          'name=PLUM',
          'accessModifier=public',
        ),
      ],
      [
        'Sloe_%',
        { ...red, isActive: false },
        facts(
          'keyword=RED',
          'keyword=hot',
          'category=fruit',
          'label.tier=gold',
          'label.size=3',
          'criticality=high',
          'isActive=false',
          'q=HOT',
          'lifecycle=production',
          'accessModifier=private',
          'name=e_%25',
        ),
      ],
    ] as const) {
      const { id } = await author(name, more)
      stored.set(name, [...found, 'q=about', 'q=fruit', `id=${id}`, `id=${id.slice(0, 35)}`, 'ownerId=me', 'scope=own'])
    }
    const gone = await author('Gone', red)
    await app.call('DELETE', `/pipeline-templates/${gone.id}`, { as: ada })
    const find = async (filters: readonly string[]) => {
      const active = filters.some((each) => each.startsWith('isActive')) ? [] : ['isActive=all']
      const path = `/pipeline-templates?limit=100&${[...filters, ...active].join('&')}`
      const answer = await app.call('GET', path, { as: ada })
      expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200)
      const { templates, pagination } = answer.data
      expect(pagination.total).toBe(templates.length)
      return (templates as { name: string }[])
        .map(({ name }) => name)
        .filter((name) => stored.has(name) || name === 'Gone')
    }
    const filters = [...new Set([...stored.values()].flat())]
    const having = (...wanted: string[]) =>
      [...stored].filter(([, facts]) => wanted.every((each) => facts.includes(each))).map(([name]) => name)
    for (const one of filters) {
      expect((await find([one])).sort(), one).toEqual(having(one).sort())
      expect(await find([one, 'sortBy=name', 'sortOrder=asc']), one).toEqual(having(one).sort())
      expect(await find([one, 'sortOrder=desc']), one).toEqual(having(one).reverse())
    }
    for (const [n, one] of filters.entries()) {
      const other = filters[(n * 5 + 3) % filters.length] ?? one
      if (one.split('=')[0] === other.split('=')[0]) continue
      expect((await find([one, other])).sort(), `${one} ${other}`).toEqual(having(one, other).sort())
    }
    expect(await find(['q=nowhere'])).toEqual([])
    expect((await app.call('GET', '/pipeline-templates?q=about', { as: eve })).data.templates).toEqual([])
    // Its index rows follow the change.
    const [plum] = (await app.call('GET', '/pipeline-templates?name=plum', { as: ada })).data.templates
    await app.call('PUT', `/pipeline-templates/${plum.id}`, {
      as: ada,
      body: { name: 'Damson', keywords: [], labels: {} },
    })
    stored.set('Damson', [])
    for (const none of ['keyword=blue', 'q=blue', 'name=plum']) expect(await find([none]), none).toEqual([])
    expect([await find(['name=damson']), await find(['label.tier=gold', 'isActive=true'])]).toEqual([
      ['Damson'],
      ['Cherry'],
    ])
    const deleted: string[] = []
    for (const name of ['Cherry', 'Damson', 'Sloe']) {
      const [{ id }] = (await app.call('GET', `/pipeline-templates?isActive=all&name=${name}`, { as: ada })).data
        .templates
      await app.call('DELETE', `/pipeline-templates/${id}`, { as: ada })
      deleted.push(id)
    }
    expect([await find(['q=about']), await find(['keyword=hot'])]).toEqual([[], []])
    const left = await store.system.read(async (db) => {
      const { templateSearch: s, templateKeywords: k, templateLabels: l } = pipelineTables(db)
      return Promise.all([
        db.$count(s, inArray(s.entityId, deleted)),
        db.$count(k, inArray(k.templateId, deleted)),
        db.$count(l, inArray(l.entityId, deleted)),
      ])
    })
    expect(left).toEqual([0, 0, 0])
  })

  it('are tried without being stored, and refused as by the change', async () => {
    const tried = (method: string, path: string, body: object) =>
      app.call(method, `/pipeline-templates${path}?dryRun=true`, { as: ada, body })
    const named = async () =>
      (await app.call('GET', '/pipeline-templates?isActive=all&name=tried', { as: ada })).data.templates
    expect((await tried('POST', '', { ...NOTE, name: 'Tried' })).data.template).toMatchObject({ name: 'Tried' })
    expect(await named()).toEqual([])
    const { id } = (await app.call('POST', '/pipeline-templates', { as: ada, body: { ...NOTE, name: 'Tried' } })).data
      .template
    expect((await tried('POST', '', { ...NOTE, name: 'Tried' })).code).toBe('DUPLICATE_ENTRY')
    expect((await tried('PUT', `/${id}`, { description: 'new' })).data.template).toMatchObject({ description: 'new' })
    expect(await named()).toMatchObject([{ id, description: '', revision: 1 }])
    expect((await tried('PUT', `/${id}`, { inputs: [] })).status).toBe(400)
  })
})
