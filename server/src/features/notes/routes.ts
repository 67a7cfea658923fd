// Staff notes over HTTP.

import { adminPeopleContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { staffMember } from '../../adapters/http/staff-call.ts'
import { noteById, notesOf } from './views.ts'
import { addNote, removeNote } from './write-notes.ts'

export function registerNotes({ app, world, guards }: FeatureContext): void {
  serve(app, guards, contract.notes, ({ params }) => notesOf(world.db, params.id))
  serve(app, guards, contract.addNote, async (call) => {
    const { params, body } = call
    return noteById(world.db, await addNote(world, staffMember(call), params.id, body.body))
  })
  serve(app, guards, contract.removeNote, async (call) => {
    await removeNote(world, staffMember(call), call.params.id)
    return { success: true as const, message: 'Note removed' }
  })
}
