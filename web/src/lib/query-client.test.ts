// The defaults of every query.

import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { mockServer } from '../../test/mock-server.ts'
import { createQueryClient } from './query-client.ts'

const server = mockServer()

describe('the defaults of a query', () => {
  const { queries } = createQueryClient().getDefaultOptions()

  it('does not retry [P-366]', () => {
    expect(queries?.retry).toBe(false)
  })

  it('is stale at once [P-367]', () => {
    expect(queries?.staleTime).toBe(0)
  })

  it('does not refetch on focus [P-368]', () => {
    expect(queries?.refetchOnWindowFocus).toBe(false)
  })

  it('does not poll [P-369]', () => {
    expect(queries?.refetchInterval).toBe(false)
  })

  it('loads JSON from the address in the first element of the key [P-365]', async () => {
    server.use(http.get('/api/some/list', () => HttpResponse.json([1, 2])))
    const client = createQueryClient()
    expect(await client.fetchQuery({ queryKey: ['/api/some/list', { ignored: true }] })).toEqual([
      1, 2,
    ])
  })

  it('asks once when the server refuses', async () => {
    let asked = 0
    server.use(
      http.get('/api/some/list', () => {
        asked += 1
        return new HttpResponse('down', { status: 503 })
      }),
    )
    const client = createQueryClient()
    await expect(client.fetchQuery({ queryKey: ['/api/some/list'] })).rejects.toThrow('503: down')
    expect(asked).toBe(1)
  })
})
