/** Which domain names can be proved: only names that one organization can own. */
import { parse } from 'tldts'
import { IsEmail } from 'typebox/format'
import { invalidField } from '../runtime/errors.js'

const LABELS = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Public e-mail services, whose addresses belong to unrelated people. */
const FREE_MAIL: ReadonlySet<string> = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com mac.com aol.com ' +
    'gmx.com gmx.net gmx.de web.de mail.com mail.ru yandex.com yandex.ru proton.me protonmail.com pm.me zoho.com fastmail.com ' +
    'hey.com tutanota.com tuta.io qq.com 163.com 126.com sina.com naver.com daum.net hanmail.net orange.fr wanadoo.fr free.fr ' +
    'laposte.net libero.it t-online.de freenet.de comcast.net verizon.net att.net hotmail.co.uk yahoo.co.uk yahoo.co.jp'
  ).split(' '),
)

/**
 * The domain in the form in which it is stored and compared. @throws Refusal 400 that says why the name cannot be
 * proved.
 */
export function checkedDomain(text: string): string {
  const name = text.toLowerCase()
  const labels = name.split('.')
  const { publicSuffix, isIp } = parse(name, { allowPrivateDomains: true })
  if (isIp === true || name.length > 253 || labels.length < 2 || !labels.every((label) => LABELS.test(label))) {
    throw invalidField('/body/domain', 'must be a domain in ASCII, such as `example.com`', 'invalid_domain')
  }
  // guard: nobody-proves-a-public-suffix
  if (publicSuffix === name) {
    throw invalidField(
      '/body/domain',
      'is a public suffix, below which many people register names: send the domain that is yours, such as `example.com`',
      'public_suffix',
    )
  }
  // guard: nobody-proves-a-domain-of-free-mailboxes
  if (FREE_MAIL.has(name)) {
    throw invalidField(
      '/body/domain',
      'is a domain of free mailboxes, which no organization owns: invite their people one by one',
      'free_mail',
    )
  }
  return name
}

/**
 * The domain of an e-mail address; null for a text that is not one address, by the same rule as in every request body.
 * A list such as `eve@evil.test,ann@acme.test` ends with a proven domain, and its mail would reach everybody in it.
 */
export function domainOf(email: string): string | null {
  // guard: an-address-is-one-address
  if (!IsEmail(email)) return null
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return domain.split('.').every((label) => LABELS.test(label)) ? domain : null
}
