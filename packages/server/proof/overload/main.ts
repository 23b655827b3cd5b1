/**
 * `npm run proof -- overload [--uploads N] [--megabytes N] [--networks N] [--seconds N] [--days N] [--heads N]
 * [--only NAME]`: suspicions of a review, each decided by an experiment. Forms whose fields are as large as uploads may be leave
 * the memory as it is; sign-ins from many networks at once do not keep out people whom the server knows; a name is not kept locked
 * for them by a guess now and then; HEAD leaves no file to the collector; the packages of a release have no known grave hole.
 */
import { parseArgs } from 'node:util'
import { startTarget, type Target } from '../attacks/target.js'
import { floodForms } from './forms.js'
import { floodHeads } from './heads.js'
import { knownHoles } from './holes.js'
import { guessForDays } from './lockout.js'
import { floodSignIns } from './sign-ins.js'

const { values } = parseArgs({
  options: {
    uploads: { type: 'string', default: '4' },
    megabytes: { type: 'string', default: '512' },
    networks: { type: 'string', default: '48' },
    seconds: { type: 'string', default: '20' },
    days: { type: 'string', default: '7' },
    heads: { type: 'string', default: '3000' },
    only: { type: 'string', default: '' },
  },
})
/** That of a release; tests have a cheaper one. */
const PASSWORD_HASH_COST = '15'

interface Outcome {
  readonly isGood: boolean
  readonly figures: string
}

function report(name: string, { isGood, figures }: Outcome): void {
  console.log(`${isGood ? 'pass' : 'FAIL'}  ${name}: ${figures}`)
  if (!isGood) process.exitCode = 1
}

/** @param env settings besides those of the tests. */
async function on<T>(run: (target: Target) => Promise<T>, env: Readonly<Record<string, string>> = {}): Promise<T> {
  const target = await startTarget('sqlite', env)
  try {
    return await run(target)
  } finally {
    await target.stop()
  }
}

const EXPERIMENTS: Readonly<Record<string, () => Promise<Outcome | null>>> = {
  forms: () => on((target) => floodForms(target, Number(values.uploads), Number(values.megabytes))),
  // With the usual limits by address, which the attacker keeps to.
  'sign-ins': () =>
    on((target) => floodSignIns(target, Number(values.networks), Number(values.seconds)), {
      AUTH_LIMITER_MAX: '20',
      PASSWORD_HASH_COST,
    }),
  lockout: () => guessForDays(Number(values.days)),
  heads: () => on((target) => floodHeads(target, Number(values.heads))),
  holes: async () => knownHoles(),
}

for (const [name, run] of Object.entries(EXPERIMENTS)) {
  if (!name.includes(values.only)) continue
  const outcome = await run()
  if (outcome === null) console.log(`open  ${name}: the registry does not answer, so nobody can say`)
  else report(name, outcome)
}
process.exit()
