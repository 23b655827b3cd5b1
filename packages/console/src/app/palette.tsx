/** `⌘K`: sections and commands by name. */
import { Combobox, ComboboxItem, ComboboxList, ComboboxProvider } from '@ariakit/react/combobox'
import { useMemo, useState } from 'react'
import { useGo } from '../data/go.js'
import { changeLook } from '../data/look.js'
import { Dialog } from '../ui/dialog.js'
import { say, useLanguage, useWords } from '../ui/words.js'
import { useOpenSections } from './sections.js'
import { words } from './words.js'

interface Command {
  id: string
  label: string
  run: () => void
}

export function Palette({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const to = useLanguage()
  const go = useGo()
  const sections = useOpenSections()
  const [text, setText] = useState('')
  const commands = useMemo<Command[]>(
    () => [
      ...sections.map((section) => ({
        id: section.id,
        label: say(section.name, to),
        run: () => go(Object.keys(section.routes)[0] ?? section.id),
      })),
      { id: 'light', label: `${t('theme')}: ${t('light')}`, run: () => changeLook({ theme: 'light' }) },
      { id: 'dark', label: `${t('theme')}: ${t('dark')}`, run: () => changeLook({ theme: 'dark' }) },
      { id: 'en', label: `${t('language')}: ${t('english')}`, run: () => changeLook({ language: 'en' }) },
      { id: 'de', label: `${t('language')}: ${t('german')}`, run: () => changeLook({ language: 'de' }) },
    ],
    [sections, to, go, t],
  )
  const found = commands.filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()))
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
              {command.label}
            </ComboboxItem>
          ))}
        </ComboboxList>
      </ComboboxProvider>
      <p className="small muted" aria-live="polite">
        {t('results', { count: found.length })}
      </p>
    </Dialog>
  )
}

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
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>{t('keyHelp')}</dd>
      </dl>
    </Dialog>
  )
}
