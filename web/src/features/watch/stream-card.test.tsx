// The list of completed streams, and what a stream pays.

import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPart } from '../../../test/render.tsx'
import { CompletedWatches, RewardBadges, streamRewards } from './stream-card.tsx'
import { sampleCompletion, sampleStream } from './watch-samples.fixture.ts'

it('has the focus once all of it is shown: the button for that is gone', async () => {
  const completions = Array.from({ length: 6 }, (_, id) => sampleCompletion({ id }))
  const { user } = await renderPart(<CompletedWatches completions={completions} />)
  await user.click(screen.getByRole('button', { name: 'Show all 6' }))
  expect(screen.queryByRole('button')).toBeNull()
  expect(document.activeElement?.querySelectorAll('h3')).toHaveLength(6)
  expect(document.activeElement).not.toBe(document.body)
})

it('tells the RedCoin in one sum, and packs of one name in another', async () => {
  const [reward] = sampleStream().rewards
  const coins = { ...reward!, packTypeId: null, packType: null, redCoinAmount: 500 }
  const stream = sampleStream({ rewards: [reward!, { ...reward!, id: 6 }, { ...coins, id: 7 }] })
  await renderPart(<RewardBadges label="Rewards" rewards={streamRewards(stream)} />)
  const shown = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(shown).toEqual(['+750 RedCoin', '4 × Gold Pack'])
  expect(streamRewards(sampleStream({ rewardRedCoinAmount: 0, rewards: [] }))).toEqual([])
})
