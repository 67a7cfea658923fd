// A question that is asked again starts with an empty field.

import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useFreshText } from './typed-confirm-dialog.tsx'

it('keeps what is typed while the question is open, and nothing of it for the next one', () => {
  const { result, rerender } = renderHook(({ isOpen }) => useFreshText(isOpen), {
    initialProps: { isOpen: true },
  })
  act(() => result.current[1]('delete all'))
  rerender({ isOpen: true })
  expect(result.current[0]).toBe('delete all')
  rerender({ isOpen: false })
  rerender({ isOpen: true })
  expect(result.current[0]).toBe('')
})
