/** `POST /reports/incidents/pagerduty` */
import { receiver } from './receive.js'

export const receivePagerdutyIncidents = receiver({ name: 'reporting.incident.receive-pagerduty', format: 'pagerduty' })
