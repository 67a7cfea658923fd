// Several live streams: the screen says for which of them time counts, and lets the viewer choose.

import { type WatchSession, watchContract } from '@redpack/contract'
import { screen, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answers, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderPart } from '../../test/render.tsx'
import { sampleSession, sampleStream } from '../features/watch/watch-samples.fixture.ts'
import { toastStore } from '../ui/feedback/toast.ts'
import { TwitchStreamsScreen } from './twitch-streams.tsx'

const server = mockServer()
let sessions: WatchSession[] = []

async function openScreen() {
  await renderPart(<TwitchStreamsScreen />)
  await screen.findByText('Kira', { selector: 'section:first-child h3' })
}

const inSection = (name: string) => within(screen.getByRole('region', { name }))

describe('several live streams', () => {
  const kira = sampleStream({ id: 2, displayName: 'Kira', currentStreamId: 'c1' })
  const waiting = sampleSession({
    id: 10,
    stream: kira,
    streamSessionId: 'c1',
    isCounting: false,
    notCountingBecause: 'other_stream',
  })
  const card = (name: string) =>
    within(
      inSection('Currently Watching')
        .getByRole('heading', { level: 3, name })
        .closest<HTMLElement>('.card')!,
    )

  beforeEach(() => {
    sessions = [waiting, sampleSession()]
    server.use(
      answers(watchContract.streams, [sampleStream(), kira]),
      replies(watchContract.sessions, () => HttpResponse.json(sessions)),
      answers(watchContract.completions, []),
    )
  })

  it('say which of them counts; the others are short', async () => {
    await openScreen()
    expect(card('Nova Streams').getByText(/Your time is counting/)).toBeTruthy()
    expect(card('Nova Streams').getByRole('progressbar')).toBeTruthy()
    expect(card('Nova Streams').queryByRole('button')).toBeNull()
    expect(card('Kira').getByText('Your time counts for Nova Streams now.')).toBeTruthy()
    expect(card('Kira').queryByRole('progressbar')).toBeNull()
    // Its stream in the list says the same.
    expect(
      inSection('Available Streams').getByText('Your time counts for Nova Streams now.'),
    ).toBeTruthy()
  })

  it('are chosen with one press, which keeps the place and is said', async () => {
    let asked = 0
    server.use(
      replies(watchContract.selectActiveStream, (request) => {
        expect(new URL(request.url).pathname).toBe('/api/twitch/watch-sessions/10/count-here')
        asked += 1
        const chosen = { ...waiting, isCounting: true, notCountingBecause: null }
        sessions = [
          chosen,
          sampleSession({ isCounting: false, notCountingBecause: 'other_stream' }),
        ]
        return HttpResponse.json(chosen)
      }),
    )
    await openScreen()
    card('Kira').getByRole('button', { name: 'Count here: Kira' }).click()
    await vi.waitFor(() => expect(card('Kira').getByText(/Your time is counting/)).toBeTruthy())
    expect(card('Nova Streams').getByText('Your time counts for Kira now.')).toBeTruthy()
    expect(document.activeElement?.textContent).toBe('Kira')
    expect(await screen.findByText('Your time counts for Kira now')).toBeTruthy()
    expect(asked).toBe(1)
  })

  it('stay as they are when the choice fails, which is said', async () => {
    server.use(refuses(watchContract.selectActiveStream, 409, 'This stream is offline'))
    await openScreen()
    card('Kira').getByRole('button', { name: 'Count here: Kira' }).click()
    await vi.waitFor(() =>
      expect(toastStore.get().toasts[0]).toMatchObject({
        title: 'Error',
        description: 'This stream is offline',
      }),
    )
    expect(card('Nova Streams').getByText(/Your time is counting/)).toBeTruthy()
  })

  it('say why none of them counts', async () => {
    sessions = [
      { ...waiting, notCountingBecause: 'not_in_chat' },
      sampleSession({ isCounting: false, notCountingBecause: 'late_beat' }),
    ]
    await openScreen()
    expect(card('Kira').getByText(/You are not in the chat of this stream/)).toBeTruthy()
    expect(card('Kira').queryByRole('button')).toBeNull()
    expect(card('Nova Streams').getByText(/The last check-in is late/)).toBeTruthy()
  })
})
