// The page on which a viewer says who they are and whether the product may know: HTML without
// scripts.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KnownViewer } from './controls.ts'
import { formOf, open, queryOf, withQuery } from './requests.ts'
import type { Viewers } from './viewers.ts'

export interface Consent {
  /** The service that the page stands in for. */
  readonly service: 'Twitch' | 'Discord'
  readonly path: string
  readonly question: string
  /** What the product will learn, one line each. */
  readonly grants: (query: URLSearchParams) => readonly string[]
  readonly viewers: Viewers
  /** How the service tells the product that somebody has denied. */
  readonly denied: string
  /** Mistakes that must not be sent back to an address that may be somebody else's. */
  readonly problemOf: (request: FastifyRequest) => object | undefined
  /** What the address that was asked for gets, beside the state. */
  readonly issue: (
    viewer: KnownViewer,
    query: URLSearchParams,
  ) => Readonly<Record<string, string | null>>
}

/** The address answers a page to GET and takes its form by POST, both with the same query. */
export function serveConsent(app: FastifyInstance, consent: Consent): void {
  const checked =
    (answer: (request: FastifyRequest, reply: FastifyReply) => FastifyReply) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const problem = consent.problemOf(request)
      return problem === undefined ? answer(request, reply) : reply.code(400).send(problem)
    }
  const show = (request: FastifyRequest, reply: FastifyReply, problem?: string) =>
    showConsent(reply, consent, request, problem)
  app.get(consent.path, open, checked(show))
  app.post(
    consent.path,
    open,
    checked((request, reply) => {
      const [form, query] = [formOf(request), queryOf(request)]
      const goBack = (parameters: Readonly<Record<string, string | null>>) => {
        const address = query.get('redirect_uri') ?? ''
        return reply.redirect(withQuery(address, { ...parameters, state: query.get('state') }), 302)
      }
      if (form.get('action') === 'deny') {
        return goBack({ error: 'access_denied', error_description: consent.denied })
      }
      if (form.get('action') !== 'allow') return show(request, reply, 'Allow or deny?')
      const viewer = consent.viewers.named(form.get('login') ?? '')
      if (viewer !== undefined) return goBack(consent.issue(viewer, query))
      return show(request, reply, 'Enter a login name of 1 to 50 characters, no spaces.')
    }),
  )
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}

/** Sends a page of the sandbox around its main part; neither title nor class is escaped. */
export function sendPage(
  reply: FastifyReply,
  title: string,
  bodyClass: string,
  main: string,
): FastifyReply {
  return reply
    .headers(pageHeaders)
    .serializer((body: string) => body)
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/sandbox/consent.css">
</head>
<body class="${bodyClass}">
<main>
${main}
</main>
</body>
</html>
`)
}

/** With a problem the status is 400 and the problem stands above the form. */
function showConsent(
  reply: FastifyReply,
  consent: Consent,
  request: FastifyRequest,
  problem: string | undefined,
): FastifyReply {
  const { service } = consent
  const action = escaped(request.url)
  const grants = consent.grants(queryOf(request))
  return sendPage(
    reply.code(problem === undefined ? 200 : 400),
    `Sandbox sign-in with ${service}`,
    service.toLowerCase(),
    `<p class="mode">Sandbox: a stand-in for ${service}. No real account is involved.</p>
<h1>${escaped(consent.question)}</h1>
<p class="learns">It will learn:</p>
<ul class="grants">${grants.map((grant) => `<li>${escaped(grant)}</li>`).join('')}</ul>
${problem === undefined ? '' : `<p class="problem" role="alert">${escaped(problem)}</p>`}
<section aria-labelledby="anyone">
<h2 id="anyone">Continue under any name</h2>
<form method="post" action="${action}" class="anyone">
<label for="login">Login name</label>
<div class="row">
<input id="login" name="login" maxlength="50" autocomplete="off" autocapitalize="none" spellcheck="false" required>
<button name="action" value="allow">Allow</button>
</div>
<p class="hint">A name that nobody has yet becomes a new viewer. Mail to viewers lies in
<a href="/sandbox/mail">one mailbox</a>.</p>
</form>
</section>
${knownViewers(consent.viewers.offered, action)}
<form method="post" action="${action}" class="deny">
<button name="action" value="deny">Deny and go back</button>
</form>`,
  )
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

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
