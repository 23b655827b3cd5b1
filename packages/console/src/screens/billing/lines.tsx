/** The lines of an invoice or of a preview, each with its reason. */
import { useFormat } from '../../ui/format.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

interface Line {
  readonly kind: string
  readonly id: string | null
  readonly label: string
  readonly quantity: number
  readonly cents: number
  readonly reason: string
}

interface Bill {
  readonly lines: readonly Line[]
  readonly subtotalCents: number
  readonly creditCents: number
  readonly carriedCents: number
  readonly totalCents: number
  readonly currency: string
  readonly taxCents?: number
  readonly takenBack?: readonly { readonly cents: number }[]
  readonly amountPaidCents?: number
}

export function Lines({ of, caption }: { of: Bill; caption: string }) {
  const t = useWords(words)
  const format = useFormat()
  const show = (cents: number) => format.money(cents, of.currency)
  const takenBack = (of.takenBack ?? []).reduce((sum, { cents }) => sum + cents, 0)
  const sums: readonly (readonly [string, number])[] = [
    ...(of.creditCents === 0 ? [] : [[t('creditUsed'), -of.creditCents] as const]),
    ...(of.carriedCents === 0 ? [] : [[t('carried'), of.carriedCents] as const]),
    ...(of.taxCents === undefined || of.taxCents === 0 ? [] : [[t('tax'), of.taxCents] as const]),
  ]
  return (
    <div className="table-box">
      <div className="table-scroll">
        <table className="table table-cards" role="table">
          <caption className="sr">{caption}</caption>
          <thead role="rowgroup">
            <tr role="row">
              <th scope="col" role="columnheader">
                {t('line')}
              </th>
              <th scope="col" role="columnheader" className="end">
                {t('quantity')}
              </th>
              <th scope="col" role="columnheader">
                {t('why')}
              </th>
              <th scope="col" role="columnheader" className="end">
                {t('amount')}
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {of.lines.map(({ kind, id, label, quantity, cents, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be alike, and their order stays
              <tr role="row" key={`${kind} ${id} ${index}`}>
                <td role="cell" data-primary>
                  {label}
                </td>
                <td role="cell" className="end num" data-label={t('quantity')}>
                  {format.number(quantity)}
                </td>
                <td role="cell" data-label={t('why')} className="small muted">
                  {reason}
                </td>
                <td role="cell" className="end num nowrap" data-label={t('amount')}>
                  {show(cents)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <dl className="bill-sums">
        {sums.map(([name, cents]) => (
          <div key={name}>
            <dt className="muted">{name}</dt>
            <dd className="num">{show(cents)}</dd>
          </div>
        ))}
        <div className="strong">
          <dt>{t('total')}</dt>
          <dd className="num">{show(of.totalCents)}</dd>
        </div>
        {of.amountPaidCents !== undefined && (
          <div>
            <dt className="muted">{t('paid')}</dt>
            <dd className="num">{show(of.amountPaidCents)}</dd>
          </div>
        )}
      </dl>
      {takenBack > 0 && <p className="small muted">{t('takenBack', { money: show(takenBack) })}</p>}
    </div>
  )
}
