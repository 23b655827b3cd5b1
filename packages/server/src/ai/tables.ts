/** The organizations' keys, settings and spending, and every generation with its result. */
import { tableSet, tenant } from '../runtime/store/table-set.js'

export const GENERATION_STATES = ['reserved', 'streaming', 'done', 'failed', 'cancelled', 'released'] as const
export type GenerationState = (typeof GENERATION_STATES)[number]
export const OPEN_STATES: readonly GenerationState[] = ['reserved', 'streaming']

export const aiTables = tableSet(
  'ai',
  (k) => {
    const aiKeys = k.table(
      'ai_keys',
      {
        orgId: k.text('org_id').notNull(),
        provider: k.text('provider').notNull(),
        sealed: k.text('sealed').notNull(),
        /** The last four characters of the key. */
        hint: k.text('hint').notNull(),
        updatedBy: k.text('updated_by').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [k.primaryKey({ columns: [t.orgId, t.provider] })],
    )
    const aiSettings = k.table('ai_settings', {
      orgId: k.text('org_id').primaryKey(),
      /** Null means no limit. */
      monthlyTokens: k.large('monthly_tokens'),
      monthlyMicroUsd: k.large('monthly_micro_usd'),
      previews: k.bool('previews').notNull(),
      shareRules: k.bool('share_rules').notNull(),
      keepPrompts: k.bool('keep_prompts').notNull(),
      revision: k.count('revision').notNull(),
      updatedAtMs: k.epochMs('updated_at_ms').notNull(),
    })
    const aiSpend = k.table(
      'ai_spend',
      {
        orgId: k.text('org_id').notNull(),
        /** `2026-11`, in UTC. */
        month: k.text('month').notNull(),
        heldTokens: k.large('held_tokens').notNull(),
        spentTokens: k.large('spent_tokens').notNull(),
        heldMicroUsd: k.large('held_micro_usd').notNull(),
        spentMicroUsd: k.large('spent_micro_usd').notNull(),
      },
      (t) => [k.primaryKey({ columns: [t.orgId, t.month] })],
    )
    const aiGenerations = k.table(
      'ai_generations',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        rootOrgId: k.text('root_org_id').notNull(),
        /** Null once the person is erased. */
        userId: k.text('user_id'),
        kind: k.text('kind').notNull(),
        state: k.text('state').$type<GenerationState>().notNull(),
        leaseUntilMs: k.epochMs('lease_until_ms').notNull(),
        provider: k.text('provider').notNull(),
        model: k.text('model').notNull(),
        keySource: k.text('key_source').notNull(),
        inputTokens: k.large('input_tokens').notNull(),
        outputTokens: k.large('output_tokens').notNull(),
        costMicroUsd: k.large('cost_micro_usd').notNull(),
        /** The budget that the open round holds, in the month of the hold. */
        heldTokens: k.large('held_tokens').notNull(),
        heldMicroUsd: k.large('held_micro_usd').notNull(),
        heldMonth: k.text('held_month'),
        rounds: k.count('rounds').notNull(),
        verdict: k.text('verdict'),
        errorCode: k.text('error_code'),
        promptHash: k.text('prompt_hash').notNull(),
        prompt: k.text('prompt'),
        /** The content of the last event; stored for 30 days. */
        result: k.json<Record<string, unknown>>('result'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        finishedAtMs: k.epochMs('finished_at_ms'),
      },
      (t) => [
        k.index('ai_generations_created').on(t.orgId, t.createdAtMs, t.id),
        k.index('ai_generations_lease').on(t.state, t.leaseUntilMs),
        k.index('ai_generations_age').on(t.createdAtMs),
      ],
    )
    return { aiKeys, aiSettings, aiSpend, aiGenerations }
  },
  { aiKeys: tenant(), aiSettings: tenant(), aiSpend: tenant(), aiGenerations: tenant() },
)
export type GenerationRow = ReturnType<typeof aiTables>['aiGenerations']['$inferSelect']
export type AiSettingsRow = ReturnType<typeof aiTables>['aiSettings']['$inferSelect']
