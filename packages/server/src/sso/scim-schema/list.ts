/** Lists the attributes of people and groups that the server stores (RFC 7643, 7). */
import { query } from '../../runtime/operation/operation.js'
import { BY_DIRECTORY } from '../scim/directory.js'
import { ListAnswer, listAnswer } from '../scim/list.js'
import { GROUP_SCHEMA, USER_SCHEMA } from '../scim/names.js'

interface Attribute {
  readonly name: string
  readonly type: string
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: string
  readonly returned: string
  readonly uniqueness: string
  readonly subAttributes?: readonly Attribute[]
}

const attribute = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

const schemaOf = (id: string, name: string, description: string, attributes: readonly Attribute[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  description,
  attributes,
  meta: { resourceType: 'Schema' },
})

const SCHEMAS = [
  schemaOf(USER_SCHEMA, 'User', 'A member of the organization', [
    attribute('userName', 'The name of the person in the directory', { required: true, uniqueness: 'server' }),
    attribute('name', 'Parts of the name', {
      type: 'complex',
      subAttributes: [
        attribute('formatted', 'The whole name'),
        attribute('givenName', 'Given name'),
        attribute('familyName', 'Family name'),
      ],
    }),
    attribute('displayName', 'The name to show'),
    attribute('title', 'Title'),
    attribute('emails', 'The address of the person, of a proven domain', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The address'),
        attribute('type', 'work'),
        attribute('primary', 'Whether it is the primary one', { type: 'boolean' }),
      ],
    }),
    attribute('active', 'Whether the membership is active', { type: 'boolean' }),
    attribute('groups', 'Groups of the directory that the person is in', {
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        attribute('value', 'The id of the group', { mutability: 'readOnly' }),
        attribute('display', 'Its name', { mutability: 'readOnly' }),
      ],
    }),
  ]),
  schemaOf(GROUP_SCHEMA, 'Group', 'A group, to which Roles may be mapped', [
    attribute('displayName', 'The name of the group', { required: true, caseExact: true, uniqueness: 'server' }),
    attribute('members', 'People of the directory', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The id of the person', { mutability: 'immutable' }),
        attribute('display', 'Their user name', { mutability: 'readOnly' }),
      ],
    }),
  ]),
]

export const listScimSchemas = query({
  name: 'sso.scim-schema.list',
  summary: 'List the supported attributes (SCIM)',
  http: { method: 'get', path: '/scim/v2/Schemas' },
  ...BY_DIRECTORY,
  input: {},
  output: ListAnswer,
  errors: [],
  run: async () => listAnswer(SCHEMAS, SCHEMAS.length, { offset: 0, limit: SCHEMAS.length }),
})
