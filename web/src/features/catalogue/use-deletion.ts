// Deletes a prize, a pack type or a listing at once, and offers to take it back.

import { useCallback, useRef } from 'react'
import { reportOutcome, toastDone, toastFailed } from '../../ui/outcome-toast.ts'

/** How long the card may still be seen after its deletion, in milliseconds. */
const goneMs = 2_000

export interface Deletion {
  /** What is deleted, as it begins a sentence. */
  readonly thing: 'Prize' | 'Pack type' | 'Store listing'
  readonly remove: (id: number) => Promise<unknown>
  readonly restore: (id: number) => Promise<unknown>
  /** Id of the heading above, where the focus goes with the button that is deleted too. */
  readonly headingId: string
  /** Says that it failed, where that takes more than the server's sentence. */
  readonly onError?: (error: unknown) => void
}

/** @returns deletes the thing of this id; a press on what is just going does nothing */
export function useDeletion(deletion: Deletion): (id: number) => Promise<void> {
  const { thing, remove, restore, headingId, onError } = deletion
  const going = useRef(new Set<number>())
  return useCallback(
    async (id) => {
      if (going.current.has(id)) return
      going.current.add(id)
      const name = thing.toLowerCase()
      const undo = () =>
        reportOutcome(restore(id), {
          done: `${thing} restored successfully`,
          failureTitle: 'Error',
          fallback: `Failed to restore ${name}`,
        })
      const pressed = document.activeElement
      try {
        await remove(id)
        window.setTimeout(() => going.current.delete(id), goneMs)
        toastDone(`${thing} deleted successfully`, { label: 'Undo', onSelect: undo })
        const { activeElement, body } = document
        if (activeElement === pressed || activeElement === body) {
          document.getElementById(headingId)?.focus({ preventScroll: true })
        }
      } catch (error) {
        going.current.delete(id)
        if (onError) onError(error)
        else toastFailed(`Error deleting ${name}`, error, `Failed to delete ${name}`)
      }
    },
    [thing, remove, restore, headingId, onError],
  )
}
