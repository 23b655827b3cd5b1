/**
 * The rule editor: one draft in three notations. The worker evaluates it while the author types, and the server counts
 * when typing pauses.
 */
import { ApiError } from '@plumbline/client'
import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type components, useOrganization, useRead, useWrite } from '../../data/api.js'
import { etagOf } from '../../data/client.js'
import { Go, useGo } from '../../data/go.js'
import { leavesEnforce, WhyLess } from '../../data/leaves-enforce.js'
import { Loaded, Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { useCan, useSession } from '../../data/session.js'
import { oneOf, useUrlState } from '../../data/url-state.js'
import { commonWords } from '../../data/words.js'
import { useJudge } from '../../judge/use-judge.js'
import { Button, Prose } from '../../ui/basics.js'
import { Confirm, FormDialog } from '../../ui/dialog.js'
import { Tabs } from '../../ui/menu.js'
import { Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { failingOf, type RuleCase, readCase, resultsOf } from './cases.js'
import { type Draft, draftOf, isGated, type Language, NEW_DRAFT, patchOf, rebase } from './draft.js'
import { draftStore, type Unread } from './draft-store.js'
import { RuleForm } from './form.js'
import { failuresOf, ImpactPanel, useServerImpact } from './impact.js'
import { useInventory } from './inventory.js'
import { SourceView, type Written } from './source-view.js'
import { TestsPanel } from './tests-panel.js'
import { words } from './words.js'
import { editorWords } from './words-editor.js'

type Rule = components['schemas']['Rule']

export default function RuleEditorPage() {
  const { id } = useParams({ strict: false }) as { id?: string }
  return id === undefined ? <Editor of={null} /> : <EditStored id={id} />
}

function EditStored({ id }: { id: string }) {
  const t = useWords(editorWords)
  const rule = useRead(['rules', 'one', id], (api) => api.GET('/compliance/rules/{id}', { params: { path: { id } } }))
  if (rule.data === undefined)
    return <Page title={t('editTitle', { name: '…' })}>{<Loaded of={rule}>{() => null}</Loaded>}</Page>
  return <Editor key={id} of={rule.data.rule} />
}

const STATE = { as: oneOf(['form', 'json', 'yaml'], 'form') }

function Editor({ of }: { of: Rule | null }) {
  const t = useWords(editorWords)
  const r = useWords(words)
  const c = useWords(commonWords)
  const organization = useOrganization()
  const session = useSession()
  const canWrite = useCan('compliance:write')
  const maySave = canWrite && (of === null || of.orgId === session.organization.id)
  const store = useMemo(() => draftStore(organization, of?.id ?? 'new'), [organization, of?.id])
  // The version that the editor opened with, and its ETag. A later version on the server needs a reload.
  const [base] = useState(() => (of === null ? NEW_DRAFT : draftOf(of)))
  const [etag] = useState(() => (of === null ? null : etagOf(`/compliance/rules/${of.id}`)))
  const [kept] = useState(() => {
    const found = store.read()
    return found === null ? null : { ...rebase(found.base, found.draft, base), unread: found.unread }
  })
  const [draft, setDraft] = useState<Draft>(kept?.draft ?? base)
  const [unread, setUnread] = useState<Unread | null>(kept?.unread ?? null)
  const [state, set] = useUrlState(STATE)
  const inventory = useInventory(draft.target === 'plugin' ? 'plugin' : 'pipeline')
  const [cases, setCases] = useState(() => store.readCases())
  const readable = useMemo(() => cases.flatMap((each) => readCase(each) ?? []), [cases])
  const verdict = useJudge({ draft, inventory, former: of === null ? null : base, cases: readable })
  const results = resultsOf(cases, verdict?.cases ?? [])
  // What cannot be read is not saved: the draft is older than the text.
  const isRight = unread === null && verdict !== null && verdict.issues.length === 0
  const impact = useServerImpact(draft, isRight, of?.id ?? null)
  // Comments are part of the text and not of the draft. The text stays as long as the draft is what it says.
  const written = useRef<Written | null>(null)
  const change = (next: Draft) => {
    setDraft(next)
    setUnread(null)
    store.write({ base, draft: next, unread: null })
  }
  const keep = (next: Unread) => {
    setUnread(next)
    store.write({ base, draft, unread: next })
  }
  const changeCases = (next: readonly RuleCase[]) => {
    setCases(next)
    store.writeCases(next)
  }
  const content = (as: 'form' | Language) =>
    unread !== null && unread.language !== as ? (
      <NotHere unread={unread} onBack={() => set({ as: unread.language })} onDrop={() => change(draft)} />
    ) : as === 'form' ? (
      <RuleForm draft={draft} onChange={change} />
    ) : (
      <SourceView
        key={as}
        language={as}
        draft={draft}
        text={
          unread?.text ??
          (written.current?.draft === draft && written.current.language === as ? written.current.text : null)
        }
        problem={unread?.problem ?? null}
        onChange={(next) => {
          written.current = next
          change(next.draft)
        }}
        onUnread={keep}
      />
    )
  return (
    <Page
      title={of === null ? t('newTitle') : t('editTitle', { name: of.name })}
      question={t('question')}
      crumbs={<Go to="rules">{r('title')}</Go>}
      actions={
        maySave && (
          <Save
            of={of}
            draft={draft}
            base={base}
            etag={etag}
            isRight={isRight}
            fails={failuresOf(verdict, impact)}
            failing={failingOf(cases, results)}
            onSaved={(id) => {
              store.clear()
              store.clearCases()
              draftStore(organization, id).writeCases(cases)
            }}
          />
        )
      }
    >
      {!maySave && <Message>{c('mayNot')}</Message>}
      {kept !== null && (
        <Message
          actions={
            <Button
              onClick={() => {
                store.clear()
                location.reload()
              }}
            >
              {t('discard')}
            </Button>
          }
        >
          {t('kept')}
        </Message>
      )}
      {kept !== null && kept.both.length > 0 && (
        <Message tone="warning">
          <Prose text={t('bothChanged', { fields: kept.both.map((name) => `\`${name}\``).join(', ') })} />
        </Message>
      )}
      <div className="editor-grid">
        <div className="stack">
          <Tabs
            label={t('way')}
            value={state.as}
            onChange={(as) => set({ as: as as 'form' })}
            tabs={[
              { id: 'form', label: t('form'), content: () => content('form') },
              { id: 'json', label: t('json'), content: () => content('json') },
              { id: 'yaml', label: t('yaml'), content: () => content('yaml') },
            ]}
          />
          <TestsPanel
            draft={draft}
            ruleId={of?.id ?? null}
            cases={cases}
            results={results}
            inventory={inventory}
            onChange={changeCases}
          />
        </div>
        <ImpactPanel verdict={verdict} server={impact} isGated={isGated(draft)} />
      </div>
    </Page>
  )
}

interface NotHereProps {
  unread: Unread
  onBack: () => void
  onDrop: () => void
}

/** Instead of another notation, while the text of one cannot be read. */
function NotHere({ unread: { language, problem }, onBack, onDrop }: NotHereProps) {
  const t = useWords(editorWords)
  const name = t(language)
  return (
    <Message
      tone="warning"
      title={t('notHere', { language: name })}
      actions={
        <>
          <Button onClick={onBack}>{t('backTo', { language: name })}</Button>
          <Button onClick={onDrop}>{t('dropText', { language: name })}</Button>
        </>
      }
    >
      {t('notText', { problem })}
    </Message>
  )
}

interface SaveProps {
  of: Rule | null
  draft: Draft
  base: Draft
  etag: string | null
  isRight: boolean
  fails: number | null
  /** How many tests of the rule do not come out as expected. */
  failing: number
  onSaved: (id: string) => void
}

function Save({ of, draft, base, etag, isRight, fails, failing, onSaved }: SaveProps) {
  const t = useWords(editorWords)
  const go = useGo()
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const save = useWrite(
    (api, body: Draft) =>
      of === null
        ? api.POST('/compliance/rules', { body: body as never })
        : (api.PUT('/compliance/rules/{id}', { params: { path: { id: of.id } }, body: body as never }) as never),
    {
      done: t('saved'),
      ifMatch: () => etag,
      onDone({ rule }) {
        onSaved(rule.id)
        go(`rules/${rule.id}`)
      },
    },
  )
  const isLess = of !== null && leavesEnforce(base.mode, draft.mode)
  const send = () => save.mutate(of === null ? draft : { ...patchOf(base, draft), ...(isLess ? { reason } : {}) })
  // Before a rule is enforced that would block something, or one of its tests fails, the author is asked once.
  const blocks = draft.mode === 'enforce' && fails !== null && fails > 0
  const isStale = save.error instanceof ApiError && save.error.status === 412
  useEffect(() => {
    if (save.error !== null) setAsking(false)
  }, [save.error])
  return (
    <>
      <Refused error={save.error} />
      {isStale && <Button onClick={() => location.reload()}>{t('reloadTheirs')}</Button>}
      <Button
        kind="main"
        busy={save.isPending}
        disabled={!isRight}
        onClick={() => (blocks || isLess || failing > 0 ? setAsking(true) : send())}
      >
        {t('save')}
      </Button>
      {isAsking && isLess && (
        <FormDialog
          title={t('less')}
          submit={t('save')}
          busy={save.isPending}
          disabled={reason.trim() === ''}
          onSubmit={send}
          onClose={() => setAsking(false)}
        >
          {failing > 0 && <p>{t('testsFail', { count: failing })}</p>}
          <WhyLess value={reason} error={save.error} onChange={setReason} />
        </FormDialog>
      )}
      {isAsking && !isLess && (
        <Confirm
          title={blocks ? t('sure', { count: fails }) : t('sureFailing')}
          submit={t('save')}
          busy={save.isPending}
          onConfirm={send}
          onClose={() => setAsking(false)}
        >
          {failing > 0 && <p>{t('testsFail', { count: failing })}</p>}
          {blocks && (
            <p>
              <Prose text={t('sureText')} />
            </p>
          )}
        </Confirm>
      )}
    </>
  )
}
