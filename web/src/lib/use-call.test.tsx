// A call that got no answer is sent again under its key, another one under another.

import { adminShipmentsContract } from '@redpack/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import { mockServer, replies } from '../../test/mock-server.ts'
import { useIdempotentCall } from './use-call.ts'

const server = mockServer()

it('knows forms apart by their fields and files', async () => {
  const keys: (string | null)[] = []
  server.use(
    replies(adminShipmentsContract.applyFile, ({ headers }) => {
      keys.push(headers.get('Idempotency-Key'))
      return HttpResponse.error()
    }),
  )
  const { result } = renderHook(() => useIdempotentCall(adminShipmentsContract.applyFile), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    ),
  })
  const send = async (token: string, name: string) => {
    const body = new FormData()
    body.set('token', token)
    body.set('file', new File(['claimId'], name, { lastModified: 0 }), name)
    await act(() => result.current.mutateAsync({ body }).catch(() => undefined))
  }
  await send('a', 'monday.csv')
  await send('a', 'monday.csv')
  await send('b', 'monday.csv')
  await send('b', 'tuesday.csv')
  expect(keys[1]).toBe(keys[0])
  expect(new Set(keys).size).toBe(3)
})
