/**
 * `npm run proof -- overload [--uploads N] [--megabytes N] [--networks N] [--seconds N]`: a server process is sent more than it
 * can hold. Forms whose fields are as large as uploads may be leave its memory as it is, and sign-ins from many
 * networks at once do not keep out people whom the server knows.
 */
import { parseArgs } from 'node:util'
import { startTarget } from '../attacks/target.js'
import { floodForms } from './forms.js'
import { floodSignIns } from './sign-ins.js'

const { values } = parseArgs({
  options: {
    uploads: { type: 'string', default: '4' },
    megabytes: { type: 'string', default: '512' },
    networks: { type: 'string', default: '48' },
    seconds: { type: 'string', default: '20' },
  },
})
/** That of a release; tests have a cheaper one. */
const PASSWORD_HASH_COST = '15'

function report(name: string, { isGood, figures }: { readonly isGood: boolean; readonly figures: string }): void {
  console.log(`${isGood ? 'pass' : 'FAIL'}  ${name}: ${figures}`)
  if (!isGood) process.exitCode = 1
}

const forms = await startTarget('sqlite')
try {
  report('forms', await floodForms(forms, Number(values.uploads), Number(values.megabytes)))
} finally {
  await forms.stop()
}
// With the usual limits by address, which the attacker keeps to.
const signIns = await startTarget('sqlite', { AUTH_LIMITER_MAX: '20', PASSWORD_HASH_COST })
try {
  report('sign-ins', await floodSignIns(signIns, Number(values.networks), Number(values.seconds)))
} finally {
  await signIns.stop()
}
process.exit()
