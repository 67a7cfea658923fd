import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { NumberText } from './number-text.tsx'

it('the greatest balance can be broken between its groups, and reads as one number', () => {
  const { container } = render(<NumberText value={Number.MAX_SAFE_INTEGER} />)
  expect(screen.getByText('9,007,199,254,740,991')).toBeTruthy()
  expect(container.querySelectorAll('wbr')).toHaveLength(5)
})
