/** Sets keys, budget and sharing. A key can be written but never read; an empty text removes it. */
import { and, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { findSettings, UNSET } from '../budget/settings.js'
import { keyPurpose } from '../provider/keys.js'
import { aiOf } from '../services.js'
import { aiTables } from '../tables.js'
import { ConfigRecord, configOf } from './record.js'

const key = (whose: string) =>
  Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: '^[!-~]*$',
      'x-says': 'must be a key without spaces, or empty to remove it',
      description: `Key at ${whose}; empty to remove it`,
    }),
  )

const KEYS = {
  anthropic: key('Anthropic'),
  openai: key('OpenAI'),
  google: key('Google'),
  xai: key('xAI'),
  'amazon-bedrock': key('Amazon Bedrock: a key of Bedrock, or `<access key id>:<secret>[:<session token>]`'),
  'openai-compatible': key('the self-hosted model'),
}
const PROVIDERS = Object.keys(KEYS) as (keyof typeof KEYS)[]

const Limit = Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })))

const Body = strictObject({
  ...KEYS,
  monthlyTokens: Limit,
  monthlyMicroUsd: Limit,
  previews: Type.Optional(Type.Boolean()),
  shareRules: Type.Optional(Type.Boolean()),
  keepPrompts: Type.Optional(Type.Boolean()),
})
type Body = Static<typeof Body>

export const updateConfig = command({
  name: 'ai.config.update',
  summary: 'Set keys, budget and sharing of generation',
  description: 'Fields that the body leaves out stay. Keys are encrypted; only their last four characters are shown.',
  http: { method: 'put', path: '/organization/ai-config' },
  access: permission('org:settings'),
  tenant: fromHeader,
  audit: ['admin.org.ai-config.update'],
  input: { body: Body },
  output: strictObject({ config: ConfigRecord }),
  errors: [],
  async run(context, { body }) {
    const orgId = tenantId(context)
    await lockRow(context.tx, 'organizations', orgId)
    const before = await findSettings(context.tx, orgId)
    context.checkRevision(before?.revision ?? 0)
    const providers = await setKeys(context, orgId, body)
    const { monthlyTokens, monthlyMicroUsd, previews, shareRules, keepPrompts } = body
    const said = { monthlyTokens, monthlyMicroUsd, previews, shareRules, keepPrompts }
    const set = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
    const names = Object.keys(set)
    const answer = async () => ({ config: await configOf(context.tx, orgId, context.nowMs) })
    if (providers.length + names.length === 0) return unchanged(await answer())
    const { aiSettings: t } = aiTables(context.tx)
    const revision = (before?.revision ?? 0) + 1
    const row = { ...UNSET, ...before, ...set, orgId, revision, updatedAtMs: context.nowMs }
    await context.tx.insert(t).values(row).onConflictDoUpdate({ target: t.orgId, set: row })
    await context.audit('admin.org.ai-config.update', {
      targetType: 'organization',
      targetId: orgId,
      details: { changed: names, providers },
    })
    return changed(await answer())
  },
})

/** @returns the providers whose key was set or removed. */
async function setKeys(context: WriteContext, orgId: string, body: Body): Promise<string[]> {
  const { tx, runtime, nowMs, actor } = context
  const { aiKeys: t } = aiTables(tx)
  const touched: string[] = []
  for (const provider of PROVIDERS) {
    const text = body[provider]
    if (text === undefined) continue
    touched.push(provider)
    if (text === '') {
      await tx.delete(t).where(and(eq(t.orgId, orgId), eq(t.provider, provider)))
      continue
    }
    const row = {
      orgId,
      provider,
      sealed: aiOf(runtime).box().seal(text, keyPurpose(orgId, provider)),
      hint: text.length < 12 ? '' : text.slice(-4),
      updatedBy: actor.id,
      updatedAtMs: nowMs,
    }
    await tx
      .insert(t)
      .values(row)
      .onConflictDoUpdate({ target: [t.orgId, t.provider], set: row })
  }
  return touched
}
