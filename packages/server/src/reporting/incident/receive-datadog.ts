/** `POST /reports/incidents/datadog` */
import { receiver } from './receive.js'

export const receiveDatadogIncidents = receiver({ name: 'reporting.incident.receive-datadog', format: 'datadog' })
