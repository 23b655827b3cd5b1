/** `POST /compliance/exemptions/bulk`. The answer has a result for each entry. */
import Type, { type Static } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { attempt, bulkItem, bulkList, ITEM_FAILURE, itemFailure } from '../../runtime/records/bulk.js'
import type { ExemptionRow, RuleRow } from '../tables.js'
import { endExpired, insertRequest, Request, rowOf, ruleFor, rulesNamed, withNames } from './requests.js'

const BULK_MAX = 500

const Item = strictObject({
  index: Type.Integer({ minimum: 0 }),
  id: Type.Optional(Uuid),
  status: Type.Enum(['created', 'skipped', 'failed'], {
    description: '`skipped`: the entity has an open exemption from the rule, or the entry appears twice',
  }),
  ...ITEM_FAILURE,
})

export const bulkRequestExemptions = command({
  name: 'compliance.exemption.bulk-request',
  summary: 'Request up to 500 exemptions',
  description:
    'Each entry has its own result: an invalid one fails, and the others are requested. Entries with an open exemption, and entries that appear twice, are skipped.',
  http: { method: 'post', path: '/compliance/exemptions/bulk', status: 201 },
  access: permission('compliance:read'),
  tenant: fromHeader,
  audit: ['compliance.exemption.request'],
  idempotent: true,
  input: { body: strictObject({ exemptions: bulkList(Request, BULK_MAX) }) },
  output: strictObject({
    created: Type.Integer(),
    skipped: Type.Integer(),
    failed: Type.Integer(),
    ids: Type.Array(Uuid),
    items: Type.Array(Item),
  }),
  errors: ['VALIDATION_ERROR'],
  async run(context, { body: { exemptions } }) {
    const { tx, nowMs } = context
    const at = (index: number) => `/body/exemptions/${index}`
    const sent = exemptions.map((each, index) => attempt(() => bulkItem(Request, each, at(index))))
    const requests = sent.flatMap((each) => ('value' in each ? [each.value] : []))
    const rules = requests.length === 0 ? new Map<string, RuleRow>() : await rulesNamed(context, requests)
    const asked = sent.map((each, index) =>
      'refusal' in each
        ? each
        : attempt(() => rowOf(context, each.value, ruleFor(rules, each.value, nowMs, at(index)))),
    )
    const rows = asked.flatMap((each) => ('value' in each ? [each.value] : []))
    await endExpired(tx, tenantId(context), nowMs)
    const named = (await withNames(context, rows)).values()
    const items: Static<typeof Item>[] = []
    for (const [index, each] of asked.entries()) {
      if ('refusal' in each) items.push(itemFailure(index, each.refusal))
      else {
        const { row } = named.next().value as { row: ExemptionRow }
        const isNew = await insertRequest(context, row)
        items.push(isNew ? { index, id: row.id, status: 'created' } : { index, status: 'skipped' })
      }
    }
    const count = (status: string) => items.filter((item) => item.status === status).length
    const data = {
      created: count('created'),
      skipped: count('skipped'),
      failed: count('failed'),
      ids: items.flatMap(({ status, id }) => (status === 'created' && id !== undefined ? [id] : [])),
      items,
    }
    return data.created === 0 ? unchanged(data) : changed(data)
  },
})
