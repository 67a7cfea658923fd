// The mailbox shows what was sent to it, and nothing in a mail can be more than text there.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SandboxHost, sandboxHost } from './sandbox-host.fixture.ts'

let host: SandboxHost
beforeAll(async () => {
  host = await sandboxHost()
})
afterAll(() => host.app.close())

it('shows mails as JSON in their order, and as a page with the newest first', async () => {
  const url = `${host.origin}/sandbox/mail`
  const page = async () => (await fetch(url)).text()
  expect(await page()).toContain('Nothing has been sent since the start.')
  for (const subject of ['First', '<script>alert(1)</script>']) {
    const sent = {
      ...{
        to: 'ana@example.org',
        subject,
        text: `See ${host.origin}/profile?a=1&b=2 now`,
        html: '',
      },
      headers: { 'Message-ID': '<1@x>' },
    }
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    })
  }
  const mails = (await (await fetch(`${url}.json`)).json()) as { subject: string }[]
  expect(mails).toMatchObject([
    { to: 'ana@example.org', subject: 'First', headers: { 'Message-ID': '<1@x>' } },
    { at: expect.any(String) },
  ])
  const html = await page()
  expect(html).not.toContain('<script>')
  expect(html.indexOf('&lt;script&gt;')).toBeLessThan(html.indexOf('First'))
  const link = `${host.origin}/profile?a=1&amp;b=2`
  expect(html).toContain(`<a href="${link}">${link}</a>`)
})
