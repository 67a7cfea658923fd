import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Figure } from '../layout/section.tsx'
import { NumberText } from './number-text.tsx'

it('the greatest balance can be broken between its groups, and reads as one number', () => {
  const { container } = render(<NumberText value={Number.MAX_SAFE_INTEGER} />)
  expect(screen.getByText('9,007,199,254,740,991')).toBeTruthy()
  expect(container.querySelectorAll('wbr')).toHaveLength(5)
})

it('a number in a figure can be broken nowhere else, whatever is said of it', () => {
  const { container } = render(<Figure term="Net">+{'1,987,654 RedCoin, 3.5 a day'}</Figure>)
  const parts = [...(container.querySelector('dd')?.childNodes ?? [])].map(
    (part) => part.textContent,
  )
  expect(parts).toEqual(['+', '1,', '', '987,', '', '654 RedCoin, 3.5 a day'])
})
