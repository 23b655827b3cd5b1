/** Builder properties: what each check refuses and with which location, and real pipelines that pass. */
import { completeProps } from '@plumbline/engine'
import { describe, expect, it } from 'vitest'
import { problems } from '../../runtime/operation/schema.js'
import { STARTERS } from '../starter/starters.js'
import { instantiated, requireContract } from '../template/contract.js'
import { readInputs } from '../template/inputs.js'
import { checkProps, keyOf, resolveProps } from './check.js'
import { findCredentials } from './credentials.js'
import { distinct, referencesIn } from './references.js'
import { type Props, PropsSchema } from './schema.js'

const NAMED = { project: 'My App', organization: 'Acme' }
const GOOD = {
  synth: { source: { type: 'github', options: { repo: 'acme/app' } }, plugin: { name: 'node-build' } },
  stages: [{ stageName: 'Build', steps: [{ plugin: { name: 'node-build' } }] }],
} as unknown as Props

/** The locations of the issues. */
const wrong = (more: object): string[] => {
  const props = { ...GOOD, ...more } as Props
  const shape = problems(PropsSchema, props, '')
  return (shape.length > 0 ? shape : checkProps(props, NAMED, '')).map(({ path, code }) => `${path} ${code}`)
}

const withStep = (step: object) => ({ stages: [{ stageName: 'Build', steps: [{ plugin: { name: 'p' }, ...step }] }] })
const withSource = (type: string, options: object) => ({
  synth: { source: { type, options }, plugin: { name: 'node-build' } },
})

describe('properties', () => {
  it('pass as they are, with the names of the pipeline in any spelling', () => {
    expect(wrong({})).toEqual([])
    expect(wrong({ project: 'my_app', organization: 'ACME' })).toEqual([])
    expect(completeProps(GOOD, 'My App', 'Acme')).toMatchObject(NAMED)
    expect(keyOf('My-App  2')).toBe('my_app_2')
  })

  it.each([
    [{ project: 'other' }, '/project same'],
    [{ unknown: 1 }, '/unknown unknown_field'],
    [withSource('ftp', {}), '/synth/source/type enum'],
    [withSource('github', { repo: 'acme' }), '/synth/source/options/repo pattern'],
    [withSource('github', { repo: 'a/b', trigger: 'NOW' }), '/synth/source/options/trigger enum'],
    [withSource('s3', { bucket: 'x' }), '/synth/source/options/bucketName required'],
    [withSource('codestar', { repo: 'a/b', branch: 'main' }), '/synth/source/options/connectionArn required'],
    [withStep({ commands: ['make'] }), '/stages/0/steps/0/commands commands_on_step'],
    [withStep({ position: 'between' }), '/stages/0/steps/0/position enum'],
    [withStep({ timeout: 0 }), '/stages/0/steps/0/timeout minimum'],
    [{ stages: [{ stageName: 'Build', steps: [] }] }, '/stages/0/steps minItems'],
    [{ stages: [...(GOOD.stages ?? []), ...(GOOD.stages ?? [])] }, '/stages/1/stageName unique'],
    [{ schedule: 'sometimes' }, '/schedule schedule'],
    [{ vars: { text: 'x'.repeat(256 * 1024) } }, ' size'],
    [{ vars: JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) }, ' depth'],
    [withStep({ env: { API_KEY: 'abc' } }), '/stages/0/steps/0/env/API_KEY credential'],
  ])('with %j are refused', (more, at) => {
    expect(wrong(more)).toContain(at)
  })

  it('name each plugin once, the version beside the filter first', () => {
    const props = {
      ...GOOD,
      ...withStep({ plugin: { name: 'label', version: '2.0.0', filter: { name: 'real', version: '1.0.0' } } }),
    }
    expect(distinct(referencesIn(props as Props, ''))).toEqual([
      { name: 'node-build', version: null },
      { name: 'real', version: '2.0.0' },
    ])
  })
})

describe('credentials', () => {
  // Assembled at run time, so that no secret scanner reports this file.
  const forms = [
    `AKIA${'A'.repeat(16)}`,
    `ghp_${'a'.repeat(36)}`,
    `glpat-${'a'.repeat(20)}`,
    `xoxb-${'1'.repeat(12)}`,
    `sk_${'live'}_${'a'.repeat(16)}`,
    `npm_${'a'.repeat(36)}`,
    `-----BEGIN RSA ${'PRIVATE'} KEY-----`,
    `eyJ${'a'.repeat(12)}.eyJ${'b'.repeat(12)}.c`,
    `x-eyJ${'a'.repeat(2000)}.eyJ${'b'.repeat(12)}.c`,
    'postgres://user:hunter2@db/x',
  ]
  it.each(forms)('in %s are found, wherever they stand', (text) => {
    expect(findCredentials({ list: [`echo ${text}`] }, '')).toMatchObject([{ path: '/list/0', code: 'credential' }])
  })

  it('are found by their keys, and references are none', () => {
    expect(findCredentials({ password: 'x', 'client-secret': 'y', keyword: 'z' }, '').map(({ path }) => path)).toEqual([
      '/password',
      '/client-secret',
    ])
    const references = ['secret:NPM_TOKEN', 'secretsmanager:a/b', '{{ vars.t }}', '$TOKEN', '']
    for (const token of references) expect(findCredentials({ token }, ''), token).toEqual([])
    expect(findCredentials({ any: 'secret:not a name' }, '')).toHaveLength(1)
  })
})

describe('the shipped templates', () => {
  it.each(STARTERS.map((starter) => [starter.name, starter] as const))('%s keeps its contract', (_, starter) => {
    requireContract(starter.props, starter.inputs)
    const required = starter.inputs.filter(({ required }) => required).map(({ name }) => [name, 'acme/app'])
    const { values, issues } = readInputs(starter.inputs, Object.fromEntries(required), '')
    expect(issues).toEqual([])
    const props = completeProps(instantiated(starter.props, values), 'a', 'b')
    expect(checkProps(props, { project: 'a', organization: 'b' }, '')).toEqual([])
    const { value, issues: tokens } = resolveProps(props, '')
    expect([tokens, JSON.stringify(value).includes('{{')]).toEqual([[], false])
  })

  it('are eight or more, with names of their own', () => {
    expect(new Set(STARTERS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(8)
  })
})
