// A mailbox for everything that the product sends: as a page, and as JSON for tests.

import type { FastifyInstance } from 'fastify'
import { escaped, sendPage } from './consent-page.ts'
import type { SandboxControls } from './controls.ts'
import { jsonOf, open } from './requests.ts'

interface KeptMail {
  readonly to: unknown
  readonly subject: unknown
  readonly text: unknown
  readonly html: unknown
  readonly headers: unknown
  readonly at: string
}

/** The newest are kept. */
const mailsMax = 500

export function serveMailbox(app: FastifyInstance, controls: SandboxControls): void {
  const mails: KeptMail[] = []
  app.post('/mail', open, async (request) => {
    const { to, subject, text, html, headers } = jsonOf(request)
    mails.push({ to, subject, text, html, headers, at: controls.clock.now().toISOString() })
    if (mails.length > mailsMax) mails.shift()
    return { accepted: true }
  })
  app.get('/mail.json', open, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(mails),
  )
  app.get('/mail', open, async (_request, reply) =>
    sendPage(reply, 'Sandbox mailbox', 'mailbox', mailsHtml(mails.toReversed())),
  )
}

const web = /https?:\/\/\S+/g

/** The text with its addresses as links. */
function linked(text: string): string {
  let html = ''
  let end = 0
  for (const { 0: url, index } of text.matchAll(web)) {
    html += `${escaped(text.slice(end, index))}<a href="${escaped(url)}">${escaped(url)}</a>`
    end = index + url.length
  }
  return html + escaped(text.slice(end))
}

function mailsHtml(mails: readonly KeptMail[]): string {
  const items = mails.map(
    ({ to, subject, text, at }) => `<li><details>
<summary><strong>${escaped(String(subject))}</strong><br>
<span class="hint">To ${escaped(String(to))}, ${at.replace('T', ' ').slice(0, 16)} UTC</span>
</summary>
<pre>${linked(String(text))}</pre>
</details></li>`,
  )
  const list = `<ul class="mails">${items.join('\n')}</ul>`
  return `<p class="mode">Sandbox: no mail leaves this machine, and none outlives a restart.</p>
<h1>Mailbox</h1>
${items.length === 0 ? '<p>Nothing has been sent since the start.</p>' : list}`
}
