/**
 * The facts of a Dockerfile that rules read: the base image of the last stage, and whether the container runs as root.
 * Both come from the text alone. Where the text leaves it open, the user counts as root, and the base image as unknown.
 */

export interface DockerfileFacts {
  /** Null when no FROM names one, or it depends on an argument without a value. */
  readonly baseImage: string | null
  readonly usesRootUser: boolean
  /** Why the text is not a Dockerfile; null when it is one. */
  readonly problem: string | null
}

interface Instruction {
  readonly keyword: string
  readonly rest: string
}

interface Stage {
  readonly image: string | null
  user: string | null
}

/** @param buildArgs values that override the defaults of ARG. */
export function dockerfileFacts(text: string, buildArgs: Readonly<Record<string, string>> = {}): DockerfileFacts {
  const given = new Map(Object.entries(buildArgs))
  const globals = new Map<string, string>()
  const stages = new Map<string, Stage>()
  let values = new Map<string, string>()
  let last: Stage | null = null
  let count = 0
  for (const { keyword, rest } of instructionsOf(text)) {
    if (keyword === 'FROM') {
      const { image, stage } = fromOf(rest)
      if (image === '')
        return { baseImage: null, usesRootUser: true, problem: `FROM ${rest.slice(0, 80)} names no image` }
      const from = expand(image, globals)
      const earlier: Stage | undefined = from === null ? undefined : stages.get(from.toLowerCase())
      last = { image: earlier === undefined ? from : earlier.image, user: earlier?.user ?? null }
      values = new Map()
      stages.set(String(count++), last)
      if (stage !== undefined) stages.set(stage.toLowerCase(), last)
    } else if (keyword === 'ARG') {
      define(rest, given, last === null ? globals : values, globals)
    } else if (last === null) {
      return { baseImage: null, usesRootUser: true, problem: `${keyword} appears before the first FROM` }
    } else if (keyword === 'ENV') {
      for (const [name, value] of environment(rest)) values.set(name, expand(value, values) ?? '')
    } else if (keyword === 'USER') {
      last.user = expand(rest.trim(), values) ?? ''
    }
  }
  if (last === null) return { baseImage: null, usesRootUser: true, problem: 'there is no FROM' }
  return { baseImage: last.image, usesRootUser: isRootUser(last.user), problem: null }
}

/** The image and the name of a stage; the image is '' when the instruction is none. */
export function fromOf(rest: string): { readonly image: string; readonly stage: string | undefined } {
  const [, image = '', stage] = /^(?:--\S+\s+)*(\S+)(?:\s+as\s+(\S+))?\s*$/i.exec(rest) ?? []
  return { image, stage }
}

/** Adds the arguments of an ARG to those of its stage, or to the global ones before the first. */
export function define(
  rest: string,
  given: ReadonlyMap<string, string>,
  scope: Map<string, string>,
  globals: ReadonlyMap<string, string>,
): void {
  for (const [name, value] of assignments(rest)) {
    const known = given.get(name) ?? (value === null ? globals.get(name) : expand(value, scope))
    if (known !== undefined && known !== null) scope.set(name, known)
  }
}

/** Without USER the image's own user applies, which the text does not show. */
export function isRootUser(user: string | null): boolean {
  const [name = ''] = (user ?? '').replaceAll(/["']/g, '').split(':')
  return name === '' || name.toLowerCase() === 'root' || /^0+$/.test(name)
}

/**
 * Yields each instruction as one line: without comments, with continued lines joined, and without the contents of
 * here-documents.
 */
export function* instructionsOf(text: string): Generator<Instruction> {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const joiner = escapeOf(lines)
  for (let at = 0; at < lines.length; at++) {
    let line = lines[at] ?? ''
    if (isBlank(line)) continue
    while (line.trimEnd().endsWith(joiner) && at + 1 < lines.length) {
      line = line.trimEnd().slice(0, -1)
      at++
      while (at + 1 < lines.length && isBlank(lines[at] ?? '')) at++
      line += isBlank(lines[at] ?? '') ? '' : lines[at]
    }
    const [, keyword = '', rest = ''] = /^\s*([A-Za-z]+)(?:\s+([\s\S]*))?$/.exec(line) ?? []
    yield { keyword: keyword.toUpperCase(), rest }
    if (/^(RUN|COPY|ADD)$/i.test(keyword)) {
      for (const [, dash, word] of rest.matchAll(/<<(-?)\s*["']?([A-Za-z_][A-Za-z0-9_]*)["']?/g)) {
        do at++
        while (at < lines.length && (dash === '' ? lines[at] : (lines[at] ?? '').replace(/^\t+/, '')) !== word)
      }
    }
  }
}

const isBlank = (line: string): boolean => /^\s*(#.*)?$/.test(line)

/** The first comments may be directives; only `escape` changes how lines are joined. */
function escapeOf(lines: readonly string[]): string {
  for (const line of lines) {
    const [, name, value] = /^#\s*([A-Za-z]+)\s*=\s*(\S+)\s*$/.exec(line) ?? []
    if (name === undefined) break
    if (name.toLowerCase() === 'escape' && value === '`') return '`'
  }
  return '\\'
}

function* assignments(rest: string): Generator<[name: string, value: string | null]> {
  for (const [, name = '', , quoted, plain] of rest.matchAll(/([A-Za-z_][A-Za-z0-9_]*)(=(?:"([^"]*)"|(\S*)))?/g)) {
    yield [name, quoted ?? plain?.replaceAll("'", '') ?? null]
  }
}

function environment(rest: string): [name: string, value: string][] {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)\s+([^=\s].*)$/.exec(rest) ?? []
  if (name !== undefined && value !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*=/.test(rest)) return [[name, value]]
  return [...assignments(rest)].map(([key, text]) => [key, text ?? ''])
}

/**
 * A name after a dollar sign, with or without braces. In braces, `:-` or `:+` and a text up to the next closing brace
 * may follow.
 */
const NAME = /\$(?:\{([A-Za-z_][A-Za-z0-9_]*)(?:\}|:([-+]))|([A-Za-z_][A-Za-z0-9_]*))/y

/**
 * `$NAME`, `${NAME}`, `${NAME:-other}` and `${NAME:+other}`; null for a name without a value. Each character is read
 * once, however many braces are left open.
 */
export function expand(text: string, values: ReadonlyMap<string, string>): string | null {
  let expanded = ''
  let isKnown = true
  let done = 0
  const lastBrace = text.lastIndexOf('}')
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', Math.max(at + 1, done))) {
    NAME.lastIndex = at
    const [all, braced, sign, plain] = NAME.exec(text) ?? []
    if (all === undefined) continue
    let end = at + all.length
    // No brace closes it, so it stays as it is written.
    if (sign !== undefined && end > lastBrace) continue
    const value = values.get(braced ?? plain ?? '')
    let meant = value ?? ''
    if (sign !== undefined) {
      const close = text.indexOf('}', end)
      const other = text.slice(end, close)
      const isSet = value !== undefined && value !== ''
      meant = sign === '-' ? (isSet ? value : other) : isSet ? other : ''
      end = close + 1
    } else if (value === undefined) isKnown = false
    expanded += text.slice(done, at) + meant
    done = end
  }
  expanded += text.slice(done)
  return isKnown && expanded !== '' ? expanded.replaceAll(/^["']|["']$/g, '') : null
}
