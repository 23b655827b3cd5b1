/** What an organization keeps of people and for them: roles, invitations, secrets. Two of each. */
import type { Maker } from './maker.js'

export async function makeRolesAndInvitations({ index, id, things, named, post, put, mark }: Maker): Promise<void> {
  for (let n = 0; n < 2; n++) {
    const { data: made } = await post(`/organization/${id}/roles`, {
      name: named(`role${n}`),
      description: named(`roletext${n}`),
      permissions: ['pipelines:read'],
    })
    const roleId = made.role?.id ?? made.id
    things.role.push(roleId)
    const email = `${named(`invited${n}`)}@plumbline.test`
    const { data: invited } = await post('/invitation/send', { email, message: named(`message${n}`) })
    const invitation = invited.invitation ?? invited
    things.invitation.push(invitation.id)
    if (typeof invited.token === 'string') things.invitationToken.push(invited.token)
    const secret = named(`secret${n}`)
    await put(`/organization/${id}/secrets/${secret}`, { value: named(`value${n}`) })
    things.secret.push(secret)
    for (const what of ['role', 'roletext', 'invited', 'message', 'secret', 'value'])
      mark(named(`${what}${n}`), [index])
    for (const text of [roleId, invitation.id]) mark(text, [index])
  }
}
