/** Reports for any suite: registered pipelines, and a service principal that reports their runs. */
import { tokenHash } from '../../src/identity/credential/opaque-token.js'
import { identityRegistration } from '../../src/identity/registration.js'
import { identityTables } from '../../src/identity/tables.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { deployedPipelines } from '../../src/pipeline/deployed.js'
import { pipelineEntities } from '../../src/pipeline/entities.js'
import { PIPELINE_OPERATIONS } from '../../src/pipeline/operations.js'
import { pipelineRegistration } from '../../src/pipeline/registration.js'
import { quotaRegistration } from '../../src/quota/registration.js'
import { REPORTING_OPERATIONS } from '../../src/reporting/operations.js'
import { reportingRegistration } from '../../src/reporting/registration.js'
import { registrationListener } from '../../src/reporting/webhook/listener.js'
import { deployedPipelinesPort, registrationPort } from '../../src/runtime/records/deployed-pipelines.js'
import type { Store } from '../../src/runtime/store/db.js'
import { organizationApp } from './organizations.js'
import { body, HeldRules } from './pipelines.js'
import type { IdentityApp, SignedIn } from './sign-in.js'

export async function reportingApp(
  store: Store,
  more: { readonly settings?: Readonly<Record<string, string>>; readonly startMs?: number } = {},
): Promise<IdentityApp> {
  const app = await organizationApp(store, {
    operations: [...TENANT_OPERATIONS, ...PIPELINE_OPERATIONS, ...REPORTING_OPERATIONS],
    domains: [identityRegistration, quotaRegistration, pipelineRegistration, reportingRegistration],
    ports: { compliance: new HeldRules(), entities: [pipelineEntities] },
    ...more,
  })
  app.ports.set(deployedPipelinesPort, deployedPipelines).set(registrationPort, registrationListener(app.runtime))
  return app
}

const SECRET = 'plk_forwarder'

/** An access token of a new service principal in the organization. */
export async function forwarder(
  app: IdentityApp,
  orgId: string,
  scopes: readonly string[] = ['reporting:ingest'],
): Promise<string> {
  const id = app.runtime.ids.next()
  const nowMs = app.clock.now()
  await app.runtime.store.system.write((tx) =>
    tx.insert(identityTables(tx).servicePrincipals).values({
      id,
      orgId,
      name: id,
      nameKey: `${orgId}:${id}`,
      clientId: id,
      secretHash: tokenHash(SECRET),
      secretHint: '',
      previousSecretHash: null,
      previousUntilMs: null,
      scopes: [...scopes],
      includeTeams: false,
      expiresAtMs: nowMs + 365 * 86_400_000,
      validForMs: 365 * 86_400_000,
      lastUsedAtMs: null,
      disabledAtMs: null,
      createdBy: 'test',
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }),
  )
  const answer = await app.call('POST', '/auth/token', {
    body: { grant_type: 'client_credentials', clientId: id, clientSecret: SECRET },
  })
  if (answer.status !== 200) throw new Error(`forwarder: ${JSON.stringify(answer.body)}`)
  return answer.data.accessToken
}

/** @returns the id of a new pipeline, which is registered by default. */
export async function newPipeline(
  app: IdentityApp,
  as: SignedIn,
  project: string,
  { isRegistered = true, orgId }: { readonly isRegistered?: boolean; readonly orgId?: string } = {},
): Promise<string> {
  const headers: Record<string, string> = orgId === undefined ? {} : { 'x-org-id': orgId }
  const made = await app.call('POST', '/pipelines', { as, body: body(project), headers })
  if (made.status !== 201) throw new Error(`pipeline: ${JSON.stringify(made.body)}`)
  const { id } = made.data.pipeline
  if (isRegistered) await register(app, as, id, headers)
  return id
}

export async function register(app: IdentityApp, as: SignedIn, pipelineId: string, headers = {}): Promise<void> {
  const answer = await app.call('POST', '/pipelines/registry', { as, body: { pipelineId }, headers })
  if (answer.status !== 200) throw new Error(`register: ${JSON.stringify(answer.body)}`)
}
