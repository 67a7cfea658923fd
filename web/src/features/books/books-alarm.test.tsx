// The alarm of the books: silent while they are checked and agree, else in words with what to do.

import type { BooksSummary } from '@redpack/contract'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPart } from '../../../test/render.tsx'
import { BooksAlarm } from './overview-panel.tsx'

const well: BooksSummary = {
  drift: 0,
  checkedAt: '2026-11-21T09:00:00.000Z',
  runningSince: null,
  failingSince: null,
  isOverdue: false,
}

it('says nothing while the books were checked and agree, or before the first check', async () => {
  await renderPart(<BooksAlarm books={well} />)
  await renderPart(<BooksAlarm books={{ ...well, drift: null, checkedAt: null }} />)
  expect(screen.queryByRole('group')).toBeNull()
})

it.each([
  [{ drift: 2 }, '2 checks of the books failed. Run "node server/dist/cli.js verify-economy"'],
  [
    { failingSince: '2026-11-21T08:00:00.000Z' },
    'Part of the books has not been checked since Nov 21, 2026',
  ],
  [{ isOverdue: true }, 'The books were last checked on Nov 21, 2026'],
  [{ isOverdue: true, drift: null, checkedAt: null }, 'The books have never been fully checked'],
])('says what to do about %o', async (change, words) => {
  await renderPart(<BooksAlarm books={{ ...well, ...change }} />)
  expect(screen.getByRole('group').textContent).toContain(words)
})
