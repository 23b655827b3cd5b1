/**
 * Flags what a person should check before they use a draft. A manipulated model would put harmful text here, no matter
 * what its instructions were. Every flag has the path of the text. A flag never refuses the draft.
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
  'foreign-source',
  'foreign-name',
  'instructions-in-repository',
] as const
export const Suspicion = strictObject({
  path: Type.String({ description: 'JSON pointer in the draft; empty for a finding about the repository' }),
  code: Type.Unsafe<(typeof CODES)[number]>({ type: 'string', enum: [...CODES] }),
  message: Type.String(),
})
export type Suspicion = Static<typeof Suspicion>

export const Copied = strictObject({
  path: Type.String(),
  file: Type.String({ description: 'The file of the repository that has the same 200 characters' }),
  licence: Type.Union([Type.String(), Type.Null()], { description: 'SPDX identifier, as the forge reports it' }),
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

/** Registries and package sources that ordinary builds use. */
const USUAL_HOSTS = new Set([
  ...['github.com', 'gitlab.com', 'bitbucket.org', 'registry.npmjs.org', 'registry.yarnpkg.com', 'pypi.org'],
  ...['files.pythonhosted.org', 'rubygems.org', 'crates.io', 'index.crates.io', 'proxy.golang.org', 'go.dev'],
  ...['repo.maven.apache.org', 'repo1.maven.org', 'deb.debian.org', 'archive.ubuntu.com', 'dl-cdn.alpinelinux.org'],
  ...['nodejs.org', 'json-schema.org', 'localhost', '127.0.0.1'],
])

const URL_HOST = /\b(?:https?|ftp|git|ssh|wss?):\/\/(?:[^\s/@"'`]{1,200}@)?([^\s/:"'`)<>\\$]{1,253})/gi
const OTHER_HOST =
  /\b(?:nc|ncat|curl|wget|telnet|ssh|scp|rsync|dig|nslookup|ping)\s+(?:-\S{1,20}\s+){0,5}(?:\S{1,64}@)?([a-z0-9][a-z0-9.-]{1,250}\.[a-z]{2,24})\b/gi
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
/** Invisible characters: format characters, fillers, variation selectors. */
const INVISIBLE = /\p{Cf}|\u115f|\u1160|\u3164|\uffa0|[\ufe00-\ufe0f]/u

/** Images without a host and an owner are curated by Docker Hub. */
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
      if (!isKnownHost(host, known)) flag('unknown-host', `reaches ${host}, which the request does not name`)
    }
    if (METADATA.test(text)) flag('unknown-host', 'reaches the metadata service of a cloud')
    if (RAW_SOCKET.test(text)) flag('unknown-host', 'opens a connection by /dev/tcp')
    if (PIPED.test(text)) flag('piped-download', 'runs what it downloads, or what another program prints')
    if (BLOB.test(text) || DECODES.test(text)) flag('encoded-blob', 'contains or decodes text that cannot be read')
    for (const [, name = ''] of text.matchAll(SECRET_WORD)) {
      if (!known.secrets.has(name)) flag('undeclared-secret', `reads ${name}, which the draft does not declare`)
    }
    if (SECRET_FILE.test(text)) flag('undeclared-secret', 'reads credentials or the whole environment of the build')
    if (INVISIBLE.test(text)) flag('invisible-text', 'contains invisible characters')
    if (path === '/dockerfile') for (const image of imagesOf(text)) flagImage(image, known, flag)
  }
  return [...found.values()]
}

function flagImage(image: string, { images }: Known, flag: (code: Suspicion['code'], message: string) => void): void {
  if (isOfficial(image) || images.has(image)) return
  flag('foreign-image', `builds from ${image}, which is neither an official image nor an image of the repository`)
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

/** The hosts that a text names, with or without a URL around them. */
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

/** Phrases that address a model, or that are known to manipulate models. */
const TO_A_MODEL =
  /\b(?:ignore|disregard|forget|override|bypass)\b[^\n.]{0,40}\b(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|schema|above)\b|\b(?:system|developer|assistant)\s{0,3}(?:prompt|message|instructions?|override|note)\b|^[ \t#>*\-/"'[<|]{0,12}(?:system|assistant|developer|user)[\]>|]{0,3}\s?:|\b(?:you are|act as|pretend to be)\b[^\n.]{0,30}\b(?:ai|assistant|model|agent|llm|chatbot|unrestricted|dan)\b|\b(?:note|message|instructions?|attention|reminder|important)\s{1,3}(?:to|for)\s{1,3}(?:the\s{1,3}|any\s{1,3}|all\s{1,3})?(?:ai|assistants?|models?|agents?|llms?)\b|\b(?:ai|llm|language)[ -](?:agents?|models?|assistants?)\s{1,3}(?:must|should|shall|have to|need to)\b|\bnew\s{1,3}(?:instructions?|task|objective)\s?:|<\|im_start\|>|\[INST\]|<\/?data\b|\bobey\s?:/im

/** The files of a repository whose name or text addresses a model, so that a person reads the draft with more care. */
export function instructionsIn(
  files: readonly { readonly name: string; readonly text: string }[],
  paths: readonly string[],
): Suspicion[] {
  const flag = (name: string): Suspicion => ({
    path: '',
    code: 'instructions-in-repository',
    message: `comes from a repository in which ${JSON.stringify(shortened(name))} addresses a model: compare every command with what you expect`,
  })
  // Separators between the letters of a name count as spaces.
  const named = paths.filter((path) => TO_A_MODEL.test(path) || TO_A_MODEL.test(path.replaceAll(/[_.\-/]+/g, ' ')))
  const written = files.filter(({ text }) => TO_A_MODEL.test(text) || INVISIBLE.test(text.replace(/^\ufeff/, '')))
  const names = new Set([...written.map(({ name }) => name), ...named])
  return [...names].slice(0, FILES_FLAGGED_MAX).map(flag)
}

const FILES_FLAGGED_MAX = 10
const NAME_SHOWN = 100
const shortened = (name: string): string => name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').slice(0, NAME_SHOWN)

/** Every text of a draft with its JSON pointer. */
export function textsOf(value: unknown, path = ''): Placed[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    textsOf(each, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

const COPIED_CHARS = 200

/** The texts that copy at least this many characters of a file verbatim. */
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
