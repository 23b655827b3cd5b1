/**
 * The page for a buyer whom the marketplace sends here with a form: which plan it is, and how a person takes it over.
 * It has no scripts, and every text is escaped.
 */
import type { Envelope } from '../../runtime/operation/raw.js'
import { escaped } from '../html.js'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}code{overflow-wrap:anywhere;background:#f2f2f2;padding:.1rem .3rem}'

/** What the page needs of the answer. */
interface Resolved {
  readonly subscription: { readonly planId: string } | null
  readonly claim: { readonly token: string; readonly expiresAt: string } | null
}

export function purchasePage(envelope: Envelope): string {
  if (!envelope.success) {
    return page(
      'The purchase was not taken over',
      `<p>${escaped(envelope.message)}</p><p><code>${escaped(envelope.code)}</code></p>`,
    )
  }
  const { subscription, claim } = envelope.data as Resolved
  const plan = `<p>Plan: ${escaped(subscription?.planId ?? 'none')}</p>`
  if (claim === null) {
    return page(
      'The purchase has an owner already',
      `${plan}<p><a href="/console">Sign in</a> to see it under Billing.</p>`,
    )
  }
  return page(
    'One step is left',
    `${plan}
<p>The purchase has no owner yet. A person who holds this token takes it over, once, until ${escaped(claim.expiresAt)}:</p>
<p><code>${escaped(claim.token)}</code></p>
<ol><li><a href="/console">Sign in</a>, or register, and come back to this page.</li>
<li>Take the purchase over: <code>plumbline billing claim ${escaped(claim.token)}</code></li></ol>
<p>With <code>--into &lt;organization&gt;</code> it moves to an organization that you own and that has no live subscription. Open the product at the marketplace again for a new token.</p>`,
  )
}

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(title)}</h1>
${content}
</body></html>
`
