/**
 * `GET /compliance/bundle`: everything that decides a verdict, signed, for use without a server (ADR 76): the rules in
 * force now with their sources and rollouts, the exemptions in force, and the limits of this server.
 */
import { type RuleBundleContent, signRuleBundle } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { and, asc, eq, gt, isNull, or } from 'drizzle-orm'
import Type from 'typebox'
import { auditLog } from '../../audit/index.js'
import { DAY_MS, toIso, toIsoOrNull } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { recordsNamed } from '../exemption/named.js'
import { heldOf } from '../held.js'
import { TARGETS } from '../rule/schema.js'
import { loadRules } from '../rule-set/load.js'
import { readStamps } from '../rule-stamp.js'
import { complianceTables } from '../tables.js'

const DAYS_USUAL = 7
const DAYS_MAX = 30

export const exportBundle = query({
  name: 'compliance.bundle.export',
  summary: 'Export the rules that apply to the organization as a signed bundle',
  description: `Signed by the key that signs checkpoints. \`plumbline check --bundle FILE --key KEY\` verifies and uses it without a server, until it expires: after ${DAYS_USUAL} days unless \`days\` says otherwise.`,
  http: { method: 'get', path: '/compliance/bundle' },
  // guard: a-bundle-of-rules-needs-a-permission
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: DAYS_MAX })) }) },
  output: strictObject({
    bundle: strictObject({
      plumblineRuleBundle: Type.Literal(1),
      note: Type.String({ description: 'A C2SP signed note over the content' }),
      content: Type.Record(Type.String(), Type.Unknown(), {
        description: 'orgId, issuedAt, expiresAt, stamp, limits, rules, exemptions',
      }),
    }),
  }),
  errors: ['SERVICE_UNAVAILABLE'],
  async run(context, { query: { days = DAYS_USUAL } }) {
    const log = auditLog(context.runtime.settings)
    const content = await contentOf(context, context.nowMs + days * DAY_MS)
    return { bundle: signRuleBundle(nodeCrypto, log.origin, content, [log.signingKey]) }
  },
})

async function contentOf(context: ReadContext, expiresAtMs: number): Promise<RuleBundleContent> {
  const { db, runtime, nowMs } = context
  const { settings } = runtime
  const held = heldOf(context)
  const rules: object[] = []
  for (const target of TARGETS) {
    const merged = await loadRules(db, held, target)
    for (const rule of merged.rules) {
      rules.push({ rule, mode: merged.modes.get(rule.id ?? '') ?? 'enforce', pinned: merged.pinned.has(rule.id ?? '') })
    }
  }
  return {
    orgId: tenantId(context),
    issuedAt: toIso(nowMs),
    expiresAt: toIso(expiresAtMs),
    stamp: await readStamps(db, held),
    limits: {
      regexLength: settings.COMPLIANCE_MAX_REGEX_LENGTH,
      keys: settings.COMPLIANCE_MAX_ATTRIBUTE_KEYS,
      depth: settings.COMPLIANCE_MAX_ATTRIBUTE_DEPTH,
      nodes: settings.COMPLIANCE_MAX_ATTRIBUTE_NODES,
    },
    rules,
    exemptions: await exemptionsInForce(context),
  }
}

/** Leaves out who requested and who approved an exemption: that stays on the server. */
async function exemptionsInForce(context: ReadContext): Promise<object[]> {
  const { db, nowMs } = context
  const { exemptions: t } = complianceTables(db)
  // guard: a-bundle-holds-exemptions-that-were-approved
  // guard: a-bundle-holds-exemptions-that-last
  const isInForce = and(eq(t.status, 'approved'), or(isNull(t.expiresAtMs), gt(t.expiresAtMs, nowMs)))
  // guard: a-bundle-holds-the-exemptions-of-its-own-organization
  const rows = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, tenantId(context)), isInForce))
    .orderBy(asc(t.id))
  // A file has no record ids: an exemption by id is exported with the key of its record.
  const named = await recordsNamed(db, context.runtime, tenantId(context), rows)
  return rows.map((row) => ({
    id: row.id,
    ruleId: row.ruleId,
    status: row.status,
    expiresAt: toIsoOrNull(row.expiresAtMs),
    orgId: row.orgId,
    entityType: row.entityType,
    entityId: row.entityId,
    entityKey: row.entityKey ?? named(row)?.key ?? null,
    reason: row.reason,
  }))
}
