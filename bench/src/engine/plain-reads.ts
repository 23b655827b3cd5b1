/**
 * The hand-written checks with plain property reads: `entity.name` instead of an own-property check.
 *
 * This is faster, but only right if nothing changed `Object.prototype` and no rule names one of its members. It is
 * generated from the text of the hand-written module, so that both stay the same.
 */
import { readFileSync } from 'node:fs'
import { transform } from 'esbuild'
import type { Entity } from './entities.js'
import type { Failure } from './hand-written.js'

const OWN = /const own = [\s\S]*? : undefined\n/
const PUSH = 'push({ ruleId, severity, field, message })'
const PLAIN = 'const own = (bag, key) => (bag === undefined || bag === null ? undefined : bag[key])\n'

/** @param three returns only rule, severity and field of each failure, without a message. */
export async function plainReads(three = false): Promise<(entity: Entity) => Partial<Failure>[]> {
  const source = readFileSync(new URL('hand-written.ts', import.meta.url), 'utf8')
  if (!OWN.test(source)) throw new Error('hand-written.ts no longer defines `own` the way plain-reads.ts expects')
  if (!source.includes(PUSH))
    throw new Error('hand-written.ts no longer pushes failures the way plain-reads.ts expects')
  const plain = source.replace(OWN, PLAIN)
  const { code } = await transform(three ? plain.replace(PUSH, 'push({ ruleId, severity, field })') : plain, {
    loader: 'ts',
    target: 'es2022',
  })
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return module.check
}
