/** Decides which of the requested scopes are granted. Pure, except for the look-ups about the caller. */

export interface Granted {
  readonly type: 'repository'
  readonly name: string
  readonly actions: string[]
}

/** What the decision needs to know about a caller. */
export interface RegistryCaller {
  /** Whether the caller may read and write the plugins of the organization, at this instant. */
  rights(orgId: string): Promise<{ readonly pull: boolean; readonly push: boolean }>
  /** The organization of the credential. */
  readonly homeOrgId: string
  readonly homeParentOrgId: string | null
  /** Whether a plugin of the organization has this name; then only the server writes there. */
  isPluginName(orgId: string, name: string): Promise<boolean>
}

/** Further scopes are ignored. */
export const SCOPES_MAX = 20
const NAME_CHARS_MAX = 255

const PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const SCOPE = /^repository:([^:]+):([a-z*,]+)$/
const OWN = new RegExp(`^org-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(${PART}(?:/${PART}){0,4})$`)
const SYSTEM = new RegExp(`^system/${PART}(?:/${PART}){0,4}$`)

/** Scopes come as several parameters, or as one with spaces between them. */
export const scopesIn = (sent: readonly string[]): string[] =>
  sent
    .join(' ')
    .split(' ')
    .filter((scope) => scope !== '')
    .slice(0, SCOPES_MAX)

export async function granted(caller: RegistryCaller, scopes: readonly string[]): Promise<Granted[]> {
  const access: Granted[] = []
  for (const scope of scopes) {
    const [, name = '', wanted = ''] = SCOPE.exec(scope) ?? []
    if (name === '' || name.length > NAME_CHARS_MAX) continue
    const may = await actionsOn(caller, name)
    // guard: what-is-not-granted-is-left-out
    const actions = [...new Set(wanted.split(','))].filter((action) => may.includes(action))
    if (actions.length > 0) access.push({ type: 'repository', name, actions })
  }
  return access
}

async function actionsOn(caller: RegistryCaller, name: string): Promise<readonly string[]> {
  if (SYSTEM.test(name)) return (await caller.rights(caller.homeOrgId)).pull ? ['pull'] : []
  const [, orgId, rest = ''] = OWN.exec(name) ?? []
  if (orgId === undefined) return []
  const { pull, push } = await caller.rights(orgId)
  const [first = '', ...more] = rest.split('/')
  const isPublic = first === 'public' && more.length > 0
  const actions: string[] = []
  if (pull || (isPublic && (await isOfParent(caller, orgId)))) actions.push('pull')
  // guard: the-server-alone-writes-what-plugins-are
  if (push && first !== 'public' && !(await caller.isPluginName(orgId, first))) actions.push('push')
  return actions
}

/** A caller who may read plugins of the team may pull what the parent shares. */
const isOfParent = async (caller: RegistryCaller, orgId: string): Promise<boolean> =>
  caller.homeParentOrgId === orgId && (await caller.rights(caller.homeOrgId)).pull
