/** The builders in the status of the queue: when each was seen, what it builds, and what is wrong with it. */
import type { operations } from '../../data/api.js'
import { Go } from '../../data/go.js'
import { commonWords } from '../../data/words.js'
import { Badge, type Tone, When } from '../../ui/basics.js'
import { Empty } from '../../ui/states.js'
import { DataTable } from '../../ui/table.js'
import { useLabel, useWords } from '../../ui/words.js'
import { builderWords, words } from './words.js'

type Status = operations['plugin.queue.get-status']['responses']['200']['content']['application/json']['data']
type Builder = Status['builders'][number]

const TONES: Readonly<Record<Builder['state'], Tone>> = { working: 'pass', faulty: 'error', gone: 'plain' }

export function Builders({ of }: { of: readonly Builder[] }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(builderWords)
  return (
    <section className="stack-small">
      <h2>{t('builders')}</h2>
      <DataTable
        rows={of.map((each, index) => ({ ...each, key: each.name ?? String(index) }))}
        caption={t('builders')}
        rowKey={({ key }) => key}
        empty={<Empty title={t('noBuilder')} />}
        columns={[
          { id: 'name', head: c('name'), primary: true, cell: ({ name }) => name ?? t('aBuilder') },
          { id: 'state', head: c('state'), cell: ({ state }) => <Badge tone={TONES[state]}>{label(state)}</Badge> },
          { id: 'seen', head: t('lastSeen'), cell: ({ lastSeenAt }) => <When at={lastSeenAt} relative /> },
          { id: 'builds', head: t('builderBuilds'), cell: ({ building }) => <Held builds={building ?? []} /> },
          { id: 'can', head: t('capabilities'), cell: ({ capabilities }) => capabilities?.join(', ') ?? '–' },
          { id: 'fault', head: t('fault'), cell: ({ fault }) => <Fault of={fault} /> },
        ]}
      />
    </section>
  )
}

function Held({ builds }: { builds: NonNullable<Builder['building']> }) {
  if (builds.length === 0) return '–'
  return (
    <span className="row">
      {builds.map(({ jobId, pluginName, version }) => (
        <Go key={jobId} to={`builds/${jobId}`}>{`${pluginName} ${version}`}</Go>
      ))}
    </span>
  )
}

function Fault({ of }: { of: Builder['fault'] }) {
  const label = useLabel(builderWords)
  if (of === null) return '–'
  return (
    <span className="stack-small">
      <span>
        {label(of.reason)} <When at={of.at} relative />
      </span>
      {of.message !== null && <span className="clip">{of.message}</span>}
    </span>
  )
}
