/** Lists generations: the person's own, and for administrators those of the organization. */
import { and } from 'drizzle-orm'
import Type from 'typebox'
import { equals } from '../../runtime/operation/filters.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { aiTables, GENERATION_STATES } from '../tables.js'
import { GenerationRecord, generationRecord, READ_GENERATIONS, seenGenerations } from './record.js'

const generations = listOf({
  key: 'generations',
  item: GenerationRecord,
  filters: {
    state: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: [...GENERATION_STATES] })),
    kind: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['pipeline', 'plugin'] })),
  },
  sortBy: ['createdAt'],
})

export const listGenerations = query({
  name: 'ai.generation.list',
  summary: 'List generations',
  http: { method: 'get', path: '/ai/generations' },
  access: READ_GENERATIONS,
  tenant: fromHeader,
  input: { query: generations.query },
  output: generations.output,
  errors: ['VALIDATION_ERROR'],
  async run(context, { query: asked }) {
    const { db } = context
    const { aiGenerations: t } = aiTables(db)
    const { state, kind } = asked as { state?: string; kind?: string }
    return generations.page(db, {
      table: t,
      where: and(seenGenerations(context), equals(t.state, state as never), equals(t.kind, kind)),
      columns: { createdAt: t.createdAtMs },
      id: t.id,
      query: asked,
      present: generationRecord,
    })
  },
})
