/**
 * `node scripts/tour.mjs`: runs docs/guide/tour.md as a reader would, against `npm start` on an empty data directory: all `sh`
 * blocks in one shell, one after another. The line after a command says what comes of it: `# shows text`, or `# exit 1: text`
 * with the exit code; without one, success is expected.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startDemo, stopAll } from './demo-server.mjs'
import { buildIfStale, installIfNeeded, root } from './workspace.mjs'

installIfNeeded()
buildIfStale()
const CHECKING = String.raw`set -uo pipefail
failed() { printf '\n✘ %s\n  %s\n%s\n' "$1" "$2" "$3" >&2; exit 1; }
step() {
  printf '$ %s\n' "$1"
  local out code
  out="$(eval "$1" 2>&1)"; code=$?
  [ "$code" = "$2" ] || failed "$1" "exit $code instead of $2" "$out"
  case "$out" in *"$3"*) ;; *) failed "$1" "an answer without: $3" "$out" ;; esac
}`

const folder = mkdtempSync(join(tmpdir(), 'plumbline-tour-'))
try {
  const { lines, count } = script(readFileSync(join(root, 'docs', 'guide', 'tour.md'), 'utf8'))
  writeFileSync(join(folder, 'tour.sh'), lines)
  const port = await freePort()
  const hook = await freePort()
  const server = await startDemo({
    port,
    data: join(folder, 'data'),
    printed: /Demo-/,
    env: { COMPLIANCE_WEBHOOK_ALLOWED_ORIGINS: `http://127.0.0.1:${hook}` },
  })
  const [TOKEN = '', PASSWORD = ''] = [/plp_[\w-]+/, /Demo-[\w-]{20,}/].map((each) => each.exec(server.printed())?.[0])
  const code = await shell({
    ...process.env,
    URL: `http://127.0.0.1:${port}`,
    HOOK_PORT: String(hook),
    TOKEN,
    PASSWORD,
    CLONE: root,
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
    PLUMBLINE_CONFIG_DIR: join(folder, 'config'),
    NO_COLOR: '1',
  })
  assert.equal(code, 0, 'a step of the tour did not do what it says')
  await server.stop()
  console.log(`tour: ${count} commands did what the page says`)
} finally {
  stopAll()
  rmSync(folder, { recursive: true, force: true })
}

/** The blocks as one script in which each command is held against what the page says of it. */
function script(page) {
  let count = 0
  const out = [CHECKING]
  for (const [, body = ''] of page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)) {
    for (const command of commands(body)) {
      // What goes on in the background is looked at by the lines after it; a function and a variable are for them.
      if (command.text.endsWith(' &')) out.push(command.text)
      else if (/^(\w+\(\)|export |cd |\w+=(?:\$\(|"))/.test(command.text)) {
        out.push(`${command.text} || failed ${quoted(command.text)} "exit $?" ''`)
      } else {
        out.push(`step ${quoted(command.text)} ${quoted(command.code)} ${quoted(command.said)}`)
      }
      count += 1
    }
  }
  return { lines: `${out.join('\n')}\n`, count }
}

/** Commands go on over a backslash, a heredoc and an open brace; the comment after one is what it should answer. */
function* commands(body) {
  const lines = body.trimEnd().split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    let text = lines[at] ?? ''
    if (text.trim() === '' || text.startsWith('#')) continue
    const heredoc = /<<'(\w+)'/.exec(text)?.[1]
    while (at + 1 < lines.length && (text.endsWith('\\') || (heredoc !== undefined && lines[at] !== heredoc))) {
      at += 1
      text += `\n${lines[at]}`
    }
    const [, code = '0', said = ''] = /^# (?:exit (\d+): |shows )(.+)$/.exec(lines[at + 1] ?? '') ?? []
    yield { text, code, said }
  }
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function shell(env) {
  return new Promise((resolve) => {
    const child = spawn('bash', ['tour.sh'], { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('exit', (code, signal) => resolve(code ?? signal))
  })
}
