/** A setting that nothing reads is a promise that nothing keeps. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { CATALOGUE } from './catalogue.js'

const source = fileURLToPath(new URL('../..', import.meta.url))

/** Read under a name that is put together, as `X_${tier}`. */
const BY_TIER = /^(JWT_EXPIRES_IN_|LIMITER_MULT_)/

/** Another name of PORT: the parser reads it. */
const OTHER_NAMES = ['COMPLIANCE_SERVICE_PORT']

const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  // The table, the parser and the checks between settings are not what a setting is for.
  .filter((name) => !/^runtime\/settings\/(catalogue|load|production|print)\.ts$/.test(name))
  .map((name) => readFileSync(join(source, name), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
  // The key of a declaration is not a use. A limit of requests that names its setting is one.
  .map((text) => text.replaceAll(/^\s*[A-Z][A-Z0-9_]*: *[a-z]\w*\(/gm, ''))
  .join('\n')

const isRead = (name: string): boolean => {
  const put = BY_TIER.exec(name)?.[1]
  const asPart = put !== undefined && code.includes(`\`${put}\${`)
  return OTHER_NAMES.includes(name) || asPart || new RegExp(`\\b${name}\\b`).test(code)
}

it('reads every setting', () => {
  expect(
    Object.keys(CATALOGUE).filter((name) => !isRead(name)),
    'no code reads it: use `runtime.settings`',
  ).toEqual([])
})
