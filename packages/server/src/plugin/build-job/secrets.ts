/** The secrets that a plugin declares and that are released to it. */
import { releasedSecret } from '../../identity/index.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import type { PluginRow } from '../tables.js'

export interface GivenSecret {
  readonly name: string
  readonly value: string
}

export interface SecretsOf {
  readonly given: readonly GivenSecret[]
  /** Why the build cannot start: required secrets that are missing or not released. */
  readonly problem: string | null
}

export async function secretsOf(db: Db, runtime: Runtime, plugin: PluginRow): Promise<SecretsOf> {
  const given: GivenSecret[] = []
  const missing: string[] = []
  for (const { name, required } of plugin.secrets) {
    const found = await releasedSecret(db, runtime, plugin.orgId, { name, pluginName: plugin.name })
    if (found !== null && found !== 'withheld') given.push({ name, value: found.value })
    else if (required) {
      missing.push(
        found === null
          ? `the secret ${name} is not set: \`plumbline secrets set ${name} --plugin ${plugin.name}\``
          : `the secret ${name} is not released to ${plugin.name}: \`plumbline secrets set ${name} --keep-value --plugin ${plugin.name}\`, with the other plugins that get it`,
      )
    }
  }
  return { given, problem: missing.length === 0 ? null : missing.join('; ') }
}
