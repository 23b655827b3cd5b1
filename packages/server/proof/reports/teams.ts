/** The same history over an organization and its team: each sees its own, and together they are the whole. */

import { confirmed } from '../../test/support/organizations.js'
import { forwarder, newPipeline } from '../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../test/support/sign-in.js'
import { type Api, differences, tell } from './check.js'
import type { OracleWorld } from './oracle.js'

const ROOT = 'one'
const TEAM = 'two'

/** The pipelines of a world by the organization that has them; every other incident is the team's, and no link crosses. */
export function shared(world: OracleWorld): OracleWorld {
  const orgs = { one: ROOT, two: TEAM }
  const incidents = world.incidents.map((incident, at) => ({ ...incident, org: at % 2 === 0 ? ROOT : TEAM }))
  const orgOf = new Map(incidents.map(({ incidentId, org }) => [incidentId, org]))
  const links = world.links.filter(
    ({ incidentId, pipelineId }) => orgOf.get(incidentId) === orgs[pipelineId as keyof typeof orgs],
  )
  return { ...world, incidents, links, orgs }
}

/** What one organization sees of it. */
const within = (world: OracleWorld, org: string): OracleWorld => {
  const isOwn = ({ pipelineId }: { readonly pipelineId: string }) => world.orgs?.[pipelineId] === org
  const incidents = world.incidents.filter((each) => each.org === org)
  return {
    ...world,
    events: world.events.filter(isOwn),
    incidents,
    marks: world.marks.filter(isOwn),
    links: world.links.filter(isOwn),
  }
}

interface Account {
  readonly person: SignedIn
  readonly teamId: string
  readonly ids: Readonly<Record<string, string>>
  readonly tokens: Readonly<Record<string, string>>
}

async function newAccount(app: IdentityApp, name: string): Promise<Account> {
  const person = await signUp(app, name)
  const body = { name: `Team of ${name}`, parentOrgId: person.orgId }
  const made = await confirmed(app, 'POST', '/organization', { as: person, body })
  if (made.status !== 201) throw new Error(`team: ${JSON.stringify(made.body)}`)
  const teamId = made.data.organization.id as string
  const ids = {
    [ROOT]: await newPipeline(app, person, ROOT),
    [TEAM]: await newPipeline(app, person, TEAM, { orgId: teamId }),
  }
  return {
    person,
    teamId,
    ids,
    tokens: { [ROOT]: await forwarder(app, person.orgId), [TEAM]: await forwarder(app, teamId) },
  }
}

/** @param view whose reports are read, and whether with those of the teams below. */
function apiOf(app: IdentityApp, world: OracleWorld, account: Account, view: { org: string; isWhole: boolean }): Api {
  const { person, teamId, tokens } = account
  const call = async (method: string, path: string, as: SignedIn | string, org: string, body?: unknown) => {
    const headers: Record<string, string> = org === TEAM ? { 'x-org-id': teamId } : {}
    const more = typeof as === 'string' ? {} : { headers }
    const answer = await app.call(method, path, { as, ...more, ...(body === undefined ? {} : { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.data
  }
  const ofPipeline = (body: unknown) => world.orgs?.[(body as { pipelineId: string }).pipelineId] ?? ROOT
  return {
    send: (path, body) => {
      const { org = ROOT, ...said } = body as { org?: string }
      return call('POST', path, tokens[org] as string, org, said)
    },
    get: (path) => call('GET', view.isWhole ? `${path}&includeDescendants=true` : path, person, view.org),
    put: (path, body) => call('PUT', path, person, ofPipeline(body), body),
    post: (path, body) => call('POST', path, person, ofPipeline(body), body),
  }
}

export interface Looking {
  readonly name: string
  readonly seed: number
  readonly fromMs: number
  readonly toMs: number
  rollUp(orgId: string): Promise<void>
}

/** @returns what differs where the world is told to an organization with a team. */
export async function overTeams(app: IdentityApp, drawn: OracleWorld, looking: Looking): Promise<string[]> {
  const account = await newAccount(app, looking.name)
  const { ids } = account
  const named = shared(drawn)
  const world: OracleWorld = {
    ...(JSON.parse(JSON.stringify(named), (key, value) =>
      key === 'pipelineId' ? ids[value as string] : value,
    ) as OracleWorld),
    orgs: Object.fromEntries(Object.entries(ids).map(([org, id]) => [id, org])),
  }
  const api = (org: string, isWhole: boolean) => apiOf(app, world, account, { org, isWhole })
  await tell(api(ROOT, true), world, looking.seed)
  const found: string[] = []
  for (const way of ['from facts', 'from sums of days']) {
    for (const [org, isWhole] of [
      [ROOT, true],
      [ROOT, false],
      [TEAM, false],
    ] as const) {
      const seen = isWhole ? world : within(world, org)
      if (seen.events.length === 0) continue
      const differing = await differences(api(org, isWhole), seen, looking.fromMs, looking.toMs)
      found.push(...differing.map((each) => `${org}${isWhole ? ' with its team' : ''}, ${way}: ${each}`))
    }
    for (const orgId of [account.person.orgId, account.teamId]) await looking.rollUp(orgId)
  }
  return found
}
