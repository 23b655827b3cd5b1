/** One version of a plugin: how it is built, who uses it, and its checks. */
import { useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { useCatalogFacts } from '../../data/catalog.js'
import { CheckAgain } from '../../data/check-again.js'
import { ChecksOf } from '../../data/checks.js'
import { Deletion } from '../../data/deletion.js'
import { Go, useGo } from '../../data/go.js'
import { Mark } from '../../data/marks.js'
import { Loaded, Page } from '../../data/page.js'
import { pageOf, Rows } from '../../data/rows.js'
import { useCan, useMayChange, useSession } from '../../data/session.js'
import { oneOf, pageNumber, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { checkWords } from '../../data/words-checks.js'
import { Badge, Button, Code, Facts, Tags, When } from '../../ui/basics.js'
import { useFormat } from '../../ui/format.js'
import { Tabs } from '../../ui/menu.js'
import { Empty } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { Papers } from './papers.js'
import { words } from './words.js'

type Plugin = components['schemas']['Plugin']
const STATE = { tab: oneOf(['checks', 'versions', 'raw'], 'checks'), page: pageNumber() }

export default function PluginPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const t = useWords(words)
  const plugin = useRead(['plugins', 'one', id], (api) => api.GET('/plugins/{id}', { params: { path: { id } } }))
  const current = plugin.data?.plugin
  return (
    <Page
      title={current === undefined ? t('facts') : `${current.name} ${current.version}`}
      question={current?.description}
      crumbs={<Go to="plugins">{t('title')}</Go>}
      actions={current !== undefined && <Actions of={current} />}
    >
      <Loaded of={plugin}>{({ plugin: each }) => <View of={each} />}</Loaded>
    </Page>
  )
}

function View({ of }: { of: Plugin }) {
  const t = useWords(words)
  const k = useWords(checkWords)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const format = useFormat()
  const [state, set] = useUrlState(STATE)
  const catalog = useCatalogFacts(of)
  const usage = useRead(['plugins', 'usage'], (api) => api.GET('/plugins/plugin-usage'), { aside: true })
  const counts: Readonly<Record<string, number | undefined>> | undefined = usage.data?.counts
  return (
    <>
      <section className="card">
        <Facts
          of={[
            [t('lifecycle'), <Mark key="l" value={of.lifecycle} />],
            of.buildStatus === 'none' ? null : [t('build'), <Mark key="b" value={of.buildStatus} />],
            [t('category'), of.category],
            [t('kind'), `${of.pluginType} · ${of.computeType}`],
            [t('access'), label(of.accessModifier)],
            of.imageRef === null ? null : [t('image'), <code key="i">{of.imageRef}</code>],
            of.imageRef === null ? null : [t('papers'), <Papers key="p" of={of} />],
            of.commands.length === 0 ? null : [t('commands'), <Code key="c" value={of.commands.join('\n')} />],
            of.dockerfile === null ? null : [t('dockerfile'), <Code key="d" value={of.dockerfile} />],
            [t('secrets'), <Tags key="x" of={of.secrets.map(({ name }) => name)} />],
            [c('tags'), <Tags key="k" of={of.keywords} />],
            ...catalog,
            [t('archive'), format.bytes(of.archiveBytes)],
            [
              t('pipelines'),
              <Go key="p" to="pipelines" search={{ plugin: of.name }}>
                {counts === undefined ? '–' : format.number(counts[of.name] ?? 0)}
              </Go>,
            ],
            [c('updated'), <When key="u" at={of.updatedAt} />],
          ]}
        />
      </section>
      <Tabs
        label={t('facts')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'raw' })}
        tabs={[
          { id: 'checks', label: k('checks'), content: () => <ChecksOf entityId={of.id} /> },
          {
            id: 'versions',
            label: t('versions'),
            content: () => <Versions of={of} page={state.page} onPage={(page) => set({ page })} />,
          },
          { id: 'raw', label: t('raw'), content: () => <Code value={of} /> },
        ]}
      />
    </>
  )
}

interface VersionsProps {
  of: Plugin
  page: number
  onPage: (page: number) => void
}

/** Every version, the highest first. The one that the page shows is marked. */
function Versions({ of, page, onPage }: VersionsProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const query = {
    nameExact: of.name,
    isActive: 'all',
    sortBy: 'version',
    sortOrder: 'desc',
    ...pageOf(page),
  } as const
  const list = useRead(
    ['plugins', 'versions', query],
    (api, signal) => api.GET('/plugins', { params: { query }, signal }),
    { keep: true },
  )
  return (
    <Rows
      of={list}
      rows={({ plugins }) => plugins}
      total={({ pagination }) => pagination.total}
      page={page}
      onPage={onPage}
      caption={t('versions')}
      rowKey={({ id }) => id}
      empty={<Empty title={t('noVersions')} />}
      columns={[
        {
          id: 'version',
          head: c('version'),
          primary: true,
          cell: ({ id, version }) =>
            id === of.id ? (
              <span className="row">
                {version} <Badge tone="accent">{t('thisVersion')}</Badge>
              </span>
            ) : (
              <Go to={`plugins/${id}`}>{version}</Go>
            ),
        },
        { id: 'lifecycle', head: t('lifecycle'), cell: ({ lifecycle }) => <Mark value={lifecycle} /> },
        { id: 'build', head: t('build'), cell: ({ buildStatus }) => <Mark value={buildStatus} /> },
        { id: 'at', head: c('created'), cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
    />
  )
}

function Actions({ of }: { of: Plugin }) {
  const t = useWords(words)
  const go = useGo()
  const { organization } = useSession()
  const isOwn = of.orgId === organization.id
  const mayChange = useMayChange()
  const canWrite = useCan('plugins:write') && mayChange(of)
  const [isRemoving, setRemoving] = useState(false)
  const remove = useWrite((api, _: null) => api.DELETE('/plugins/{id}', { params: { path: { id: of.id } } }), {
    stale: ['plugins'],
    done: t('removed'),
    onDone: () => go('plugins'),
  })
  if (!isOwn) return null
  return (
    <>
      {canWrite && (
        <Button kind="danger" icon={<Trash2 size={16} aria-hidden />} onClick={() => setRemoving(true)}>
          {t('remove')}
        </Button>
      )}
      <CheckAgain kind="main" entityType="plugin" entityId={of.id} />
      {isRemoving && (
        <Deletion title={t('remove')} by={remove} input={null} onClose={() => setRemoving(false)}>
          {t('removeText')}
        </Deletion>
      )}
    </>
  )
}
