// A WebSocket that does what the test says.

import type { RealtimeMessage } from '@redpack/contract'
import { vi } from 'vitest'

export class FakeSocket {
  /** Every socket opened since the installation, oldest first. */
  static all: FakeSocket[] = []

  /** Takes the place of `WebSocket` until the test ends. */
  static install(): void {
    FakeSocket.all = []
    vi.stubGlobal('WebSocket', FakeSocket)
  }

  static latest(): FakeSocket {
    const socket = FakeSocket.all.at(-1)
    if (!socket) throw new Error('No socket was opened')
    return socket
  }

  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  isClosed = false
  readonly url: string

  constructor(url: string) {
    this.url = url
    FakeSocket.all.push(this)
  }

  close(): void {
    this.isClosed = true
  }

  accept(): void {
    this.onopen?.()
  }

  say(message: RealtimeMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }

  end(code: number): void {
    this.onclose?.({ code })
  }
}
