/**
 * The address of a repository as a person pastes it: `https://`, `ssh://` or `git@host:path`. It is parsed here and not
 * by a URL parser, which would tolerate what must be refused. The result has only a host of the list and plain names;
 * requests are built from these.
 */
import { nearestWord } from '@plumbline/engine/words'
import { type FieldIssue, invalid } from '../../runtime/errors.js'
import type { GitHost } from './hosts.js'

export const GIT_URL_MAX = 500

export interface RepositoryAddress {
  readonly at: GitHost
  /** On GitLab including its groups: `acme/platform`. */
  readonly owner: string
  readonly repo: string
}

const WEB = /^(https|ssh):\/\/([^/]*)\/(.*)$/i
const SCP = /^([^@/:]*)@([^/:]*):(?!\/)(.*)$/
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/
const HOST = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,10}$/

type Read = RepositoryAddress | Omit<FieldIssue, 'path'>

/** @throws Refusal 400 that says what is wrong with the address, and what to send instead. */
export function readAddress(text: string, hosts: ReadonlyMap<string, GitHost>, path: string): RepositoryAddress {
  const read = takeApart(text, hosts)
  if ('at' in read) return read
  throw invalid([{ path, ...read }])
}

const no = (code: string, message: string): Omit<FieldIssue, 'path'> => ({ code, message })
const SEND = 'send it as https://github.com/owner/repository'

function takeApart(text: string, hosts: ReadonlyMap<string, GitHost>): Read {
  if (text.length > GIT_URL_MAX) return no('maxLength', `has ${text.length} characters, at most ${GIT_URL_MAX}`)
  // guard: the-address-of-a-repository-is-plain-text
  if (/[^\x21-\x7e]/.test(text))
    return no('characters', `contains characters that are not plain ASCII: ${SEND}, typed by hand`)
  if (/[%\\?#]/.test(text))
    return no('escape', `contains an escape, a query or a fragment: ${SEND}; a branch goes in \`ref\``)
  const web = WEB.exec(text)
  const [, user = '', host = '', names = ''] = web === null ? (SCP.exec(text) ?? []) : authorityOf(web)
  if (host === '' && names === '') return no('form', `is not the address of a repository: ${SEND}`)
  const isSsh = web === null || web[1]?.toLowerCase() === 'ssh'
  // guard: no-user-in-the-address-of-a-repository
  if (user !== '' && !(isSsh && user === 'git')) {
    return no('user', 'contains a user name: leave it out, and send a token as `repoToken`')
  }
  const found = hostOf(host, hosts)
  return 'forge' in found ? namesIn(names, found) : found
}

/** Splits the SCP form into the whole, user, authority and path. */
function authorityOf([whole, , authority = '', names = '']: RegExpExecArray): string[] {
  const at = authority.lastIndexOf('@')
  // `https://@host` also names a user, an empty one.
  const user = at === -1 ? '' : authority.slice(0, at) || '@'
  return [whole, user, authority.slice(at + 1), names]
}

function hostOf(text: string, hosts: ReadonlyMap<string, GitHost>): GitHost | Omit<FieldIssue, 'path'> {
  const host = text.toLowerCase()
  const found = hosts.get(host)
  if (found !== undefined) return found
  if (isAddress(host)) return no('address', `contains an IP address in place of a host name: ${oneOf(hosts)}`)
  if (host.includes(':')) return no('port', 'contains a port: leave it out')
  if (host.split('.').some((label) => label.startsWith('xn--')))
    return no('look-alike', `has a host in punycode, which can look like another one: ${oneOf(hosts)}`)
  const near = HOST.test(host) ? nearestWord(host, [...hosts.keys()]) : null
  const hint = near === null ? oneOf(hosts) : `did you mean ${near}?`
  return no('host', `is on a host that this server does not support: ${hint} The operator adds hosts in GIT_HOSTS`)
}

const oneOf = (hosts: ReadonlyMap<string, GitHost>): string => `use one of ${[...hosts.keys()].join(', ')}.`

/**
 * Whether the host is an IP address in any notation. The URL parser accepts decimal, octal, hexadecimal and shortened
 * forms.
 */
function isAddress(host: string): boolean {
  if (host.startsWith('[')) return true
  const bare = host.replace(/:[0-9]{0,5}$/, '')
  return URL.canParse(`https://${bare}/`) && /^[0-9.]+$/.test(new URL(`https://${bare}/`).hostname)
}

function namesIn(text: string, at: GitHost): Read {
  const names = text
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
    .split('/')
  const isSound = names.every((name) => NAME.test(name))
  const most = at.forge === 'gitlab' ? 20 : 2
  const repo = names.pop() ?? ''
  if (!isSound || names.length === 0 || names.length >= most) {
    return no(
      'path',
      `must end with owner and name, such as https://${at.host}/owner/repository; a branch goes in \`ref\``,
    )
  }
  return { at, owner: names.join('/'), repo }
}

/** The address as it is stored and sent to the model. */
export const addressText = ({ at, owner, repo }: RepositoryAddress): string => `https://${at.host}/${owner}/${repo}`
