/** Lines that keep drafts checked, budgets whole, keys at home and generations counted once. */
import { cut, drop, type Guard, guard, never, swap, value } from './guard.js'

const DRAFTS = 'ai/pipeline/generate'
const UPKEEP = 'ai/generation/ledger'
const WIRES = 'ai/provider/wires'
const READING = 'ai/draft/draft'
const ADDRESSES = 'ai/repository/addresses'
const REPOSITORIES = 'ai/repository/read'
const FROM_URL = 'ai/pipeline/generate-from-url'
const DEPLOYED = 'deploy-generated'

export const AI_GUARDS: readonly Guard[] = [
  guard('a-budget-of-tokens-is-not-passed', value('undefined'), DRAFTS),
  guard('a-budget-of-money-is-not-passed', value('undefined'), UPKEEP),
  guard('absurd-usage-counts-as-what-was-held', value("told !== 'unknown'"), DRAFTS),
  guard('keys-of-the-own-organization', cut('.where(eq(t.orgId, orgId))'), UPKEEP),
  guard('a-draft-is-bounded', never, READING),
  guard('a-draft-holds-no-nul', cut("...nulIssues(value, ''),"), READING),
  guard('a-key-of-the-request-serves-alone', never, DRAFTS),
  guard('generations-of-the-own-organization', value('undefined'), DRAFTS),
  guard('generations-are-seen-by-who-asked', value('own'), DRAFTS),
  guard('open-generations-of-a-person-are-counted', never, UPKEEP),
  guard('a-generation-is-counted-once', cut(", eq(t.state, 'reserved')"), UPKEEP),
  guard('a-generation-is-counted-at-its-first-token', drop, UPKEEP),
  guard('no-fallback-behind-the-first-token', value('error.message'), DRAFTS),
  guard('what-is-not-valid-is-not-shown', never, DRAFTS),
  guard('a-model-that-says-nothing-is-left', value('await source.next()'), UPKEEP),
  guard('a-dead-lease-settles-at-what-was-held', swap("'unknown'", "'nothing'"), UPKEEP),
  guard('a-key-is-of-the-organization-or-its-root', cut('inArray(t.orgId, [orgId, rootOrgId]),'), UPKEEP),
  guard('the-key-of-the-organization-comes-first', value('undefined'), UPKEEP),
  guard(
    'a-model-that-ends-too-late-ends-in-silence',
    swap('next.then(', 'if (signal.aborted) return stop()\n    next.then('),
    UPKEEP,
  ),
  guard('a-generation-that-ended-holds-nothing', swap('inArray(g.state, [...OPEN_STATES])', 'undefined'), UPKEEP),
  guard('a-generation-has-one-hold', swap('isNull(g.heldMonth)', 'undefined'), UPKEEP),
  guard('a-dead-lease-keeps-no-place', cut(', gt(t.leaseUntilMs, nowMs)'), UPKEEP),
  guard(
    'each-answer-has-a-verdict-of-its-own',
    value('await ((progress as any).first ??= check(context, subject, text))'),
    DRAFTS,
  ),
  guard('keys-go-over-tls', never, WIRES),
  guard('a-repository-names-no-project', value('true'), FROM_URL),
  guard('a-key-goes-to-its-provider-alone', never, WIRES),
  guard('tokens-of-repositories-go-over-tls', never, ADDRESSES),
  guard('the-address-of-a-repository-is-plain-text', never, ADDRESSES),
  guard('no-user-in-the-address-of-a-repository', never, ADDRESSES),
  guard('requests-to-a-forge-are-counted', never, REPOSITORIES),
  guard('the-tree-of-a-repository-is-bounded', never, REPOSITORIES),
  guard('the-files-of-a-repository-are-bounded', value('text === null'), REPOSITORIES),
  guard('a-file-of-a-repository-is-bounded', value('bytes === null'), REPOSITORIES),
  guard('a-repository-vouches-for-no-host', swap('[host]', "[host, 'evil.example']"), FROM_URL),
  guard('a-draft-builds-the-repository-that-was-asked-for', value('true'), FROM_URL),
  guard('a-generated-version-replaces-none', never, DEPLOYED),
  guard('a-draft-of-a-plugin-counts-its-bytes', swap('bytes', '0'), DEPLOYED),
  guard('the-names-of-plugins-that-are-seen', cut(', isVisible(key, plugins)'), DEPLOYED),
  guard('the-fake-is-offered-where-the-operator-chose-it', value('PROVIDER_IDS'), 'ai/provider/wires'),
  guard('who-may-not-draft-any-more-hears-no-more', value('undefined'), UPKEEP),
  guard('a-team-spends-of-its-root', swap('[rootOrgId, orgId]', '[orgId]'), UPKEEP),
  guard('each-round-renews-the-lease', cut(', leaseUntilMs'), UPKEEP),
  guard('a-hold-is-settled-once', drop, UPKEEP),
  guard('a-hold-is-settled-in-its-month', cut(', eq(t.month, row.heldMonth)'), UPKEEP),
  guard('a-generation-ends-once', value('row === undefined'), UPKEEP),
  guard('a-call-that-was-not-counted-is-released', value("ended.state ?? 'failed'"), UPKEEP),
  guard('calls-of-the-account-are-checked-before-a-model-is-asked', drop, UPKEEP),
  guard('a-live-lease-is-not-swept', cut(', lt(t.leaseUntilMs, nowMs)'), UPKEEP),
  guard('a-question-that-no-provider-worked-on-costs-nothing', never, UPKEEP),
  guard('an-answer-has-a-time', value('AbortSignal.timeout(60_000)'), UPKEEP),
  guard('a-client-that-leaves-before-the-first-event-keeps-no-place', drop, UPKEEP),
  guard('a-prompt-fades-as-a-draft-does', value('isNotNull(t.result)'), UPKEEP),
  guard('a-team-shares-no-more-than-its-root', value('own'), DRAFTS),
  guard('held-uses-count', swap('used + others + 1', 'used + 1'), UPKEEP),
]
