// The packs a player can open: holdings joined with their pack types.

import type { Holding, PackType } from '@redpack/contract'
import { useState } from 'react'
import { imageSource } from '../../lib/image-source.ts'
import { PackIcon } from './shared/pack-icon.tsx'

/** A pack type of which at least one unopened pack is held. */
export interface OwnedPack extends PackLook {
  readonly id: number
  readonly description: string
  readonly quantity: number
  /** Hash of the odds in force when the holding was shown. */
  readonly oddsHash: string
}

/**
 * The owned packs in the order of the pack types. A holding whose type is not in the list (archived
 * meanwhile) keeps what the holding itself knows about it.
 */
export function ownedPacks(
  holdings: readonly Holding[],
  types: readonly PackType[],
): readonly OwnedPack[] {
  const byId = new Map(types.map((type) => [type.id, type]))
  const order = new Map(types.map((type, index) => [type.id, index]))
  return holdings
    .filter(({ quantity }) => quantity > 0)
    .map(({ packTypeId, quantity, oddsHash, packType }) => {
      const type = byId.get(packTypeId) ?? { imageData: null, imageType: null, ...packType }
      return { ...type, id: packTypeId, quantity, oddsHash }
    })
    .sort((one, other) => (order.get(one.id) ?? Infinity) - (order.get(other.id) ?? Infinity))
}

/** What is needed to draw a pack. */
export type PackLook = Pick<
  PackType,
  'name' | 'icon' | 'color' | 'imageUrl' | 'imageData' | 'imageType'
>

export function PackFace({ pack }: { readonly pack: PackLook }) {
  const [isBroken, setBroken] = useState(false)
  const source = imageSource(pack)
  if (source !== undefined && !isBroken) {
    return (
      <img
        src={source}
        alt={pack.name}
        onError={() => setBroken(true)}
        className="absolute inset-0 size-full object-contain"
      />
    )
  }
  return (
    <div className="pack-face-drawn absolute grid place-items-center">
      <PackIcon name={pack.icon} className="pack-face-icon" />
    </div>
  )
}
