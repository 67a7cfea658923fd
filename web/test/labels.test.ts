import { expect, it } from 'vitest'
import { findLabelsById } from './labels.ts'

it('finds labels of fields, and fields of labels, as jsdom does', () => {
  document.body.innerHTML = `<label for="name">Name</label><label for="name">again</label>
    <label><input type="hidden" /><input id="name" /><input id="second" /></label>
    <label for="none">None</label><label for="text">Text</label><p id="text"></p>
    <label for="">Empty <select></select></label><button>Alone</button>`
  const seen = () => ({
    labels: [...document.querySelectorAll('input, select, button')].map((field) => {
      const { labels } = field as HTMLInputElement
      return labels === null ? null : [...labels].map((label) => label.textContent?.trim())
    }),
    controls: [...document.querySelectorAll('label')].map(({ control }) => control),
  })
  findLabelsById()
  const quick = seen()
  expect(quick.labels).toEqual([null, ['Name', 'again', ''], [], [], []])
  const [name, , , , text] = quick.controls
  expect([name?.id, text]).toEqual(['name', null])
  expect(quick.controls[2]).toBe(name)
})
