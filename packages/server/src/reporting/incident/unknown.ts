/** The answer about an incident that was never reported to the organization. */
import { notFound, type Refusal } from '../../runtime/errors.js'

export const unknownIncident = (): Refusal =>
  notFound(
    'Incident',
    'no incident of this id was reported to this organization; `plumbline reports incidents` lists those that were',
  )
