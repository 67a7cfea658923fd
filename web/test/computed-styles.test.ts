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
