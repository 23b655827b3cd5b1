/** Which form of an answer a client gets. */
import { expect, it } from 'vitest'
import { chosenForm, inForm, requireForm } from './forms.js'

const forms = {
  csv: (data: { name: string }) => ({ columns: ['name'], rows: [[data.name]] }),
  svg: (data: { name: string }) => `<svg>${data.name.length}</svg>`,
}

it.each([
  [null, null],
  ['*/*', null],
  ['application/json', null],
  ['text/csv', 'csv'],
  ['image/svg+xml', 'svg'],
  ['image/*', null],
  ['text/html,image/svg+xml;q=0.9,*/*;q=0.8', 'svg'],
  ['text/csv;q=0.5, application/json', null],
  ['text/csv; q=0.9, application/json;q=0.2', 'csv'],
  ['TEXT/CSV', 'csv'],
  ['text/csv;q=0', null],
  ['text/csv;q=x', null],
  [`${'text/csv,'.repeat(200)}`, null],
])('answers Accept: %s in the form %s', (accept, form) => {
  expect(chosenForm(forms, accept)).toBe(form)
})

it.each([
  ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'html'],
  ['application/pdf', 'pdf'],
  ['application/pdf;q=0.5, text/html', 'html'],
])('answers Accept: %s of an invoice in the form %s', (accept, form) => {
  const ofInvoice = { html: () => '<p>', pdf: async () => new Uint8Array() }
  expect(chosenForm(ofInvoice, accept)).toBe(form)
})

it('sends no form that the operation does not have', () => {
  expect(chosenForm({ csv: forms.csv }, 'image/svg+xml')).toBeNull()
})

it('writes a table of which no cell begins a formula', () => {
  expect(inForm(forms, 'csv', { name: '=1+1' })).toBe('"name"\r\n"\'=1+1"\r\n')
})

it.each(['image/svg+xml', 'image/svg+xml;q=0.5, text/html', 'application/pdf', 'IMAGE/SVG+XML, application/json;q=0'])(
  'refuses Accept: %s, which names only forms that the answer does not have',
  (accept) => {
    expect(() => requireForm({ csv: forms.csv }, accept)).toThrow(
      expect.objectContaining({ code: 'NOT_ACCEPTABLE', details: { accepted: ['application/json', 'text/csv'] } }),
    )
  },
)

it.each([
  null,
  '',
  '*/*',
  'text/csv',
  'image/svg+xml, text/csv',
  'image/svg+xml, */*;q=0.1',
  'image/*',
  'text/plain',
  'text/csv;q=0',
])('does not refuse Accept: %s', (accept) => expect(() => requireForm({ csv: forms.csv }, accept)).not.toThrow())
