/** `POST /reports/incidents/opsgenie` */
import { receiver } from './receive.js'

export const receiveOpsgenieIncidents = receiver({ name: 'reporting.incident.receive-opsgenie', format: 'opsgenie' })
