/**
 * Deletes the customer of a deleted sandbox or of a purged organization at the provider. The row of the job is written in
 * the transaction that deletes the rows, and is tried again until the provider has answered.
 */
import { and, eq, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { defineJob } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { OPEN_STATES } from '../call/wish.js'
import { providerOf } from '../charge/open.js'
import { findCustomer } from '../provider/link.js'
import { providerTables } from '../provider-tables.js'

export const FORGET_CUSTOMER_KIND = 'billing.forget-customer'
/** With waits of an hour at most, more than a day. */
const ATTEMPTS_MAX = 36

export const forgetCustomerJob = defineJob({
  kind: FORGET_CUSTOMER_KIND,
  payload: strictObject({ orgId: Type.String(), provider: Type.String(), customerId: Type.String() }),
  audit: none('the deletion of the test clock or of the organization is the evidence'),
  attemptsMax: ATTEMPTS_MAX,
  async run({ runtime, read }, { orgId, provider: kind, customerId }) {
    const provider = providerOf(runtime)
    if (provider.kind !== kind)
      throw new Error(`customer ${customerId} is of ${kind}, and ${provider.kind} charges here`)
    // A later subscription of the organization may have found the customer and use it.
    // guard: a-customer-in-use-is-not-deleted
    if ((await read((db) => findCustomer(db, orgId))) === customerId) return
    if (await read((db) => isSubscribing(db, orgId))) throw new Error(`organization ${orgId} is subscribing`)
    await provider.deleteCustomer(customerId)
  },
})

/** Until its call has an answer, it is not known which customer a new subscription has. */
async function isSubscribing(db: Db, orgId: string): Promise<boolean> {
  const { billingProviderCalls: t } = providerTables(db)
  const open = await db.$count(t, and(eq(t.orgId, orgId), eq(t.kind, 'create'), inArray(t.state, [...OPEN_STATES])))
  return open > 0
}
