// The page on which a viewer says who they are and whether the product may know: HTML without
// scripts.

import type { FastifyReply } from 'fastify'
import type { KnownViewer } from './controls.ts'

export interface ConsentPage {
  /** The service that the page stands in for. */
  readonly service: 'Twitch' | 'Discord'
  /** What is asked, as a question of the product. */
  readonly question: string
  /** What the product will learn, one line each. */
  readonly grants: readonly string[]
  readonly viewers: readonly KnownViewer[]
  /** The address the form is sent to, with the query the page was opened with. */
  readonly action: string
  readonly problem?: string
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}

/** Sends the page; with a problem the status is 400 and the problem stands above the form. */
export function sendConsentPage(reply: FastifyReply, page: ConsentPage): FastifyReply {
  return reply
    .code(page.problem === undefined ? 200 : 400)
    .headers(pageHeaders)
    .serializer((body: string) => body)
    .send(consentPage(page))
}

function consentPage(page: ConsentPage): string {
  const service = escaped(page.service)
  const action = escaped(page.action)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox sign-in with ${service}</title>
<link rel="stylesheet" href="/sandbox/consent.css">
</head>
<body class="${service.toLowerCase()}">
<main>
<p class="mode">Sandbox: a stand-in for ${service}. No real account is involved.</p>
<h1>${escaped(page.question)}</h1>
<p class="learns">It will learn:</p>
<ul class="grants">${page.grants.map((grant) => `<li>${escaped(grant)}</li>`).join('')}</ul>
${page.problem === undefined ? '' : `<p class="problem" role="alert">${escaped(page.problem)}</p>`}
<section aria-labelledby="anyone">
<h2 id="anyone">Continue under any name</h2>
<form method="post" action="${action}" class="anyone">
<label for="login">Login name</label>
<div class="row">
<input id="login" name="login" maxlength="50" autocomplete="off" autocapitalize="none" spellcheck="false" required>
<button name="action" value="allow">Allow</button>
</div>
<p class="hint">A name that nobody has yet becomes a new viewer.</p>
</form>
</section>
${knownViewers(page.viewers, action)}
<form method="post" action="${action}" class="deny">
<button name="action" value="deny">Deny and go back</button>
</form>
</main>
</body>
</html>
`
}

function knownViewers(viewers: readonly KnownViewer[], action: string): string {
  if (viewers.length === 0) return ''
  const items = viewers.map(
    (viewer) => `<li><form method="post" action="${action}">
<input type="hidden" name="login" value="${escaped(viewer.login)}">
<button name="action" value="allow">
<img src="${escaped(viewer.avatar)}" alt="" width="32" height="32">
<span>${escaped(viewer.displayName)}</span>
</button>
</form></li>`,
  )
  return `<section aria-labelledby="known">
<h2 id="known">Or as somebody who is here already</h2>
<ul class="viewers">${items.join('\n')}</ul>
</section>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
