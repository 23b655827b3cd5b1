/** `plumbline admin …` */
import { type CommandRun, ExitCode } from '../command.js'
import { argument } from '../program/invocation.js'
import { print } from '../remote/table.js'
import { onHost, type Server } from './load-server.js'

type Host = Parameters<Server['hostResetLink']>[0]
interface Answer {
  readonly data: unknown
  readonly rows: readonly (readonly string[])[]
}
type Act = (server: Server, host: Host, invocation: Parameters<CommandRun>[0]) => Promise<Answer>

const done = (text: string): Answer => ({ data: { done: true }, rows: [[text]] })

const ACTS: Readonly<Record<string, Act>> = {
  async 'create-user'(server, host, invocation) {
    const data = await server.createHostUser(host, {
      username: argument(invocation, 0),
      email: argument(invocation, 1),
      verified: invocation.options.verified === true,
    })
    return {
      data,
      rows: [
        ['user', data.userId],
        ['link to set a password, good for an hour', data.resetUrl],
      ],
    }
  },
  async 'verify-email'(server, host, invocation) {
    await server.verifyHostEmail(host, argument(invocation, 0))
    return done('verified')
  },
  async 'reset-link'(server, host, invocation) {
    const resetUrl = await server.hostResetLink(host, argument(invocation, 0))
    return { data: { resetUrl }, rows: [[resetUrl]] }
  },
  async 'grant-superadmin'(server, host, invocation) {
    await server.grantHostSuperAdmin(host, argument(invocation, 0))
    return done('granted')
  },
  async 'revoke-sessions'(server, host, invocation) {
    const data = await server.revokeHostSessions(host, argument(invocation, 0))
    return { data, rows: [[`ended ${data.sessions} sessions and ${data.tokens} tokens`]] }
  },
  async 'disable-mfa'(server, host, invocation) {
    const removed = await server.disableHostMfa(host, argument(invocation, 0))
    return { data: { removed }, rows: [[removed ? 'removed' : 'there was no second factor']] }
  },
  async 'sso-disable'(server, host, invocation) {
    const opened = await server.disableHostSso(host, argument(invocation, 0))
    return {
      data: { opened },
      rows: [[opened ? 'no longer enforced; its administrators are notified' : 'it was not enforced']],
    }
  },
  async 'set-tier'(server, host, invocation) {
    const data = await server.setHostTier(host, {
      organization: argument(invocation, 0),
      tier: argument(invocation, 1),
      force: invocation.options.force === true,
    })
    return { data, rows: [[`from ${data.previousTier} to ${argument(invocation, 1)}`]] }
  },
  async 'load-content'(server, host) {
    const loaded = await server.loadHostContent(host)
    const rows = (['added', 'changed', 'unchanged', 'taken', 'refused'] as const).map((outcome) => [
      outcome,
      String(loaded[outcome].length),
      // Unchanged rules are counted and not listed, because a list of a hundred names helps no reader.
      outcome === 'unchanged' ? '' : loaded[outcome].join(' '),
    ])
    const { templates, plugins } = loaded
    rows.push(['templates', String(templates.created + templates.updated), ''])
    rows.push(['plugins', String(plugins.length), plugins.join(' ')])
    const { added, changed, unchanged } = loaded.policies
    rows.push(['policies', `${added.length} added, ${changed.length} changed, ${unchanged.length} unchanged`, ''])
    return { data: loaded, rows }
  },
  async 'rotate-keys'(server, host) {
    const secrets = await server.rotateHostKeys(host)
    return {
      data: { secrets },
      rows: [[`${secrets} secrets encrypted again: the older keys can be removed from the ring`]],
    }
  },
}

export const admin = (name: string): CommandRun => {
  const act = ACTS[name]
  if (act === undefined) throw new Error(`no such command: ${name}`)
  return (invocation, io) =>
    onHost(invocation, io, async (server, config) => {
      const { data, rows } = await server.withHost(config, (host) => act(server, host, invocation))
      await print(invocation, io, data, rows)
      return ExitCode.clean
    })
}
