/** The schema of incidents in requests. */
import Type from 'typebox'
import { name } from '../../runtime/operation/name.js'
import { choice, Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'

const URL = Type.String({
  maxLength: 2048,
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]\\S*$',
  'x-says': 'must be an address that begins with http:// or https://',
  examples: ['https://status.example.com/1'],
})

export const IncidentBody = strictObject({
  incidentId: Type.String({ minLength: 1, maxLength: 255 }),
  environment: name(1, 255),
  openedAt: Instant,
  resolvedAt: Type.Optional(nullable(Instant)),
  severity: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  title: Type.Optional(name(1, 500)),
  url: Type.Optional(URL),
  pipelineId: Type.Optional(Uuid),
  commitSha: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Fa-f]{7,64}$',
      maxLength: 64,
      'x-says': 'must be 7 to 64 hexadecimal digits',
      examples: ['9fceb02d0ae598e95dc970b74767f19372d61af8'],
    }),
  ),
})

const Deployed = strictObject({
  pipelineId: Type.String(),
  executionId: Type.String(),
  environment: Type.String(),
  completedAt: Instant,
})
export const LinkField = strictObject({
  kind: nullable(choice(['auto', 'manual'], { description: 'Null: no deployment explains it' })),
  deployment: nullable(Deployed),
  candidates: Type.Array(Deployed),
})
export const WhyEnvironmentField = nullable(
  Type.String({ description: 'Why it is in this environment; null where its sender named it' }),
)
export const IncidentField = strictObject({
  incidentId: Type.String(),
  orgId: Type.String(),
  environment: Type.String(),
  whyEnvironment: WhyEnvironmentField,
  openedAt: Instant,
  resolvedAt: nullable(Instant),
  severity: Type.String(),
  title: nullable(Type.String()),
  url: nullable(Type.String()),
  link: LinkField,
})
