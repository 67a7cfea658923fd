// The quick labels of the tests' own page are those that a browser finds.

import { expect, it, onTestFinished } from 'vitest'

function make(name: string, attributes: Record<string, string>, ...inner: (Element | string)[]) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...inner)
  return element
}

it('finds labels of fields, and fields of labels', () => {
  const [hidden, name, second, select, button] = [
    make('input', { type: 'hidden' }),
    make('input', { id: 'name' }),
    make('input', {}),
    make('select', {}),
    make('button', {}, 'Alone'),
  ] as [HTMLInputElement, HTMLInputElement, HTMLInputElement, HTMLSelectElement, HTMLButtonElement]
  const labels = [
    make('label', { for: 'name' }, 'Name'),
    make('label', {}, 'Around', hidden, name, second),
    make('label', { for: 'none' }, 'None'),
    make('label', { for: 'text' }, 'Text'),
    make('label', { for: '' }, 'Empty', select),
  ] as HTMLLabelElement[]
  onTestFinished(() => document.body.replaceChildren())
  document.body.append(...labels, make('p', { id: 'text' }), button)
  expect(labels.map(({ control }) => control)).toEqual([name, name, null, null, null])
  expect(hidden.labels).toBeNull()
  expect([...(name.labels ?? [])]).toEqual(labels.slice(0, 2))
  for (const field of [second, select, button]) expect([...(field.labels ?? [])]).toEqual([])
})
