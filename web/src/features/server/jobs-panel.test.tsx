// The Jobs tab: what runs by the clock, told from the server's time.

import { adminJobsContract, type JobState } from '@redpack/contract'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answers, mockServer } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { agoText, jobText } from './job-words.ts'
import { JobsPanel } from './jobs-panel.tsx'

const server = mockServer()
const now = '2026-11-21T12:00:00.000Z'
const job = (change: Partial<JobState> = {}): JobState => ({
  name: 'discord-plan-posts',
  everySeconds: 20,
  isRunning: false,
  nextRunAt: '2026-11-21T12:00:10.000Z',
  lastStartedAt: '2026-11-21T11:59:50.000Z',
  lastFinishedAt: '2026-11-21T11:59:50.000Z',
  lastSucceededAt: '2026-11-21T11:59:50.000Z',
  lastDurationMillis: 42,
  lastFailure: null,
  failuresInRow: 0,
  ...change,
})

it('shows every job with its last run and its next', async () => {
  server.use(answers(adminJobsContract.list, { now, jobs: [job()] }))
  await renderPart(<JobsPanel />)
  expect(await screen.findByText('Plans posts to Discord')).toBeTruthy()
  for (const text of ['OK', '20 s', '10 seconds ago, took 42 ms', 'in 10 seconds']) {
    expect(screen.getByText(text)).toBeTruthy()
  }
  expect(screen.getByText(/All jobs are OK/)).toBeTruthy()
})

it('says which job fails and why', async () => {
  const failing = job({ failuresInRow: 3, lastFailure: 'Discord cannot be reached' })
  server.use(answers(adminJobsContract.list, { now, jobs: [failing] }))
  await renderPart(<JobsPanel />)
  expect(await screen.findByText('Failing')).toBeTruthy()
  expect(screen.getByText(/3 runs in a row: Discord cannot be reached/)).toBeTruthy()
  expect(screen.getByText(/1 job fails/)).toBeTruthy()
})

it('says of no jobs nothing good', async () => {
  server.use(answers(adminJobsContract.list, { now, jobs: [] }))
  await renderPart(<JobsPanel />)
  expect(await screen.findByText('No jobs have run yet')).toBeTruthy()
  expect(screen.getByText('All jobs are OK.').className).toBe('invisible')
})

it('tells times as distances and names as words', () => {
  expect(jobText('delivery-erase-old-contacts')).toBe('Erases old delivery details')
  expect(jobText('outbox-collect-due')).toBe('Collects news that is due')
  expect(jobText('moon-look-up')).toBe('Moon look up')
  expect(agoText('2026-11-21T10:00:00.000Z', now)).toBe('2 hours ago')
  expect(agoText('2026-11-22T12:00:00.000Z', now)).toBe('tomorrow')
  expect(agoText(now, '')).toBe('')
})
