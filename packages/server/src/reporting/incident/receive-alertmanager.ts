/** `POST /reports/incidents/alertmanager` */
import { receiver } from './receive.js'

export const receiveAlertmanagerIncidents = receiver({
  name: 'reporting.incident.receive-alertmanager',
  format: 'alertmanager',
})
