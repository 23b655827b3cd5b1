/** Features that are switched on or off for one person, independent of the plan of an organization. */
import { useState } from 'react'
import { type components, useWrite } from '../../data/api.js'
import { Refused } from '../../data/refused.js'
import { commonWords } from '../../data/words.js'
import { FormDialog } from '../../ui/dialog.js'
import { SelectField } from '../../ui/field.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

type Body = components['schemas']['UserSetFeaturesBody']
type Feature = keyof Body

/** An object, so that the compiler reports a feature of the API that is missing here. */
const FEATURES = Object.keys({
  priority_support: true,
  ai_generation: true,
  bulk_operations: true,
  custom_integrations: true,
  audit_log: true,
  sso: true,
  advanced_reporting: true,
  team_usage_analytics: true,
  compliance_standard: true,
  compliance_advanced: true,
} satisfies Record<Feature, true>) as Feature[]

interface FeaturesProps {
  of: components['schemas']['User']
  onClose: () => void
}

export function Features({ of, onClose }: FeaturesProps) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const before = of.features as Partial<Record<string, boolean>>
  const [wanted, setWanted] = useState<Body>({})
  const path = { id: of.id }
  const save = useWrite((api, body: Body) => api.PUT('/admin/users/{id}/features', { params: { path }, body }), {
    stale: ['system'],
    done: t('changed'),
    onDone: onClose,
  })
  const stateOf = (name: Feature) => {
    const state = name in wanted ? wanted[name] : before[name]
    return state === undefined || state === null ? '' : state ? 'on' : 'off'
  }
  return (
    <FormDialog
      title={t('features')}
      subtitle={of.username}
      submit={c('save')}
      busy={save.isPending}
      disabled={Object.keys(wanted).length === 0}
      problem={<Refused error={save.error} />}
      onSubmit={() => save.mutate(wanted)}
      onClose={onClose}
    >
      <p>{t('featuresNote')}</p>
      {FEATURES.map((name) => (
        <SelectField
          key={name}
          label={name}
          value={stateOf(name)}
          options={[
            ['', t('byPlan')],
            ['on', t('alwaysOn')],
            ['off', t('alwaysOff')],
          ]}
          onChange={(state) => setWanted({ ...wanted, [name]: state === '' ? null : state === 'on' })}
        />
      ))}
    </FormDialog>
  )
}
