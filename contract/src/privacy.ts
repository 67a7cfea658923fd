// What people can do about their data: download it, or leave for good.

import * as z from 'zod/mini'
import { ActionAnswer, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { usernameMax } from './limits.ts'
import { nameText, requestObject } from './values.ts'

/** Every row about the caller, by table; times are ISO 8601 in UTC. */
export const OwnDataExport = z.object({
  exportedAt: Timestamp,
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
})
export type OwnDataExport = z.infer<typeof OwnDataExport>

export const DeleteAccountRequest = requestObject({
  confirm: nameText({
    label: 'Username',
    max: usernameMax,
    required: 'Type your username to delete your account',
  }),
})

export const privacyContract = {
  exportOwnData: endpoint('viewer', 'GET', '/api/user/export', {
    summary: 'Returns everything kept about the caller, as a JSON file.',
    response: OwnDataExport,
    rate: 'upload',
  }),
  deleteAccount: endpoint('viewer', 'DELETE', '/api/user', {
    changes: [],
    summary: "Removes the caller's name and contact details for good; the books stay without them.",
    body: DeleteAccountRequest,
    response: ActionAnswer,
    domainErrors: ['protected_account'],
  }),
}
