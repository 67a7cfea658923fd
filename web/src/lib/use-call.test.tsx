// A call that takes a key and got no answer is sent again under it, another one under another.

import { adminPeopleContract, adminPrizesContract, adminShipmentsContract } from '@redpack/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { HttpResponse } from 'msw'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { samplePrize } from '../../test/catalogue-samples.ts'
import { mockServer, replies } from '../../test/mock-server.ts'
import { useCall } from './use-call.ts'

const server = mockServer()

const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
)

it('knows forms apart by their fields and files', async () => {
  const keys: (string | null)[] = []
  server.use(
    replies(adminShipmentsContract.applyFile, ({ headers }) => {
      keys.push(headers.get('Idempotency-Key'))
      return HttpResponse.error()
    }),
  )
  const { result } = renderHook(() => useCall(adminShipmentsContract.applyFile), {
    wrapper,
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

it('keeps the key of what was not answered while something else is', async () => {
  const keys: (string | null)[] = []
  let isReached = false
  server.use(
    replies(adminPrizesContract.addInventory, ({ headers }) => {
      keys.push(headers.get('Idempotency-Key'))
      return isReached ? HttpResponse.json(samplePrize()) : HttpResponse.error()
    }),
  )
  const { result } = renderHook(() => useCall(adminPrizesContract.addInventory), {
    wrapper,
  })
  const add = async (quantity: number, isAnswered: boolean) => {
    isReached = isAnswered
    const adding = () => result.current.mutateAsync({ params: { id: 11 }, body: { quantity } })
    await act(() => adding().then(undefined, () => undefined))
  }
  await add(10, false)
  await add(5, true)
  await add(10, true)
  await add(10, true)
  expect(keys[2]).toBe(keys[0])
  expect(new Set(keys).size).toBe(3)
})

it('sends no key where the endpoint takes none', async () => {
  const keys: (string | null)[] = []
  server.use(
    replies(adminPeopleContract.addNote, ({ headers }) => {
      keys.push(headers.get('Idempotency-Key'))
      return HttpResponse.error()
    }),
  )
  const { result } = renderHook(() => useCall(adminPeopleContract.addNote), { wrapper })
  const adding = () => result.current.mutateAsync({ params: { id: 3 }, body: { body: 'Kind' } })
  await act(() => adding().then(undefined, () => undefined))
  expect(keys).toEqual([null])
})
