// What is polled only while the socket does not bring the news.

import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { FakeSocket } from '../../test/fake-socket.ts'
import { connectRealtime } from '../app/realtime-updates.ts'
import { realtime, usePollWithoutSocket } from './realtime.ts'

it('rests while the socket is open, and goes on when it is lost or ended', () => {
  FakeSocket.install()
  const listeners = { onChanged: () => {}, onReconnected: () => {}, onRefused: () => {} }
  const connection = connectRealtime({ ...listeners, onOpenChange: realtime.setOpen })
  realtime.hold(connection)
  const { result } = renderHook(() => usePollWithoutSocket(30_000))
  expect(result.current).toBe(30_000)
  act(() => FakeSocket.latest().onopen?.())
  expect(result.current).toBe(false)
  act(() => FakeSocket.latest().end(1006))
  expect(result.current).toBe(30_000)
  act(() => realtime.setOpen(true))
  act(() => realtime.disconnect())
  expect(result.current).toBe(30_000)
})
