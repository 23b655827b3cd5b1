/**
 * `node scripts/builds-story.mjs`: follows the guide to plugins, their builds and the image registry with a real
 * registry, a real builder and real clients, from `plumbline registry init` to the verified audit trail. If this
 * machine cannot run builds, it says why and exits with 3.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, statusOf } from './demo-server.mjs'
import { buildIfStale, installIfNeeded, root } from './workspace.mjs'

const PASSWORD = 'Correct-Horse-7'
const BUILDER = process.env.PLUMBLINE_BUILD_USER ?? 'builder'
const PROGRAM = join(root, 'packages', 'cli', 'bin', 'plumbline.js')
const PATH = `/usr/sbin:/usr/bin:/sbin:/bin:${process.execPath.replace(/\/node$/, '')}`

await installIfNeeded()
await buildIfStale({ types: false })

/** Nothing runs as root, because builds refuse to. */
const isRoot = process.getuid() === 0
const ids = isRoot ? ['-u', '-g'].map((flag) => Number(output('id', [flag, BUILDER]))) : []
const asBuilder = isRoot ? ['setpriv', '--reuid', BUILDER, '--regid', BUILDER, '--init-groups', '--'] : ['env', '--']

const folder = mkdtempSync(join(tmpdir(), 'plumbline-story-'))
if (isRoot) chownSync(folder, ...ids)
const home = own('home')
const [port, registryPort] = [await freePort(), await freePort()]
const registry = `127.0.0.1:${registryPort}`
const url = `http://127.0.0.1:${port}`
const settings = {
  ...{ NODE_ENV: 'development', DATA_DIR: join(folder, 'data'), PORT: String(port), SHUTDOWN_DELAY_MS: '0' },
  ...{ REGISTRY_URL: `http://${registry}`, REGISTRY_EVENTS_SECRET: randomBytes(16).toString('hex') },
  // Garbage collection waits until every token has expired, so tokens are short-lived here.
  REGISTRY_TOKEN_TTL_SECONDS: '60',
  ...{ PLUGIN_BUILDER: 'local', PLUGIN_BUILD_MAX_ATTEMPTS: '1' },
  // Without a cgroup the limit counts all processes and threads of the user, and CI builds beside this.
  PLUGIN_BUILD_PIDS: '2048',
}
const running = new Set()
const pidFile = join(folder, 'registry.pid')
let steps = 0

try {
  const lacks = cli({}, 'builder', '--check')
  if (lacks.code !== 0) end(3, `builds are not run here:\n${lacks.stderr}`)
  await story()
  console.log(`builds: ${steps} steps did what the pages say`)
} catch (error) {
  console.error(`--- the end of the server's log\n${output('tail', ['-n', '20', join(folder, 'server.log')])}`)
  throw error
} finally {
  for (const child of running) child.kill('SIGKILL')
  output('kill', ['-9', output('cat', [pidFile])])
  rmSync(folder, { recursive: true, force: true })
}

async function story() {
  await step('a registry, by plumbline registry init', async () => {
    good(cli(settings, 'registry', 'init', join(folder, 'registry'), '--listen', registry, '--public-url', url))
    await startRegistry()
  })
  const server = await step('the server with its builder', async () => {
    const child = start('server.log', settings, process.execPath, PROGRAM, 'serve', '--empty')
    await until(async () => (await statusOf(`${url}/readyz`)) === 200)
    return child
  })
  const { ann, bob, eve, ops } = await step('four people of as many organizations', people)
  const mine = `org-${ann.orgId}`

  await step('a base image, which its organization alone pulls', async () => {
    const base = plugin('base', {
      'plugin-spec.yaml': 'name: base\nversion: 1.0.0\ncommands: [/bin/sh]\n',
      Dockerfile: 'FROM scratch\nCOPY busybox /bin/busybox\nRUN ["/bin/busybox", "--install", "-s", "/bin"]\n',
    })
    copyFileSync('/bin/busybox', join(base, 'busybox'))
    const built = cli(ann.env, 'plugins', 'build', base, '--watch', '--json')
    good(built)
    assert.match(built.stderr, /── \w+\n[\s\S]*base 1\.0\.0 is ready/)
  })
  await step('a plugin from a folder to ready', async () => {
    const built = good(cli(ann.env, 'plugins', 'build', greeter(`${registry}/${mine}/base:1.0.0`), '--watch', '--json'))
    assert.equal(JSON.parse(built.stdout).state, 'completed')
    const { data } = curl(ann, 'GET', '/plugins/find?nameExact=greeter')
    assert.equal(data.plugin.buildStatus, 'ready')
    assert.match(data.plugin.imageDigest, /^sha256:/)
    const named = plugin('renamed', {
      'plugin-spec.yaml': 'name: renamed\nversion: 1.0.0\ncommands: [/bin/sh]\n',
      // It has no other step.
      Dockerfile: `FROM ${registry}/${mine}/base:1.0.0\n`,
    })
    good(cli(ann.env, 'plugins', 'build', named, '--watch'))
  })
  const digest = curl(ann, 'GET', '/plugins/find?nameExact=greeter').data.plugin.imageDigest

  await step('its bill of materials, its provenance and a scan of it', () => known(ann, digest))
  await clients(ann, bob, eve, mine, digest)
  await ends(ann, ops, mine, server)
}

async function clients(ann, bob, eve, mine, digest) {
  await step('skopeo and buildah with a personal access token', async () => {
    good(skopeo(ann, 'login', '--username', 'ann', '--password-stdin', registry))
    const shown = JSON.parse(good(skopeo(ann, 'inspect', `docker://${registry}/${mine}/greeter:1.0.0`)).stdout)
    assert.equal(shown.Digest, digest)
    good(buildah(ann, 'pull', '--tls-verify=false', '-q', `${registry}/${mine}/greeter@${digest}`))
    good(
      buildah(
        ann,
        'push',
        '--tls-verify=false',
        '-q',
        `${registry}/${mine}/greeter@${digest}`,
        `docker://${registry}/${mine}/mine:1`,
      ),
    )
    await until(() =>
      JSON.parse(good(cli(ann.env, 'images', 'list', '--json')).stdout).some(
        ({ repository }) => repository === `${mine}/mine`,
      ),
    )
    // A reading of the registry may find the image in the moment before it has its tag.
    await until(
      () =>
        JSON.parse(good(cli(ann.env, 'images', 'tags', `${mine}/mine`, '--json')).stdout)
          .map(({ tag }) => tag)
          .join() === '1',
    )
    // Only the server may push images of plugins.
    bad(
      buildah(
        ann,
        'push',
        '--tls-verify=false',
        '-q',
        `${registry}/${mine}/greeter@${digest}`,
        `docker://${registry}/${mine}/greeter:1.0.0`,
      ),
    )
  })
  await step('a colleague without the right, and another organization, are refused', async () => {
    for (const person of [await colleagueOf(ann), bob, eve]) {
      good(skopeo(person, 'login', '--username', 'x', '--password-stdin', registry))
      bad(skopeo(person, 'inspect', `docker://${registry}/${mine}/greeter:1.0.0`))
      bad(skopeo(person, 'copy', `docker://${registry}/${mine}/mine:1`, `docker://${registry}/${mine}/theirs:1`))
    }
  })
  await step('promotion to system/, which the other organization pulls', async () => {
    good(cli(ann.admin, 'images', 'copy', `${mine}/mine:1`, 'system/greeter:1'))
    const shown = JSON.parse(good(skopeo(eve, 'inspect', `docker://${registry}/system/greeter:1`)).stdout)
    assert.equal(shown.Digest, digest)
    assert.equal(
      curl({ token: ann.signedIn }, 'POST', '/images/copy', { source: `${mine}/mine:1`, target: 'system/greeter:2' })
        .status,
      200,
    )
  })
}

async function ends(ann, ops, mine, server) {
  await step('a rule about images blocks one that runs as root, and an exemption lets it through', () =>
    rules(ann, ops),
  )
  await step('a build is cancelled in the middle', async () => {
    const slow = plugin('slow', {
      'plugin-spec.yaml': 'name: slow\nversion: 1.0.0\ncommands: [/bin/sh]\n',
      Dockerfile: `FROM ${registry}/${mine}/base:1.0.0\nRUN sleep 300\nUSER 1000\n`,
    })
    const { jobId } = JSON.parse(good(cli(ann.env, 'plugins', 'upload', slow, '--json')).stdout)
    await until(() => curl(ann, 'GET', `/plugins/builds/${jobId}`).data.build.phase === 'building')
    good(cli(ann.env, 'plugins', 'cancel', jobId))
    const ended = cli(ann.env, 'plugins', 'build', jobId, '--watch', '--json')
    assert.deepEqual([ended.code, JSON.parse(ended.stdout).state], [1, 'cancelled'])
    await until(() => !output('ps', ['-e', '-o', 'args']).includes('sleep 300'))
  })
  await step('delete, and what gc would delete', () => deleted(ann, mine))
  await step('plumbline registry collect', () => collected(ann, mine))
  await step('the audit trail verifies', async () => {
    const { status, data } = curl(ann, 'GET', '/audit/verify')
    assert.deepEqual([status, data.ok], [200, true], JSON.stringify(data))
    const log = join(home, 'audit.jsonl')
    good(cli(ann.env, 'audit', 'export', '-o', log))
    good(cli({}, 'audit', 'verify', log, '--trust-file-keys'))
  })
  await step('the server ends, and nothing of a build is left', async () => {
    assert.equal(await stopped(server), 0)
    assert.ok(!output('ps', ['-e', '-o', 'args']).includes(`plumbline-builder-local-${port}/job-`))
  })
}

async function people() {
  const signUp = (name, organizationName) => {
    const body = { username: name, email: `${name}@example.com`, password: PASSWORD, organizationName }
    const { status, data } = curl(null, 'POST', '/auth/register', body)
    assert.equal(status, 201)
    good(cli(settings, 'admin', 'verify-email', name))
    return { name, orgId: data.organization?.id, userId: data.user?.id }
  }
  const everybody = [signUp('ann', 'Acme'), signUp('bob', 'Bobs'), signUp('eve', 'Others'), signUp('ops', 'Operators')]
  const [ann, bob, eve, ops] = everybody
  for (const name of ['ann', 'ops']) good(cli(settings, 'admin', 'grant-superadmin', name))
  for (const person of everybody) {
    const signedIn = curl(null, 'POST', '/auth/login', { identifier: person.name, password: PASSWORD }).data
    Object.assign(person, { token: signedIn.accessToken })
    person.orgId = curl(person, 'GET', '/auth/me').data.organization.id
    const stepUp = curl(person, 'POST', '/auth/step-up', { method: 'password', password: PASSWORD }).data.stepUpToken
    const limited = person === bob ? { permissions: ['pipelines:read'] } : {}
    const made = curl(person, 'POST', '/auth/pats', { name: 'story', ...limited }, { 'x-step-up-token': stepUp })
    assert.equal(made.status, 201, JSON.stringify(made))
    Object.assign(person, { token: made.data.token, signedIn: signedIn.accessToken })
    person.env = { PLUMBLINE_URL: url, PLUMBLINE_TOKEN: person.token }
    // Actions of a system administrator need a session.
    person.admin = { PLUMBLINE_URL: url, PLUMBLINE_TOKEN: person.signedIn }
  }
  return { ann, bob, eve, ops }
}

/** A token of the organization that may not read plugins. */
async function colleagueOf(ann) {
  const token = await personal(ann, ['pipelines:read'])
  return { ...ann, name: 'colleague', token }
}

async function personal(ann, permissions) {
  const made = curl({ token: ann.signedIn }, 'POST', '/auth/pats', { name: 'colleague', permissions }, stepUp(ann))
  assert.equal(made.status, 201, JSON.stringify(made))
  return made.data.token
}

function stepUp(ann) {
  const body = { method: 'password', password: PASSWORD }
  return { 'x-step-up-token': curl({ token: ann.signedIn }, 'POST', '/auth/step-up', body).data.stepUpToken }
}

async function known(ann, digest) {
  const bom = JSON.parse(good(cli(ann.env, 'plugins', 'sbom', 'greeter')).stdout)
  assert.deepEqual([bom.bomFormat, bom.specVersion], ['CycloneDX', '1.6'])
  const { keys } = curl(null, 'GET', '/registry/provenance-keys').data
  const pem = join(home, 'provenance.pem')
  writeFileSync(pem, keys[0].publicKeyPem, { mode: 0o644 })
  const verified = good(cli(ann.env, 'plugins', 'provenance', 'greeter', '--verify', '--key', pem, '--digest', digest))
  assert.match(verified.stderr, /made of docker:\/\/\S+\/base:1\.0\.0 sha256:/)
  const other = ['--verify', '--key', pem, '--digest', `sha256:${'0'.repeat(64)}`]
  assert.equal(cli(ann.env, 'plugins', 'provenance', 'greeter', ...other).code, 1)
  // The scanner uses its own credential.
  const scanner = { name: 'scanner', scopes: ['images:scan'] }
  const asked = curl(
    { token: ann.signedIn },
    'POST',
    `/organization/${ann.orgId}/service-principals`,
    scanner,
    stepUp(ann),
  )
  assert.equal(asked.status, 201, JSON.stringify(asked))
  const { clientId = asked.data.servicePrincipal.clientId, clientSecret } = asked.data
  const service = {
    PLUMBLINE_URL: url,
    PLUMBLINE_SERVICE_CLIENT_ID: clientId,
    PLUMBLINE_SERVICE_CLIENT_SECRET: clientSecret,
  }
  const report = join(home, 'report.json')
  writeFileSync(report, JSON.stringify({ scanner: 'acme', findings: [{ severity: 'low' }] }), { mode: 0o644 })
  const { id } = curl(ann, 'GET', '/plugins/find?nameExact=greeter').data.plugin
  const sent = good(cli(service, 'plugins', 'scan', id, '--file', report, '--digest', digest, '--json'))
  assert.equal(JSON.parse(sent.stdout).low, 1)
  const { builtImage } = curl(ann, 'GET', `/plugins/${id}`).data.plugin
  assert.deepEqual([builtImage.vulnerabilities.scanner, builtImage.signed], ['acme', true])
}

async function rules(ann, ops) {
  const rule = {
    name: 'no-root',
    target: 'plugin',
    severity: 'critical',
    field: 'builtImage.usesRootUser',
    operator: 'eq',
    value: false,
  }
  const made = curl(ann, 'POST', '/compliance/rules', rule)
  assert.equal(made.status, 201, JSON.stringify(made))
  const folder = plugin('rooted', {
    'plugin-spec.yaml': 'name: rooted\nversion: 1.0.0\ncommands: [/bin/sh]\n',
    Dockerfile: `FROM ${registry}/org-${ann.orgId}/base:1.0.0\nUSER 0\n`,
  })
  const blocked = cli(ann.env, 'plugins', 'build', folder, '--watch', '--json')
  assert.equal(blocked.code, 1, blocked.stderr)
  const build = JSON.parse(blocked.stdout)
  assert.equal(build.violations?.[0]?.ruleName, 'no-root')
  const asked = curl(ann, 'POST', '/compliance/exemptions', {
    ruleId: made.data.rule.id,
    entityType: 'plugin',
    entityId: build.pluginId,
    reason: 'It needs root until the next release of its base image',
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  })
  assert.ok(asked.status < 300, JSON.stringify(asked))
  const id = asked.data.exemption.id
  // Another person decides on the exemption.
  const inOrg = { 'x-org-id': ann.orgId }
  const decision = { status: 'approved' }
  const approved = curl({ token: ops.signedIn }, 'PUT', `/compliance/exemptions/${id}/review`, decision, inOrg)
  assert.ok(approved.status < 300, JSON.stringify(approved))
  const replayed = JSON.parse(good(cli(ann.env, 'plugins', 'replay-build', build.jobId, '--json')).stdout)
  good(cli(ann.env, 'plugins', 'build', replayed.newJobId ?? replayed.jobId, '--watch'))
}

async function deleted(ann, own) {
  good(cli(ann.admin, 'images', 'delete', `${own}/mine`, '1', '--yes'))
  const shown = JSON.parse(good(cli(ann.admin, 'images', 'gc', `${own}/`, '--json')).stdout)
  assert.ok(Array.isArray(shown))
  assert.equal(curl({ token: ann.signedIn }, 'POST', '/admin/gc', { prefix: `${own}/` }).data.dryRun, true)
}

async function collected(ann, own) {
  const restart = join(folder, 'restart')
  const [configuration, log] = [join(folder, 'registry', 'registry.yml'), join(home, 'registry.log')]
  writeFileSync(
    restart,
    `kill $(cat ${pidFile}); while curl -s -o /dev/null http://${registry}/v2/; do sleep 0.1; done
REGISTRY_STORAGE_MAINTENANCE_READONLY="{\\"enabled\\":$1}" nohup docker-registry serve ${configuration} >>${log} 2>&1 &
echo $! >${pidFile}
`,
  )
  const args = ['--read-only', `sh ${restart} true`, '--writable', `sh ${restart} false`, '--json']
  const collection = JSON.parse(good(cli(settings, 'registry', 'collect', join(folder, 'registry'), ...args)).stdout)
  assert.deepEqual(collection.lost, [])
  assert.ok(collection.kept > 0)
  good(skopeo(ann, 'inspect', `docker://${registry}/${own}/greeter:1.0.0`))
}

async function startRegistry() {
  const child = start('registry.log', {}, 'docker-registry', 'serve', join(folder, 'registry', 'registry.yml'))
  writeFileSync(pidFile, String(child.pid))
  if (isRoot) chownSync(pidFile, ...ids)
  await until(async () => (await statusOf(`http://${registry}/v2/`)) === 401)
}

function stopped(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  return ended
}

function greeter(base) {
  const at = own('greeter')
  cpSync(join(root, 'examples', 'plugin'), at, { recursive: true })
  writeFileSync(
    join(at, 'plugin-spec.yaml'),
    `${readFileSync(join(at, 'plugin-spec.yaml'), 'utf8')}buildArgs: { BASE: '${base}' }\n`,
  )
  return at
}

function plugin(name, files) {
  const at = own(name)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(at, file), text)
  return at
}

/** A folder that the user of the builder may use. */
function own(name) {
  const at = join(folder, name)
  mkdirSync(at, { recursive: true })
  if (isRoot) chownSync(at, ...ids)
  return at
}

function cli(env, ...args) {
  return run(env, process.execPath, PROGRAM, ...args)
}

function authOf({ name }) {
  return join(home, `${name}.json`)
}

function skopeo(person, command, ...args) {
  const tls = command === 'copy' ? ['--src-tls-verify=false', '--dest-tls-verify=false'] : ['--tls-verify=false']
  return run({ REGISTRY_AUTH_FILE: authOf(person), input: person.token }, 'skopeo', command, ...tls, ...args)
}

function buildah(person, ...args) {
  const at = own('containers')
  const places = ['--storage-driver', 'vfs', '--root', join(at, 'root'), '--runroot', join(at, 'run')]
  return run({ REGISTRY_AUTH_FILE: authOf(person), XDG_RUNTIME_DIR: at }, 'buildah', ...places, ...args)
}

function run({ input, ...env }, command, ...args) {
  const [program, ...before] = asBuilder
  const result = spawnSync(program, [...before, command, ...args], {
    cwd: home,
    env: { PATH, HOME: home, ...env },
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
    timeout: 300_000,
    maxBuffer: 64 * 1024 ** 2,
  })
  return {
    code: result.status,
    stdout: result.stdout ?? '',
    stderr: result.stderr ?? String(result.error),
    what: [command, ...args].join(' '),
  }
}

function good(result) {
  assert.equal(result.code, 0, `${result.what}: exit ${result.code}\n${result.stdout}${result.stderr}`)
  return result
}

function bad(result) {
  assert.notEqual(result.code, 0, `${result.what} was let through`)
  assert.match(result.stderr, /unauthorized|denied|authentication required|403|401/i, result.what)
}

/** The same request with curl. */
function curl(person, method, path, body, headers = {}) {
  const all = { ...headers, ...(person === null ? {} : { authorization: `Bearer ${person.token}` }) }
  const args = [
    '-s',
    '-X',
    method,
    '-w',
    '\n%{http_code}',
    ...Object.entries(all).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
  ]
  if (body !== undefined) args.push('-H', 'content-type: application/json', '-d', JSON.stringify(body))
  const said = output('curl', [...args, `${url}/api${path}`])
  const at = said.lastIndexOf('\n')
  return { status: Number(said.slice(at + 1)), ...JSON.parse(said.slice(0, at) || '{}') }
}

function output(command, args) {
  return spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 }).stdout?.trimEnd() ?? ''
}

function start(log, env, command, ...args) {
  const [program, ...before] = asBuilder
  const to = join(folder, log)
  writeFileSync(to, '')
  const child = spawn('sh', ['-c', `exec "$@" >>"$0" 2>&1`, to, program, ...before, command, ...args], {
    cwd: home,
    env: { PATH, HOME: home, ...env },
    stdio: 'ignore',
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

async function step(what, act) {
  const startedMs = performance.now()
  const result = await act()
  steps += 1
  console.log(`  ${((performance.now() - startedMs) / 1000).toFixed(1).padStart(5)} s  ${what}`)
  return result
}

async function until(is) {
  const endMs = performance.now() + 60_000
  while (!(await is())) {
    assert.ok(performance.now() < endMs, 'a minute passed')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function end(code, text) {
  console.log(text)
  rmSync(folder, { recursive: true, force: true })
  process.exit(code)
}
