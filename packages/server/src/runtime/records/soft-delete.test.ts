/** What is deleted softly answers the same, whatever it is. */
import { beforeAll, describe, expect, it } from 'vitest'
import { allOperations } from '../../../test/support/operations.js'
import type { Operation } from '../operation/operation.js'
import { Deleted, PurgedAnswer } from './soft-delete.js'

describe('soft delete', () => {
  let operations: readonly Operation[]
  beforeAll(async () => {
    operations = await allOperations()
  })
  const outputOf = (noun: string, verb: string) => {
    const found = operations.find(({ name }) => name === `${noun}.${verb}`)
    return found !== undefined && 'output' in found ? found.output : null
  }

  it('has one answer of DELETE and one of purge, for each noun whose deleted records are listed', () => {
    const nouns = operations.flatMap(({ name }) => (name.endsWith('.list-deleted') ? [name.slice(0, -13)] : []))
    expect(nouns.sort()).toEqual([
      'compliance.policy',
      'compliance.rule',
      'message.message',
      'pipeline.pipeline',
      'pipeline.template',
      'plugin.plugin',
    ])
    for (const noun of nouns) {
      expect(outputOf(noun, 'delete'), noun).toBe(Deleted)
      expect(outputOf(noun, 'purge'), noun).toBe(PurgedAnswer)
    }
  })
})
