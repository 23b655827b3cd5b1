/** What reviewers found about rules, exemptions, subscriptions and scans. */

import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import type { Attack } from '../attacks/attacks.js'
import { behindItsBack } from '../attacks/stored.js'
import {
  type Ask,
  asking,
  bossOf,
  criticalRule,
  DESCRIBED,
  exempted,
  fromBranch,
  ownerAndAdmin,
  PIPELINE,
  principalToken,
  raiseTier,
  statuses,
  until,
  upload,
} from './people.js'

interface Published {
  readonly id: string
  readonly name: string
  readonly policyIds: readonly string[]
}

export const RULE_FINDINGS: readonly Attack[] = [
  {
    name: 'D1: another pipeline with the name of an exempted one',
    expects: '200, 403, true, 200, create block without a record',
    async run(target) {
      const pair = await ownerAndAdmin(target, 'd1')
      const ask = asking(target, pair.owner)
      const made = await ask('POST', '/pipelines', { ...PIPELINE, pipelineName: 'legacy-pipe' })
      const { id } = made.data.pipeline
      const ruleId = await criticalRule(ask, DESCRIBED)
      const approved = await exempted(target, pair, { ruleId, entityType: 'pipeline', entityId: id })
      const other = { ...PIPELINE, project: 'evil', organization: 'Other', pipelineName: 'legacy-pipe' }
      const refused = await ask('POST', '/pipelines', other)
      const validated = await ask('POST', '/pipelines/validate', other)
      const own = await ask('PUT', `/pipelines/${id}`, { pipelineName: 'renamed' })
      const { data } = await ask('GET', '/compliance/audit?action=create&result=block')
      const [log] = data.checks ?? data.entries ?? []
      const filed = `${log?.action} ${log?.result} ${log?.entityId === null ? 'without a record' : log?.entityId}`
      return `${statuses([approved, refused])}, ${validated.data.compliance.blocked}, ${own.status}, ${filed}`
    },
  },
  {
    name: 'D1: another version of an exempted plugin, and every version asked for explicitly',
    expects: '202, 200, 403, 200, *, 202',
    async run(target) {
      const pair = await ownerAndAdmin(target, 'd1b')
      const ask = asking(target, pair.owner)
      const first = await upload(target, pair.owner, '1.0.0')
      const { data } = await ask('GET', '/plugins?name=tool&buildStatus=queued')
      const ruleId = await criticalRule(ask, { ...DESCRIBED, target: 'plugin' })
      const plugin = { ruleId, entityType: 'plugin' }
      const approved = await exempted(target, pair, { ...plugin, entityId: data.plugins[0].id })
      const second = await upload(target, pair.owner, '2.0.0')
      const all = await exempted(target, pair, { ...plugin, entityKey: { name: 'tool', version: '*' } })
      const shown = all.data.exemption?.entityKey?.version
      return `${first}, ${approved.status}, ${second}, ${all.status}, ${shown}, ${await upload(target, pair.owner, '2.0.0')}`
    },
  },
  {
    name: 'D3: a value that a rule forbids, spelt as a token',
    expects: '403, 403, 201, 403',
    async run(target) {
      const ask = asking(target, (await ownerAndAdmin(target, 'd3')).owner)
      const field = 'props.synth.source.options.branch'
      await criticalRule(ask, { name: 'no dev', field, operator: 'notIn', value: ['dev'] })
      await criticalRule(ask, { name: 'plugin', field: 'props.synth.plugin.name', operator: 'neq', value: 'forbidden' })
      const byToken = {
        ...PIPELINE,
        props: {
          ...PIPELINE.props,
          vars: { p: 'forbidden' },
          synth: { ...PIPELINE.props.synth, plugin: { name: '{{ vars.p }}' } },
        },
      }
      return statuses([
        await ask('POST', '/pipelines', fromBranch('dev')),
        await ask('POST', '/pipelines', fromBranch('{{ vars.b }}', { vars: { b: 'dev' } })),
        await ask('POST', '/pipelines', fromBranch('{{ vars.b }}', { vars: { b: 'main' } })),
        await ask('POST', '/pipelines', byToken),
      ])
    },
  },
  {
    name: 'D4: the built-in template for a longest time',
    expects: '201, 201, 202, 403',
    async run(target) {
      const { owner } = await ownerAndAdmin(target, 'd4')
      const ask = asking(target, owner)
      const applied = await ask('POST', '/compliance/templates/apply', { templateId: 'tpl-max-timeout' })
      const made = await ask('POST', '/pipelines', PIPELINE)
      const uploads = [
        await upload(target, owner, '1.0.0', 'timeout: 60\n'),
        await upload(target, owner, '1.0.1', 'timeout: 500\n'),
      ]
      return `${statuses([applied, made])}, ${uploads.join(', ')}`
    },
  },
  {
    name: 'D9: the body of a refusal by a rule',
    expects: '403 403 COMPLIANCE_VIOLATION',
    async run(target) {
      const ask = asking(target, (await ownerAndAdmin(target, 'd9')).owner)
      await criticalRule(ask, DESCRIBED)
      const { data } = await ask('POST', '/pipelines', PIPELINE)
      return `${data.status} ${data.statusCode} ${data.code}`
    },
  },
  {
    name: 'D10: curated policies, and the policies of published rules',
    expects: 'best-practices, cis-controls, pci-dss, soc-2; named',
    async run(target) {
      const ask = asking(target, (await ownerAndAdmin(target, 'd10')).owner)
      const { data } = await ask('GET', '/compliance/policies?limit=100')
      const wanted = ['best-practices', 'cis-controls', 'pci-dss', 'soc-2']
      const found = data.policies.map(({ name }: Published) => name).filter((name: string) => wanted.includes(name))
      const rules = (await ask('GET', '/compliance/published-rules?limit=100')).data.rules as Published[]
      return `${found.sort().join(', ')}; ${rules.some(({ policyIds }) => policyIds.length > 0) ? 'named' : 'no rule names one'}`
    },
  },
  {
    name: 'D11: rules of a set when the tier changes',
    expects: 'some at enterprise, 0 at developer, as many again',
    async run(target) {
      const { owner } = await ownerAndAdmin(target, 'd11')
      const setTier = async (tier: string) => {
        await raiseTier(target, owner.orgId, tier)
        const { data } = await asking(target, owner)('GET', '/compliance/subscriptions/enforced')
        return (data.rules ?? data.subscriptions).length as number
      }
      await setTier('developer')
      const many = await setTier('enterprise')
      const none = await setTier('developer')
      const again = await setTier('enterprise')
      return `${many > 0 ? 'some' : 'none'} at enterprise, ${none} at developer, ${again === many ? 'as many again' : again}`
    },
  },
  {
    name: 'D15, D18: starter rules of a new organization, and the history of a published rule',
    expects: 'inactive, 200, 200',
    async run(target) {
      const ask = asking(target, (await ownerAndAdmin(target, 'd15')).owner)
      const listed = await ask('GET', '/compliance/subscriptions?limit=100&sortBy=createdAt')
      const subscriptions = listed.data.subscriptions as { ruleId: string; isActive: boolean }[]
      const state = subscriptions.length > 0 && subscriptions.every(({ isActive }) => !isActive) ? 'inactive' : 'other'
      const history = await ask('GET', `/compliance/rules/${subscriptions[0]?.ruleId}/history`)
      return `${state}, ${statuses([listed, history])}`
    },
  },
  {
    name: 'D17: what a scan found, in the record',
    expects: 'completed, blocked by the newest check',
    async run(target) {
      const ask = asking(target, (await ownerAndAdmin(target, 'd17')).owner)
      const { id } = (await ask('POST', '/pipelines', PIPELINE)).data.pipeline
      await criticalRule(ask, DESCRIBED)
      const begun = await ask('POST', '/compliance/scans', { target: 'pipeline' })
      const scan = await until(
        async () => (await ask('GET', `/compliance/scans/${begun.data.scan.id}`)).data.scan.status as string,
        (status) => status !== 'pending' && status !== 'running',
      )
      const { complianceStatus } = (await ask('GET', `/pipelines/${id}`)).data.pipeline
      const isNewest = Date.parse(complianceStatus.checkedAt) >= Date.parse(begun.data.scan.createdAt)
      return `${scan}, ${complianceStatus.result} by ${isNewest ? 'the newest check' : 'an older one'}`
    },
  },
  {
    name: 'D20: warnings of bulk requests',
    expects: '1 for one, 1 for each of many',
    async run(target) {
      const ask = asking(target, (await ownerAndAdmin(target, 'd20')).owner)
      const rule = { target: 'pipeline', severity: 'warning', ...DESCRIBED }
      await ask('POST', '/compliance/rules', rule)
      const single = await ask('POST', '/pipelines', PIPELINE)
      const many = await ask('POST', '/pipelines/bulk/create', { pipelines: [{ ...PIPELINE, project: 'bulk' }] })
      const count = (warnings: unknown) => (Array.isArray(warnings) ? warnings.length : 'none')
      return `${count(single.data.warnings)} for one, ${count(many.data.items?.[0]?.warnings)} for each of many`
    },
  },
  {
    name: 'further: a subscription and a policy begin the same re-scan as a rule',
    expects: 'rule 1, subscription 1, policy 1',
    async run(target) {
      const queued = async (name: string, before: (ask: Ask) => Promise<Ask>) => {
        const { owner } = await ownerAndAdmin(target, name)
        const act = await before(asking(target, owner))
        const where = `kind = 'compliance.rescan' AND org_id = '${owner.orgId}'`
        await behindItsBack(target.place, `DELETE FROM jobs WHERE ${where}`)
        const { status, data } = await act('', '')
        if (status >= 300) return `${name} ${status} ${JSON.stringify(data)}`
        // It begins half a minute later, so that other changes can come with it.
        const rows = await behindItsBack(target.place, `SELECT id FROM jobs WHERE ${where}`)
        return `${name} ${rows.length}`
      }
      const answers = [
        await queued(
          'rule',
          async (ask) => () => ask('POST', '/compliance/rules', { ...DESCRIBED, target: 'pipeline' }),
        ),
        await queued('subscription', async (ask) => {
          const { data } = await ask('GET', '/compliance/subscriptions?limit=100')
          const at = `/compliance/subscriptions/${data.subscriptions[0].ruleId}`
          return () => ask('PATCH', at, { isActive: true })
        }),
        await queued('policy', async (ask) => {
          const made = await ask('POST', '/compliance/policies', { name: 'later', isActive: false })
          const policyId = made.data.policy?.id
          await criticalRule(ask, { ...DESCRIBED, policyId })
          return () => ask('PUT', `/compliance/policies/${policyId}`, { isActive: true })
        }),
      ]
      return answers.join(', ')
    },
  },
  {
    name: 'further: an event about a record from elsewhere',
    expects: '200 true, 200 false, 403 to a person',
    async run(target) {
      const { owner } = await ownerAndAdmin(target, 'f2')
      const { id } = (await asking(target, owner)('POST', '/pipelines', PIPELINE)).data.pipeline
      const token = await principalToken(target, await bossOf(target), SYSTEM_ORG_ID, ['compliance:events'])
      const event = {
        eventId: '019a0000-0000-7000-8000-0000000000f2',
        entityId: id,
        orgId: owner.orgId,
        target: 'pipeline',
        eventType: 'updated',
        timestamp: new Date().toISOString(),
      }
      const send = () => target.call('POST', '/compliance/events/entity', { as: token, body: event })
      const [first, again] = [await send(), await send()]
      const person = await asking(target, owner)('POST', '/compliance/events/entity', event)
      return `${first.status} ${first.data.processed}, ${again.status} ${again.data.processed}, ${person.status} to a person`
    },
  },
  {
    name: 'further: a webhook to this machine, when it is written down',
    expects: '400 /body/webhookUrl',
    async run(target) {
      const ask = asking(target, (await ownerAndAdmin(target, 'f9')).owner)
      const { status, data } = await ask('PUT', '/compliance/notification-preferences', {
        webhookUrl: 'https://localhost/x',
      })
      return `${status} ${data.details?.issues?.[0]?.path ?? JSON.stringify(data).slice(0, 200)}`
    },
  },
  {
    name: 'further: several mistakes of a rule, told at once',
    expects: '400 /body/priority, /body/severity',
    async run(target) {
      const ask = asking(target, (await ownerAndAdmin(target, 'f10')).owner)
      const rule = { ...DESCRIBED, target: 'pipeline', severity: 'grave', priority: 100_000_000 }
      const { status, data } = await ask('POST', '/compliance/rules', rule)
      const paths = (data.details?.issues ?? []).map(({ path }: { path: string }) => path).sort()
      return `${status} ${[...new Set(paths)].join(', ')}`
    },
  },
  {
    name: '3.2: a rule of the form "if A then B" names the consequence',
    expects: '403, 2 failures, props.synth.source.options.branch must be main',
    async run(target) {
      const ask = asking(target, (await ownerAndAdmin(target, 'ifthen')).owner)
      const branch = 'props.synth.source.options.branch'
      const conditions = [
        { field: 'organization', operator: 'neq', value: 'Acme' },
        { field: branch, operator: 'eq', value: 'main' },
      ]
      await criticalRule(ask, { name: 'production from main', conditionMode: 'any', conditions })
      const { status, data } = await ask('POST', '/pipelines', fromBranch('dev'))
      const [violation] = data.details?.violations ?? data.violations ?? []
      const says = /because .*organization.* is .*Acme.*, .*branch.* must equal "main"/.test(violation?.message)
      const what = says ? `${branch} must be main` : violation?.message
      return `${status}, ${violation?.failures?.length} failures, ${what}`
    },
  },
]
