/** The history of generated drafts, with the cost of each. */
import { useRead } from '../../data/api.js'
import { GoHere } from '../../data/go.js'
import { Loaded } from '../../data/page.js'
import { pageOf, Rows } from '../../data/rows.js'
import { commonWords } from '../../data/words.js'
import { Badge, Code, Facts, When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { useFormat } from '../../ui/format.js'
import { Empty } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { microUsd } from './money.js'
import { draftWords, words } from './words.js'

interface HistoryProps {
  page: number
  sheet: string
  onPage: (page: number) => void
  onClose: () => void
}

export function History({ page, sheet, onPage, onClose }: HistoryProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(draftWords)
  const kinds = useLabel(words)
  const format = useFormat()
  const query = { ...pageOf(page), sortBy: 'createdAt' as const, sortOrder: 'desc' as const }
  const list = useRead(['drafts', 'list', page], (api) => api.GET('/ai/generations', { params: { query } }), {
    keep: true,
  })
  return (
    <>
      <Rows
        of={list}
        rows={({ generations }) => generations}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={onPage}
        caption={t('history')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('none')}>{t('noneNext')}</Empty>}
        columns={[
          {
            id: 'kind',
            head: t('kind'),
            primary: true,
            cell: ({ id, kind, createdAt }) => (
              <GoHere patch={{ sheet: id }}>{`${kinds(kind)}, ${format.dateTime(createdAt)}`}</GoHere>
            ),
          },
          { id: 'state', head: c('state'), cell: ({ state }) => <Badge>{label(state)}</Badge> },
          { id: 'verdict', head: t('verdict'), cell: ({ verdict }) => kinds(verdict) },
          { id: 'model', head: t('model'), cell: ({ model }) => <span className="clip">{model}</span> },
          {
            id: 'tokens',
            head: t('tokens'),
            end: true,
            cell: ({ usage }) => format.number(usage.totalTokens),
          },
          { id: 'cost', head: t('price'), end: true, cell: ({ costMicroUsd }) => microUsd(costMicroUsd, format) },
        ]}
      />
      {sheet !== '' && <Sheet id={sheet} onClose={onClose} />}
    </>
  )
}

function Sheet({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(draftWords)
  const path = { id }
  const one = useRead(['drafts', 'one', id], (api) => api.GET('/ai/generations/{id}', { params: { path } }))
  return (
    <Dialog kind="sheet" title={t('draft')} onClose={onClose}>
      <Loaded of={one}>
        {({ generation: of }) => (
          <>
            <Facts
              of={[
                [c('state'), label(of.state)],
                [t('model'), `${of.provider}: ${of.model}`],
                [c('when'), <When key="w" at={of.createdAt} />],
                of.errorCode === null ? null : [c('reason'), <code key="e">{of.errorCode}</code>],
              ]}
            />
            {of.prompt === null && of.result === null && <p className="muted">{t('notKept')}</p>}
            {of.prompt !== null && <Code value={of.prompt} />}
            {of.result !== null && <Code value={of.result} />}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
