/** Get the public keys that verify checkpoints. */
import Type from 'typebox'
import { anyone } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { TEXT } from '../checkpoint/get.js'
import { auditLog } from '../log.js'

export const getKey = query({
  name: 'audit.key.get',
  summary: 'Get the public keys that verify checkpoints',
  description:
    'Verifier keys of the log, the present one first, then of its witness; one a line. Get them once, and keep them.',
  http: { method: 'get', path: '/audit/key' },
  access: anyone(),
  tenant: noTenant,
  input: {},
  output: Type.String(),
  media: TEXT,
  errors: ['SERVICE_UNAVAILABLE'],
  run: async ({ runtime }) =>
    auditLog(runtime.settings)
      .keyTexts.map((text) => `${text}\n`)
      .join(''),
})
