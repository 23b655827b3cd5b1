/** What the routes that manage service principals share. */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ServicePrincipalRecord } from './record.js'

export const ACROSS = 'the principals of the system belong to no organization'

export const onOrganization = Type.Object({ id: Type.String() })

export const onPrincipal = Type.Object({ id: Type.String(), pid: Type.String() })

export const WithSecret = strictObject({
  servicePrincipal: ServicePrincipalRecord,
  clientSecret: Type.String({ description: 'Shown once' }),
})

export const nameTaken = (cause?: unknown): Refusal =>
  new Refusal('DUPLICATE_ENTRY', 'there is a service principal of this name', { details: { field: 'name' }, cause })
