// Deletes a prize, a pack type or a listing at once, and offers to take it back.

import { adminPackTypesContract, adminPrizesContract, adminStoreContract } from '@redpack/contract'
import { useCallback, useRef } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { reportOutcome, toastDone, toastFailed } from '../../ui/outcome-toast.ts'

/** How long the card may still be seen after its deletion, in milliseconds. */
const goneMs = 2_000

const contracts = {
  Prize: adminPrizesContract,
  'Pack type': adminPackTypesContract,
  'Store listing': adminStoreContract,
} as const

/**
 * `thing` is what is deleted, as it begins a sentence; `headingId` that of the heading above, where
 * the focus goes with the button that is deleted too; `onError` says that it failed, where that
 * takes more than the server's sentence.
 * @returns deletes the thing of this id; a press on what is just going does nothing
 */
export function useDeletion(
  thing: keyof typeof contracts,
  headingId: string,
  onError?: (error: unknown) => void,
): (id: number) => Promise<void> {
  const { mutateAsync: remove } = useCall(contracts[thing].remove)
  const { mutateAsync: restore } = useCall(contracts[thing].restore)
  const going = useRef(new Set<number>())
  return useCallback(
    async (id) => {
      if (going.current.has(id)) return
      going.current.add(id)
      const name = thing.toLowerCase()
      const undo = () =>
        reportOutcome(restore({ params: { id } }), {
          done: `${thing} restored successfully`,
          failureTitle: 'Error',
          fallback: `Failed to restore ${name}`,
        })
      const pressed = document.activeElement
      try {
        await remove({ params: { id } })
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
