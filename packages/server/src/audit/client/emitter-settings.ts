/** The settings of a remote emitter, read as strictly as the server's own: all mistakes are reported at once. */
import { SettingMistake } from '../../runtime/setting/types.js'
import { CATALOGUE, type SettingValues } from '../../runtime/settings/catalogue.js'
import { lookUp } from '../../runtime/settings/sources.js'

const NAMES = [
  'AUDIT_SERVICE_URL',
  'PLUMBLINE_SERVICE_CLIENT_ID',
  'PLUMBLINE_SERVICE_CLIENT_SECRET',
  'AUDIT_SPOOL_DIR',
  'AUDIT_SPOOL_MAX',
  'AUDIT_SPOOL_DRAIN_MS',
  'DATA_DIR',
  'REDIS_URL',
  'REDIS_PREFIX',
] as const
const NEEDED = ['AUDIT_SERVICE_URL', 'PLUMBLINE_SERVICE_CLIENT_ID', 'PLUMBLINE_SERVICE_CLIENT_SECRET'] as const

type Name = (typeof NAMES)[number]
export type EmitterSettings = Omit<Pick<SettingValues, Name>, (typeof NEEDED)[number]> & {
  readonly [N in (typeof NEEDED)[number]]: string
}

/** One line for each mistake. */
export class BadEmitterSettings extends Error {
  constructor(messages: readonly string[]) {
    super(messages.join('\n'))
    this.name = 'BadEmitterSettings'
  }
}

/** @throws BadEmitterSettings; its message contains no value. */
export function readEmitterSettings(environment: Readonly<Record<string, string | undefined>>): EmitterSettings {
  const sources = [{ origin: 'environment', values: environment }]
  const mistakes: string[] = []
  const values: Partial<Record<Name, unknown>> = {}
  for (const name of NAMES) {
    const setting = CATALOGUE[name]
    values[name] = setting.default
    const found = lookUp(sources, name)
    try {
      if (found !== undefined) values[name] = setting.type.parse(found.text)
    } catch (error) {
      if (!(error instanceof SettingMistake)) throw error
      mistakes.push(`${name} ${error.message}`)
    }
  }
  for (const name of NEEDED) {
    if (lookUp(sources, name) === undefined) mistakes.push(`${name} must be set for an emitter of audit events`)
  }
  if (mistakes.length > 0) throw new BadEmitterSettings(mistakes)
  return values as unknown as EmitterSettings
}
