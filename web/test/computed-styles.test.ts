// The remembered styles of the tests' own page are never those of an earlier one.

import { expect, it } from 'vitest'

const styleOf = (element: Element) => document.defaultView?.getComputedStyle(element)

it('are remembered while nothing changes, and worked out anew once anything has', () => {
  const sheet = document.head.appendChild(document.createElement('style'))
  const outer = document.body.appendChild(document.createElement('div'))
  const inner = outer.appendChild(document.createElement('p'))
  expect(styleOf(inner)).toBe(styleOf(inner))
  const seen = () => [styleOf(inner)?.visibility, styleOf(inner)?.display]
  expect(seen()).toEqual(['visible', 'block'])
  outer.style.visibility = 'hidden'
  expect(seen()).toEqual(['hidden', 'block'])
  outer.removeAttribute('style')
  sheet.textContent = '.gone { display: none }'
  inner.className = 'gone'
  expect(seen()).toEqual(['visible', 'none'])
  sheet.firstChild!.nodeValue = '.gone { display: inline }'
  expect(seen()).toEqual(['visible', 'inline'])
  sheet.remove()
  expect(seen()).toEqual(['visible', 'block'])
  outer.remove()
  outer.style.visibility = 'hidden'
  expect(styleOf(inner)).not.toBe(styleOf(inner))
})

it('are those of every element in the same place, and of no other', () => {
  const list = document.body.appendChild(document.createElement('ul'))
  /** An element of the list with attributes, and a text in it. */
  const add = (tag: string, attributes: Record<string, string> = {}) => {
    const element = list.appendChild(document.createElement(tag))
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    element.appendChild(document.createElement('b'))
    return element
  }
  const first = add('li', { class: 'one' })
  const second = add('li', { class: 'two', 'aria-label': 'B' })
  expect(styleOf(second)).toBe(styleOf(first))
  expect(styleOf(second.firstElementChild!)).toBe(styleOf(first.firstElementChild!))
  const unseen = [
    add('li', { hidden: '' }),
    add('li', { style: 'display: none' }),
    add('dialog'),
    add('input', { type: 'hidden' }),
  ]
  expect(unseen.map((element) => styleOf(element)?.display)).toEqual(Array(4).fill('none'))
  const inherited = add('li', { style: 'visibility: hidden; pointer-events: none' })
  expect(styleOf(inherited.firstElementChild!)?.visibility).toBe('hidden')
  expect(styleOf(inherited.firstElementChild!)?.pointerEvents).toBe('none')
  expect(styleOf(first.firstElementChild!)?.visibility).toBe('visible')
  first.setAttribute('hidden', '')
  expect([styleOf(first)?.display, styleOf(second)?.display]).toEqual(['none', 'list-item'])
  const sheet = document.head.appendChild(document.createElement('style'))
  sheet.textContent = '.two { display: none }'
  expect([styleOf(inherited)?.display, styleOf(second)?.display]).toEqual(['list-item', 'none'])
  sheet.remove()
  expect(styleOf(second)?.display).toBe('list-item')
  list.remove()
})
