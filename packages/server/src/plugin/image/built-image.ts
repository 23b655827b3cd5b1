/**
 * The facts of a built image that rules read (`builtImage`). All of them come from the image in the registry, verified
 * by its digest. Only the base image is what the Dockerfile names, or what a prebuilt image declares. An unknown fact
 * is absent, so that a rule that needs it blocks.
 */
import Type, { type Static } from 'typebox'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { isRootUser } from '../dockerfile/facts.js'

const textMap = Type.Record(Type.String({ maxLength: 300 }), Type.String({ maxLength: 10_000 }))
const texts = Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 1000 })
const keys = Type.Record(Type.String({ maxLength: 300 }), Type.Unknown())
const orNull = <S extends Parameters<typeof Type.Optional>[0]>(schema: S) =>
  Type.Optional(Type.Union([Type.Null(), schema]))

/** The part of a configuration that defines how the image runs. */
export const RunConfig = Type.Object({
  User: Type.Optional(Type.String({ maxLength: 300 })),
  Env: orNull(texts),
  Entrypoint: orNull(texts),
  Cmd: orNull(texts),
  Labels: orNull(textMap),
  ExposedPorts: orNull(keys),
  Volumes: orNull(keys),
})

export interface ImageConfig {
  readonly architecture: string
  readonly os: string
  readonly created?: string | null
  readonly config?: Static<typeof RunConfig> | null
}

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'unknown'] as const

const list = Type.Array(Type.String())

export const Vulnerabilities = strictObject(
  {
    ...(Object.fromEntries(SEVERITIES.map((severity) => [severity, Type.Integer({ minimum: 0 })])) as Record<
      (typeof SEVERITIES)[number],
      ReturnType<typeof Type.Integer>
    >),
    scanner: Type.String(),
    scannedAt: Instant,
  },
  { description: 'Of the last scan; absent while there is none' },
)
export type Vulnerabilities = Static<typeof Vulnerabilities>

export const BuiltImageRecord = strictObject({
  digest: Type.String({ description: 'Of the manifest' }),
  sizeBytes: Type.Integer({ description: 'Of everything that a pull fetches' }),
  layers: Type.Integer(),
  user: Type.String({ description: 'Empty when the image sets none: it then runs as root' }),
  usesRootUser: Type.Boolean(),
  labels: Type.Record(Type.String(), Type.String()),
  envNames: list,
  entrypoint: list,
  cmd: list,
  exposedPorts: Type.Array(Type.String({ description: 'Such as 8080/tcp' })),
  volumes: list,
  architecture: Type.String(),
  os: Type.String(),
  created: Type.Optional(Instant),
  baseName: Type.Optional(Type.String({ description: 'The image that it was built from' })),
  baseDigest: Type.Optional(Type.String({ description: 'If its name contains one' })),
  basePinned: Type.Optional(Type.Boolean({ description: 'Whether the name of the base contains a digest' })),
  vulnerabilities: Type.Optional(Vulnerabilities),
  signed: Type.Optional(Type.Boolean({ description: 'Whether the server signed its provenance' })),
})
export type BuiltImageFacts = Static<typeof BuiltImageRecord> & {
  /** Names of the installed packages, for rules; answers refer to the bill of materials instead. */
  readonly sbomPackages?: readonly string[]
}

/** The facts as answers show them. */
export function builtImageView(facts: BuiltImageFacts | null): Static<typeof BuiltImageRecord> | null {
  if (facts === null) return null
  const { sbomPackages: _, ...shown } = facts
  return shown
}

interface Built {
  readonly digest: string
  readonly bytes: number
  readonly layers: number
  readonly config: ImageConfig
  /** As the plugin names it. */
  readonly baseImage: string | null
}

export function builtImageFacts({ digest, bytes, layers, config: image, baseImage }: Built): BuiltImageFacts {
  const { User: user = '', Env, Entrypoint, Cmd, Labels, ExposedPorts, Volumes } = image.config ?? {}
  const createdMs = Date.parse(image.created ?? '')
  return {
    digest,
    sizeBytes: bytes,
    layers,
    user,
    usesRootUser: isRootUser(user),
    labels: { ...Labels },
    // Names only: a value may be a secret.
    envNames: (Env ?? []).map((entry) => entry.split('=', 1)[0] ?? '').sort(),
    entrypoint: [...(Entrypoint ?? [])],
    cmd: [...(Cmd ?? [])],
    exposedPorts: Object.keys(ExposedPorts ?? {}).sort(),
    volumes: Object.keys(Volumes ?? {}).sort(),
    architecture: image.architecture,
    os: image.os,
    ...(Number.isNaN(createdMs) ? {} : { created: new Date(createdMs).toISOString() }),
    ...baseFacts(baseImage),
  }
}

function baseFacts(name: string | null): Pick<BuiltImageFacts, 'baseName' | 'baseDigest' | 'basePinned'> {
  if (name === null) return {}
  const [, digest] = /@(sha256:[0-9a-f]{64})$/.exec(name) ?? []
  // `scratch` is empty and cannot change.
  const basePinned = digest !== undefined || name === 'scratch'
  return { baseName: name, basePinned, ...(digest === undefined ? {} : { baseDigest: digest }) }
}
