/** Pipelines for any suite: the operations on an app with real accounts, and rules that a test controls. */
import { identityRegistration } from '../../src/identity/registration.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { PIPELINE_OPERATIONS } from '../../src/pipeline/operations.js'
import { pipelineRegistration } from '../../src/pipeline/registration.js'
import { quotaRegistration } from '../../src/quota/registration.js'
import type { CompliancePort, ComplianceRequest, ComplianceVerdict } from '../../src/runtime/records/compliance.js'
import type { PluginCatalogPort } from '../../src/runtime/records/plugin-catalog.js'
import type { Store } from '../../src/runtime/store/db.js'
import { organizationApp } from './organizations.js'
import type { IdentityApp } from './sign-in.js'

/** A compliance port for tests: it records its requests, and returns the verdict that a test has set. */
export class HeldRules implements CompliancePort {
  readonly asked: ComplianceRequest[] = []
  answer: (request: ComplianceRequest) => ComplianceVerdict | Promise<ComplianceVerdict> = () => passed
  async check(_: unknown, request: ComplianceRequest) {
    this.asked.push(request)
    return { verdict: await this.answer(request) }
  }
}

export const passed: ComplianceVerdict = {
  passed: true,
  blocked: false,
  violations: [],
  warnings: [],
  rulesEvaluated: 1,
}

export const violating = (severity: 'warning' | 'error'): ComplianceVerdict => {
  const violation = { ruleName: 'has-owner', severity, field: 'ownerId', message: 'has no owner' } as never
  return {
    passed: false,
    blocked: severity === 'error',
    violations: [violation],
    warnings: severity === 'warning' ? [violation] : [],
    rulesEvaluated: 1,
  }
}

export async function pipelineApp(
  store: Store,
  more: { readonly settings?: Readonly<Record<string, string>>; readonly plugins?: PluginCatalogPort } = {},
): Promise<{ readonly app: IdentityApp; readonly rules: HeldRules }> {
  const rules = new HeldRules()
  const app = await organizationApp(store, {
    operations: [...TENANT_OPERATIONS, ...PIPELINE_OPERATIONS],
    domains: [identityRegistration, quotaRegistration, pipelineRegistration],
    ports: { compliance: rules, ...(more.plugins === undefined ? {} : { plugins: more.plugins }) },
    ...(more.settings === undefined ? {} : { settings: more.settings }),
  })
  return { app, rules }
}

export const PROPS = {
  synth: {
    source: { type: 'github', options: { repo: 'acme/shop', branch: 'main', token: 'secret:SOURCE_TOKEN' } },
    plugin: { name: 'node-build', version: '1.0.0' },
  },
  stages: [
    { stageName: 'Build', steps: [{ plugin: { name: 'node-build', version: '1.0.0' } }] },
    { stageName: 'Test', steps: [{ plugin: { name: 'node-test' } }] },
  ],
}

export const body = (project: string, more: object = {}) => ({
  project,
  organization: 'Acme Corp',
  description: `builds ${project}`,
  keywords: ['Shop'],
  props: PROPS,
  ...more,
})
