/**
 * The change that introduces the gate. The base branch has no configuration to judge this change by, and never had one.
 * INVARIANT: if the base ever had a configuration, a change is never judged by its own. Otherwise one change could
 * remove the configuration, and the next could write its own rules.
 */
import { type Invocation, type Io, UsageError } from '../command.js'
import { configPlaces } from '../config/discover.js'
import { resolveSettings, type Settings } from '../config/settings.js'
import { isShallow, lastChangeOf } from '../input/git.js'
import type { Log } from '../program/log.js'

/**
 * The settings of the working tree, if the ref of `--policy-from` never had a configuration.
 * @throws UsageError otherwise.
 */
export async function firstPolicy(invocation: Invocation, io: Io, base: Settings, log: Log): Promise<Settings> {
  const { ref, commit } = base.policy
  if (ref === null || commit === null) throw new Error('only a git ref can lack a policy')
  if (base.configFile !== null) {
    throw new UsageError(`${base.configFile.file} at ${ref} names no rules`, 'set `rules` in it on the base branch')
  }
  const { policyFrom: _, ...options } = invocation.options
  const own = await resolveSettings({ ...invocation, options }, io)
  if (own.configFile === null || own.rules.value.length === 0) {
    throw new UsageError(
      `there are no rules at ${ref}, and none in the working tree`,
      'run `plumbline init` and commit what it writes',
    )
  }
  const named = typeof options.config === 'string' ? options.config : null
  const places = await configPlaces(base.policy, io.cwd, named)
  if (await isShallow(io.cwd)) {
    throw new UsageError(
      `${ref} has no configuration, and a shallow clone cannot tell whether it ever had one`,
      'fetch the whole history: `fetch-depth: 0` on GitHub, `GIT_DEPTH: 0` on GitLab, `git fetch --unshallow`',
    )
  }
  const removed = await lastChangeOf(io.cwd, commit, places)
  if (removed !== null) {
    throw new UsageError(
      `${ref} has no configuration any more: commit ${removed.slice(0, 10)} removed it`,
      'restore it on the base branch: a change is not checked with rules that it adds itself',
    )
  }
  const text =
    `${ref} has no configuration and never had one: this change introduces it, so it is judged by its OWN ` +
    `configuration and rules (${own.configFile.file}). Review them: they judge every later change.`
  if (io.env.GITHUB_ACTIONS === 'true') io.stderr.write(`::warning title=plumbline::${text}\n`)
  else log.warn(text)
  return own
}
