// Staff notes over HTTP.

import { adminPeopleContract as contract } from '@redpack/contract'
import { command, withAnswer } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { noteById, notesOf } from './note-views.ts'
import { addNote, removeNote } from './write-notes.ts'

const removed = { success: true, message: 'Note removed' } as const

export function registerNotes(context: FeatureContext): void {
  const { app, deps, guards } = context
  serve(app, guards, contract.notes, ({ params }) => notesOf(deps.db, params.id))
  command(context, contract.addNote, {
    order: ({ params, body }) => [params.id, body.body] as const,
    run: async (tx, by, [userId, body]) => {
      const added = await addNote(tx, by, userId, body)
      return withAnswer(added, await noteById(tx, added.answer))
    },
  })
  command(context, contract.removeNote, {
    order: ({ params }) => params.id,
    run: async (tx, by, id) => withAnswer(await removeNote(tx, by, id), removed),
  })
}
