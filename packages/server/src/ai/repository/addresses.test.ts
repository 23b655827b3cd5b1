/** Addresses of repositories: the three forms that people paste, and refusals of everything else. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import { Refusal } from '../../runtime/errors.js'
import { addressText, readAddress } from './address.js'
import { hostsOf } from './hosts.js'

const HOSTS = hostsOf(testSettings({ GIT_HOSTS: 'gitlab:git.acme.test' }))
const read = (text: string) => addressText(readAddress(text, HOSTS, '/body/gitUrl'))
const refused = (text: string): string => {
  try {
    read(text)
  } catch (error) {
    const { code, details } = error as Refusal
    const [issue] = (details as { issues: { path: string; code: string; message: string }[] }).issues
    expect([code, issue?.path]).toEqual(['VALIDATION_ERROR', '/body/gitUrl'])
    expect(issue?.message).not.toBe('')
    return issue?.code ?? ''
  }
  return 'taken'
}

describe('the address of a repository', () => {
  it.each([
    ['https://github.com/acme/shop', 'https://github.com/acme/shop'],
    ['https://github.com/acme/shop.git', 'https://github.com/acme/shop'],
    ['https://GitHub.com/acme/shop/', 'https://github.com/acme/shop'],
    ['ssh://git@github.com/acme/shop.git', 'https://github.com/acme/shop'],
    ['git@github.com:acme/shop.git', 'https://github.com/acme/shop'],
    ['https://bitbucket.org/acme/shop', 'https://bitbucket.org/acme/shop'],
    ['https://gitlab.com/acme/platform/web/shop', 'https://gitlab.com/acme/platform/web/shop'],
    ['git@git.acme.test:a/b', 'https://git.acme.test/a/b'],
  ])('%s is read', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  it.each([
    ['', 'form'],
    ['shop', 'form'],
    ['http://github.com/acme/shop', 'form'],
    ['file:///etc/passwd', 'form'],
    ['git@github.com:/acme/shop', 'form'],
    [`https://github.com/acme/${'x'.repeat(500)}`, 'maxLength'],
    ['https://me@github.com/acme/shop', 'user'],
    ['https://me:secret@github.com/acme/shop', 'user'],
    ['https://@github.com/acme/shop', 'user'],
    ['https://github.com@evil.example/acme/shop', 'user'],
    ['ssh://root@github.com/acme/shop', 'user'],
    ['ssh://git:x@github.com/acme/shop', 'user'],
    ['root@github.com:acme/shop', 'user'],
    ['https://github.com:443/acme/shop', 'port'],
    ['https://github.com:8443/acme/shop', 'port'],
    ['https://github.com:/acme/shop', 'port'],
    ['https://127.0.0.1/acme/shop', 'address'],
    ['https://127.1/acme/shop', 'address'],
    ['https://2130706433/acme/shop', 'address'],
    ['https://0x7f000001/acme/shop', 'address'],
    ['https://0177.0.0.1/acme/shop', 'address'],
    ['https://0x7f.1:8080/acme/shop', 'address'],
    ['https://[::1]/acme/shop', 'address'],
    ['https://[::ffff:169.254.169.254]:80/acme/shop', 'address'],
    ['git@10.0.0.1:acme/shop', 'address'],
    ['https://xn--gthub-cta.com/acme/shop', 'look-alike'],
    ['https://gіthub.com/acme/shop', 'characters'],
    ['https://１２７.0.0.1/acme/shop', 'characters'],
    ['https://github。com/acme/shop', 'characters'],
    ['https://github.com/acme/shop\n', 'characters'],
    [' https://github.com/acme/shop', 'characters'],
    ['https://evil.example/acme/shop', 'host'],
    ['https://github.com./acme/shop', 'host'],
    ['https://github.com.evil.example/acme/shop', 'host'],
    ['https://localhost/acme/shop', 'host'],
    ['https:///acme/shop', 'host'],
    ['https://github.com/acme%2f..%2fother/shop', 'escape'],
    ['https://github.com/acme/shop?x=1', 'escape'],
    ['https://github.com/acme/shop#main', 'escape'],
    ['https://github.com\\@evil.example/acme/shop', 'escape'],
    ['https://github.com/acme', 'path'],
    ['https://github.com/acme/shop/tree/main', 'path'],
    ['https://github.com/../acme', 'path'],
    ['https://github.com/acme/..', 'path'],
    ['https://github.com//acme/shop', 'path'],
    ['https://gitlab.com/acme/./shop', 'path'],
    ['https://github.com/', 'path'],
  ])('%s is refused as %s', (text, code) => {
    expect(refused(text)).toBe(code)
  })

  it('names the nearest host, and who adds one', () => {
    const message = (() => {
      try {
        return read('https://gihub.com/acme/shop')
      } catch (error) {
        return (error as Refusal).message
      }
    })()
    expect(message).toContain('did you mean github.com?')
    expect(message).toContain('GIT_HOSTS')
  })

  it('that is taken means the same to the URL standard, and holds nothing but a listed host and plain names', () => {
    const piece = fc.constantFrom(
      ...['https://', 'ssh://', 'git@', 'github.com', 'gitlab.com', 'evil.example', '127.1', '[::1]', '@', ':', ':22'],
      ...['/', '//', 'acme', 'shop', '.git', '..', '.', '%2e', '\\', '?', '#', ' ', '\n', 'xn--a', 'É', '\u200b', 'me'],
    )
    const wild = fc.array(piece, { maxLength: 9 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(wild, fc.webUrl(), fc.string()), (text) => {
        let address: ReturnType<typeof readAddress>
        try {
          address = readAddress(text, HOSTS, '/body/gitUrl')
        } catch (error) {
          return error instanceof Refusal && error.code === 'VALIDATION_ERROR'
        }
        const { at, owner, repo } = address
        const isListed = HOSTS.get(at.host) === at
        const isPlain = `${owner}/${repo}`.split('/').every((name) => /^\w[\w.-]*$/.test(name))
        const url = text.includes('://') ? new URL(text.replace(/^ssh:/i, 'https:')) : null
        const isSame = url === null || (url.hostname === at.host && url.pathname.startsWith(`/${owner}/${repo}`))
        return isListed && isPlain && isSame
      }),
      { numRuns: 2000 },
    )
  })
})

describe('GIT_HOSTS', () => {
  it('adds hosts, whose API may be elsewhere where the operator says it', () => {
    const hosts = hostsOf(testSettings({ GIT_HOSTS: 'github:git.acme.test=https://10.0.0.5,gitlab:lab.acme.test' }))
    expect(hosts.get('git.acme.test')).toEqual({
      forge: 'github',
      host: 'git.acme.test',
      api: 'https://10.0.0.5/api/v3',
      isVouched: true,
    })
    expect(hosts.get('lab.acme.test')).toMatchObject({ api: 'https://lab.acme.test/api/v4', isVouched: false })
    expect([...hosts.keys()].slice(0, 3)).toEqual(['github.com', 'gitlab.com', 'bitbucket.org'])
  })

  it.each([
    'github:a.test=http://10.0.0.5',
    'github:a.test=https://x@b.test',
    'gitlab:a.test=http://127.0.0.1.evil.test',
  ])('refuses %s at the start', (GIT_HOSTS) => {
    expect(() => hostsOf(testSettings({ GIT_HOSTS }))).toThrow(/GIT_HOSTS/)
  })
})
