// What the page's first script asks ahead of a screen is what the screen then asks itself: nothing
// is asked twice, and nothing in vain.

import { authContract } from '@redpack/contract'
import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { testNow } from '../../tools/test-clock.ts'
import { earlyAnswers } from '../first-paint.ts'
import { answers, mockServer } from './mock-server.ts'
import { renderApp } from './render.tsx'
import { sampleUser } from './samples.ts'

const server = mockServer()

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  server.use(
    answers(authContract.me, sampleUser()),
    http.all('/api/*', ({ request }) =>
      new URL(request.url).pathname === authContract.me.path ? undefined : new HttpResponse(''),
    ),
  )
})

const { frame = [], ...screens } = earlyAnswers

it.each(Object.entries(screens))('%s takes every early answer', async (word, paths) => {
  const early = (path: string) => [path, { answer: fetch(path), atMs: testNow() }] as const
  window.redpackFirstAnswers = Object.fromEntries([...frame, ...paths].map(early))
  await renderApp(`/${word}`)
  await screen.findByRole('heading', { level: 1 })
  await waitFor(() => expect(Object.keys(window.redpackFirstAnswers ?? {})).toEqual([]))
})
