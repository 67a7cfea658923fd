// The stylesheet of the consent pages, served from its own address because pages allow no inline
// styles.

import type { FastifyInstance } from 'fastify'
import { open } from './requests.ts'

const style = `
:root { color-scheme: light dark; --accent: #6d28d9; --line: #8883; --soft: #8881; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
body.discord { --accent: #4752c4; }
main { max-width: 36rem; margin: 0 auto; padding: 2rem 1rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
.mode {
  margin: 0;
  padding: 0.25rem 0.75rem;
  border-left: 4px solid var(--accent);
  background: var(--soft);
  font-size: 0.875rem;
}
.learns { margin: 0.75rem 0 0; }
.grants { margin: 0; padding-left: 1.25rem; }
.problem { padding: 0.5rem 0.75rem; border: 2px solid #dc2626; border-radius: 0.5rem; }
.hint { margin: 0.25rem 0 0; font-size: 0.875rem; }
label { display: block; font-weight: 600; }
.row { display: flex; gap: 0.5rem; margin-top: 0.25rem; }
input {
  flex: 1;
  min-width: 0;
  min-height: 2.75rem;
  padding: 0 0.75rem;
  font: inherit;
  border: 1px solid #888;
  border-radius: 0.5rem;
  box-sizing: border-box;
  background: Field;
  color: FieldText;
}
button {
  min-height: 2.75rem;
  padding: 0 1rem;
  font: inherit;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--soft);
  color: inherit;
  cursor: pointer;
}
.anyone button {
  background: var(--accent);
  border-color: var(--accent);
  color: #fff;
  font-weight: 600;
}
button:hover { border-color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.viewers {
  list-style: none;
  margin: 0;
  padding: 0;
  display: grid;
  gap: 0.5rem;
  grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr));
}
.viewers button {
  width: 100%;
  display: flex;
  align-items: center;
  gap: 0.5rem;
  text-align: left;
  padding: 0.25rem 0.75rem;
}
.viewers img { border-radius: 50%; flex: none; }
.viewers span { overflow-wrap: anywhere; }
.mails { list-style: none; margin: 0; padding: 0; }
.mails li { border-top: 1px solid var(--line); }
.mails summary { padding: 0.75rem 0; cursor: pointer; overflow-wrap: anywhere; }
.mails pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
.deny { margin-top: 1.5rem; }
`

export function serveConsentStyle(app: FastifyInstance): void {
  app.get('/consent.css', open, async (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=300' })
      .serializer((body: string) => body)
      .send(style),
  )
}
