/** `⌘K`: finds sections and commands by name, and records by name or id. */
import { Combobox, ComboboxItem, ComboboxList, ComboboxProvider } from '@ariakit/react/combobox'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useOrganization, useRead } from '../data/api.js'
import { screenPath, useGo } from '../data/go.js'
import { changeLook } from '../data/look.js'
import { useSession } from '../data/session.js'
import { lookWords } from '../data/words-look.js'
import { Dialog } from '../ui/dialog.js'
import { say, useLanguage, useWords } from '../ui/words.js'
import { useOpenSections } from './sections.js'
import { useViews } from './views.js'
import { kindWords, words } from './words.js'

interface Command {
  readonly id: string
  readonly label: string
  /** The kind of a record, and a detail that distinguishes it from another one of the same name. */
  readonly kind?: string
  readonly run: () => void
}

export function Palette({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const commands = useCommands().filter(({ label }) => label.toLowerCase().includes(wanted))
  const { records, isSearching, isRefused } = useRecords(text.trim())
  const found = [...commands, ...records]
  const choose = ({ run }: Command) => {
    onClose()
    run()
  }
  return (
    <Dialog title={t('palette')} onClose={onClose}>
      <ComboboxProvider open setValue={setText} includesBaseElement={false}>
        <Combobox
          className="input"
          autoSelect="always"
          autoFocus
          placeholder={t('paletteHint')}
          aria-label={t('palette')}
        />
        <ComboboxList className="palette-list" alwaysVisible>
          {found.map((command) => (
            <ComboboxItem
              key={command.id}
              className="menu-item"
              value={command.id}
              setValueOnClick={false}
              hideOnClick={false}
              onClick={() => choose(command)}
            >
              <span className="grow anywhere">{command.label}</span>
              {command.kind !== undefined && <span className="small muted">{command.kind}</span>}
            </ComboboxItem>
          ))}
        </ComboboxList>
      </ComboboxProvider>
      <p className="small muted" aria-live="polite">
        {isSearching ? t('searching') : isRefused ? t('searchRefused') : t('results', { count: found.length })}
      </p>
    </Dialog>
  )
}

function useCommands(): readonly Command[] {
  const t = useWords(words)
  const l = useWords(lookWords)
  const to = useLanguage()
  const go = useGo()
  const sections = useOpenSections()
  const { permissions } = useSession()
  const views = useViews()
  const organization = useOrganization()
  const navigate = useNavigate()
  return useMemo<Command[]>(
    () => [
      ...sections.map((section) => ({
        id: section.id,
        label: say(section.name, to),
        run: () => go(Object.keys(section.routes)[0] ?? section.id),
      })),
      ...views.map(({ name, path }) => ({
        id: `view ${name}`,
        label: name,
        kind: t('views'),
        run: () => void navigate({ href: screenPath(organization, path) }),
      })),
      ...ACTIONS.filter(
        ({ section, permission }) => permissions.has(permission) && sections.some(({ id }) => id === section),
      ).map(({ name, to: path, search }) => ({ id: name, label: t(name), run: () => go(path, search) })),
      { id: 'light', label: `${l('theme')}: ${l('light')}`, run: () => changeLook({ theme: 'light' }) },
      { id: 'dark', label: `${l('theme')}: ${l('dark')}`, run: () => changeLook({ theme: 'dark' }) },
      { id: 'compact', label: `${l('density')}: ${l('compact')}`, run: () => changeLook({ density: 'compact' }) },
      { id: 'normal', label: `${l('density')}: ${l('normal')}`, run: () => changeLook({ density: 'normal' }) },
      { id: 'en', label: `${l('language')}: ${l('english')}`, run: () => changeLook({ language: 'en' }) },
      { id: 'de', label: `${l('language')}: ${l('german')}`, run: () => changeLook({ language: 'de' }) },
    ],
    [sections, permissions, views, organization, navigate, to, go, t, l],
  )
}

interface Action {
  readonly name: 'newRule' | 'waiting' | 'blocked' | 'newestFindings'
  readonly section: string
  readonly permission: string
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

/** The most frequent actions. */
const ACTIONS: readonly Action[] = [
  { name: 'newRule', section: 'rules', permission: 'compliance:write', to: 'rules/new' },
  {
    name: 'waiting',
    section: 'exemptions',
    permission: 'compliance:read',
    to: 'exemptions',
    search: { status: 'pending' },
  },
  { name: 'blocked', section: 'checks', permission: 'compliance:read', to: 'checks', search: { result: 'block' } },
  {
    name: 'newestFindings',
    section: 'findings',
    permission: 'compliance:read',
    to: 'findings',
    search: { sort: 'createdAt', order: 'desc' },
  },
]

/** Where a record of each kind is shown. */
const PLACES: Readonly<
  Record<
    'rule' | 'policy' | 'finding' | 'exemption' | 'pipeline' | 'plugin' | 'member',
    (record: { id: string; name: string }) => readonly [to: string, search?: Readonly<Record<string, string>>]
  >
> = {
  rule: ({ id }) => [`rules/${id}`],
  policy: ({ name }) => ['policies', { q: name }],
  finding: ({ id }) => ['findings', { entity: id, state: 'all' }],
  exemption: ({ id }) => ['exemptions', { sheet: id }],
  pipeline: ({ id }) => [`pipelines/${id}`],
  plugin: ({ id }) => [`plugins/${id}`],
  member: ({ name }) => ['people', { q: name }],
}
type Kind = keyof typeof PLACES
const KINDS = Object.keys(PLACES) as Kind[]

/** The lists that can be searched for the same text. */
const LISTS: Partial<Record<Kind, (q: string) => readonly [to: string, search: Readonly<Record<string, string>>]>> = {
  rule: (q) => ['rules', { q }],
  policy: (q) => ['policies', { q }],
  finding: (q) => ['findings', { q, state: 'all' }],
  pipeline: (q) => ['pipelines', { q }],
  plugin: (q) => ['plugins', { q }],
  member: (q) => ['people', { q }],
}

const SHOWN_OF_KIND = 5
const SEARCH_AFTER_MS = 150

/** Searches records on the server when typing pauses. Until then the results of the earlier text stay. */
function useRecords(typed: string) {
  const t = useWords(words)
  const to = useLanguage()
  const go = useGo()
  const [asked, ask] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => ask(typed.slice(0, 200)), SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [typed])
  // One more than is shown tells whether there are more.
  const query = { q: asked, kinds: KINDS, limit: SHOWN_OF_KIND + 1 }
  const found = useRead(['search', asked], (api, signal) => api.GET('/search', { params: { query }, signal }), {
    enabled: asked !== '',
    keep: true,
  })
  const results = typed === '' || asked === '' ? [] : (found.data?.results ?? [])
  // The kinds in the order of the answer.
  const kinds = [...new Set(results.map(({ kind }) => kind))].filter((kind): kind is Kind => kind in PLACES)
  const records = kinds.flatMap((kind): Command[] => {
    const what = say(kindWords[kind], to)
    const ofKind = results.filter((result) => result.kind === kind)
    const shown = ofKind.slice(0, SHOWN_OF_KIND).map(({ id, name, detail }) => ({
      id: `${kind} ${id}`,
      label: name,
      kind: detail === null ? what : `${what} · ${detail}`,
      run: () => go(...PLACES[kind]({ id, name })),
    }))
    const list = LISTS[kind]
    if (ofKind.length <= SHOWN_OF_KIND || list === undefined) return shown
    return [
      ...shown,
      { id: `all ${kind}`, label: t('allWith', { text: asked }), kind: what, run: () => go(...list(asked)) },
    ]
  })
  return {
    records,
    isSearching: typed !== '' && (asked !== typed.slice(0, 200) || found.isFetching),
    isRefused: found.error !== null,
  }
}

const ROWS = [
  { keys: ['j', 'k'], name: 'keyRows' },
  { keys: ['x', 'e'], name: 'keySelect' },
] as const

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const to = useLanguage()
  const sections = useOpenSections()
  return (
    <Dialog title={t('keys')} onClose={onClose}>
      <dl className="facts">
        <dt>
          <kbd>⌘K</kbd> <kbd>/</kbd>
        </dt>
        <dd>{t('keyFind')}</dd>
        {sections
          .filter(({ key }) => key !== undefined)
          .map(({ id, key, name }) => (
            <div key={id} className="keys-row">
              <dt>
                <kbd>g</kbd> <kbd>{key}</kbd>
              </dt>
              <dd>{t('keyGo', { name: say(name, to) })}</dd>
            </div>
          ))}
        {ROWS.map(({ keys, name }) => (
          <div key={name} className="keys-row">
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(name)}</dd>
          </div>
        ))}
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>{t('keyHelp')}</dd>
      </dl>
    </Dialog>
  )
}
