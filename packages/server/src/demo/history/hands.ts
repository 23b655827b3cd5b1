/** Calls the operations of a server in the same process, as the demo's people did on the days of its history. */
import type { App } from '../../app.js'
import type { DemoUsername } from '../../identity/index.js'
import { writeZip } from '../../plugin/index.js'
import type { heldClock } from '../../runtime/clock.js'
import type { Random } from './random.js'

/** The demo's people who work in its organization. */
export type Person = Exclude<DemoUsername, 'demo-team-member'>

type Answered = Readonly<Record<string, unknown>>

/** The id of the record with this name in an answer. */
export const idIn = (answered: Answered, name: string): string => (answered[name] as { readonly id: string }).id

export interface Hands {
  readonly clock: ReturnType<typeof heldClock>
  readonly random: Random
  /** @throws Error when the answer has another status. */
  send(
    as: Person,
    method: string,
    path: string,
    body?: object | FormData,
    statuses?: readonly number[],
  ): Promise<Answered>
  /** Runs the jobs that are due. */
  settle(): Promise<void>
}

/** Time between two calls of one person. */
const STEP_MS = 20_000
const USUAL = [200, 201, 202, 204]

export function handsOf(
  app: App,
  tokens: Readonly<Record<Person, string>>,
  { clock, random }: Pick<Hands, 'clock' | 'random'>,
): Hands {
  const { BASE_PATH } = app.runtime.settings
  return {
    clock,
    random,
    async send(as, method, path, body, statuses = USUAL) {
      clock.advance(STEP_MS)
      const isForm = body instanceof FormData
      const request = new Request(`http://demo.invalid${BASE_PATH}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${tokens[as]}`,
          ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      })
      const response = await app.http.fetch(request, {})
      const text = await response.text()
      if (!statuses.includes(response.status))
        throw new Error(`${method} ${path} was answered ${response.status}: ${text}`)
      const { data } = (text === '' ? {} : JSON.parse(text)) as { data?: Answered }
      return data ?? {}
    },
    settle: () => app.background.worker.settle(),
  }
}

export interface DemoPlugin {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly computeType: 'SMALL' | 'MEDIUM' | 'LARGE' | 'X2_LARGE'
  readonly team?: string
}

/** An upload as a person sends it: the archive of a plugin without an image. */
export function uploadOf({ name, version, description = '', computeType, team }: DemoPlugin): FormData {
  const spec = { name, version, description, computeType, commands: ['make'] }
  const zip = writeZip([
    { name: 'plugin-spec.yaml', text: JSON.stringify(spec) },
    { name: 'config.yaml', text: 'buildType: metadata_only\n' },
  ])
  const form = new FormData()
  if (team !== undefined) form.append('labels', JSON.stringify({ team }))
  form.append('plugin', new File([new Uint8Array(zip)], `${name}.zip`, { type: 'application/zip' }))
  return form
}
