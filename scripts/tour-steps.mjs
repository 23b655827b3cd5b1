/**
 * A page such as docs/guide/tour.md as a reader runs it: all `sh` blocks in one shell, one after another. The line after a command says what
 * comes of it: `# shows text`, or `# exit 1: text` with the exit code; without one, success is expected.
 */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './workspace.mjs'

const CHECKING = String.raw`set -uo pipefail
failed() { printf '\n✘ %s\n  %s\n%s\n' "$1" "$2" "$3" >&2; exit 1; }
step() {
  printf '$ %s\n' "$1"
  local out code
  out="$(eval "$1" 2>&1)"; code=$?
  [ "$code" = "$2" ] || failed "$1" "exit $code instead of $2" "$out"
  case "$out" in *"$3"*) ;; *) failed "$1" "an answer without: $3" "$out" ;; esac
}`

/**
 * @param {{ url: string, hookPort: number, token: string, password: string, folder: string }} options an empty folder to
 * work in; the server may send webhooks to `http://127.0.0.1:<hookPort>`.
 * @returns {Promise<{ code: number | string | null, count: number, said: string }>} 0 when every command did what the page says.
 */
export function runTour({ url, hookPort, token, password, folder }) {
  return runPage('tour.md', {
    folder,
    env: { URL: url, HOOK_PORT: String(hookPort), TOKEN: token, PASSWORD: password },
  })
}

/**
 * The same of any guide whose blocks are written like those of the tour.
 *
 * @param {string} page its file in docs/guide
 * @param {{ folder: string, env: Record<string, string> }} options
 */
export async function runPage(page, { folder, env: given }) {
  const { lines, count } = script(readFileSync(join(root, 'docs', 'guide', page), 'utf8'))
  writeFileSync(join(folder, 'page.sh'), lines)
  const env = {
    ...process.env,
    ...given,
    CLONE: root,
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
    PLUMBLINE_CREDENTIALS: join(folder, 'credentials.json'),
    NO_COLOR: '1',
  }
  const child = spawn('bash', ['page.sh'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk
    })
  }
  const code = await new Promise((resolve) => child.on('close', (status, signal) => resolve(status ?? signal)))
  return { code, count, said }
}

/** The token and the password that the first start shows. */
export function shownSecrets(text) {
  const [token = '', password = ''] = [/plp_[\w-]+/, /Demo-[\w-]{20,}/].map((each) => each.exec(text)?.[0])
  return { token, password }
}

/** The blocks as one script in which each command is held against what the page says of it. */
function script(page) {
  let count = 0
  const out = [CHECKING]
  for (const block of page.split(/^```/m).filter((each) => each.startsWith('sh\n'))) {
    for (const command of commands(block.slice('sh\n'.length))) {
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
