/**
 * Finds the operations that check compliance, by following the callers of the check in the source up to the operations.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))
const CHECK = join(SOURCE, 'runtime/records/compliance.ts')

interface Declaration {
  readonly text: string
  /** Name of the operation that it declares. */
  readonly operation: string | null
}

interface Module {
  readonly declarations: ReadonlyMap<string, Declaration>
  /** Local name to `file#name`. */
  readonly imports: ReadonlyMap<string, string>
}

/** Relies on the formatter: a declaration starts in the first column. */
function readModule(file: string): Module {
  const text = readFileSync(file, 'utf8')
  const imports = new Map<string, string>()
  for (const [, names = '', from = ''] of text.matchAll(/import (?:type )?\{([^}]*)\} from '(\.[^']*)\.js'/g)) {
    for (const each of names.split(',')) {
      const [name = '', local = name] = each
        .replace(/\btype /, '')
        .trim()
        .split(' as ')
      if (name !== '') imports.set(local, `${resolve(dirname(file), from)}.ts#${name}`)
    }
  }
  const declarations = new Map<string, Declaration>()
  for (const part of text.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m)) {
    const name = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(part)?.[1]
    if (name === undefined) continue
    const operation = /= (?:command|upload|query|stream)\(\{\s*name: '([^']+)'/.exec(part)?.[1] ?? null
    declarations.set(name, { text: part, operation })
  }
  return { declarations, imports }
}

const isSource = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('.test.ts')

/** Names of the operations from which the check can be reached. */
export function operationsThatAsk(): string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(isSource)
  const modules = new Map(files.map((file) => [join(SOURCE, file), readModule(join(SOURCE, file))]))
  const asking = new Set([`${CHECK}#requireCompliance`, `${CHECK}#askCompliance`])
  for (let before = 0; before < asking.size; ) {
    before = asking.size
    for (const [file, { declarations, imports }] of modules) {
      for (const [name, { text }] of declarations) {
        const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
        const mentioned = new Set(code.match(/\w+/g))
        const reaches = [...mentioned].some((word) =>
          asking.has(declarations.has(word) ? `${file}#${word}` : (imports.get(word) ?? '')),
        )
        if (reaches) asking.add(`${file}#${name}`)
      }
    }
  }
  return [...modules]
    .flatMap(([file, { declarations }]) =>
      [...declarations].flatMap(([name, { operation }]) =>
        operation !== null && asking.has(`${file}#${name}`) ? [operation] : [],
      ),
    )
    .sort()
}
