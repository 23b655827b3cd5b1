/**
 * `GET /audit/checkpoint` and `GET /audit/key`, as plain text: an outsider who keeps these need not trust the server.
 */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { checkpointOf } from '../chain/read-anchor.js'
import { ACROSS, chainAccess, orgIdField, requestedChain } from '../chain/requested-chain.js'

export const TEXT = 'text/plain; charset=utf-8'

export const getCheckpoint = query({
  name: 'audit.checkpoint.get',
  summary: "Get the newest signed checkpoint of an organization's chain",
  description: 'A C2SP signed note. Keep it: you can compare any later state of the log with it.',
  http: { method: 'get', path: '/audit/checkpoint' },
  access: chainAccess,
  tenant: fromHeader,
  acrossForSystemAdmins: ACROSS,
  input: { query: strictObject({ orgId: orgIdField }) },
  output: Type.String(),
  media: TEXT,
  errors: ['NOT_FOUND', 'MISSING_REQUIRED_FIELD'],
  async run({ db, authority }, { query: { orgId } }) {
    const newest = await checkpointOf(db, requestedChain(authority, orgId))
    if (newest === null) throw notFound('Checkpoint')
    return newest.note
  },
})
