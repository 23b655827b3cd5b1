/** One pipeline: its state, its definition, its revisions, and the current verdict of the rules. */
import { useParams } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { useCatalogFacts } from '../../data/catalog.js'
import { CheckAgain } from '../../data/check-again.js'
import { ChecksOf } from '../../data/checks.js'
import { Deletion } from '../../data/deletion.js'
import { Go, useGo } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { Loaded, Page } from '../../data/page.js'
import { Entries, pageOf } from '../../data/rows.js'
import { useCan, useMayChange, useSession } from '../../data/session.js'
import { oneOf, pageNumber, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { checkWords } from '../../data/words-checks.js'
import { Badge, Button, Code, Facts, showValue, Tags, When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { Tabs } from '../../ui/menu.js'
import { Empty, Message } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { words } from './words.js'

type Pipeline = components['schemas']['Pipeline']
const STATE = { tab: oneOf(['props', 'checks', 'revisions'], 'checks'), page: pageNumber() }

export default function PipelinePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const t = useWords(words)
  const pipeline = useRead(['pipelines', 'one', id], (api) => api.GET('/pipelines/{id}', { params: { path: { id } } }))
  const current = pipeline.data?.pipeline
  return (
    <Page
      title={current?.pipelineName ?? t('facts')}
      question={current?.description}
      crumbs={<Go to="pipelines">{t('title')}</Go>}
      actions={current !== undefined && <Actions of={current} />}
    >
      <Loaded of={pipeline}>{({ pipeline: each }) => <View of={each} />}</Loaded>
    </Page>
  )
}

function View({ of }: { of: Pipeline }) {
  const t = useWords(words)
  const k = useWords(checkWords)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const [state, set] = useUrlState(STATE)
  const catalog = useCatalogFacts(of)
  return (
    <>
      <section className="card">
        <Facts
          of={[
            [
              t('compliance'),
              of.complianceStatus === null ? (
                <span key="n" className="muted">
                  {t('neverChecked')}
                </span>
              ) : (
                <span key="c" className="row">
                  <Mark value={of.complianceStatus.result} />
                  <When at={of.complianceStatus.checkedAt} relative />
                </span>
              ),
            ],
            [
              c('state'),
              <span key="s" className="row">
                <Badge tone={of.isActive ? 'pass' : 'plain'}>{t(of.isActive ? 'active' : 'inactive')}</Badge>
                <Mark value={of.lifecycle} />
              </span>,
            ],
            [t('project'), `${of.organization} / ${of.project}`],
            [t('access'), label(of.accessModifier)],
            [c('tags'), <Tags key="t" of={of.keywords} />],
            ...catalog,
            [t('deployed'), <When key="d" at={of.lastDeployedAt} />],
            [c('updated'), <When key="u" at={of.updatedAt} />],
          ]}
        />
      </section>
      <Tabs
        label={t('facts')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'props' })}
        tabs={[
          { id: 'checks', label: k('checks'), content: () => <ChecksOf entityId={of.id} /> },
          { id: 'props', label: t('props'), content: () => <Code value={of.props} /> },
          {
            id: 'revisions',
            label: t('revisions'),
            content: () => <Revisions id={of.id} page={state.page} onPage={(page) => set({ page })} />,
          },
        ]}
      />
    </>
  )
}

interface RevisionsProps {
  id: string
  page: number
  onPage: (page: number) => void
}

function Revisions({ id, page, onPage }: RevisionsProps) {
  const t = useWords(words)
  const [open, setOpen] = useState<number | null>(null)
  const query = { ...pageOf(page), sortOrder: 'desc' as const }
  const revisions = useRead(
    ['pipelines', 'revisions', id, page],
    (api, signal) => api.GET('/pipelines/{id}/revisions', { params: { path: { id }, query }, signal }),
    { keep: true },
  )
  return (
    <Entries
      of={revisions}
      rows={(data) => data.revisions}
      total={({ pagination }) => pagination.total}
      page={page}
      onPage={onPage}
      empty={<Empty title={t('revisions')} />}
    >
      {(rows) => (
        <>
          <ol className="timeline">
            {rows.map(({ revision, changedAt }) => (
              <li key={revision}>
                <div className="row">
                  <strong>{t('revision', { number: revision })}</strong>
                  <When at={changedAt} />
                  {revision > 1 && (
                    <Button kind="quiet" onClick={() => setOpen(revision)}>
                      {t('compare')}
                    </Button>
                  )}
                </div>
              </li>
            ))}
          </ol>
          {open !== null && <RevisionDiff id={id} revision={open} onClose={() => setOpen(null)} />}
        </>
      )}
    </Entries>
  )
}

function RevisionDiff({ id, revision, onClose }: { id: string; revision: number; onClose: () => void }) {
  const t = useWords(words)
  const query = { against: revision - 1 }
  const diff = useRead(['pipelines', 'diff', id, revision], (api) =>
    api.GET('/pipelines/{id}/revisions/{revision}/diff', { params: { path: { id, revision }, query } }),
  )
  return (
    <Dialog kind="wide" title={t('changes')} subtitle={t('revision', { number: revision })} onClose={onClose}>
      <Loaded of={diff}>
        {({ changes }) => (changes.length === 0 ? <Message>{t('noChange')}</Message> : <Changes of={changes} />)}
      </Loaded>
    </Dialog>
  )
}

function Changes({ of }: { of: readonly components['schemas']['RevisionChange'][] }) {
  const t = useWords(words)
  return (
    <table className="diff">
      <thead>
        <tr>
          <th scope="col">{t('path')}</th>
          <th scope="col">{t('before')}</th>
          <th scope="col">{t('after')}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ path, before, after }) => (
          <tr key={path}>
            <td>{path}</td>
            <td className="gone">{showValue(before)}</td>
            <td className="come">{showValue(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Actions({ of }: { of: Pipeline }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const go = useGo()
  const { organization } = useSession()
  const isOwn = of.orgId === organization.id
  const mayChange = useMayChange()
  const canWrite = useCan('pipelines:write') && mayChange(of)
  const [isRemoving, setRemoving] = useState(false)
  const remove = useWrite((api, _: null) => api.DELETE('/pipelines/{id}', { params: { path: { id: of.id } } }), {
    stale: ['pipelines'],
    done: t('removed'),
    onDone: () => go('pipelines'),
  })
  if (!isOwn) return null
  return (
    <>
      {canWrite && (
        <Go className="button" to={`pipelines/${of.id}/edit`}>
          <Pencil size={16} aria-hidden />
          {c('edit')}
        </Go>
      )}
      {canWrite && (
        <Button kind="danger" icon={<Trash2 size={16} aria-hidden />} onClick={() => setRemoving(true)}>
          {t('remove')}
        </Button>
      )}
      <CheckAgain kind="main" entityType="pipeline" entityId={of.id} />
      {isRemoving && (
        <Deletion title={t('remove')} by={remove} input={null} onClose={() => setRemoving(false)}>
          {t('removeText')}
        </Deletion>
      )}
    </>
  )
}
