/** Saved views of a person: a screen with its filters, under a name. The server stores them per organization. */
import { type PlumblineClient, unwrap } from '@plumbline/client'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { Bookmark, BookmarkPlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type components, useOrganization, useRead, useWrite } from '../data/api.js'
import { screenPath } from '../data/go.js'
import { Refused } from '../data/refused.js'
import { Button } from '../ui/basics.js'
import { Dialog, FormDialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { ActionMenu } from '../ui/menu.js'
import { useWords } from '../ui/words.js'
import { words } from './words.js'

type Kept = components['schemas']['MeSetPreferencesBody']
type View = NonNullable<Kept['views']>[number]

export function useViews(): readonly View[] {
  const kept = useRead(['preferences', 'own'], (api) => api.GET('/auth/me/preferences'))
  return kept.data?.views ?? []
}

/** The path below the organization, as a view stores it. */
function useHere(): string {
  const { pathname, searchStr } = useLocation()
  return `${pathname.slice(screenPath(useOrganization(), '').length)}${searchStr}`
}

export function ViewsMenu() {
  const t = useWords(words)
  const organization = useOrganization()
  const navigate = useNavigate()
  const views = useViews()
  const [dialog, setDialog] = useState<'save' | 'remove' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <ActionMenu
        label={t('views')}
        face={<Bookmark size={18} aria-hidden />}
        choices={[
          ...views.map(({ name, path }) => ({
            id: `view ${name}`,
            label: name,
            icon: <Bookmark size={16} aria-hidden />,
            onChoose: () => void navigate({ href: screenPath(organization, path) }),
          })),
          ...(views.length === 0 ? [] : [null]),
          {
            id: 'save',
            label: t('saveView'),
            icon: <BookmarkPlus size={16} aria-hidden />,
            onChoose: () => setDialog('save'),
          },
          ...(views.length === 0
            ? []
            : [
                {
                  id: 'remove',
                  label: t('manageViews'),
                  icon: <Trash2 size={16} aria-hidden />,
                  onChoose: () => setDialog('remove'),
                },
              ]),
        ]}
      >
        <div className="menu-label">{t(views.length === 0 ? 'noViews' : 'views')}</div>
      </ActionMenu>
      {dialog === 'save' && <SaveView onClose={close} />}
      {dialog === 'remove' && <RemoveViews views={views} onClose={close} />}
    </>
  )
}

/** A view to store, in place of one of the same name, or the name of one to remove. */
type Change = { readonly kept: View } | { readonly removed: string }

function withChange(views: readonly View[], change: Change): View[] {
  const changed = 'kept' in change ? change.kept.name : change.removed
  const others = views.filter(({ name }) => name !== changed)
  return 'kept' in change ? [...others, change.kept] : others
}

function useChange(done: string, onDone: () => void) {
  const change = async (api: PlumblineClient, of: Change) => {
    // All are stored together. This tab may not have those that another one has saved.
    const { favorites, recents, views } = await unwrap(api.GET('/auth/me/preferences'))
    return api.PUT('/auth/me/preferences', { body: { favorites, recents, views: withChange(views, of) } })
  }
  return useWrite(change, { stale: ['preferences'], done, onDone })
}

const NAME_MAX = 60

function SaveView({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const path = useHere()
  const [name, setName] = useState('')
  const save = useChange(t('viewSaved'), onClose)
  const wanted = name.trim()
  return (
    <FormDialog
      title={t('saveView')}
      subtitle={t('viewNote')}
      submit={t('saveView')}
      busy={save.isPending}
      disabled={wanted === ''}
      problem={<Refused error={save.error} />}
      onSubmit={() => save.mutate({ kept: { name: wanted, path } })}
      onClose={onClose}
    >
      <TextField
        label={t('viewName')}
        hint={<code className="anywhere">{path}</code>}
        autoFocus
        maxLength={NAME_MAX}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}

function RemoveViews({ views, onClose }: { views: readonly View[]; onClose: () => void }) {
  const t = useWords(words)
  const save = useChange(t('viewGone'), () => undefined)
  return (
    <Dialog title={t('manageViews')} onClose={onClose}>
      <Refused error={save.error} />
      <ul className="plain-list">
        {views.map(({ name, path }) => (
          <li key={name} className="row-between">
            <span className="anywhere">
              <strong>{name}</strong> <code>{path}</code>
            </span>
            <Button kind="danger" busy={save.isPending} onClick={() => save.mutate({ removed: name })}>
              {t('removeView', { name })}
            </Button>
          </li>
        ))}
        {views.length === 0 && <li className="muted">{t('noViews')}</li>}
      </ul>
    </Dialog>
  )
}
