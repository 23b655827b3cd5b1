/**
 * Plugins behind the real HTTP layer: generated archives, blobs in a folder, and a compliance port that a test
 * controls.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pluginCatalog } from '../../src/plugin/entities.js'
import { pluginOperations } from '../../src/plugin/operations.js'
import { pluginRegistration } from '../../src/plugin/registration.js'
import { fileBlobStore } from '../../src/runtime/blobs/file-store.js'
import type { ComplianceRequest, ComplianceVerdict } from '../../src/runtime/records/compliance.js'
import { type PluginReferencesPort, pluginReferencesPort } from '../../src/runtime/records/plugin-references.js'
import type { Store } from '../../src/runtime/store/db.js'
import { dockerParts, makeTar } from './image-tar.js'
import { type Answer, type AppSetup, type IdentityApp, identityApp, type SignedIn } from './sign-in.js'
import { makeZip, type ZipPart } from './zip.js'

export const DOCKERFILE = 'FROM debian:12\nUSER app\n'

export interface PluginApp extends IdentityApp {
  /** The requests to the compliance port. */
  readonly checks: ComplianceRequest[]
  /** The answer to the next checks. The function may throw. */
  rules: { answer: (request: ComplianceRequest) => ComplianceVerdict | Promise<ComplianceVerdict> }
  references: { pinning: { id: string; pipelineName: string }[] }
}

export const PASSES: ComplianceVerdict = {
  passed: true,
  blocked: false,
  violations: [],
  warnings: [],
  rulesEvaluated: 1,
}

export async function pluginApp(store: Store, setup: AppSetup = {}): Promise<PluginApp> {
  const checks: ComplianceRequest[] = []
  const rules: PluginApp['rules'] = { answer: () => PASSES }
  const references: PluginApp['references'] = { pinning: [] }
  const pluginReferences: PluginReferencesPort = {
    byName: async () => [{ name: 'web', pipelines: 2 }],
    byVersion: async () => [{ name: 'web', version: null, pipelines: 2 }],
    pinning: async () => references.pinning,
  }
  const app = await identityApp(store, {
    ...setup,
    operations: [...pluginOperations, ...(setup.operations ?? [])],
    domains: [pluginRegistration, ...(setup.domains ?? [])],
    ports: {
      compliance: {
        async check(_context, request) {
          checks.push(request)
          return { verdict: await rules.answer(request) }
        },
      },
      blobs: fileBlobStore(mkdtempSync(join(tmpdir(), 'plumbline-blobs-'))),
      plugins: pluginCatalog,
      ...setup.ports,
    },
  })
  app.ports.set(pluginReferencesPort, pluginReferences)
  return Object.assign(app, { checks, rules, references })
}

export interface PluginFiles {
  readonly name?: string
  readonly version?: string
  /** Further lines of `plugin-spec.yaml`. */
  readonly spec?: string
  readonly buildType?: 'build_image' | 'prebuilt' | 'metadata_only'
  readonly files?: readonly ZipPart[]
}

/** The archive of a plugin; `metadata_only` by default. */
export function pluginZip({
  name = 'web',
  version = '1.0.0',
  spec = '',
  buildType = 'metadata_only',
  files = [],
}: PluginFiles = {}) {
  return makeZip([
    { name: 'plugin-spec.yaml', content: `name: ${name}\nversion: ${version}\ncommands: [make]\n${spec}` },
    { name: 'config.yaml', content: `buildType: ${buildType}\n` },
    ...(buildType === 'build_image' ? [{ name: 'Dockerfile', content: DOCKERFILE }] : []),
    ...(buildType === 'prebuilt' ? [{ name: 'image.tar', content: makeTar(dockerParts()) }] : []),
    ...files,
  ])
}

export async function uploadZip(
  app: IdentityApp,
  as: Pick<SignedIn, 'accessToken'> | null,
  zip: Uint8Array<ArrayBuffer>,
  fields: Readonly<Record<string, string>> = {},
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('plugin', new File([zip], 'plugin.zip', { type: 'application/zip' }))
  const response = await app.http.request(`/api/plugins${query}`, {
    method: 'POST',
    headers: { ...(as === null ? {} : { authorization: `Bearer ${as.accessToken}` }), ...headers },
    body: form,
  })
  const body = JSON.parse(await response.text())
  return { status: response.status, body, data: body.data, code: body.code, headers: response.headers }
}

/** Uploads a plugin and returns its id. */
export async function uploaded(
  app: IdentityApp,
  as: Pick<SignedIn, 'accessToken'>,
  files: PluginFiles = {},
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await uploadZip(app, as, pluginZip(files), fields)
  if (answer.status >= 300) throw new Error(`upload: ${JSON.stringify(answer.body)} ${app.errors}`)
  return answer.data.pluginId
}
