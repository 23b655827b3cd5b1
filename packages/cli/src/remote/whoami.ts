/** `plumbline whoami` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode } from '../command.js'
import { openSession, telling } from './session.js'
import { print } from './table.js'

export const run: CommandRun = async (invocation, io) => {
  const session = openSession(invocation, io)
  const me = await telling(() => unwrap(session.client.GET('/auth/me')))
  const { user, organization, permissions, closedBy } = me
  await print(invocation, io, me, [
    ['server', session.url],
    ['user', `${user.username} <${user.email}>${user.isEmailVerified ? '' : ', e-mail not confirmed'}`],
    [
      'organization',
      organization === null ? `none${whyNone(closedBy?.slug)}` : `${organization.slug} (${organization.tier})`,
    ],
    ['role', organization?.role ?? (user.isSuperAdmin ? 'system administrator' : 'none')],
    ['permissions', permissions.join(', ') || 'none'],
  ])
  return ExitCode.clean
}

const whyNone = (slug: string | undefined): string =>
  slug === undefined ? '' : `: ${slug} requires its single sign-on, run \`plumbline login --sso ${slug}\``
