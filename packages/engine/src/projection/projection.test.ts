import { describe, expect, it } from 'vitest'
import { projectEntity, unknownKeys } from './project-entity.js'
import { projection } from './projection.js'

describe('the projection', () => {
  it('picks the keys of the target and names what it leaves out', () => {
    const input = { name: 'a', version: '1', smokeTest: {}, tags: ['x'], project: 'p', skipped: undefined }
    expect(projectEntity('plugin', input)).toEqual({ name: 'a', version: '1' })
    expect(unknownKeys('plugin', input)).toEqual(['smokeTest', 'tags', 'project'])
    expect(projectEntity('pipeline', { ...input, pipelineName: 'n' })).toEqual({
      project: 'p',
      pipelineName: 'n',
      name: 'n',
    })
  })

  it('adds aliases of what is present', () => {
    expect(
      projectEntity('plugin', { baseImage: 'alpine', usesRootUser: false, keywords: ['k'], ownerId: 'o' }),
    ).toEqual({
      baseImage: 'alpine',
      image: 'alpine',
      usesRootUser: false,
      runAsRoot: false,
      keywords: ['k'],
      tags: ['k'],
      ownerId: 'o',
      owner: 'o',
    })
    const stages = [{ stageName: 'Build' }]
    expect(projectEntity('pipeline', { props: { stages } })).toEqual({ props: { stages }, stages })
    expect(projectEntity('pipeline', { props: { stages: null } })).toEqual({ props: { stages: null } })
    expect(projectEntity('pipeline', { props: 'x' })).toEqual({ props: 'x' })
  })

  it('an author cannot forge an alias', () => {
    expect(projectEntity('plugin', { usesRootUser: true, runAsRoot: false })).toMatchObject({ runAsRoot: true })
    expect(projectEntity('plugin', { runAsRoot: false })).toEqual({})
  })

  it('keeps the keys of env and buildArgs and no value', () => {
    const projected = projectEntity('plugin', {
      env: JSON.parse('{"A": "1", "B": {"c": 1}, "__proto__": "x"}'),
      buildArgs: ['A=1', 'B=2'],
    })
    expect(Object.keys(projected.env as object)).toEqual(['A', 'B', '__proto__'])
    expect(Object.values(projected.env as object)).toEqual(['[REDACTED]', '[REDACTED]', '[REDACTED]'])
    expect(projected.buildArgs).toEqual(['[REDACTED]', '[REDACTED]'])
    expect(projectEntity('plugin', { env: 'A=1', buildArgs: null })).toEqual({ env: '[REDACTED]', buildArgs: null })
  })

  it('reads own properties only', () => {
    expect(projectEntity('plugin', Object.create({ name: 'inherited' }))).toEqual({})
  })

  it('is idempotent', () => {
    const once = projectEntity('plugin', { name: 'a', env: { A: '1' }, keywords: [], baseImage: 'x' })
    expect(projectEntity('plugin', once)).toEqual(once)
  })

  it('is this table, by which stored results were made: another one is another version', () => {
    expect(projection.version).toBe(2)
    expect(projection.keys.plugin.join(' ')).toBe(
      'id name version description category keywords pluginType computeType timeout failureBehavior accessModifier ' +
        'buildType isDefault isActive commands installCommands dockerfile baseImage usesRootUser builtImage env buildArgs ' +
        'secrets metadata requiredVars requiredMetadata primaryOutputDirectory ownerId ownerType lifecycle criticality labels links',
    )
    expect(projection.keys.pipeline.join(' ')).toBe(
      'id project organization pipelineName description keywords accessModifier props ownerId ownerType lifecycle ' +
        'criticality labels links',
    )
  })

  it('adds no alias of what is absent', () => {
    expect(Object.keys(projectEntity('plugin', {}))).toEqual([])
    expect(Object.keys(projectEntity('pipeline', { props: {} }))).toEqual(['props'])
  })

  it('is data: no key twice, aliases apart from keys of the same target', () => {
    for (const target of ['plugin', 'pipeline'] as const) {
      const names = [...projection.keys[target], ...projection.aliases[target].map(({ alias }) => alias)]
      expect(new Set(names).size).toBe(names.length)
    }
  })
})
