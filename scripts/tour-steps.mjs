/**
 * Runs a page such as docs/guide/tour.md as a reader would: all `sh` blocks in one shell, one after another. The line
 * after a command gives the expected result: `# shows text`, or `# exit 1: text` with the exit code. Without such a
 * line, the command must succeed.
 */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './workspace.mjs'

const CHECKING = String.raw`set -uo pipefail
trap 'kill $(jobs -p) 2>/dev/null' EXIT
failed() { printf '\n✘ %s\n  %s\n%s\n' "$1" "$2" "$3" >&2; exit 1; }
step() {
  printf '$ %s\n' "$1"
  local out code
  out="$(eval "$1" 2>&1)"; code=$?
  [ "$code" = "$2" ] || failed "$1" "exit $code instead of $2" "$out"
  case "$out" in *"$3"*) ;; *) failed "$1" "an answer without: $3" "$out" ;; esac
}`

/**
 * @param {{ url: string, hookPort: number, token: string, password: string, folder: string }} options `folder` is an
 * empty working folder. The server may send webhooks to `http://127.0.0.1:<hookPort>`.
 * @returns {Promise<{ code: number | string | null, count: number, said: string }>} code 0 if every command did what
 * the page says.
 */
export function runTour({ url, hookPort, token, password, folder }) {
  return runPage('tour.md', {
    folder,
    env: { URL: url, HOOK_PORT: String(hookPort), TOKEN: token, PASSWORD: password },
  })
}

/**
 * Runs any guide whose blocks are written like those of the tour.
 *
 * @param {string | string[]} page its file in docs/guide; several pages share one shell
 * @param {{ folder: string, env: Record<string, string> }} options
 */
export async function runPage(page, { folder, env: given }) {
  const texts = [page].flat().map((each) => readFileSync(join(root, 'docs', 'guide', each), 'utf8'))
  const { lines, count } = script(texts.join('\n'))
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

/** The token and the password that the first start prints. */
export function shownSecrets(text) {
  const [token = '', password = ''] = [/plp_[\w-]+/, /Demo-[\w-]{20,}/].map((each) => each.exec(text)?.[0])
  return { token, password }
}

/** Turns the blocks into one script that compares the result of each command with the page. */
function script(page) {
  let count = 0
  const out = [CHECKING]
  for (const block of page.split(/^```/m).filter((each) => each.startsWith('sh\n'))) {
    for (const command of commands(block.slice('sh\n'.length))) {
      // Later lines check what runs in the background, and use functions and variables, so these lines are not checked.
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

/**
 * A command continues after a backslash, in a heredoc and in open braces. The comment after it is the expected result.
 */
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
