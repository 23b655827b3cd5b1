import { type components, useOrganization, useRead, useWrite } from '../../data/api.js'
import { fileAddress } from '../../data/client.js'
import { DeletionCard } from '../../data/deletion.js'
import { useEdits } from '../../data/edits.js'
import { Loaded, Page } from '../../data/page.js'
import { issueOf, Refused } from '../../data/refused.js'
import { useCan, useSession } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords } from '../../data/words.js'
import { Button, Facts, Tags } from '../../ui/basics.js'
import { AreaField, SelectField, TextField } from '../../ui/field.js'
import { Tabs } from '../../ui/menu.js'
import { useWords } from '../../ui/words.js'
import { Deliveries } from './deliveries.js'
import { Notifications } from './notifications.js'
import { words } from './words.js'

type Organization = components['schemas']['Organization']
const STATE = { tab: oneOf(['settings', 'notifications', 'deliveries'], 'settings'), page: pageNumber(), sheet: text() }

export default function OrganizationScreen() {
  const t = useWords(words)
  const canCompliance = useCan('compliance:read')
  const { server } = useSession()
  const [state, set] = useUrlState(STATE)
  return (
    <Page title={t('title')} question={t('question')}>
      <Tabs
        label={t('title')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'settings' })}
        tabs={[
          { id: 'settings', label: t('settings'), content: () => <Settings /> },
          ...(canCompliance && server.notifications
            ? [
                { id: 'notifications', label: t('notifications'), content: () => <Notifications /> },
                {
                  id: 'deliveries',
                  label: t('deliveries'),
                  content: () => (
                    <Deliveries
                      page={state.page}
                      onPage={(page) => set({ page })}
                      sheet={state.sheet}
                      onClose={() => set({ sheet: '' })}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
    </Page>
  )
}

function Settings() {
  const active = useRead(['organization'], (api) => api.GET('/organization'))
  return (
    <Loaded of={active}>
      {({ organization, membership }) => (
        <div className="grid-wide">
          <Identity key={organization.id} of={organization} />
          <div className="stack">
            <About of={organization} />
            {membership.role === 'owner' && <Remove of={organization} />}
          </div>
        </div>
      )}
    </Loaded>
  )
}

function Identity({ of }: { of: Organization }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const canChange = useCan('org:settings')
  const slug = useOrganization()
  const before = { name: of.name, displayName: of.displayName, slug: of.slug, description: of.description }
  const { form, changes, edit, settle } = useEdits(before)
  const path = { id: of.id }
  const rename = useWrite(
    (api, body: Partial<typeof before>) => api.PATCH('/organization/{id}/identity', { params: { path }, body }),
    {
      done: t('renamed'),
      onDone({ organization }) {
        if (organization.slug !== slug) location.assign(`/console/${organization.slug}/organization`)
      },
    },
  )
  const set = (name: keyof typeof form) => (event: { target: { value: string } }) =>
    edit({ [name]: event.target.value })
  const field = (name: 'name' | 'displayName' | 'slug') => ({
    value: form[name],
    disabled: !canChange,
    error: issueOf(rename.error, name),
    onChange: set(name),
  })
  return (
    <form
      className="card form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        rename.mutate(changes, { onSuccess: () => settle(changes) })
      }}
    >
      <h2>{t('settings')}</h2>
      <Refused error={rename.error} />
      <TextField label={t('name')} {...field('name')} />
      <TextField label={t('displayName')} {...field('displayName')} />
      <TextField label={t('slug')} hint={t('slugHint')} {...field('slug')} />
      <AreaField
        label={t('description')}
        value={form.description}
        disabled={!canChange}
        onChange={set('description')}
      />
      {canChange && (
        <div className="form-actions">
          <Button type="submit" kind="main" busy={rename.isPending} disabled={Object.keys(changes).length === 0}>
            {c('save')}
          </Button>
        </div>
      )}
      <WriteScope of={of} />
    </form>
  )
}

function WriteScope({ of }: { of: Organization }) {
  const t = useWords(words)
  const canChange = useCan('org:settings')
  const change = useWrite(
    (api, memberWriteScope: 'own' | 'org') =>
      api.PATCH('/organization/{id}/settings', { params: { path: { id: of.id } }, body: { memberWriteScope } }),
    { done: t('renamed') },
  )
  return (
    <>
      <Refused error={change.error} />
      <SelectField
        label={t('writeScope')}
        value={of.settings.memberWriteScope}
        disabled={!canChange}
        options={[
          ['own', t('own')],
          ['org', t('org')],
        ]}
        onChange={(value) => change.mutate(value as 'own')}
      />
    </>
  )
}

function About({ of }: { of: Organization }) {
  const t = useWords(words)
  const slug = useOrganization()
  const canChange = useCan('org:settings')
  return (
    <section className="card stack">
      <Facts
        of={[
          [t('tier'), of.tier],
          [t('members'), String(of.memberCount)],
          [t('features'), <Tags key="f" of={of.features} />],
        ]}
      />
      {canChange && (
        <div className="stack-small">
          <h3>{t('exportTitle')}</h3>
          <p className="muted">{t('exportText')}</p>
          <div className="row">
            {(['json', 'ndjson'] as const).map((format) => (
              <a
                key={format}
                className="button"
                href={fileAddress(slug, `/organization/${of.id}/export`, { format })}
                download
              >
                {t(format)}
              </a>
            ))}
          </div>
        </div>
      )}
    </section>
  )
}

function Remove({ of }: { of: Organization }) {
  const t = useWords(words)
  const { organization } = useSession()
  const remove = useWrite((api, _: null) => api.DELETE('/organization/{id}', { params: { path: { id: of.id } } }), {
    stale: [],
    done: t('deleted'),
    onDone: () => location.assign('/console'),
  })
  return (
    <DeletionCard title={t('danger')} typed={organization.slug} by={remove} input={null}>
      {t('dangerText')}
    </DeletionCard>
  )
}
