/** The deployment files say what the server understands: settings that exist, files that exist, a process without rights. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { CATALOGUE } from '../src/runtime/settings/catalogue.js'
import { loadSettings } from '../src/runtime/settings/load.js'

const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const text = (path: string) => readFileSync(root(path), 'utf8')
const known = (name: string) => Object.hasOwn(CATALOGUE, name)

interface Compose {
  services: Record<string, { environment?: Record<string, string>; read_only?: boolean; cap_drop?: string[] }>
}

it('compose.yaml sets only settings that exist, gives no secret a default, and starts in production', () => {
  const { services } = parse(text('compose.yaml'), { merge: true }) as Compose
  for (const name of ['plumbline', 'replica']) {
    const { environment = {}, read_only, cap_drop } = services[name] ?? {}
    expect(Object.keys(environment).filter((each) => !known(each))).toEqual([])
    expect([read_only, cap_drop]).toEqual([true, ['ALL']])
    const secret = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64')
    const values = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [
        key,
        value.replace(/\$\{\w+:\?[^}]*\}/g, secret).replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
      ]),
    )
    const loaded = loadSettings([{ origin: 'compose', values: { NODE_ENV: 'production', ...values } }])
    expect(loaded.ok ? [] : loaded.issues).toEqual([])
    // Without what the operator sets, compose itself refuses.
    for (const key of ['JWT_KEYS', 'SECRET_ENCRYPTION_KEYS', 'AUDIT_CHECKPOINT_KEY'])
      expect(environment[key]).toMatch(/:\?/)
  }
})

it('the image runs the built server as nobody, with settings that exist', () => {
  const dockerfile = text('Dockerfile')
  const names = [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = '']) =>
    pairs.split(' ').map((pair) => pair.split('=')[0] ?? ''),
  )
  expect(names.length).toBeGreaterThan(3)
  expect(names.filter((name) => !known(name))).toEqual([])
  expect(dockerfile).toMatch(/^USER 65532:65532$/m)
  const [, entry = ''] = /^CMD \["(packages\/server\/)dist\/main\.js"\]$/m.exec(dockerfile) ?? []
  expect(existsSync(root(`${entry}src/main.ts`))).toBe(true)
})

it('the Kubernetes manifests parse, probe what exists, and run without rights', () => {
  const documents = parseAllDocuments(text('deploy/kubernetes/plumbline.yaml')).map(
    (each) => each.toJS() as Record<string, never>,
  )
  expect(documents.map(({ kind }) => kind)).toEqual(['Service', 'PodDisruptionBudget', 'Deployment'])
  const pod = (documents[2] as unknown as { spec: { template: { spec: Pod } } }).spec.template.spec
  const [container] = pod.containers
  expect(container?.env.map(({ name }) => name).filter((name) => !known(name))).toEqual([])
  expect([container?.readinessProbe.httpGet.path, container?.livenessProbe.httpGet.path]).toEqual([
    '/readyz',
    '/healthz',
  ])
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true })
  expect(container?.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
  const delay = Number(container?.env.find(({ name }) => name === 'SHUTDOWN_DELAY_MS')?.value)
  expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(delay + CATALOGUE.SHUTDOWN_GRACE_MS.default)
})

interface Pod {
  terminationGracePeriodSeconds: number
  securityContext: object
  containers: {
    env: { name: string; value: string }[]
    readinessProbe: { httpGet: { path: string } }
    livenessProbe: { httpGet: { path: string } }
    securityContext: object
  }[]
}
