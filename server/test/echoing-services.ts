// Stands in for every service outside: answers in a chosen way, with all that it was sent.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { mark } from './marked-requests.ts'

/** How a service outside answers; what it was sent comes back in its body. */
export const answers = [
  'echo',
  'refuse 400',
  'refuse 401',
  'refuse 403',
  'fail 500',
  'nonsense',
  'hang up',
]
/** Chosen by the test. */
export const services: { answering: string } = { answering: 'echo' }

export function answer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (services.answering === 'hang up') return request.socket.destroy()
    const said = `${mark} ${request.url} ${JSON.stringify(request.headers)} ${Buffer.concat(chunks)}`
    if (services.answering === 'nonsense') return response.end(said)
    const [, status = '200'] = services.answering.split(' ')
    response.writeHead(Number(status), { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        message: said,
        error: said,
        code: 50_035,
        errors: { content: { _errors: [{ code: said, message: said }] } },
        access_token: `${mark}-access`,
        refresh_token: `${mark}-refresh`,
        id_token: `${mark}.${mark}.${mark}`,
        login: mark,
        user_id: mark,
        client_id: mark,
        expires_in: 1,
        id: '12345',
        username: mark,
        data: said,
      }),
    )
  })
}
