// A user's standing with the community: their shown name, and a suspension.

import * as z from 'zod/mini'
import { AdminUser } from './admin-users.ts'
import { ActionAnswer } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { displayNameMax, nameWordMax, nameWordsMax, standingTextMax } from './limits.ts'
import { flag, listOf, nameText, plainText, requestObject } from './values.ts'

const Reason = plainText({ label: 'Reason', max: standingTextMax, required: 'Say why' })

/** Null hides the name behind a neutral one. */
export const ShownNameRequest = requestObject({
  name: z.nullable(
    nameText({
      label: 'Shown name',
      max: displayNameMax,
      required: 'Write the name to show',
      isOneLine: true,
    }),
  ),
  reason: Reason,
})

/** Null suspends without an end. */
export const SuspensionRequest = requestObject({
  until: z.nullable(z.iso.datetime({ offset: true, error: 'The end must be a time' })),
  reason: Reason,
})

export const SuspensionAnswerRequest = requestObject({
  text: plainText({ label: 'Answer', max: standingTextMax, required: 'Write your answer' }),
})

/** Words that new names are searched for, and whether such a name is hidden at once. */
export const NameWords = z.object({ words: z.array(z.string()), hidesAtOnce: z.boolean() })
export type NameWords = z.infer<typeof NameWords>

const Word = nameText({ label: 'A word', max: nameWordMax, isOneLine: true })
const fields = {
  words: listOf(Word, 'Words must be a list', nameWordsMax, `At most ${nameWordsMax} words`),
  hidesAtOnce: flag('Hide at once must be true or false'),
}
export const SaveNameWordsRequest = requestObject({
  ...fields,
  expected: z.optional(z.partial(requestObject(fields))),
})

const change = {
  changes: ['users', 'leaderboard', 'audit'],
  response: AdminUser,
  domainErrors: ['not_found', 'protected_account'],
  idempotent: true,
} as const

export const standingContract = {
  showName: endpoint('staff', 'PUT', '/api/admin/users/{id}/shown-name', {
    ...change,
    summary: "Hides a user's name everywhere, or shows another in its place.",
    body: ShownNameRequest,
  }),
  restoreName: endpoint('staff', 'DELETE', '/api/admin/users/{id}/shown-name', {
    ...change,
    summary: "Shows a user's own name again, and removes its flag.",
  }),
  suspend: endpoint('staff', 'PUT', '/api/admin/users/{id}/suspension', {
    ...change,
    summary:
      'Suspends a user from opening, buying, claiming rewards and earning until a time; won prizes are unaffected.',
    body: SuspensionRequest,
  }),
  endSuspension: endpoint('staff', 'DELETE', '/api/admin/users/{id}/suspension', {
    ...change,
    summary: 'Ends the suspension of a user.',
  }),
  answer: endpoint('viewer', 'POST', '/api/user/suspension/answer', {
    changes: ['session', 'user'],
    summary: "Sends staff the caller's answer to their suspension, once.",
    body: SuspensionAnswerRequest,
    response: ActionAnswer,
    domainErrors: ['wrong_state'],
    idempotent: true,
  }),
  nameWords: endpoint('staff', 'GET', '/api/admin/settings/name-words', {
    summary: 'Lists the words that new names are searched for.',
    response: NameWords,
  }),
  saveNameWords: endpoint('staff', 'PUT', '/api/admin/settings/name-words', {
    changes: ['users', 'audit'],
    summary: 'Sets the words that new names are searched for.',
    body: SaveNameWordsRequest,
    bodyLimit: 'list',
    response: NameWords,
    domainErrors: ['changed_meanwhile'],
  }),
}
