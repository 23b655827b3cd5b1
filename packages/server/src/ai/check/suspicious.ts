/**
 * What a person should look at before they use a draft: a model that was talked into something writes it here, whatever it was
 * told. Every flag has the path of the text. Nothing is refused by it.
 */
import Type, { type Static } from 'typebox'
import { strictObject } from '../../runtime/operation/schema.js'

const CODES = [
  'unknown-host',
  'piped-download',
  'encoded-blob',
  'undeclared-secret',
  'foreign-image',
  'invisible-text',
] as const
export const Suspicion = strictObject({
  path: Type.String({ description: 'JSON pointer in the draft' }),
  code: Type.Unsafe<(typeof CODES)[number]>({ type: 'string', enum: [...CODES] }),
  message: Type.String(),
})
export type Suspicion = Static<typeof Suspicion>

export const Copied = strictObject({
  path: Type.String(),
  file: Type.String({ description: 'The file of the repository that has the same 200 characters' }),
  licence: Type.Union([Type.String(), Type.Null()], { description: 'SPDX, as the forge says it' }),
})
export type Copied = Static<typeof Copied>

export interface Placed {
  readonly path: string
  readonly text: string
}

export interface Known {
  /** Hosts that the person or the repository named. */
  readonly hosts: ReadonlySet<string>
  /** Images that the repository builds from. */
  readonly images: ReadonlySet<string>
  /** Secrets that the draft declares. */
  readonly secrets: ReadonlySet<string>
}

/** Registries and package sources that builds use anyway. */
const USUAL_HOSTS = new Set([
  ...['github.com', 'gitlab.com', 'bitbucket.org', 'registry.npmjs.org', 'registry.yarnpkg.com', 'pypi.org'],
  ...['files.pythonhosted.org', 'rubygems.org', 'crates.io', 'index.crates.io', 'proxy.golang.org', 'go.dev'],
  ...['repo.maven.apache.org', 'repo1.maven.org', 'deb.debian.org', 'archive.ubuntu.com', 'dl-cdn.alpinelinux.org'],
  ...['nodejs.org', 'json-schema.org', 'localhost', '127.0.0.1'],
])

const URL_HOST = /\b(?:https?|ftp|git|ssh|wss?):\/\/(?:[^\s/@"'`]{1,200}@)?([^\s/:"'`)<>\\$]{1,253})/gi
const OTHER_HOST =
  /\b(?:nc|ncat|telnet|ssh|scp|rsync|dig|nslookup|ping)\s+(?:-\S{1,20}\s+){0,5}(?:\S{1,64}@)?([a-z0-9][a-z0-9.-]{1,250}\.[a-z]{2,24})\b/gi
const RAW_SOCKET = /\/dev\/(?:tcp|udp)\//i
const PIPED =
  /\|\s*(?:sudo\s+)?(?:[^\s|]{0,40}\/)?(?:ba|z|da|k)?sh\b|\b(?:ba|z|da|k)?sh\b\s+(?:-c\s+)?["'<$(]{1,4}\s*(?:curl|wget)\b|\|\s*(?:sudo\s+)?(?:python3?|node|perl|ruby|php)\b|\b(?:eval|source|\.)\s+["'<$(`]{1,4}\s*(?:curl|wget)\b/i
const DECODES =
  /\bbase64\s+(?:-d|-D|--decode)\b|\bxxd\s+-r\b|\bopenssl\s+(?:enc|base64)\b[^\n]{0,80}\s-d\b|\batob\s*\(|fromCharCode|b64decode/i
const BLOB = /(?:[A-Za-z0-9+/]{120,}={0,2})|(?:\\x[0-9a-f]{2}){20,}|\b(?:[0-9a-f]{2}){80,}\b/i
const SECRET_WORD =
  /\$\{?([A-Z][A-Z0-9_]{0,60}(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY(?:_ID)?))\b/g
const SECRET_FILE =
  /~?\/\.(?:aws|ssh|docker|npmrc|netrc|kube|git-credentials)\b|\/proc\/(?:self|1)\/environ|\bprintenv\b|\benv\s*\|/
const METADATA = /\b169\.254\.169\.254\b|\bmetadata\.google\.internal\b|\bfd00:ec2::254\b/i
const FROM = /^[^\S\r\n\u2028\u2029]*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/gim
/** Characters that are not seen: format characters, fillers, variation selectors. */
const INVISIBLE = /\p{Cf}|\u115f|\u1160|\u3164|\uffa0|[\ufe00-\ufe0f]/u

/** Images without a host and without an owner are curated by the hub. */
const isOfficial = (image: string): boolean => /^[a-z0-9._-]+(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/.test(image)
const FLAGS_MAX = 50

export function suspicions(texts: readonly Placed[], known: Known): Suspicion[] {
  const found = new Map<string, Suspicion>()
  for (const { path, text } of texts) {
    const flag = (code: Suspicion['code'], message: string) => {
      const key = `${path} ${code} ${message}`
      if (found.size < FLAGS_MAX) found.set(key, { path, code, message })
    }
    for (const host of hostsIn(text)) {
      if (!isKnownHost(host, known))
        flag('unknown-host', `reaches ${host}, which neither the request nor the repository names`)
    }
    if (METADATA.test(text)) flag('unknown-host', 'reaches the metadata service of a cloud')
    if (RAW_SOCKET.test(text)) flag('unknown-host', 'opens a connection by /dev/tcp')
    if (PIPED.test(text)) flag('piped-download', 'runs what it downloads, or what another program prints')
    if (BLOB.test(text) || DECODES.test(text)) flag('encoded-blob', 'holds or decodes text that cannot be read')
    for (const [, name = ''] of text.matchAll(SECRET_WORD)) {
      if (!known.secrets.has(name)) flag('undeclared-secret', `reads ${name}, which the draft does not declare`)
    }
    if (SECRET_FILE.test(text)) flag('undeclared-secret', 'reads credentials or the whole environment of the build')
    if (INVISIBLE.test(text)) flag('invisible-text', 'holds characters that are not seen')
    if (path === '/dockerfile') for (const image of imagesOf(text)) flagImage(image, known, flag)
  }
  return [...found.values()]
}

function flagImage(image: string, { images }: Known, flag: (code: Suspicion['code'], message: string) => void): void {
  if (isOfficial(image) || images.has(image)) return
  flag('foreign-image', `builds from ${image}, which is not an official image and not one of the repository`)
}

/** The images that a Dockerfile builds from, without its own stages. */
export function imagesOf(dockerfile: string): string[] {
  const stages = new Set<string>()
  return [...dockerfile.matchAll(FROM)].flatMap(([, image = '', stage]) => {
    const isStage = stages.has(image.toLowerCase())
    if (stage !== undefined) stages.add(stage.toLowerCase())
    return isStage || image.toLowerCase() === 'scratch' ? [] : [image]
  })
}

/** Host names in addresses, in lower case. */
export function hostsIn(text: string): string[] {
  const found = [...text.matchAll(URL_HOST), ...text.matchAll(OTHER_HOST)].map(([, host = '']) =>
    host.toLowerCase().replace(/\.$/, ''),
  )
  return [...new Set(found)].filter((host) => host !== '')
}

/** The hosts that somebody names in a text, with or without an address around them. */
export const namedHosts = (text: string): ReadonlySet<string> =>
  new Set([
    ...hostsIn(text),
    ...[
      ...text.toLowerCase().matchAll(/(?<![a-z0-9.-])[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9][a-z0-9-]{0,62}){1,8}/g),
    ].map(([host]) => host),
  ])

const isKnownHost = (host: string, { hosts }: Known): boolean => {
  const is = (name: string) => host === name || host.endsWith(`.${name}`)
  return USUAL_HOSTS.has(host) || [...hosts].some(is)
}

/** Every text of a draft with its pointer. */
export function textsOf(value: unknown, path = ''): Placed[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    textsOf(each, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

const COPIED_CHARS = 200

/** The texts that hold so many characters of a file verbatim. */
export function copiedFrom(
  texts: readonly Placed[],
  files: readonly { readonly name: string; readonly text: string }[],
  licence: string | null,
): Copied[] {
  return texts.flatMap(({ path, text }) => {
    if (text.length < COPIED_CHARS) return []
    const pieces = new Set<string>()
    for (let at = 0; at + COPIED_CHARS <= text.length && at < 65_536; at++)
      pieces.add(text.slice(at, at + COPIED_CHARS))
    const file = files.find((each) => {
      for (let at = 0; at + COPIED_CHARS <= each.text.length; at++)
        if (pieces.has(each.text.slice(at, at + COPIED_CHARS))) return true
      return false
    })
    return file === undefined ? [] : [{ path, file: file.name, licence }]
  })
}
