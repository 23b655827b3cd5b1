/** Which form of an answer a client gets. */
import { expect, it } from 'vitest'
import { chosenForm, inForm } from './forms.js'

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
