/** An invoice as a page without scripts. Every text is escaped, because a name may contain any characters. */
import { escaped } from '../html.js'
import { type InvoiceDocument, textOf } from './document.js'

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}
table{border-collapse:collapse;width:100%;margin:1.5rem 0}th,td{text-align:left;padding:.35rem .5rem;vertical-align:top}
tbody tr{border-top:1px solid #ddd}.n{text-align:right;white-space:nowrap}.r{color:#555;font-size:13px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}dt{color:#555}dd{margin:0}`

export function invoicePage(document: InvoiceDocument): string {
  const { title, issuer, facts, lines, sums } = textOf(document)
  const rows = lines.map(
    ({ label, reason, amount }) =>
      `<tr><td>${escaped(label)}<div class="r">${escaped(reason)}</div></td><td class="n">${escaped(amount)}</td></tr>`,
  )
  const totals = sums.map(
    ([name, amount]) => `<tr><th scope="row">${escaped(name)}</th><td class="n">${escaped(amount)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)} ${escaped(document.invoice.id)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(title)}</h1>
<p>${issuer.map(escaped).join('<br>')}</p>
<dl>${facts.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
<table><thead><tr><th scope="col">What</th><th scope="col" class="n">Amount</th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
<tfoot>${totals.join('\n')}</tfoot></table>
</body></html>
`
}
