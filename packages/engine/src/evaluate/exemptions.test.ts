/** Goal: an exemption is for one record, by its id or by its key, however the key is written, and never for a name. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntityKey, EntityRef, Exemption } from '../types.js'
import { coveringKeyTexts, entityKeyOf, entityKeyText } from './entity-key.js'
import { coversEntity } from './exemptions.js'

const PLUGIN = { name: 'web', version: '1.0.0' }
const covers = (exemption: Pick<Exemption, 'entityId' | 'entityKey'>, entity: EntityRef) =>
  coversEntity(exemption, entity)

describe('an exemption', () => {
  it.each<[string, Pick<Exemption, 'entityId' | 'entityKey'>, EntityRef, boolean]>([
    ['of an id is for that record', { entityId: 'a' }, { id: 'a', key: PLUGIN }, true],
    ['of an id is for no other one with the same key', { entityId: 'a' }, { id: 'b', key: PLUGIN }, false],
    ['of an id is for none whose id is not known', { entityId: 'a' }, { key: PLUGIN }, false],
    ['of an id with its key is for a file with that key', { entityId: 'a', entityKey: PLUGIN }, { key: PLUGIN }, true],
    [
      'of an id with its key is not for another id',
      { entityId: 'a', entityKey: PLUGIN },
      { id: 'b', key: PLUGIN },
      false,
    ],
    ['of a key is for the record, stored or not', { entityKey: PLUGIN }, { id: 'a', key: PLUGIN }, true],
    ['of a version is for no other', { entityKey: PLUGIN }, { key: { ...PLUGIN, version: '2.0.0' } }, false],
    ['of every version is for each', { entityKey: { ...PLUGIN, version: '*' } }, { key: PLUGIN }, true],
    ['of a version is not for a record called *', { entityKey: PLUGIN }, { key: { ...PLUGIN, version: '*' } }, false],
    ['of a key is for none without one', { entityKey: PLUGIN }, { id: 'a' }, false],
    [
      'of a plugin is for no pipeline',
      { entityKey: PLUGIN },
      { key: { project: 'web', organization: '1.0.0' } },
      false,
    ],
    ['of no record is for all', {}, { id: 'a' }, true],
  ])('%s', (_, exemption, entity, expected) => {
    expect(covers(exemption, entity)).toBe(expected)
  })

  it('of a pipeline names it in any way the server takes for the same', () => {
    const entity = { key: { project: 'My-App', organization: 'Acme Inc.' } }
    expect(covers({ entityKey: { project: ' my_app', organization: 'acme inc ' } }, entity)).toBe(false)
    expect(covers({ entityKey: { project: ' my_app', organization: 'acme inc_' } }, entity)).toBe(true)
    expect(covers({ entityKey: { project: 'myapp', organization: 'Acme Inc.' } }, entity)).toBe(false)
  })
})

describe('a key', () => {
  it('is read from what names a record, and from nothing less', () => {
    expect(entityKeyOf('plugin', { ...PLUGIN, id: 'x' })).toEqual(PLUGIN)
    expect(entityKeyOf('plugin', { name: 'web' })).toBe(null)
    expect(entityKeyOf('pipeline', { project: 'a', organization: 'b', pipelineName: 'c' })).toEqual({
      project: 'a',
      organization: 'b',
    })
    expect(entityKeyOf('pipeline', { project: 'a', organization: ' ' })).toBe(null)
    expect(entityKeyOf('plugin', Object.create(PLUGIN))).toBe(null)
  })

  it('law: has the text of another exactly where it names the same record', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'A', '-', ' ', '"', ','), minLength: 1, maxLength: 4 })
    const plugin = fc.record({ name: part, version: part })
    fc.assert(
      fc.property(plugin, plugin, (a: EntityKey, b: EntityKey) => {
        expect(entityKeyText(a) === entityKeyText(b)).toBe(JSON.stringify(a) === JSON.stringify(b))
        expect(coveringKeyTexts(a)).toContain(entityKeyText(a))
      }),
    )
  })
})
