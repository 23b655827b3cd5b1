/**
 * Lines that keep the way out closed, compliance roles what they are, and each delivery told once. Each was taken out in a
 * copy, and its test failed there.
 */
import { type Guard, KILLS } from './guard.js'

const ADDRESSES = 'src/runtime/egress/address.test.ts'
const EGRESS = 'src/runtime/egress/egress.test.ts'
const NOTIFICATIONS = 'src/compliance/notification/notification.test.ts'
const WEBHOOKS = 'src/compliance/notification/webhook.test.ts'
const DIGESTS = 'src/compliance/notification/digest.test.ts'
const ROLES = 'src/compliance/role/role.test.ts'

export const NOTIFICATION_GUARDS: readonly Guard[] = [
  {
    name: 'a notification about a rule with alternatives has no value of the record',
    file: 'compliance/notification/event.ts',
    find: 'message: messageWithoutValues(violation) }',
    replace: 'message: violation.message }',
    test: NOTIFICATIONS,
  },
  {
    name: 'every address of a name is vetted',
    file: 'runtime/egress/egress.ts',
    find: '    for (const address of addresses) {',
    replace: '    for (const address of addresses.slice(0, 1)) {',
    test: EGRESS,
  },
  {
    name: 'an address in the place of a name is vetted',
    file: 'runtime/egress/egress.ts',
    find: '        if (parseAddress(target.host) !== null) vetted(target, [target.host])\n',
    replace: '',
    test: EGRESS,
  },
  {
    name: 'an attempt ends in time',
    file: 'runtime/egress/egress.ts',
    find: '          signal: ends,\n',
    replace: '',
    test: EGRESS,
  },
  {
    name: 'the headers of an answer are bounded',
    file: 'runtime/egress/egress.ts',
    find: '    maxHeaderSize: HEADER_BYTES_MAX,\n',
    replace: '    maxHeaderSize: 1 << 24,\n',
    test: EGRESS,
  },
  {
    name: 'IPv6 is closed but for global unicast',
    file: 'runtime/egress/address.ts',
    find: "if (nameIn(GLOBAL_UNICAST, bytes) === null) return nameIn(V6_NAMED, bytes) ?? 'not global unicast'",
    replace: 'if (nameIn(GLOBAL_UNICAST, bytes) === null) return nameIn(V6_NAMED, bytes)',
    test: ADDRESSES,
  },
  {
    name: 'the bits of the last byte of a range',
    file: 'runtime/egress/address.ts',
    find: '  if (rest === 0) return true\n',
    replace: '  if (rest !== 8) return true\n',
    test: ADDRESSES,
  },
  {
    name: 'no plain http but where the operator vouches',
    file: 'runtime/egress/target.ts',
    find: "  if (protocol === 'http:' && !isAllowed) return 'must begin with https://'\n",
    replace: '',
    test: ADDRESSES,
  },
  {
    name: 'no credentials in an address',
    file: 'runtime/egress/target.ts',
    find: "  if (url.username !== '' || url.password !== '') return 'must not hold credentials'\n",
    replace: '',
    test: ADDRESSES,
  },
  {
    name: 'the log of the own organization',
    file: 'compliance/notification/log.ts',
    find: 'and(eq(t.orgId, orgId), ...conditions(db, orgId, wanted))',
    replace: 'and(undefined, ...conditions(db, orgId, wanted))',
    test: NOTIFICATIONS,
  },
  {
    name: 'only a delivery that is over is replayed',
    file: 'compliance/notification/replay.ts',
    find: ", inArray(t.state, ['sent', 'failed'])",
    replace: '',
    test: WEBHOOKS,
  },
  {
    name: 'the secret of a webhook goes with its host',
    file: 'compliance/notification/manage-preference.ts',
    find: 'nextHost === hostOf(row.webhookUrl) ? row.sealedSecret : null',
    replace: 'row.sealedSecret',
    test: NOTIFICATIONS,
  },
  {
    name: 'recipients are members',
    file: 'compliance/notification/manage-preference.ts',
    find: '      if (!isMember) refuse(',
    replace: '      if (isMember === null) refuse(',
    test: NOTIFICATIONS,
  },
  {
    name: 'e-mails go to members of the organization',
    file: 'identity/member/mail-recipients.ts',
    find: '        eq(memberships.orgId, orgId),\n        eq(memberships.isActive, true),',
    replace: '        eq(memberships.isActive, true),',
    test: NOTIFICATIONS,
  },
  {
    name: 'e-mails go to confirmed addresses',
    file: 'identity/member/mail-recipients.ts',
    find: '        isNotNull(users.emailVerifiedAtMs),\n',
    replace: '',
    test: NOTIFICATIONS,
  },
  {
    name: 'an attempt that was cut off is closed',
    file: 'compliance/notification/webhook.ts',
    find: "  await closeCutOff(writing, delivery, isOver ? 'failed' : 'retrying')\n",
    replace: '',
    test: WEBHOOKS,
  },
  {
    name: 'six attempts and no more',
    file: 'compliance/notification/webhook.ts',
    find: '  const isOver = attemptOfRound > ATTEMPTS_MAX\n',
    replace: '  const isOver = attemptOfRound > 2 * ATTEMPTS_MAX\n',
    test: WEBHOOKS,
  },
  {
    name: 'a digest waits for its window',
    file: 'compliance/notification/digest.ts',
    find: 'if (preference === null || !isDue(preference, nowMs)) return',
    replace: 'if (preference === null) return',
    test: DIGESTS,
  },
  {
    name: 'a delivery has one id in all of its attempts',
    file: 'compliance/notification/webhook.ts',
    find: 'webhookHeaders({ deliveryId, event',
    replace: 'webhookHeaders({ deliveryId: attempt.id, event',
    test: KILLS,
  },
  {
    name: 'what a killed process left open is closed',
    file: 'compliance/notification/webhook.ts',
    find: "and(eq(t.deliveryId, delivery.id), eq(t.orgId, delivery.orgId), eq(t.status, 'pending'))",
    replace: "and(eq(t.deliveryId, delivery.id), eq(t.orgId, delivery.orgId), eq(t.status, 'none'))",
    test: KILLS,
  },
  {
    name: 'what is in a digest waits for no other',
    file: 'compliance/notification/digest.ts',
    find: "      .set({ state: 'sent', updatedAtMs: nowMs })\n",
    replace: '      .set({ updatedAtMs: nowMs + 1 })\n',
    test: KILLS,
  },
  {
    name: 'who administers compliance',
    file: 'compliance/role/manage.ts',
    find: '  if (managesCompliance === true) return\n',
    replace: '  if (managesCompliance !== null) return\n',
    test: ROLES,
  },
  {
    name: 'an editor does not decide about exemptions',
    file: 'compliance/exemption/review.ts',
    find: 'if (authority.decidesExemptions !== true) {',
    replace: 'if (authority.decidesExemptions === null) {',
    test: ROLES,
  },
  {
    name: 'a compliance role is for active members',
    file: 'identity/compliance-role/give.ts',
    find: '  await activeMember(tx, orgId, userId)\n',
    replace: '',
    test: ROLES,
  },
  {
    name: 'a compliance role ends with the membership',
    file: 'identity/member/delete.ts',
    find: '  await tx.delete(complianceRoles).where(and(eq(complianceRoles.orgId, orgId), eq(complianceRoles.userId, userId)))\n',
    replace: '',
    test: ROLES,
  },
]
