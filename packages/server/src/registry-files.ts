/**
 * What a registry needs to trust this server: the bundle of certificates, a configuration and a unit of systemd, as texts.
 * Tried with docker-registry 2.8. JSON would do, but people read these.
 */
import { randomBytes } from 'node:crypto'
import { isAbsolute, join } from 'node:path'
import { type ConfigOptions, loadConfig } from './config.js'
import { bundleOf, ISSUER, newTokenKey, SERVICE } from './registry/index.js'
import { keyRing } from './runtime/setting/types.js'
import { BadSettings } from './runtime/settings/bad-settings.js'

export interface RegistryFiles {
  /** Names in the folder, with their content. */
  readonly files: Readonly<Record<string, string>>
  /** Of these the content is secret. */
  readonly secret: readonly string[]
  /** What the server is to be told. */
  readonly settings: Readonly<Record<string, string>>
  /** The file of new signing keys, which the server has to be given; null where it has some. */
  readonly newKeys: string | null
}

export interface RegistryOptions {
  /** Absolute. */
  readonly folder: string
  /** Where the registry listens, such as 127.0.0.1:5000. */
  readonly listen: string
  /** Where clients reach this server; PUBLIC_URL when left out. */
  readonly publicUrl?: string
  /** Keys that were made before and that the server was not given yet: an entry of REGISTRY_TOKEN_KEYS. */
  readonly madeKeys?: string
}

const KEYS_FILE = 'token-keys.env'

/** @throws BadSettings when the settings of the server are wrong. */
export function registryFiles(
  config: ConfigOptions,
  { folder, listen, publicUrl, madeKeys }: RegistryOptions,
): RegistryFiles {
  if (!isAbsolute(folder)) throw new Error('the folder of the registry is named by its whole path')
  const loaded = loadConfig(config)
  if (!loaded.ok) throw new BadSettings(loaded.issues.map(({ message }) => message))
  const { settings } = loaded
  const base = publicUrl ?? settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}`
  const made = settings.REGISTRY_TOKEN_KEYS === null ? (madeKeys ?? newTokenKey()) : null
  const ring = settings.REGISTRY_TOKEN_KEYS ?? keyRing.parse(made ?? '')
  return {
    files: {
      'certificates.pem': bundleOf(ring),
      'registry.yml':
        configuration({ folder, listen, realm: `${base.replace(/\/$/, '')}/api/registry/token` }) +
        notifications(base.replace(/\/$/, ''), settings.REGISTRY_EVENTS_SECRET?.[0]),
      'plumbline-registry.service': unit(folder, 'read-only'),
      'plumbline-registry-read-only.service': readOnlyUnit(folder),
      ...(made === null ? {} : { [KEYS_FILE]: `REGISTRY_TOKEN_KEYS=${made}\n` }),
    },
    secret: ['registry.yml', KEYS_FILE],
    settings: { REGISTRY_URL: `http://${listen}` },
    newKeys: made === null ? null : KEYS_FILE,
  }
}

const configuration = ({ folder, listen, realm }: { folder: string; listen: string; realm: string }): string =>
  `version: 0.1
log:
  level: info
  accesslog:
    disabled: true
storage:
  filesystem:
    rootdirectory: ${JSON.stringify(join(folder, 'storage'))}
  delete:
    enabled: true
http:
  addr: ${JSON.stringify(listen)}
  # Of uploads that go on at another process. Several registries beside one another share it.
  secret: ${randomBytes(24).toString('hex')}
auth:
  token:
    realm: ${JSON.stringify(realm)}
    service: ${SERVICE}
    issuer: ${ISSUER}
    # Read when the registry starts: add the certificate of a new key, restart it, then let the server sign with that key.
    rootcertbundle: ${JSON.stringify(join(folder, 'certificates.pem'))}
`

/** With a secret the registry tells the server what happens; without one the server reads it every hour. */
const notifications = (base: string, secret: string | undefined): string =>
  secret === undefined
    ? ''
    : `notifications:
  endpoints:
    - name: plumbline
      url: ${JSON.stringify(`${base}/api/registry/events`)}
      headers:
        Authorization: [${JSON.stringify(`Bearer ${secret}`)}]
      timeout: 5s
      threshold: 5
      backoff: 10s
      ignore:
        actions: [pull]
        mediatypes: [application/octet-stream]
`

const NAMES = { writable: 'plumbline-registry.service', 'read-only': 'plumbline-registry-read-only.service' }

/** Starting one of the two stops the other. */
const unit = (folder: string, other: keyof typeof NAMES, setting = ''): string => `[Unit]
Description=Registry of images for Plumbline
After=network.target
Conflicts=${NAMES[other]}

[Service]
ExecStart=/usr/bin/docker-registry serve ${join(folder, 'registry.yml')}
# Debian's package makes this user; the folder is to be its.
User=docker-registry
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${join(folder, 'storage')}
# Each REGISTRY_… of its environment would be a setting of the registry.
Environment=${setting}
Restart=on-failure

[Install]
WantedBy=multi-user.target
`

/** While `plumbline registry collect` runs. */
const readOnlyUnit = (folder: string): string =>
  unit(folder, 'writable', `'REGISTRY_STORAGE_MAINTENANCE_READONLY={"enabled":true}'`)
