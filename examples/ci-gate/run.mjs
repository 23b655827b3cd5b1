/**
 * Sends five pull requests through the gate of `repository/`, and fails if the gate answers one of them wrongly. The
 * commands are those of its workflow. Only git and plumbline are needed.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cli = join(dirname(fileURLToPath(import.meta.resolve('@plumbline/cli/package.json'))), 'bin', 'plumbline.js')
const folder = mkdtempSync(join(tmpdir(), 'ci-gate-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
cpSync(fileURLToPath(new URL('repository/', import.meta.url)), folder, { recursive: true })

const identity = ['-c', 'user.name=Example', '-c', 'user.email=example@example.com', '-c', 'commit.gpgsign=false']
const git = (...args) => execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe' })
const read = (path) => readFileSync(join(folder, path), 'utf8')
const write = (path, text) => writeFileSync(join(folder, path), text)
const edit = (path, from, to) => {
  assert.ok(read(path).includes(from), `${path} holds ${from}`)
  write(path, read(path).replace(from, to))
}

/** Runs plumbline, and checks its exit code and its messages. Returns its standard output. */
function plumbline(args, { exit, says = [] }) {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '', GITHUB_ACTIONS: '' }
  const result = spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8', env })
  const output = `${result.stdout}${result.stderr}`
  console.log(`  exit ${result.status}  plumbline ${args.join(' ')}`)
  assert.equal(result.status, exit, output)
  for (const text of says) assert.ok(output.includes(text), `the output has no "${text}":\n${output}`)
  return result.stdout
}

/** A branch off main with one commit. */
function pullRequest(title, change) {
  console.log(`\n${title}`)
  git('checkout', '--quiet', '-B', 'change', 'main')
  change()
  git('add', '--all')
  git('commit', '--quiet', '--message', title)
}

console.log('The main branch')
git('init', '--quiet', '--initial-branch=main')
git('add', '--all')
git('commit', '--quiet', '--message', 'The repository')
plumbline(['test', '--threshold', '100', '--mutation-threshold', '100'], { exit: 0 })
plumbline(['lint', '--fail-on', 'info'], { exit: 0 })
plumbline(['check'], { exit: 0, says: ['1 exempted', '3 hidden by baseline'] })

const accepted = JSON.parse(read('plumbline.baseline.json'))
plumbline(['baseline', 'create'], { exit: 0 })
assert.deepEqual(JSON.parse(read('plumbline.baseline.json')), accepted, 'the baseline is what `baseline create` writes')
git('checkout', '--', 'plumbline.baseline.json')

pullRequest('1. A new plugin that runs as root is stopped, at its line', () => {
  write(
    'plugins/deploy.yaml',
    read('plugins/build.yaml').replace('name: build', 'name: deploy').replace('false', 'true'),
  )
})
plumbline(['check', '--policy-from', 'main'], {
  exit: 1,
  says: ['plugins/deploy.yaml', '5:1  critical  plugin-unprivileged'],
})
plumbline(['check', '--policy-from', 'main', '--since', 'main'], { exit: 1, says: ['1 of 1 file'] })
const sarif = JSON.parse(plumbline(['check', '--policy-from', 'main', '--format', 'sarif'], { exit: 1 }))
const open = sarif.runs[0].results.filter(({ suppressions }) => (suppressions ?? []).length === 0)
assert.deepEqual(
  open.map(({ ruleId }) => ruleId),
  ['plugin-unprivileged'],
)

pullRequest('2. The same, with the rule loosened and the finding accepted: still stopped, and said', () => {
  write(
    'plugins/deploy.yaml',
    read('plugins/build.yaml').replace('name: build', 'name: deploy').replace('false', 'true'),
  )
  edit('compliance/rules/plugins.yaml', 'severity: critical', 'severity: warning')
  plumbline(['baseline', 'create'], { exit: 0 })
})
plumbline(['check'], { exit: 0 })
plumbline(['check', '--policy-from', 'main'], {
  exit: 1,
  says: ['compliance/rules/plugins.yaml', 'plumbline.baseline.json'],
})
plumbline(['diff', 'main', 'HEAD', '--format', 'markdown'], { exit: 0, says: ['critical → warning'] })

pullRequest('3. A stricter rule: its tests say what is missing, the diff whom it stops', () => {
  edit('compliance/rules/plugins.yaml', 'value: 60', 'value: 15')
})
plumbline(['test'], { exit: 1, says: ['plugin-timeout-bounded: one hour', 'expected pass, got fail'] })
plumbline(['diff', 'main', 'HEAD', '--entities', 'plugins', '--fail-on', 'blocked'], { exit: 1, says: ['build'] })
plumbline(['check', '--policy-from', 'main'], { exit: 0 })

pullRequest(
  '4. A rule file with a mistake is named with line and fix; a plugin that is not YAML is not taken as clean',
  () => {
    edit('compliance/rules/plugins.yaml', 'operator: neq', 'operator: not')
  },
)
plumbline(['lint'], { exit: 2, says: ['compliance/rules/plugins.yaml:', 'operator'] })
plumbline(['check'], { exit: 2 })
git('checkout', '--quiet', 'main')
write('plugins/broken.yaml', 'name: [')
plumbline(['check'], { exit: 3, says: ['plugins/broken.yaml', 'not evaluated'] })
rmSync(join(folder, 'plugins', 'broken.yaml'))

pullRequest('5. The old plugin is repaired: the gate stays open, and the baseline shrinks', () => {
  edit('plugins/legacy-upload.yaml', 'usesRootUser: true', 'usesRootUser: false')
  edit('plugins/legacy-upload.yaml', 'uploader:latest', 'uploader:2.1')
  plumbline(['baseline', 'prune'], { exit: 0 })
})
plumbline(['check', '--policy-from', 'main'], { exit: 0 })
plumbline(['check'], { exit: 0, says: ['1 hidden by baseline'] })

console.log('\nevery pull request was answered as it should be')
