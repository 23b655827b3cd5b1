/** The rules of an organization instead of rule files: from a signed bundle, or from the server. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { openRuleBundle, type RuleBundleProblem } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { compileRules, type Exemption, type Limits, type Rule, type RuleSet } from '@plumbline/engine'
import { readVerifierKeys } from '../audit/keys.js'
import { type Invocation, type Io, NotDoneError, UsageError } from '../command.js'
import { readSource } from '../input/read-source.js'
import { texts } from '../program/invocation.js'
import { openSession, type Session, telling } from '../remote/session.js'

/** The rollout mode that an organization has set for a rule. */
export type Mode = 'enforce' | 'warn' | 'observe'

export interface OrgRules {
  readonly orgId: string | null
  readonly rules: readonly Rule[]
  readonly ruleSet: RuleSet
  readonly modes: Readonly<Record<string, Mode>>
  readonly exemptions: readonly (Exemption & { readonly reason: string | null })[]
  /** The limits of the server. Null if the server itself evaluates: then those of the configuration apply. */
  readonly limits: Limits | null
  /** The server that evaluates instead of this process; null for a bundle. */
  readonly session: Session | null
  /** The instant of the past whose rules the server applies; null for now. */
  readonly asOf: string | null
}

/**
 * Null if the command line names neither a bundle nor an organization: the rules then come from files.
 * @param asOf the requested instant; null for now.
 */
export async function orgRules(invocation: Invocation, io: Io, asOf: string | null): Promise<OrgRules | null> {
  const { bundle, org } = invocation.options
  if (typeof bundle === 'string') return bundleRules(bundle, invocation, io)
  if (org === undefined) return null
  const files = (invocation.arguments[0] ?? []) as readonly string[]
  if (typeof org === 'string' && files.length === 0 && existsSync(resolve(io.cwd, org))) {
    throw new UsageError(
      `\`--org ${org}\` names an organization, but \`${org}\` is a file or folder here`,
      `name files first: \`plumbline check ${org} --org\``,
    )
  }
  return serverRules(invocation, io, asOf)
}

interface BundledRules {
  readonly rules: readonly { readonly rule: Rule; readonly mode: Mode }[]
  readonly exemptions: OrgRules['exemptions']
  readonly limits: Limits
}

const PROBLEMS: Readonly<Record<RuleBundleProblem, readonly [what: string, fix: string]>> = {
  malformed: ['is not a bundle', 'fetch one with `plumbline bundle fetch`'],
  unknown_key: ['is signed by no key that you gave', 'give the key of the server with --key (`GET /api/audit/key`)'],
  bad_signature: ['has a signature that its key did not make: it was altered', 'fetch it again'],
  content_altered: ['differs from what was signed: it was altered', 'fetch it again'],
  other_organization: ['is of another organization', 'fetch the bundle of your organization, or correct --org'],
  expired: ['has expired', 'fetch it again with `plumbline bundle fetch`'],
  not_yet: ['was issued in the future', 'correct the clock of this machine'],
}

export interface OpenedBundle extends BundledRules {
  readonly orgId: string
  readonly origin: string
  readonly issuedAt: string
  readonly expiresAt: string
}

/** @throws UsageError unless the bundle is unaltered, signed by a known key, of the organization and not expired. */
export async function readBundle(path: string, invocation: Invocation, io: Io): Promise<OpenedBundle> {
  const keys = await readVerifierKeys(texts(invocation, 'key'), io)
  if (keys.length === 0) {
    throw new UsageError(
      '--key is required with a bundle',
      'save the key of the server once, with `curl -fsS $PLUMBLINE_URL/api/audit/key > audit.pub`, and give --key audit.pub',
    )
  }
  const { org } = invocation.options
  const opened = openRuleBundle(nodeCrypto, await parsed(path, io), {
    keys,
    nowMs: io.now().getTime(),
    ...(typeof org === 'string' ? { orgId: org } : {}),
  })
  if ('problem' in opened) {
    const [what, fix] = PROBLEMS[opened.problem]
    throw new UsageError(`the bundle \`${path}\` ${what} (${opened.problem})`, fix)
  }
  return { ...(opened.content as unknown as OpenedBundle), origin: opened.origin }
}

const BUNDLE_BYTES_MAX = 64 << 20

async function parsed(path: string, io: Io): Promise<unknown> {
  const { text } = await readSource(path, io, BUNDLE_BYTES_MAX)
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function bundleRules(path: string, invocation: Invocation, io: Io): Promise<OrgRules> {
  const { orgId, rules: bundled, exemptions, limits } = await readBundle(path, invocation, io)
  const rules = bundled.map(({ rule }) => rule)
  return {
    orgId,
    rules,
    ruleSet: compileRules(rules, { limits }),
    modes: Object.fromEntries(bundled.map(({ rule, mode }) => [rule.id ?? rule.name, mode])),
    exemptions,
    limits,
    session: null,
    asOf: null,
  }
}

/** The rules that apply to the organization on the server, for reports. The verdicts come from separate requests. */
async function serverRules(invocation: Invocation, io: Io, asOf: string | null): Promise<OrgRules> {
  return telling(async () => {
    const session = openSession(invocation, io)
    const { data } = await session.send<{ rules: Rule[] }>({
      method: 'GET',
      path: '/compliance/subscriptions/enforced',
      ...(asOf === null ? {} : { query: { asOf } }),
    })
    if (!Array.isArray(data?.rules)) throw new NotDoneError('the answer of the server holds no list of rules')
    return {
      orgId: null,
      rules: data.rules,
      // Never evaluated here: only its names and targets are read.
      ruleSet: { rules: data.rules, issues: [] } as unknown as RuleSet,
      modes: {},
      exemptions: [],
      limits: null,
      session,
      asOf,
    }
  })
}
