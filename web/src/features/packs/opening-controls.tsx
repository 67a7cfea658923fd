// The Opening Controls: which packs, how many, and the button, or the reason against it.

import { packsPerOpenMax, packsPerOpenMin } from '@redpack/contract'
import { PackageOpen } from 'lucide-react'
import { type RefObject, useId } from 'react'
import { cn } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/form/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { Form } from '../../ui/form/text-field.tsx'
import { OddsButton, OddsDialog } from './odds-sheet.tsx'
import type { OwnedPack } from './owned-packs.tsx'

/** Whether it is known what the player owns. */
export type PacksKnown = 'known' | 'loading' | 'failed'

interface OpeningControlsProps {
  readonly packs: readonly OwnedPack[]
  readonly packsKnown: PacksKnown
  readonly chosen: OwnedPack | undefined
  readonly onChoose: (packTypeId: string) => void
  /** Null while the field is empty. */
  readonly quantity: number | null
  readonly onQuantity: (quantity: number | null) => void
  readonly isPending: boolean
  readonly onOpen: () => void
  readonly buttonRef: RefObject<HTMLButtonElement | null>
}

export function OpeningControls(props: OpeningControlsProps) {
  const { packs, packsKnown, chosen, onChoose, quantity, onQuantity } = props
  const { isPending, onOpen, buttonRef } = props
  const titleId = useId()
  const reasonId = useId()
  const blocked = blockedReason(props)
  const notice = blocked ?? shortageNotice(chosen, quantity)
  return (
    <section
      aria-labelledby={titleId}
      data-empty={packs.length === 0}
      data-bar
      className={cn(
        'opening-controls card on-card px-4 py-3 md:p-6 md:tall:sticky md:tall:top-22',
        // On phones every line counts; the labels stay for those who do not see the controls.
        'max-md:[&_label]:sr-only',
      )}
    >
      <h2 id={titleId} className="text-xl max-md:sr-only md:mb-4">
        Opening Controls
      </h2>
      <Form className="grid gap-2 md:gap-4" onSubmit={onOpen}>
        <div className="flex items-end gap-2">
          <SelectField
            label="Pack Type"
            placeholder={packs.length > 0 ? 'Select a pack type' : placeholders[packsKnown]}
            choices={packs.map((pack) => ({
              value: String(pack.id),
              label: `${pack.name} (${formatNumber(pack.quantity)})`,
            }))}
            value={chosen ? String(chosen.id) : ''}
            onChange={(event) => onChoose(event.target.value)}
            fieldClassName="min-w-0 flex-1"
          />
          {chosen && <OddsButton packTypeId={chosen.id} packName={chosen.name} />}
          <OddsDialog packs={packs} />
        </div>
        <div className="opening-quantity flex flex-wrap items-end gap-2 *:flex-[1_0_10rem] md:*:basis-full">
          <NumberField
            label="Quantity"
            unit="packs"
            min={packsPerOpenMin}
            max={packsPerOpenMax}
            value={quantity}
            onChange={(typed) =>
              // Whole packs, and never more than one opening takes.
              onQuantity(typed === null ? null : Math.min(packsPerOpenMax, Math.trunc(typed)))
            }
          />
          <QuickPicks chosen={chosen} quantity={quantity} onQuantity={onQuantity} />
        </div>
        <div className="grid gap-2 md:flex md:flex-col-reverse">
          {/* The button says the same: on a phone a line more would move all that is above. */}
          <p
            id={reasonId}
            className={cn(
              'text-sm text-muted empty:hidden md:min-h-[1.5em] md:empty:block',
              isPending && 'max-md:sr-only',
            )}
          >
            {notice}
          </p>
          <Button
            ref={buttonRef}
            type="submit"
            size="large"
            icon={PackageOpen}
            isPending={isPending}
            pendingLabel="Opening..."
            disabled={blocked !== null}
            aria-describedby={notice ? reasonId : undefined}
          >
            Open Packs
          </Button>
        </div>
      </Form>
    </section>
  )
}

const placeholders: Readonly<Record<PacksKnown, string>> = {
  known: 'No packs to open',
  loading: 'Loading your packs...',
  failed: 'Your packs could not be loaded',
}

/** Why the button is disabled, or null when it is not. */
function blockedReason(props: OpeningControlsProps) {
  const { packs, packsKnown, chosen, quantity, isPending } = props
  if (isPending) return 'Your packs are being opened.'
  if (packsKnown === 'loading') return 'Your packs are being loaded.'
  if (packsKnown === 'failed') return 'Your packs could not be loaded.'
  if (packs.length === 0) return 'You have no packs to open.'
  if (!chosen) return 'Choose a pack type first.'
  if (quantity === null) return 'Enter how many packs to open.'
  if (quantity < packsPerOpenMin) return `The quantity must be at least ${packsPerOpenMin}.`
  return null
}

/** Said ahead; the button stays usable and then says the same. */
function shortageNotice(chosen: OwnedPack | undefined, quantity: number | null) {
  if (!chosen || quantity === null || quantity <= chosen.quantity) return null
  return `You have only ${formatNumber(chosen.quantity)} of these.`
}

const fixedPicks = [1, 5, 10] as const

type QuickPicksProps = Pick<OpeningControlsProps, 'chosen' | 'quantity' | 'onQuantity'>

function QuickPicks({ chosen, quantity, onQuantity }: QuickPicksProps) {
  const most = Math.max(1, Math.min(packsPerOpenMax, chosen?.quantity ?? packsPerOpenMax))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div role="group" aria-label="Quick quantities" className="opening-picks flex gap-1 md:gap-2">
      {fixedPicks.map((pick) => (
        <Button
          key={pick}
          tone="secondary"
          aria-pressed={quantity === pick}
          disabled={pick > most}
          onClick={() => onQuantity(pick)}
        >
          {pick}
        </Button>
      ))}
      <Button
        tone="secondary"
        disabled={!chosen}
        aria-label={chosen ? `Max, ${most}` : 'Max'}
        onClick={() => onQuantity(most)}
      >
        Max
      </Button>
    </div>
  )
}
