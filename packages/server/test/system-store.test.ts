/**
 * Only the files of this list read or write across organizations. Each has its reason; a new one is a decision, made
 * here. `execute.ts` is in it for operations without a tenant and those that declare `acrossOrganizations`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const REASONS: Readonly<Record<string, string>> = {
  'audit/chain/start-sequencer.ts': 'one sequencer seals the evidence of every organization',
  'audit/chain/verify.ts': 'the signed directories that a log is compared with name every chain',
  'audit/checkpoint/sign-directory.ts': 'the directory of checkpoints names every chain',
  'audit/checkpoint/sign.ts': 'checkpoints are signed on a schedule, for every chain',
  'audit/retention/prune.ts': 'retention runs on a schedule, for every chain',
  'audit/service.ts': 'readiness and metrics look at the whole outbox',
  'backup/restore.ts': 'the restored database gets its entry before any organization is known',
  'identity/admin/host.ts': 'the operator of the host acts on any account, without a request',
  'identity/auth/first-start.ts': 'the system organization is made before anybody can be asked',
  'identity/demo/create.ts': 'the demo organization is made before anybody can be asked',
  'identity/demo/open.ts': 'the demo is opened before anybody can sign in',
  'identity/directory.ts': 'sign-in finds sessions, people and memberships before the organization is known',
  'identity/services.ts': 'the last use of a token is marked beside the request',
  'identity/cache-versions.ts': 'changes are marked for the other processes, over all organizations',
  'identity/token/confirm-step-up.ts': 'a single-use token is used up before its operation begins',
  'identity/tenant-key.ts': 'workers look up whose job they have',
  'reporting/demo/record.ts': 'the history of the demo, before anybody signed in',
  'quota/meter/api-calls.ts': 'calls are counted over an account, beside its requests',
  'plugin/builder/get-secrets.ts':
    'a builder holds jobs of many organizations; each secret is read for the organization of its job',
  'billing/promotion/activate.ts': 'a promotion is granted to the accounts of all organizations, one after the other',
  'plugin/build/held-job.ts': 'builders take builds up before their organization is known',
  'plugin/build/queue.ts': 'builders say what is wrong with them before they have a build',
  'registry/collection/collect.ts': 'the registry is that of the whole server, and of all organizations in it',
  'registry/collection/hold.ts': 'one hold for the whole server, asked for by each token',
  'plugin/system/load.ts': 'the plugins of the system organization are there before anybody can be asked',
  'sso/flow/consume.ts': 'a flow is used up before anybody is known, and before the provider is asked',
  'sso/social/flow.ts': 'a flow is used up before anybody is known, and before the provider is asked',
  'runtime/http/denied.ts': 'a refused caller may belong to no organization',
  'runtime/http/idempotency.ts': 'the claim is committed before the operation begins',
  'runtime/jobs/queue.ts': 'workers take jobs up before their organization is known',
  'runtime/jobs/run-job.ts': 'jobs of the system run as the system',
  'runtime/jobs/scheduler.ts': 'one schedule for all organizations',
  'runtime/http/execute.ts': 'operations that declare that they belong to no organization, or span all',
}

/** `store.system`, also through an alias or a destructuring. */
const USE = /\.system\b(?!\s*[:=(])|\bsystem\.(read|write|snapshot)\b|\{[^{}]*\bsystem\b[^{}]*\}\s*=\s*[\w.]*[sS]tore\b/

const source = fileURLToPath(new URL('../src', import.meta.url))

/** Code without comments: a comment may speak of the system's store. */
const codeOf = (file: string) => readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => join(source, name))
  // The store itself defines it.
  .filter((file) => !/runtime\/store\/(sqlite|postgres|db)\.ts$/.test(file))

describe('the store of the system', () => {
  it('is used by the files of the list, and by no other', () => {
    const users = files.filter((file) => USE.test(codeOf(file))).map((file) => relative(source, file))
    expect(users.sort()).toEqual(Object.keys(REASONS).sort())
  })

  it.each([
    'store.system.read(run)',
    'const { system } = runtime.store',
    'const s = store.system',
    'system.write(run)',
  ])('is found in `%s`', (text) => {
    expect(USE.test(text)).toBe(true)
  })
})
