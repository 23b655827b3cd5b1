/** An app with organizations, quotas and messages on a store. Its files are in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identityRegistration } from '../../src/identity/registration.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { messageOperations } from '../../src/message/operations.js'
import { messageRegistration } from '../../src/message/registration.js'
import { fileBlobStore } from '../../src/runtime/blobs/file-store.js'
import type { CapacityPort } from '../../src/runtime/records/capacity.js'
import type { Store } from '../../src/runtime/store/db.js'
import { testSettings } from './settings.js'
import { type Answer, type AppSetup, type IdentityApp, identityApp, type SignedIn } from './sign-in.js'

export interface MessageApp extends IdentityApp {
  readonly folder: string
  /** Sends a request as a person in the given organization. */
  at(as: SignedIn, orgId: string, method: string, path: string, body?: unknown, headers?: object): Promise<Answer>
  upload(as: SignedIn, file: Upload, headers?: Record<string, string>): Promise<Answer>
  removeFiles(): void
}

export interface Upload {
  readonly name: string
  readonly type: string
  readonly content: Buffer | string
}

/** Capacity without any limit. */
const ENDLESS = {
  checkHeadroom: async () => undefined,
  take: async () => undefined,
} as unknown as CapacityPort

export async function messageApp(store: Store, setup: AppSetup = {}): Promise<MessageApp> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-messages-'))
  const app = await identityApp(store, {
    blobs: fileBlobStore(join(folder, 'blobs')),
    capacity: ENDLESS,
    domains: [identityRegistration, messageRegistration],
    ...setup,
    operations: [...TENANT_OPERATIONS, ...messageOperations(testSettings(setup.settings))],
  })
  return Object.assign(app, {
    folder,
    at: (as: SignedIn, orgId: string, method: string, path: string, body?: unknown, headers: object = {}) =>
      app.call(method, path, {
        as,
        headers: { 'x-org-id': orgId, ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    removeFiles: () => rmSync(folder, { recursive: true, force: true }),
    async upload(as: SignedIn, { name, type, content }: Upload, headers: Record<string, string> = {}) {
      const form = new FormData()
      form.set('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], name, { type }))
      const response = await app.http.request('/api/messages/attachments', {
        method: 'POST',
        headers: { authorization: `Bearer ${as.accessToken}`, ...headers },
        body: form,
      })
      const body = JSON.parse(await response.text())
      return { status: response.status, body, data: body.data, code: body.code, headers: response.headers }
    },
  })
}
