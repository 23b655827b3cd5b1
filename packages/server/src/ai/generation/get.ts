/** Shows a generation; its draft is available for 30 days. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { aiTables } from '../tables.js'
import { GenerationDetail, generationRecord, READ_GENERATIONS, seenGenerations } from './record.js'

export const getGeneration = query({
  name: 'ai.generation.get',
  summary: 'Show a generation with its draft',
  http: { method: 'get', path: '/ai/generations/:id' },
  access: READ_GENERATIONS,
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ generation: GenerationDetail }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { aiGenerations: t } = aiTables(context.db)
    const [row] = await context.db
      .select()
      .from(t)
      .where(and(eq(t.id, id), seenGenerations(context)))
    if (row === undefined) throw notFound('Generation')
    return { generation: { ...generationRecord(row), prompt: row.prompt, result: row.result } }
  },
})
