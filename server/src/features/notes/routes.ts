// Staff notes over HTTP.

import { adminPeopleContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { noteById, notesOf } from './views.ts'
import { addNote, removeNote } from './write-notes.ts'

export function registerNotes({ app, world, guards }: FeatureContext): void {
  serve(app, guards, contract.notes, ({ params }) => notesOf(world.db, params.id))
  serve(app, guards, contract.addNote, async ({ actor, params, body, request }) => {
    const author = { actorId: actor.userId, requestId: request.id }
    return noteById(world.db, await addNote(world, author, params.id, body.body))
  })
  serve(app, guards, contract.removeNote, async ({ actor, params, request }) => {
    await removeNote(world, { actorId: actor.userId, requestId: request.id }, params.id)
    return { success: true as const, message: 'Note removed' }
  })
}
