/** `plumbline sso status` */
import { unwrap } from '@plumbline/client'
import { ExitCode } from '../command.js'
import { inOrganization } from '../remote/in-organization.js'
import { print } from '../remote/table.js'

export const run = inOrganization(async ({ invocation, io, session, id }) => {
  const params = { path: { id } }
  const [{ providers }, { domains }, { enforcement }] = await Promise.all([
    unwrap(session.client.GET('/organization/{id}/idps', { params })),
    unwrap(session.client.GET('/organization/{id}/domains', { params })),
    unwrap(session.client.GET('/organization/{id}/idp/enforcement', { params })),
  ])
  const { enforced, since, conditions } = enforcement
  const rows = [
    ...providers.flatMap(({ name, issuer, enabled, redirectUri, test }) => [
      ['provider', `${name}: ${issuer}${enabled ? '' : ' (switched off)'}`],
      ['  redirect', redirectUri],
      [
        '  tested',
        test === null ? 'no: run `plumbline sso test`' : `${test.at}${test.isCurrent ? '' : ', changed since'}`,
      ],
    ]),
    ...(providers.length === 0 ? [['provider', 'none: run `plumbline sso setup`']] : []),
    ...domains.map(({ domain, status }) => ['domain', `${domain}: ${status}`]),
    ['enforced', enforced ? `since ${since ?? ''}` : 'no'],
    ...conditions.filter(({ isMet }) => !isMet).map(({ fix }) => ['  to enforce', fix]),
  ]
  await print(invocation, io, { providers, domains, enforcement }, rows)
  return ExitCode.clean
})
