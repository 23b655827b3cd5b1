/** What it would take to reach the next level, and the effect of a given change. Both are computed and not stored. */
import { useState } from 'react'
import { type components, useRead } from '../../data/api.js'
import { Loaded } from '../../data/page.js'
import { TextField } from '../../ui/field.js'
import { useNear } from '../../ui/near.js'
import { DataTable } from '../../ui/table.js'
import { useWords } from '../../ui/words.js'
import { Level, type MetricName, useFigure } from './data.js'
import { words } from './words.js'

const METRICS = ['deploymentFrequency', 'leadTime', 'changeFailureRate', 'meanTimeToRestore'] as const
type WhatIfMetric = components['schemas']['DoraWhatIfDeploymentFrequency']
type Row = WhatIfMetric & { readonly name: MetricName }

const wholeNumber = (text: string): number => (/^\d{1,4}$/.test(text) ? Number(text) : 0)

export function WhatIf({ query }: { query: Readonly<Record<string, string | undefined>> }) {
  const t = useWords(words)
  const [clean, setClean] = useState('')
  const [failed, setFailed] = useState('')
  const cleanDeployments = wholeNumber(clean)
  const failedDeployments = wholeNumber(failed)
  const change = {
    ...(cleanDeployments > 0 ? { cleanDeployments } : {}),
    ...(failedDeployments > 0 ? { failedDeployments } : {}),
  }
  const isAsked = Object.keys(change).length > 0
  const body = { ...query, ...(isAsked ? { change } : {}) }
  const [section, isNear] = useNear<HTMLElement>()
  const answer = useRead(['reports', 'what-if', body], (api) => api.POST('/reports/execution/dora/what-if', { body }), {
    keep: true,
    enabled: isNear,
  })
  return (
    <section ref={section} className="stack-small">
      <h2>{t('whatIf')}</h2>
      <p className="muted">{t('whatIfWhy')}</p>
      <div className="form-row narrow">
        <TextField label={t('clean')} type="number" min={0} value={clean} onChange={(e) => setClean(e.target.value)} />
        <TextField
          label={t('failed')}
          type="number"
          min={0}
          value={failed}
          onChange={(e) => setFailed(e.target.value)}
        />
      </div>
      <Loaded of={answer}>
        {({ whatIf }) => <Answer rows={METRICS.map((name) => ({ name, ...whatIf[name] }))} isAsked={isAsked} />}
      </Loaded>
    </section>
  )
}

function Answer({ rows, isAsked }: { rows: readonly Row[]; isAsked: boolean }) {
  const t = useWords(words)
  const figure = useFigure()
  const show = (name: MetricName, value: number | null, level: string | null) => (
    <span className="row">
      {value === null ? '–' : figure(name, value)} <Level of={level} />
    </span>
  )
  return (
    <DataTable
      rows={rows}
      caption={t('whatIf')}
      rowKey={({ name }) => name}
      empty={null}
      columns={[
        { id: 'name', head: t('dora'), primary: true, cell: ({ name }) => t(name) },
        { id: 'now', head: t('whatIfNow'), cell: ({ name, value, level }) => show(name, value, level) },
        ...(isAsked
          ? [
              {
                id: 'after',
                head: t('after'),
                cell: ({ name, after }: Row) => (after === undefined ? '–' : show(name, after.value, after.level)),
              },
            ]
          : []),
        {
          id: 'up',
          head: t('up'),
          cell: ({ up, level }) => up?.says ?? <span className="muted">{level === 'elite' ? t('atTop') : '–'}</span>,
        },
        { id: 'down', head: t('down'), cell: ({ down }) => down?.says ?? <span className="muted">–</span> },
      ]}
    />
  )
}
