/** `GET /pipelines/:id/revisions/:revision/diff`: what changed since the previous revision, or since `against`. */
import Type from 'typebox'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { READ_PIPELINES } from '../read-access.js'
import { difference } from './changes.js'
import { Number32, onRevision, revisionOf } from './record.js'

const Change = strictObject({
  op: Type.Unsafe<'add' | 'remove' | 'replace'>({ type: 'string', enum: ['add', 'remove', 'replace'] }),
  path: Type.String({ description: 'JSON pointer into the pipeline' }),
  before: Type.Optional(Type.Unsafe<unknown>({})),
  after: Type.Optional(Type.Unsafe<unknown>({})),
})

/** Fields that the server sets with each change. */
const UNSAID = new Set(['revision', 'updatedAt', 'updatedBy'])

export const diffRevisions = query({
  name: 'pipeline.revision.diff',
  summary: 'Compare two revisions of a pipeline',
  http: { method: 'get', path: '/pipelines/:id/revisions/:revision/diff' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  input: {
    path: onRevision,
    query: Type.Object({
      against: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'By default, the one before' }),
      ),
    }),
  },
  output: strictObject({ from: Number32, to: Number32, changes: Type.Array(Change) }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id, revision }, query: { against = Math.max(1, revision - 1) } }) {
    const [before, after] = [await revisionOf(context, id, against), await revisionOf(context, id, revision)]
    const said = (record: object) => Object.fromEntries(Object.entries(record).filter(([name]) => !UNSAID.has(name)))
    return { from: against, to: revision, changes: difference(said(before.record), said(after.record)) }
  },
})
