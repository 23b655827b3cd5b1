/**
 * The same decisions on a real registry: skopeo pulls, pushes and deletes what the oracle says and nothing else, no forged
 * token is taken, and a token that was given before a right went is good for its time and a minute.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleOf } from '../../src/registry/keys.js'
import { tokenFor } from '../../src/registry/sign.js'
import { forgedRegistryTokens } from '../../test/support/forged-registry-tokens.js'
import { type RealRegistry, startRegistry } from '../../test/support/registry.js'
import type { Random } from '../world/random.js'
import { ask, decisionOf } from './ask.js'
import { someChange } from './changes.js'
import { pushImage, statusOfPull, writeImage } from './image.js'
import { authorizationOf, type Credential, described } from './model.js'
import { oneName } from './scopes.js'
import { TTL_S } from './server.js'
import type { World } from './world.js'

const CHANGES_SHARE = 0.15
/** What the registry allows a token beyond its end, in seconds. */
const LEEWAY_S = 60
const TAG = '1'

export interface Pulls {
  readonly failures: readonly string[]
  readonly said: string
}

type Action = 'pull' | 'push' | 'delete'

interface Trying {
  readonly world: World
  readonly random: Random
  readonly registry: RealRegistry
  readonly folder: string
  readonly seeded: Set<string>
  readonly failures: string[]
}

export async function provePulls(
  world: World,
  random: Random,
  { pulls, port }: { readonly pulls: number; readonly port: number },
): Promise<Pulls> {
  const { app, url } = world.place
  const bundle = bundleOf(app.runtime.settings.REGISTRY_TOKEN_KEYS ?? [])
  const registry = await startRegistry(bundle, `${url}/api/registry/token`, port)
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-pulls-'))
  const trying: Trying = { world, random, registry, folder, seeded: new Set(), failures: [] }
  try {
    writeImage(join(folder, 'image'))
    const done = { allowed: 0, refused: 0 }
    for (let n = 0; n < pulls; n++) {
      const isAllowed = await tryOne(trying)
      done[isAllowed ? 'allowed' : 'refused'] += 1
    }
    const forged = await proveForged(trying)
    const revoked = await proveRevoked(trying)
    const said = `skopeo: ${pulls} pulls, pushes and deletions, ${done.allowed} allowed and ${done.refused} refused; ${forged} forged tokens refused; ${revoked} rights that went took the old token with them`
    return { failures: trying.failures, said }
  } finally {
    await registry.stop()
    rmSync(registry.folder, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The registry reads the time of the machine. */
function catchUp({ world }: Trying, agoS = 0): void {
  world.place.app.clock.set(Date.now() - agoS * 1000)
}

/** @returns whether it was allowed. */
async function tryOne(trying: Trying): Promise<boolean> {
  const { world, random } = trying
  catchUp(trying)
  const change = random.next() < CHANGES_SHARE ? await someChange(world, random) : null
  await change?.run()
  catchUp(trying)
  const tried = someTry(trying, change?.credential)
  await seed(trying, tried.name)
  const isTaken = await attempt(trying, tried)
  if (isTaken !== tried.isAllowed) {
    const after = change === null ? '' : `after “${change.what}”: `
    trying.failures.push(
      `${after}${described(tried.credential)} may ${tried.isAllowed ? '' : 'not '}${tried.action} ${tried.name}, and ${isTaken ? 'did' : 'could not'}`,
    )
  }
  await change?.undo?.()
  return tried.isAllowed
}

interface Try {
  readonly credential: Credential
  readonly name: string
  readonly action: Action
  readonly isAllowed: boolean
}

/** About half of them are allowed. */
function someTry({ world, random }: Trying, wanted: Credential | undefined): Try {
  const places = { organizations: [...world.organizations.values()], strangerId: '' }
  const known = world.credentials.filter((each) => credsOf(each) !== null)
  const isToBeAllowed = random.next() < 0.5
  for (let n = 0; ; n++) {
    const credential = wanted !== undefined && n < 5 ? wanted : random.pick(known)
    const roll = random.next()
    const name =
      roll < 0.06 ? random.pick(['library/debian', 'staging/job', 'mine']) : oneName(random, credential, places)
    const action = random.pick<Action>(['pull', 'pull', 'push', 'push', 'delete'])
    const may = actionsOf(world, credential, name)
    // For every request of a push the registry wants `pull` in the token too.
    const isAllowed = may.has(action) && may.has('pull')
    if (isAllowed === isToBeAllowed || n > 30) return { credential, name, action, isAllowed }
  }
}

function actionsOf(world: World, credential: Credential, name: string): ReadonlySet<string> {
  const [line = ''] = decisionOf(world, credential, [`repository:${name}:pull,push,delete`]).access
  return new Set(line.slice(name.length + 1).split(','))
}

/** As skopeo takes them; null for what no client can send. */
function credsOf(credential: Credential): string | null {
  const text = Buffer.from(/^Basic (.+)$/.exec(authorizationOf(credential) ?? '')?.[1] ?? '', 'base64').toString('utf8')
  return /^[!-~]+:[!-~]+$/.test(text) ? text : null
}

/** The server puts an image where somebody will look for one. */
async function seed({ world, registry, seeded }: Trying, name: string): Promise<void> {
  if (seeded.has(name)) return
  const token = tokenFor(world.place.app.runtime, 'server', [{ type: 'repository', name, actions: ['pull', 'push'] }])
  if (!(await pushImage(registry.url, name, TAG, token))) throw new Error(`the server cannot push ${name}`)
  seeded.add(name)
}

async function attempt(trying: Trying, { credential, name, action }: Try): Promise<boolean> {
  const { folder, registry } = trying
  const image = `docker://${new URL(registry.url).host}/${name}`
  const creds = credsOf(credential) ?? ''
  if (action === 'delete')
    return skopeo(folder, ['delete', '--tls-verify=false', `--creds=${creds}`, `${image}:${TAG}`])
  if (action === 'push') {
    const from = `dir:${join(folder, 'image')}`
    return skopeo(folder, ['copy', '--dest-tls-verify=false', `--dest-creds=${creds}`, from, `${image}:pushed`])
  }
  const to = mkdtempSync(join(folder, 'pulled-'))
  try {
    return await skopeo(folder, [
      'copy',
      '--src-tls-verify=false',
      `--src-creds=${creds}`,
      `${image}:${TAG}`,
      `dir:${to}`,
    ])
  } finally {
    rmSync(to, { recursive: true })
  }
}

/** @returns whether it succeeded. @throws Error when it failed for another reason than a refusal. */
async function skopeo(home: string, args: readonly string[]): Promise<boolean> {
  const child = spawn('skopeo', ['--insecure-policy', ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr.on('data', (piece: Buffer) => {
    told += piece.toString()
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code === 0) return true
  if (/unauthorized|denied|authentication required|unable to retrieve auth token/i.test(told)) return false
  throw new Error(`skopeo ${args[0]}: ${told.slice(-500)}`)
}

/** @returns how many were refused. */
async function proveForged(trying: Trying): Promise<number> {
  const { world, registry, failures } = trying
  catchUp(trying)
  const name = 'system/forged'
  await seed(trying, name)
  const good = tokenFor(world.place.app.runtime, 'server', [{ type: 'repository', name, actions: ['pull'] }])
  const status = await statusOfPull(registry.url, name, TAG, good)
  if (status !== 200) failures.push(`the good token is not taken: ${status}`)
  let refused = 0
  for (const [what, token] of Object.entries(forgedRegistryTokens(good))) {
    const answers = [
      await statusOfPull(registry.url, name, TAG, token),
      (await pushImage(registry.url, name, 'forged', token)) ? 201 : 401,
    ]
    if (answers.every((each) => each === 401)) refused += 1
    else failures.push(`a forged token is taken (${what}): ${answers}`)
  }
  // A push, and another repository, by the good one.
  if (await pushImage(registry.url, name, 'forged', good)) failures.push('a token for pulling pushes')
  await seed(trying, 'system/other')
  if ((await statusOfPull(registry.url, 'system/other', TAG, good)) !== 401)
    failures.push('a token opens another repository')
  return refused
}

const TAKING = /revoked|expires|removed|deactivated|disabled|deleted|Role changes|scopes of a service/

/** Each right that goes takes with it what was given before, after the time of a token and a minute. @returns how many. */
async function proveRevoked(trying: Trying): Promise<number> {
  const { world, random, registry, failures } = trying
  const seen = new Set<string>()
  for (let n = 0; n < 60 && seen.size < 8; n++) {
    catchUp(trying, TTL_S + LEEWAY_S + 2)
    const change = await someChange(world, random)
    if (change === null) continue
    const { credential, what } = change
    const name = credential.kind === 'wrong' ? '' : `org-${credential.org?.id}/mine`
    const scopes = [`repository:${name}:pull`]
    const isOfUse = TAKING.test(what) && !seen.has(what) && actionsOf(world, credential, name).has('pull')
    if (!isOfUse) continue
    catchUp(trying)
    await seed(trying, name)
    catchUp(trying, TTL_S + LEEWAY_S + 2)
    const first = await ask(world, random, credential, scopes)
    catchUp(trying, TTL_S + LEEWAY_S / 2)
    const second = await ask(world, random, credential, scopes)
    catchUp(trying)
    await change.run()
    catchUp(trying, -1)
    const isGone = !actionsOf(world, credential, name).has('pull')
    const after = await ask(world, random, credential, scopes)
    if (isGone) {
      if (after.access.length > 0) failures.push(`${what}: a new token is given`)
      const [old, late] = [
        await statusOfPull(registry.url, name, TAG, first.token),
        await statusOfPull(registry.url, name, TAG, second.token),
      ]
      if (old !== 401) failures.push(`${what}: a token is good for longer than its time and a minute: ${old}`)
      if (late !== 200) failures.push(`${what}: a token is not good until its time and a minute are over: ${late}`)
      seen.add(what)
    }
    await change.undo?.()
  }
  if (seen.size === 0) failures.push('no right went')
  return seen.size
}
