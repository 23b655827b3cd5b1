/** The formats of deliveries and their readers. Pure. */
import type { SourceFormat } from '../formats.js'
import { adaptIncidents } from '../incident/adapters.js'
import { readCdevents } from './cdevents.js'
import { type Delivery, type Heard, heard, ignored } from './common-form.js'
import { readGithub } from './github.js'
import { readGitlab } from './gitlab.js'
import { readOtlp } from './otlp.js'

const monitor =
  (format: 'alertmanager' | 'pagerduty' | 'datadog' | 'opsgenie') =>
  ({ payload }: Delivery): Heard => {
    const { incidents, skipped } = adaptIncidents(format, payload, 'environment')
    return incidents.length === 0
      ? ignored('incidents', skipped[0]?.reason ?? 'brings no incident')
      : heard('incidents', { incidents: incidents.map(({ incident }) => incident) })
  }

export const READERS: Readonly<Record<SourceFormat, (delivery: Delivery) => Heard>> = {
  github: readGithub,
  gitlab: readGitlab,
  cdevents: readCdevents,
  otlp: readOtlp,
  alertmanager: monitor('alertmanager'),
  pagerduty: monitor('pagerduty'),
  datadog: monitor('datadog'),
  opsgenie: monitor('opsgenie'),
}
