/** The page's document says what the API's says, in the older words. */
import { expect, it } from 'vitest'
import { forDocsPage } from './docs-document.js'

it('says values, absent values and examples in the words of OpenAPI 3.0', () => {
  const page = forDocsPage({
    openapi: '3.1.0',
    schema: {
      properties: {
        success: { const: true },
        endsAt: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }], description: 'when' },
        value: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
        either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        name: { type: 'string', examples: ['web', 'api'] },
      },
      example: { const: 'stays', anyOf: [{ type: 'null' }] },
    },
    response: { examples: { NOT_FOUND: { value: { code: 'NOT_FOUND' } } } },
  })
  expect(page).toEqual({
    openapi: '3.0.3',
    schema: {
      properties: {
        success: { enum: [true] },
        endsAt: { type: 'string', format: 'date-time', nullable: true, description: 'when' },
        value: { anyOf: [{ type: 'string' }, { type: 'integer' }], nullable: true },
        either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        name: { type: 'string', example: 'web' },
      },
      example: { const: 'stays', anyOf: [{ type: 'null' }] },
    },
    response: { examples: { NOT_FOUND: { value: { code: 'NOT_FOUND' } } } },
  })
})
