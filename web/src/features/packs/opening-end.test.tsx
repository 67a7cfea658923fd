// What is left after an opening: the best five prizes, all of them, and one notice of the unseen.

import { fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { UnseenOffer } from '../../screens/inventory.tsx'
import type { OpeningRecord } from './opening-records.ts'
import { answerOf, losing, winning } from './opening-samples.fixture.ts'
import { OpeningSummary } from './opening-summary.tsx'

describe('the summary of an opening', () => {
  it('shows the best five prizes, and all others when asked', () => {
    const coins = Array.from({ length: 6 }, (_, index) =>
      winning({ name: `Coins ${index}`, redCoin: 10 + index, claimId: `C-${index}` }),
    )
    const results = [winning({ name: 'Hoodie' }), losing(), ...coins]
    render(<OpeningSummary title="Last opening" packName="Crown" results={results} seen={8} />)
    const best = within(screen.getByRole('list', { name: 'Best prizes' })).getAllByRole('listitem')
    expect(best.map((item) => item.firstElementChild?.textContent)).toEqual([
      'Hoodie',
      'Coins 5',
      'Coins 4',
      'Coins 3',
      'Coins 2',
    ])
    expect(screen.getByText('All 7 prizes').closest('details')?.textContent).toContain('Coins 0')
  })
})

describe('results nobody has seen', () => {
  it('come as one notice, however many openings they are from', () => {
    const record = (key: string, seen: number): OpeningRecord => ({
      key,
      userId: 1,
      order: { packTypeId: 1, quantity: 3 },
      sentAt: 0,
      answer: answerOf([losing(), losing(), losing()]),
      seen,
      isClosed: false,
    })
    const onResume = vi.fn()
    render(
      <UnseenOffer
        records={[record('a', 1), record('b', 0)]}
        packNames={['Crown', 'Starter']}
        onResume={onResume}
        onDismiss={() => undefined}
      />,
    )
    expect(screen.getByText('You have 5 results you have not seen yet')).toBeDefined()
    expect(screen.getByText('Crown, Starter')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Show results' }))
    expect(onResume).toHaveBeenCalledOnce()
  })
})
