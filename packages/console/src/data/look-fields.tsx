/** The settings of appearance as fields, for the dialog and for the account screen. */
import { CheckField, Segments } from '../ui/field.js'
import { useWords } from '../ui/words.js'
import { changeLook, type Density, type Look, type Theme, useLook } from './look.js'
import { lookWords } from './words-look.js'

export function LookFields() {
  const t = useWords(lookWords)
  const { theme, density, language, shortcuts } = useLook()
  return (
    <>
      <div className="field">
        <span className="field-label">{t('theme')}</span>
        <Segments
          label={t('theme')}
          value={theme}
          options={[
            ['auto', t('auto')],
            ['light', t('light')],
            ['dark', t('dark')],
          ]}
          onChange={(value) => changeLook({ theme: value as Theme })}
        />
      </div>
      <div className="field">
        <span className="field-label">{t('density')}</span>
        <Segments
          label={t('density')}
          value={density}
          options={[
            ['normal', t('normal')],
            ['compact', t('compact')],
          ]}
          onChange={(value) => changeLook({ density: value as Density })}
        />
      </div>
      <div className="field">
        <span className="field-label">{t('language')}</span>
        <Segments
          label={t('language')}
          value={language}
          options={[
            ['auto', t('auto')],
            ['en', t('english')],
            ['de', t('german')],
          ]}
          onChange={(value) => changeLook({ language: value as Look['language'] })}
        />
      </div>
      <CheckField label={t('shortcutsOn')} checked={shortcuts} onChange={(value) => changeLook({ shortcuts: value })} />
    </>
  )
}
