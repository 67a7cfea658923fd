// The OpenAPI document as it stands in docs/, the same for every deployment.

import { allEndpoints } from '../contract/src/index.ts'
import { openApiDocument } from '../server/src/adapters/http/openapi.ts'
import { statusOf } from '../server/src/adapters/http/problem-answers.ts'

export function openApiText(): string {
  const document = openApiDocument(allEndpoints, {
    title: 'Redpack',
    version: '1.0.0',
    sessionCookie: 'sid',
    statusOf,
  })
  return `${JSON.stringify(document, null, 2)}\n`
}
