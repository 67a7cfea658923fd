// The list of completed streams.

import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPart } from '../../../test/render.tsx'
import { CompletedWatches } from './stream-card.tsx'
import { sampleCompletion } from './watch-samples.fixture.ts'

it('has the focus once all of it is shown: the button for that is gone', async () => {
  const completions = Array.from({ length: 6 }, (_, id) => sampleCompletion({ id }))
  const { user } = await renderPart(<CompletedWatches completions={completions} />)
  await user.click(screen.getByRole('button', { name: 'Show all 6' }))
  expect(screen.queryByRole('button')).toBeNull()
  expect(document.activeElement?.querySelectorAll('h3')).toHaveLength(6)
  expect(document.activeElement).not.toBe(document.body)
})
