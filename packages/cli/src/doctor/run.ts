/**
 * Runs `plumbline doctor`: prints a list of facts and verdicts.
 * INVARIANT: it changes nothing. It uses the network only with `--server` (the server of this machine and the payment
 * provider), and with `--events` and `--builders` (the server that the user is signed in to). It prints no secret: of a proxy only host
 * and port.
 */
import { existsSync } from 'node:fs'
import { coversEntity, type Rule } from '@plumbline/engine'
import pc from 'picocolors'
import { loadBaseline } from '../check/baseline-file.js'
import { idleAfter, idleByThemselves, idleText } from '../check/unused-exemptions.js'
import { type CommandRun, ExitCode, type Invocation, type Io, UsageError } from '../command.js'
import { configFieldNames } from '../config/discover.js'
import { describeOrigin, resolveSettings, type Settings } from '../config/settings.js'
import type { Fact } from '../host/fact.js'
import { entitiesOf, entityRef, type SourceEntity } from '../input/entities.js'
import { type LoadedExemption, loadExemptions } from '../input/exemptions.js'
import { diskTree } from '../input/file-tree.js'
import { displayPath, findFiles } from '../input/find-files.js'
import { gitVersion } from '../input/git.js'
import { readDocuments } from '../input/read-documents.js'
import { findRepositoryRoot } from '../input/repository-root.js'
import { requireRules } from '../input/rules.js'
import { printData } from '../program/print-data.js'
import { printable } from '../program/printable.js'
import { version } from '../program/version.js'
import { count } from '../report/reporter.js'

export const run: CommandRun = async (invocation, io) => {
  const facts =
    invocation.options['server'] === true
      ? await (await import('../host/server-facts.js')).serverFacts(io)
      : invocation.options['events'] === true
        ? await (await import('./event-facts.js')).eventFacts(invocation, io)
        : invocation.options['builders'] === true
          ? await (await import('./builder-facts.js')).builderFacts(invocation, io)
          : [...(await aboutTools(io)), ...(await aboutConfiguration(invocation, io)), ...aboutNetwork(io)]
  const isWrong = facts.some((fact) => fact.state === 'wrong')
  await printData(invocation, io, { ok: !isWrong, facts }, () => {
    const colours = pc.createColors(io.colour)
    const marks = { ok: colours.green('✔'), note: colours.cyan('•'), wrong: colours.red('✖') }
    const lines = facts.flatMap(({ topic, state, text, details = [] }) => [
      `${marks[state]} ${topic.padEnd(14)} ${printable(text)}`,
      ...details.map((detail) => `    ${colours.dim(printable(detail))}`),
    ])
    return `${lines.join('\n')}\n`
  })
  return isWrong ? ExitCode.usage : ExitCode.clean
}

async function aboutTools(io: Io): Promise<Fact[]> {
  const node = process.versions.node
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const isSupported = major > 20 || (major === 20 && minor >= 19)
  const git = await gitVersion(io.cwd)
  const root = findRepositoryRoot(io.cwd)
  return [
    { topic: 'plumbline', state: 'ok', text: version },
    isSupported
      ? { topic: 'node', state: 'ok', text: node }
      : { topic: 'node', state: 'wrong', text: `${node} is too old: install 20.19 or newer` },
    git === null
      ? { topic: 'git', state: 'note', text: 'not installed: --since and --policy-from do not work' }
      : { topic: 'git', state: 'ok', text: git },
    root === null
      ? { topic: 'repository', state: 'note', text: 'none: configuration is searched in this folder alone' }
      : { topic: 'repository', state: 'ok', text: displayPath(io.cwd, root) },
  ]
}

async function aboutConfiguration(invocation: Invocation, io: Io): Promise<Fact[]> {
  const settings = await attempt('configuration', () => resolveSettings(invocation, io))
  if ('topic' in settings) return [settings]
  const values = configFieldNames
    .filter((name) => settings[name].origin.kind !== 'default')
    .map((name) => `${name} = ${JSON.stringify(settings[name].value)} (${describeOrigin(settings[name].origin)})`)
  const configuration: Fact = {
    topic: 'configuration',
    state: settings.configFile ? 'ok' : 'note',
    text: settings.configFile?.file ?? 'no file found: defaults are in force (`plumbline init` writes one)',
    details: values,
  }
  return [configuration, ...(await aboutPolicy(settings, io))]
}

async function aboutPolicy(settings: Settings, io: Io): Promise<Fact[]> {
  const { policy, rules, exemptions, files, ignore } = settings
  const facts: Fact[] = []
  let known: readonly Rule[] = []
  if (rules.value.length === 0) facts.push({ topic: 'rules', state: 'note', text: 'none are configured' })
  else {
    const loaded = await attempt('rules', () => requireRules(policy, rules.value, rules.base))
    const text =
      'topic' in loaded ? '' : `${count(loaded.rules.length, 'rule')} in ${count(loaded.files.length, 'file')}`
    facts.push('topic' in loaded ? loaded : { topic: 'rules', state: 'ok', text })
    if (!('topic' in loaded)) known = loaded.rules.map(({ rule }) => rule)
  }
  const waivers = await attempt('exemptions', () => loadExemptions(policy, exemptions.value, exemptions.base))
  facts.push('topic' in waivers ? waivers : await aboutExemptions(waivers.exemptions, known, settings, io))
  const baseline = await attempt('baseline', async () => ({ found: await loadBaseline(settings, io.cwd) }))
  if ('topic' in baseline) facts.push(baseline)
  else if (!baseline.found) facts.push({ topic: 'baseline', state: 'note', text: 'none' })
  else {
    const text = `${displayPath(io.cwd, baseline.found.path)}: ${count(baseline.found.entries.length, 'finding')} accepted`
    facts.push({ topic: 'baseline', state: 'ok', text })
  }
  if (files.value.length === 0)
    facts.push({ topic: 'files', state: 'note', text: '`check` needs files named: none are configured' })
  else {
    const found = await findFiles(diskTree, files.value, { cwd: files.base, ignore: ignore.value })
    const empty = [...found.missing, ...found.unmatched, ...found.strays.map(({ path }) => displayPath(io.cwd, path))]
    facts.push(
      empty.length > 0
        ? { topic: 'files', state: 'wrong', text: `nothing matches ${empty.join(', ')}` }
        : { topic: 'files', state: 'ok', text: count(found.files.length, 'file') },
    )
  }
  return facts
}

/** Which exemptions match none of the files that the configuration has checked. */
async function aboutExemptions(
  exemptions: readonly LoadedExemption[],
  rules: readonly Rule[],
  { files, ignore, target, raw }: Settings,
  io: Io,
): Promise<Fact> {
  const text = count(exemptions.length, 'exemption')
  if (exemptions.length === 0) return { topic: 'exemptions', state: 'ok', text }
  const idle = idleByThemselves(exemptions, rules, io.now().getTime())
  const found = await findFiles(diskTree, files.value, { cwd: files.base, ignore: ignore.value })
  const refs: SourceEntity[] = []
  for (const path of found.files) {
    const { documents } = await readDocuments(diskTree, path, io.cwd)
    const options = { raw: raw.value, ...(target.value === null ? {} : { target: target.value }) }
    refs.push(...entitiesOf(documents, { ...options, emptyList: 'ok' }).entities)
  }
  const covering = new Set(
    exemptions.flatMap(({ exemption }) =>
      refs.some((entity) => coversEntity(exemption, entityRef(entity))) ? [exemption.id] : [],
    ),
  )
  const names = new Set(refs.map(({ name }) => name))
  // Only a check shows what an exemption waives. Here it is enough that it matches an entity.
  const seen = { names, entities: refs.length, covering, applied: covering }
  if (refs.length > 0) idle.push(...idleAfter(exemptions, idle, seen))
  return idle.length === 0
    ? { topic: 'exemptions', state: 'ok', text }
    : {
        topic: 'exemptions',
        state: 'note',
        text: `${text}, ${idle.length} without effect`,
        details: idle.map(idleText),
      }
}

function aboutNetwork(io: Io): Fact[] {
  const proxyName = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find((name) => io.env[name])
  const proxy: Fact =
    proxyName === undefined
      ? { topic: 'proxy', state: 'ok', text: 'none set' }
      : {
          topic: 'proxy',
          state: 'note',
          text: `${proxyName} = ${proxyHost(io.env[proxyName] ?? '')}; checks use no network`,
        }
  const certificates = io.env.NODE_EXTRA_CA_CERTS
  if (!certificates) return [proxy, { topic: 'certificates', state: 'ok', text: "Node's own" }]
  return [
    proxy,
    existsSync(certificates)
      ? { topic: 'certificates', state: 'note', text: `NODE_EXTRA_CA_CERTS = ${certificates}` }
      : { topic: 'certificates', state: 'wrong', text: `NODE_EXTRA_CA_CERTS names no file: ${certificates}` },
  ]
}

/** A proxy address may hold a password. */
function proxyHost(address: string): string {
  try {
    return new URL(address).host
  } catch {
    return '(not an address)'
  }
}

/** A usage error becomes a finding of the doctor and does not end it. */
async function attempt<T extends object>(topic: string, look: () => Promise<T>): Promise<T | Fact> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { topic, state: 'wrong', text: error.message, details: error.details }
  }
}
