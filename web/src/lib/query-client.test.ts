// The defaults of every query.

import { QueryObserver } from '@tanstack/react-query'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { mockServer } from '../../test/mock-server.ts'
import { createQueryClient } from '../app/refresher.ts'

const server = mockServer()

describe('the defaults of a query', () => {
  /** One screen that asks for a list, and how often it has asked. */
  function screenThatAsks(answer: () => Response) {
    vi.useFakeTimers()
    const asked = vi.fn(async () => answer())
    vi.stubGlobal('fetch', asked)
    const client = createQueryClient()
    client.mount()
    const show = () =>
      new QueryObserver(client, { queryKey: ['/api/some/list'] }).subscribe(() => undefined)
    return { asked, show }
  }

  it.each([
    ['retry', () => new Response('down', { status: 503 })],
    ['poll', () => Response.json([])],
  ])('does not %s', async (_, answer) => {
    const { asked, show } = screenThatAsks(answer)
    show()
    await vi.advanceTimersByTimeAsync(24 * 3_600_000)
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('is stale at once, so that a second screen asks again', async () => {
    const { asked, show } = screenThatAsks(() => Response.json([]))
    show()
    await vi.advanceTimersByTimeAsync(1)
    show()
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it.each(['focus', 'visibilitychange'])('does not ask again on %s', async (event) => {
    const { asked, show } = screenThatAsks(() => Response.json([]))
    show()
    await vi.advanceTimersByTimeAsync(1000)
    window.dispatchEvent(new Event(event))
    await vi.advanceTimersByTimeAsync(1000)
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('loads JSON from the address in the first element of the key, with the cookie', async () => {
    const credentials: string[] = []
    server.use(
      http.get('/api/some/list', ({ request }) => {
        credentials.push(request.credentials)
        return HttpResponse.json([1, 2])
      }),
    )
    const client = createQueryClient()
    expect(await client.fetchQuery({ queryKey: ['/api/some/list', { ignored: true }] })).toEqual([
      1, 2,
    ])
    expect(credentials).toEqual(['same-origin'])
  })
})
