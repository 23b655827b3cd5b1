/** What an author leaves out is completed as the server stores it. The server's writes are compared with it in the gate's tests. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Target } from '../types.js'
import { completeEntity, pipelineNameOf, recordDefaults } from './complete-entity.js'
import { projectEntity } from './project-entity.js'

describe('an entity is completed', () => {
  it('a pipeline by the defaults, its name and its properties', () => {
    const props = { synth: {} }
    expect(completeEntity('pipeline', { project: ' Web Shop', organization: 'Acme ', props })).toEqual({
      ...recordDefaults.pipeline,
      project: 'Web Shop',
      organization: 'Acme',
      pipelineName: 'acme-web_shop-pipeline',
      name: 'acme-web_shop-pipeline',
      props: { ...props, project: 'Web Shop', organization: 'Acme' },
      tags: [],
    })
    expect(completeEntity('pipeline', {})).toEqual({ ...recordDefaults.pipeline, tags: [] })
    expect(completeEntity('pipeline', { project: 'a', organization: 'b', props: 'x' }).props).toBe('x')
    expect(completeEntity('pipeline', { project: 'a', organization: 'b', props: { project: 'c' } }).props).toEqual({
      project: 'c',
      organization: 'b',
    })
  })

  it('a plugin by the defaults, and a type without an image by what follows from it', () => {
    const spec = {
      name: 'a',
      version: '1.0.0',
      env: null,
      secrets: [{ name: 'A' }, { name: 'B', required: false }, 'x'],
    }
    const completed = completeEntity('plugin', spec)
    expect(completed).toEqual({
      ...recordDefaults.plugin,
      name: 'a',
      version: '1.0.0',
      secrets: [{ name: 'A', required: true }, { name: 'B', required: false }, 'x'],
      tags: [],
    })
    expect(completeEntity('plugin', { pluginType: 'ManualApprovalStep' })).toMatchObject({
      buildType: 'metadata_only',
      isActive: true,
      usesRootUser: false,
      runAsRoot: false,
    })
    expect(completeEntity('plugin', { buildType: 'build_image' })).toMatchObject({ isActive: false })
  })

  it('by the stored record before the defaults, for what a write keeps', () => {
    const stored = {
      id: '1',
      lifecycle: 'deprecated',
      criticality: 'low',
      labels: { a: 1 },
      ownerId: 'o',
      description: 'x',
    }
    expect(completeEntity('pipeline', {}, stored)).toEqual({
      ...recordDefaults.pipeline,
      id: '1',
      lifecycle: 'deprecated',
      criticality: 'low',
      labels: { a: 1 },
      ownerId: 'o',
      owner: 'o',
      tags: [],
    })
    expect(completeEntity('pipeline', { lifecycle: 'production', criticality: null }, stored)).toMatchObject({
      lifecycle: 'production',
      criticality: null,
    })
    expect(completeEntity('plugin', {}, { accessModifier: 'public', isDefault: true, category: 'x' })).toMatchObject({
      accessModifier: 'public',
      isDefault: true,
      category: 'unknown',
    })
  })

  it('never from a prototype', () => {
    expect(completeEntity('plugin', Object.create({ lifecycle: 'deprecated' })).lifecycle).toBe('production')
    const secret = Object.create({ required: false }) as object
    expect(completeEntity('plugin', { secrets: [secret] }).secrets).toEqual([{ required: true }])
  })

  it('with a name of a pipeline that is not longer than one may be', () => {
    expect(pipelineNameOf('p'.repeat(300), 'o')).toHaveLength(255)
  })

  const keys = [
    'name',
    'version',
    'project',
    'organization',
    'keywords',
    'lifecycle',
    'criticality',
    'props',
    'env',
    'tags',
  ]
  const entity = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 2 }))
  const target = fc.constantFrom<Target>('plugin', 'pipeline')

  it('law: once is enough, and a whole record stays as it is', () => {
    fc.assert(
      fc.property(target, entity, fc.option(entity), (kind, written, stored) => {
        const once = completeEntity(kind, written, stored)
        expect(completeEntity(kind, once, stored)).toEqual(once)
        expect(projectEntity(kind, once)).toEqual(once)
      }),
    )
  })

  it('law: what the author wrote stays, and so does the input', () => {
    fc.assert(
      fc.property(target, entity, fc.option(entity), (kind, written, stored) => {
        const before = structuredClone([written, stored])
        const completed = completeEntity(kind, written, stored)
        expect([written, stored]).toEqual(before)
        for (const [key, value] of Object.entries(projectEntity(kind, written))) {
          if (value === null || ['props', 'project', 'organization', 'tags'].includes(key)) continue
          expect(completed[key]).toEqual(key === 'env' ? projectEntity(kind, { env: value }).env : value)
        }
      }),
    )
  })
})
